import { formatGwei, type Gwei, parseGroupedTokens } from '../format/amount.ts'
import type { Network } from './network.ts'

/** Why the contract or the chain takes no deposit of this amount, or undefined where it does. */
export function amountError(
  amountGwei: bigint,
  { names, spec, minimumDepositGwei }: Network,
): string | undefined {
  const most = spec.maxEffectiveBalanceGwei
  if (amountGwei < minimumDepositGwei)
    return `The least is ${formatGwei(minimumDepositGwei)} ${names.token}: the contract takes no smaller deposit.`
  if (amountGwei > most)
    return `The most is ${formatGwei(most)} ${names.token}: a validator can hold no more.`
  return undefined
}

/** An amount of tokens as it is typed, commas between the thousands or none, or why no deposit can be made of it. */
export function typedAmount(text: string, network: Network): { amountGwei: Gwei } | { error: string } {
  const amountGwei = parseGroupedTokens(text.trim())
  if (amountGwei === undefined)
    return { error: 'Type digits, with a point for decimals: 10000, 10,000 or 10000.5.' }
  const error = amountError(amountGwei, network)
  return error === undefined ? { amountGwei } : { error }
}
