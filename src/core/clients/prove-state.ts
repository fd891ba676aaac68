import { failureWords, unawaited } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import { depositError } from '../base/errors/deposit.ts'
import { bytesToHex, type Hex, sameHex } from '../base/format/hex.ts'
import type { LookBlock } from '../chain/consensus/snapshot.ts'
import { useFastHasher as installFastHasher } from '../chain/deposit/fast-hasher.ts'
import { engineSetOf } from '../chain/light/trust.ts'
import { anchorsNeeded, type Evidence, isProof, type Network } from '../chain/network/network.ts'
import type { BeaconState } from '../chain/proofs/beacon-state.ts'
import {
  type BeaconBlockHeader,
  headerRoot,
  isKnownLayout,
  type Rest,
  stateRoot,
} from '../chain/proofs/merkle.ts'
import { getBeaconRoot } from './execution/blocks.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getHeader } from './node/blocks.ts'
import { getDebugState } from './node/debug-state.ts'
import {
  type Anchor,
  anchorBlock,
  blockOfSnapshot,
  type Holding,
  holdsBlock,
  labelsOf,
  otherBlocks,
  reportedAt,
  type SnapshotClients,
  type SnapshotOptions,
  signedEvidence,
} from './prove-validator.ts'
import type { StatePace } from './state-pace.ts'

/** A whole beacon state whose root was recomputed and found in the execution chain. */
export type ProvenState<T> = {
  state: BeaconState
  /** Root of the header that holds the state's root. */
  blockRoot: Hex
  evidence: Evidence
  /** Who has the block of the proof. */
  anchor: Anchor
  /** The execution block that carries the root: the one after the state's slot. */
  block: LookBlock
  /** What was asked of the same block beside it. */
  beside: T
}

/** The block of a proof, who has it, and whether a second endpoint does, once that is known. */
export type AtBlock = { block: LookBlock; there: Promise<Holding>; anchor: Anchor }

/** Why there is no proven state. */
export type Unproven = {
  /** In words that are safe to draw. */
  unproven: string
  /** Whether no answer was to be had in the first place: the node does not offer its state, or it is too large. */
  outOfReach: boolean
  /** What is shown isn't what the validator set signed. */
  isRefuted?: true
  /** The node API gave no state. */
  isOfNode?: true
}

/** How often a state that went between two questions is asked for at a newer head. */
const MOST_ATTEMPTS = 5

/**
 * Reads the whole state before the head of the first execution endpoint, computes its root here, puts it into the header
 * of its slot and compares that header's root with what the execution chain holds for the block's timestamp (EIP-4788),
 * in the second endpoint too where there is one: it is waited for while it is a little behind. Nothing that the node
 * claims about roots is believed, no old state passes (see `anchorBlock`), and none of another network. What is asked
 * of a block by its number rests on no other answer: `beside` is asked at once with it, and no failure of it counts where
 * the state could not be proven.
 *
 * A state that is not offered, too large, gone or of an unknown layout is `unproven`, with the reason in words; one
 * that is not the chain's is `proofs.state-mismatch`. Throws a `ClientError` when the first execution endpoint does not
 * answer.
 */
export async function proveState<T>(
  clients: SnapshotClients,
  options: Pick<SnapshotOptions, 'network' | 'clock' | 'statePace'> & {
    beside: (at: AtBlock) => Promise<T>
  },
): Promise<ProvenState<T> | Unproven> {
  const { node } = clients
  const { network, clock, statePace } = options
  const paced: StatePace['ask'] = (work) => statePace?.ask(work) ?? work()
  const read = await readAtHead(clients, paced, (anchor) => {
    const block = blockOfSnapshot(anchor.block)
    const { execution, second, signed } = anchor
    const pace = { clock, slotMs: network.slotMs, ...(signed === undefined ? {} : { slotsToWait: 0 }) }
    const there = unawaited(holdsBlock(second, block, pace))
    const { timestampSeconds } = block
    return {
      there,
      beside: unawaited(options.beside({ block, there, anchor })),
      held: signed === undefined ? unawaited(getBeaconRoot(execution, { timestampSeconds })) : undefined,
    }
  })
  if ('unproven' in read) return read
  const { state, header, anchor, asked } = read
  const block = blockOfSnapshot(anchor.block)
  const version = bytesToHex(state.fork.currentVersion)
  if (!isKnownLayout(version)) return fault(`the state of fork ${version} has an unknown layout`)
  await paced(() => checkState(state, header, { node: node.label, rest: () => clock.sleep(0) }))
  const wrong = otherNetwork(state, network)
  if (wrong !== undefined) return fault(wrong)
  const blockRoot = headerRoot(header)
  const claim = { node: node.label, slot: header.slot, blockRoot }
  const evidence = evidenceOfRoot(anchor, claim) ?? (await countAnchors(anchor, { ...claim, block }, asked))
  if ('unproven' in evidence) return evidence
  if (evidence.anchors === 0 && evidence.signed === undefined)
    return fault(`${anchor.execution.label} holds no beacon root for its latest block`)
  if (evidence.signed === undefined)
    await beginSigned(clients, { state, stateRoot: header.stateRoot, evidence, network })
  return { state, blockRoot, evidence, anchor, block, beside: await asked.beside }
}

/** Begins to follow the signed chain with a set that endpoints proved, where no header of it is trusted yet. */
async function beginSigned(
  { signed, execution, second }: SnapshotClients,
  proven: { state: BeaconState; stateRoot: Hex; evidence: Evidence; network: Network },
): Promise<void> {
  const { state, stateRoot, evidence, network } = proven
  const { slotsPerEpoch } = network.spec
  // A change of the set is in force two blocks after an epoch turn.
  if (signed === undefined || state.slot % slotsPerEpoch < 2n) return
  if (!isProof(evidence, anchorsNeeded({ network, endpoints: labelsOf({ execution, second }) }))) return
  const validators = state.validators.map((record) => ({
    ...record,
    pubkey: bytesToHex(record.pubkey),
    effectiveBalanceGwei: record.effectiveBalance,
  }))
  await signed.beginWith({
    slot: state.slot,
    stateRoot,
    set: engineSetOf(validators, state.slot / slotsPerEpoch),
    from: [execution, second].flatMap((client) => (client === undefined ? [] : [client.label])).join(', '),
  })
}

/** The evidence of a signed block; undefined where it isn't signed. Throws `proofs.state-mismatch` for another root. */
function evidenceOfRoot(
  anchor: Anchor,
  { node, slot, blockRoot: computed }: Omit<Claim, 'block'>,
): Evidence | undefined {
  const found = signedEvidence(anchor)
  if (found === undefined || found.holds(computed)) return found?.evidence
  const holder = 'the validator set’s signature'
  throw depositError('proofs.state-mismatch', {
    node,
    slot,
    what: 'root of the block',
    computed,
    holder,
    held: found.root,
  })
}

type Read<A> = { state: BeaconState; header: BeaconBlockHeader; anchor: Anchor; asked: A }

/** A node that keeps few states may have dropped one while the head moved on: then the next one is asked for. */
async function readAtHead<A>(
  clients: SnapshotClients,
  paced: StatePace['ask'],
  ask: (anchor: Anchor) => A,
): Promise<Read<A> | Unproven> {
  let before: bigint | undefined
  for (let attempt = 1; ; attempt += 1) {
    const anchor = await anchorBlock(clients)
    if ('unproven' in anchor) return { outOfReach: false, ...anchor }
    const { number } = anchor.block
    const asked = ask(anchor)
    const found = await paced(() => askNode(clients, number - 1n))
    if (!('unproven' in found)) return { ...found, anchor, asked }
    const hasMoved = before === undefined || number > before
    if (!found.gone || !hasMoved || attempt === MOST_ATTEMPTS) return found
    before = number
  }
}

/** The number of anybody's chain id may be the same after a reset: the state itself names its genesis. */
function otherNetwork(state: BeaconState, { genesisValidatorsRoot }: Network): string | undefined {
  const root = bytesToHex(state.genesisValidatorsRoot)
  return sameHex(root, genesisValidatorsRoot)
    ? undefined
    : `the state is of the network with genesis root ${root}`
}

async function askNode(
  { node }: SnapshotClients,
  slot: bigint,
): Promise<{ state: BeaconState; header: BeaconBlockHeader } | (Unproven & { gone: boolean })> {
  try {
    const [header, state] = await Promise.all([
      getHeader(node, { block: slot }),
      getDebugState(node, { state: slot }),
    ])
    return { header, state }
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    const outOfReach = thrown.fault === 'not-offered' || thrown.fault === 'too-large'
    return {
      unproven: `whole state: ${failureWords(thrown)}`,
      outOfReach,
      isOfNode: true,
      gone: thrown.fault === 'not-found',
    }
  }
}

function fault(unproven: string): Unproven {
  return { unproven, outOfReach: false }
}

/** The state must be the one that its header names. */
async function checkState(
  state: BeaconState,
  header: BeaconBlockHeader,
  { node, rest }: { node: string; rest: Rest },
): Promise<void> {
  await installFastHasher()
  const computed = await stateRoot(state, rest)
  if (sameHex(computed, header.stateRoot) && state.slot === header.slot) return
  throw depositError('proofs.state-mismatch', {
    node,
    slot: header.slot,
    what: 'root of the state',
    computed,
    holder: 'its own header',
    held: header.stateRoot,
  })
}

type Claim = { node: string; slot: bigint; blockRoot: Hex; block: LookBlock }

/** How many endpoints hold the root; the first that holds another one ends it. */
async function countAnchors(
  { execution, second }: Pick<SnapshotClients, 'execution' | 'second'>,
  claim: Claim,
  asked: { there: Promise<Holding>; held: Promise<Hex | undefined> | undefined },
): Promise<Evidence | Unproven> {
  const there = await asked.there
  if (there === 'other') return fault(otherBlocks({ execution, second }, claim.block))
  if (!holdsRoot(execution, claim, await asked.held)) return { anchors: 0 }
  if (second === undefined) return { anchors: 1 }
  const { timestampSeconds } = claim.block
  const held = await reportedAt(second, asked.there, (client) => getBeaconRoot(client, { timestampSeconds }))
  return holdsRoot(second, { ...claim, confirmedBy: execution.label }, held) ? { anchors: 2 } : { anchors: 1 }
}

/** Whether an endpoint holds the root, as another one may already; one that holds another root is `proofs.state-mismatch`. */
function holdsRoot(
  { label: holder }: ExecutionClient,
  { node, slot, blockRoot, confirmedBy }: Claim & { confirmedBy?: string },
  held: Hex | undefined,
): boolean {
  if (held === undefined) return false
  if (sameHex(held, blockRoot)) return true
  const where = { node, slot, ...(confirmedBy === undefined ? {} : { confirmedBy }) }
  throw depositError('proofs.state-mismatch', {
    ...where,
    what: 'root of the block',
    computed: blockRoot,
    holder,
    held,
  })
}
