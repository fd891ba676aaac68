import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeWithdrawalCall, REQUESTS_CONTRACT } from '../../src/core/chain/deposit/withdrawal-call.ts'
import { POOLS_TEXT } from '../../src/core/chain/network/pools.ts'
import type { AlarmId, WatchEvent } from '../../src/core/view/alarm-event.ts'
import { account, validatorKey } from '../../src/devnet/keys.ts'
import { hardTest } from '../support/hard.ts'
import { expectSpoken, timesIn } from '../support/same-words.ts'
import { beginShownWatch, type ShownWatch } from '../support/shown-watch.tsx'
import { userOf } from '../support/user-of.ts'
import type { ToldEvent } from '../support/watch-run.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
let watched: ShownWatch
let keys: { pool: Hex; leaver: Hex }

beforeEach(async () => {
  world = await startWorld({ scenario: 'pool-validator' })
  const { pubkey: pool } = await userOf(world.devnet)
  keys = { pool, leaver: validatorKey(world.devnet.descriptor.seed, 'genesis/2').pubkey }
  await mkdir(join(world.directory, 'watches'))
})
afterEach(async () => {
  await watched.stop()
  await world.end()
})

function begin(...argv: string[]): void {
  const descriptor = join(world.directory, 'descriptor.json')
  watched = beginShownWatch(
    ['--devnet', descriptor, ...argv, `${keys.pool}=pooled`, `${keys.leaver}=leaver`],
    {
      effects: () => world.begin().effects,
      clock: world.clock,
      directory: join(world.directory, 'watches'),
    },
  )
}

/** Lets time pass until an alarm has changed so. */
async function until(alarm: AlarmId, change: WatchEvent['change'], from = 0): Promise<ToldEvent> {
  const find = () => watched.told.slice(from).find((each) => each.alarm === alarm && each.change === change)
  for (let slot = 0; slot < 120 && find() === undefined; slot += 1) await world.clock.sleep(1000)
  await world.clock.sleep(2000)
  const found = find()
  if (found === undefined) throw new Error(`${alarm} was not ${change}: ${watched.lines.join('\n')}`)
  return found
}

/** An alarm that stands is read in the table, by lines on a terminal, and in a line of its own, with what to do. */
async function isShown({ title, next }: ToldEvent): Promise<void> {
  expectSpoken(title)
  const [frame, said, lines] = [await watched.frame(), watched.said(), watched.lines.join('\n')]
  for (const place of [frame, said]) expect(timesIn(place, title), place).toBeGreaterThan(0)
  expect(timesIn(lines, title), lines).toBe(1)
  if (next === undefined) return
  for (const place of [frame, said, lines])
    expect(timesIn(place, next), `${next} in ${place}`).toBeGreaterThan(0)
}

/** It was told once, ended once, and stands nowhere any more. */
async function isOver(fired: ToldEvent, cleared: ToldEvent): Promise<void> {
  expect(cleared.id).toBe(fired.id)
  const changes = watched.told.filter(({ id, change }) => id === fired.id && change !== 'repeated')
  expect(changes.map(({ change }) => change)).toEqual(['fired', 'cleared'])
  expectSpoken(cleared.title)
  const lines = watched.lines.join('\n')
  expect([timesIn(lines, fired.title), timesIn(lines, cleared.title)], lines).toEqual([1, 1])
  expect(timesIn(await watched.frame(), fired.title)).toBe(0)
}

test('what concerns a pool’s validator is told once in each form, and names the door of its pool', () =>
  world.clock.flow(async () => {
    // Whoever has more than its 270,000 takes its place.
    begin('--margin', '300000')
    const thin = await until('margin', 'fired')
    expect(thin).toMatchObject({ validator: { name: 'pooled' }, next: POOLS_TEXT.onlyItsDoor })
    await isShown(thin)
    await (await userOf(world.devnet)).topUp(110_000n, keys.pool)
    const gift = await until('deposit-unexpected', 'fired')
    await isShown(gift)
    await isOver(gift, await until('deposit-unexpected', 'cleared'))
    await isOver(thin, await until('margin', 'cleared'))
  }))

/** Asks for an amount of the leaver, from its own withdrawal address; 0 is the exit. */
async function request(amountGwei: bigint): Promise<void> {
  const { rpc, addBalance } = world.devnet.execution
  const from = account(world.devnet.descriptor.seed, 'others').address
  const data = encodeWithdrawalCall({ pubkey: keys.leaver, amountGwei })
  await addBalance(from, 10n ** 18n)
  await rpc('hardhat_impersonateAccount', [from])
  await rpc('eth_sendTransaction', [{ from, to: REQUESTS_CONTRACT, data, value: '0x1', gas: '0x30d40' }])
  await rpc('hardhat_stopImpersonatingAccount', [from])
}

hardTest('a part and an exit are told once each in each form, from the request to the payment', () =>
  world.clock.flow(async () => {
    begin()
    await world.clock.sleep(3000)
    await request(tokens(10_000n))
    const part = await until('exit-begun', 'fired')
    expect(part.severity).toBe('warning')
    await isShown(part)
    await isOver(part, await until('exit-begun', 'cleared'))

    // It leaves at the next epoch boundary: until there is time to read it.
    while (world.devnet.state().slot % 8n !== 0n) await world.clock.sleep(1000)
    const from = watched.told.length
    await request(0n)
    const exit = await until('exit-begun', 'fired', from)
    expect(exit.severity).toBe('critical')
    expect(exit.id).not.toBe(part.id)
    await isShown(exit)
    const out = await until('dropped-out', 'fired')
    await isShown(out)
    await isOver(exit, await until('exit-begun', 'cleared', from))
    await isOver(out, await until('dropped-out', 'cleared'))
  }),
)
