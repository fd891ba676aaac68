/** An amount of 10^-9 tokens. */
export type Gwei = bigint & { readonly __unit: 'gwei' }
/** An amount of 10^-18 tokens. */
export type Wei = bigint & { readonly __unit: 'wei' }

const GWEI_PER_TOKEN = 1_000_000_000n
const WEI_PER_GWEI = 1_000_000_000n

/** Brands a bigint that is already in gwei. */
export const gwei = (value: bigint): Gwei => value as Gwei
/** Brands a bigint that is already in wei. */
const wei = (value: bigint): Wei => value as Wei
/** Whole tokens as gwei. */
export const tokens = (value: bigint): Gwei => gwei(value * GWEI_PER_TOKEN)
/** The same amount in wei. */
export const gweiToWei = (value: Gwei): Wei => wei(value * WEI_PER_GWEI)

const AMOUNT = /^\d{1,8}(\.\d{1,9})?$/

/**
 * Reads an amount of tokens as a person types it: up to 8 digits, optionally a point and up to 9 decimals.
 * Commas, exponents, signs and other digit systems are refused: the answer is then undefined.
 */
export function parseTokens(text: string): Gwei | undefined {
  if (!AMOUNT.test(text)) return undefined
  const [whole = '0', fraction = ''] = text.split('.')
  return gwei(BigInt(whole) * GWEI_PER_TOKEN + BigInt(fraction.padEnd(9, '0')))
}

const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/

/**
 * The same, with commas between the thousands where there are any: `250,000` and `250000`, never `25,00`. Where else
 * commas stand, they may be meant as a point: the answer is then undefined.
 */
export function parseGroupedTokens(text: string): Gwei | undefined {
  return parseTokens(GROUPED.test(text) ? text.replaceAll(',', '') : text)
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

function decimal(value: bigint, decimals: number): string {
  const negative = value < 0n
  const digits = (negative ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = grouped(digits.slice(0, -decimals))
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Gwei as tokens with every digit that matters: `10,000` or `0.000000001`. */
export const formatGwei = (value: bigint): string => decimal(value, 9)
/** Wei as tokens with every digit that matters. */
export const formatWei = (value: bigint): string => decimal(value, 18)
/** A number of slots, blocks or epochs: `1,768,911`. */
export const formatCount = (value: bigint): string => grouped(value.toString())

/** A place in a row: `1st`, `12th`, `69th`. */
export function ordinal(place: number): string {
  const isTeen = place % 100 >= 11 && place % 100 <= 13
  return `${place}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}
