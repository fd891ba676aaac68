import { numberToHex } from 'viem'

/** What a call gave in hex, as a number. */
export const big = (value: unknown): bigint => BigInt(value as string)

/** A number in hex, moved by so much; never below zero. */
export const moved = (value: unknown, by: bigint): string => {
  const sum = big(value) + by
  return numberToHex(sum < 0n ? 0n : sum)
}

export const hex = (value: bigint | number): string => numberToHex(value)

/** A word of 32 bytes with this number. */
export const word = (value: bigint | number): string => numberToHex(value, { size: 32 })

export const FALSE_HASH = `0x${'ab'.repeat(32)}`

export type Fields = Readonly<Record<string, unknown>>

/** Fields of what a service gave, with some of them made otherwise; what is not there stays so. */
export const withFields = (value: unknown, change: (fields: Fields) => Fields): unknown =>
  value === null || typeof value !== 'object' ? value : { ...value, ...change(value as Fields) }

/** The fields of a parameter; none where it is something else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
