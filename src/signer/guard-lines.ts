import { getAddress } from 'viem/utils'
import { formatWei } from '../core/base/format/amount.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { grouped, row } from './password-line.ts'
import type { Eip1559Transaction } from './read-transaction.ts'

/**
 * What the members of a guard are, in lines of at most 80 columns: everything but names is read from the transactions
 * themselves, which `checkMembers` let through.
 */
export function guardLines(
  members: readonly Eip1559Transaction[],
  { network, token, from, pubkey }: { network: string; token: string; from: Hex; pubkey: Hex },
): string[] {
  const rungs = members.slice(0, -1)
  const [least] = rungs
  const dearest = rungs.at(-1)
  if (least === undefined || dearest === undefined) return []
  const most = members.reduce((fee, { gas, maxFeePerGas }) => {
    const mostOfMember = gas * maxFeePerGas
    return mostOfMember > fee ? mostOfMember : fee
  }, 0n)
  return [
    ` Sign a guard of ${members.length} transactions with your keystore?`,
    '',
    ...row('network', [`${network}, chain ${least.chainId}`]),
    ...row('top-ups', [
      `${rungs.length} of ${formatWei(least.value)} to ${formatWei(dearest.value)} ${token}`,
      'sent later without asking; one at most',
    ]),
    ...row('most', [`${formatWei(dearest.value)} ${token} and ${formatWei(most)} ${token} fee, in all`]),
    ...row('cancellation', [`1 of 0 ${token} to the account itself`]),
    ...row('validator', grouped(pubkey)),
    ...row('contract', grouped(least.to)),
    ...row('paying account', grouped(getAddress(from))),
    ...row('nonce', [`${least.nonce}, the same for all: only one can ever happen`]),
  ]
}
