import { encodeFunctionData, parseAbi } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { readScenarioName } from '../../src/compose/network-choice.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import { findValidatorIndex } from '../../src/core/chain/consensus/process-epoch.ts'
import { activeSet, epochOfSlot, FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import type { ScenarioName } from '../../src/core/chain/network/scenario-names.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { hardTest } from '../support/hard.ts'
import { userOf } from '../support/user-of.ts'
import { getJson, pass, testDevnet } from '../support/with-devnet.ts'

type Signer = { block_id_flag: number; validator_address: string }

const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function start(scenario: ScenarioName) {
  const { devnet, end } = await testDevnet({ scenario })
  ends.push(end)
  return { devnet, user: await userOf(devnet) }
}

function places(devnet: Devnet): bigint[] {
  const state = devnet.state()
  const active = activeSet(state, epochOfSlot(state.slot, devnet.chain.input.spec))
  return active.map((validator) => validator.effectiveBalanceGwei).sort((a, b) => (a < b ? 1 : -1))
}

const isKnown = (devnet: Devnet, pubkey: string): boolean =>
  findValidatorIndex(devnet.state().validators, pubkey) !== undefined

const ABI = parseAbi([
  'function getOperator(bytes) view returns (address)',
  'function queuedOperator(bytes) view returns (uint96, address)',
])

/** The operator in the contract's storage, or the one that is queued, asked through the public endpoint. */
async function operatorOf(
  devnet: Devnet,
  user: Awaited<ReturnType<typeof userOf>>,
  functionName: 'getOperator' | 'queuedOperator' = 'getOperator',
): Promise<bigint> {
  const data = encodeFunctionData({ abi: ABI, functionName, args: [user.pubkey] })
  const to = devnet.chain.input.spec.depositContract
  const said = String(await user.rpc('eth_call', [{ to, data }, 'latest']))
  return BigInt(`0x${said.slice(-40)}`)
}

describe('set-full', () => {
  test('has twelve places, all taken, the last one at 270,000, and a key that nobody knows', async () => {
    const { devnet, user } = await start('set-full')
    expect(places(devnet)).toHaveLength(12)
    expect(places(devnet).at(-1)).toBe(tokens(270_000n))
    expect(new Set(places(devnet)).size).toBe(12)
    expect(isKnown(devnet, user.pubkey)).toBe(false)
    expect(await operatorOf(devnet, user)).toBe(0n)
    expect(await user.balanceWei()).toBe(10n ** 24n)
  })

  test('stays full: nobody is sent away by the turns of the first epochs', async () => {
    const { devnet } = await start('set-full')
    await pass(devnet, 40)
    expect(places(devnet)).toHaveLength(12)
  })
})

test('free-places has three free ones', async () => {
  const { devnet } = await start('free-places')
  expect(places(devnet)).toHaveLength(9)
  expect(devnet.chain.input.spec.validatorSetCap).toBe(12)
})

test('tie-at-the-last-place: with exactly the threshold our smaller key goes', async () => {
  const { devnet, user } = await start('tie-at-the-last-place')
  expect(places(devnet).at(-1)).toBe(tokens(250_000n))
  await user.firstDeposit(250_000n)
  await pass(devnet, 24)
  const index = findValidatorIndex(devnet.state().validators, user.pubkey) ?? -1
  const validator = devnet.state().validators[index]
  expect(validator?.activationEpoch).toBe(validator?.exitEpoch)
})

test('squatted-key: a stranger is the operator and consensus does not know the key', async () => {
  const { devnet, user } = await start('squatted-key')
  const operator = await operatorOf(devnet, user)
  expect(operator).not.toBe(0n)
  expect(operator).not.toBe(BigInt(user.address))
  expect(isKnown(devnet, user.pubkey)).toBe(false)
})

test('burnt-deposit: the money left our account, we are the operator, consensus does not know the key', async () => {
  const { devnet, user } = await start('burnt-deposit')
  expect(await operatorOf(devnet, user)).toBe(BigInt(user.address))
  expect(isKnown(devnet, user.pubkey)).toBe(false)
  expect(await user.balanceWei()).toBeLessThan(990_000n * 10n ** 18n)
  await user.rescueDeposit(10_000n)
  await devnet.advanceSlot()
  expect(isKnown(devnet, user.pubkey)).toBe(true)
})

test('exited-key: the key was a validator once and its stake came back', async () => {
  const { devnet, user } = await start('exited-key')
  const { body } = await getJson(
    devnet.descriptor.urls.node,
    `/eth/v1/beacon/states/head/validators/${user.pubkey}`,
  )
  expect(body).toMatchObject({ data: { status: 'withdrawal_done', balance: '0' } })
  expect(await user.balanceWei()).toBe(1_250_000n * 10n ** 18n)
  expect(places(devnet)).toHaveLength(12)
})

test('outbid-while-active: a rival pays once the key has been active for an epoch, and takes its place three epochs later', async () => {
  const { devnet, user } = await start('outbid-while-active')
  const rival = validatorKey(devnet.descriptor.seed, 'rival').pubkey
  const recordOf = (pubkey: string) =>
    devnet.state().validators[findValidatorIndex(devnet.state().validators, pubkey) ?? -1]
  expect(recordOf(rival)?.effectiveBalanceGwei).toBe(tokens(10_000n))
  await pass(devnet, 20)
  expect(recordOf(rival)?.effectiveBalanceGwei).toBe(tokens(10_000n))
  await user.firstDeposit(280_000n)
  await pass(devnet, 60)
  const [own, other] = [recordOf(user.pubkey), recordOf(rival)]
  expect(other?.effectiveBalanceGwei).toBe(tokens(300_000n))
  expect(other?.activationEpoch).toBe((own?.activationEpoch ?? 0n) + 4n)
  expect(own?.exitEpoch).toBe(other?.activationEpoch)
  expect(places(devnet)).toHaveLength(12)
})

test('outbid-at-night: the rival comes three minutes later, at the same distance from the boundary', async () => {
  const { devnet, user } = await start('outbid-at-night')
  const rival = validatorKey(devnet.descriptor.seed, 'rival').pubkey
  const balanceOf = () => {
    const { validators, balancesGwei } = devnet.state()
    return balancesGwei[findValidatorIndex(validators, rival) ?? -1] ?? 0n
  }
  await user.firstDeposit(280_000n)
  while (balanceOf() === tokens(10_000n)) await devnet.advanceSlot()
  const { slot, validators } = devnet.state()
  const own = validators[findValidatorIndex(validators, user.pubkey) ?? -1]
  const activeSlot = (own?.activationEpoch ?? 0n) * 8n
  expect(slot - activeSlot).toBeGreaterThanOrEqual(184n)
  expect(slot - activeSlot).toBeLessThan(188n)
  expect(own?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
})

hardTest(
  'node-stops: once the key has been active for an epoch its node is silent for 40 slots, and the chain goes on',
  async () => {
    const { devnet, user } = await start('node-stops')
    const { urls } = devnet.descriptor
    const answers = (url: string) =>
      fetch(url, { signal: AbortSignal.timeout(300) }).then(
        () => true,
        () => false,
      )
    const nodeAnswers = () => answers(`${urls.node}/eth/v1/beacon/genesis`)
    await user.firstDeposit(280_000n)
    while (await nodeAnswers()) await devnet.advanceSlot()
    const { slot, validators } = devnet.state()
    const index = findValidatorIndex(validators, user.pubkey) ?? -1
    expect(slot).toBe(((validators[index]?.activationEpoch ?? 0n) + 1n) * 8n)
    expect(await answers(`${urls.engine}/status`)).toBe(false)
    expect(await answers(urls.execution)).toBe(true)
    await pass(devnet, 39)
    expect(await nodeAnswers()).toBe(false)
    await pass(devnet, 1)
    expect(await nodeAnswers()).toBe(true)
  },
)

test('troubles-while-active: the key misses an epoch of blocks alone and one with others; a change of its operator is queued and cancelled', async () => {
  const { devnet, user } = await start('troubles-while-active')
  const { urls } = devnet.descriptor
  const engineAddress = user.key.address
  const queued = async () => (await operatorOf(devnet, user, 'queuedOperator')) !== 0n
  await user.firstDeposit(280_000n)
  while (!(await queued())) await devnet.advanceSlot()
  const { slot: began, validators } = devnet.state()
  const index = findValidatorIndex(validators, user.pubkey) ?? -1
  expect(began).toBe(((validators[index]?.activationEpoch ?? 0n) + 1n) * 8n)
  const marks: string[] = []
  for (let since = 0n; since < 41n; since += 1n) {
    expect(await queued()).toBe(since < 40n)
    const { body } = await getJson(urls.engine, `/commit?height=${began + since}`)
    const { signatures } = (body as { result: { signed_header: { commit: { signatures: Signer[] } } } })
      .result.signed_header.commit
    const did = signatures.some(({ validator_address: address }) => address === engineAddress)
    const missing = signatures.filter(({ block_id_flag: flag }) => flag === 1).length
    expect(signatures.filter(({ block_id_flag: flag }) => flag === 4)).toHaveLength(1)
    marks.push(did ? '1' : String(missing === 1 ? 0 : missing))
    await devnet.advanceSlot()
  }
  expect(marks.join('')).toBe(`00000000${'1'.repeat(8)}55555555${'1'.repeat(17)}`)
})

test('a scenario that does not exist is refused with the names of those that do', () => {
  expect(() => readScenarioName('set-fool')).toThrow(
    'nearest: set-full\nscenarios: set-full, as-on-mainnet, free-places',
  )
})
