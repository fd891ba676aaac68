import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Clock } from '../core/effects/effects.ts'
import { expandHome } from '../core/effects/node-file-fault.ts'
import { makeDirectory } from '../core/effects/node-files.ts'
import { devnetRefused, portUnavailable } from '../core/errors/devnet.ts'
import { safeText } from '../core/format/text.ts'
import { readScenarioName } from '../core/network/scenario-names.ts'
import { type Devnet, type DevnetInput, startDevnet } from '../devnet/devnet.ts'
import { tellFailure } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { CommandIo } from './io.ts'
import { readArguments } from './read-arguments.ts'
import { readSlotMs, scenarioLines } from './rehearsal-options.ts'

const DEVNET_HELP = `bearings devnet [--port-base N] [--scenario NAME] [--seed TEXT] [--slot-ms N]
                [--genesis-time N] [--directory DIR] [--idle-minutes N]
                [--genesis FILE --spec FILE]

Only the rehearsal network, on 127.0.0.1: execution RPC on N, node API on N+1,
engine RPC on N+2 (free ports without --port-base). One JSON line on stdout when
it is ready, then it serves until SIGTERM. Scenarios:
${scenarioLines(2)}
The same seed and genesis time give the same network. With --genesis and --spec
it starts from those files. --slot-ms is the time between two blocks, from 50 to
600000. --idle-minutes ends it after that time without a request. --json changes
nothing but errors: the one line is JSON. Ends with 2 for wrong use, with 3 when
the execution client fails.`

export type RunDevnetInput = {
  argv: readonly string[]
  effects: { clock: Clock }
  io: CommandIo
  /** Where a network without --directory gets a folder for as long as it runs. */
  stateDirectory: string
}

const OPTIONS = [
  'port-base',
  'scenario',
  'seed',
  'slot-ms',
  'genesis-time',
  'directory',
  'idle-minutes',
  'genesis',
  'spec',
]

type Options = Omit<DevnetInput, 'directory' | 'clock'> & { directory?: string; idleMinutes?: number }

/** The command `devnet`: a rehearsal network in the foreground. Resolves to the exit code; does not throw. */
export async function runDevnet(input: RunDevnetInput): Promise<ExitCode> {
  const { argv, io, stateDirectory } = input
  const { clock } = input.effects
  let folder: { directory: string; leave(): Promise<void> } | undefined
  try {
    const options = await readOptions(argv)
    if (options === 'help') {
      io.out(DEVNET_HELP)
      return EXIT.done
    }
    const { directory, idleMinutes, ...network } = options
    folder = await openFolder(directory, stateDirectory)
    const running = await startDevnet({ ...network, directory: folder.directory, clock, signal: io.signal })
    io.out(JSON.stringify(running.descriptor))
    return await serve(running, {
      io,
      clock,
      ...(idleMinutes === undefined ? {} : { idleMinutes }),
    })
  } catch (error) {
    if (io.signal.aborted) return EXIT.stopped
    return tellFailure(inWords(error), { io, json: argv.includes('--json'), command: 'devnet' })
  } finally {
    await folder?.leave()
  }
}

async function readOptions(argv: readonly string[]): Promise<Options | 'help'> {
  const accepted = { command: 'devnet', options: OPTIONS, flags: ['json', 'help'], mostPositionals: 0 }
  const { options: values, flags } = readArguments(argv, accepted)
  if (flags.has('help')) return 'help'
  const portBase = number(values, 'port-base', { least: 1, most: 65533 })
  const slotMs = values['slot-ms'] === undefined ? undefined : readSlotMs(values['slot-ms'])
  const genesisTimeSeconds = number(values, 'genesis-time', { least: 0, most: 4_000_000_000 })
  const idleMinutes = number(values, 'idle-minutes', { least: 1, most: 100_000 })
  const files = await readFiles(values)
  return {
    ...(portBase === undefined
      ? {}
      : { ports: { execution: portBase, node: portBase + 1, engine: portBase + 2 } }),
    ...(values.scenario === undefined ? {} : { scenario: readScenarioName(values.scenario) }),
    ...(values.seed === undefined ? {} : { seed: values.seed }),
    ...(values.directory === undefined ? {} : { directory: resolve(expandHome(values.directory)) }),
    ...(slotMs === undefined ? {} : { slotMs }),
    ...(genesisTimeSeconds === undefined ? {} : { genesisTimeSeconds }),
    ...(idleMinutes === undefined ? {} : { idleMinutes }),
    ...(files === undefined ? {} : { files }),
  }
}

function number(
  values: Readonly<Record<string, unknown>>,
  name: string,
  range: { least: number; most: number },
): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  const value = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= range.least && value <= range.most) return value
  const expected = `a whole number from ${range.least} to ${range.most}`
  throw devnetRefused(`--${name} takes ${expected}.`, [`found: ${safeText(text, 40)}`])
}

async function readFiles(
  values: Readonly<Record<string, string | undefined>>,
): Promise<DevnetInput['files']> {
  const { genesis, spec } = values
  if (genesis === undefined && spec === undefined) return undefined
  if (genesis === undefined || spec === undefined) throw devnetRefused('--genesis and --spec go together.')
  return { genesisJson: await readText(genesis), specToml: await readText(spec) }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(expandHome(path), 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw devnetRefused(`The file ${safeText(path)} cannot be read.`, [`reason: ${safeText(reason, 40)}`])
  }
}

/** A folder that was asked for stays; one of our own goes away with the network. */
async function openFolder(asked: string | undefined, stateDirectory: string) {
  await makeDirectory(asked ?? stateDirectory)
  if (asked !== undefined) return { directory: asked, leave: async () => undefined }
  const directory = await mkdtemp(join(stateDirectory, 'devnet-'))
  return { directory, leave: () => rm(directory, { recursive: true, force: true }) }
}

const IDLE_CHECKS_PER_MINUTE = 12
const DEATH_IS_KNOWN_MS = 1000

async function serve(
  network: Devnet,
  given: { io: CommandIo; clock: Clock; idleMinutes?: number },
): Promise<ExitCode> {
  const ended = new AbortController()
  const signal = AbortSignal.any([given.io.signal, ended.signal])
  try {
    return await Promise.race([
      network.run(signal).then(
        () => EXIT.done,
        (error: unknown) => failedSlot(network, { clock: given.clock, signal }, error),
      ),
      network.died.then((reason) => {
        throw reason
      }),
      untilIdle(network, { ...given, signal }),
    ])
  } finally {
    ended.abort()
    await network.stop()
  }
}

/** A slot that failed because the client is gone is explained by how the client ended. */
async function failedSlot(
  network: Devnet,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  error: unknown,
): Promise<never> {
  throw await Promise.race([network.died, clock.sleep(DEATH_IS_KNOWN_MS, signal).then(() => error)])
}

async function untilIdle(
  network: Devnet,
  given: { io: CommandIo; clock: Clock; signal: AbortSignal; idleMinutes?: number },
): Promise<ExitCode> {
  const { idleMinutes = Number.POSITIVE_INFINITY, signal } = given
  let seen = network.requestCount()
  let quietChecks = 0
  while (!signal.aborted && quietChecks < idleMinutes * IDLE_CHECKS_PER_MINUTE) {
    await given.clock.sleep(60_000 / IDLE_CHECKS_PER_MINUTE, signal).catch(() => undefined)
    const now = network.requestCount()
    quietChecks = now === seen ? quietChecks + 1 : 0
    seen = now
  }
  if (!signal.aborted)
    given.io.err(`Nobody asked anything for ${idleMinutes} min: the rehearsal network ends.`)
  return EXIT.done
}

/** A port that the execution front could not open, told as that of any other endpoint. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'port' in error)) return error
  return error.syscall === 'listen' ? portUnavailable(Number(error.port), error) : error
}
