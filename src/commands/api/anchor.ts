import type { Clock } from '../../core/base/effects/effects.ts'
import { failureWords } from '../../core/base/errors/base.ts'
import { ClientError } from '../../core/base/errors/client.ts'
import { type Hex, sameHex } from '../../core/base/format/hex.ts'
import { type BeaconBlockHeader, headerRoot } from '../../core/chain/proofs/merkle.ts'
import type { ProofVerdict } from '../../core/chain/proofs/verify.ts'
import { getBlock } from '../../core/clients/execution/blocks.ts'
import type { ExecutionClient } from '../../core/clients/execution/client.ts'
import type { ProofMoment } from '../../core/clients/node/validator-proofs.ts'
import { isAnchored } from '../../core/clients/prove-validator.ts'
import type { Clients } from '../../core/observe/context.ts'
import { errorFacts } from '../../core/view/observation.ts'
import type { ReportRow } from '../report-lines.ts'
import { ROWS_TEXT } from '../rows-text.ts'

/** Something whose proof ends in the root of a header. */
export type Claim = {
  header: BeaconBlockHeader
  claimedRoot: Hex | undefined
  moment: ProofMoment
  verdict(): Promise<ProofVerdict>
}

export type Verification = {
  /** 0 not proven, 1 up to the header's root, 2 in the execution chain, 3 there in two endpoints. */
  level: 0 | 1 | 2 | 3
  /** The header's root, recomputed here. */
  blockRoot: Hex
  rows: ReportRow[]
}

type ClaimContext = { clients: Clients; clock: Clock; slotMs: number }

const SLOTS_TO_WAIT = 10
const NO_ROOT = 'holds no root for that block'

/**
 * Checks a proof up to the recomputed root of its header, then whether the execution chain holds that root (EIP-4788)
 * by one endpoint and by a second one. What cannot be asked is unknown, never good. Throws a `ClientError` when the
 * node cannot complete its proof.
 */
export async function verifyClaim(claim: Claim, context: ClaimContext): Promise<Verification> {
  const blockRoot = headerRoot(claim.header)
  const verdict = await claim.verdict()
  const { label: node } = context.clients.node
  const rows = [proofRow(verdict, claim, node)]
  if (claim.claimedRoot !== undefined && !sameHex(claim.claimedRoot, blockRoot)) {
    const value = 'is not the root of its own header'
    rows.push(row('claimed', 'claimed root', 'refused', value, claim.claimedRoot, node))
  }
  if (rows.some(({ mark }) => mark === 'refused')) return { level: 0, blockRoot, rows }
  const { execution, second } = context.clients
  const at = await timestampOf(claim, context)
  const first = await anchorRow('anchor', execution, { at, blockRoot })
  const other =
    second === undefined
      ? row('secondAnchor', 'second anchor', 'unasked', 'needs --second-execution')
      : await anchorRow('secondAnchor', second, { at, blockRoot })
  const anchored = first.mark === 'proven'
  const level = anchored && other.mark === 'proven' ? 3 : 2
  return { level: anchored ? level : 1, blockRoot, rows: [...rows, first, other] }
}

/** What the node gave, as it was recomputed here. */
function proofRow(verdict: ProofVerdict, { header }: Claim, node: string): ReportRow {
  const value = verdict.ok
    ? `holds up to the header's root, slot ${header.slot}`
    : `does not hold: ${verdict.reason}`
  return row('proof', ROWS_TEXT.proof, verdict.ok ? 'proven' : 'refused', value, undefined, node)
}

type ProofPlace = { at: bigint | undefined; blockRoot: Hex }

async function anchorRow(
  id: string,
  client: ExecutionClient,
  { at, blockRoot }: ProofPlace,
): Promise<ReportRow> {
  const label = id === 'anchor' ? ROWS_TEXT.anchor : 'second anchor'
  if (at === undefined) return row(id, label, 'unknown', 'has no block after it yet', undefined, client.label)
  try {
    const holds = await isAnchored(client, { timestampSeconds: at, blockRoot })
    if (holds === undefined) return row(id, label, 'unknown', NO_ROOT, undefined, client.label)
    const words = holds ? 'confirms the root' : 'names another root'
    return row(id, label, holds ? 'proven' : 'refused', words, blockRoot, client.label)
  } catch (thrown) {
    return row(id, label, 'unknown', failureWords(errorFacts(thrown)), undefined, client.label)
  }
}

/** Timestamp of the block after the header's: there the root lies. It may have to be waited for. */
async function timestampOf({ header, moment }: Claim, context: ClaimContext): Promise<bigint | undefined> {
  if (moment !== 'head' && 'nextBlockTimestampSeconds' in moment) return moment.nextBlockTimestampSeconds
  const { clock, slotMs } = context
  const deadline = clock.monotonicMs() + SLOTS_TO_WAIT * slotMs
  for (;;) {
    const next = await nextBlock(context.clients.execution, header.slot + 1n)
    if (next !== 'none') return next
    if (clock.monotonicMs() >= deadline) return undefined
    await clock.sleep(slotMs / 2)
  }
}

async function nextBlock(client: ExecutionClient, number: bigint): Promise<bigint | undefined | 'none'> {
  try {
    return (await getBlock(client, { block: number }))?.timestamp ?? 'none'
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}

function row(
  id: string,
  label: string,
  mark: ReportRow['mark'],
  value: string,
  long?: string,
  source = 'this computer',
): ReportRow {
  return { step: 'confirm', id, label, mark, value, source, ...(long === undefined ? {} : { long }) }
}
