import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { ClientError } from '../../errors/client.ts'
import { WalletError } from '../../errors/wallet.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { clientsOf } from '../clients-of.ts'
import type { World } from '../world.ts'
import { depositsSince, isBy, isCallOf, type MadeDeposit } from './deposits-commands.ts'
import { isOpen } from './phases.ts'
import type { PaymentRules } from './rules.ts'
import type { Prepared, SendEvent, SendState } from './state.ts'

type Released = SendState['released'][number]
/** What became of a transaction that was given up. */
type Fate =
  | { use: 'none' }
  | { use: 'waiting' }
  | { use: 'sent'; released: Released; hash: Hex; valueWei: bigint }

/**
 * Looks whether a transaction that was handed out and given up was sent after all. Then it is the payment, and is told
 * as found. Throws a `WalletError` in that case and while it may wait in a pool, a `ClientError` where it cannot be
 * found out: no other number may be taken then.
 */
export async function requireReleasedUnused(
  world: World<SendEvent>,
  state: SendState,
  { step }: PaymentRules,
): Promise<void> {
  const fate = await fateOfReleased(world, state)
  if (fate.use === 'none') return
  if (fate.use === 'waiting') {
    throw new WalletError('in-use', 'What you gave up before may have been sent.', {
      details: [
        'Its number waits in a pool, or not every endpoint has it yet. Nothing else is sent till then.',
      ],
      retryable: true,
      nextSteps: ['wait, then ask again'],
    })
  }
  const { released, hash, valueWei } = fate
  const { from, transaction } = released.prepared
  const { nonce, data } = transaction
  await world.dispatch({ step, type: 'found', from, nonce, hash, valueWei, data })
  throw new WalletError('in-use', 'What you had handed out before was sent after all.', {
    details: ['It is followed from now on; nothing else is sent.'],
    money: 'moved',
  })
}

/**
 * What became of the transactions that were given up; the first that was sent, or may be, counts. Sent is what every
 * endpoint has; one alone may have made it up, so it waits. One with the number of a payment whose bytes exist is no
 * other payment: of the two only one can happen. Throws a `ClientError` where it cannot be found out.
 */
export async function fateOfReleased(world: World<SendEvent>, state: SendState): Promise<Fate> {
  const { execution, second } = clientsOf(world)
  const pubkey = world.facts().identity?.pubkey
  if (pubkey === undefined) return { use: 'none' }
  const clients = second === undefined ? [execution] : [execution, second]
  for (const released of state.released) {
    const { prepared } = released
    if (isOpen(state) && state.prepared !== undefined && sharesNumber(prepared, state.prepared)) continue
    const fates = []
    for (const client of clients)
      fates.push(await fateAt(client, { prepared, pubkey, settled: state.settled }))
    if (fates.every((fate) => fate === 'none')) continue
    const [own] = fates
    if (typeof own !== 'object' || fates.some((fate) => typeof fate !== 'object' || fate.hash !== own.hash))
      return { use: 'waiting' }
    const twins = state.released.filter((one) => sharesNumber(one.prepared, prepared))
    const meant = twins.find((one) => isCallOf(own.made, one.prepared)) ?? released
    return { use: 'sent', released: meant, hash: own.hash, valueWei: own.made.valueWei }
  }
  return { use: 'none' }
}

type Own = { made: MadeDeposit; hash: Hex }
type Sought = { prepared: Prepared; pubkey: Hex; settled: readonly Hex[] }

/** What became of one that was given up, by the word of one endpoint. */
async function fateAt(client: ExecutionClient, sought: Sought): Promise<'none' | 'waiting' | Own> {
  const use = await numberUse(client, sought.prepared)
  return use === 'used' ? ((await ownDeposit(client, sought)) ?? 'none') : use
}

/** Whether a number is used, or may be soon; the calls of a contract account have none that could be looked at. */
async function numberUse(
  client: ExecutionClient,
  { from, transaction, contract }: Prepared,
): Promise<'none' | 'waiting' | 'used'> {
  if (contract === true) return 'used'
  const [latest, pending] = await Promise.all([
    getTransactionCount(client, { address: from, block: 'latest' }),
    getTransactionCount(client, { address: from, block: 'pending' }),
  ])
  if (latest > transaction.nonce) return 'used'
  return pending > transaction.nonce ? 'waiting' : 'none'
}

/** The deposit that a used number made; one of which nobody can say who sent it may be it. */
async function ownDeposit(
  client: ExecutionClient,
  { prepared, pubkey, settled }: Sought,
): Promise<Own | undefined> {
  const deposits = await depositsSince(client, { prepared, pubkey })
  const open = deposits.filter(({ hash }) => hash === undefined || !settled.includes(hash))
  const made = open.find((deposit) => isBy(deposit, prepared))
  if (made?.hash !== undefined) return { made, hash: made.hash }
  const unclear = prepared.contract !== true && open.some(({ sender }) => sender === undefined)
  if (made === undefined && !unclear) return undefined
  throw new ClientError('malformed', {
    service: 'execution RPC',
    endpoint: client.label,
    what: 'eth_getTransactionByHash',
    details: ['a deposit for this key is in a block, and its transaction cannot be found out'],
  })
}

const sharesNumber = (one: Prepared, other: Prepared): boolean =>
  one.contract !== true && sameHex(one.from, other.from) && one.transaction.nonce === other.transaction.nonce
