import { formatCount, formatWei, type Gwei, type Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { isFulu } from '../../chain/consensus/fork-outlook.ts'
import { type LeaveForecast, leaveForecast, type QueuedRequest } from '../../chain/consensus/leave-outlook.ts'
import { executionAddress } from '../../chain/consensus/pay-withdrawals.ts'
import { type SetSnapshot, snapshotSource, waitingDeposits } from '../../chain/consensus/snapshot.ts'
import { withChecksum } from '../../chain/deposit/credentials.ts'
import { excessOfFee } from '../../chain/deposit/withdrawal-call.ts'
import type { Setup } from '../../chain/facts.ts'
import { ownRecord } from '../../chain/key-state/own.ts'
import { isProof, MOST_SLOTS_APART } from '../../chain/network/network.ts'
import { isPoolValidator } from '../../chain/network/pools.ts'
import { known, type Observations, SOURCES } from '../../view/observation.ts'
import { type FactTable, gateHolds } from '../../view/rows.ts'
import { EVIDENCE_TEXT } from '../../view/text.ts'
import { feeLimitWei, type GasPrice } from '../funds.ts'
import { type ChainAnswer, chainIsRight, chainText } from '../gate/chain-facts.ts'
import {
  COMMITMENT_TEXT,
  type Commitment,
  commitmentsFor,
  type Kept,
  type NonceFault,
  nonceFaultOf,
} from '../gate/commitments.ts'
import type { MadeRequest } from './fates.ts'

/** Answers that a withdrawal request rests on, each of every execution endpoint. */
export type LeaveAnswers = {
  chain: ChainAnswer
  /** The set, and how many slots it is behind the newest block. */
  set: { snapshot: SetSnapshot; behindSlots: bigint }
  /** Of anybody, in blocks that the set does not hold. `apart`: who says otherwise. */
  requests: { waiting: readonly QueuedRequest[]; toBlock: bigint; apart?: string }
  /** For this key, by the logs of who gives them. `lacks`: who does not, and why there may be more; safe to draw. */
  made: { made: readonly MadeRequest[]; toBlock: bigint; lacks?: string }
  /** The withdrawal address. `contract`: its owners carry a call out. `apart`: who names another nonce. */
  wallet: {
    address: Hex
    contract: boolean
    balanceWei: Wei
    nonce: number
    pending: number
    apart?: string
  }
  /** The highest fee that an endpoint names, and what is paid: with room for requests of others. The least gas is its limit. */
  fee: { feeWei: Wei; valueWei: Wei; price: GasPrice }
  dryRun: { gasLimit: bigint; refusal: string | undefined }
  /** What is committed here for the account and the validator; `final` as the judge of nonces takes it. */
  open: { kept: Kept; final: number | undefined }
}

/** What the answers are judged by: one another, and what is asked for; 0 gwei are the exit, undefined is nothing yet. */
export type AboutLeave = {
  observed: Observations<LeaveAnswers>
  setup: Setup
  pubkey: Hex
  amountGwei: Gwei | undefined
}

/** What a request does, by the rules of the chain; `pool`: it is for its pool to ask. */
export type LeaveOutcome = LeaveForecast | { is: 'pool' }

/** No request is worth more than a tenth of a token: an endpoint cannot make it costly. */
const MOST_REQUEST_FEE_WEI: Wei = 10n ** 17n

const AGAIN = 'Yes. It is asked again for every request.'
const ENDPOINTS = 'Every execution endpoint that is set.'
/** From here on a fee is said in tokens as well. */
const SHOWN_WEI = 10n ** 12n

/** What must be known before a request is handed over, in the order of the rows. */
export const LEAVE_FACTS: FactTable<LeaveAnswers, AboutLeave> = {
  chain: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: (chain, { setup }) => chainIsRight(chain, setup),
    label: 'chain',
    say: (chain, { setup }) => chainText(chain, setup),
    explain: {
      what: 'The chain that the request goes to: whether it makes blocks, and whether it follows rules that this program knows.',
      who: 'The execution endpoint; the node API for the rules.',
      later: AGAIN,
    },
  },
  set: {
    gate: 'needed',
    source: SOURCES.node,
    judge: ({ snapshot, behindSlots }, { setup }) =>
      isProven(snapshot, setup) && behindSlots <= MOST_SLOTS_APART ? true : undefined,
    label: 'validator set',
    say: ({ snapshot, behindSlots }, { setup }) => {
      const { proof, unproven } = snapshot
      const level =
        proof === undefined
          ? ''
          : `, ${EVIDENCE_TEXT.root(proof, (anchors) => `its root held by ${anchors} of ${countEndpoints(setup)}`)}`
      const behind = behindSlots > 2n ? `, ${formatCount(behindSlots)} slots behind the newest block` : ''
      const waits = 'unknown' in snapshot.uncounted ? `; ${snapshot.uncounted.unknown}` : ''
      return `${snapshotSource(snapshot)}${level}${unproven === undefined ? '' : `: ${unproven}`}${behind}${waits}`
    },
    explain: {
      what: 'Every validator with its balance, and the partial withdrawals that wait: what a request does follows from them. The whole state is hashed on this computer, and its root must be in the execution chain.',
      who: 'The node API; the execution endpoints hold the root.',
      later: AGAIN,
    },
  },
  requests: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ apart }) => (apart === undefined ? true : undefined),
    label: 'other requests',
    say: ({ waiting, toBlock, apart }) =>
      apart === undefined
        ? `${formatCount(BigInt(waiting.length))} of anybody not in the state yet; up to block ${formatCount(toBlock)}`
        : `${apart} has other requests in the same blocks, or is behind`,
    explain: {
      what: 'The withdrawal requests in blocks that the state does not hold yet (EIP-7002): they come before this one.',
      who: 'The blocks that the validator set signed, else the logs at every execution endpoint.',
      later: AGAIN,
    },
  },
  made: {
    gate: 'told',
    source: SOURCES.execution,
    judge: ({ lacks }) => (lacks === undefined ? true : undefined),
    label: 'requests for this key',
    say: ({ made, toBlock, lacks }) => {
      const found = `${formatCount(BigInt(made.length))} in the logs up to block ${formatCount(toBlock)}`
      return lacks === undefined ? found : `${found}; there may be more. ${lacks}`
    },

    explain: {
      what: 'The requests for this key in the blocks of the last epochs, by the logs of the contract. An endpoint that has forgotten them is named. What the chain took of them is in the validator set.',
      who: ENDPOINTS,
      later: AGAIN,
    },
  },
  wallet: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ balanceWei, nonce, pending, apart, contract }, about) => {
      const neededWei = neededOf(about)
      if (neededWei !== undefined && balanceWei < neededWei) return false
      if (contract) return true
      // Another transaction of the address waits: it may be this very request.
      return apart === undefined && nonce === pending ? true : undefined
    },
    label: 'withdrawal address',
    say: ({ contract, balanceWei, nonce, pending, apart }, about) => {
      const { token } = about.setup.network.names
      if (!contract && apart !== undefined) return `${apart} says another nonce`
      if (!contract && nonce !== pending)
        return `a transaction of it waits, perhaps this very request: ${pending - nonce}`
      const neededWei = neededOf(about)
      const short = neededWei !== undefined && balanceWei < neededWei ? `, needs ${formatWei(neededWei)}` : ''
      const kind = contract ? 'a contract account: its owners carry the call out; ' : ''
      return `${kind}holds ${formatWei(balanceWei)} ${token}${short}`
    },
    long: ({ address }) => withChecksum(address),
    explain: {
      what: 'The address in the withdrawal credentials. Only a request of this address counts, and it pays the fee.',
      who: `${ENDPOINTS} The address is in the validator set.`,
      later: 'The address never changes.',
    },
  },
  open: {
    gate: 'needed',
    source: () => COMMITMENT_TEXT.source,
    judge: (_, about) => {
      if (leaveCommitments(about).some(({ is }) => is === 'unread')) return undefined
      return nonceFaultIn(about) === undefined
    },
    label: 'open here',
    say: (_, about) => {
      const fault = nonceFaultIn(about)
      const nonce = known(about.observed.wallet)?.nonce ?? 0
      if (fault !== undefined) return COMMITMENT_TEXT.fault(fault, nonce)
      const found = leaveCommitments(about)
      if (found.length === 0) return COMMITMENT_TEXT.none
      return found.map((one) => COMMITMENT_TEXT.say(one, about.setup.network)).join('; ')
    },
    explain: {
      what: 'Guards and payments of this account and of this validator. A request takes the account’s next nonce. A guard that holds it would end, and its validator be without it.',
      who: 'The journals on this computer. What another machine signed isn’t known here.',
      later: AGAIN,
    },
  },
  fee: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ feeWei, valueWei }) => excessOfFee(feeWei) !== undefined && valueWei <= MOST_REQUEST_FEE_WEI,
    label: 'fee',
    say: ({ feeWei, valueWei }, { setup }) => {
      const token = valueWei < SHOWN_WEI ? '' : ` (${formatWei(valueWei)} ${setup.network.names.token})`
      return `${formatCount(feeWei)} wei now, ${formatCount(valueWei)} wei with room for others${token}`
    },
    explain: {
      what: 'What the contract asks for one request. It rises with every request above two a block, so more is sent than it asks for now. What is too much is not paid back; with too little the call reverts.',
      who: ENDPOINTS,
      later: 'With every block.',
    },
  },
  dryRun: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ refusal }) => refusal === undefined,
    label: 'dry run',
    say: ({ gasLimit, refusal }) => refusal ?? `accepted, gas limit ${formatCount(gasLimit)}`,
    explain: {
      what: 'The call as the withdrawal address would make it now, without sending it.',
      who: ENDPOINTS,
      later: AGAIN,
    },
  },
}

/** Returns what is committed for the withdrawal address and the validator; nothing while that isn't known. */
function leaveCommitments({ observed, pubkey }: AboutLeave): readonly Commitment[] {
  const [open, wallet, set] = [known(observed.open), known(observed.wallet), known(observed.set)]
  return open === undefined
    ? []
    : commitmentsFor(open.kept, {
        from: wallet?.address,
        final: open.final,
        pubkey,
        set: set?.snapshot,
      })
}

/** Why the account's next nonce isn't given to a request; undefined where it may be. The owners of a contract account use none. */
export function nonceFaultIn({ observed }: Pick<AboutLeave, 'observed'>): NonceFault | undefined {
  const [open, wallet] = [known(observed.open), known(observed.wallet)]
  if (open === undefined || wallet === undefined || wallet.contract) return undefined
  return nonceFaultOf(open.kept, { from: wallet.address, nonce: wallet.nonce }, open.final)
}

/** How many execution endpoints must say the same. */
const countEndpoints = ({ endpoints }: Setup): number => (endpoints.secondExecution === undefined ? 1 : 2)

const isProven = ({ proof, uncounted }: SetSnapshot, setup: Setup): boolean =>
  proof !== undefined && !('unknown' in uncounted) && isProof(proof, countEndpoints(setup))

/** What the wallet needs in wei for value and gas; undefined while that is not known. A contract account pays no gas. */
export function neededOf({ observed }: Pick<AboutLeave, 'observed'>): Wei | undefined {
  const [fee, dryRun, wallet] = [known(observed.fee), known(observed.dryRun), known(observed.wallet)]
  if (fee === undefined || wallet === undefined) return undefined
  if (wallet.contract) return fee.valueWei
  const gasLimit = dryRun?.gasLimit ?? fee.price.gasLimit
  return fee.valueWei + feeLimitWei({ ...fee.price, gasLimit })
}

/** Each answer is judged once, however often it is drawn. */
const remembered = new WeakMap<
  LeaveAnswers['set'],
  WeakMap<LeaveAnswers['requests'], Map<string, LeaveOutcome>>
>()

/** Returns what a request does; undefined while that is not known, or nothing is asked for. */
export function leaveOutcome(about: AboutLeave): LeaveOutcome | undefined {
  const { observed, setup, pubkey, amountGwei } = about
  const [set, requests] = [known(observed.set), known(observed.requests)]
  if (set === undefined || requests === undefined || amountGwei === undefined) return undefined
  const bySet = remembered.get(set) ?? new WeakMap<LeaveAnswers['requests'], Map<string, LeaveOutcome>>()
  const outcomes = bySet.get(requests) ?? new Map<string, LeaveOutcome>()
  const key = `${setup.network.id}/${pubkey}/${amountGwei}`
  const outcome = outcomes.get(key) ?? judged({ set, requests, setup, pubkey, amountGwei })
  remembered.set(set, bySet.set(requests, outcomes.set(key, outcome)))
  return outcome
}

function judged(
  given: Pick<LeaveAnswers, 'set' | 'requests'> & Pick<AboutLeave, 'setup' | 'pubkey'> & { amountGwei: Gwei },
): LeaveOutcome {
  const { set, requests, setup, pubkey, amountGwei } = given
  const { snapshot } = set
  const own = ownRecord(snapshot, pubkey, setup)
  if (own !== undefined && isPoolValidator(own.validator.withdrawalCredentials, setup.network))
    return { is: 'pool' }
  const { spec } = setup.network
  return leaveForecast({
    state: snapshot.consensus,
    spec,
    fulu: isFulu(spec, snapshot.timestampSeconds),
    pubkey,
    amountGwei,
    uncounted: waitingDeposits(snapshot),
    requests: requests.waiting,
  })
}

/** Whether everything is known and good: only then a request is handed over. */
export function leaveIsOpen(about: AboutLeave): boolean {
  const outcome = leaveOutcome(about)
  const isUse = outcome?.is === 'exit' || outcome?.is === 'part'
  return isUse && gateHolds(LEAVE_FACTS, about.observed, about)
}

/** The withdrawal address of a validator of a set, where its credentials name one. */
export function withdrawalAddressOf(snapshot: SetSnapshot, about: Pick<AboutLeave, 'pubkey' | 'setup'>) {
  const own = ownRecord(snapshot, about.pubkey, about.setup)
  return own && executionAddress(own.validator.withdrawalCredentials)
}
