import { LANGUAGES } from '../compose/choose-language.ts'
import { SCENARIO_NAMES } from '../core/chain/network/scenario-names.ts'

/** What the value of an option is: how a shell completes it, and what of it can be wrong before anybody is asked. */
export type Kind =
  | 'file'
  | 'folder'
  | 'network'
  | 'url'
  | 'urls'
  | 'validator'
  | 'tokens'
  | 'listen'
  | { oneOf: readonly string[] }
  /** A whole number within these. */
  | { least: number; most: number }
  /** 0x and twice as many digits. */
  | { bytes: number }

/** An option; without `value` it takes none. What it is, in a few words, for the help and the shell. */
export type Option = { name: string; value?: string; kind?: Kind; what: string }

export type CommandName =
  | 'rehearse'
  | 'devnet'
  | 'genesis'
  | 'keys'
  | 'sign'
  | 'verify'
  | 'api'
  | 'status'
  | 'watch'
  | 'topup-plan'
  | 'leave'
  | 'doctor'
  | 'config'
  | 'report'
  | 'completion'

/** Networks that are known by a name. */
export const BUILT_IN: readonly string[] = ['mainnet', 'bepolia', 'rehearsal']

/** What there is to know of a command before it is loaded. Texts are lines of 80 columns at most. */
export type CommandSpec = {
  /** Its name; empty for the wizard, which has none. */
  name: CommandName | ''
  /** How it is called, behind the name of the program. */
  usage: readonly string[]
  /** One line for a list of commands. */
  summary: string
  about: string
  /** What it takes without a name: so many at most. */
  takes?: { most: number; kind?: Kind }
  options: readonly Option[]
  /** What is said below the options. */
  after?: string
}

export const STATE_OPTION: Option = {
  name: 'state',
  value: 'DIR',
  kind: 'folder',
  what: 'where journals and settings are kept',
}
export const NETWORK: Option = {
  name: 'network',
  value: 'NAME',
  kind: 'network',
  what: 'mainnet, bepolia, rehearsal, or a network FILE.json (docs/network-file.md)',
}
export const SCENARIO: Option = {
  name: 'scenario',
  value: 'NAME',
  kind: { oneOf: SCENARIO_NAMES },
  what: `one of ${SCENARIO_NAMES.join(', ')}`,
}
export const SEED: Option = { name: 'seed', value: 'TEXT', what: 'the same seed gives the same keys' }
export const SLOT_MS: Option = {
  name: 'slot-ms',
  value: 'N',
  // Shorter slots pass faster than seven steps can follow them.
  kind: { least: 50, most: 600_000 },
  what: 'time between two blocks, from 50 to 600000',
}
export const JSON_OPTION: Option = { name: 'json', what: 'one JSON document on stdout' }
export const LANG: Option = {
  name: 'lang',
  value: 'CODE',
  kind: { oneOf: LANGUAGES },
  what: `the language: ${LANGUAGES.join(' or ')} (Chinese); else that of LC_ALL, LC_MESSAGES or LANG`,
}
/** What every command takes. */
export const COMMON: readonly Option[] = [LANG, { name: 'help', what: 'this text' }]

export const SPEC: Option = {
  name: 'spec',
  value: 'FILE',
  kind: 'file',
  what: "with --genesis: another network, from the node's own spec.toml",
}
export const GENESIS: Option = {
  name: 'genesis',
  value: 'FILE',
  kind: 'file',
  what: "the node's own genesis.json",
}
export const DEVNET: Option = {
  name: 'devnet',
  value: 'FILE_OR_JSON',
  kind: 'file',
  what: 'a running rehearsal network, by its descriptor',
}

/** Options that every command about a node takes. `kind` is that of an endpoint. */
export const nodeOptions = (kind: 'url' | 'urls' = 'url'): readonly Option[] => [
  NETWORK,
  SPEC,
  GENESIS,
  DEVNET,
  { name: 'home', value: 'DIR', kind: 'folder', what: "the node's home; it is only read" },
  { name: 'execution', value: 'URL', kind, what: 'execution RPC' },
  { name: 'second-execution', value: 'URL', kind: 'url', what: 'one more, of another operator' },
  { name: 'node', value: 'URL', kind, what: 'node API' },
  {
    name: 'engine',
    value: 'URL[,URL]',
    kind: 'urls',
    what: 'RPC of the consensus engine (CometBFT); the own one first, others may serve signed blocks too',
  },
  { ...STATE_OPTION, what: 'where settings are kept' },
  JSON_OPTION,
  ...COMMON,
]

/** What is said below the options of a node. */
export const NODE_DEFAULTS = `Without --network the chain id in the home's client.toml counts. Endpoints that
are not given come from what was set up before, then from the home, then from
the network's defaults on this computer.`
export const NODE_AFTER = `${NODE_DEFAULTS}
Exit codes: 0 yes, 1 no, 2 wrong use, 3 could not find out.`

export const VALIDATOR: Option = {
  name: 'validator',
  value: 'PUBKEY|INDEX',
  kind: 'validator',
  what: "0x and 96 characters 0-9 a-f, the engine's base64, or the index, which the node resolves; no home and no key file is needed then. Without it the key of the home",
}
