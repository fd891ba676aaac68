import { badUsage } from '../../core/base/errors/base.ts'
import { decodeWhole, FieldFault, list, optional, record, text } from '../../core/base/format/decode.ts'
import { type Hex, isHex } from '../../core/base/format/hex.ts'
import { nearWord } from '../../core/base/format/near-word.ts'
import { JsonFault, parseStrictJson } from '../../core/base/format/strict-json.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { ValidatorStatus } from '../../core/chain/consensus/state.ts'
import type { BlockRef } from '../../core/clients/execution/blocks.ts'
import type { StateId } from '../../core/clients/node/chain.ts'
import type { ProofMoment } from '../../core/clients/node/validator-proofs.ts'

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
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,15})$/
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

/** Returns a status as the node API names it; the standard's group names are none here. Throws `usage.option`. */
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

/** Returns a state or block as a path names it. Throws `usage.option`. */
export function stateIdOf(text: string): StateId {
  const name = NAMED.find((each) => each === text)
  return name ?? numberArgument(text, 'head, genesis, finalized, justified or a slot')
}

/** Returns the `timestamp_id` of a proof. Throws `usage.option`. */
export function momentOf(text: string): ProofMoment {
  if (text === 'head') return 'head'
  const expected = 'head, a slot, or t and Unix seconds'
  if (text.startsWith('t')) return { nextBlockTimestampSeconds: numberArgument(text.slice(1), expected) }
  return { slot: numberArgument(text, expected) }
}

/** A validator as a path names it: an index or a pubkey. Throws `usage.option`. */
export function validatorIdOf(text: string): Hex | number {
  return isHex(text, 48) ? (text.toLowerCase() as Hex) : indexOf(text, 'an index or a public key of 48 bytes')
}

/** Returns a decimal number below 2^53. Throws `usage.option`. */
export function indexOf(text: string, expected = 'a decimal number'): number {
  const read = numberArgument(text, expected)
  return read <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(read) : refuse(text, expected)
}

/** Returns a decimal number of at most 64 bits. Throws `usage.option`. */
export function numberArgument(text: string, expected = 'a decimal number'): bigint {
  if (!UINT64.test(text)) return refuse(text, expected)
  const read = BigInt(text)
  return read <= MAX_UINT64 ? read : refuse(text, expected)
}

/** A field of a query as a number, by its name; nothing when it is not there. Throws `usage.option`. */
export function queryNumber<Name extends string>(
  query: URLSearchParams,
  name: Name,
): { [K in Name]?: bigint } {
  const text = query.get(name)
  if (text === null) return {}
  return { [name]: numberArgument(text, `${name}= and a decimal number`) } as { [K in Name]?: bigint }
}

/** Refuses a field of a query that a call does not know, and one that is there twice and may not be. Throws `usage.option`. */
export function requireQuery(query: URLSearchParams, takes: readonly string[]): void {
  const names = takes.map((name) => name.replace('...', ''))
  const named = [...query.keys()]
  const other = named.find((name) => !names.includes(name))
  if (other !== undefined) {
    const near = nearWord(other, names)
    const next = names.length === 0 ? 'It takes none: leave it out.' : `It takes ${names.join(' and ')}.`
    const sentence = 'This call does not know that field of a query.'
    throw badUsage({
      sentence,
      found: safeText(other, 60),
      ...(near === undefined ? {} : { near: `${near}=` }),
      next,
    })
  }
  const twice = takes.find((name) => named.filter((each) => each === name).length > 1)
  if (twice === undefined) return
  throw badUsage({ sentence: `The field ${twice} stands there twice.`, next: 'Leave one of them out.' })
}

const BLOCKS = ['latest', 'finalized', 'safe', 'pending', 'earliest'] as const

/** A block as an argument names it: the latest one without any. Throws `usage.option`. */
export function blockOf(text = 'latest'): BlockRef {
  const name = BLOCKS.find((each) => each === text)
  if (name !== undefined) return name
  if (UINT64.test(text) || QUANTITY.test(text)) return BigInt(text)
  return refuseArgument(text, `a number, decimal or 0x, or one of ${BLOCKS.join(', ')}`)
}

/** Returns a public key as an argument. Throws `usage.option`. */
export function pubkeyOf(text: string | undefined): Hex {
  return hexOf(text, 48, 'a public key, 0x and 96 characters 0–9 a–f')
}

/** Returns an address as an argument. Throws `usage.option`. */
export function addressArgument(text: string | undefined): Hex {
  return hexOf(text, 20, 'an address, 0x and 40 characters 0–9 a–f')
}

/** Returns a transaction hash as an argument. Throws `usage.option`. */
export function hashOf(text: string | undefined): Hex {
  return hexOf(text, 32, 'a transaction hash, 0x and 64 characters 0–9 a–f')
}

function hexOf(text: string | undefined, byteLength: number, expected: string): Hex {
  return isHex(text, byteLength) ? text : refuseArgument(text ?? 'nothing', expected)
}

function refuseArgument(found: string, expected: string): never {
  throw badUsage({
    sentence: 'The argument cannot be read.',
    found: safeText(found, 120),
    next: `Give ${expected}.`,
  })
}

type Filter = { ids?: (Hex | number)[]; statuses?: ValidatorStatus[] }

const filter = record({ ids: optional(list(text)), statuses: optional(list(text)) })

/** The JSON of --body: a filter `{ids, statuses}`, or a list of ids. Throws `usage.option` that names the field. */
export function readPostBody(body: string | undefined, kind: 'filter' | 'ids'): Filter {
  try {
    const json = parseStrictJson(body ?? '')
    if (kind === 'ids') return { ids: decodeWhole(list(text), json).map(validatorIdOf) }
    const { ids, statuses } = decodeWhole(filter, json)
    return {
      ...(ids === undefined ? {} : { ids: ids.map(validatorIdOf) }),
      ...(statuses === undefined ? {} : { statuses: statuses.map(statusOf) }),
    }
  } catch (thrown) {
    if (!(thrown instanceof JsonFault) && !(thrown instanceof FieldFault)) throw thrown
    const next = kind === 'ids' ? 'Give a list such as ["0"].' : 'Give a record such as {"ids":["0"]}.'
    throw badUsage({ sentence: '--body is not what this endpoint takes.', found: thrown.message, next })
  }
}

function refuse(found: string, expected: string): never {
  throw badUsage({
    sentence: 'A part of the path cannot be read.',
    found: safeText(found, 80),
    next: `Write ${expected} there.`,
  })
}
