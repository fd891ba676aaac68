import { formatCount, type Wei, weiToGwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { ForkAhead } from '../../chain/consensus/fork-outlook.ts'
import type { Outlook } from '../../chain/consensus/outlook.ts'
import type { ProvenSnapshot } from '../../chain/consensus/snapshot.ts'
import type { Setup } from '../../chain/facts.ts'
import { isLost, type Own, ownRecord } from '../../chain/key-state/own.ts'
import { anchorsNeeded, isProof, MOST_SLOTS_APART } from '../../chain/network/network.ts'
import { forecastOutlook, lastBlockIn } from './forecasts.ts'
import { type GuardState, handedMember, phaseOf } from './guard.ts'
import { type GuardMember, ladderOf } from './terms.ts'

/** What one execution endpoint says in one look. Amounts in wei. */
export type EndpointLook = {
  endpoint: string
  chainId: number
  genesisHash: Hex
  /** keccak256 of the code at the deposit contract. */
  codeHash: Hex
  operator: Hex
  nonce: { latest: number; pending: number; final: number }
  balanceWei: Wei
  /** Base fee of its newest block. */
  baseFeeWei: Wei
  head: bigint
}

/** An endpoint’s answers, or that it gave none. */
export type SaidByEndpoint = EndpointLook | { endpoint: string; unknown: string }

/** What is proven of the account and the contract at a block that the validator set signed. */
export type ProvenFacts = { block: bigint; nonce: number; balanceWei: Wei; codeHash: Hex; operator: Hex }

/** What is the newest proven set, or why there is none. */
export type SetLook =
  | { snapshot: ProvenSnapshot; isRecent: boolean }
  /**
   * `isRefuted`: the node answered, and what it shows isn't what the validator set signed. `isOfNode`: the node gave no state.
   */
  | { unknown: string; isRefuted?: true; isOfNode?: true }

/** Everything that a guard decides by, asked anew in one slot. `atMs` is our own monotonic clock. */
export type GuardLook = {
  atMs: number
  set: SetLook
  /** In the order of the setup. */
  endpoints: readonly SaidByEndpoint[]
  /** Undefined where no signed evidence is to be had: then every endpoint must say the same. */
  facts?: ProvenFacts | undefined
  /** Whether the rules in force are known, and the forks that are scheduled; undefined where nobody tells. */
  forks: { isKnown: boolean; ahead: readonly ForkAhead[] } | undefined
  /** A payment for the validator from another account that is open here; `unknown` where that could not be read. */
  otherPayment: { from: Hex } | 'unknown' | undefined
  /** How the endpoints carried the transaction of a member out without a block; undefined while nobody asked. */
  dryRun: { member: number; results: readonly ('done' | 'refused' | 'unknown')[] } | undefined
}

/** What becomes of the validator if nothing else happens, by a proven set. */
type Need =
  | { is: 'unknown'; why: string }
  | { is: 'kept' }
  | { is: 'leaving' }
  | { is: 'out'; outAtEpoch: bigint; rescue: Outlook['rescue'] }

/** A rung that keeps the place, and the last block in which it does. */
type RungChoice = { member: number; rung: GuardMember; lastBlock: bigint }

/** An endpoint that a guard goes on without. */
type LeftOut = { endpoint: string; why: string }

/** One look at the world of a guard, as the rows of its tables see it. */
export type GuardPicture = {
  state: GuardState
  look: GuardLook
  setup: Setup
  members: readonly GuardMember[]
  /** The proven set, where so many endpoints hold it as are needed. */
  proven: ProvenSnapshot | undefined
  own: Own | undefined
  /** The newest proven block, and the one in which the danger was first proven of those since. */
  block: bigint | undefined
  since: bigint | undefined
  need: Need
  /** The endpoints that answered, with what is proven in the place of their word; those that contradict it are left out. */
  replies: readonly EndpointLook[]
  /** The endpoints that were left out, each with why. */
  leftOut: readonly LeftOut[]
  /** The member that was handed over last. */
  waiting: number | undefined
  /** The least rung that keeps the place, dear enough for a block of now and beyond the one that waits. */
  choice: RungChoice | undefined
}

/** Returns what a look shows of a guard; `since`: the proven block in which the danger was first seen, if it was. Pure. */
export function guardPicture(
  state: GuardState,
  look: GuardLook,
  { setup, since }: { setup: Setup; since: bigint | undefined },
): GuardPicture {
  const members = ladderOf(state.terms)
  const proven = provenIn(look, setup)
  const { replies, leftOut } = repliesOf(state, look)
  const { pubkey } = state.terms.validator
  const own = proven && ownRecord(proven, pubkey, setup)
  const need = needOf(look, proven, own, { pubkey, setup })
  const waiting = phaseOf(state) === 'handed-over' ? handedMember(state) : undefined
  const picture = {
    state,
    look,
    setup,
    members,
    proven,
    own,
    block: proven?.proof.block.number,
    since: need.is === 'out' ? (since ?? proven?.proof.block.number) : undefined,
    need,
    replies,
    leftOut,
    waiting,
    choice: undefined,
  }
  return { ...picture, choice: choiceOf(picture) }
}

/**
 * The endpoints that count. Where the account and the contract are proven at a signed block, one that contradicts the proof
 * with a block that isn't newer, or is of another chain, is left out; a silent one is needed no more. What nobody can prove,
 * a transaction in its pool, each of the others still says.
 */
function repliesOf(
  { terms }: GuardState,
  { endpoints, facts }: GuardLook,
): Pick<GuardPicture, 'replies' | 'leftOut'> {
  const answered = endpoints.filter((one): one is EndpointLook => !('unknown' in one))
  if (facts === undefined) return { replies: answered, leftOut: [] }
  const silent = endpoints.flatMap((one) => ('unknown' in one ? [{ ...one, why: one.unknown }] : []))
  const faults = answered.map((said) => faultOf(said, facts, terms.chain))
  const { codeHash, operator, balanceWei } = facts
  const replies = answered
    .filter((_, at) => faults[at] === undefined)
    .map((said) => ({
      ...said,
      codeHash,
      operator,
      balanceWei,
      nonce: { ...said.nonce, latest: latestOf(said, facts) },
    }))
  const refuted = answered.flatMap(({ endpoint }, at) =>
    faults[at] === undefined ? [] : [{ endpoint, why: faults[at] }],
  )
  return { replies, leftOut: [...silent, ...refuted] }
}

/** A proven nonce is final once it is used: a newer block of an endpoint may only use more. */
const latestOf = ({ head, nonce }: EndpointLook, facts: ProvenFacts): number =>
  head > facts.block && nonce.latest > facts.nonce ? nonce.latest : facts.nonce

function faultOf(
  said: EndpointLook,
  facts: ProvenFacts,
  chain: GuardState['terms']['chain'],
): string | undefined {
  const isOfChain =
    said.chainId === chain.executionChainId && sameHex(said.genesisHash, chain.executionGenesisHash)
  if (!isOfChain) return 'it is of another chain'
  if (said.head > facts.block) return undefined
  if (said.head + MOST_SLOTS_APART < facts.block) return `its head stays at block ${formatCount(said.head)}`
  return said.nonce.latest === facts.nonce ? undefined : 'it names another nonce than is proven'
}

/** The set that counts: held by every endpoint that is needed, and of now. */
function provenIn({ set }: GuardLook, setup: Setup): ProvenSnapshot | undefined {
  if ('unknown' in set || !set.isRecent) return undefined
  return isProof(set.snapshot.proof, anchorsNeeded(setup)) ? set.snapshot : undefined
}

function needOf(
  { set }: GuardLook,
  proven: ProvenSnapshot | undefined,
  own: Own | undefined,
  { pubkey, setup }: { pubkey: Hex; setup: Setup },
): Need {
  if (proven === undefined) return { is: 'unknown', why: 'unknown' in set ? set.unknown : 'anchors' }
  if ('unknown' in proven.uncounted) return { is: 'unknown', why: proven.uncounted.unknown }
  if (own === undefined) return { is: 'unknown', why: 'absent' }
  if (isLost(own)) return { is: 'leaving' }
  const { dropsOutAtEpoch, rescue } = forecastOutlook(proven, { pubkey, network: setup.network })
  return dropsOutAtEpoch === undefined ? { is: 'kept' } : { is: 'out', outAtEpoch: dropsOutAtEpoch, rescue }
}

/** Base fee of now, in wei: the least that an endpoint names, so that one alone drives no rung out. */
export function baseFeeOf({ replies }: Pick<GuardPicture, 'replies'>): Wei | undefined {
  return leastOf(replies.map(({ baseFeeWei }) => baseFeeWei))
}

const leastOf = (values: readonly bigint[]) => values.toSorted((one, other) => Number(one - other))[0]

/**
 * The least rung that keeps the place from the next block on and whose fee cap is above the base fee. One that waits is kept
 * to while it does both; else a dearer one is chosen.
 */
function choiceOf(picture: Omit<GuardPicture, 'choice'>): RungChoice | undefined {
  const { proven, need, members, setup, waiting, state } = picture
  if (proven === undefined || need.is !== 'out' || need.rescue === undefined) return undefined
  const about = { pubkey: state.terms.validator.pubkey, network: setup.network }
  const baseFeeWei = baseFeeOf(picture)
  // What leaves now is in a later block than every endpoint shows at least: no endpoint alone moves that on.
  const head = leastOf(picture.replies.map((said) => said.head)) ?? 0n
  for (const [member, rung] of members.entries()) {
    if (rung.kind !== 'rung' || member < (waiting ?? 0)) continue
    if (baseFeeWei === undefined || rung.transaction.maxFeePerGasWei < baseFeeWei) continue
    const addGwei = weiToGwei(rung.transaction.valueWei)
    if (addGwei < need.rescue.leastTopUpGwei) continue
    const lastBlock = lastBlockIn(proven, about, { addGwei, outAtEpoch: need.outAtEpoch })
    if (lastBlock !== undefined && lastBlock > head) return { member, rung, lastBlock }
  }
  return undefined
}
