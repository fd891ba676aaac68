import { parse } from 'smol-toml'
import { homeError } from '../../base/errors/home.ts'
import {
  type Decoder,
  decodeWhole,
  FieldFault,
  optional,
  record,
  refuse,
  text,
} from '../../base/format/decode.ts'
import { type Hex, isHex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import type { NetworkNames } from '../network/network.ts'

/** Where a text comes from: the home, and the file relative to it. */
export type HomeFile = { home: string; file: string; text: string }

/** Reads a TOML file of a node home; throws a `home.*` error that names the file and the field. */
function readToml<T>({ home, file, text }: HomeFile, decode: Decoder<T>): T {
  try {
    return decodeWhole(decode, parseToml({ home, file, text }))
  } catch (fault) {
    if (fault instanceof FieldFault) throw homeError('home.field', home, file, fault)
    throw fault
  }
}

/** Returns what a TOML file of a node home holds. Throws a `home.*` error where it is not TOML. */
export function parseToml({ home, file, text }: HomeFile): unknown {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (fault) {
    const [line] = String(fault instanceof Error ? fault.message : fault).split('\n')
    throw homeError('home.unreadable', home, file, safeText(line ?? ''))
  }
}

/** A bare value as it is written; a table or a list is none. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : ''

/** True or false, bare or as a text: the node's own files have both. */
const flag: Decoder<boolean> = (value, path) => {
  const text = wordOf(value)
  return text === 'true' || text === 'false' ? text === 'true' : refuse(path, 'true or false', value)
}

/** A whole number, bare or as a text. */
const count: Decoder<bigint> = (value, path) => {
  const text = wordOf(value)
  return /^\d{1,19}$/.test(text) ? BigInt(text) : refuse(path, 'a whole number', value)
}

/** What `app.toml` says of the node. */
export type AppConfig = {
  chainSpec: string
  /** Where the chain spec is read from where `chainSpec` is `file`; empty where the file does not say. */
  chainSpecFile: string
  nodeApi: { enabled: boolean; address: string }
  /** Where priority fees go; undefined when the file does not say. */
  feeRecipient: Hex | undefined
  payloadBuilderEnabled: boolean
  /** How many blocks are kept for proofs; undefined when the file does not say. */
  availabilityWindow: bigint | undefined
}

const recipient: Decoder<Hex> = (value, path) =>
  isHex(value, 20) ? (value.toLowerCase() as Hex) : refuse(path, 'a 20-byte address', value)

const builder = record({ enabled: optional(flag), 'suggested-fee-recipient': optional(recipient) })
const window = record({ 'availability-window': optional(count) })
const nodeApi = record({ enabled: flag, address: text })

/**
 * Reads `config/app.toml`. Section names come from the network's names; `enabled` may be a text, and the window
 * stands in one of two sections, depending on who wrote the file. Throws a `home.*` error.
 */
export function readAppToml(file: HomeFile, names: NetworkNames): AppConfig {
  const decode: Decoder<AppConfig> = (value, path) => {
    const app = sectionOf(
      names.appSection,
      record({ 'chain-spec': text, 'chain-spec-file': optional(text) }),
    )(value, path)
    const api = sectionOf(names.nodeApiSection, nodeApi)(value, path)
    const payload = sectionOf(`${names.appSection}.payload-builder`, builder)(value, path)
    const windows = ['block-store-service', 'validator'].map(
      (part) =>
        sectionOf(`${names.appSection}.${part}`, optional(window))(value, path)?.['availability-window'],
    )
    return {
      chainSpec: app['chain-spec'],
      chainSpecFile: app['chain-spec-file'] ?? '',
      nodeApi: api,
      feeRecipient: payload['suggested-fee-recipient'],
      payloadBuilderEnabled: payload.enabled ?? true,
      availabilityWindow: windows.find((found) => found !== undefined),
    }
  }
  return readToml(file, decode)
}

/** Reads a section named with dots, e.g. `beacon-kit.node-api`. */
function sectionOf<T>(name: string, decode: Decoder<T>): Decoder<T> {
  const [head = '', ...rest] = name.split('.')
  const inner = rest.length === 0 ? decode : sectionOf(rest.join('.'), decode)
  return (value, path) => record({ [head]: inner })(value, path)[head] as T
}

/** What `config.toml` says: paths relative to the home unless they are absolute. */
export type EngineConfig = {
  genesisFile: string
  keyFile: string
  stateFile: string
  /** Address of a remote signer; empty when the key is in `keyFile`. */
  remoteSigner: string
  rpcAddress: string
}

const fields = record({
  genesis_file: optional(text),
  priv_validator_key_file: text,
  priv_validator_state_file: text,
  priv_validator_laddr: optional(text),
  rpc: record({ laddr: text }),
})

/** Reads `config/config.toml`. Throws a `home.*` error that names the field. */
export function readConfigToml(file: HomeFile): EngineConfig {
  const read = readToml(file, fields)
  return {
    genesisFile: read.genesis_file ?? 'config/genesis.json',
    keyFile: read.priv_validator_key_file,
    stateFile: read.priv_validator_state_file,
    remoteSigner: read.priv_validator_laddr ?? '',
    rpcAddress: read.rpc.laddr,
  }
}

const client = record({ 'chain-id': text })

/** Reads the engine chain id of `config/client.toml`. Throws a `home.*` error that names the field. */
export function readClientToml(file: HomeFile): { engineChainId: string } {
  return { engineChainId: readToml(file, client)['chain-id'] }
}

/** An address to listen on: `tcp://host:port`, `host:port` or `:port`. */
export type ListenAddress = {
  /** How this computer reaches it. */
  url: string
  /** Whether other computers can reach it too. */
  exposed: boolean
}

const FORM = /^(?:(?:tcp|http):\/\/)?(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]*):(\d{1,5})$/
const ANYWHERE = new Set(['', '0.0.0.0', '[::]'])
const HERE = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Reads an address that a node listens on; undefined when it is none (a Unix socket, or empty). */
export function readListenAddress(text: string): ListenAddress | undefined {
  const [, host, port] = FORM.exec(text) ?? []
  if (host === undefined || port === undefined || Number(port) > 65_535) return undefined
  return { url: `http://${ANYWHERE.has(host) ? '127.0.0.1' : host}:${port}`, exposed: !HERE.has(host) }
}

/** Returns where the node API and the engine of a home are reached from this computer; left out where its files name no address. */
export function listenersIn({ config, app }: { config: EngineConfig; app: AppConfig }): {
  node?: string
  engine?: string
} {
  const node = readListenAddress(app.nodeApi.address)?.url
  const engine = readListenAddress(config.rpcAddress)?.url
  return { ...(node === undefined ? {} : { node }), ...(engine === undefined ? {} : { engine }) }
}
