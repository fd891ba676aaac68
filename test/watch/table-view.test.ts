import { expect, test } from 'vitest'
import { TABLE_START, type TableSay, tableAfter, tableView } from '../../src/watch/table-view.ts'
import { WATCHED } from '../support/watch-views.ts'

/** The table after what these keys give, one after the other. */
function pressed(...keys: readonly string[]) {
  let place = TABLE_START
  const told: TableSay[] = []
  for (const key of keys) {
    const does = tableView(WATCHED, place, []).keys.find((one) => one.key === key)?.does
    if (does === undefined) throw new Error(`${key} is no key here`)
    told.push(does)
    place = tableAfter(place, does)
  }
  return { view: tableView(WATCHED, place, []), told }
}

const kindsOf = ({ parts }: ReturnType<typeof tableView>) => parts.map(({ is }) => is)

test('before the first look there is nothing to choose, and what is said beside the alarms stands', () => {
  const view = tableView(undefined, TABLE_START, ['phone: no answer'])
  expect(view.keys).toEqual([])
  expect(view.badge).toBeUndefined()
  expect(view.parts[1]).toMatchObject({ sentences: ['phone: no answer'] })
})

test('shows the alarms of the chosen one and of node and chain, and says no title twice', () => {
  const { view } = pressed()
  expect(kindsOf(view)).toEqual(['verdict', 'table', 'alarm', 'alarm', 'sentences'])
  expect(view.parts.filter(({ is }) => is === 'alarm')).toMatchObject([
    { alarm: { id: '22.drops-out' }, isTitled: false },
    { alarm: { id: 'node' }, isTitled: true },
  ])
  expect(kindsOf(pressed('down').view)).toEqual(['verdict', 'table', 'alarm', 'sentences'])
})

test('somebody knows of what is shown, and of nothing else', () => {
  expect(pressed('a').told).toEqual([{ type: 'known', ids: ['22.drops-out', 'node'] }])
  expect(pressed('down', 'a').told.at(-1)).toEqual({ type: 'known', ids: ['node'] })
})

test('opens the chosen one, which stays the chosen one', () => {
  const opened = pressed('down', 'return').view
  expect(opened.title).toBe(`steady · ${WATCHED.head}`)
  expect(kindsOf(opened)).toEqual(['details'])
  expect(opened.keys.map(({ key }) => key)).toEqual(['a', 'escape'])
  expect(pressed('down', 'return', 'escape').view.parts[1]).toMatchObject({ chosen: 1 })
})

test('whoever is opened and is watched no more is the first one again, in the table', () => {
  const place = { chosen: '0x33', isOpened: true } as const
  expect(tableView({ ...WATCHED, rows: [] }, place, []).id).toBe('watch')
})
