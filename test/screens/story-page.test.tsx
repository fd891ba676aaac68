import { beforeAll, expect, it } from 'vitest'
import type { Chronicle, ChronicleEvent } from '../../src/core/chain/network/chronicle.ts'
import type { State } from '../../src/core/wizard/state.ts'
import { SessionProvider } from '../../src/hooks/shell.tsx'
import { Steps } from '../../src/screens/Steps.tsx'
import { stillSession } from '../support/moments.ts'
import { openTerminal } from '../support/terminal.tsx'
import { stateAfter, type Trace, traceOfRegistration } from '../support/trace.ts'

let trace: Trace
let last: State

beforeAll(async () => {
  trace = await traceOfRegistration()
  const events = [1n, 2n, 3n, 4n, 5n].map((slot): ChronicleEvent => ({ id: 'burnt', slot }))
  const story: Chronicle = {
    scenario: 'set-full',
    phase: 'over',
    slotMs: 1000,
    pace: 'plain',
    events,
    feesWei: 0n,
  }
  last = { ...stateAfter(trace.events, trace.setup), step: 'status', story }
})

it('a page over a step is read from its top, however far the step was scrolled, and the other way round', async () => {
  let state = last
  const terminal = await openTerminal(
    <SessionProvider session={stillSession(() => state, trace)}>
      <Steps />
    </SessionProvider>,
    { columns: 80, rows: 24 },
  )
  const turned = async (storyOpen: boolean) => {
    state = { ...last, storyOpen }
    await terminal.pass(1)
  }
  await terminal.press('\u001b[6~')
  expect(terminal.screen()).toContain('more above')
  await turned(true)
  expect(terminal.screen()).toContain('to learn')
  expect(terminal.screen()).not.toContain('more above')
  await terminal.press('\u001b[6~')
  expect(terminal.screen()).toContain('next story')
  await turned(false)
  expect(terminal.screen()).not.toContain('more above')
})
