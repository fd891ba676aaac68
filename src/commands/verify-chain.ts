import { createExecutionClient } from '../core/clients/execution/client.ts'
import { getTransactionReceipt, type Receipt } from '../core/clients/execution/transactions.ts'
import { readKeyHistory } from '../core/clients/key-deposits.ts'
import { type DepositEvent, decodeDepositLog } from '../core/deposit/event.ts'
import { ClientError } from '../core/errors/client.ts'
import type { NodeSetup } from '../core/facts.ts'
import { sameHex } from '../core/format/hex.ts'
import { type KeyState, type KeyVerdict, registeredRecord } from '../core/key-state/key-state.ts'
import type { Network } from '../core/network/network.ts'
import { keepsShut } from '../core/steps/view.ts'
import type { Call } from './command.ts'
import { keyReport } from './key-chain-rows.ts'
import type { ReportRow } from './report-lines.ts'
import { setupOf } from './setup.ts'
import type { Question } from './verify-input.ts'
import type { Fate } from './verify-opinions.ts'

export type Told = {
  fate: Fate | undefined
  rows: readonly ReportRow[]
  data: Readonly<Record<string, unknown>>
  /** Who was asked. */
  endpoints: readonly string[]
}

const NOTHING: Told = { fate: undefined, rows: [], data: {}, endpoints: [] }

/** Whether the signature is right for a first deposit. */
type Judged = { accepted: boolean }

/**
 * What the chain says of a deposit that a transaction carries, and of a top-up, which has no signature to judge: was it
 * counted, or burnt? Asks only endpoints that the call names. Throws as `setupOf`, or a `ClientError` where the execution
 * client does not answer.
 */
export async function askChain(call: Call, question: Question & Judged): Promise<Told> {
  const { network, transaction, call: carried } = question
  if (network === undefined || carried === undefined || !isAsked(call, question)) return NOTHING
  const setup = { ...(await setupOf(call, { fallback: network })), network }
  const { execution, node } = setup.endpoints
  const receipt = transaction && (await receiptOf(call, setup, question))
  const asked = { ...NOTHING, endpoints: transaction === undefined ? [] : [execution] }
  if (receipt?.status === 'reverted') return { ...asked, fate: 'reverted' }
  if (receipt === undefined && carried.kind !== 'top-up')
    return transaction === undefined ? NOTHING : { ...asked, fate: 'in-no-block' }
  const event = receipt && eventOf(receipt, question, network)
  // A contract account goes on where the call that it makes was refused: then nothing was deposited.
  if (receipt !== undefined && event === undefined)
    return { ...asked, fate: question.carriedOut === undefined ? 'unknown' : 'reverted' }
  if (!NODE.some((name) => call.options[name] !== undefined)) return { ...asked, fate: 'unknown' }
  const report = await keyReport(call, setup, {
    pubkey: question.deposit.pubkey,
    by: undefined,
    isOwn: false,
  })
  const { verdict, key } = report
  const rows = report.rows.map((row) => (keepsShut(row) ? { ...row, mark: 'unasked' as const } : row))
  const deposited = { receipt, event, question, setup, call }
  const fate = key === undefined ? 'unknown' : await fateOf(key, verdict, deposited)
  const data = { ...report.data, event, block: receipt?.blockNumber }
  return { fate, rows, data, endpoints: [node, execution] }
}

const NODE = ['node', 'network', 'devnet', 'spec'] as const

/** A network that is named only for its chain, for bytes that are in no block yet, is no endpoint to ask. */
function isAsked({ options }: Call, { call: carried, foundByHash }: Question): boolean {
  const { execution, node, devnet, network } = options
  if (execution !== undefined || node !== undefined || devnet !== undefined || network === 'rehearsal')
    return true
  return foundByHash === true || (carried?.kind === 'top-up' && network !== undefined)
}

async function receiptOf(
  call: Call,
  setup: NodeSetup,
  { transaction }: Question,
): Promise<Receipt | undefined> {
  if (transaction === undefined) return undefined
  const client = createExecutionClient(call.effects, setup.endpoints.execution)
  return getTransactionReceipt(client, { hash: transaction.hash })
}

function eventOf({ logs }: Receipt, { deposit }: Question, network: Network): DepositEvent | undefined {
  return logs
    .map((log) => decodeDepositLog(log, network.spec.depositContract))
    .find((event) => event !== undefined && sameHex(event.pubkey, deposit.pubkey))
}

type Deposited = {
  receipt: Receipt | undefined
  event: DepositEvent | undefined
  question: Question & Judged
  setup: NodeSetup
  call: Call
}

async function fateOf(key: KeyState, verdict: KeyVerdict, deposited: Deposited): Promise<Fate> {
  const { event, question } = deposited
  if (event === undefined) return BEFORE[verdict]
  const { uncounted } = key
  const waiting = 'unknown' in uncounted ? uncounted.perhaps : uncounted.value
  const waits = waiting.some(({ index }) => index === event.index)
  const isFirst = question.call?.kind !== 'top-up' && question.accepted
  if (registeredRecord(key) !== undefined) {
    if (waits) return 'unknown' in uncounted ? 'unknown' : 'not-counted-yet'
    const fate = isFirst ? 'counted' : await byHistory(key, deposited)
    return fate === 'counted' && verdict === 'withdrawn' ? 'paid-back' : fate
  }
  const isCarried = isFirst || waiting.some((each) => each.signatureValid && each.index < event.index)
  if (verdict === 'lost') return 'burnt'
  if (verdict !== 'waiting') return 'unknown'
  if (waits) return isCarried ? 'not-counted-yet' : 'burnt'
  return isFirst ? 'unknown' : 'burnt'
}

/** What a top-up would come to that is in no block yet. */
const BEFORE: Readonly<Record<KeyVerdict, Fate>> = {
  unknown: 'unknown',
  unused: 'would-be-burnt',
  waiting: 'would-be-burnt',
  lost: 'would-be-burnt',
  registered: 'would-count',
  exiting: 'would-come-back',
  exited: 'would-come-back',
  withdrawn: 'would-come-back',
}

/** A deposit without a signature of its own counts from the first one on that had one. */
async function byHistory({ operator, pubkey }: KeyState, { receipt, setup, call }: Deposited): Promise<Fate> {
  if ('unknown' in operator || receipt === undefined) return 'unknown'
  const client = createExecutionClient(call.effects, setup.endpoints.execution)
  try {
    const asked = { network: setup.network, pubkey, operator: operator.value }
    const { setBy, deposits } = await readKeyHistory(client, asked)
    // A validator of the first slot was never registered by a deposit.
    if (setBy === undefined) return 'counted'
    const first = deposits.find(({ accepted }) => accepted)
    if (first === undefined || first.blockNumber === receipt.blockNumber) return 'unknown'
    return first.blockNumber < receipt.blockNumber ? 'counted' : 'burnt'
  } catch (thrown) {
    if (thrown instanceof ClientError) return 'unknown'
    throw thrown
  }
}
