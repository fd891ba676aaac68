import type { Setup } from '../core/chain/facts.ts'
import { type Own, ownRecord, wayOut } from '../core/chain/key-state/own.ts'
import { validatorIsActive } from '../core/steps/status/machine.ts'
import { known } from '../core/view/observation.ts'
import type { State } from '../core/wizard/state.ts'

type Steps = Pick<State, 'status' | 'topup'>
type About = { pubkey: string | undefined; setup: Pick<Setup, 'network'> }

/** Returns the user's validator as the newest set has it that a step has read; undefined where none has the key. */
function newestOwn({ status, topup }: Steps, { pubkey, setup }: About): Own | undefined {
  if (pubkey === undefined) return undefined
  const owns = [status.lastSnapshot, known(topup.snapshot)].flatMap(
    (snapshot) => (snapshot && ownRecord(snapshot, pubkey, setup)) ?? [],
  )
  return owns.reduce<Own | undefined>(
    (newest, own) => (newest === undefined || own.slot > newest.slot ? own : newest),
    undefined,
  )
}

/** Whether the user's validator was seen to have left the active set, and its stake to be paid back; undefined where not. */
export function seenOut(steps: Steps, about: About): 'left' | 'paid' | undefined {
  const own = newestOwn(steps, about)
  const out = own && wayOut(own)
  return out === 'leaving' ? undefined : out
}

/** Whether the user's validator is active by all that the steps have read: no step saw it out after it was counted. */
export const isActiveAtLast = (steps: Steps, about: About): boolean =>
  validatorIsActive(steps.status) && seenOut(steps, about) === undefined
