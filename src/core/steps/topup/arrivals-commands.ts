import { ClientError } from '../../base/errors/client.ts'
import { sameHex } from '../../base/format/hex.ts'
import { getBlockNumber } from '../../clients/execution/blocks.ts'
import { getTransactionByHash } from '../../clients/execution/transactions.ts'
import { keyDepositsIn } from '../../clients/key-deposits.ts'
import { clientsOf, type StepContext } from '../../observe/context.ts'
import type { WithGuards } from '../../pay/guard/book.ts'
import { draftOf } from '../../pay/payment/candidates.ts'
import type { Arrival, TopUpEvent, TopUpState } from './machine.ts'

type Here = StepContext<TopUpEvent, TopUpState> & WithGuards

/** Blocks that are looked at again, as an endpoint may lag behind what it said its head was. */
const BLOCKS_AGAIN = 4n

/**
 * Tells of every deposit for the key since the first payment of this journal, or since now where there is none, by the
 * first endpoint's word, block by block as they come. What is told sends nothing: it makes another offer of the one that is
 * on the screen. While the endpoint does not answer nobody knows, and it is asked again with the next look.
 */
export function arrivalReader(context: Here): () => Promise<void> {
  const { execution } = clientsOf(context)
  const { depositContract: address } = context.setup.network.spec
  let next: bigint | undefined
  const readOn = async () => {
    const { identity, validator } = context.facts()
    if (identity === undefined || validator === undefined) return
    const { arrivals, arrivalsRead: read } = context.getState()
    const toBlock = await getBlockNumber(execution)
    const fromBlock = next ?? firstUnread(context) ?? toBlock
    const { pubkey } = identity
    const { deposits } = await keyDepositsIn(execution, { address, pubkey, fromBlock, toBlock })
    const news: Arrival[] = []
    const guards = deposits.length === 0 ? [] : ((await context.guards()?.here()) ?? [])
    const ofGuards = new Set(guards.flatMap(({ state }) => state?.hashes ?? []))
    for (const { hash, block } of deposits) {
      if ([...arrivals, ...news].some((one) => sameHex(one.hash, hash))) continue
      const from = (await getTransactionByHash(execution, { hash }))?.from
      const paid = deposits.filter((one) => one.hash === hash)
      const amountGwei = paid.reduce((sum, { event }) => sum + event.amountGwei, 0n)
      news.push({ hash, block, amountGwei, from, ...(ofGuards.has(hash) && { byGuard: true as const }) })
    }
    next = toBlock > BLOCKS_AGAIN + fromBlock ? toBlock - BLOCKS_AGAIN : fromBlock
    if (news.length > 0 || read === undefined || read === 'failed')
      await context.dispatch({ step: 'topup', type: 'arrived', arrivals: news, upTo: toBlock })
  }
  return () =>
    readOn().catch(async (thrown: unknown) => {
      context.signal.throwIfAborted()
      if (!(thrown instanceof ClientError)) throw thrown
      if (context.getState().arrivalsRead !== 'failed')
        await context.dispatch({ step: 'topup', type: 'arrivals-failed' })
    })
}

/** Where reading goes on after the step was left, or begins: what came with the first payment is in its block. */
function firstUnread({ getState, facts }: Here): bigint | undefined {
  const { arrivalsRead: read, finished, send } = getState()
  if (typeof read === 'object') return read.upTo > BLOCKS_AGAIN ? read.upTo - BLOCKS_AGAIN : 0n
  const draft = draftOf(send)
  const own = [
    ...finished.map(({ blockNumber }) => blockNumber),
    ...(draft === undefined ? [] : [draft.baseline.blockNumber + 1n]),
  ]
  return facts().deposit?.blockNumber ?? own.toSorted((a, b) => Number(a - b))[0]
}
