import type { Clock } from '../base/effects/effects.ts'
import { unawaited } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import type { Gwei } from '../base/format/amount.ts'
import { formatCount } from '../base/format/amount.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../base/format/hex.ts'
import type { LookBlock } from '../chain/consensus/snapshot.ts'
import type { Validator } from '../chain/consensus/state.ts'
import { percentOf } from '../chain/light/light-client.ts'
import { type Evidence, NEAR_SLOTS, type Network } from '../chain/network/network.ts'
import { headerRoot } from '../chain/proofs/merkle.ts'
import { type ProofVerdict, verifyValidator, verifyValidatorFields } from '../chain/proofs/verify.ts'
import { unlessSilent } from './ask-as-service.ts'
import { type ExecutionBlock, getBeaconRoot, getBlock, getBlockNumber } from './execution/blocks.ts'
import type { ExecutionClient } from './execution/client.ts'
import type { NodeClient } from './node/client.ts'
import {
  getValidatorBalanceProof,
  getValidatorCredentialsProof,
  getValidatorPubkeyProof,
} from './node/validator-proofs.ts'
import { getValidator, getValidators } from './node/validators.ts'
import type { SignedBlock, SignedChain } from './signed/signed-chain.ts'
import type { StatePace } from './state-pace.ts'

/** A validator's key, credentials and balance, proven up to one header root that was computed here. */
export type ValidatorProof = {
  verdict: ProofVerdict
  index: number
  slot: bigint
  /** The root of the header, recomputed; what the execution chain must hold. */
  blockRoot: Hex
  pubkey: Hex
  withdrawalCredentials: Hex
  balanceGwei: Gwei
  /** The hashes from the key up to the root, lowest first: they also bind the validator's epochs. */
  pubkeyProof: readonly Hex[]
}

/**
 * Asks for the three proofs of a validator as the execution block with `nextBlockTimestampSeconds` sees it, and
 * verifies them against one header: a balance counts only together with the key of the same index and root.
 * Nothing that the node claims about roots is used. Throws a `ClientError`.
 */
export async function proveValidator(
  node: NodeClient,
  args: { index: number; pubkey: Hex; nextBlockTimestampSeconds: bigint },
): Promise<ValidatorProof> {
  const question = {
    moment: { nextBlockTimestampSeconds: args.nextBlockTimestampSeconds },
    validatorIndex: args.index,
  }
  const [key, credentials, balance] = await Promise.all([
    getValidatorPubkeyProof(node, question),
    getValidatorCredentialsProof(node, question),
    getValidatorBalanceProof(node, question),
  ])
  const verdict = verifyValidator({
    header: key.header,
    index: BigInt(args.index),
    pubkey: { value: args.pubkey, proof: key.proof },
    credentials: { value: credentials.withdrawalCredentials, proof: credentials.proof },
    balance: { balanceGwei: balance.balanceGwei, leaf: balance.leaf, proof: balance.proof },
  })
  return {
    verdict,
    index: args.index,
    slot: key.header.slot,
    blockRoot: headerRoot(key.header),
    pubkey: args.pubkey,
    withdrawalCredentials: credentials.withdrawalCredentials,
    balanceGwei: balance.balanceGwei,
    pubkeyProof: key.proof,
  }
}

/**
 * Whether the execution chain holds exactly this root for the block with this timestamp (EIP-4788). undefined when
 * it holds none. Throws a `ClientError`.
 */
export async function isAnchored(
  execution: ExecutionClient,
  args: { timestampSeconds: bigint; blockRoot: Hex },
): Promise<boolean | undefined> {
  const held = await getBeaconRoot(execution, { timestampSeconds: args.timestampSeconds })
  return held === undefined ? undefined : sameHex(held, args.blockRoot)
}

/**
 * The record of a proven validator with every field as the proof binds it: the `claimed` one where it fits, else what
 * the node says of the proof's own slot. undefined where neither fits. Throws a `ClientError`.
 */
export async function proveRecord(
  node: NodeClient,
  { proof, claimed }: { proof: ValidatorProof; claimed: Validator },
): Promise<Validator | undefined> {
  const { pubkeyProof, slot, pubkey } = proof
  const fits = (fields: Validator) => verifyValidatorFields({ fields, pubkeyProof }).ok
  if (fits(claimed)) return claimed
  const [then] = await getValidators(node, { state: slot, ids: [pubkey] })
  return then !== undefined && fits(then.validator) ? then.validator : undefined
}

/**
 * Who is asked for a snapshot: the node for its state, the execution endpoints for the root they hold, and the chain as its
 * validator set signs it, where an engine serves that.
 */
export type SnapshotClients = {
  node: NodeClient
  execution: ExecutionClient
  second?: ExecutionClient | undefined
  signed?: SignedChain | undefined
}

/** The execution endpoints by their labels, as the rules about them want them. */
export const labelsOf = ({ execution, second }: Pick<SnapshotClients, 'execution' | 'second'>) => ({
  execution: execution.label,
  ...(second === undefined ? {} : { secondExecution: second.label }),
})

/** How long anything may be waited for: `slotsToWait` where it is not the usual time. */
export type Pace = { clock: Pick<Clock, 'monotonicMs' | 'sleep'>; slotMs: number; slotsToWait?: number }

export type SnapshotOptions = {
  /** Of a very large registry only those who may get a place in the active set are kept. */
  network: Network
  /** A validator that must not be left out, however large the registry is. */
  keep: Hex | undefined
  /** Others that must not be left out either. */
  alsoKeep?: readonly Hex[]
  /** Waits for a second endpoint that is behind, and lets the screen draw between the parts of long work. */
  clock: Pace['clock']
  /** How often who looks again and again may ask for what the node and this computer have work with. */
  statePace?: StatePace
}

/** How far the first endpoint may be behind another one that is asked at the same time. */
const MOST_BLOCKS_BEHIND = 5n
/** How long a second endpoint that is behind is waited for, and how far it may be behind for that. */
const SLOTS_TO_WAIT = 8

/** Why there is no block to anchor a proof in; `isRefuted`: what is shown isn't what the validator set signed. */
type Unanchored = { unproven: string; isRefuted?: true }

/** The block that a proof is anchored in, and who has it. */
export type Anchor = {
  block: ExecutionBlock
  /** The same block as the validator set signed it; undefined where no signed evidence is to be had. */
  signed: SignedBlock | undefined
  /** The execution endpoints that have the block or aren't contradicted; the first one has it. */
  execution: ExecutionClient
  second: ExecutionClient | undefined
  /**
   * Endpoints that contradict the signed block or stand still behind it, each with what it says, safe to draw. One that
   * answers late is added when it does.
   */
  leftOut: string[]
}

/**
 * Chooses the block whose beacon root is to be found: the head of the first execution endpoint, as the states of older ones
 * are soon gone. Where the validator set signed that block, no other endpoint has to agree: one that has another block, or
 * stands still while the signed chain goes on, is left out by name. Elsewhere the first endpoint may not lag behind the
 * second: a root of long ago is true and says nothing of now. `unproven` says why there is none. Throws a `ClientError`
 * when no endpoint answers.
 */
export async function anchorBlock(
  clients: Pick<SnapshotClients, 'execution' | 'second' | 'signed'>,
): Promise<Anchor | Unanchored> {
  const { execution, second, signed } = clients
  const headOf = (client: ExecutionClient) => unawaited(settled(getBlock(client, { block: 'latest' })))
  const heads = [headOf(execution), second === undefined ? undefined : headOf(second)] as const
  const claimed = await signed?.claimedHeight()
  if (signed !== undefined && claimed !== undefined) {
    const found = await signedAnchor(clients, { signed, claimed, heads })
    if (found !== undefined) return found
  }
  const [first, there] = [await heads[0], await heads[1]]
  if ('failure' in first) throw first.failure
  const [head, other] = [first.value, there && 'value' in there ? there.value : undefined]
  if (head === undefined || head.number === 0n) return { unproven: 'the chain has no block yet' }
  if (second !== undefined && other !== undefined && other.number > head.number + MOST_BLOCKS_BEHIND)
    return { unproven: `${execution.label} is ${other.number - head.number} blocks behind ${second.label}` }
  return { block: head, signed: undefined, execution, second, leftOut: [] }
}

type Head = { value: ExecutionBlock | undefined } | { failure: ClientError }

/** What came of a question: its answer, or the `ClientError` of an endpoint that gave none. */
async function settled(asked: Promise<ExecutionBlock | undefined>): Promise<Head> {
  try {
    return { value: await asked }
  } catch (thrown) {
    if (thrown instanceof ClientError) return { failure: thrown }
    throw thrown
  }
}

type LeftOut = { leftOut: string | undefined; isRefuted?: true }
type Fitting = { client: ExecutionClient; block: ExecutionBlock; signed: SignedBlock }

/**
 * The newest signed block that an execution endpoint has; undefined where there is no signed evidence. The second endpoint
 * is only waited for where the first one doesn't have a near block: it isn't needed for the proof.
 */
async function signedAnchor(
  { execution, second }: Pick<SnapshotClients, 'execution' | 'second'>,
  asked: { signed: SignedChain; claimed: bigint; heads: readonly (Promise<Head> | undefined)[] },
): Promise<Anchor | Unanchored | undefined> {
  const [head, there] = asked.heads
  const own = await fitting(execution, await head, asked)
  if (own === undefined || 'unproven' in own) return own
  if (second === undefined) return anchorOf([own])
  const isNear = 'client' in own && own.block.number + NEAR_SLOTS >= asked.claimed
  const fitOther = async () => fitting(second, await there, asked)
  if (isNear && (await isPending(there))) {
    const anchor = anchorOf([own])
    // It is named as soon as it answers, for who reads the evidence after that.
    if (anchor !== undefined && 'leftOut' in anchor)
      void unawaited(fitOther().then((other) => leaveOut(anchor, other)))
    return anchor
  }
  const other = await fitOther()
  return other === undefined || 'unproven' in other ? other : anchorOf([own, other])
}

function leaveOut({ leftOut }: Anchor, late: Awaited<ReturnType<typeof fitting>>): void {
  if (late !== undefined && 'leftOut' in late && late.leftOut !== undefined) leftOut.push(late.leftOut)
}

function anchorOf(all: readonly (Fitting | LeftOut)[]): Anchor | Unanchored | undefined {
  const leftOut = all.flatMap((one) => ('leftOut' in one && one.leftOut !== undefined ? [one.leftOut] : []))
  // The newest block first, and the own endpoint before another one that has the same.
  const [first, other] = all
    .flatMap((one) => ('client' in one ? [one] : []))
    .toSorted((a, b) => Number(b.block.number - a.block.number))
  const unproven = leftOut.join(', ')
  if (first === undefined && all.some((one) => 'isRefuted' in one)) return { unproven, isRefuted: true }
  if (first === undefined) return unproven === '' ? undefined : { unproven }
  const { block, signed, client: execution } = first
  return { block, signed, execution, second: other?.client, leftOut }
}

/** Whether a promise isn't settled yet. */
async function isPending(promise: Promise<unknown> | undefined): Promise<boolean> {
  const pending = Symbol('pending')
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending
}

/** Whether an endpoint has the block that the validator set signed, at its own head or at that of the engine. */
async function fitting(
  client: ExecutionClient,
  found: Head | undefined,
  { signed, claimed }: { signed: SignedChain; claimed: bigint },
): Promise<Fitting | LeftOut | Unanchored | undefined> {
  const head = found && 'value' in found ? found.value : undefined
  if (head === undefined) return { leftOut: undefined }
  const name = endpointName(client.label)
  // What an engine merely claims leaves nobody out.
  if (head.number + MOST_BLOCKS_BEHIND < claimed && (await signed.blockAt(claimed)).is === 'signed')
    return { leftOut: `${name} stays at block ${formatCount(head.number)}` }
  const height = head.number > claimed ? claimed : head.number
  const answer = await signed.blockAt(height)
  if (answer.is === 'contradicted') return { unproven: answer.why, isRefuted: true }
  if (answer.is === 'unavailable') return undefined
  const block = head.number === height ? head : await unlessSilent(getBlock(client, { block: height }))
  if (block === undefined) return { leftOut: undefined }
  if (isSignedBlock(answer.block, block)) return { client, block, signed: answer.block }
  return { leftOut: `${name} has another block ${formatCount(height)}`, isRefuted: true }
}

/** What the set's signature of an anchor bears out: the root of the beacon block before it. */
export function signedEvidence({
  signed,
  leftOut,
}: Anchor): { evidence: Evidence; root: Hex; holds(blockRoot: Hex): boolean } | undefined {
  if (signed === undefined) return undefined
  const { height, share, by, parentRoot: root } = signed
  return {
    evidence: { anchors: 0, signed: { height, percent: percentOf(share), by, leftOut } },
    root,
    holds: (blockRoot) => sameHex(blockRoot, root),
  }
}

/** Whether an execution block is the one that the validator set signed. */
const isSignedBlock = ({ payload }: SignedBlock, { number, hash, timestamp }: ExecutionBlock): boolean =>
  payload.number === number && sameHex(payload.hash, hash) && payload.timestampSeconds === timestamp

/** Whether an endpoint has the very same block of a number, another one, none yet, or gives no answer. */
export type Holding = 'same' | 'other' | 'behind' | 'silent'

/**
 * Whether a second endpoint has the very same block. One that is a little behind is waited for, for eight
 * slots at most; the beacon root of a block is to be had for 8,191 blocks. One that is further behind is not. Where there is no
 * second one nobody answers.
 */
export async function holdsBlock(
  second: ExecutionClient | undefined,
  block: LookBlock,
  { clock, slotMs, slotsToWait = SLOTS_TO_WAIT }: Pace,
): Promise<Holding> {
  if (second === undefined) return 'silent'
  const mayWait = waiter({ clock, slotMs, slotsToWait })
  for (;;) {
    const [head, there] = await Promise.all([
      unlessSilent(getBlockNumber(second)),
      unlessSilent(getBlock(second, { block: block.number })),
    ])
    if (head === undefined) return 'silent'
    if (there !== undefined)
      return sameHex(there.hash, block.hash) && there.timestamp === block.timestampSeconds ? 'same' : 'other'
    if (!(await mayWait(head, block.number))) return 'behind'
  }
}

/**
 * Returns the height of an endpoint's head; one that is a little behind a block is waited for, for eight slots at most, where
 * there is a pace. Throws a `ClientError`.
 */
export async function headFrom(client: ExecutionClient, block: bigint, pace?: Pace): Promise<bigint> {
  const mayWait = pace === undefined ? undefined : waiter(pace)
  for (;;) {
    const head = await getBlockNumber(client)
    if (head >= block || !(await mayWait?.(head, block))) return head
  }
}

/** Waits half a slot for a head that is a little behind a block; false, at once, where it is not worth it or took too long. */
function waiter({ clock, slotMs, slotsToWait = SLOTS_TO_WAIT }: Pace) {
  const deadlineMs = clock.monotonicMs() + slotsToWait * slotMs
  return async (head: bigint, block: bigint): Promise<boolean> => {
    const isNear = head + BigInt(SLOTS_TO_WAIT) >= block
    if (!isNear || clock.monotonicMs() + slotMs / 2 > deadlineMs) return false
    await clock.sleep(slotMs / 2)
    return true
  }
}

/** Says that two endpoints have another block each at this height. */
export const otherBlocks = (
  { execution, second }: { execution: ExecutionClient; second?: ExecutionClient | undefined },
  { number }: Pick<LookBlock, 'number'>,
): string => `${execution.label} and ${second?.label ?? ''} have another block ${formatCount(number)} each`

/** What a second endpoint says of a block, once it is known to have that very one; undefined where it has not, or does not say. */
export async function reportedAt<T>(
  second: ExecutionClient | undefined,
  there: Promise<Holding>,
  ask: (second: ExecutionClient) => Promise<T>,
): Promise<T | undefined> {
  return second === undefined || (await there) !== 'same' ? undefined : unlessSilent(ask(second))
}

/**
 * Proves the validator that the node has at an index, at the head of the execution endpoint, which is asked for where it is not
 * given; undefined where there is none. Its root is what `isAnchored` is asked for. Throws a `ClientError`.
 */
export async function proveAtHead(
  { node, execution }: Pick<SnapshotClients, 'node' | 'execution'>,
  { index, head }: { index: number; head?: ExecutionBlock | undefined },
): Promise<{ proof: ValidatorProof; timestampSeconds: bigint } | undefined> {
  const [record, latest] = await Promise.all([
    getValidator(node, { state: 'head', id: index }),
    head ?? getBlock(execution, { block: 'latest' }),
  ])
  if (record === undefined || latest === undefined) return undefined
  const { timestamp: timestampSeconds } = latest
  const { pubkey } = record.validator
  const proof = await proveValidator(node, { index, pubkey, nextBlockTimestampSeconds: timestampSeconds })
  return { proof, timestampSeconds }
}

/** Returns what of a block is compared and kept. */
export function blockOfSnapshot({ number, hash, timestamp }: ExecutionBlock): LookBlock {
  return { number, hash, timestampSeconds: timestamp }
}
