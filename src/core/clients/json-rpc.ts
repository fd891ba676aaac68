import { type Decoder, nullable, oneOf, record, refuse, text } from '../format/decode.ts'
import { type Hex, isHex } from '../format/hex.ts'

export type RpcError = { code: number; message: string; data: unknown }

/** What a JSON-RPC 2.0 reply carries: a result (which may be null) or an error. */
export type RpcOutcome = { result: unknown } | { error: RpcError }

const integer: Decoder<number> = (value, path) =>
  Number.isSafeInteger(value) ? (value as number) : refuse(path, 'a whole number', value)
const anything: Decoder<unknown> = (value) => value
const error: Decoder<RpcError> = record({ code: integer, message: text, data: anything })

/**
 * Reads a JSON-RPC 2.0 reply to the request with `id`: the id and the version must match, and there must be exactly
 * one of result and error. Throws a `FieldFault` otherwise (JSON-RPC 2.0 §5).
 */
export function readRpcReply(json: unknown, id: number): RpcOutcome {
  const reply = record({ jsonrpc: oneOf(['2.0']), id: nullable(integer) })(json, '')
  const source = json as { result?: unknown; error?: unknown }
  if (reply.id !== id) refuse('id', String(id), reply.id ?? null)
  const hasResult = Object.hasOwn(source, 'result')
  const hasError = Object.hasOwn(source, 'error')
  if (hasResult && hasError) refuse('result', 'either a result or an error', 'both')
  if (hasError) return { error: error(source.error, 'error') }
  return hasResult ? { result: source.result } : refuse('result', 'either a result or an error', undefined)
}

/** The bytes that a contract gave as its reason, where an error carries them. */
export function revertData(failure: RpcError): Hex | undefined {
  if (isHex(failure.data)) return failure.data.toLowerCase() as Hex
  return failure.code === 3 ? '0x' : undefined
}
