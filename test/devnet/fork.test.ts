import { afterEach, expect, test } from 'vitest'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { recorded } from '../support/recorded-network.ts'
import { userOf } from '../support/user-of.ts'
import { getJson, pass, testDevnet } from '../support/with-devnet.ts'

const GENESIS_SECONDS = 1_800_000_000
const FULU_SLOT = 20

let end: () => Promise<void>

afterEach(() => end())

async function networkWithFulu(): Promise<Devnet> {
  const specToml = recorded('spec.toml')
    .replace('fulu-fork-time = 4100000000', `fulu-fork-time = ${GENESIS_SECONDS + FULU_SLOT}`)
    .replace('electra-one-fork-time = 4000000000', `electra-one-fork-time = ${GENESIS_SECONDS}`)
  const started = await testDevnet({
    files: { genesisJson: recorded('genesis.json'), specToml },
    genesisTimeSeconds: GENESIS_SECONDS,
  })
  end = started.end
  return started.devnet
}

test('before Fulu a deposit counts two slots later, from Fulu on in its own slot', async () => {
  const devnet = await networkWithFulu()
  const user = await userOf(devnet)
  await user.firstDeposit(10_000n)
  expect((await devnet.advanceSlot()).deposits).toEqual([])
  expect((await devnet.advanceSlot()).deposits).toEqual([])
  expect((await devnet.advanceSlot()).deposits).toMatchObject([{ outcome: 'registered' }])
  await pass(devnet, FULU_SLOT - Number(devnet.state().slot) - 2)
  await user.topUp(10_000n)
  expect((await devnet.advanceSlot()).deposits).toEqual([])
  await user.topUp(20_000n)
  const first = await devnet.advanceSlot()
  expect(first.slot).toBe(BigInt(FULU_SLOT))
  expect(first.deposits.map((deposit) => deposit.amountGwei)).toEqual([
    10_000n * 10n ** 9n,
    20_000n * 10n ** 9n,
  ])
})

test('the fork field of the state changes with the first block of Fulu', async () => {
  const devnet = await networkWithFulu()
  await pass(devnet, FULU_SLOT + 3 - Number(devnet.state().slot))
  const fork = async (slot: number) =>
    (await getJson(devnet.descriptor.urls.node, `/eth/v1/beacon/states/${slot}/fork`)).body
  expect(await fork(FULU_SLOT - 1)).toMatchObject({ data: { current_version: '0x05000000', epoch: '0x0' } })
  expect(await fork(FULU_SLOT)).toMatchObject({
    data: { previous_version: '0x05000000', current_version: '0x06000000', epoch: '0x2' },
  })
})
