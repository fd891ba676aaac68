import type { Gwei } from '../../format/amount.ts'
import { sameHex } from '../../format/hex.ts'
import type { Network } from '../../network/network.ts'

/** The eight characters that must be typed again, of the address typed before. */
export function challengeOf(address: string, offset: number): string {
  return address.slice(2 + offset, 2 + offset + 8)
}

/** Why the characters typed again are not those at that place of the address, or undefined when they are. */
export function retypeError(address: string | undefined, text: string, offset: number): string | undefined {
  const expected = challengeOf(address ?? '', offset)
  return sameHex(text.replace(/\s/g, ''), expected)
    ? undefined
    : 'These are not the characters at that place. Read them from your own record.'
}

/** Why an amount is not one of a first deposit, or undefined when it is; `undefined` is text that is no amount. */
export function amountError(amount: Gwei | undefined, network: Network): string | undefined {
  if (amount === undefined) return 'Type digits, with a point for decimals: 10000 or 10000.5. No commas.'
  if (amount < network.minimumDepositGwei) return 'Less than the contract takes in one deposit.'
  if (amount > network.spec.maxEffectiveBalanceGwei) return 'More than a validator can hold.'
  return undefined
}
