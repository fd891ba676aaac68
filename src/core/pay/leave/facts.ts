import type { Gwei, Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { isFulu } from '../../chain/consensus/fork-outlook.ts'
import { type LeaveForecast, leaveForecast } from '../../chain/consensus/leave-outlook.ts'
import { executionAddress } from '../../chain/consensus/pay-withdrawals.ts'
import { type SetSnapshot, waitingDeposits } from '../../chain/consensus/snapshot.ts'
import { excessOfFee } from '../../chain/deposit/withdrawal-call.ts'
import type { Setup } from '../../chain/facts.ts'
import { ownRecord } from '../../chain/key-state/own.ts'
import { isProof } from '../../chain/network/anchors.ts'
import { MOST_SLOTS_APART } from '../../chain/network/limits.ts'
import { isPoolValidator } from '../../chain/network/pools.ts'
import { known, type Observations } from '../../view/observation.ts'
import { type FactTable, gateHolds } from '../../view/rows.ts'
import { SOURCES } from '../../view/sources.ts'
import { feeLimitWei, type GasPrice } from '../funds.ts'
import { type ChainAnswer, chainIsRight } from '../gate/chain-facts.ts'
import type { MadeRequest } from './fates.ts'

/** Answers that a withdrawal request rests on, each of every execution endpoint. */
export type LeaveAnswers = {
  chain: ChainAnswer
  /** The set, and how many slots it is behind the newest block. */
  set: { snapshot: SetSnapshot; behindSlots: bigint }
  /** `made`: for this key; `waiting`: of anybody, in blocks that the set does not hold. `apart`: who says otherwise. */
  requests: { made: readonly MadeRequest[]; waiting: readonly MadeRequest[]; toBlock: bigint; apart?: string }
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

/** What must be known before a request is handed over, in the order of the rows. */
export const LEAVE_FACTS: FactTable<LeaveAnswers, AboutLeave> = {
  chain: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: (chain, { setup }) => chainIsRight(chain, setup),
  },
  set: {
    gate: 'needed',
    source: SOURCES.node,
    judge: ({ snapshot, behindSlots }, { setup }) =>
      isProven(snapshot, setup) && behindSlots <= MOST_SLOTS_APART ? true : undefined,
  },
  requests: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ apart }) => (apart === undefined ? true : undefined),
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
  },
  fee: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ feeWei, valueWei }) => excessOfFee(feeWei) !== undefined && valueWei <= MOST_REQUEST_FEE_WEI,
  },
  dryRun: { gate: 'needed', source: SOURCES.execution, judge: ({ refusal }) => refusal === undefined },
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
