import type { Effects } from '../core/base/effects/effects.ts'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import { badUsage, programError } from '../core/base/errors/base.ts'
import { rehearsalError } from '../core/base/errors/rehearsal.ts'
import { invisibleFault } from '../core/base/format/drawable.ts'
import { endpointFault, isSameServer } from '../core/base/format/endpoint-url.ts'
import { readText } from '../core/base/format/file-text.ts'
import { ungroupHex } from '../core/base/format/hex.ts'
import { nearWord } from '../core/base/format/near-word.ts'
import { command, parts } from '../core/base/format/next.ts'
import { safeText, secretFault } from '../core/base/format/text.ts'
import type { Network } from '../core/chain/network/network.ts'
import { BEPOLIA, LOCAL_ENDPOINTS, MAINNET } from '../core/chain/network/presets.ts'
import {
  FORGERS,
  type Forger,
  SCENARIO_NAMES,
  type ScenarioName,
} from '../core/chain/network/scenario-names.ts'
import type { FormChoice, NetworkChoice } from '../core/wizard/launch/choice.ts'

type Options = { [name in 'network' | 'spec' | 'genesis' | 'devnet' | 'scenario']?: string | undefined } & {
  /** A registered validator: its public key or index. */
  validator?: string | undefined
}

/**
 * The network that the wizard's options name; undefined when they leave the choice to the screen. Throws `usage.option`,
 * or `devnet.refused` with the scenarios there are.
 */
export function networkChoice({ validator, ...options }: Options): NetworkChoice | undefined {
  const fault = validator === undefined ? undefined : validatorTextFault(validator)
  if (fault !== undefined)
    throw badUsage({
      sentence: `--validator: ${fault}`,
      next: 'Give --validator PUBLIC_KEY or --validator INDEX.',
    })
  const choice = namedNetwork(options)
  if (validator !== undefined) return choice && { ...choice, validator }
  // Its addresses are typed, but where its validator is adopted.
  const isAsOnMainnet = choice?.kind === 'rehearsal' && choice.scenario === 'as-on-mainnet'
  return isAsOnMainnet ? { kind: 'as-on-mainnet', which: 'last' } : choice
}

function namedNetwork({
  network,
  spec,
  genesis,
  devnet,
  scenario,
}: Omit<Options, 'validator'>): NetworkChoice | undefined {
  refuseHalf({ spec, genesis })
  if (scenario !== undefined) return withScenario(scenario, network ?? devnet ?? spec ?? 'rehearsal')
  if (devnet !== undefined) {
    if (network === undefined && spec === undefined)
      return { kind: 'rehearsal', which: { descriptor: devnet } }
    const next = 'Leave --network, --spec and --genesis out: the descriptor names the network.'
    throw badUsage({ sentence: '--devnet names a rehearsal network that runs.', next })
  }
  if (spec !== undefined && genesis !== undefined) {
    if (network === undefined) return { kind: 'files', spec, genesis }
    const next = 'Give either --network, or --spec with --genesis.'
    throw badUsage({ sentence: '--network and --spec each name a network.', next })
  }
  switch (network) {
    case undefined:
      return undefined
    case 'mainnet':
    case 'bepolia':
    case 'rehearsal':
      return { kind: 'network', id: network }
    default:
      return { kind: 'file', path: network }
  }
}

function withScenario(scenario: string, network: string): NetworkChoice {
  if (network === 'rehearsal')
    return { kind: 'rehearsal', which: 'last', scenario: readScenarioName(scenario) }
  const next = parts`Leave out what names another network, or give --scenario to ${command('devnet')}.`
  throw badUsage({ sentence: '--scenario is for a rehearsal network that is started here.', next })
}

/** Refuses one of two options that only mean something together. Throws `usage.option`. */
export function refuseHalf(options: { spec: string | undefined; genesis: string | undefined }): void {
  if ((options.spec === undefined) === (options.genesis === undefined)) return
  throw badUsage({
    sentence: '--spec and --genesis go together.',
    next: "Give the node's own spec.toml and genesis.json, or a network file with --network.",
  })
}

/** Names of networks as people type them, and the name that is taken. */
const NETWORKS: Readonly<Record<string, string>> = {
  mainnet: 'mainnet',
  bepolia: 'bepolia',
  rehearsal: 'rehearsal',
  berachain: 'mainnet',
  testnet: 'bepolia',
  devnet: 'rehearsal',
}

/** Returns the network that a mistyped name most likely means; undefined for what looks like a path. */
export function nearNetwork(text: string): string | undefined {
  if (/[/\\.]/.test(text)) return undefined
  const near = nearWord(text, Object.keys(NETWORKS))
  return near === undefined ? undefined : NETWORKS[near]
}

/** Returns the network of a choice. Throws `usage.no-such-network`, a `network.*` error or a `file.*` error. */
export async function networkOfChoice(effects: Pick<Effects, 'files'>, choice: FormChoice): Promise<Network> {
  if (choice.kind === 'network') return choice.id === 'mainnet' ? MAINNET : BEPOLIA
  if (choice.kind === 'as-on-mainnet') throw unknownNetwork(choice.kind)
  if (choice.kind === 'files') {
    const { networkOfFiles } = await import('./attach-rehearsal.ts')
    return networkOfFiles(effects, { spec: absolutePath(choice.spec), genesis: absolutePath(choice.genesis) })
  }
  const { readNetworkFile } = await import('../core/chain/network/network-file.ts')
  const path = absolutePath(choice.path)
  if ((await effects.files.facts(path)) === undefined) throw unknownNetwork(choice.path)
  return readNetworkFile(await readText(effects, path, 1024 * 1024))
}

/** Returns the error for a name that is neither a network nor a file. A name that may be a secret is not repeated in it. */
export function unknownNetwork(name: string): Error {
  const sentence = secretFault(name)
  if (sentence === undefined)
    return programError('usage.no-such-network', safeText(name, 120), nearNetwork(name))
  return badUsage({ sentence, next: 'Give a network by its name, or by the path of its file.' })
}

/** Commands that are given hashes, which have the size of a private key. */
const TAKE_HASHES: readonly string[] = ['verify', 'api']
/** A seed is any text; the others are judged with their own values, and are not repeated there either. */
const JUDGED_ELSEWHERE = /^--(?:seed|validator|network)(?:=|$)/

/** Throws `usage.option` where a word of a line may be a secret, and does not repeat that word. */
export function refuseSecrets(argv: readonly string[], command: string): void {
  if (TAKE_HASHES.includes(command)) return
  const judged = argv.filter(
    (word, at) => ![argv[at - 1] ?? '', word].some((each) => JUDGED_ELSEWHERE.test(each)),
  )
  const [sentence] = judged.flatMap((word) => secretFault(word.replace(/^-+(?:[\w-]+=)?/, '')) ?? [])
  if (sentence === undefined) return
  throw badUsage({ sentence, next: 'Leave it out. If it is the name of a file, write ./ before it.' })
}

/** Reads the name of a scenario. Throws `devnet.refused` with the names there are, and the nearest of them. */
export const readScenarioName = (text: string): ScenarioName =>
  readName(text, SCENARIO_NAMES, (name, names) => [`There is no scenario ${name}.`, `scenarios: ${names}`])

/** Reads the name of a forger; throws as for a scenario. */
export const readForger = (text: string): Forger =>
  readName(text, FORGERS, (name, names) => [`There is no forger ${name}.`, `forgers: ${names}`])

function readName<T extends string>(
  text: string,
  names: readonly T[],
  refusal: (name: string, names: string) => readonly [none: string, all: string],
): T {
  const found = names.find((name) => name === text)
  if (found !== undefined) return found
  const nearest = nearWord(text, names)
  const [none, all] = refusal(safeText(text, 40), names.join(', '))
  throw rehearsalError('devnet.refused', none, [
    ...(nearest === undefined ? [] : [`nearest: ${nearest}`]),
    all,
  ])
}

const URL_FIELDS = new Set(['execution', 'node', 'engine', 'secondExecution'])

/** Why the text of a setup field is not accepted beside those before it, or undefined when it is. */
export function checkField(
  field: string,
  text: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  if (text === '' && field === 'keystore') return undefined
  if (field === 'validator') return validatorTextFault(text)
  const secret = secretFault(text)
  if (secret !== undefined) return secret
  if (!URL_FIELDS.has(field)) return text === '' ? 'Type a path.' : undefined
  if (text === '' && field === 'secondExecution') return undefined
  if (text === '' && field === 'engine' && values.validator !== undefined) return undefined
  const fault = endpointTextFault(field, text)
  if (fault !== undefined) return fault.next
  return field === 'secondExecution' && isSameServer(text, values.execution ?? '')
    ? FIELD_FAULTS_TEXT.sameServer
    : undefined
}

const INDEX = /^\d{1,9}$/

const COMPRESSED = /^0x[0-9a-fA-F]{96}$/

/** Of an account, or as the engine writes it for a key. */
const ADDRESS = /^(?:0x)?[0-9a-fA-F]{40}$/

const ENGINE_BASE64 = /^[A-Za-z0-9+/]{128}$/

/** Why a text names no registered validator, by its form alone; undefined where it is one of a key or of an index. */
export function validatorTextFault(typed: string): string | undefined {
  const text = ungroupHex(typed)
  const fault = secretFault(text) ?? invisibleFault(text)
  if (fault !== undefined) return fault
  if (INDEX.test(text) || COMPRESSED.test(text) || ENGINE_BASE64.test(text)) return undefined
  return ADDRESS.test(text) ? FIELD_FAULTS_TEXT.address : FIELD_FAULTS_TEXT.validator
}

/** Why what is in a field of a form is not taken. */
export const FIELD_FAULTS_TEXT = {
  validator:
    'Type the public key, 0x and 96 characters 0–9 a–f or the engine’s base64, or the index of the validator.',
  address:
    'This is an address: of an account, or the one that the engine gives a key. Type the public key, 0x and 96 characters 0–9 a–f, or the index of the validator.',
  sameServer:
    'The same server as the first one: it counts once. Give one of another operator, or leave this empty.',
}

/** Every sentence about an address that is not taken. */
export const ENDPOINT_TEXT = {
  address: (example: string) => `Write an http or https address, such as ${example}.`,
  credentials:
    'Leave the user name and password out: an address may be kept, and other programs can read a command line. Where the endpoint asks for them, use one with a key in its path, or a proxy on this computer that adds them.',
}

/** The service of a field or option, of all that are none of the execution RPC. */
const SERVICES: Readonly<Record<string, 'node' | 'engine'>> = {
  node: 'node',
  engine: 'engine',
  'second-engine': 'engine',
}

/** A host with its port, as the engine's `laddr` has it or without a scheme. */
const HOST_AND_PORT = /^(?:tcp:\/\/)?([A-Za-z0-9.[\]:-]{1,80}:\d{1,5})$/i

/**
 * Returns why a text isn't taken as the address of an endpoint, and what to write, undefined where it is taken. `name` is
 * that of the field or option: it decides which port the example has.
 */
export function endpointTextFault(
  name: string,
  typed: string,
): { is: 'no-address' | 'credentials'; next: string } | undefined {
  const is = endpointFault(typed)
  if (is === undefined) return undefined
  const { address, credentials } = ENDPOINT_TEXT
  return { is, next: is === 'credentials' ? credentials : address(exampleFor(name, typed)) }
}

/** What was meant, where only the scheme is missing or the engine's own; else the address of a node on this computer. */
function exampleFor(name: string, typed: string): string {
  const [, place] = HOST_AND_PORT.exec(typed) ?? []
  const meant = `http://${place}`
  if (place !== undefined && endpointFault(meant) === undefined) return meant
  return LOCAL_ENDPOINTS[SERVICES[name] ?? 'execution'] ?? ''
}
