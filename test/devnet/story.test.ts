import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { type Chronicle, readChronicle } from '../../src/core/chain/network/chronicle.ts'
import { isPoolValidator } from '../../src/core/chain/network/pools.ts'
import type { ScenarioName } from '../../src/core/chain/network/scenario-names.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { userOf } from '../support/user-of.ts'
import { getJson, pass, testDevnet } from '../support/with-devnet.ts'

const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function start(scenario: ScenarioName, input: { slotMs?: number; seed?: string } = {}) {
  const { devnet, directory, end } = await testDevnet({ scenario, ...input })
  ends.push(end)
  return { devnet, directory, user: await userOf(devnet) }
}

const storyOf = async ({ descriptor }: Devnet): Promise<Chronicle> =>
  readChronicle(await readFile(descriptor.story ?? '', 'utf8'))
const idsOf = ({ events }: Chronicle) => events.map(({ id }) => id)

async function until(devnet: Devnet, phase: Chronicle['phase']): Promise<Chronicle> {
  for (let slots = 0; slots < 200; slots += 1) {
    const story = await storyOf(devnet)
    if (story.phase === phase) return story
    await devnet.advanceSlot()
  }
  throw new Error(`never ${phase}`)
}

async function wish({ descriptor }: Devnet, path: string, body: unknown) {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const reply = await fetch(`${descriptor.control}${path}`, init)
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

test('a network that plays nothing to wait for is over when the validator is active, with what was paid', async () => {
  const { devnet, user } = await start('set-full')
  expect(await storyOf(devnet)).toMatchObject({ scenario: 'set-full', phase: 'before', events: [] })
  await user.firstDeposit(280_000n)
  const story = await until(devnet, 'over')
  // Play money leaves this account for its one deposit alone, and nothing was paid back yet.
  const leftWei = BigInt((await user.rpc('eth_getBalance', [user.address, 'latest'])) as string)
  expect(story.feesWei).toBe(tokens(1_000_000n - 280_000n) * 10n ** 9n - leftWei)
  expect(story.feesWei).toBeGreaterThan(0n)
  const [registered, ...rest] = story.events
  expect(registered).toMatchObject({ id: 'registered', amountGwei: tokens(280_000n), index: 12 })
  expect(rest.map(({ id, amountGwei, index }) => ({ id, amountGwei, index }))).toEqual([
    { id: 'other-dropped-out', amountGwei: tokens(270_000n), index: 11 },
    { id: 'active', amountGwei: tokens(280_000n), index: 12 },
  ])
})

test('a rival is waited for, slots are longer while there is time to act, and it is over with the place', async () => {
  const { devnet, user } = await start('outbid-while-active')
  await user.firstDeposit(280_000n)
  expect(await until(devnet, 'soon')).toMatchObject({ pace: 'plain', slotMs: 1000 })
  const acts = await until(devnet, 'under-way')
  expect(acts).toMatchObject({ pace: 'slow', slotMs: 6000 })
  expect(acts.events.at(-1)).toMatchObject({ id: 'rival-added', amountGwei: tokens(290_000n) })
  expect(await wish(devnet, '/pace', { hasten: true })).toMatchObject({ status: 200 })
  expect(await storyOf(devnet)).toMatchObject({ pace: 'hastened', slotMs: 1000 })
  expect(await wish(devnet, '/pace', { hasten: false })).toMatchObject({ status: 200 })
  expect(await storyOf(devnet)).toMatchObject({ pace: 'slow', slotMs: 6000 })
  expect(await wish(devnet, '/pace', {})).toMatchObject({ status: 400 })
  const over = await until(devnet, 'over')
  expect(over).toMatchObject({ pace: 'plain', slotMs: 1000 })
  expect(idsOf(over).slice(-2)).toEqual(['rival-added', 'dropped-out'])
})

test('a pool’s validator is active from the beginning, and it is over once somebody has added to it directly', async () => {
  const { devnet, user } = await start('pool-validator')
  const { pools, withdrawalAddress } = devnet.descriptor
  expect(withdrawalAddress).toBe(pools?.vault)
  const own = () => devnet.state().validators.find(({ pubkey }) => pubkey === user.pubkey)
  expect(isPoolValidator(own()?.withdrawalCredentials ?? '0x', { ...(pools && { pools }) })).toBe(true)
  // It waits for who reads it.
  await pass(devnet, 100)
  expect(await storyOf(devnet)).toMatchObject({ phase: 'before', events: [] })
  expect(await wish(devnet, '/arrived', {})).toMatchObject({ status: 200 })
  expect(await storyOf(devnet)).toMatchObject({ phase: 'soon', events: [] })
  const arrived = devnet.state().slot
  await pass(devnet, 3)
  await wish(devnet, '/arrived', {})
  const over = await until(devnet, 'over')
  expect(over.events).toMatchObject([{ id: 'gift-added', amountGwei: tokens(10_000n), index: 11 }])
  expect(over.events[0]?.slot).toBe(arrived + 16n)
  expect(devnet.state().balancesGwei[11]).toBe(tokens(280_000n))
})

/** How the story of being outbid ends with so much added in time. */
async function outbidWith(seed: string, addGwei: bigint) {
  const { devnet, user } = await start('outbid-while-active', { seed })
  await user.firstDeposit(280_000n)
  await until(devnet, 'under-way')
  if (addGwei > 0n) await user.topUp(addGwei / tokens(1n))
  return (await until(devnet, 'over')).events.at(-1)
}

// At equal stake the larger key stays: one step is enough for the one, the other needs two.
test.each([
  ['a', 10_000n],
  ['b', 20_000n],
])(
  'what a validator that drops out was short of would have kept its place, and no step less: %s',
  async (seed, short) => {
    expect(await outbidWith(seed, 0n)).toMatchObject({ id: 'dropped-out', shortGwei: tokens(short) })
    expect(await outbidWith(seed, tokens(short))).toMatchObject({ id: 'other-dropped-out' })
    if (short > 10_000n)
      expect(await outbidWith(seed, tokens(short - 10_000n))).toMatchObject({ id: 'dropped-out' })
  },
)

test('a top-up in time keeps the place, and another one drops out', async () => {
  const { devnet, user } = await start('outbid-while-active')
  await user.firstDeposit(280_000n)
  await until(devnet, 'under-way')
  await user.topUp(20_000n)
  const over = await until(devnet, 'over')
  expect(idsOf(over).slice(-3)).toEqual(['rival-added', 'topped-up', 'other-dropped-out'])
})

test('a pace that was asked for by number stays as it is', async () => {
  const { devnet, user } = await start('outbid-while-active', { slotMs: 500 })
  await user.firstDeposit(280_000n)
  expect(await until(devnet, 'under-way')).toMatchObject({ pace: 'plain', slotMs: 500 })
})

test('a node that stops and comes back, and missed blocks with an operator change, are told in their order', async () => {
  const silent = await start('node-stops')
  await silent.user.firstDeposit(280_000n)
  const stopped = await until(silent.devnet, 'over')
  expect(idsOf(stopped).slice(-2)).toEqual(['node-stopped', 'node-back'])
  expect(stopped.events.at(-1)?.blocks).toBe(40)
  const troubled = await start('troubles-while-active')
  await troubled.user.firstDeposit(280_000n)
  const troubles = await until(troubled.devnet, 'over')
  expect(idsOf(troubles).slice(-4)).toEqual(['operator-queued', 'missed', 'missed', 'operator-cancelled'])
})

test('a squatted key gives way to a new one, which the node runs with and the chain registers', async () => {
  const { devnet, directory, user } = await start('squatted-key')
  const first = await storyOf(devnet)
  expect(first).toMatchObject({
    phase: 'before',
    events: [{ id: 'burnt-by-stranger', amountGwei: tokens(10_000n) }],
  })
  const { status, body } = await wish(devnet, '/key', {})
  expect(status).toBe(200)
  expect(body.pubkey).not.toBe(user.pubkey)
  const config = join(directory, 'home/config')
  const fileOf = async (name: string) =>
    JSON.parse(await readFile(join(config, name), 'utf8')) as { address: string }
  expect((await fileOf('priv_validator_key.old-1.json')).address).toBe(user.key.address)
  const { address } = await fileOf('priv_validator_key.json')
  expect(address).not.toBe(user.key.address)
  const engine = await getJson(devnet.descriptor.urls.engine, '/status')
  expect(engine.body).toMatchObject({ result: { validator_info: { address } } })
  expect(idsOf(await storyOf(devnet))).toEqual(['burnt-by-stranger', 'new-key'])
  // A deposit for the key before is no longer one of this story.
  await user.firstDeposit(10_000n)
  await pass(devnet, 3)
  expect(idsOf(await storyOf(devnet))).toEqual(['burnt-by-stranger', 'new-key'])
})

test('the story of a key that dropped out before begins there, and is over with another one alone', async () => {
  const { devnet } = await start('exited-key')
  const story = await storyOf(devnet)
  expect(story.phase).toBe('before')
  // With 250,000 beside a last place of 270,000.
  expect(story.events.find(({ id }) => id === 'dropped-out')?.shortGwei).toSatisfy(
    (shortGwei: bigint) => shortGwei === tokens(20_000n) || shortGwei === tokens(30_000n),
  )
  expect(story.events.find(({ id }) => id === 'paid-back')?.amountGwei).toBe(tokens(250_000n))
  await wish(devnet, '/key', {})
  expect((await storyOf(devnet)).phase).toBe('before')
})

test('a wish that it does not know is refused', async () => {
  const { devnet } = await start('free-places')
  expect(await wish(devnet, '/other', {})).toMatchObject({ status: 404 })
})
