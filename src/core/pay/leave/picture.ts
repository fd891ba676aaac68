import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import type { Gwei, Wei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import {
  decodeWithdrawalCall,
  encodeWithdrawalCall,
  REQUESTS_CONTRACT,
} from '../../chain/deposit/withdrawal-call.ts'
import type { Setup } from '../../chain/facts.ts'
import { tokensOf } from '../../chain/network/network.ts'
import { known } from '../../view/observation.ts'
import { drawRows } from '../../view/rows.ts'
import type { FactRow, Mark } from '../../view/view.ts'
import { sendCommand, WALLET_FLAGS } from '../gate/cast.ts'
import type { KeptGuard } from '../gate/commitments.ts'
import {
  type AboutLeave,
  LEAVE_FACTS,
  type LeaveAnswers,
  type LeaveOutcome,
  leaveIsOpen,
  leaveOutcome,
  nonceFaultIn,
} from './facts.ts'
import { fatesOf, type RequestFate, unexplained } from './fates.ts'
import { LEAVE_TEXT } from './text.ts'

/** A request for the wallet of the withdrawal address; `nonce` means nothing for a contract account. */
export type LeaveRequest = {
  transaction: UnsignedTransaction
  from: Hex
  contract: boolean
  amountGwei: Gwei
  feeWei: Wei
}

/** All there is to say of leaving: what is under way, what the request would do, and the request where it may be made. */
export type LeavePicture = {
  fates: readonly RequestFate[]
  outcome: LeaveOutcome | undefined
  rows: readonly FactRow[]
  request: LeaveRequest | undefined
  /** The guard that would lose its nonce by the request. */
  guard: KeptGuard | undefined
}

/** Returns the picture of a request that was asked about. */
export function leavePicture(about: AboutLeave): LeavePicture {
  const outcome = leaveOutcome(about)
  const request = leaveIsOpen(about) ? requestOf(about) : undefined
  const fates = leaveFates(about)
  const fault = nonceFaultIn(about)
  return {
    fates,
    outcome,
    request,
    guard: fault?.is === 'guard' ? fault.guard : undefined,
    rows: [
      ...fateRows(fates, about),
      ...outcomeRows(outcome, about),
      ...askedRows(about, { outcome, request }),
    ],
  }
}

/** What became of the requests that were made for the key, the last one first; nothing while that is not known. */
function leaveFates({ observed, setup, pubkey }: AboutLeave): RequestFate[] {
  const [set, made] = [known(observed.set), known(observed.made)]
  if (set === undefined || made === undefined) return []
  return fatesOf(made.made, set.snapshot, { network: setup.network, pubkey }).reverse()
}

/** Returns the rows of what was asked about a request, where there is something to say. */
function askedRows(
  about: AboutLeave,
  { outcome, request }: Pick<LeavePicture, 'outcome' | 'request'>,
): FactRow[] {
  const isUse = outcome?.is === 'exit' || outcome?.is === 'part'
  // What an earlier look asked for another amount is no word about this one.
  const asked = drawRows(LEAVE_FACTS, about.observed, about)
    .filter(({ id, mark }) => mark !== 'unasked' && (isUse || ALWAYS_ASKED.has(id)))
    // What older logs leave out closes nothing: the set has what the chain took.
    .map((row): FactRow => (row.id === 'made' && row.mark === 'unknown' ? { ...row, mark: 'unasked' } : row))
  return request === undefined ? asked : [...asked, calldataRow(about, request)]
}

const ALWAYS_ASKED: ReadonlySet<string> = new Set<keyof LeaveAnswers>(['chain', 'set', 'requests', 'made'])

function calldataRow({ setup }: AboutLeave, { transaction, amountGwei }: LeaveRequest): FactRow {
  return {
    ...PLAIN,
    id: 'calldata',
    label: LEAVE_TEXT.labels.calldata,
    mark: 'proven',
    value: LEAVE_TEXT.readBack(amountGwei, setup),
    long: transaction.data,
    source: LEAVE_TEXT.here,
    explain: LEAVE_TEXT.explain.calldata,
  }
}

/**
 * The one transaction that is such a request. Throws a `RangeError` where what was encoded does not say the same when it
 * is read back.
 */
function requestOf({ observed, setup, pubkey, amountGwei }: AboutLeave): LeaveRequest | undefined {
  const [wallet, fee, dryRun] = [known(observed.wallet), known(observed.fee), known(observed.dryRun)]
  if (wallet === undefined || fee === undefined || dryRun === undefined || amountGwei === undefined)
    return undefined
  const data = encodeWithdrawalCall({ pubkey, amountGwei })
  const transaction = {
    chainId: setup.network.executionChainId,
    nonce: wallet.nonce,
    to: REQUESTS_CONTRACT,
    valueWei: fee.valueWei,
    data,
    ...fee.price,
    gasLimit: dryRun.gasLimit,
  }
  requireSame(transaction.data, { pubkey, amountGwei })
  return { transaction, from: wallet.address, contract: wallet.contract, amountGwei, feeWei: fee.feeWei }
}

function requireSame(data: Hex, asked: { pubkey: Hex; amountGwei: Gwei }): void {
  const read = decodeWithdrawalCall(data)
  if (read !== undefined && sameHex(read.pubkey, asked.pubkey) && read.amountGwei === asked.amountGwei) return
  throw new RangeError('a request that is read back says something else')
}

const PLAIN = { value: '', source: '' } as const

function fateRows(fates: readonly RequestFate[], about: AboutLeave): FactRow[] {
  const set = known(about.observed.set)
  if (set === undefined) return []
  const { setup, pubkey } = about
  const moment = { setup, snapshot: set.snapshot }
  const taken = unexplained(fates, set.snapshot, { network: setup.network, pubkey })
  return [
    ...taken.map(
      (one): FactRow => ({
        ...PLAIN,
        id: `taken-${one.is}-${one.withdrawableEpoch}`,
        label: LEAVE_TEXT.labels.taken,
        mark: 'unasked',
        value: LEAVE_TEXT.taken(one, moment),
        explain: LEAVE_TEXT.explain.taken,
      }),
    ),
    ...fates.map(
      (fate): FactRow => ({
        ...PLAIN,
        id: `request-${fate.request.blockSlot}-${fate.request.transactionHash.slice(2, 10)}`,
        label: LEAVE_TEXT.labels.made(fate.request.blockSlot),
        mark: 'unasked',
        value: LEAVE_TEXT.fate(fate, moment),
        explain: LEAVE_TEXT.explain.made,
      }),
    ),
  ]
}

/** What the request does, when it is paid, and what the place is worth after it. */
function outcomeRows(outcome: LeavePicture['outcome'], about: AboutLeave): FactRow[] {
  const set = known(about.observed.set)
  if (outcome === undefined || set === undefined) return []
  const { setup, observed } = about
  const { snapshot } = set
  const moment = { setup, snapshot }
  const row = (id: keyof typeof LEAVE_TEXT.explain, value: string, mark: Mark = 'unasked'): FactRow => ({
    ...PLAIN,
    id,
    label: String(LEAVE_TEXT.labels[id]),
    mark,
    value,
    source: LEAVE_TEXT.model,
    explain: LEAVE_TEXT.explain[id],
  })
  const isUse = outcome.is === 'exit' || outcome.is === 'part'
  const isSure = known(observed.requests)?.apart === undefined && snapshot.proof !== undefined
  const first = row('outcome', LEAVE_TEXT.outcome(outcome, setup), markOf({ isUse, isSure }))
  if (outcome.is === 'exit') {
    const { exitEpoch, withdrawableEpoch, balanceGwei } = outcome
    const sweepSlots = sweepOf(snapshot, about)
    return [
      first,
      row('leaves', LEAVE_TEXT.leavesAt(exitEpoch, moment)),
      row('paid', LEAVE_TEXT.exitPaid(withdrawableEpoch, balanceGwei, { ...moment, sweepSlots })),
      row('place', LEAVE_TEXT.placeLost),
    ]
  }
  if (outcome.is !== 'part') return [first]
  const { after, withdrawableEpoch } = outcome
  return [
    first,
    row('paid', LEAVE_TEXT.partPaid(withdrawableEpoch, after, moment)),
    row('place', LEAVE_TEXT.place(after, setup)),
  ]
}

/** A request that would be dropped is refused for sure only where the set is proven. */
function markOf({ isUse, isSure }: { isUse: boolean; isSure: boolean }): Mark {
  if (!isSure) return 'unknown'
  return isUse ? 'proven' : 'refused'
}

/** Slots in which the sweep looks at every validator of the registry once. */
function sweepOf({ indexes }: SetSnapshot, { setup }: AboutLeave): bigint {
  const count = Math.max(0, ...indexes) + 1
  return BigInt(Math.ceil(count / setup.network.spec.maxValidatorsPerWithdrawalsSweep))
}

/** The shell commands with which a wallet signs and sends a request, one a kind of wallet; none for a contract account. */
export function leaveCommands({ transaction, from, contract }: LeaveRequest): string[] {
  return contract ? [] : [sendCommand(transaction, from, WALLET_FLAGS[0])]
}

/** What all of it comes to, as one sentence; `is` and `which` are what the rows come to. */
export function leaveSentence(
  { outcome, request, guard }: LeavePicture,
  { is, which }: { is: 'yes' | 'no' | 'unknown'; which: string },
  setup: Setup,
): string {
  const { sentence } = LEAVE_TEXT
  if (is === 'unknown' || outcome === undefined) return sentence.unknown(which)
  if (outcome.is === 'pool') return sentence.pool
  if (outcome.is === 'dropped')
    return outcome.reason === 'exit-begun' ? sentence.begun : sentence.dropped(outcome.reason)
  if (guard !== undefined) return sentence.guard
  if (is === 'no' || request === undefined) return sentence.refused(which)
  if (outcome.is === 'exit') return sentence.exit
  const { dropsOutAtEpoch, dropsOutAnyway } = outcome.after
  const amount = tokensOf(outcome.amountGwei, { network: setup.network })
  if (dropsOutAtEpoch === undefined || dropsOutAnyway) return sentence.part(amount)
  return sentence.placeLost(amount, dropsOutAtEpoch)
}

/** What is said beside a request: of its fee, of the node, and whose hands it is for. */
export function leaveNotes({ transaction, contract, amountGwei, feeWei }: LeaveRequest): string[] {
  const { notes } = LEAVE_TEXT
  return [
    notes.fee(feeWei, transaction.valueWei),
    amountGwei === 0n ? notes.keepRunning : notes.guardWaits,
    notes.unsigned,
    contract ? notes.contract : notes.hand,
  ]
}
