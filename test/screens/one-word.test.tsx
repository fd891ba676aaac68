import { beforeAll, describe, expect, it } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { DESK_TEXT } from '../../src/core/pay/desk/desk.ts'
import { WORD_REFUSALS } from '../../src/core/view/desk-words.ts'
import type { State } from '../../src/core/wizard/state.ts'
import { SessionProvider } from '../../src/hooks/shell.tsx'
import { Steps } from '../../src/screens/Steps.tsx'
import { stillSession } from '../support/moments.ts'
import { withArrival, withStake } from '../support/other-worlds.ts'
import { openTerminal } from '../support/terminal.tsx'
import { stateAfter, type Trace, traceOfRegistration } from '../support/trace.ts'

const HASH = `0x${'ab'.repeat(32)}` as const

let trace: Trace
let place: number
let shown: State

beforeAll(async () => {
  trace = await traceOfRegistration()
  place = trace.events.findIndex((event) => event.step === 'topup' && event.type === 'agreed')
  const before = stateAfter(trace.events.slice(0, place), trace.setup)
  // The amount was typed, not proposed.
  shown = { ...before, topup: { ...before.topup, chosenGwei: tokens(270_000n) } }
})

/** The line below the title of a step. */
function verdictIn(screen: string): string {
  const lines = screen.split('\n').map((line) => line.trim())
  return lines[lines.findIndex((line) => line.startsWith('Top up the stake')) + 1] ?? ''
}

/** The top-up's panel on a terminal, opened on `shown`, and its word. */
async function openPanel() {
  let state = shown
  const session = stillSession(() => state, trace)
  const terminal = await openTerminal(
    <SessionProvider session={session}>
      <Steps />
    </SessionProvider>,
    { columns: 100, rows: 60 },
  )
  await terminal.press('\r')
  const [, word = ''] = /type (send \d+) and press Enter/.exec(terminal.screen()) ?? []
  await terminal.pass(1000)
  const change = async (next: State) => {
    state = next
    await terminal.pass(1)
  }
  return { terminal, session, word, change }
}

describe('a word that was typed over another world than the one that is paid in', () => {
  it('sends nothing once the same top-up was paid by hand, whenever it is typed', async () => {
    for (const letters of [0, 4, 11]) {
      const { terminal, session, word, change } = await openPanel()
      expect(word).toMatch(/^send \d+$/)
      await terminal.type(word.slice(0, letters))
      const paid = withStake(shown, tokens(270_000n))
      expect(verdictIn(terminal.screen())).toMatch(/^✔/)
      await change(withArrival(paid, { hash: HASH, block: 90n, amountGwei: tokens(270_000n) }))
      // What was read as good is not said to be good any more.
      expect(verdictIn(terminal.screen())).toBe(`✘ ${DESK_TEXT.verdict.other}`)
      await terminal.type(word.slice(letters))
      await terminal.type('\r\r')
      expect(session.sent.filter(({ type }) => type === 'agreed')).toEqual([])
      await terminal.close()
    }
  })

  it('is asked for its Enter once more where a check was not known in that moment', async () => {
    const { terminal, session, word, change } = await openPanel()
    await terminal.type(word)
    const asking = { status: 'asking' } as const
    const send = { ...shown.topup.send, observed: { ...shown.topup.send.observed, nonce: asking } }
    await change({ ...shown, topup: { ...shown.topup, send } })
    await terminal.type('\r')
    await change(shown)
    expect(terminal.screen()).toContain(WORD_REFUSALS.unknown)
    expect(session.sent.filter(({ type }) => type === 'agreed')).toEqual([])
    await terminal.type('\r')
    expect(session.sent.filter(({ type }) => type === 'agreed')).toHaveLength(1)
    await terminal.close()
  })
})
