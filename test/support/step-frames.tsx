import { render } from 'ink-testing-library'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Event, State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { SessionProvider, ShellProvider } from '../../src/hooks/shell.tsx'
import { Steps } from '../../src/screens/Steps.tsx'
import { momentsOf, stillSession } from './moments.ts'
import { sameEveryRun, still } from './still.ts'
import { openTerminal, type TestTerminalOptions } from './terminal.tsx'
import { apply, type Trace, traceOfRegistration } from './trace.ts'

type Holds = (event: Event, state: State) => boolean

let trace: Trace
let states: ReadonlyMap<string, State>

const offers =
  (step: State['step'], label: string): Holds =>
  (_, state) =>
    state.step === step &&
    viewOf(
      step,
      state,
      stillSession(() => state, trace),
    ).actions.some(({ key, label: words }) => key === 'return' && words === label)
const happened =
  (step: Event['step'], type: Event['type']): Holds =>
  (event) =>
    event.step === step && event.type === type

/** What a person looks at on the way, in its order. */
const MOMENTS: readonly (readonly [name: string, holds: Holds])[] = [
  ['genesis, answered', (...now) => offers('genesis', 'continue')(...now)],
  ['identity, answered', (...now) => offers('identity', 'continue')(...now)],
  ['sign, the first field', happened('session', 'went')],
  ['sign, groups retyped', happened('sign', 'submitted')],
  [
    'sign, two verifiers agree',
    // What stands at the two addresses is asked beside the signature, and may come after it.
    (event, state) =>
      offers('sign', 'continue')(event, state) &&
      Object.values(state.sign.accounts).every(({ status }) => status === 'known'),
  ],
  ['deposit, ready to send', (...now) => offers('deposit', 'send')(...now)],
  ['deposit, in a block', happened('deposit', 'included')],
  ['confirm, proven', (...now) => offers('confirm', 'continue')(...now)],
  ['top-up, ready to send', (...now) => offers('topup', 'send')(...now)],
  ['top-up, waiting for a block', happened('topup', 'handed-over')],
  [
    'status, waiting',
    (event, { step }) => step === 'status' && event.step === 'status' && 'observation' in event,
  ],
  ['status, active', (...now) => offers('status', 'finish')(...now)],
]
/** What a key of the last moment opens. */
const CHECKLIST = 'status, the checklist'
const NAMES = [...MOMENTS.map(([name]) => name), CHECKLIST]

/** How the names of the moments of a step begin. */
const BEGINS: { [step in State['step']]: string } = {
  genesis: 'genesis,',
  identity: 'identity,',
  sign: 'sign,',
  deposit: 'deposit,',
  confirm: 'confirm,',
  topup: 'top-up,',
  status: 'status,',
}

async function findMoments(): Promise<void> {
  trace = await traceOfRegistration()
  const moments = momentsOf(trace, MOMENTS)
  const last = moments.at(-1)?.state
  if (last === undefined) throw new Error('there is no moment')
  const opened = apply(last, { step: 'status', type: 'turned', to: 'checklist' }, trace.setup)
  states = new Map([...moments, { name: CHECKLIST, state: opened }].map(({ name, state }) => [name, state]))
}

/** The shell commands of a moment, each whole. */
export function commandsOf(name: string): readonly string[] {
  const state = states.get(name)
  if (state === undefined) throw new Error(`there is no ${name}`)
  return viewOf(
    state.step,
    state,
    stillSession(() => state, trace),
  ).commands
}

/** What a terminal shows at a moment, after keys. */
export async function frameOf(
  name: string,
  options: TestTerminalOptions,
  ...keys: string[]
): Promise<string[]> {
  const state = states.get(name)
  if (state === undefined) throw new Error(`there is no ${name}`)
  const terminal = await openTerminal(
    <SessionProvider session={stillSession(() => state, trace)}>
      <Steps />
    </SessionProvider>,
    options,
  )
  await terminal.press(...keys)
  const lines = terminal.lines()
  await terminal.close()
  return lines
}

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 15 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
]

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The last frame of a moment, without a terminal around it. */
async function framed(name: string): Promise<string> {
  const state = states.get(name)
  if (state === undefined) throw new Error(`there is no ${name}`)
  const shell = {
    clock: { monotonicMs: () => 0 },
    quit: () => undefined,
    network: { kind: 'rehearsal', label: 'rehearsal' },
  } as const
  const app = render(
    <ShellProvider shell={shell}>
      <SessionProvider session={stillSession(() => state, trace)}>
        <Steps />
      </SessionProvider>
    </ShellProvider>,
  )
  await settled()
  const frame = app.lastFrame() ?? ''
  app.unmount()
  return frame
}

/** Words that a frame may break over lines. */
const unbroken = (text: string) => text.replace(/\s+/g, ' ')

/** Draws every moment of a step that a person looks at in a real registration. */
export function testFramesOf(step: State['step']): void {
  const names = NAMES.filter((name) => name.startsWith(BEGINS[step]))
  beforeAll(findMoments)

  if (names.length === 0) throw new Error(`nobody looks at ${step}`)

  describe.each(names)('a real registration, %s', (name) => {
    it.each(SIZES)('is drawn whole at $columns×$rows', async (size) => {
      const lines = await frameOf(name, size)
      expect(lines).toHaveLength(size.rows)
      expect(sameEveryRun(still(lines.join('\n')))).toMatchSnapshot()
    })

    it('is drawn in plain ASCII where nothing else is possible', async () => {
      const lines = await frameOf(name, { ascii: true, colours: false })
      expect(sameEveryRun(still(lines.join('\n')))).toMatchSnapshot()
      expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/)
    })

    it.each([
      [60, 20],
      [20, 5],
      [10, 2],
    ])('fits a terminal of %i columns and %i rows', async (columns, rows) => {
      const lines = await frameOf(name, { columns, rows })
      expect(lines).toHaveLength(rows)
      expect(lines[0]).toContain(columns < 20 ? 'RE' : 'REHEARSAL')
    })
  })

  describe.each(names)('the frame of a moment, %s', (name) => {
    it('has network, place, verdict, money and every key that the view names', async () => {
      const state = states.get(name)
      if (state === undefined) throw new Error(`there is no ${name}`)
      const view = viewOf(
        state.step,
        state,
        stillSession(() => state, trace),
      )
      const text = unbroken(await framed(name))
      expect(text).toContain('REHEARSAL')
      expect(text).toMatch(/step \d of 7/)
      if (view.verdict !== undefined) expect(text).toContain(unbroken(view.verdict.text))
      expect(text).toContain(unbroken(view.money.line))
      expect(text).toContain(unbroken(view.money.worst))
      const field = view.activeField
      for (const { label } of field === undefined ? view.actions : []) expect(text).toContain(label)
    })
  })
}
