import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Effects } from '../../../src/core/base/effects/effects.ts'
import { httpError } from '../../../src/core/base/errors/http.ts'
import { journalError } from '../../../src/core/base/errors/journal.ts'
import { BEPOLIA, LOCAL_ENDPOINTS } from '../../../src/core/chain/network/presets.ts'
import { initialPayment } from '../../../src/core/pay/payment/candidates.ts'
import type { PaymentState } from '../../../src/core/pay/payment/payment.ts'
import { errorFacts } from '../../../src/core/view/observation.ts'
import { STEP_TEXT } from '../../../src/core/view/text.ts'
import { STEP_IDS } from '../../../src/core/view/view.ts'
import type { Session } from '../../../src/core/wizard/session.ts'
import { createSession } from '../../../src/core/wizard/session.ts'
import { initialState, type State } from '../../../src/core/wizard/state.ts'
import { viewOf } from '../../../src/core/wizard/view-of.ts'
import { PANEL_START } from '../../../src/hooks/step-panel.ts'
import { createPrinter } from '../../../src/plain/printer.ts'
import { stepTurn } from '../../../src/plain/step-turn.ts'
import { openAlarms } from '../../../src/watch/keep-alarms.ts'
import { exportedPayment, signedPayment } from '../../support/payments.ts'
import { saidProblem } from '../../support/said.ts'
import { until } from '../../support/two-machines.ts'
import { worldClock } from '../../support/world-clock.ts'
import { worldsOfTests } from '../../support/worlds-of-tests.ts'

/** A session on real money whose node home is nowhere, in a directory of its own. */
function sessionWith(effects: object): Session {
  const directory = mkdtempSync(join(tmpdir(), 'bearings-faults-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return createSession(
    effects as unknown as Effects,
    {
      network: BEPOLIA,
      homePath: '/nowhere',
      endpoints: LOCAL_ENDPOINTS,
      journalDirectory: directory,
      lockDirectories: [],
      outputDirectory: directory,
    },
    openAlarms,
  )
}

/** A clock that fails as no clock should, until it is mended; nobody answers. */
function brokenWorld() {
  let isBroken = true
  const gone = () => new TypeError('the clock is gone')
  const monotonicMs = () => {
    if (isBroken) throw gone()
    return 0
  }
  const clock = { nowMs: () => 0, monotonicMs, sleep: () => new Promise<void>(() => {}) }
  const silent = new Proxy(
    {},
    { get: () => () => (isBroken ? Promise.reject(gone()) : new Promise(() => {})) },
  )
  const effects = { clock, http: silent, files: silent, store: silent, signer: silent, exec: silent }
  const mend = () => {
    isBroken = false
  }
  return { session: sessionWith(effects), mend }
}

test('an error that nobody foresaw is on the screen of its step, with the key that starts it again', async () => {
  const { session, mend } = brokenWorld()
  const told = new Promise<void>((resolve) =>
    session.subscribe((_, event) => {
      if (event.step === 'session' && event.type === 'faulted') resolve()
    }),
  )
  await session.start()
  await told
  const shown = () => viewOf('genesis', session.getState(), session)
  expect(saidProblem(shown().problem)).toMatchObject({
    title: STEP_TEXT.fault.title,
    lines: expect.arrayContaining(['TypeError: the clock is gone']),
    next: expect.arrayContaining(['r starts this step again']),
  })
  const [again] = shown().actions.filter(({ key }) => key === 'r')
  mend()
  const does = Array.isArray(again?.does) ? again.does : []
  for (const event of does) await session.dispatch(event)
  expect(session.getState().faults.genesis).toBeUndefined()
  expect(session.getState().genesis.asking).toBe(true)
})

test('the first step says at once that another window has the key, by its process and what to do', async () => {
  const { session } = brokenWorld()
  const error = errorFacts(
    journalError(
      'journal.held',
      { pubkey: `0x${'a'.repeat(96)}` },
      'Process 7025 holds the lock (/locks/key.lock).',
    ),
  )
  await session.dispatch({ step: 'session', type: 'refused', error })
  for (const step of ['genesis', 'identity'] as const) {
    expect(viewOf(step, session.getState(), session).problem).toMatchObject({
      id: 'journal.held',
      lines: expect.arrayContaining([expect.stringContaining('Process 7025')]),
      next: [...error.nextSteps, STEP_TEXT.verdict.askAgain],
    })
  }
})

test.each(['deposit', 'topup'] as const)(
  'in the step %s an error of what only looks is the error of the step, and none of its payment',
  async (step) => {
    const { session } = brokenWorld()
    const told = new Promise<void>((resolve) =>
      session.subscribe((_, event) => {
        if (event.step === 'session' && event.type === 'faulted') resolve()
      }),
    )
    await session.dispatch({ step, type: 'entered' })
    await told
    expect(session.getState().faults[step]).toMatchObject({ code: 'internal.fault' })
    await session.stop()
  },
)

const GOES_ON = 'The payment is still looked for on the chain.'
const FAULT = errorFacts(new TypeError('the clock is gone'))

function linesOf(over: Partial<State>): readonly string[] {
  const { session } = brokenWorld()
  const state: State = { ...initialState, faults: { genesis: FAULT }, ...over }
  return viewOf('genesis', state, session).problem?.lines ?? []
}

test.each<[string, PaymentState, boolean]>([
  ['nothing was agreed to', initialPayment, false],
  ['the keystore has signed it', signedPayment(), true],
  ['another wallet may sign it', exportedPayment({ signer: 'external' }), true],
  ['what follows it has failed as well', { ...signedPayment(), failure: FAULT }, false],
])(
  'a step that ended by an error says that the payment is followed only where it is: %s',
  (_, deposit, is) => {
    const lines = linesOf({ deposit })
    expect(lines).toContain(STEP_TEXT.fault.stopped)
    expect(lines.filter((line) => line.includes('payment'))).toEqual(is ? [GOES_ON] : [])
  },
)

test.each(STEP_IDS)('lines say once that the step %s ended by an error, and what to do', (step) => {
  const { session } = brokenWorld()
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const printer = createPrinter({ line: say, prompt: say })
  const turnOf = (faults: State['faults']) => {
    const view = viewOf(step, { ...initialState, faults }, session)
    const none = { now: () => view, offerNow: () => undefined, tell: () => {}, quit: () => {} }
    const badge = { kind: 'test', label: 'Bepolia' } as const
    return stepTurn({
      ...none,
      view,
      badge,
      panel: PANEL_START,
      dispatch: async () => true,
      wayBack: undefined,
    })
  }
  for (const seconds of [0, 10, 20]) printer.present(turnOf({}), seconds * 1000)
  const before = said.length
  const faulted = turnOf({ [step]: FAULT })
  for (const seconds of [30, 40, 100, 200]) printer.present(faulted, seconds * 1000)
  const news = said.slice(before)
  for (const line of ['TypeError: the clock is gone', 'next: r starts this step again'])
    expect(news.filter((one) => one === line)).toEqual([line])
  expect(news.filter((one) => one.includes(STEP_TEXT.fault.title))).toHaveLength(1)
})

/** The status step where nobody answers, on a clock that refuses one kind of pause while it is `broken`. */
function statusWorld() {
  const clock = worldClock()
  const world = { broken: false, asked: 0 }
  const refusedMs = BEPOLIA.slotMs
  const effects = {
    clock: {
      ...clock,
      sleep: (delayMs: number, signal?: AbortSignal) =>
        world.broken && delayMs === refusedMs
          ? Promise.reject(new TypeError('the clock is gone'))
          : clock.sleep(delayMs, signal),
    },
    http: {
      request: () =>
        clock.during(async () => {
          world.asked += 1
          throw httpError('http.unreachable', 'http://127.0.0.1', 'ECONNREFUSED')
        }),
    },
    files: { findProgram: async () => undefined },
    random: { bytes: (length: number) => new Uint8Array(length) },
    store: {},
  }
  const session = sessionWith(effects)
  /** How many questions are asked while so many minutes pass. */
  const during = async (minutes: number): Promise<number> => {
    const before = world.asked
    await clock.flow(() => clock.sleep(minutes * 60_000))
    return world.asked - before
  }
  return { session, world, during }
}

const enterStatus = (session: Session) => session.dispatch({ step: 'status', type: 'entered' })

test('with one loop of the status step all end, and coming back begins one set of them, not a second', async () => {
  const sound = statusWorld()
  await enterStatus(sound.session)
  const usual = await sound.during(10)
  expect(usual).toBeGreaterThan(10)
  await sound.session.stop()

  const { session, world, during } = statusWorld()
  world.broken = true
  await enterStatus(session)
  await during(1)
  expect(session.getState().faults.status).toMatchObject({ code: 'internal.fault' })
  expect(await during(10)).toBe(0)
  world.broken = false
  await enterStatus(session)
  expect(await during(10)).toBe(usual)
  await session.stop()
})

const openWorld = worldsOfTests()

test('an error of the second step that nobody foresaw is on the screen, and the open journal stays open', async () => {
  const world = await openWorld()
  await world.clock.flow(async () => {
    let isBroken = false
    const life = world.begin({
      mutate: (effects) => ({
        ...effects,
        files: {
          ...effects.files,
          findProgram: async (name) => {
            if (isBroken) throw new TypeError('the path is gone')
            return effects.files.findProgram(name)
          },
        },
      }),
    })
    const session = await world.session(life)
    await session.start()
    await until(session, ({ journal, identity }) => journal.status === 'open' && !identity.asking)
    isBroken = true
    const over = until(session, ({ faults }) => faults.identity !== undefined)
    await session.dispatch({ step: 'identity', type: 'retried' })
    await Promise.race([over, world.clock.sleep(60_000)])
    expect(session.getState().journal.status).toBe('open')
    const { problem, actions, verdict, done } = viewOf('identity', session.getState(), session)
    // What was good before says nothing of what is not asked any more.
    expect([verdict, done, actions.some(({ key }) => key === 'return')]).toEqual([undefined, false, false])
    expect(problem).toMatchObject({
      title: STEP_TEXT.fault.title,
      lines: expect.arrayContaining(['TypeError: the path is gone']),
    })
    isBroken = false
    const [again] = actions.filter(({ key }) => key === 'r')
    expect(again?.key).toBe('r')
    for (const event of Array.isArray(again?.does) ? again.does : []) await session.dispatch(event)
    await until(session, ({ identity }) => !identity.asking)
    expect(session.getState().faults.identity).toBeUndefined()
    await session.stop()
  })
})
