import type { LookBlock, UncountedDeposit } from '../consensus/survey.ts'
import type { Hex } from '../format/hex.ts'
import { type Counted, SLOTS_TO_COUNT } from '../key-state/counted.ts'
import type { KeyState } from '../key-state/key-state.ts'
import type { Network } from '../network/network.ts'
import type { ExecutionClient } from './execution/client.ts'
import { keyDepositsIn } from './key-deposits.ts'
import { depositOf } from './read-uncounted.ts'
import type { SurveyClients } from './survey-clients.ts'
import { unlessSilent } from './unless-silent.ts'

/** Deposits for one key, oldest first; `agreed` where every endpoint that was asked gives the same. */
export type RecentDeposits = {
  deposits: readonly UncountedDeposit[]
  agreed: boolean
  /** How many there were for anybody: as few as one slot takes never have to wait for one another. */
  ofAll: number
  fromBlock: bigint
}

/**
 * The deposits for one key in the last blocks up to `block`, by both execution endpoints: all that any of them gives. One
 * that does not answer agrees with nobody. `fromBlock` keeps the list of an earlier look, with later ones behind it.
 * Throws a `ClientError` when the first endpoint does not answer.
 */
export async function recentDeposits(
  { execution, second }: Pick<SurveyClients, 'execution' | 'second'>,
  asked: {
    network: Network
    pubkey: Hex
    block: LookBlock
    /** Whether the state knows the key: only of another one a signature decides anything, and is judged. */
    isRegistered: boolean
    fromBlock?: bigint | undefined
  },
): Promise<RecentDeposits> {
  const { network, pubkey, block, isRegistered } = asked
  const recent = block.number > SLOTS_TO_COUNT ? block.number - SLOTS_TO_COUNT : 0n
  const { fromBlock = recent } = asked
  const range = { network, pubkey, isRegistered, fromBlock, toBlock: block.number }
  const here = await recentOf(execution, range)
  if (second === undefined) return { ...here, agreed: true, fromBlock }
  const there = await unlessSilent(recentOf(second, range))
  const missing = (there?.deposits ?? []).filter((one) => !here.deposits.some((known) => isSame(known, one)))
  const agreed = there !== undefined && missing.length === 0 && there.ofAll === here.ofAll
  const deposits = [...here.deposits, ...missing].sort((a, b) => Number(a.index - b.index))
  return { deposits, agreed, ofAll: Math.max(here.ofAll, there?.ofAll ?? 0), fromBlock }
}

/** What waits of the recent deposits for a key, by how many of them its proven balance holds. */
export function uncountedOf(
  { deposits, agreed }: RecentDeposits,
  { least, most }: Counted,
): KeyState['uncounted'] {
  if (agreed && least === most) return { value: deposits.slice(most), level: { by: 'report' } }
  const unknown = agreed
    ? 'whether the last deposits for this key are counted is not known yet'
    : 'the endpoints give other deposits for this key'
  return { unknown, perhaps: deposits.slice(least) }
}

async function recentOf(
  client: ExecutionClient,
  range: { network: Network; pubkey: Hex; isRegistered: boolean; fromBlock: bigint; toBlock: bigint },
): Promise<Pick<RecentDeposits, 'deposits' | 'ofAll'>> {
  const { network, pubkey, isRegistered, fromBlock, toBlock } = range
  const address = network.spec.depositContract
  const { deposits, ofAll } = await keyDepositsIn(client, { address, pubkey, fromBlock, toBlock })
  const knows = () => isRegistered
  return { deposits: deposits.flatMap(({ log }) => depositOf(log, { network, knows }) ?? []), ofAll }
}

function isSame(a: UncountedDeposit, b: UncountedDeposit): boolean {
  return a.index === b.index && a.amountGwei === b.amountGwei && a.blockSlot === b.blockSlot
}
