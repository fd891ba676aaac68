import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { attachRehearsal, rehearsalAnswers } from '../compose/attach-rehearsal.ts'
import { driveRehearsal } from '../compose/drive-rehearsal.ts'
import { IDLE_MINUTES, rehearsalFolders, startRehearsal } from '../compose/start-rehearsal.ts'
import type { Effects } from '../core/effects/effects.ts'
import { expandHome } from '../core/effects/expand-home.ts'
import { claimDirectory } from '../core/effects/node-claim.ts'
import { BaseError } from '../core/errors/base.ts'
import { createSession } from '../core/session.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { CommandIo } from './io.ts'

const REHEARSE_HELP = `bearings rehearse [--devnet FILE_OR_JSON] [--state DIR] [--scenario NAME] [--seed N] [--slot-ms N] [--json]

All seven steps without questions, on a rehearsal network only. Starts one unless --devnet names one, or one that was
started below the same --state still runs; only one that this call started is ended when the validator is active.
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
  const state = resolve(expandHome(values.state ?? stateDirectory))
  await claimDirectory(state, io.err)
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
    const code = await driveRehearsal(session, io, { json: values.json })
    leaveNetwork(found, code, io)
    return code
  } finally {
    await session.stop()
  }
}

/** `folder` is that of a network of our own kind, `pid` is there when this very call started it. */
type Found = { descriptorPath: string; journalDirectory: string; folder?: string; pid?: number }

/** Ends the network that this call started, once nothing is left to look at. Any other is left alone, and that is said. */
function leaveNetwork({ folder, pid }: Found, code: ExitCode, io: CommandIo): void {
  if (folder === undefined) return
  if (code === EXIT.done && pid !== undefined) {
    process.kill(pid, 'SIGTERM')
    return
  }
  const why = pid === undefined ? 'was running before and is left alone' : 'is left running'
  io.err(`the rehearsal network in ${folder} ${why}; ${IDLE_MINUTES} minutes without a question end it`)
}

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
  folder,
  descriptorPath: join(folder, 'descriptor.json'),
  journalDirectory: join(folder, 'journal'),
})

async function givenNetwork(effects: Effects, state: string, devnet: string): Promise<Found> {
  const journalDirectory = join(state, 'journal')
  if (!devnet.trimStart().startsWith('{'))
    return { descriptorPath: resolve(expandHome(devnet)), journalDirectory }
  const descriptorPath = join(state, 'descriptor.json')
  await effects.store.writeText(descriptorPath, `${devnet.trim()}\n`, { replace: true })
  return { descriptorPath, journalDirectory }
}

/** Reads a whole number from the command line. Throws `usage.number`. */
function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new BaseError('usage.number', `${option} takes a whole number, not "${text}".`)
}
