import { ClientError, type ClientFault } from '../../base/errors/client.ts'
import { depositError } from '../../base/errors/deposit.ts'
import { isSameServer } from '../../base/format/endpoint-url.ts'
import { sameHex } from '../../base/format/hex.ts'
import { FAR_FUTURE_EPOCH, type Validator } from '../../chain/consensus/state.ts'
import type { NewestHead, NodeDoubt } from '../../chain/network/standstill.ts'
import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getBlockNumber, holdsTransaction } from '../../clients/execution/blocks.ts'
import { getBalance } from '../../clients/execution/chain.ts'
import { type ExecutionClient, notFound } from '../../clients/execution/client.ts'
import { getDepositReceipt } from '../../clients/execution/transactions.ts'
import { watchNode } from '../../clients/heads.ts'
import { getNodeSyncing } from '../../clients/node/node.ts'
import { getValidators } from '../../clients/node/validators.ts'
import {
  anchorBlock,
  blockOfSnapshot,
  holdsBlock,
  isAnchored,
  proveRecord,
  proveValidator,
  signedEvidence,
  type ValidatorProof,
} from '../../clients/prove-validator.ts'
import { asker, type CommandContext, clientsOf } from '../../observe/context.ts'
import { known } from '../../view/observation.ts'
import {
  CONFIRM_FACTS,
  CONFIRM_TEXT,
  type ConfirmAnswers,
  type EventFound,
  eventText,
  type RecordFault,
} from './facts.ts'
import { type ConfirmEvent, type ConfirmState, registrationFact } from './machine.ts'

/** Asks until the registration is proven; each round asks only what is not settled yet. */
export async function runConfirm(
  context: CommandContext<ConfirmEvent>,
  getState: () => ConfirmState,
): Promise<void> {
  const { clock } = context.effects
  await context.dispatch({ step: 'confirm', type: 'waiting', sinceMs: clock.monotonicMs() })
  const { execution, second } = clientsOf(context)
  const { slotMs } = context.setup.network
  let newest: NewestHead | undefined
  let isProven = false
  const hearing = () => ({ newest: newest, failing: getState().observed.beacon.status === 'failed' })
  const tell = (doubt: NodeDoubt | undefined) => context.dispatch({ step: 'confirm', type: 'doubted', doubt })
  const over = () => isProven
  const doubts = watchNode({ execution, second, clock, slotMs, hearing, over, tell })
  const rounds = async () => {
    for (;;) {
      await askRound(context, getState, (slot) => {
        const atMs = clock.monotonicMs()
        newest = newest?.slot === slot ? { ...newest, atMs } : { slot, sinceMs: atMs, atMs }
      })
      isProven = registrationFact(getState(), context.facts(), context.setup) !== undefined
      if (isProven) return
      await clock.sleep(slotMs)
    }
  }
  await Promise.all([rounds(), doubts])
}

async function askRound(
  context: CommandContext<ConfirmEvent>,
  getState: () => ConfirmState,
  hear: (headSlot: bigint) => void,
): Promise<void> {
  const { execution, second, node, signed } = clientsOf(context)
  const { endpoints } = context.setup
  const { identity, deposit } = context.facts()
  if (identity === undefined) return
  const ask = asker<ConfirmAnswers>(context, CONFIRM_FACTS, (entry) =>
    context.dispatch({ step: 'confirm', type: 'observed', ...entry }),
  )
  const { observed } = getState()
  await Promise.all([
    deposit !== undefined &&
      known(observed.event) === undefined &&
      ask('event', () => agreedEvent(context, { execution, second })),
    deposit !== undefined &&
      deposit.contract !== true &&
      known(observed.balance) === undefined &&
      ask('balance', () => balanceOf(context, execution)),
  ])
  let claimed: Validator | undefined
  const beacon = await ask('beacon', async () => {
    const [record] = await getValidators(node, { state: 'head', ids: [identity.pubkey] })
    claimed = record?.validator
    hear((await getNodeSyncing(node)).headSlot)
    if (record === undefined) return 'absent'
    const { index, balanceGwei, status, validator } = record
    const exiting = validator.exitEpoch !== FAR_FUTURE_EPOCH
    return { index, balanceGwei, status, exiting, withdrawalCredentials: validator.withdrawalCredentials }
  })
  if (beacon === undefined || beacon === 'absent') return
  const anchored = await unlessSilent(anchorBlock({ execution, second, signed }))
  if (anchored === undefined) return
  if ('unproven' in anchored) {
    await ask('signed', async () => ({ unproven: anchored.unproven }))
    return
  }
  const { block: latest } = anchored
  const timestampSeconds = latest.timestamp
  let proof: ValidatorProof | undefined
  await ask('proofs', async () => {
    const at = { index: beacon.index, pubkey: identity.pubkey, nextBlockTimestampSeconds: timestampSeconds }
    proof = await proveValidator(node, at)
    const record = claimed && proof.verdict.ok ? await proveRecord(node, { proof, claimed }) : undefined
    return judgeProof(context, { proof, record })
  })
  if (proof === undefined) return
  const { blockRoot } = proof
  const evidence = signedEvidence(anchored)
  await ask(
    'signed',
    async () => {
      const { why = CONFIRM_TEXT.unread.signature } = signed.standing()
      if (evidence?.evidence.signed === undefined) return { unavailable: why }
      return { holds: evidence.holds(blockRoot), blockRoot, signed: evidence.evidence.signed }
    },
    evidence?.evidence.signed?.by,
  )
  if (evidence !== undefined) return
  const anchor = async (client: ExecutionClient): Promise<ConfirmAnswers['anchor']> => {
    const holds = await isAnchored(client, { timestampSeconds, blockRoot })
    if (holds === undefined) throw notFound(client, CONFIRM_TEXT.unread.root)
    return { holds, blockRoot }
  }
  await ask('anchor', () => anchor(execution))
  const { execution: first, secondExecution = first } = endpoints
  // The same server asked twice is not a second opinion.
  if (second !== undefined && !isSameServer(first, secondExecution)) {
    const { clock } = context.effects
    // While it is waited for, the own node is listened to as before.
    const sleep = async (delayMs: number) => {
      await clock.sleep(delayMs)
      const syncing = await unlessSilent(getNodeSyncing(node))
      if (syncing !== undefined) hear(syncing.headSlot)
    }
    await ask('secondAnchor', async () => {
      const pace = { clock: { ...clock, sleep }, slotMs: context.setup.network.slotMs }
      await holdsBlock(second, blockOfSnapshot(latest), pace)
      return anchor(second)
    })
  }
}

/**
 * What the first endpoint gives as the event; where that is not what was signed, the second one is asked, too. Of two
 * receipts of one transaction at least one is false, so nothing is said of the contract then.
 */
async function agreedEvent(
  context: CommandContext<ConfirmEvent>,
  { execution, second }: { execution: ExecutionClient; second: ExecutionClient | undefined },
): Promise<ConfirmAnswers['event']> {
  const event = await eventOf(context, execution)
  if (event.is === 'as-signed' || second === undefined) return event
  const isForgotten = event.is === 'in-block'
  const asked = eventOf(context, second)
  const other = isForgotten ? await unlessSilent(asked) : await asked
  if (other === undefined || (isForgotten && other.is === 'in-block')) return event
  if (isForgotten && other.is === 'as-signed') return other
  if (!isForgotten && other.is !== 'as-signed') return event
  throw depositError('proofs.receipts-differ', [
    { endpoint: execution.label, words: eventText(event) },
    { endpoint: second.label, words: eventText(other) },
  ])
}

/** The contract's event of our transaction, field by field against what was signed. */
async function eventOf(
  context: CommandContext<ConfirmEvent>,
  execution: ExecutionClient,
): Promise<EventFound> {
  const { deposit, signature, identity } = context.facts()
  const { depositContract } = context.setup.network.spec
  if (deposit === undefined || signature === undefined || identity === undefined)
    return { is: 'nothing-to-compare' }
  const receipt = await getDepositReceipt(execution, { hash: deposit.hash, depositContract })
  if (receipt === undefined) {
    if ((await holdsTransaction(execution, deposit)) === true)
      return { is: 'in-block', block: deposit.blockNumber }
    throw notFound(execution, CONFIRM_TEXT.unread.receipt)
  }
  const { deposits } = receipt
  const [event] = deposits
  if (deposits.length !== 1 || event === undefined) return { is: 'not-one', events: deposits.length }
  const same = {
    key: sameHex(event.pubkey, identity.pubkey),
    credentials: sameHex(event.withdrawalCredentials, signature.withdrawalCredentials),
    amount: event.amountGwei === signature.amountGwei,
    signature: sameHex(event.signature, signature.signature),
  }
  const fields = (['key', 'credentials', 'amount', 'signature'] as const).filter((name) => !same[name])
  return fields.length > 0 ? { is: 'not-as-signed', fields } : { is: 'as-signed', index: event.index }
}

/** Blocks for which an execution client in full mode keeps the balances. */
const BLOCKS_KEPT = 128n
/** Answers that say nothing of what the endpoint keeps. */
const NO_ANSWER: ReadonlySet<ClientFault> = new Set([
  'unreachable',
  'timeout',
  'says-nothing',
  'rate-limited',
])

/** By how much the funding account fell in that block, or that the endpoint, which answers, does not keep it any more. */
async function balanceOf(
  context: CommandContext<ConfirmEvent>,
  execution: ExecutionClient,
): Promise<ConfirmAnswers['balance']> {
  const { deposit } = context.facts()
  if (deposit === undefined) return { fellByWei: 0n, expectedWei: 0n }
  const { from, blockNumber } = deposit
  try {
    const [before, after] = await Promise.all([
      getBalance(execution, { address: from, block: blockNumber - 1n }),
      getBalance(execution, { address: from, block: blockNumber }),
    ])
    return { fellByWei: before - after, expectedWei: deposit.valueWei + deposit.feeWei }
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || NO_ANSWER.has(thrown.fault)) throw thrown
    const head = await getBlockNumber(execution)
    if (head - blockNumber < BLOCKS_KEPT - 1n) throw thrown
    return { block: blockNumber }
  }
}

type Proven = { proof: ValidatorProof; record: Validator | undefined }

function judgeProof(context: CommandContext<ConfirmEvent>, proven: Proven): ConfirmAnswers['proofs'] {
  const { index, slot, blockRoot, balanceGwei } = proven.proof
  return { index, slot, blockRoot, balanceGwei, fault: recordFault(context, proven) }
}

/** Why the proven record is not that of a new validator of the user's; undefined when it is. */
function recordFault(
  context: CommandContext<ConfirmEvent>,
  { proof, record }: Proven,
): RecordFault | undefined {
  const { validator } = context.facts()
  const { index, verdict } = proof
  const typedIndex = context.setup.validator?.index
  if (!verdict.ok) return { is: 'not-proven', reason: verdict.reason }
  if (!sameHex(proof.withdrawalCredentials, validator?.withdrawalCredentials ?? ''))
    return { is: 'other-credentials' }
  if (typedIndex !== undefined && index !== typedIndex) return { is: 'other-index', index, typedIndex }
  if (record === undefined) return { is: 'other-record' }
  return record.exitEpoch === FAR_FUTURE_EPOCH ? undefined : { is: 'leaving' }
}
