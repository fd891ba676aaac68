import { type Hex, sameHex, ZERO_ADDRESS } from '../base/format/hex.ts'
import { unlessSilent } from '../clients/ask-as-service.ts'
import { getDepositCount, getOperator, getQueuedOperator } from '../clients/execution/call.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import { getDepositLogs } from '../clients/execution/deposit-logs.ts'
import { epochIn, executionIn, isOfNow, type LookInput, type WatchQuestions } from './ask-input.ts'
import { knownOf, lastOf } from './observer.ts'
import type { DepositPicture, OperatorPicture } from './picture.ts'

/** Blocks that are looked through for deposits after a time in which nobody looked. */
const MOST_BLOCKS_BACK = 8192n

/** What the contract says: how many deposits it has taken, the new ones for the watched validators, and who manages them. */
export function contractQuestions({
  network,
  validators,
  isOwnTransaction,
}: LookInput): Pick<WatchQuestions, 'count' | 'arrivals' | 'operators'> {
  const { depositContract } = network.spec
  const pubkeys = validators.map(({ pubkey }) => pubkey)
  const arrivals = createArrivals({ network, pubkeys, isOwnTransaction })
  return {
    count: {
      needs: ['heads'],
      async ask(picture) {
        const execution = executionIn(picture)
        return execution && getDepositCount(execution.client, { depositContract, block: execution.height })
      },
    },
    arrivals: {
      needs: ['heads'],
      after: ['count'],
      async ask(picture, { depositsTo: from }) {
        const execution = executionIn(picture)
        const count = knownOf(picture.count)
        return execution && arrivals(execution.client, { from, block: execution.height, count })
      },
    },
    operators: {
      needs: ['heads'],
      due: (picture) => !isOfNow(lastOf(picture.operators), executionIn(picture), epochIn(picture, network)),
      async ask(picture) {
        const epoch = epochIn(picture, network)
        const execution = executionIn(picture)
        if (execution === undefined || epoch === undefined) return undefined
        const { client } = execution
        return {
          epoch,
          by: client.label,
          operators: await askOperators(client, { pubkeys, depositContract }),
        }
      },
    },
  }
}

/**
 * Asks for the deposits for the watched validators in blocks that no look has seen, up to `block`; undefined where that
 * cannot be told. While the contract has taken no more of them nothing is asked for; `count` is how many it had taken in
 * `block` itself, so that none is passed over that came with a later one. Throws a `ClientError`.
 */
function createArrivals({
  network,
  pubkeys,
  isOwnTransaction,
}: Pick<LookInput, 'network' | 'isOwnTransaction'> & { pubkeys: readonly Hex[] }) {
  const address = network.spec.depositContract
  /** How many there were when all were looked for, and by whom. */
  let counted: { to: bigint | undefined; by: string } | undefined
  return async (
    client: ExecutionClient,
    { from, block, count }: { from: bigint | undefined; block: bigint; count: bigint | undefined },
  ): Promise<ReadonlyMap<Hex, readonly DepositPicture[]> | undefined> => {
    const found = new Map<Hex, DepositPicture[]>()
    const isNews = count === undefined || count !== counted?.to || counted.by !== client.label
    if (from !== undefined && block < from) return undefined
    if (from !== undefined && from < block && isNews) {
      const oldest = block > MOST_BLOCKS_BACK ? block - MOST_BLOCKS_BACK : 0n
      const fromBlock = from + 1n > oldest ? from + 1n : oldest
      const made = await getDepositLogs(client, { address, fromBlock, toBlock: block })
      for (const { event, block: blockSlot, hash: transactionHash } of made) {
        const pubkey = pubkeys.find((each) => sameHex(event.pubkey, each))
        if (pubkey === undefined) continue
        const { index, amountGwei } = event
        const isOwn = isOwnTransaction(transactionHash)
        const before = found.get(pubkey) ?? []
        found.set(pubkey, [...before, { index, blockSlot, amountGwei, transactionHash, isOwn }])
      }
    }
    counted = { to: count, by: client.label }
    return found
  }
}

/** Who manages the rewards of each of these validators, and who is queued to. Left out is of whom nobody says it. */
async function askOperators(
  client: ExecutionClient,
  { pubkeys, depositContract }: { pubkeys: readonly Hex[]; depositContract: Hex },
): Promise<ReadonlyMap<Hex, OperatorPicture>> {
  const found = new Map<Hex, OperatorPicture>()
  for (const pubkey of pubkeys) {
    const asked = { depositContract, pubkey }
    const replies = await unlessSilent(
      Promise.all([getOperator(client, asked), getQueuedOperator(client, asked)]),
    )
    if (replies === undefined) continue
    const [operator, queued] = replies
    // Nobody has deposited for it yet: the first operator is no change.
    if (operator === ZERO_ADDRESS) continue
    found.set(pubkey, queued === undefined ? { operator } : { operator, queued })
  }
  return found
}
