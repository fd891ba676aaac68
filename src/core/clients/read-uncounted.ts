import { failureWords } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import { type Hex, sameHex } from '../base/format/hex.ts'
import type { Uncounted, UncountedDeposit } from '../chain/consensus/snapshot.ts'
import { verifyDeposit } from '../chain/deposit/verify.ts'
import type { Network } from '../chain/network/network.ts'
import { getDepositCount } from './execution/call.ts'
import type { ExecutionClient } from './execution/client.ts'
import { type DepositLog, getDepositLogs } from './execution/deposit-logs.ts'
import { proveLogs } from './execution/prove-account.ts'
import { getTransactionCount } from './execution/transactions.ts'
import { proveContract } from './prove-contract.ts'
import { type Anchor, type Holding, reportedAt } from './prove-validator.ts'
import type { SignedChain } from './signed/signed-chain.ts'

/** Blocks that are looked through from the head backwards, each piece with its width. */
const PIECES = [16n, 112n, 896n, 7168n]
/** More than ever wait: a chain takes 16 a block at least. */
const MOST_WAITING = 512n

/** How many deposits the contract has taken up to a block, and who says so. */
export type DepositCounts = {
  taken: bigint
  /** By the second endpoint, where that says it. */
  there: bigint | undefined
  /** Whether it's proven by the contract's storage at a signed block. */
  isProven: boolean
}

/**
 * Proves the count where the block is signed; else asks for both counts, the second endpoint once it is known to have the
 * block. Throws a `ClientError` when the first one does not answer.
 */
export async function countDeposits(
  anchor: Anchor,
  { network, there }: { network: Network; there: Promise<Holding> },
): Promise<DepositCounts> {
  const proven = await proveContract(anchor, { network })
  if (proven !== undefined) return { taken: proven.taken, there: undefined, isProven: true }
  const {
    execution,
    second,
    block: { number: block },
  } = anchor
  const asked = { depositContract: network.spec.depositContract, block }
  const ask = (client: ExecutionClient) => getDepositCount(client, asked)
  const [taken, other] = await Promise.all([ask(execution), reportedAt(second, there, ask)])
  return { taken, there: other, isProven: false }
}

/**
 * The deposits of anybody that the contract has taken up to `block` and a state has not counted yet, in the order of
 * their indexes. The state says how many it has counted (`eth1_deposit_index`), the contract how many it has taken
 * (`depositCount()`), and the events of those between have consecutive indexes, so only the last blocks are read. A
 * missing one means that the endpoint withholds it or lags, and so does another count, or another event, of a second
 * endpoint that has the block: unknown. An endpoint that can't give them all is replaced by the other one; what only that one
 * says is known where one is enough, or where the receipts of a signed block hold it.
 *
 * `knows` says whether the state holds a public key: only of another one the signature is verified.
 */
export async function readUncounted(
  { execution: client, second, signed: head, block: { number: block } }: Anchor,
  args: {
    network: Network
    /** The chain as its validator set signs it, and how many endpoints must give an event that isn't proven. */
    signed: SignedChain | undefined
    voices: number
    counts: DepositCounts
    countedDeposits: bigint
    knows: (pubkey: Hex) => boolean
    /** Lets the screen draw between two signatures. */
    rest: () => Promise<void>
  },
): Promise<Uncounted> {
  const { network, countedDeposits, knows, rest, signed, voices } = args
  const { depositContract } = network.spec
  const { taken, there, isProven } = args.counts
  if (there !== undefined && there !== taken) {
    const unknown = `${client.label} names ${taken} deposits, ${second?.label ?? ''} ${there}`
    return { unknown, perhaps: [] }
  }
  // A signed block makes one endpoint enough for the state, and not for what it merely says beside it.
  const isEnough = head === undefined || there !== undefined || voices === 1
  if (!isProven && !isEnough)
    return { unknown: `only ${client.label} says how many deposits there are`, perhaps: [] }
  const waiting = taken - countedDeposits
  if (waiting === 0n) return []
  if (waiting < 0n) {
    const unknown = `${client.label} names ${taken} deposits, fewer than the ${countedDeposits} counted`
    return { unknown, perhaps: [] }
  }
  if (waiting > MOST_WAITING) {
    return { unknown: `${waiting} deposits wait, more than can be looked at`, perhaps: [] }
  }
  const range = { depositContract, block, countedDeposits, taken }
  const [own, other] = await Promise.all([
    eventsOrWhy(client, range),
    second === undefined || (there === undefined && !isProven) ? undefined : eventsOrWhy(second, range),
  ])
  // Who can't give them all is replaced by the other one, whose word alone is not enough where two are needed.
  const isReplaced = second !== undefined && own.size < waiting && other?.size === Number(waiting)
  const [giver, found, others] = isReplaced
    ? [second, other, undefined]
    : [client, own, other?.why === undefined ? other : undefined]
  if (found.why !== undefined) return { unknown: found.why, perhaps: [] }
  let onlyWord: string | undefined
  const deposits: UncountedDeposit[] = []
  for (let index = countedDeposits; index < taken; index += 1n) {
    const log = found.get(index)
    const before = deposits.at(-1)
    if (log === undefined)
      return { unknown: `${giver.label} does not give the event of deposit ${index}`, perhaps: deposits }
    const deposit = depositOf(log, { network, knows })
    const isOneWord = others === undefined && voices > 1 && (isReplaced || head !== undefined)
    if (onlyWord === undefined && isOneWord && !(await isProvenEvent(giver, signed, log))) {
      const why = own.why === undefined ? '' : `: ${own.why}`
      onlyWord = `only ${giver.label} gives the event of deposit ${index}${why}`
    }
    if (others !== undefined && !isSameEvent(log, others.get(index))) {
      const unknown = `${client.label} and ${second?.label ?? ''} give other events of deposit ${index}`
      return { unknown, perhaps: deposits }
    }
    if (before !== undefined && deposit.blockSlot < before.blockSlot) {
      const unknown = `${client.label} gives the deposits ${before.index} and ${index} in the wrong order`
      return { unknown, perhaps: deposits }
    }
    deposits.push(deposit)
    await rest()
  }
  return onlyWord === undefined ? deposits : { unknown: onlyWord, perhaps: deposits }
}

/** Whether the receipts of a signed block hold an event. */
async function isProvenEvent(
  client: ExecutionClient,
  signed: SignedChain | undefined,
  { log, block }: DepositLog,
): Promise<boolean> {
  const answer = await signed?.blockAt(block)
  if (answer?.is !== 'signed') return false
  const logs = await proveLogs(client, answer.block.payload)
  return logs?.some(({ address, data }) => sameHex(address, log.address) && sameHex(data, log.data)) === true
}

type Events = ReadonlyMap<bigint, DepositLog> & { why?: string }

/** The same events; none, and why, where the endpoint doesn't give them. */
async function eventsOrWhy(client: ExecutionClient, asked: Parameters<typeof eventsIn>[1]): Promise<Events> {
  try {
    return await eventsIn(client, asked)
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    return Object.assign(new Map(), { why: failureWords(thrown) })
  }
}

/** The events of the deposits that are not counted yet, by their indexes, as an endpoint has them up to a block. */
async function eventsIn(
  client: ExecutionClient,
  asked: { depositContract: Hex; block: bigint; countedDeposits: bigint; taken: bigint },
): Promise<ReadonlyMap<bigint, DepositLog>> {
  const { depositContract, block, countedDeposits, taken } = asked
  const found = new Map<bigint, DepositLog>()
  let toBlock = block
  for (const width of PIECES) {
    const fromBlock = toBlock < width ? 0n : toBlock - width + 1n
    for (const one of await getDepositLogs(client, { address: depositContract, fromBlock, toBlock })) {
      const { index } = one.event
      if (index >= countedDeposits && index < taken) found.set(index, one)
    }
    if (BigInt(found.size) === taken - countedDeposits || fromBlock === 0n) break
    toBlock = fromBlock - 1n
  }
  return found
}

/** Whether two endpoints give the same event in the same block: of one alone the amount may be made up. */
function isSameEvent(a: DepositLog, b: DepositLog | undefined): boolean {
  return b !== undefined && a.log.data === b.log.data && a.block === b.block && a.hash === b.hash
}

/** Returns one event as a deposit that waits. */
export function depositOf(
  { event, block, hash }: DepositLog,
  { network, knows }: { network: Network; knows: (pubkey: Hex) => boolean },
): UncountedDeposit {
  const { genesisValidatorsRoot, genesisForkVersion } = network
  const { index, pubkey, withdrawalCredentials, amountGwei } = event
  const verdict = knows(pubkey)
    ? undefined
    : verifyDeposit({ ...event, genesisValidatorsRoot, genesisForkVersion })
  return {
    index,
    transactionHash: hash,
    // On this chain the slot of a block is its number.
    blockSlot: block,
    pubkey,
    withdrawalCredentials,
    amountGwei,
    signatureValid: verdict?.verdict === 'accepted',
  }
}

/** Returns the next nonce of an account, up to the head and with what waits in the pool. Throws a `ClientError`. */
export async function readNonces(
  client: ExecutionClient,
  { address }: { address: Hex },
): Promise<{ latest: number; pending: number }> {
  const [latest, pending] = await Promise.all([
    getTransactionCount(client, { address, block: 'latest' }),
    getTransactionCount(client, { address, block: 'pending' }),
  ])
  return { latest, pending }
}
