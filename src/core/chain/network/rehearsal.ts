import { networkError } from '../../base/errors/http.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { bool, type Decoder, hex, optional, record, refuse, text } from '../../base/format/decode.ts'
import { endpointFault, isLoopbackUrl } from '../../base/format/endpoint-url.ts'
import type { Hex } from '../../base/format/hex.ts'
import {
  decodeNetwork,
  type Network,
  type Pools,
  parseNetworkJson,
  positive,
  positiveIndex,
} from './network.ts'
import { refusePresetClash } from './network-file.ts'
import { poolsFields } from './pools.ts'
import { BERACHAIN_NAMES, DEPOSIT_CONTRACT_CODE_HASH, MINIMUM_DEPOSIT_GWEI } from './presets.ts'
import { readSpecToml } from './spec-fields.ts'

const SOURCE = 'rehearsal descriptor'

/** What the home's genesis.json says, for a descriptor that does not say it itself. */
export type HomeGenesis = { genesisForkVersion: Hex; engineChainId: string }

/**
 * Returns the network that a rehearsal descriptor and its `spec.toml` describe. `homeGenesis` fills what the descriptor
 * leaves out. A rehearsal never shares chain ids or genesis root with a built-in network.
 *
 * Throws a `network.*` error that names the field that is missing or odd.
 */
export function rehearsalNetwork(
  descriptor: Descriptor,
  specToml: string,
  homeGenesis?: HomeGenesis,
): Network {
  const spec = readSpecToml(specToml)
  const engineChainId = descriptor.engineChainId ?? homeGenesis?.engineChainId ?? missing('engineChainId')
  const genesisForkVersion =
    descriptor.genesisForkVersion ?? homeGenesis?.genesisForkVersion ?? missing('genesisForkVersion')
  if (spec.depositChainId !== descriptor.chainId) {
    throw networkError('network.field', SOURCE, {
      path: 'chainId',
      expected: `${spec.depositChainId}, as deposit-eth1-chain-id in spec.toml`,
      found: String(descriptor.chainId),
    })
  }
  const network: Network = {
    id: 'rehearsal',
    label: 'Rehearsal',
    kind: 'rehearsal',
    executionChainId: descriptor.chainId,
    engineChainId,
    genesisValidatorsRoot: descriptor.genesisRoot,
    genesisForkVersion,
    depositContractCodeHash: descriptor.depositContractCodeHash ?? DEPOSIT_CONTRACT_CODE_HASH,
    depositContractCodeHashConfirmed: descriptor.depositContractCodeHash !== undefined,
    minimumDepositGwei: descriptor.minimumDepositGwei ?? MINIMUM_DEPOSIT_GWEI,
    clockIsWall: descriptor.clockIsWall ?? false,
    slotMs: descriptor.slotMs ?? spec.targetSecondsPerSlot * 1000,
    spec,
    names: BERACHAIN_NAMES,
    ...(descriptor.pools === undefined ? {} : { pools: descriptor.pools }),
    defaultEndpoints: { ...descriptor.urls },
  }
  refusePresetClash(SOURCE, network)
  return network
}

function missing(path: string): never {
  throw networkError('network.field', SOURCE, {
    path,
    expected: 'a value here or in genesis.json of the home',
    found: 'nothing',
  })
}

/** What a rehearsal network says of itself in one JSON line. Everything optional may also be found in its home. */
export type Descriptor = {
  urls: { execution: string; node: string; engine: string }
  chainId: number
  genesisRoot: Hex
  keystore: { path: string; password: string }
  /** Directory of a node home with a fresh key. */
  home: string
  /** Path of the network's spec.toml; else it is config/spec.toml in the home. */
  spec: string | undefined
  engineChainId: string | undefined
  genesisForkVersion: Hex | undefined
  executionGenesisHash: Hex | undefined
  depositContractCodeHash: Hex | undefined
  minimumDepositGwei: Gwei | undefined
  slotMs: number | undefined
  clockIsWall: boolean | undefined
  withdrawalAddress: Hex | undefined
  operator: Hex | undefined
  pid: number | undefined
  /** A second execution endpoint. */
  second: string | undefined
  pools: Pools | undefined
  scenario: string | undefined
  seed: string | undefined
  /** Path of the file in which the network keeps its story. */
  story: string | undefined
  /** Where it hears wishes: another key, another pace. */
  control: string | undefined
}

const DESCRIPTOR_SOURCE = 'rehearsal descriptor'

const loopbackUrl: Decoder<string> = (value, path) => {
  const url = text(value, path)
  if (endpointFault(url) === 'credentials')
    return refuse(path, 'a URL without a user name or password', '(not shown)')
  return isLoopbackUrl(url)
    ? url
    : refuse(path, 'an http address on this computer (127.0.0.1, ::1, localhost)', value)
}

/** No system opens a path with such a character in it. */
const pathText: Decoder<string> = (value, path) => {
  const read = text(value, path)
  return read.includes('\0') ? refuse(path, 'a path without the character NUL', value) : read
}

/** A field that is not there, or that has nothing to say. */
const perhaps = <T>(decode: Decoder<T>): Decoder<T | undefined> => {
  const there = optional(decode)
  return (value, path) => there(value === null ? undefined : value, path)
}

const fields: Decoder<Descriptor> = record({
  urls: record({ execution: loopbackUrl, node: loopbackUrl, engine: loopbackUrl }),
  chainId: positiveIndex,
  genesisRoot: hex(32),
  keystore: record({ path: pathText, password: text }),
  home: pathText,
  spec: perhaps(pathText),
  engineChainId: perhaps(text),
  genesisForkVersion: perhaps(hex(4)),
  executionGenesisHash: perhaps(hex(32)),
  depositContractCodeHash: perhaps(hex(32)),
  minimumDepositGwei: perhaps(positive),
  slotMs: perhaps(positiveIndex),
  clockIsWall: perhaps(bool),
  withdrawalAddress: perhaps(hex(20)),
  operator: perhaps(hex(20)),
  pid: perhaps(positiveIndex),
  second: perhaps(loopbackUrl),
  pools: perhaps(poolsFields),
  scenario: perhaps(text),
  seed: perhaps(text),
  story: perhaps(pathText),
  control: perhaps(loopbackUrl),
})

/**
 * Reads the descriptor line of a rehearsal network. All endpoints must be on this computer: a rehearsal is the one
 * place where a password may come from a file. Unknown fields are ignored.
 *
 * Throws a `network.*` error that names the field.
 */
export function readDescriptor(json: string): Descriptor {
  return decodeNetwork(DESCRIPTOR_SOURCE, fields, parseNetworkJson(DESCRIPTOR_SOURCE, json))
}
