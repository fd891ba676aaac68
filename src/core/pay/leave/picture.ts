import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import { formatCount, formatCountdown, type Gwei, ordinal, type Wei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { LeaveForecast, PlaceAfter } from '../../chain/consensus/leave-outlook.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import type { DropReason } from '../../chain/consensus/withdrawal-request.ts'
import {
  decodeWithdrawalCall,
  encodeWithdrawalCall,
  REQUESTS_CONTRACT,
} from '../../chain/deposit/withdrawal-call.ts'
import type { Setup } from '../../chain/facts.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { tokensOf } from '../../chain/network/network.ts'
import { POOLS_TEXT } from '../../chain/network/pools.ts'
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
import { fatesOf, type RequestFate, type Taken, unexplained } from './fates.ts'

const AGAIN = 'Yes. It is asked again for every request.'

/** What is known of the moment: to say how long it is until an epoch. */
type Moment = { setup: Setup; snapshot: SetSnapshot }

/** An epoch, and how long it is until then. */
function epochWords(epoch: bigint, { setup, snapshot }: Moment): string {
  const slots = epoch * setup.network.spec.slotsPerEpoch - snapshot.consensus.slot
  const name = `epoch ${formatCount(epoch)}`
  return slots <= 0n ? name : `${name}, in ${formatCountdown(Number(slots) * setup.network.slotMs)}`
}

function hasCome(epoch: bigint, { setup, snapshot }: Moment): boolean {
  return epoch * setup.network.spec.slotsPerEpoch <= snapshot.consensus.slot
}

/** What the record of the validator shows of its exit. */
function exitWords(what: string, of: Moment & ExitShown): string {
  const [exit, paid] = [epochWords(of.exitEpoch, of), epochWords(of.withdrawableEpoch, of)]
  if (of.paid) return `${what}; the validator left at ${exit}, and its stake was paid back`
  if (hasCome(of.exitEpoch, of)) return `${what}; the validator left at ${exit}, and is paid after ${paid}`
  return `${what}; the validator leaves at ${exit}, and is paid after ${paid}`
}

type ExitShown = { exitEpoch: bigint; withdrawableEpoch: bigint; paid: boolean }

/** Why the chain drops a request. */
const DROPPED: Readonly<Record<DropReason, string>> = {
  'unknown-key': 'the beacon state does not hold this key',
  'no-address': 'its withdrawal credentials name no address that could ask or be paid',
  'other-sender': 'another address than the withdrawal address sent it',
  'not-active': 'the validator is not active',
  'exit-begun': 'its exit has begun',
  'part-pending': 'a part still waits to be paid, and no exit is taken before that',
  'nothing-above': 'nothing lies above the threshold',
}

const TAKEN_ALL = 'the validator leaves for ever, the whole stake comes back'

/** Every sentence about leaving, whole or in part. */
export const LEAVE_TEXT = {
  dropped: DROPPED,
  here: 'this computer',
  model: 'computed here',
  explain: {
    made: {
      what: 'A request for this key that is in a block. Whether the chain took it follows from the validator set: a dropped one leaves nothing in it.',
      who: 'The logs of the contract (EIP-7002) at every execution endpoint, and the set.',
      later: 'No: a request cannot be taken back.',
    },
    taken: {
      what: 'What the validator set shows of this key, while no endpoint gives a request for it: logs are forgotten, and the set is not.',
      who: 'The validator set.',
      later: 'No: what the chain took stays.',
    },
    outcome: {
      what: 'What the rules of the chain make of the request, in the next block that can hold it and in one after the next epoch boundary, behind all that waits.',
      who: 'The consensus model on this computer, on the present validator set.',
      later: AGAIN,
    },
    leaves: {
      what: `The epoch from which the validator ${STANDING_TEXT.isNotIn} any more. Until then its votes are counted on.`,
      who: 'The consensus model on this computer.',
      later: 'No: an exit cannot be taken back.',
    },
    paid: {
      what: 'When the money reaches the withdrawal address. The chain pays it by itself, without a transaction.',
      who: 'The consensus model on this computer, on the present validator set.',
      later: 'The epoch stays; what is paid of a part follows from the balance at that time.',
    },
    place: {
      what: 'Where the validator stands at the epoch boundary after the payment, if nobody stakes or leaves until then.',
      who: 'The consensus model on this computer, on the present validator set.',
      later: 'Yes: the set changes with every epoch.',
    },
    calldata: {
      what: 'The bytes that the contract is called with: the public key (48 bytes), then the amount in gwei (8 bytes); 0 asks for the exit.',
      who: 'This computer, which reads them back.',
      later: 'A request cannot be taken back.',
    },
  },
  labels: {
    outcome: 'this request',
    leaves: 'leaves',
    paid: 'paid',
    place: 'place after it',
    made: (block: bigint) => `block ${formatCount(block)}`,
    taken: 'by the state',
    calldata: 'calldata',
  },
  /** What is asked for. */
  asked: (amountGwei: Gwei, setup: Setup) =>
    amountGwei === 0n ? 'the exit' : `a part of ${tokensOf(amountGwei, setup)}`,
  outcome(outcome: LeaveForecast | { is: 'pool' }, setup: Setup): string {
    switch (outcome.is) {
      case 'pool':
        return POOLS_TEXT.leaves
      case 'dropped':
        return `would be dropped without a word, and its fee spent: ${DROPPED[outcome.reason]}`
      case 'exit':
        return `an exit: ${TAKEN_ALL}`
      case 'part':
        return outcome.cut
          ? `cut to ${tokensOf(outcome.amountGwei, setup)}: no more lies above the threshold`
          : `a part: ${tokensOf(outcome.amountGwei, setup)} are taken`
    }
  },
  leavesAt: (epoch: bigint, moment: Moment) => `the active set at ${epochWords(epoch, moment)}`,
  exitPaid: (epoch: bigint, balanceGwei: Gwei, { sweepSlots, ...moment }: Moment & { sweepSlots: bigint }) =>
    `${tokensOf(balanceGwei, moment.setup)} at ${epochWords(epoch, moment)}, by the sweep within ${formatCount(sweepSlots)} ${sweepSlots === 1n ? 'slot' : 'slots'}`,
  partPaid: (epoch: bigint, { paidGwei, paidSlot }: PlaceAfter, moment: Moment) =>
    `${tokensOf(paidGwei, moment.setup)} at ${epochWords(epoch, moment)}, in block ${formatCount(paidSlot)}, if nothing else happens`,
  placeLost: `none: the validator ${STANDING_TEXT.hasLeft}, and this key never returns`,
  place({ place, dropsOutAtEpoch, dropsOutAnyway }: PlaceAfter, setup: Setup): string {
    if (dropsOutAtEpoch !== undefined)
      return `${STANDING_TEXT.outAt(dropsOutAtEpoch)}, ${STANDING_TEXT.ifNothingElse}: ${STANDING_TEXT.outForEver}${dropsOutAnyway ? '; without the part as well' : ''}`
    if (place === undefined) return 'none at that epoch boundary'
    const at = `${ordinal(place.rank)} for ${place.places} places, effective ${tokensOf(place.stakeGwei, setup)}`
    return `${at}; ${STANDING_TEXT.mayDropOut.it(tokensOf(place.othersNeedGwei, setup))}`
  },
  fate(fate: RequestFate, moment: Moment): string {
    const { setup } = moment
    const what = LEAVE_TEXT.asked(fate.request.amountGwei, setup)
    switch (fate.is) {
      case 'in-block':
        return `${what}: in a block, not in a state that is proven yet`
      case 'unclear':
        return fate.exitEpoch === undefined
          ? `${what}: in a block; the state does not tell any more whether the chain took it`
          : exitWords(`${what}: in a block`, { ...fate, ...moment })
      case 'exit':
        return exitWords(`${what}: taken`, { ...fate, ...moment })
      case 'part': {
        const cut = fate.amountGwei < fate.request.amountGwei ? ', cut' : ''
        return `${what}: taken${cut}; ${tokensOf(fate.amountGwei, setup)} waits, paid at ${epochWords(fate.withdrawableEpoch, moment)}; no guard can act until then`
      }
      case 'past':
        return `${what}: over; what the chain took of it was paid from epoch ${formatCount(fate.withdrawableEpoch)} on`
      case 'dropped':
        return `${what}: dropped, ${DROPPED[fate.reason]}`
    }
  },
  taken(taken: Taken, moment: Moment): string {
    if (taken.is === 'part') {
      const paid = epochWords(taken.withdrawableEpoch, moment)
      return `a part: taken; ${tokensOf(taken.amountGwei, moment.setup)} waits, paid at ${paid}; its request is not in the logs`
    }
    const exit = exitWords('the exit', { ...taken, ...moment })
    return `${exit}; no request for it is in the logs: it asked to leave, or lost its place`
  },
  lacksTaken: 'The validator set, or a signed block, has one that is not in them.',
  lacksOne: (name: string, block: bigint) => `${name} does not give that of block ${formatCount(block)}.`,
  sentence: {
    unknown: (which: string) => `Not certain: see "${which}". No request is made.`,
    pool: 'No request is made: this validator is a staking pool’s.',
    dropped: (reason: DropReason) => `No request is made: ${DROPPED[reason]}.`,
    begun: 'No request is needed: its exit has begun, and the whole stake is paid back by itself.',
    refused: (which: string) => `No request is made: see "${which}".`,
    guard:
      'No request is made: it would take the nonce of the guard. The guard would end, and the validator be without it. Cancel the guard first.',
    exit: 'Ready: the wallet of the withdrawal address can send the exit. It cannot be taken back.',
    part: (amount: string) => `Ready: the wallet of the withdrawal address can ask for ${amount}.`,
    placeLost: (amount: string, epoch: bigint) =>
      `Ready, but the place goes: after ${amount} the validator ${STANDING_TEXT.outAt(epoch)}, if nothing else happens.`,
  },
  notes: {
    hand: 'On the machine of the wallet, with an execution endpoint in the place of RPC. The nonce makes it count once:',
    contract: 'A contract account sends it: its owners carry this call out once.',
    batch: (path: string) => `The batch for the Transaction Builder of a Safe: ${path}`,
    commandFile: (path: string) => `The command for each kind of wallet: ${path}`,
    out: 'The batch for the Transaction Builder of a Safe: add --out FILE.',
    fee: (feeWei: bigint, valueWei: bigint) =>
      `The fee rises with every request of others: ${formatCount(valueWei)} wei are sent, ${formatCount(feeWei)} are asked for now. What is too much is not paid back; with too little the call reverts.`,
    unsigned:
      'This program signs nothing of it. Look again afterwards: the same command says what became of it.',
    cancelGuard: 'Cancel the guard in the wizard, with g and then x: ',
    guardWaits: 'No guard of this validator can act until the part is paid.',
    keepRunning: `Keep the node running until the validator ${STANDING_TEXT.hasLeft}.`,
  },
  readBack: (amountGwei: Gwei, setup: Setup) => `read back: this key, ${LEAVE_TEXT.asked(amountGwei, setup)}`,
}

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
