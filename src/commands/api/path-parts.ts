import type { ProofMoment } from '../../core/clients/node/proof-header.ts'
import type { StateId } from '../../core/clients/node/state-id.ts'
import type { ValidatorStatus } from '../../core/consensus/validator-status.ts'
import { badUsage } from '../../core/errors/usage.ts'
import { type Hex, isHex } from '../../core/format/hex.ts'
import { safeText } from '../../core/format/text.ts'

const NAMED = ['head', 'genesis', 'finalized', 'justified'] as const
const STATUSES: readonly string[] = Object.keys({
  pending_initialized: true,
  pending_queued: true,
  active_ongoing: true,
  active_exiting: true,
  active_slashed: true,
  exited_unslashed: true,
  exited_slashed: true,
  withdrawal_possible: true,
  withdrawal_done: true,
} satisfies Record<ValidatorStatus, true>)
const UINT64 = /^(?:0|[1-9]\d{0,19})$/
const MAX_UINT64 = (1n << 64n) - 1n

/** Parts of a path with their percent signs read. Throws `usage.option` for one that stands for no text. */
export function decodedParts(parts: readonly string[]): string[] {
  return parts.map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return refuse(part, 'two hexadecimal digits after each %, or no %,')
    }
  })
}

/** A status as the node API names it; the standard's group names are none here. Throws `usage.option`. */
export function statusOf(text: string): ValidatorStatus {
  if (isStatus(text)) return text
  throw badUsage({
    sentence: 'There is no such validator status.',
    found: safeText(text, 80),
    next: `Ask for one of ${STATUSES.join(', ')}; repeat status= for several.`,
  })
}

function isStatus(text: string): text is ValidatorStatus {
  return STATUSES.includes(text)
}

/** A state or block as a path names it. Throws `usage.option`. */
export function stateIdOf(text: string): StateId {
  const name = NAMED.find((each) => each === text)
  return name ?? numberOf(text, 'head, genesis, finalized, justified or a slot')
}

/** The `timestamp_id` of a proof. Throws `usage.option`. */
export function momentOf(text: string): ProofMoment {
  if (text === 'head') return 'head'
  const expected = 'head, a slot, or t and Unix seconds'
  if (text.startsWith('t')) return { nextBlockTimestampSeconds: numberOf(text.slice(1), expected) }
  return { slot: numberOf(text, expected) }
}

/** A validator as a path names it: an index or a pubkey. Throws `usage.option`. */
export function validatorIdOf(text: string): Hex | number {
  return isHex(text, 48) ? (text.toLowerCase() as Hex) : indexOf(text, 'an index or a public key of 48 bytes')
}

/** A decimal number below 2^53. Throws `usage.option`. */
export function indexOf(text: string, expected = 'a decimal number'): number {
  const read = numberOf(text, expected)
  return read <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(read) : refuse(text, expected)
}

/** A decimal number of at most 64 bits. Throws `usage.option`. */
export function numberOf(text: string, expected = 'a decimal number'): bigint {
  if (!UINT64.test(text)) return refuse(text, expected)
  const read = BigInt(text)
  return read <= MAX_UINT64 ? read : refuse(text, expected)
}

/** A query value as a number, or undefined when it is not there. Throws `usage.option`. */
export function queryNumber(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name)
  return text === null ? undefined : numberOf(text, `${name}= and a decimal number`)
}

function refuse(found: string, expected: string): never {
  throw badUsage({
    sentence: 'A part of the path cannot be read.',
    found: safeText(found, 80),
    next: `Write ${expected} there.`,
  })
}
