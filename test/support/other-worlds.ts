import type { Gwei } from '../../src/core/format/amount.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import type { State } from '../../src/core/state.ts'
import { known } from '../../src/core/steps/observation.ts'

/** The key of the validator that a state is about. */
function keyOf({ journal }: State): Hex {
  if (journal.status !== 'open') throw new Error('no journal is open')
  return journal.header.pubkey
}

/** The state with so much more stake in the set that is on the screen, in its validator alone. */
export function withStake(state: State, byGwei: Gwei): State {
  const { topup } = state
  const set = known(topup.snapshot)
  if (set === undefined || topup.snapshot.status !== 'known') throw new Error('no set is on the screen')
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
