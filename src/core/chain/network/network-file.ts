import { networkError } from '../../base/errors/http.ts'
import {
  bool,
  type Decoder,
  exactRecord,
  hex,
  oneOf,
  optional,
  refuse,
  text,
} from '../../base/format/decode.ts'
import { endpointFault } from '../../base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import {
  type ChainSpec,
  decodeNetwork,
  type Network,
  parseNetworkJson,
  positive,
  positiveIndex,
} from './network.ts'
import { poolsFields } from './pools.ts'
import {
  BERACHAIN_NAMES,
  DEPOSIT_CONTRACT_CODE_HASH,
  LOCAL_ENDPOINTS,
  MINIMUM_DEPOSIT_GWEI,
  PRESETS,
} from './presets.ts'
import { specFields } from './spec-fields.ts'

const SOURCE = 'network file'
const TAKEN = new Set(['mainnet', 'bepolia', 'rehearsal'])
const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/
const LABEL = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u
const CHAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const WORD = /^[A-Za-z0-9][A-Za-z0-9./_-]{0,63}$/

const matching =
  (form: RegExp, expected: string): Decoder<string> =>
  (value, path) => {
    const read = text(value, path)
    return form.test(read) ? read : refuse(path, expected, value)
  }

const freeId: Decoder<string> = (value, path) => {
  const id = matching(NAME, 'a short name in lower case')(value, path)
  return TAKEN.has(id) ? refuse(path, 'a name other than mainnet, bepolia and rehearsal', value) : id
}

const URL_WORDS = {
  'no-address': 'an http or https URL',
  credentials: 'a URL without a user name or password',
}

const url: Decoder<string> = (value, path) => {
  const read = text(value, path)
  const fault = endpointFault(read)
  return fault === undefined ? read : refuse(path, URL_WORDS[fault], '(not shown)')
}

const word = matching(WORD, 'a word of letters, digits, dots, dashes and slashes')

const fields = exactRecord({
  id: freeId,
  label: matching(LABEL, 'a name of at most 40 letters and digits'),
  kind: oneOf(['real', 'test']),
  executionChainId: positiveIndex,
  engineChainId: matching(CHAIN_ID, 'a chain id as in client.toml'),
  genesisValidatorsRoot: hex(32),
  genesisForkVersion: hex(4),
  depositContractCodeHash: hex(32),
  minimumDepositGwei: optional(positive),
  slotMs: optional(positiveIndex),
  clockIsWall: optional(bool),
  spec: specFields,
  names: optional(
    exactRecord({
      token: optional(word),
      nodeTool: optional(word),
      proofNamespace: optional(word),
      nodeApiSection: optional(word),
      appSection: optional(word),
      keyTypePrefix: optional(word),
    }),
  ),
  endpoints: optional(exactRecord({ execution: optional(url), node: optional(url), engine: optional(url) })),
  publicExecution: optional(url),
  pools: optional(poolsFields),
})

/**
 * Reads a network file: any other network, with the same limits as a built-in one.
 *
 * ```json
 * { "id": "mynet", "label": "My net", "kind": "test",
 *   "executionChainId": 12345, "engineChainId": "mynet-1",
 *   "genesisValidatorsRoot": "0x… (32 bytes)", "genesisForkVersion": "0x05000000",
 *   "depositContractCodeHash": "0x… (32 bytes)",
 *   "spec": { "slots-per-epoch": 192, "max-effective-balance": "10000000000000000", … every key of spec.toml … } }
 * ```
 * Optional: `pools` (`vault` and `factories`, addresses), `minimumDepositGwei` (10,000 tokens), `slotMs` (from the spec), `clockIsWall` (true), `names` and
 * `endpoints` (those of Berachain), `publicExecution`. The genesis fork version has no default: a network that
 * started at a later fork has another one, and a deposit signed with the wrong one is burnt.
 *
 * Throws a `network.*` error that names the field that is missing, unknown or odd, or the built-in network it claims.
 */
export function readNetworkFile(json: string): Network {
  const read = decodeNetwork(SOURCE, fields, parseNetworkJson(SOURCE, json))
  const network: Network = {
    id: read.id,
    label: read.label,
    kind: read.kind,
    executionChainId: read.executionChainId,
    engineChainId: read.engineChainId,
    genesisValidatorsRoot: read.genesisValidatorsRoot,
    genesisForkVersion: read.genesisForkVersion,
    depositContractCodeHash: read.depositContractCodeHash,
    depositContractCodeHashConfirmed: true,
    minimumDepositGwei: read.minimumDepositGwei ?? MINIMUM_DEPOSIT_GWEI,
    clockIsWall: read.clockIsWall ?? true,
    slotMs: read.slotMs ?? read.spec.targetSecondsPerSlot * 1000,
    spec: read.spec,
    names: { ...BERACHAIN_NAMES, ...present(read.names ?? {}) },
    defaultEndpoints: { ...LOCAL_ENDPOINTS, ...present(read.endpoints ?? {}) },
    ...present({ publicExecution: read.publicExecution, pools: read.pools }),
  }
  checkChainId(network)
  refusePresetClash(SOURCE, network)
  return network
}

function checkChainId(network: Network): void {
  decodeNetwork(
    SOURCE,
    (value) =>
      value === network.executionChainId
        ? value
        : refuse('spec.deposit-eth1-chain-id', `${network.executionChainId}, as executionChainId`, value),
    network.spec.depositChainId,
  )
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function present<T extends object>(source: T): Present<T> {
  const entries = Object.entries(source).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Present<T>
}

type Claim = { executionChainId: number; engineChainId: string; genesisValidatorsRoot: Hex }

/**
 * Refuses a described network that shares a chain id or a genesis validators root with a built-in one: its limits
 * would be the file's, its money that of the real chain. `source` is the file as people call it.
 *
 * Throws a `network.*` error.
 */
export function refusePresetClash(source: string, claim: Claim): void {
  for (const preset of PRESETS) {
    if (claim.executionChainId === preset.executionChainId) {
      throw networkError(
        'network.clash',
        source,
        `execution chain id ${preset.executionChainId} is that of ${preset.label}`,
      )
    }
    if (claim.engineChainId === preset.engineChainId) {
      throw networkError(
        'network.clash',
        source,
        `engine chain id ${preset.engineChainId} is that of ${preset.label}`,
      )
    }
    if (sameHex(claim.genesisValidatorsRoot, preset.genesisValidatorsRoot)) {
      throw networkError('network.clash', source, `the genesis validators root is that of ${preset.label}`)
    }
  }
}

/** What a network's genesis file says, its root computed with the limits of the network's own spec. */
export type CustomGenesis = { engineChainId: string; genesisForkVersion: Hex; genesisValidatorsRoot: Hex }

/**
 * The network of a node's own `spec.toml` and `genesis.json`, with Berachain's names. What a built-in network publishes
 * gives that network. The id is made from the root, so that what is remembered of two such networks never mixes.
 *
 * Throws a `network.*` error for files that claim a part of a built-in network.
 */
export function customNetwork(spec: ChainSpec, genesis: CustomGenesis): Network {
  const found = { ...genesis, executionChainId: spec.depositChainId }
  const preset = PRESETS.find(
    (each) =>
      each.executionChainId === found.executionChainId &&
      each.engineChainId === found.engineChainId &&
      sameHex(each.genesisForkVersion, found.genesisForkVersion) &&
      sameHex(each.genesisValidatorsRoot, found.genesisValidatorsRoot),
  )
  if (preset !== undefined) return preset
  refusePresetClash('pair of spec.toml and genesis.json', found)
  return {
    ...found,
    id: `custom-${found.genesisValidatorsRoot.slice(2, 10).toLowerCase()}`,
    label: 'Custom network',
    kind: 'test',
    depositContractCodeHash: DEPOSIT_CONTRACT_CODE_HASH,
    depositContractCodeHashConfirmed: false,
    minimumDepositGwei: MINIMUM_DEPOSIT_GWEI,
    clockIsWall: true,
    slotMs: spec.targetSecondsPerSlot * 1000,
    spec,
    names: BERACHAIN_NAMES,
    defaultEndpoints: LOCAL_ENDPOINTS,
  }
}
