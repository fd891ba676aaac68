import { getBlockNumber } from '../../clients/execution/blocks.ts'
import { getTransactionByHash } from '../../clients/execution/transactions.ts'
import { keyDepositsIn } from '../../clients/key-deposits.ts'
import { ClientError } from '../../errors/client.ts'
import { clientsOf, type World } from '../world.ts'
import type { Arrival, TopUpEvent } from './machine.ts'

/** Blocks that are looked at again, as an endpoint may lag behind what it said its head was. */
const BLOCKS_AGAIN = 4n

/**
 * Tells of every deposit for the key since the first one of this journal, or since now where the validator was adopted,
 * by the first endpoint's word, block by block as they come.
 * What is told decides nothing: it is there so that a payment by another hand is seen at once. An endpoint that does not
 * answer is asked again with the next look.
 */
export function watchArrivals(world: World<TopUpEvent>): { read: () => Promise<void> } {
  const { execution } = clientsOf(world)
  const { depositContract: address } = world.setup.network.spec
  const known = new Map<string, Arrival>()
  let next: bigint | undefined
  const readOn = async () => {
    const { identity, deposit, validator } = world.facts()
    if (identity === undefined || validator === undefined) return
    const toBlock = await getBlockNumber(execution)
    const fromBlock = next ?? deposit?.blockNumber ?? toBlock
    const { deposits } = await keyDepositsIn(execution, {
      address,
      pubkey: identity.pubkey,
      fromBlock,
      toBlock,
    })
    let isNew = false
    for (const { log, event, block } of deposits) {
      const hash = log.transactionHash
      const id = `${hash} ${event.index}`
      if (hash === undefined || known.has(id)) continue
      isNew = true
      const from = (await getTransactionByHash(execution, { hash }))?.from
      known.set(id, { hash, block, amountGwei: event.amountGwei, from })
    }
    next = toBlock > BLOCKS_AGAIN + fromBlock ? toBlock - BLOCKS_AGAIN : fromBlock
    if (isNew) await world.dispatch({ step: 'topup', type: 'arrived', arrivals: [...known.values()] })
  }
  return {
    async read() {
      try {
        await readOn()
      } catch (thrown) {
        world.signal.throwIfAborted()
        if (!(thrown instanceof ClientError)) throw thrown
      }
    },
  }
}
