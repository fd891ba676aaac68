import { expect } from 'vitest'
import { httpError } from '../../src/core/base/errors/http.ts'
import { depositsOf } from './deposits-of.ts'
import { emptyPool } from './empty-pool.ts'
import type { Cut, Moment } from './life.ts'
import { live } from './register.ts'
import { userOf } from './user-of.ts'
import { type LifeOptions, startWorld, type World } from './world.ts'

/** What the machine goes through between the death of one process and the work of the next. */
export type Afterwards =
  | 'at once'
  | 'some slots later'
  | 'after the pool was emptied'
  | 'while no endpoint answers'

const PLAY_MONEY_WEI = 10n ** 24n
const MOST_FEES_WEI = 10n ** 17n
const DOWN_MS = 15_000

/**
 * Lets a process register until it dies, then another one go on from what is on the disk. Both payments must then
 * be on the chain exactly once and as planned.
 */
export async function killAndResume(
  dies: (moment: Moment) => Cut | undefined,
  afterwards: Afterwards,
): Promise<void> {
  const world = await startWorld()
  try {
    await dieWhileRegistering(world, { dies })
    const { ending } = await live(world, world.begin(await goThrough(world, afterwards)))
    expect(ending).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  } finally {
    await world.end()
  }
}

/** Begins a process that must die before it is done. */
export async function dieWhileRegistering(world: World, options: LifeOptions): Promise<void> {
  const life = world.begin(options)
  const result = await world.clock.flow(() =>
    Promise.race([live(world, life).then(({ ending }) => ending.end), life.died]),
  )
  if (result === 'active' || result === 'refused' || result === 'waiting')
    throw new Error(`the process did not die: ${result}`)
}

async function goThrough({ clock, devnet }: World, afterwards: Afterwards): Promise<LifeOptions> {
  switch (afterwards) {
    case 'at once':
      return {}
    case 'some slots later':
      await clock.flow(() => clock.sleep(5000))
      return {}
    case 'after the pool was emptied':
      await emptyPool(devnet.execution)
      return {}
    case 'while no endpoint answers': {
      const upAgainMs = clock.monotonicMs() + DOWN_MS
      return {
        request({ url }) {
          if (clock.monotonicMs() < upAgainMs) throw httpError('http.unreachable', url, 'ECONNREFUSED')
        },
      }
    }
  }
}

/** One first deposit, one top-up, each as it was agreed to, from bytes that were durable before they left. */
export async function expectOnePaymentEach(world: World): Promise<void> {
  const user = await userOf(world.devnet)
  const journal = world.journal()
  const planned = ['deposit', 'topup'].map((step) => {
    const plan = journal.findLast(({ type }) => type === `${step}.agreed`)?.data.plan
    return BigInt((plan as { valueWei: string }).valueWei)
  })
  const paid = await depositsOf(world.devnet.descriptor.urls.execution, user.pubkey)
  expect(paid.map((amountGwei) => amountGwei * 10n ** 9n)).toEqual(planned)
  const out = PLAY_MONEY_WEI - (await user.balanceWei())
  const fees = out - planned.reduce((sum, valueWei) => sum + valueWei, 0n)
  expect(fees).toBeGreaterThan(0n)
  expect(fees).toBeLessThan(MOST_FEES_WEI)
  expect(world.wire.filter(({ durable }) => !durable)).toEqual([])
  expect(new Set(world.wire.map(({ raw }) => raw)).size).toBe(2)
  for (const type of ['deposit.signed', 'topup.signed'])
    expect(journal.filter((line) => line.type === type)).toHaveLength(1)
  expect(Number(await user.rpc('eth_getTransactionCount', [user.address, 'pending']))).toBe(2)
}

/** Dies the first time that the journal gets a line of this type. */
export const atLine =
  (type: string, cut: Cut) =>
  (moment: Moment): Cut | undefined =>
    moment.act === 'append' && moment.type === type ? cut : undefined

/** Dies at the first handing over of the n-th transaction. */
export function atSending(ordinal: number, cut: Cut) {
  const seen = new Set<string>()
  return (moment: Moment): Cut | undefined => {
    if (moment.act !== 'send') return undefined
    seen.add(moment.raw)
    return seen.size === ordinal ? cut : undefined
  }
}

/** Dies at the n-th signature of a transaction. */
export function atSignature(ordinal: number, cut: Cut) {
  let count = 0
  return (moment: Moment): Cut | undefined => {
    if (moment.act !== 'sign' || moment.verb !== 'signTransaction') return undefined
    count += 1
    return count === ordinal ? cut : undefined
  }
}
