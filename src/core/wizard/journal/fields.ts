import {
  bool,
  type Decoder,
  decimal256,
  exactRecord,
  hexAsWritten,
  oneOf,
  optional,
  present,
  text,
  uintIndex,
} from '../../base/format/decode.ts'
import { OUTCOMES } from '../../chain/consensus/forecast.ts'

const address = hexAsWritten(20)
const hash = hexAsWritten(32)
const bytes = hexAsWritten()
const addresses = { withdrawalAddress: address, operator: address }
/** What the first deposit is to say. */
const message = { ...addresses, amountGwei: decimal256, rescue: bool }
const transaction = exactRecord({
  chainId: uintIndex,
  nonce: uintIndex,
  to: address,
  valueWei: decimal256,
  data: bytes,
  gasLimit: decimal256,
  maxFeePerGasWei: decimal256,
  maxPriorityFeePerGasWei: decimal256,
})

/** Fields of events. Hexadecimal stays as it was written; amounts are decimal texts. */
export const FIELDS = {
  adopted: { ...addresses, withdrawalCredentials: hash, index: uintIndex },
  message,
  signature: exactRecord({ ...message, withdrawalCredentials: hash, signature: hexAsWritten(96) }),
  plan: exactRecord({ to: address, valueWei: decimal256, data: bytes }),
  terms: { from: address, feeLimitWei: decimal256 },
  validator: { block: decimal256, balanceGwei: decimal256, outcome: oneOf(OUTCOMES) },
  draft: {
    from: address,
    transaction,
    baseline: present(
      exactRecord({
        blockNumber: decimal256,
        blockHash: hash,
        balanceWei: decimal256,
        seenSentAt: optional(decimal256),
        taken: optional(decimal256),
      }),
    ),
  },
  transaction,
  signed: { raw: bytes, hash },
  handedOver: { attempt: uintIndex, endpoint: text },
  found: { from: address, hash, valueWei: decimal256, nonce: uintIndex },
  bytes,
  block: { blockNumber: decimal256, blockHash: hash, feeWei: decimal256 },
  hash,
}

/** Returns a decoder whose values say which event they are of. */
export function typed<T extends string, F extends object>(
  type: T,
  fields: Decoder<F>,
): Decoder<{ type: T } & F> {
  return (value, path) => ({ type, ...fields(value, path) })
}

/** Data that JSON carries without loss. Amounts go in as decimal text: the caller converts them. */
export type JsonData =
  | string
  | number
  | boolean
  | null
  | readonly JsonData[]
  | { readonly [key: string]: JsonData | undefined }

/**
 * One text for one value: keys in code-unit order, no spaces, undefined fields left out (as RFC 8785 for the values
 * allowed here). Whole numbers must be below 2^53 and texts well-formed Unicode; throws a RangeError otherwise.
 */
export function canonicalJson(value: JsonData): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return numeral(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields: string[] = []
  for (const key of Object.keys(value).toSorted()) {
    const entry = value[key]
    if (entry !== undefined) fields.push(`${quoted(key)}:${canonicalJson(entry)}`)
  }
  return `{${fields.join(',')}}`
}

function isList(value: JsonData): value is readonly JsonData[] {
  return Array.isArray(value)
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('a text holds half a character')
  return JSON.stringify(text)
}

function numeral(value: number): string {
  const lossy = Number.isInteger(value) && !Number.isSafeInteger(value)
  if (!Number.isFinite(value) || lossy || Object.is(value, -0))
    throw new RangeError('a number that JSON would change')
  return JSON.stringify(value)
}
