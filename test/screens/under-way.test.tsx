import { expect, test } from 'vitest'
import type { UnderWay } from '../../src/core/wizard/launch/choice.ts'
import { openLaunch } from '../support/early.tsx'
import { still } from '../support/still.ts'
import type { TestTerminalOptions } from '../support/terminal.tsx'

const ENTER = '\r'
const ESCAPE = '\u001b[27u'
const DOWN = '\u001b[B'

const ROWS: readonly UnderWay[] = [
  {
    id: '/state/mainnet/1/journal.jsonl',
    badge: { kind: 'real', label: 'Berachain' },
    pubkey: `0x8145ccbf${'a'.repeat(88)}`,
    words: 'deposit sent, waits for its block',
    trouble: false,
    choice: { kind: 'network', id: 'mainnet' },
    command: ['--network', 'mainnet'],
  },
  {
    id: '/state/rehearsal/network-1/journal/1/journal.jsonl',
    badge: { kind: 'rehearsal', label: 'Rehearsal' },
    pubkey: `0x98cbeae9${'b'.repeat(88)}`,
    words: 'its network ended',
    trouble: true,
    choice: { kind: 'rehearsal', which: { folder: '/state/rehearsal/network-1' } },
    command: ['--network', 'rehearsal'],
  },
]

type Rows = readonly UnderWay[] | Promise<readonly UnderWay[]>
const openStart = (options: TestTerminalOptions = {}, rows: Rows = ROWS) => openLaunch({ rows }, options)

test('what is under way is on top, with its money, its key and where it stands, and Enter goes on', async () => {
  const shown = await openStart()
  expect(still(shown.screen())).toMatchSnapshot()
  expect(shown.screen()).not.toContain('more below')
  await shown.press(ENTER)
  await shown.press(ESCAPE)
  await shown.press('2', ENTER)
  expect(shown.chosen).toEqual(ROWS.map(({ choice }) => choice))
  await shown.close()
})

test('the explanation says that it is remembered, and the command goes there from a shell', async () => {
  const shown = await openStart()
  await shown.press('?')
  expect(shown.screen()).toMatch(/It stands so:\s+deposit sent, waits for its block\./)
  await shown.press('?', 'c')
  expect(shown.screen()).toContain('bearings --network mainnet')
  await shown.close()
})

test('a name that is long takes a row of its own, and no word is cut', async () => {
  const [first] = ROWS
  const badge = { kind: 'test', label: 'A village network with a long name' } as const
  const shown = await openStart({}, first === undefined ? [] : [{ ...first, badge }])
  expect(shown.screen()).toContain('1  A village network with a long name · TEST')
  expect(shown.screen()).toContain('0x8145 ccbf …  deposit sent, waits for its block')
  await shown.close()
})

test('what is found later comes on top, and takes the cursor from nobody who moved it', async () => {
  const found = Promise.withResolvers<readonly UnderWay[]>()
  const waiting = await openStart({}, found.promise)
  const moved = await openStart({}, found.promise)
  expect(waiting.screen()).toMatch(/▶ 1 {2}New rehearsal/)
  await moved.press(DOWN)
  found.resolve(ROWS)
  await expect.poll(() => waiting.screen()).toMatch(/▶ 1 {2}Berachain · REAL MONEY/)
  await expect.poll(() => moved.screen()).toMatch(/▶ 4 {2}Bepolia · TEST/)
  await waiting.close()
  await moved.close()
})

test.each([
  { columns: 40, rows: 15, ascii: true, colours: false },
  { columns: 120, rows: 40 },
])('it fits %o', async (size) => {
  const shown = await openStart(size)
  expect(still(shown.screen())).toMatchSnapshot()
  for (let key = 0; key < 6; key += 1) await shown.press(DOWN)
  expect(shown.screen()).toMatch(/[▶>] 7 {2}Another network/)
  await shown.close()
})
