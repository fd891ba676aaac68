import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { WalletError } from '../../errors/wallet.ts'
import { clientsOf } from '../clients-of.ts'
import type { World } from '../world.ts'
import { depositsSince, isBy } from './deposits-commands.ts'
import type { PaymentRules } from './rules.ts'
import type { SendEvent, SendState } from './state.ts'

/**
 * Looks whether a transaction that was handed out and given up was sent after all. Then it is the payment, and is told
 * as found. Throws a `WalletError` in that case, a `ClientError` where it cannot be found out: no other number may be
 * taken then.
 */
export async function requireReleasedUnused(
  world: World<SendEvent>,
  { released }: SendState,
  { step }: PaymentRules,
): Promise<void> {
  const { execution, second } = clientsOf(world)
  const pubkey = world.facts().identity?.pubkey
  if (pubkey === undefined) return
  const clients = second === undefined ? [execution] : [execution, second]
  for (const { prepared } of released) {
    const { from, transaction } = prepared
    for (const client of clients) {
      const used = await getTransactionCount(client, { address: from, block: 'latest' })
      if (used <= transaction.nonce) continue
      const deposits = await depositsSince(client, { prepared, pubkey })
      const own = deposits.find((deposit) => isBy(deposit, prepared))
      if (own?.hash === undefined) continue
      const { hash, valueWei } = own
      await world.dispatch({ step, type: 'found', from, nonce: transaction.nonce, hash, valueWei })
      throw new WalletError('in-use', 'The transaction that you gave up was sent after all.', {
        details: ['It is followed from now on; nothing else is sent.'],
        money: 'moved',
      })
    }
  }
}
