import { beforeAll, expect, it } from 'vitest'
import type { State } from '../../../../src/core/wizard/state.ts'
import { SessionProvider } from '../../../../src/hooks/shell.tsx'
import { Steps } from '../../../../src/screens/Steps.tsx'
import { stillSession } from '../../../support/moments.ts'
import { openTerminal } from '../../../support/terminal.tsx'
import { stateAfter, type Trace, traceOfRegistration } from '../../../support/trace.ts'

let trace: Trace

beforeAll(async () => {
  trace = await traceOfRegistration()
})

it('sends the amount that stood on the screen while its word was typed, not one that came since', async () => {
  const { setup, events } = trace
  const place = events.findIndex((event) => event.step === 'topup' && event.type === 'agreed')
  const shown = stateAfter(events.slice(0, place), setup)
  let state: State = shown
  const session = stillSession(() => state, trace)
  const size = { columns: 100, rows: 60 }
  const terminal = await openTerminal(
    <SessionProvider session={session}>
      <Steps />
    </SessionProvider>,
    size,
  )
  await terminal.press('\r')
  const [, word = ''] = /type (send \d+) and press Enter/.exec(terminal.screen()) ?? []
  await terminal.pass(1000)
  state = { ...shown, topup: { ...shown.topup, chosenGwei: 5_000_000_000_000_000n } }
  await terminal.type(`${word}\r`)
  await terminal.close()
  const agreed = events[place]
  expect(word).not.toBe('')
  expect(session.sent).toEqual([agreed])
})
