import type { Facts, Setup } from '../../chain/facts.ts'
import type { Own } from '../../chain/key-state/own.ts'
import { describeStanding, type Standing } from '../../chain/key-state/standing.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { besideGuard } from '../../observe/picture.ts'
import type { AlarmView, InDanger } from '../../view/alarm-view.ts'
import { known } from '../../view/observation.ts'
import { type StatusState, type Trouble, troublesOf, validatorIsActive } from './machine.ts'

type ByChain = Standing['situation']

/** Where a validator stands by what was last heard: by the chain, then by the engine, its guard and the rules of the watch. */
export type Situation =
  | { is: 'unheard' }
  | Exclude<ByChain, { is: 'dropping' }>
  /** Active by its epochs; the engine follows two slots after the boundary. */
  | (Omit<Extract<ByChain, { is: 'active' }>, 'is'> & { is: 'before-engine' })
  /** `inDanger`: what the rules of the watch say of it, once they have looked at this very danger. */
  | ({ is: 'dropping'; own: Own; inDanger?: InDanger } & ReturnType<typeof besideGuard>)

/** How much of the own node is behind what is shown. */
export type Contact =
  | { is: 'sound' }
  | { is: 'doubt'; doubt: NodeDoubt }
  | { is: 'node-failed' | 'engine-failed' | 'catching-up' | 'other-key' | 'no-engine' }
  | { is: 'troubled'; troubles: readonly Trouble[] }
  /** Heard and well, but an alarm stands that asks for somebody. */
  | { is: 'alarmed' }

/** What title and money band follow from: the chain's word on the validator, and whether the node is to be believed. */
export function situationOf(state: StatusState, { identity, registration }: Facts, setup: Setup): Situation {
  const snapshot = state.lastSnapshot
  if (snapshot === undefined || snapshot.isRefuted || identity === undefined) return { is: 'unheard' }
  const { situation } = describeStanding(snapshot, identity.pubkey, setup)
  if (!('own' in situation))
    // A state from before the slot of the proof says nothing of a validator that was proven to be there.
    return snapshot.consensus.slot < (registration?.slot ?? 0n) ? { is: 'unheard' } : situation
  const { doubt } = state
  const own = doubt === undefined ? situation.own : { ...situation.own, doubt }
  switch (situation.is) {
    case 'dropping': {
      const { danger } = situation
      const inDanger =
        danger.rescue && state.inDanger?.epoch === danger.outAtEpoch ? state.inDanger : undefined
      const beside = besideGuard(danger, state.guard, { slot: own.slot, network: setup.network })
      return { is: 'dropping', own, ...beside, ...(inDanger === undefined ? {} : { inDanger }) }
    }
    case 'active':
      // An engine that is a slot ahead of the state changes nothing before the state has it, too.
      return { ...situation, own, is: validatorIsActive(state) ? 'active' : 'before-engine' }
    default:
      return { ...situation, own }
  }
}

/** Whether the node is heard, and well enough to be one that signs. */
export function contactOf(state: StatusState, setup: Setup): Contact {
  const { doubt, observed } = state
  if (doubt !== undefined) return { is: 'doubt', doubt }
  if (observed.snapshot.status === 'failed') return { is: 'node-failed' }
  if (observed.engine.status === 'failed') return { is: 'engine-failed' }
  const engine = known(observed.engine)
  if (engine?.catchingUp === true) return { is: 'catching-up' }
  if (engine?.sameKey === false) return { is: 'other-key' }
  const troubles = troublesOf(state, setup)
  if (troubles.length > 0) return { is: 'troubled', troubles }
  if (state.alarms.some(asksForSomebody)) return { is: 'alarmed' }
  return setup.endpoints.engine === undefined ? { is: 'no-engine' } : { is: 'sound' }
}

/** With somebody's deposit there is nothing to do. */
function asksForSomebody({ alarm, severity }: AlarmView): boolean {
  return severity !== 'info' && alarm !== 'deposit-unexpected'
}
