import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readForger, readScenarioName } from '../compose/network-choice.ts'
import type { Clock } from '../core/base/effects/effects.ts'
import { absolutePath, expandHome } from '../core/base/effects/node-file-fault.ts'
import { makeDirectory } from '../core/base/effects/node-files.ts'
import { onceSettled } from '../core/base/errors/base.ts'
import { rehearsalError } from '../core/base/errors/rehearsal.ts'
import { decodeText } from '../core/base/format/file-text.ts'
import { safeText } from '../core/base/format/text.ts'
import { type Devnet, type DevnetInput, startDevnet } from '../devnet/devnet.ts'
import { type CommandIo, EXIT, type ExitCode } from '../output/io.ts'
import { type Call, commandOf } from './command.ts'
import type { DevnetFields } from './documents/devnet.ts'
import { tellDocument } from './tell-document.ts'

/** The command `devnet`: a rehearsal network in the foreground. */
export const devnet = commandOf('devnet', run, { stopsItself: true })

async function run(call: Call): Promise<ExitCode> {
  const { io } = call
  const { clock } = call.effects
  let folder: { directory: string; leave(): Promise<void> } | undefined
  try {
    const network = await networkOf(call)
    const { directory } = call.options
    folder = await openFolder(directory && absolutePath(directory), call.stateDirectory)
    const running = await startDevnet({ ...network, directory: folder.directory, clock, signal: io.signal })
    const none = { second: null, foreign: null, pools: null, story: null, control: null }
    const fields = { ...none, ...running.descriptor }
    tellDocument<DevnetFields>('devnet', { network: 'rehearsal', verdict: 'yes', fields }, call)
    const idleMinutes = call.options['idle-minutes']
    return await serve(running, { io, clock, ...(idleMinutes && { idleMinutes: Number(idleMinutes) }) })
  } finally {
    await folder?.leave()
  }
}

type Network = Omit<DevnetInput, 'directory' | 'clock'>

/** The network that the options describe. Throws `devnet.refused`. */
async function networkOf({ options, flags }: Call): Promise<Network> {
  const { scenario, seed, 'port-base': portBase, 'slot-ms': slotMs, 'genesis-time': genesisTime } = options
  const { 'fork-in': forkIn, forger } = options
  const files = await readFiles(options)
  const port = Number(portBase)
  return {
    ...(portBase === undefined ? {} : { ports: { execution: port, node: port + 1, engine: port + 2 } }),
    ...(scenario === undefined ? {} : { scenario: readScenarioName(scenario) }),
    ...(seed === undefined ? {} : { seed }),
    ...(slotMs === undefined ? {} : { slotMs: Number(slotMs) }),
    ...(genesisTime === undefined ? {} : { genesisTimeSeconds: Number(genesisTime) }),
    ...(forkIn === undefined ? {} : { forkInSeconds: Number(forkIn) }),
    ...(forger === undefined ? {} : { forger: readForger(forger) }),
    ...(flags.has('second-node') ? { secondNode: true } : {}),
    ...(flags.has('foreign-node') ? { foreignNode: true } : {}),
    ...(files === undefined ? {} : { files }),
  }
}

async function readFiles(
  values: Readonly<Record<string, string | undefined>>,
): Promise<DevnetInput['files']> {
  const { genesis, spec } = values
  if (genesis === undefined && spec === undefined) return undefined
  if (genesis === undefined || spec === undefined)
    throw rehearsalError('devnet.refused', '--genesis and --spec go together.')
  return { genesisJson: await readText(genesis), specToml: await readText(spec) }
}

async function readText(path: string): Promise<string> {
  try {
    return decodeText(await readFile(expandHome(path)))
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw rehearsalError('devnet.refused', `The file ${safeText(path)} cannot be read.`, [
      `reason: ${safeText(reason, 40)}`,
    ])
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
  let shown = network.requestCount()
  let quietChecks = 0
  while (!signal.aborted && quietChecks < idleMinutes * IDLE_CHECKS_PER_MINUTE) {
    await onceSettled(given.clock.sleep(60_000 / IDLE_CHECKS_PER_MINUTE, signal))
    const now = network.requestCount()
    quietChecks = now === shown ? quietChecks + 1 : 0
    shown = now
  }
  if (!signal.aborted)
    given.io.err(`Nobody asked anything for ${idleMinutes} min: the rehearsal network ends.`)
  return EXIT.done
}
