import { formatCount, formatCountdown, type Gwei, ordinal } from '../../base/format/amount.ts'
import type { LeaveForecast, PlaceAfter } from '../../chain/consensus/leave-outlook.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import type { DropReason } from '../../chain/consensus/withdrawal-request.ts'
import type { Setup } from '../../chain/facts.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { tokensOf } from '../../chain/network/network.ts'
import { POOLS_TEXT } from '../../chain/network/pools.ts'
import type { RequestFate, Taken } from './fates.ts'

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
