import { ClientError, isSilence } from '../base/errors/client.ts'
import { gweiToWei } from '../base/format/amount.ts'
import { type Hex, sameHex } from '../base/format/hex.ts'
import type { LookBlock, UncountedDeposit } from '../chain/consensus/snapshot.ts'
import { OPERATOR_UPDATED_TOPIC } from '../chain/deposit/abi.ts'
import { type KeyHistory, type MadeDeposit, type PastDeposit, pubkeyTopic } from '../chain/deposit/event.ts'
import { verifyDeposit } from '../chain/deposit/verify.ts'
import { type Counted, type KeyState, SLOTS_TO_COUNT } from '../chain/key-state/key-state.ts'
import type { Network } from '../chain/network/network.ts'
import { unlessSilent } from './ask-as-service.ts'
import { getBlockNumber } from './execution/blocks.ts'
import { getDepositCount } from './execution/call.ts'
import type { ExecutionClient } from './execution/client.ts'
import { type DepositLog, getDepositLogs } from './execution/deposit-logs.ts'
import { getLogs, type Log } from './execution/get-logs.ts'
import { getTransactionByHash } from './execution/transactions.ts'
import { headFrom, type Pace, type SnapshotClients } from './prove-validator.ts'
import { depositOf } from './read-uncounted.ts'

/**
 * The deposits for one key in a range of blocks, by the endpoint's word: `Deposit` has no indexed field, so all are read
 * and matched. `ofAll` is how many there were for anybody. Throws a `ClientError`.
 */
export async function keyDepositsIn(
  client: ExecutionClient,
  asked: { address: Hex; pubkey: Hex; fromBlock: bigint; toBlock: bigint },
): Promise<{ deposits: DepositLog[]; ofAll: number }> {
  const { address, pubkey, fromBlock, toBlock } = asked
  const all = await getDepositLogs(client, { address, fromBlock, toBlock })
  return { deposits: all.filter(({ event }) => sameHex(event.pubkey, pubkey)), ofAll: all.length }
}

/**
 * Returns the same in blocks after the given one, up to the head; undefined where the endpoint does not show that block yet,
 * and so cannot know what came after it. With a pace, one that is a little behind is waited for. Where it gives no events
 * and its contract has taken as many deposits at both blocks, there were none. Throws a `ClientError`.
 */
export async function keyDepositsAfter(
  client: ExecutionClient,
  { address, pubkey, block }: { address: Hex; pubkey: Hex; block: bigint },
  pace?: Pace,
): Promise<{ deposits: DepositLog[]; ofAll: number; toBlock: bigint } | undefined> {
  const fromBlock = block < 0n ? 0n : block + 1n
  const toBlock = await headFrom(client, block, pace)
  if (toBlock < block) return undefined
  try {
    return { ...(await keyDepositsIn(client, { address, pubkey, fromBlock, toBlock })), toBlock }
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || isSilence(thrown) || block < 0n) throw thrown
    const countAt = (at: bigint) =>
      unlessSilent(getDepositCount(client, { depositContract: address, block: at }))
    const [before, now] = await Promise.all([countAt(block), countAt(toBlock)])
    if (before === undefined || before !== now) throw thrown
    return { deposits: [], ofAll: 0, toBlock }
  }
}

/**
 * Returns the same with the transactions that made them, where the endpoint has those; none where it is behind: it is not left
 * out then, so that the others alone settle nothing. `taken`: how many deposits the contract had taken by the given block;
 * undefined is returned where the endpoint doesn't give all that came since, by the contract's count. Throws a `ClientError`.
 */
export async function madeDepositsAfter(
  client: ExecutionClient,
  asked: { address: Hex; pubkey: Hex; block: bigint; taken?: bigint | undefined },
): Promise<MadeDeposit[] | undefined> {
  const { address, taken } = asked
  const found = await keyDepositsAfter(client, asked)
  if (found === undefined) return []
  const { deposits, ofAll, toBlock } = found
  if (taken !== undefined) {
    const count = await getDepositCount(client, { depositContract: address, block: toBlock })
    if (count !== taken + BigInt(ofAll)) return undefined
  }
  return Promise.all(
    deposits.map(async ({ event, block, hash }) => {
      const found = await getTransactionByHash(client, { hash })
      const sender = found === undefined ? undefined : { from: found.from, nonce: found.nonce }
      const input = found?.to !== undefined && sameHex(found.to, address) ? found.input : undefined
      return { hash, block, valueWei: gweiToWei(event.amountGwei), event, input, sender }
    }),
  )
}

/** Deposits for one key, oldest first; `agreed` where every endpoint that was asked gives the same, and all that there are. */
export type RecentDeposits = {
  deposits: readonly UncountedDeposit[]
  agreed: boolean
  /** The endpoint that gives fewer events than the contract has taken, or doesn't say how many that are. */
  lacking?: string
  /** How many there were for anybody: as few as one slot takes never have to wait for one another. */
  ofAll: number
  fromBlock: bigint
  /** How many the contract had taken before that block, where that is known. */
  takenBefore?: bigint | undefined
}

/** The beginning of the list of an earlier look. */
type ListBegin = Pick<RecentDeposits, 'fromBlock' | 'takenBefore'>

/**
 * The deposits for one key in the last blocks up to `block`, by both execution endpoints: all that any of them gives. One
 * that does not answer agrees with nobody, and so does one whose events aren't as many as the contract has taken.
 * `begin` keeps the list of an earlier look, with later ones behind it. Throws a `ClientError` when the first endpoint
 * does not answer.
 */
export async function recentDeposits(
  { execution, second }: Pick<SnapshotClients, 'execution' | 'second'>,
  asked: {
    network: Network
    pubkey: Hex
    block: LookBlock
    /** Whether the state knows the key: only of another one a signature decides anything, and is judged. */
    isRegistered: boolean
    begin?: ListBegin | undefined
  },
): Promise<RecentDeposits> {
  const { network, pubkey, block, isRegistered } = asked
  const recent = block.number > SLOTS_TO_COUNT ? block.number - SLOTS_TO_COUNT : 0n
  const { fromBlock, takenBefore } = asked.begin ?? { fromBlock: recent }
  const range = { network, pubkey, isRegistered, fromBlock, toBlock: block.number, takenBefore }
  const [here, there] = await Promise.all([
    recentOf(execution, range),
    second && unlessSilent(recentOf(second, range)),
  ])
  const label = [here, there].find((one) => one?.isWhole === false)?.label
  const lacking = label === undefined ? {} : { lacking: label }
  const begin = { fromBlock, takenBefore: here.takenBefore }
  if (second === undefined) return { ...here, agreed: here.isWhole, ...begin, ...lacking }
  const missing = (there?.deposits ?? []).filter((one) => !here.deposits.some((known) => isSame(known, one)))
  const isEqual = there !== undefined && missing.length === 0 && there.ofAll === here.ofAll
  const deposits = [...here.deposits, ...missing].sort((a, b) => Number(a.index - b.index))
  const ofAll = Math.max(here.ofAll, there?.ofAll ?? 0)
  return { deposits, agreed: isEqual && label === undefined, ofAll, ...begin, ...(isEqual && lacking) }
}

/** Returns what waits of the recent deposits for a key, by how many of them its proven balance holds. */
export function uncountedOf(
  { deposits, agreed, lacking }: RecentDeposits,
  { least, most }: Counted,
): KeyState['uncounted'] {
  if (agreed && least === most) return { value: deposits.slice(most), level: { by: 'report' } }
  const perhaps = deposits.slice(least)
  if (lacking !== undefined) return { unknown: `${lacking} does not give all deposit events`, perhaps }
  const unknown = agreed
    ? 'whether the last deposits for this key are counted is not known yet'
    : 'the endpoints give other deposits for this key'
  return { unknown, perhaps }
}

async function recentOf(
  client: ExecutionClient,
  range: { network: Network; pubkey: Hex; isRegistered: boolean; toBlock: bigint } & ListBegin,
): Promise<Pick<RecentDeposits, 'deposits' | 'ofAll' | 'takenBefore'> & { label: string; isWhole: boolean }> {
  const { network, pubkey, isRegistered, fromBlock, toBlock } = range
  const address = network.spec.depositContract
  const countAt = (block: bigint) =>
    unlessSilent(getDepositCount(client, { depositContract: address, block }))
  const [{ deposits, ofAll }, takenBefore, taken] = await Promise.all([
    keyDepositsIn(client, { address, pubkey, fromBlock, toBlock }),
    // No transaction is in the first block of all.
    range.takenBefore ?? countAt(fromBlock === 0n ? 0n : fromBlock - 1n),
    countAt(toBlock),
  ])
  const knows = () => isRegistered
  return {
    deposits: deposits.map((one) => depositOf(one, { network, knows })),
    ofAll,
    takenBefore,
    label: client.label,
    isWhole: takenBefore !== undefined && taken === takenBefore + BigInt(ofAll),
  }
}

function isSame(a: UncountedDeposit, b: UncountedDeposit): boolean {
  return a.index === b.index && a.amountGwei === b.amountGwei && a.blockSlot === b.blockSlot
}

/**
 * Reads what happened to a key whose operator is set: one indexed query for who set it, then all deposits from that
 * block on, decoded and matched by key, each judged as consensus would judge a first deposit. Throws a `ClientError`.
 */
export async function readKeyHistory(
  client: ExecutionClient,
  args: { network: Network; pubkey: Hex; operator: Hex },
): Promise<KeyHistory> {
  const { network, pubkey, operator } = args
  const address = network.spec.depositContract
  const headBlock = await getBlockNumber(client)
  const updates = await getLogs(client, {
    address,
    topic: OPERATOR_UPDATED_TOPIC,
    indexed: pubkeyTopic(pubkey),
    fromBlock: 0n,
    toBlock: headBlock,
  })
  const [first] = updates
  const fromBlock = first?.blockNumber ?? 0n
  const { deposits: made } = await keyDepositsIn(client, { address, pubkey, fromBlock, toBlock: headBlock })
  const deposits = made.map((one) => pastDeposit(one, network))
  return { operator, setBy: origin(first), deposits, headBlock }
}

function origin(log: Log | undefined): KeyHistory['setBy'] {
  if (log?.blockNumber === undefined || log.transactionHash === undefined) return undefined
  return { blockNumber: log.blockNumber, transactionHash: log.transactionHash }
}

function pastDeposit({ event, block }: DepositLog, network: Network): PastDeposit {
  const { genesisValidatorsRoot, genesisForkVersion } = network
  const { amountGwei, withdrawalCredentials } = event
  const verdict = verifyDeposit({ ...event, genesisValidatorsRoot, genesisForkVersion })
  return {
    blockNumber: block,
    amountGwei,
    withdrawalCredentials,
    accepted: verdict.verdict === 'accepted',
  }
}
