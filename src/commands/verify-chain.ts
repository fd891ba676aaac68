import { ClientError } from '../core/base/errors/client.ts'
import { formatCount } from '../core/base/format/amount.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import { FAR_FUTURE_EPOCH } from '../core/chain/consensus/state.ts'
import type { DepositEvent } from '../core/chain/deposit/event.ts'
import type { NodeSetup } from '../core/chain/facts.ts'
import type { FirstDepositVerdict } from '../core/chain/key-state/first-deposit.ts'
import { type KeyState, type KeyVerdict, registeredRecord } from '../core/chain/key-state/key-state.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import type { Network } from '../core/chain/network/network.ts'
import { createExecutionClient } from '../core/clients/execution/client.ts'
import {
  type DepositReceipt,
  getDepositReceipt,
  getTransactionByHash,
} from '../core/clients/execution/transactions.ts'
import { readKeyHistory } from '../core/clients/key-deposits.ts'
import { keepsShut, type Mark } from '../core/view/view.ts'
import type { Call } from './command.ts'
import type { DepositFate } from './documents/parts.ts'
import type { VerifyFields } from './documents/verify.ts'
import { firstDepositReport, operatorAlone } from './first-deposit-rows.ts'
import { keyReport, NOTHING_ON_CHAIN, notAskedRow, type OnChain } from './key-chain-rows.ts'
import type { ReportRow } from './report-lines.ts'
import { savedEndpoints, setupOf } from './setup.ts'
import { askSender } from './verify-effects.ts'
import type { DepositQuestion } from './verify-input.ts'

/** What the chain says of a deposit, as fields of its document. */
type ChainFields = OnChain & Pick<VerifyFields, 'event' | 'block'>

const NO_BLOCK = { event: null, block: null }

export type ChainVerdict = {
  fate: DepositFate
  rows: readonly ReportRow[]
  data: ChainFields
  /** Who was asked. */
  endpoints: readonly string[]
}

/** Whether the signature is right for a first deposit. */
type Judged = { accepted: boolean }

type DepositQuery = { call: Call; setup: NodeSetup; question: DepositQuestion & Judged; network: Network }

/**
 * What the chain says of a deposit: of one in a block, whether it was counted or burnt; of any other, what would come of it
 * by what the chain knows of its key. Asks only endpoints that the call names. Throws as `setupOf`, or a `ClientError`
 * where the execution client does not answer.
 */
export async function askChain(call: Call, question: DepositQuestion & Judged): Promise<ChainVerdict> {
  const { network, transaction } = question
  const given = network && (await givenTo(call, question, network))
  if (network === undefined || given === undefined) return unasked(question)
  const setup = { ...(await setupOf(call, { fallback: network })), network }
  const asked = { call, setup, question, network }
  if (transaction === undefined) return beforeBlock(asked, given, false)
  const receipt = await receiptOf(asked, transaction.hash)
  if (receipt !== undefined) return inBlock(asked, receipt, given)
  const client = createExecutionClient(call.effects, setup.endpoints.execution)
  const found = await getTransactionByHash(client, transaction)
  if (found?.blockNumber === undefined) return beforeBlock(asked, given, found !== undefined)
  // It may have come into a block between the two questions.
  const late = await receiptOf(asked, transaction.hash)
  return late === undefined ? withoutReceipt(asked, given, found.blockNumber) : inBlock(asked, late, given)
}

const HOW = 'give --execution and --node'

/** A signature can be judged without the chain, and a top-up by nothing else. */
const unasked = ({ call: carried }: DepositQuestion): ChainVerdict => ({
  fate: carried?.kind === 'top-up' ? 'unknown' : 'not-asked',
  rows: [{ ...notAskedRow(HOW), step: 'deposit' }],
  data: { ...NOTHING_ON_CHAIN, ...NO_BLOCK },
  endpoints: [],
})

async function inBlock(asked: DepositQuery, receipt: DepositReceipt, given: Given): Promise<ChainVerdict> {
  const { call, setup, question } = asked
  const { execution, node } = setup.endpoints
  const none = { ...NOTHING_ON_CHAIN, event: null, block: receipt.blockNumber }
  const nothing: ChainVerdict = { fate: 'unknown', rows: [], data: none, endpoints: [execution] }
  if (receipt.status === 'reverted') return { ...nothing, fate: 'reverted' }
  const event = receipt.deposits.find(({ pubkey }) => sameHex(pubkey, question.deposit.pubkey))
  // A contract account goes on where the call that it makes was refused: then nothing was deposited.
  if (event === undefined)
    return { ...nothing, fate: question.carriedOut === undefined ? 'unknown' : 'reverted' }
  if (!given.node) return nothing
  const report = await keyReport(call, setup, { pubkey: question.deposit.pubkey, by: undefined })
  const { verdict, key } = report
  const rows = aside(report.rows)
  const fate =
    key === undefined ? 'unknown' : await fateOf(key, verdict, { receipt, event, question, setup, call })
  const data = { ...report.data, event, block: receipt.blockNumber }
  return { fate, rows, data, endpoints: [node, execution] }
}

/** The same rows, none of which stops anything. */
const aside = (rows: readonly ReportRow[]): ReportRow[] =>
  rows.map((row) => (keepsShut(row) ? { ...row, mark: 'unasked' } : row))

/** What became of a transaction in a block whose receipt the endpoint forgot can't be told: nodes keep few (reth --full). */
async function withoutReceipt(asked: DepositQuery, given: Given, block: bigint): Promise<ChainVerdict> {
  const { execution, node } = asked.setup.endpoints
  const { rows, data } = await reportFor(asked, given)
  const value = `in block ${formatCount(block)}; this endpoint keeps no receipt of it`
  const source = endpointName(execution)
  return {
    fate: 'unknown',
    rows: [
      { step: 'deposit', id: 'receipt', label: 'receipt', mark: 'unknown', value, source },
      ...aside(rows),
    ],
    data: { ...data, event: null, block },
    endpoints: given.node ? [node, execution] : [execution],
  }
}

/** In the mempool nothing is decided yet, except against it. */
async function beforeBlock(asked: DepositQuery, given: Given, isSeen: boolean): Promise<ChainVerdict> {
  const { question, setup } = asked
  const { execution, node } = setup.endpoints
  const endpoints = given.node ? [node, execution] : [execution]
  const report = await reportFor(asked, given)
  const { fate: would } = report
  const fate =
    fateMark(would) !== 'refused' && (isSeen || question.foundBy !== undefined) ? 'in-mempool' : would
  const isTopUp = question.call?.kind === 'top-up'
  const client = createExecutionClient(asked.call.effects, execution)
  const sender = await askSender(client, question, isSeen)
  // Its nonce may be used by itself, in a block that came between the questions.
  const isUsed = sender.some(({ id, mark }) => id === 'nonce' && mark === 'refused')
  const late =
    isUsed && question.transaction !== undefined
      ? await receiptOf(asked, question.transaction.hash)
      : undefined
  if (late !== undefined) return inBlock(asked, late, given)
  const rows = [...(isTopUp ? aside(report.rows) : report.rows), ...sender]
  return { fate, rows, data: { ...report.data, ...NO_BLOCK }, endpoints }
}

async function reportFor(
  { call, setup, question }: DepositQuery,
  given: Given,
): Promise<Pick<ChainVerdict, 'rows'> & { data: OnChain; fate: DepositFate }> {
  const { deposit, file, call: carried } = question
  const { pubkey } = deposit
  const kind = carried?.kind ?? 'first'
  if (!given.node) {
    if (kind !== 'first') return { rows: [], data: NOTHING_ON_CHAIN, fate: 'unknown' }
    const report = {
      verdict: 'unknown',
      key: undefined,
      rows: [NO_NODE],
      data: { onChain: 'unknown', keyState: 'unknown' },
    } as const
    const { first, rows, data } = await operatorAlone(call, setup, { pubkey, report })
    return { rows, data, fate: FIRST[first] }
  }
  if (kind === 'first') {
    const operator = carried?.operator ?? file?.operator
    const asked = { pubkey, operator: carried === undefined ? operator : undefined }
    const { first, rows, data } = await firstDepositReport(call, setup, asked)
    return { rows, data, fate: FIRST[first] }
  }
  const { verdict, rows, data } = await keyReport(call, setup, { pubkey, by: undefined })
  return { rows, data, fate: (kind === 'top-up' ? BEFORE : RESCUE)[verdict] }
}

const NO_NODE: ReportRow = { ...notAskedRow('give --node'), mark: 'unknown' }

const FIRST: Readonly<Record<FirstDepositVerdict, DepositFate>> = {
  free: 'would-register',
  rescue: 'would-be-rescued',
  used: 'would-revert',
  waits: 'would-come-second',
  registered: 'is-registered',
  left: 'has-left',
  unknown: 'would-be-unknown',
}

/** Whether a node is named besides an execution client. */
type Given = { node: boolean }

const NODE = ['node', 'network', 'devnet', 'spec'] as const

/**
 * Who is named to be asked; undefined where nobody is. A network that is named only for its chain is nobody, unless
 * nothing but the chain can judge what was given, or its addresses were set up before.
 */
async function givenTo(call: Call, question: DepositQuestion, network: Network): Promise<Given | undefined> {
  const { options } = call
  const saved = options.network === undefined ? {} : await savedEndpoints(call, network)
  const isSaved = saved.execution !== undefined && saved.node !== undefined
  const isNamed = ASKED.some((name) => options[name] !== undefined) || options.network === 'rehearsal'
  const onlyChain = question.foundBy !== undefined || question.call?.kind === 'top-up'
  if (!isNamed && !isSaved && !(onlyChain && (options.network ?? options.spec) !== undefined))
    return undefined
  return { node: NODE.some((name) => options[name] !== undefined) }
}

const ASKED = ['execution', 'node', 'devnet'] as const

async function receiptOf({ call, setup }: DepositQuery, hash: Hex): Promise<DepositReceipt | undefined> {
  const client = createExecutionClient(call.effects, setup.endpoints.execution)
  return getDepositReceipt(client, {
    hash,
    depositContract: setup.network.spec.depositContract,
  })
}

type Deposited = {
  receipt: DepositReceipt
  event: DepositEvent
  question: DepositQuestion & Judged
  setup: NodeSetup
  call: Call
}

async function fateOf(key: KeyState, verdict: KeyVerdict, deposited: Deposited): Promise<DepositFate> {
  const { event, question } = deposited
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

/** What a signed deposit would come to that names no operator, as one must be set already. */
const RESCUE: Readonly<Record<KeyVerdict, DepositFate>> = {
  unknown: 'unknown',
  unused: 'would-revert-unset',
  waiting: 'would-come-second',
  lost: 'would-rescue',
  registered: 'would-count',
  exiting: 'would-come-back',
  exited: 'would-come-back',
  withdrawn: 'would-come-back',
}

/** What a top-up would come to that is in no block yet. */
const BEFORE: Readonly<Record<KeyVerdict, DepositFate>> = {
  unknown: 'unknown',
  unused: 'would-be-burnt',
  waiting: 'would-be-burnt',
  lost: 'would-be-burnt',
  registered: 'would-count',
  exiting: 'would-come-back',
  exited: 'would-come-back',
  withdrawn: 'would-come-back',
}

/**
 * A deposit without a signature of its own counts from the first one on that had one. A validator that was eligible before
 * was registered before, whatever the logs lack.
 */
async function byHistory(key: KeyState, { receipt, setup, call }: Deposited): Promise<DepositFate> {
  const { operator, pubkey } = key
  const { activationEligibilityEpoch = FAR_FUTURE_EPOCH } = registeredRecord(key)?.validator ?? {}
  if (activationEligibilityEpoch * setup.network.spec.slotsPerEpoch <= receipt.blockNumber) return 'counted'
  if ('unknown' in operator) return 'unknown'
  const client = createExecutionClient(call.effects, setup.endpoints.execution)
  try {
    const asked = { network: setup.network, pubkey, operator: operator.value }
    const { deposits } = await readKeyHistory(client, asked)
    const first = deposits.find(({ accepted }) => accepted)
    if (first === undefined || first.blockNumber === receipt.blockNumber) return 'unknown'
    return first.blockNumber < receipt.blockNumber ? 'counted' : 'burnt'
  } catch (thrown) {
    if (thrown instanceof ClientError) return 'unknown'
    throw thrown
  }
}

type FateText = { mark: Mark; value: string; sentence: string }

const FATES: Readonly<Record<DepositFate, FateText>> = {
  counted: {
    mark: 'proven',
    value: 'counted: the balance of the validator holds it',
    sentence: 'Counted: the beacon state holds the validator, and this deposit with it.',
  },
  'paid-back': {
    mark: 'proven',
    value: `counted; ${STANDING_TEXT.leftSince}`,
    sentence: `Counted; ${STANDING_TEXT.leftSince} to the withdrawal address.`,
  },
  burnt: {
    mark: 'refused',
    value: 'burnt: the chain kept the money and counted nothing',
    sentence: 'Burnt: the chain kept the money, and no validator has it.',
  },
  'not-counted-yet': {
    mark: 'unknown',
    value: 'in a block, and not counted yet',
    sentence: 'In a block, and not counted yet: wait, and send nothing more.',
  },
  reverted: {
    mark: 'refused',
    value: 'reverted: it is in a block and had no effect',
    sentence: 'Reverted: no deposit was made, and the amount stayed in the wallet.',
  },
  'in-mempool': {
    mark: 'unknown',
    value: 'in the mempool alone, in no block yet',
    sentence: 'It waits in the mempool: not counted yet, and nothing is decided. Send nothing more.',
  },
  'would-register': {
    mark: 'proven',
    value: 'a first deposit of an unused key registers it',
    sentence: 'The key is unused, and the signature is right: this deposit registers it.',
  },
  'would-be-rescued': {
    mark: 'unknown',
    value: 'an earlier deposit was burnt, and set this operator: a first deposit reverts',
    sentence: 'Send it with the wizard alone: the operator is set already, and must not be named once more.',
  },
  'would-rescue': {
    mark: 'unknown',
    value: 'an earlier deposit was burnt; this one registers the key, with the operator that is set',
    sentence: 'It registers the key, with the operator that is set already: only if that is your own.',
  },
  'would-revert': {
    mark: 'refused',
    value: 'the operator of this key is set already: a first deposit reverts',
    sentence: 'Do not send this: somebody has used this key already, and the contract refuses it.',
  },
  'would-revert-unset': {
    mark: 'refused',
    value: 'no operator is set for this key: a deposit that names none reverts',
    sentence: 'Do not send this: it names no operator, and none is set, so the contract refuses it.',
  },
  'would-come-second': {
    mark: 'refused',
    value: 'a deposit for this key is in a block already, and not counted yet',
    sentence: 'Do not send this: a deposit for this key is in a block already. Wait until it is counted.',
  },
  'is-registered': {
    mark: 'refused',
    value: 'the key is registered already: this can be no first deposit',
    sentence: 'Do not send this: the key is registered already, so this can be no first deposit.',
  },
  'has-left': {
    mark: 'refused',
    value: `the validator of this key ${STANDING_TEXT.hasLeftForEver}`,
    sentence: `Do not send this: the validator of this key ${STANDING_TEXT.hasLeftForEver}.`,
  },
  'would-be-unknown': {
    mark: 'unknown',
    value: 'whether its key is unused is not known',
    sentence: 'Not certain, so do not send this: whether its key is unused is not known.',
  },
  'not-asked': {
    mark: 'unasked',
    value: 'not asked',
    sentence: 'Whether its key is unused was not asked.',
  },
  'would-count': {
    mark: 'proven',
    value: 'a deposit for a registered validator counts once it is in a block',
    sentence: 'The key is registered: this top-up counts once it is in a block.',
  },
  'would-be-burnt': {
    mark: 'refused',
    value: 'a top-up of a key that is not registered is burnt',
    sentence: 'Do not send this: the key is not registered, and the chain would keep the money.',
  },
  'would-come-back': {
    mark: 'refused',
    value: 'a top-up of a validator that is leaving comes back',
    sentence: `Do not send this: the validator ${STANDING_TEXT.leavesOrHasLeft}, and it would come back.`,
  },
  unknown: {
    mark: 'unknown',
    value: 'whether it was counted is not known',
    sentence:
      'Not known whether it was counted. Name the network and its node with --network, and an endpoint that keeps receipts of that time.',
  },
}

/** Returns what became of a deposit, as the line of the report that decides. */
export function fateRow(fate: DepositFate, endpoints: readonly string[]): ReportRow {
  const { mark, value } = FATES[fate]
  const source = endpoints.map(endpointName).join(', ')
  return { step: 'deposit', id: 'fate', label: 'this deposit', mark, value, source }
}

/** Returns what became of a deposit, as the verdict. */
export function fateSentence(fate: DepositFate): string {
  return FATES[fate].sentence
}

/** Returns how a fate is marked: `refused` where the deposit must not be sent, or was lost. */
export function fateMark(fate: DepositFate): Mark {
  return FATES[fate].mark
}

const IN_A_BLOCK: readonly DepositFate[] = ['counted', 'paid-back', 'burnt', 'not-counted-yet', 'reverted']
const OF_A_TOP_UP: readonly DepositFate[] = ['would-count', 'would-be-burnt', 'would-come-back']

/** Whether the signature says nothing any more: the chain has decided, or a top-up is judged, which has none. */
export function isDecided(fate: DepositFate | undefined): boolean {
  return fate !== undefined && (IN_A_BLOCK.includes(fate) || OF_A_TOP_UP.includes(fate))
}
