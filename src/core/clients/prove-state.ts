import { useFastHasher as installFastHasher } from '../deposit/fast-hasher.ts'
import { failureWords } from '../errors/base.ts'
import { ClientError } from '../errors/client.ts'
import { StateMismatchError } from '../errors/proofs.ts'
import { bytesToHex, type Hex, sameHex } from '../format/hex.ts'
import type { BeaconState } from '../proofs/beacon-state.ts'
import { type BeaconBlockHeader, headerRoot } from '../proofs/header.ts'
import { isKnownLayout } from '../proofs/known-layout.ts'
import { type Rest, stateRoot } from '../proofs/state-root.ts'
import { anchorBlock } from './anchor-block.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBeaconRoot } from './execution/get-beacon-root.ts'
import { getDebugState } from './node/get-debug-state.ts'
import { getHeader } from './node/get-headers.ts'
import type { SurveyClients } from './survey-clients.ts'

/** A whole beacon state whose root was recomputed and found in the execution chain. */
export type ProvenState = {
  state: BeaconState
  /** Root of the header that holds the state's root. */
  blockRoot: Hex
  /** How many execution endpoints hold it. */
  anchors: number
  /** The execution block that carries the root: the one after the state's slot. */
  block: bigint
}

/** Why there is no proven state. */
export type Unproven = {
  /** In words that are safe to draw. */
  unproven: string
  /** Whether no answer was to be had in the first place: the node does not offer its state, or it is too large. */
  outOfReach: boolean
}

/**
 * Reads the whole state before the latest execution block that both endpoints have, computes its root here, puts it
 * into the header of its slot and compares that header's root with what the execution chain holds for the block's
 * timestamp (EIP-4788), in the second endpoint too where there is one. Nothing that the node says about roots is
 * believed, and no old state passes (see `anchorBlock`).
 *
 * A state that is not offered, too large, gone or of an unknown layout is `unproven`, with the reason in words; one
 * that is not the chain's is a StateMismatchError. Throws a `ClientError` when the first execution endpoint does not
 * answer.
 */
export async function proveState(clients: SurveyClients, rest: Rest): Promise<ProvenState | Unproven> {
  const { node, execution, second } = clients
  const block = await anchorBlock(clients)
  if ('unproven' in block) return fault(block.unproven)
  const found = await askNode(clients, block.number - 1n)
  if ('unproven' in found) return found
  const { state, header } = found
  const version = bytesToHex(state.fork.currentVersion)
  if (!isKnownLayout(version)) return fault(`the state of fork ${version} has an unknown layout`)
  await checkState(state, header, { node: node.label, rest })
  const blockRoot = headerRoot(header)
  const anchors = await countAnchors([execution, ...(second === undefined ? [] : [second])], {
    node: node.label,
    slot: header.slot,
    blockRoot,
    timestampSeconds: block.timestamp,
  })
  return anchors === 0
    ? fault(`${execution.label} holds no beacon root for its latest block`)
    : { state, blockRoot, anchors, block: block.number }
}

async function askNode(
  { node }: SurveyClients,
  slot: bigint,
): Promise<{ state: BeaconState; header: BeaconBlockHeader } | Unproven> {
  try {
    const header = await getHeader(node, { block: slot })
    return { header, state: await getDebugState(node, { state: slot }) }
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    const outOfReach = thrown.fault === 'not-offered' || thrown.fault === 'too-large'
    return { unproven: `whole state: ${failureWords(thrown)}`, outOfReach }
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

/** How many endpoints hold the root; the first that holds another one ends it. */
async function countAnchors(
  endpoints: readonly ExecutionClient[],
  claim: { node: string; slot: bigint; blockRoot: Hex; timestampSeconds: bigint },
): Promise<number> {
  const { timestampSeconds, blockRoot: computed } = claim
  let anchors = 0
  for (const [place, client] of endpoints.entries()) {
    const held = await getBeaconRoot(client, { timestampSeconds }).catch((thrown: unknown) => {
      if (place === 0 || !(thrown instanceof ClientError)) throw thrown
    })
    if (held === undefined) {
      if (place === 0) return 0
    } else if (sameHex(held, computed)) anchors += 1
    else {
      const holder = client.label
      throw new StateMismatchError({ ...claim, what: 'root of the block', computed, holder, held })
    }
  }
  return anchors
}
