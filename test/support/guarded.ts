import { expect } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { press } from './press.ts'
import { until } from './two-machines.ts'
import { userOf } from './user-of.ts'
import type { World } from './world.ts'

/** A token in gwei. */
export const TOKENS = 1_000_000_000n
/** The page of the top-up step, where the terms stand. */
export const topUpOf = (session: Session) => viewOf('topup', session.getState(), session)
/** The guard as the status screen tells it. */
export const guardOf = (session: Session) => session.getState().status.guard
/** The guard as its page has it. */
export const pageOf = (session: Session) => session.getState().topup.guard

/** Opens the page of the guard from the status screen, and types its terms. */
export async function typeTerms(session: Session, capTokens: string): Promise<void> {
  // The engine counts a validator before the set that was heard of last has it active.
  await until(session, () =>
    viewOf('status', session.getState(), session).actions.some(({ key }) => key === 'g'),
  )
  await press(session, 'status', 'g')
  await session.dispatch({ step: 'topup', type: 'chosen', text: capTokens })
  await session.dispatch({ step: 'topup', type: 'guardUntilTyped', text: '2040-03-01' })
  await session.dispatch({ step: 'topup', type: 'guardSlotsTyped', text: '2' })
  await until(
    session,
    ({ topup }) => gateIsOpen(topup.send.observed, session.setup) && topup.guard.here !== 'unread',
  )
}

/** Arms a guard from the status screen, as its keys do. */
export async function arm(session: Session, capTokens: string): Promise<void> {
  await typeTerms(session, capTokens)
  expect(topUpOf(session).actions[0]).toMatchObject({ key: 'return', typed: `guard ${capTokens}` })
  await press(session, 'topup', 'return')
  await until(session, ({ topup }) => topup.guard.work === undefined)
  expect(pageOf(session).failure).toBeUndefined()
  expect(pageOf(session).here).toMatchObject({ stand: 'armed' })
  await session.dispatch({ step: 'session', type: 'went', to: 'status' })
}

/** The record and the balance of the user’s validator as the chain has them. */
export async function ownRecord(world: World) {
  const { pubkey } = await userOf(world.devnet)
  const { validators, balancesGwei } = world.devnet.state()
  const at = validators.findIndex((each) => each.pubkey === pubkey)
  return { validator: validators[at], balanceGwei: balancesGwei[at] ?? 0n }
}

/** Whether somebody's deposit has taken the place. */
export function isOutbid(world: World): boolean {
  const rival = validatorKey(world.devnet.descriptor.seed, 'rival').pubkey
  const { validators, balancesGwei } = world.devnet.state()
  return (balancesGwei[validators.findIndex(({ pubkey }) => pubkey === rival)] ?? 0n) > 10_000n * TOKENS
}

/** The bytes of the guard that left, each once, in their order; those before are of the registration. */
export const sentByGuard = (world: World): Hex[] => [...new Set(world.wire.map(({ raw }) => raw))].slice(2)

/** Waits until the nonce of the guard is used for good. */
export const over = (session: Session) => until(session, ({ status }) => status.guard?.stand === 'over')

/** The lines of the guard's own in its journal, in their order. */
export const ownLines = (world: World): string[] =>
  world.guardLines().filter((type) => type.startsWith('guard.'))
