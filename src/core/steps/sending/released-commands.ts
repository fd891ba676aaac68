import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { WalletError } from '../../errors/wallet.ts'
import type { Hex } from '../../format/hex.ts'
import { clientsOf } from '../clients-of.ts'
import type { World } from '../world.ts'
import { depositsSince, isBy, type MadeDeposit } from './deposits-commands.ts'
import type { PaymentRules } from './rules.ts'
import type { Prepared, SendEvent, SendState } from './state.ts'

/**
 * Looks whether a transaction that was handed out and given up was sent after all. Then it is the payment, and is told
 * as found. Throws a `WalletError` in that case, a `ClientError` where it cannot be found out: no other number may be
 * taken then.
 */
export async function requireReleasedUnused(
  world: World<SendEvent>,
  { released, settled }: SendState,
  { step }: PaymentRules,
): Promise<void> {
  const { execution, second } = clientsOf(world)
  const pubkey = world.facts().identity?.pubkey
  if (pubkey === undefined) return
  const clients = second === undefined ? [execution] : [execution, second]
  for (const { prepared } of released) {
    const { from, transaction } = prepared
    for (const client of clients) {
      if (await isUnused(client, prepared)) continue
      const deposits = await depositsSince(client, { prepared, pubkey })
      const own = deposits.find((deposit) => isBy(deposit, prepared) && !isSettled(deposit, settled))
      if (own?.hash === undefined) continue
      const { hash, valueWei } = own
      await world.dispatch({ step, type: 'found', from, nonce: transaction.nonce, hash, valueWei })
      throw new WalletError('in-use', 'What you had handed out before was sent after all.', {
        details: ['It is followed from now on; nothing else is sent.'],
        money: 'moved',
      })
    }
  }
}

/** Whether a number is still free; the calls of a contract account have none that could be looked at. */
async function isUnused(
  client: ExecutionClient,
  { from, transaction, contract }: Prepared,
): Promise<boolean> {
  if (contract === true) return false
  const used = await getTransactionCount(client, { address: from, block: 'latest' })
  return used <= transaction.nonce
}

const isSettled = ({ hash }: MadeDeposit, settled: readonly Hex[]): boolean =>
  hash !== undefined && settled.includes(hash)
