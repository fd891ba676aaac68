import { expect, test } from 'vitest'
import type { EarlyView } from '../../src/core/view/early-view.ts'
import { earlyTurn } from '../../src/plain/early-turn.ts'
import { EarlyScreen } from '../../src/screens/EarlyScreen.tsx'
import { TABLE_START, tableView } from '../../src/watch/table-view.ts'
import { launched, WAYS } from '../support/early-views.ts'
import { openTerminal } from '../support/terminal.tsx'
import { WATCHED } from '../support/watch-views.ts'

/** Lines say at once what a screen opens in the place of itself. */
const isPanel = ({ parts }: EarlyView<unknown>) =>
  parts.some(({ is }) => is === 'explanation' || is === 'command')
const VIEWS: (readonly [string, EarlyView<unknown>])[] = [
  ...Object.entries(WAYS)
    .map(([name, events]) => [name, launched(events).view] as const)
    .filter(([, view]) => !isPanel(view)),
  ['the table of a watch', tableView(WATCHED, TABLE_START, [])],
  ['a validator of a watch', tableView(WATCHED, { chosen: '0x22', isOpened: true }, [])],
]
const PRESSED: Readonly<Record<string, string>> = {
  return: '\r',
  escape: '\u001b[27u',
  up: '\u001b[A',
  down: '\u001b[B',
  tab: '\t',
  backtab: '\u001b[Z',
  f1: '\u001bOP',
  f2: '\u001bOQ',
}
const TYPED: Readonly<Record<string, string>> = { return: '', escape: 'b' }
const COMMAND_AND_EXPLANATION = ['c', '?']

async function byLine<E>(view: EarlyView<E>, text: string) {
  const told: E[] = []
  const turn = earlyTurn({ view, tell: (said) => void told.push(said), quit: () => undefined })
  const reply = await turn.takeLine({ text, begunAtMs: 0, atOnce: false }, 0)
  return { told, reply }
}

async function byKey<E>(view: EarlyView<E>, key: string) {
  const told: E[] = []
  const screen = await openTerminal(
    <EarlyScreen view={view} tell={(said) => void told.push(said)} edit={() => undefined} />,
  )
  await screen.press(PRESSED[key] ?? key)
  await screen.close()
  return told
}

test.each(VIEWS.filter(([, { typing }]) => typing === undefined))(
  'every key of %s does the same on both desks, and both name it',
  async (_, view) => {
    const { page } = earlyTurn({ view, tell: () => undefined, quit: () => undefined })
    const help = page.ask.kind === 'keys' ? page.ask.help : ''
    const screen = await openTerminal(<EarlyScreen view={view} tell={() => undefined} />)
    const hasEntries = view.parts.some(({ is }) => is === 'offers' || is === 'table')
    for (const { key, label, onScreen, inLines = key, does } of view.keys) {
      expect(await byKey(view, key)).toEqual([does])
      if (label !== undefined) expect(screen.screen()).toContain(label)
      if (onScreen === true) continue
      const isAbout = COMMAND_AND_EXPLANATION.includes(key)
      const { told, reply } = await byLine(view, TYPED[key] ?? inLines)
      // What is read has a place of its own on a screen, and is said by lines.
      if (isAbout) expect(reply.say?.length).toBeGreaterThan(0)
      else expect(told).toEqual([does])
      if (label !== undefined) expect(help).toContain(hasEntries && key === 'return' ? 'takes 1' : label)
    }
    await screen.close()
  },
)

test.each(VIEWS.filter(([, { typing }]) => typing !== undefined))(
  'the text of %s is entered and left by the same events on both desks',
  async (_, view) => {
    expect(await byKey(view, 'return')).toEqual([view.typing?.entered])
    expect((await byLine(view, '')).told).toEqual([view.typing?.entered])
    expect((await byLine(view, '<')).told).toEqual([view.typing?.left])
    expect(view.keys.map(({ does }) => does)).toContainEqual(view.typing?.left)
    const said = earlyTurn({ view, tell: () => undefined, quit: () => undefined }).page.blocks
    for (const { key, inLines, label = '', does } of view.keys) {
      if (inLines === undefined) continue
      expect(await byKey(view, key)).toEqual([does])
      expect((await byLine(view, inLines)).told).toEqual([does])
      expect(said.flatMap(({ lines }) => lines).join()).toContain(`${inLines} ${label}`)
    }
  },
)

test.each(VIEWS)(
  'every entry of %s is taken by its number in lines, and by Enter on the screen',
  async (_, view) => {
    if (view.typing !== undefined) return
    const offers = view.parts.flatMap((part) =>
      part.is === 'offers' ? part.sections.flatMap((section) => section.offers) : [],
    )
    for (const [at, offer] of offers.entries()) {
      expect((await byLine(view, `${at + 1}`)).told).toEqual([offer.does])
      expect((await byLine(view, `? ${at + 1}`)).reply.say?.[0]).toContain(offer.label)
      expect((await byLine(view, `c ${at + 1}`)).reply.commands).toEqual([
        expect.stringMatching(/^bearings /),
      ])
    }
    const rows = view.parts.flatMap((part) => (part.is === 'table' ? part.rows : []))
    for (const [at, row] of rows.entries()) expect((await byLine(view, `${at + 1}`)).told).toEqual([row.does])
    expect((await byLine(view, '77')).told).toEqual([])
  },
)
