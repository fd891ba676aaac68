import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { attachRehearsal, rehearsalAnswers } from '../compose/attach-rehearsal.ts'
import { nextDecision } from '../compose/autopilot.ts'
import { factLine, plainAscii, viewOf } from '../compose/fact-lines.ts'
import { rehearsalFolders, startRehearsal } from '../compose/start-rehearsal.ts'
import type { Effects } from '../core/effects/effects.ts'
import { BaseError } from '../core/errors/base.ts'
import { createSession, type Session } from '../core/session.ts'
import type { StepId, StepView } from '../core/steps/view.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { CommandIo } from './io.ts'

const REHEARSE_HELP = `bearings rehearse [--devnet FILE_OR_JSON] [--state DIR] [--scenario NAME] [--seed N] [--slot-ms N] [--json]

All seven steps without questions, on a rehearsal network only. Starts one unless --devnet names one.
Safe to kill and run again with the same --state. Ends with 0 when the validator is active,
1 when a check says no, 3 when something could not be found out.`

export type RehearseInput = {
  argv: readonly string[]
  effects: Effects
  io: CommandIo
  stateDirectory: string
}

/** The command `rehearse`. Throws a `BaseError` for wrong use; the exit code says the rest. */
export async function rehearse({ argv, effects, io, stateDirectory }: RehearseInput): Promise<ExitCode> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      devnet: { type: 'string' },
      state: { type: 'string' },
      scenario: { type: 'string' },
      seed: { type: 'string' },
      'slot-ms': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    io.out(REHEARSE_HELP)
    return EXIT.done
  }
  const state = resolve(values.state ?? stateDirectory)
  const found =
    values.devnet === undefined
      ? await ownNetwork(effects, io, {
          directory: join(state, 'rehearsal'),
          ...(values.scenario === undefined ? {} : { scenario: values.scenario }),
          seed: values.seed ?? randomUUID(),
          ...(values['slot-ms'] === undefined ? {} : { slotMs: wholeNumber('--slot-ms', values['slot-ms']) }),
        })
      : await givenNetwork(effects, state, values.devnet)
  const setup = await attachRehearsal(effects, { ...found, outputDirectory: state })
  const session = createSession(effects, setup)
  try {
    const code = await drive(session, io, { json: values.json })
    if (code === EXIT.done && found.pid !== undefined) process.kill(found.pid, 'SIGTERM')
    return code
  } finally {
    await session.stop()
  }
}

type Found = { descriptorPath: string; journalDirectory: string; pid?: number }

async function ownNetwork(
  effects: Effects,
  io: CommandIo,
  options: Parameters<typeof startRehearsal>[0],
): Promise<Found> {
  const last = rehearsalFolders(options.directory).at(-1)
  if (last !== undefined && (await rehearsalAnswers(effects, join(last, 'descriptor.json')))) {
    io.err(`going on with the rehearsal network in ${last}`)
    return foundIn(last)
  }
  io.err('starting a rehearsal network')
  const { folder, pid } = await startRehearsal({ ...options, signal: io.signal })
  return { ...foundIn(folder), pid }
}

const foundIn = (folder: string): Found => ({
  descriptorPath: join(folder, 'descriptor.json'),
  journalDirectory: join(folder, 'journal'),
})

async function givenNetwork(effects: Effects, state: string, devnet: string): Promise<Found> {
  const journalDirectory = join(state, 'journal')
  if (!devnet.trimStart().startsWith('{')) return { descriptorPath: resolve(devnet), journalDirectory }
  const descriptorPath = join(state, 'descriptor.json')
  await effects.store.writeText(descriptorPath, `${devnet.trim()}\n`, { replace: true })
  return { descriptorPath, journalDirectory }
}

/** Reads a whole number from the command line. Throws `usage.number`. */
function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new BaseError('usage.number', `${option} takes a whole number, not "${text}".`)
}

const ROUNDS_BEFORE_UNKNOWN = 10

/** Lets the autopilot decide until the validator is active, a check says no, or something stays unknown. */
async function drive(session: Session, io: CommandIo, options: { json: boolean }): Promise<ExitCode> {
  const told = new Set<string>()
  const tell = (step: StepId, view: StepView) => {
    for (const row of [...view.facts, ...view.checks]) {
      if (row.mark !== 'proven' && row.mark !== 'refused') continue
      const line = options.json
        ? JSON.stringify({
            step,
            id: row.id,
            mark: row.mark,
            label: row.label,
            value: row.value,
            long: row.long,
            source: row.source,
          })
        : factLine(step, row)
      if (told.has(`${step}.${row.id}.${row.value}`)) continue
      told.add(`${step}.${row.id}.${row.value}`)
      io.out(line)
    }
  }
  let code: ExitCode | undefined
  let unknownRounds = 0
  const { promise, resolve: wake } = Promise.withResolvers<void>()
  const stop = () => wake()
  io.signal.addEventListener('abort', stop, { once: true })
  const pump = async (): Promise<void> => {
    const state = session.getState()
    const view = viewOf(state.step, state, session)
    if (view.done || view.problem !== undefined) tell(state.step, view)
    if (state.step === 'status' && view.done) {
      code = EXIT.done
      return wake()
    }
    if (view.problem !== undefined) {
      const failed = [...view.facts, ...view.checks].some((row) => row.mark === 'unknown')
      for (const line of problemLines(view)) io.err(line)
      code = failed ? EXIT.unknown : EXIT.no
      return wake()
    }
    const decision = nextDecision(session)
    if (decision !== undefined) await session.dispatch(decision)
  }
  let queue = Promise.resolve()
  session.subscribe(() => {
    queue = queue.then(() => (code === undefined && !io.signal.aborted ? pump() : undefined))
  })
  const retry = async (): Promise<void> => {
    while (code === undefined && !io.signal.aborted) {
      await session.clock.sleep(Math.max(1000, session.setup.network.slotMs), io.signal)
      unknownRounds = (await askAgain(session)) ? unknownRounds + 1 : 0
      if (unknownRounds < ROUNDS_BEFORE_UNKNOWN) continue
      code = EXIT.unknown
      tellUnknown(session, io)
      wake()
    }
  }
  await session.start()
  const retrying = retry().catch(() => undefined)
  await promise
  io.signal.removeEventListener('abort', stop)
  void retrying
  await queue
  if (code === EXIT.done) io.out(plainAscii('status    ok  active: the validator is in the engine’s set'))
  return code ?? EXIT.stopped
}

/** Asks a checking step anew when it has answered everything and something stayed unknown. */
async function askAgain(session: Session): Promise<boolean> {
  const state = session.getState()
  const { step } = state
  const view = viewOf(step, state, session)
  const settled = ![...view.facts, ...view.checks].some((row) => row.mark === 'asking')
  const unknown = [...view.facts, ...view.checks].some((row) => row.mark === 'unknown')
  if (!settled || !unknown || view.done) return false
  if (step === 'genesis' || step === 'identity' || step === 'sign')
    await session.dispatch({ step, type: 'retried' })
  if (step === 'deposit' || step === 'topup') await session.dispatch({ step, type: 'checkAsked' })
  return true
}

function tellUnknown(session: Session, io: CommandIo): void {
  const state = session.getState()
  const view = viewOf(state.step, state, session)
  for (const row of [...view.facts, ...view.checks]) {
    if (row.mark === 'unknown') io.err(factLine(state.step, row))
  }
}

function problemLines({ step, problem }: StepView): string[] {
  if (problem === undefined) return []
  const values = problem.values.map(({ label, value }) => `${label}: ${value}`)
  const next = problem.next.map((text) => `next: ${text}`)
  return [`${step}: ${problem.title} (money ${problem.money})`, ...values, ...problem.lines, ...next].map(
    plainAscii,
  )
}
