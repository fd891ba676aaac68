import { bool, type Decoder, hex, optional, record, refuse, text } from '../format/decode.ts'
import { isLoopbackUrl } from '../format/endpoint-url.ts'
import type { Hex } from '../format/hex.ts'
import { decodeNetwork, parseNetworkJson, positive, positiveIndex } from './network.ts'

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
  minimumDepositGwei: bigint | undefined
  slotMs: number | undefined
  clockIsWall: boolean | undefined
  withdrawalAddress: Hex | undefined
  operator: Hex | undefined
  pid: number | undefined
  scenario: string | undefined
  seed: string | undefined
}

const SOURCE = 'rehearsal descriptor'

const loopbackUrl: Decoder<string> = (value, path) => {
  const url = text(value, path)
  return isLoopbackUrl(url)
    ? url
    : refuse(path, 'an http address on this computer (127.0.0.1, ::1, localhost)', value)
}

const fields: Decoder<Descriptor> = record({
  urls: record({ execution: loopbackUrl, node: loopbackUrl, engine: loopbackUrl }),
  chainId: positiveIndex,
  genesisRoot: hex(32),
  keystore: record({ path: text, password: text }),
  home: text,
  spec: optional(text),
  engineChainId: optional(text),
  genesisForkVersion: optional(hex(4)),
  executionGenesisHash: optional(hex(32)),
  depositContractCodeHash: optional(hex(32)),
  minimumDepositGwei: optional(positive),
  slotMs: optional(positiveIndex),
  clockIsWall: optional(bool),
  withdrawalAddress: optional(hex(20)),
  operator: optional(hex(20)),
  pid: optional(positiveIndex),
  scenario: optional(text),
  seed: optional(text),
})

/**
 * Reads the descriptor line of a rehearsal network. All endpoints must be on this computer: a rehearsal is the one
 * place where a password may come from a file. Unknown fields are ignored.
 *
 * Throws a `NetworkError` that names the field.
 */
export function readDescriptor(json: string): Descriptor {
  return decodeNetwork(SOURCE, fields, parseNetworkJson(SOURCE, json))
}
