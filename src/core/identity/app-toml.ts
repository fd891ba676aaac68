import { type Decoder, optional, record, refuse, text } from '../format/decode.ts'
import { type Hex, isHex } from '../format/hex.ts'
import type { NetworkNames } from '../network/network.ts'
import { count, flag, type HomeFile, readToml } from './read-toml.ts'

/** What `app.toml` says of the node. */
export type AppConfig = {
  chainSpec: string
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
 * stands in one of two sections, depending on who wrote the file. Throws a `HomeError`.
 */
export function readAppToml(file: HomeFile, names: NetworkNames): AppConfig {
  const decode: Decoder<AppConfig> = (value, path) => {
    const app = sectionOf(names.appSection, record({ 'chain-spec': text }))(value, path)
    const api = sectionOf(names.nodeApiSection, nodeApi)(value, path)
    const payload = sectionOf(`${names.appSection}.payload-builder`, builder)(value, path)
    const windows = ['block-store-service', 'validator'].map(
      (part) =>
        sectionOf(`${names.appSection}.${part}`, optional(window))(value, path)?.['availability-window'],
    )
    return {
      chainSpec: app['chain-spec'],
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
