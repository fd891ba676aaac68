import type { Gwei } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { GateAnswers } from '../../src/core/pay/gate/facts.ts'
import type { PayingStep, PaymentState } from '../../src/core/pay/payment/payment.ts'
import { known, type Observation } from '../../src/core/view/observation.ts'
import type { State } from '../../src/core/wizard/state.ts'

/** The key of the validator that a state is about. */
function keyOf({ journal }: State): Hex {
  if (journal.status !== 'open') throw new Error('no journal is open')
  return journal.header.pubkey
}

/** The state with so much more stake in the set that is on the screen, in its validator alone; the same one without a set. */
export function withStake(state: State, byGwei: Gwei): State {
  const { topup } = state
  const set = known(topup.snapshot)
  if (set === undefined || topup.snapshot.status !== 'known') return state
  const pubkey = keyOf(state).toLowerCase()
  const own = set.consensus.validators.findIndex((one) => one.pubkey === pubkey)
  const balancesGwei = set.consensus.balancesGwei.map((held, at) => (at === own ? held + byGwei : held))
  const value = { ...set, consensus: { ...set.consensus, balancesGwei } }
  return { ...state, topup: { ...topup, snapshot: { ...topup.snapshot, value } } }
}

/** The state in which somebody else's payment for the key is told, and not counted yet. */
export function withArrival(state: State, arrival: { hash: Hex; block: bigint; amountGwei: Gwei }): State {
  const { topup } = state
  return { ...state, topup: { ...topup, arrivals: [...topup.arrivals, { ...arrival, from: undefined }] } }
}

/** The state with the payment of a step changed. */
export function withPayment(
  state: State,
  step: PayingStep,
  change: (payment: PaymentState) => PaymentState,
): State {
  if (step === 'deposit') return { ...state, deposit: change(state.deposit) }
  return { ...state, topup: { ...state.topup, send: change(state.topup.send) } }
}

/** The state with another answer to one question of the gate; `undefined` where it is asked anew. */
export function withAnswer<K extends keyof GateAnswers>(
  state: State,
  step: PayingStep,
  { key, change }: { key: K; change: (value: GateAnswers[K]) => GateAnswers[K] | undefined },
): State {
  return withPayment(state, step, (payment) => {
    const observation: Observation<GateAnswers[K]> = payment.observed[key]
    if (observation.status !== 'known') return payment
    const value = change(observation.value)
    const next = value === undefined ? { status: 'unasked' } : { ...observation, value }
    return { ...payment, observed: { ...payment.observed, [key]: next } }
  })
}
