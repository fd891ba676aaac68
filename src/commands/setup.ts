import { dirname, join, resolve } from 'node:path'
import { networkChoice, refuseHalf } from '../compose/network-choice.ts'
import type { NetworkSettings } from '../compose/settings.ts'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import { programError } from '../core/base/errors/base.ts'
import { endpointFault } from '../core/base/format/endpoint-url.ts'
import { isHex } from '../core/base/format/hex.ts'
import { PROGRAM_NAME, safeText } from '../core/base/format/text.ts'
import type { NodeSetup, OwnProgram, Setup } from '../core/chain/facts.ts'
import type { Endpoints, Network } from '../core/chain/network/network.ts'
import { BERACHAIN_NAMES } from '../core/chain/network/presets.ts'
import { type CommandContext, observe } from '../core/observe/context.ts'
import type { Observation } from '../core/view/observation.ts'
import { namedNetwork, networkOfHome } from './choose-network.ts'
import { type Call, pathOf } from './command.ts'
import { addresses } from './read-arguments.ts'

const ENDPOINTS = [
  ['execution', 'execution'],
  ['second-execution', 'secondExecution'],
  ['node', 'node'],
  ['engine', 'engine'],
] as const satisfies readonly (readonly [string, keyof Endpoints])[]

/**
 * What a command looks at: network, home and endpoints from the options that all commands share. `fallback` is the
 * network when nothing names one. Throws `usage.*`, a `network.*` error, or a `file.*` error.
 */
export async function setupOf(call: Call, options: { fallback?: Network } = {}): Promise<NodeSetup> {
  const given = givenEndpoints(call)
  const home = call.options.home === undefined ? undefined : pathOf(call.options.home, call.environment)
  const rehearsal = await rehearsalOf(call)
  if (rehearsal !== undefined) {
    const endpoints = { ...rehearsal.endpoints, ...given }
    return {
      ...rehearsal,
      endpoints,
      ...(home === undefined ? {} : { homePath: home }),
      own: ownOf(call, rehearsal.network),
    }
  }
  const network = (await networkOfOptions(call)) ?? options.fallback
  if (network === undefined) throw programError('usage.no-network')
  const { defaultHome, endpointsOfHome } = await import('../compose/endpoints-of-home.ts')
  const saved = await settingsOf(call, network)
  const homePath = home ?? pathOf(saved.homePath ?? defaultHome(network, call.environment), call.environment)
  const remembered = home === undefined || home === saved.homePath ? saved : {}
  const endpoints = {
    ...network.defaultEndpoints,
    ...(await endpointsOfHome(call.effects, { network, homePath })),
    ...endpointsIn(remembered),
    ...given,
  }
  const { executionGenesisHash } = saved
  return {
    network,
    homePath,
    endpoints,
    journalDirectory: join(stateOf(call), network.id),
    lockDirectories: [],
    outputDirectory: resolve('.'),
    own: ownOf(call, network),
    ...(isHex(executionGenesisHash, 32) ? { executionGenesisHash } : {}),
  }
}

const NAMING = ['network', 'devnet', 'spec', 'genesis', 'home', 'state'] as const

/** The same program about the same thing: with the options that named it. */
function ownOf(call: Call, network: Network): OwnProgram {
  const { options } = call
  const names = [...NAMING, ...ENDPOINTS.map(([name]) => name)]
  const given = names.flatMap((name) => {
    const text = options[name]
    return text === undefined ? [] : [`--${name}`, text]
  })
  return { program: [PROGRAM_NAME], options: given, wizard: wizardOptionsOf(call, network) }
}

/**
 * The options with which the wizard comes to what a command looks at. A message may be read where the locale and the
 * directory are other ones.
 */
export function wizardOptionsOf(
  { options }: Pick<Call, 'options'>,
  network: Pick<Network, 'id'>,
): readonly string[] {
  const named = ['network', 'spec', 'genesis', 'devnet', 'state', 'lang'] as const
  const given = named.flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [`--${name}`, namesFile(name, options) ? absolutePath(value) : value]
  })
  const isDescriptor = options.devnet?.trimStart().startsWith('{') === true
  const shown = isDescriptor
    ? given.filter((_, at) => at !== given.indexOf('--devnet') && at !== given.indexOf('--devnet') + 1)
    : given
  return options.network === undefined && options.spec === undefined && options.devnet === undefined
    ? ['--network', network.id, ...shown]
    : shown
}

function namesFile(name: string, options: Call['options']): boolean {
  if (name === 'network') return networkChoice(options)?.kind === 'file'
  return name !== 'lang' && !(name === 'devnet' && options.devnet?.trimStart().startsWith('{') === true)
}

/** Returns the network that the options name, or undefined when none does. Throws as `setupOf`. */
export async function networkOfOptions(call: Call): Promise<Network | undefined> {
  const { network, spec, genesis, home } = call.options
  const path = (text: string) => pathOf(text, call.environment)
  if (network !== undefined) return namedNetwork(call.effects, network, path(network))
  refuseHalf({ spec, genesis })
  if (spec !== undefined && genesis !== undefined) {
    const { networkOfFiles } = await import('../compose/attach-rehearsal.ts')
    return networkOfFiles(call.effects, { spec: path(spec), genesis: path(genesis) })
  }
  const { defaultHome } = await import('../compose/endpoints-of-home.ts')
  const folder = path(home ?? defaultHome({ names: BERACHAIN_NAMES }, call.environment))
  return networkOfHome(call.effects, folder)
}

/** Whether an option, or the chain id in the home, says which network this is about. Throws as `setupOf`. */
export async function isNetworkNamed(call: Call): Promise<boolean> {
  const { devnet, network } = call.options
  return devnet !== undefined || network === 'rehearsal' || (await networkOfOptions(call)) !== undefined
}

async function rehearsalOf(call: Call): Promise<NodeSetup | undefined> {
  const { devnet, network } = call.options
  if (devnet === undefined && network !== 'rehearsal') return undefined
  const { lastRehearsal, rehearsalSetup } = await import('../compose/attach-rehearsal.ts')
  const state = stateOf(call)
  if (devnet !== undefined)
    return rehearsalSetup(call.effects, devnet, {
      journalDirectory: join(state, 'journal'),
      outputDirectory: state,
    })
  const last = lastRehearsal(state)
  const journalDirectory = join(dirname(last), 'journal')
  return rehearsalSetup(call.effects, last, { journalDirectory, outputDirectory: state })
}

function givenEndpoints({ options }: Call): Partial<Endpoints> {
  const given: Partial<Endpoints> = {}
  for (const [option, key] of ENDPOINTS) {
    const text = options[option]
    if (text !== undefined && key !== 'engine') given[key] = text
  }
  if (options.engine === undefined) return given
  const [engine = '', ...otherEngines] = addresses(options.engine)
  return { ...given, engine, ...(otherEngines.length === 0 ? {} : { otherEngines }) }
}

function stateOf(call: Call): string {
  return pathOf(call.options.state ?? call.stateDirectory, call.environment)
}

async function settingsOf(call: Call, network: Network): Promise<NetworkSettings> {
  const directory = stateOf(call)
  if ((await call.effects.files.facts(join(directory, 'settings.json'))) === undefined) return {}
  const { openSettings } = await import('../compose/settings.ts')
  return openSettings(directory).of(network.id)
}

/** Returns the endpoints of a network that were set up before. Throws as `setupOf`. */
export async function savedEndpoints(call: Call, network: Network): Promise<Partial<Endpoints>> {
  return endpointsIn(await settingsOf(call, network))
}

function endpointsIn(saved: NetworkSettings): Partial<Endpoints> {
  const found: Partial<Endpoints> = {}
  for (const [, key] of ENDPOINTS) {
    const text = saved[key]
    if (text !== undefined && endpointFault(text) === undefined) found[key] = text
  }
  return found
}

/**
 * Refuses to look for a key in a home that is not there at all. `instead` is what the command takes in its place.
 * Throws `usage.no-home`.
 */
export async function requireHome(
  { effects }: Pick<Call, 'effects'>,
  { homePath }: NodeSetup,
  instead: string,
): Promise<void> {
  if ((await effects.files.facts(homePath)) !== undefined) return
  throw programError('usage.no-home', safeText(homePath, 500), [
    'Give the directory that the node runs with: --home DIR.',
    ...(instead === '' ? [] : [instead]),
  ])
}

/**
 * Returns a context in which a step may ask but nothing is recorded, locked or opened: each event goes to `apply`. Commands
 * that ask the questions of a step use it.
 */
export function readOnlyContext<Event>(
  call: Pick<Call, 'effects' | 'io'>,
  setup: Setup,
  apply: (event: Event) => void,
): CommandContext<Event> {
  return {
    effects: call.effects,
    setup,
    offers: new Map(),
    signal: call.io.signal,
    facts: () => ({}),
    dispatch: async (event) => apply(event),
    openJournal: async () => undefined,
    lock: async () => 'Nothing is locked by a command that only looks.',
  }
}

/** Asks one question once, and returns what came of it. */
export async function answerTo<T>(
  { effects, io }: Pick<Call, 'effects' | 'io'>,
  source: string,
  ask: () => Promise<T>,
): Promise<Observation<T>> {
  let last: Observation<T> = { status: 'unasked' }
  await observe({ effects, signal: io.signal }, source, ask, async (observation) => {
    last = observation
  })
  return last
}
