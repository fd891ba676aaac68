import type { Uncounted, UncountedDeposit } from '../consensus/survey.ts'
import { DEPOSIT_TOPIC } from '../deposit/abi.ts'
import { decodeDepositLog } from '../deposit/event.ts'
import { verifyDeposit } from '../deposit/verify.ts'
import type { Hex } from '../format/hex.ts'
import type { Network } from '../network/network.ts'
import { getDepositCount } from './execution/get-deposit-count.ts'
import { getLogs } from './execution/get-logs.ts'
import type { Log } from './execution/log.ts'
import type { SurveyClients } from './survey-clients.ts'
import { unlessSilent } from './unless-silent.ts'

/** Blocks that are looked through from the head backwards, each piece with its width. */
const PIECES = [16n, 112n, 896n, 7168n]
/** More than ever wait: a chain takes 16 a block at least. */
const MOST_WAITING = 512n

/**
 * The deposits of anybody that the contract has taken up to `block` and a state has not counted yet, in the order of
 * their indexes. The state says how many it has counted (`eth1_deposit_index`), the contract how many it has taken
 * (`depositCount()`), and the events of those between have consecutive indexes, so only the last blocks are read. A
 * missing one means that the endpoint withholds it or lags, and so does another count of a second endpoint that has
 * the block: unknown.
 *
 * `knows` says whether the state holds a public key: only of another one the signature is verified. Throws a
 * `ClientError`, and `deposit.bad-log` for an event that is none.
 */
export async function readUncounted(
  { execution: client, second }: Pick<SurveyClients, 'execution' | 'second'>,
  args: {
    network: Network
    block: bigint
    countedDeposits: bigint
    knows: (pubkey: Hex) => boolean
    /** Lets the screen draw between two signatures. */
    rest: () => Promise<void>
  },
): Promise<Uncounted> {
  const { network, block, countedDeposits, knows, rest } = args
  const { depositContract } = network.spec
  const taken = await getDepositCount(client, { depositContract, block })
  const there =
    second === undefined ? undefined : await unlessSilent(getDepositCount(second, { depositContract, block }))
  if (there !== undefined && there !== taken) {
    const unknown = `${client.label} names ${taken} deposits, ${second?.label ?? ''} ${there}`
    return { unknown, perhaps: [] }
  }
  const waiting = taken - countedDeposits
  if (waiting === 0n) return []
  if (waiting < 0n) {
    const unknown = `${client.label} names ${taken} deposits, fewer than the ${countedDeposits} counted`
    return { unknown, perhaps: [] }
  }
  if (waiting > MOST_WAITING) {
    return { unknown: `${waiting} deposits wait, more than can be looked at`, perhaps: [] }
  }
  const found = new Map<bigint, Log>()
  let toBlock = block
  for (const width of PIECES) {
    const fromBlock = toBlock < width ? 0n : toBlock - width + 1n
    const filter = { address: depositContract, topic: DEPOSIT_TOPIC, fromBlock, toBlock }
    for (const log of await getLogs(client, filter)) {
      const index = decodeDepositLog(log, depositContract)?.index
      if (index !== undefined && index >= countedDeposits && index < taken) found.set(index, log)
    }
    if (BigInt(found.size) === waiting || fromBlock === 0n) break
    toBlock = fromBlock - 1n
  }
  const deposits: UncountedDeposit[] = []
  for (let index = countedDeposits; index < taken; index += 1n) {
    const deposit = depositOf(found.get(index), { network, knows })
    const before = deposits.at(-1)
    if (deposit === undefined)
      return { unknown: `${client.label} does not give the event of deposit ${index}`, perhaps: deposits }
    if (before !== undefined && deposit.blockSlot < before.blockSlot) {
      const unknown = `${client.label} gives the deposits ${before.index} and ${index} in the wrong order`
      return { unknown, perhaps: deposits }
    }
    deposits.push(deposit)
    await rest()
  }
  return deposits
}

/** One event as a deposit; undefined for an event of another kind, or one that is in no block. */
export function depositOf(
  log: Log | undefined,
  { network, knows }: { network: Network; knows: (pubkey: Hex) => boolean },
): UncountedDeposit | undefined {
  if (log?.blockNumber === undefined || log.transactionHash === undefined) return undefined
  const event = decodeDepositLog(log, network.spec.depositContract)
  if (event === undefined) return undefined
  const { genesisValidatorsRoot, genesisForkVersion } = network
  const { index, pubkey, withdrawalCredentials, amountGwei } = event
  const verdict = knows(pubkey)
    ? undefined
    : verifyDeposit({ ...event, genesisValidatorsRoot, genesisForkVersion })
  return {
    index,
    transactionHash: log.transactionHash,
    // On this chain the slot of a block is its number.
    blockSlot: log.blockNumber,
    pubkey,
    withdrawalCredentials,
    amountGwei,
    signatureValid: verdict?.verdict === 'accepted',
  }
}
