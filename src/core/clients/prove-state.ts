import { failureWords } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import { StateMismatchError } from '../base/errors/deposit.ts'
import { bytesToHex, type Hex, sameHex } from '../base/format/hex.ts'
import type { LookBlock } from '../chain/consensus/snapshot.ts'
import { useFastHasher as installFastHasher } from '../chain/deposit/fast-hasher.ts'
import type { Network } from '../chain/network/network.ts'
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
  anchorBlock,
  blockOfSnapshot,
  type Holding,
  holdsBlock,
  otherBlocks,
  reportedAt,
  type SnapshotClients,
  type SnapshotOptions,
} from './prove-validator.ts'

/** A whole beacon state whose root was recomputed and found in the execution chain. */
export type ProvenState<T> = {
  state: BeaconState
  /** Root of the header that holds the state's root. */
  blockRoot: Hex
  /** How many execution endpoints hold it. */
  anchors: number
  /** The execution block that carries the root: the one after the state's slot. */
  block: LookBlock
  /** What was asked of the same block beside it. */
  beside: T
}

/** The block of a proof, and whether a second endpoint has it, once that is known. */
export type AtBlock = { block: LookBlock; there: Promise<Holding> }

/** Why there is no proven state. */
export type Unproven = {
  /** In words that are safe to draw. */
  unproven: string
  /** Whether no answer was to be had in the first place: the node does not offer its state, or it is too large. */
  outOfReach: boolean
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
 * that is not the chain's is a StateMismatchError. Throws a `ClientError` when the first execution endpoint does not
 * answer.
 */
export async function proveState<T>(
  clients: SnapshotClients,
  options: Pick<SnapshotOptions, 'network' | 'clock'> & { beside: (at: AtBlock) => Promise<T> },
): Promise<ProvenState<T> | Unproven> {
  const { node, execution, second } = clients
  const { network, clock } = options
  const read = await readAtHead(clients, (block) => {
    const pace = { clock, slotMs: network.slotMs }
    const there = unawaited(holdsBlock(second, block, pace))
    return {
      there,
      beside: unawaited(options.beside({ block, there })),
      held: unawaited(getBeaconRoot(execution, { timestampSeconds: block.timestampSeconds })),
    }
  })
  if ('unproven' in read) return read
  const { state, header, block, asked } = read
  const version = bytesToHex(state.fork.currentVersion)
  if (!isKnownLayout(version)) return fault(`the state of fork ${version} has an unknown layout`)
  await checkState(state, header, { node: node.label, rest: () => clock.sleep(0) })
  const wrong = otherNetwork(state, network)
  if (wrong !== undefined) return fault(wrong)
  const blockRoot = headerRoot(header)
  const claim = { node: node.label, slot: header.slot, blockRoot }
  const anchors = await countAnchors(clients, { ...claim, block }, asked)
  if (typeof anchors !== 'number') return anchors
  return anchors === 0
    ? fault(`${execution.label} holds no beacon root for its latest block`)
    : { state, blockRoot, anchors, block, beside: await asked.beside }
}

/** What is under way while something else is awaited: where it fails, that is told when it is awaited itself. */
function unawaited<T>(reply: Promise<T>): Promise<T> {
  reply.catch(() => undefined)
  return reply
}

type Read<A> = { state: BeaconState; header: BeaconBlockHeader; block: LookBlock; asked: A }

/** A node that keeps few states may have dropped one while the head moved on: then the next one is asked for. */
async function readAtHead<A>(
  clients: SnapshotClients,
  ask: (block: LookBlock) => A,
): Promise<Read<A> | Unproven> {
  let before: bigint | undefined
  for (let attempt = 1; ; attempt += 1) {
    const head = await anchorBlock(clients)
    if ('unproven' in head) return fault(head.unproven)
    const block = blockOfSnapshot(head)
    const asked = ask(block)
    const found = await askNode(clients, block.number - 1n)
    if (!('unproven' in found)) return { ...found, block, asked }
    const hasMoved = before === undefined || block.number > before
    if (!found.gone || !hasMoved || attempt === MOST_ATTEMPTS) return found
    before = block.number
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
  throw new StateMismatchError({
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
  { execution, second }: SnapshotClients,
  claim: Claim,
  asked: { there: Promise<Holding>; held: Promise<Hex | undefined> },
): Promise<number | Unproven> {
  const there = await asked.there
  if (there === 'other') return fault(otherBlocks({ execution, second }, claim.block))
  if (!holdsRoot(execution, claim, await asked.held)) return 0
  if (second === undefined) return 1
  const { timestampSeconds } = claim.block
  const held = await reportedAt(second, asked.there, (client) => getBeaconRoot(client, { timestampSeconds }))
  return holdsRoot(second, { ...claim, confirmedBy: execution.label }, held) ? 2 : 1
}

/** Whether an endpoint holds the root, as another one may already; one that holds another root is a StateMismatchError. */
function holdsRoot(
  { label: holder }: ExecutionClient,
  { node, slot, blockRoot, confirmedBy }: Claim & { confirmedBy?: string },
  held: Hex | undefined,
): boolean {
  if (held === undefined) return false
  if (sameHex(held, blockRoot)) return true
  const where = { node, slot, ...(confirmedBy === undefined ? {} : { confirmedBy }) }
  throw new StateMismatchError({ ...where, what: 'root of the block', computed: blockRoot, holder, held })
}
