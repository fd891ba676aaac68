import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { readDescriptor, rehearsalNetwork } from '../../src/core/chain/network/rehearsal.ts'
import { type BeaconBlockHeader, headerRoot, stateRoot } from '../../src/core/chain/proofs/merkle.ts'
import { verifyValidatorBalance, verifyValidatorPubkey } from '../../src/core/chain/proofs/verify.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { account } from '../../src/devnet/keys.ts'
import { hardTest } from '../support/hard.ts'
import { readState } from '../support/read-state.ts'
import { userOf } from '../support/user-of.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { getJson, pass, testDevnet } from '../support/with-devnet.ts'

let devnet: Devnet
let directory: string
let end: () => Promise<void>

beforeEach(async () => {
  ;({ devnet, directory, end } = await testDevnet())
})

afterEach(() => end())

/** Root of what the node gives as its whole state at the head. */
async function rootOfWholeState(): Promise<Hex> {
  const reply = await fetch(`${devnet.descriptor.urls.node}/eth/v2/debug/beacon/states/head`)
  return stateRoot(readState(await reply.text()), async () => undefined)
}

type ProofReply = {
  beacon_block_header: Record<string, string>
  beacon_block_root: Hex
  validator_pubkey: Hex
  validator_pubkey_proof: Hex[]
  validator_balance: string
  balance_leaf: Hex
  balance_proof: Hex[]
}

async function proof(what: string, at: string): Promise<ProofReply> {
  return (await getJson(devnet.descriptor.urls.node, `/bkit/v1/proof/${what}/${at}`)).body as ProofReply
}

function headerOf({ beacon_block_header: given }: ProofReply): BeaconBlockHeader {
  return {
    slot: BigInt(given.slot ?? ''),
    proposerIndex: BigInt(given.proposer_index ?? ''),
    parentRoot: given.parent_block_root as Hex,
    stateRoot: given.state_root as Hex,
    bodyRoot: given.body_root as Hex,
  }
}

describe('the descriptor', () => {
  test('describes a network that can be read back, with the limits of the real ones', async () => {
    const text = await readFile(join(directory, 'descriptor.json'), 'utf8')
    const spec = await readFile(join(devnet.descriptor.home, 'config', 'spec.toml'), 'utf8')
    const network = rehearsalNetwork(readDescriptor(text), spec)
    expect(network).toMatchObject({ kind: 'rehearsal', executionChainId: 809480069, slotMs: 1000 })
    expect(network.spec).toMatchObject({
      slotsPerEpoch: 8n,
      validatorSetCap: 12,
      activationBalanceGwei: 250000n * 10n ** 9n,
    })
  })

  test('is written for its owner alone, as are the key and the keystore', async () => {
    const { home, keystore } = devnet.descriptor
    const key = join(home, 'config', 'priv_validator_key.json')
    for (const path of [join(directory, 'descriptor.json'), keystore.path, key]) {
      expect((await stat(path)).mode & 0o777).toBe(0o600)
    }
  })
})

describe('the chain', () => {
  test('holds the root of every header one block later (EIP-4788)', async () => {
    const user = await userOf(devnet)
    for (let round = 0; round < 20; round += 1) {
      const { root } = await devnet.advanceSlot()
      const next = await devnet.advanceSlot()
      const call = {
        to: '0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02',
        data: word(next.block.timestampSeconds),
      }
      expect(await user.rpc('eth_call', [call, 'latest'])).toBe(root)
    }
  })

  test('proves every validator under that root', async () => {
    await pass(devnet, 3)
    const { timestampSeconds } = (await devnet.advanceSlot()).block
    for (const [index, validator] of devnet.state().validators.entries()) {
      const key = await proof('validator_pubkey', `t${timestampSeconds}/${index}`)
      const header = headerOf(key)
      expect(headerRoot(header)).toBe(key.beacon_block_root)
      const claim = { header, index: BigInt(index) }
      const pubkey = { value: validator.pubkey, proof: key.validator_pubkey_proof }
      expect(verifyValidatorPubkey({ ...claim, ...pubkey })).toEqual({ ok: true })
      const balance = await proof('validator_balance', `t${timestampSeconds}/${index}`)
      const amount = { balanceGwei: BigInt(balance.validator_balance), leaf: balance.balance_leaf }
      expect(verifyValidatorBalance({ ...claim, ...amount, proof: balance.balance_proof })).toEqual({
        ok: true,
      })
    }
  })

  test('gives its whole state, and that has the root of its header', async () => {
    await pass(devnet, 20)
    expect(await rootOfWholeState()).toBe(devnet.chain.history.head.header.stateRoot)
  })

  test('is the same for the same seed and time, hash by hash, and another one for another seed', async () => {
    const same = { genesisTimeSeconds: 1_800_000_000, seed: 'twice' }
    const one = await testDevnet(same)
    const two = await testDevnet(same)
    const other = await testDevnet({ ...same, seed: 'other' })
    const heads = async (net: Devnet) => [
      (await net.advanceSlot()).root,
      (await net.advanceSlot()).block.hash,
    ]
    const first = await heads(one.devnet)
    expect(await heads(two.devnet)).toEqual(first)
    expect(two.devnet.descriptor.executionGenesisHash).toBe(one.devnet.descriptor.executionGenesisHash)
    expect(await heads(other.devnet)).not.toEqual(first)
    await Promise.all([one.end(), two.end(), other.end()])
  })

  hardTest('forgets states beyond its memory and says so as the node does', async () => {
    const { body } = await getJson(devnet.descriptor.urls.node, '/eth/v1/beacon/states/1/root')
    expect(body).toMatchObject({ data: {} })
    await pass(devnet, 1025)
    const pruned = await getJson(devnet.descriptor.urls.node, '/bkit/v1/proof/validator_pubkey/1/0')
    expect(pruned.status).toBe(500)
    expect(pruned.body).toMatchObject({
      message: expect.stringContaining('failed to load state at height 1;'),
    })
    expect(
      (await getJson(devnet.descriptor.urls.node, '/bkit/v1/proof/validator_pubkey/genesis/0')).status,
    ).toBe(200)
  })

  test('runs by the clock until it is told to stop', async () => {
    const stop = new AbortController()
    const clock = virtualClock()
    const ticking = {
      ...clock,
      sleep: async (delayMs: number) => {
        await clock.sleep(delayMs)
        if (clock.nowMs() >= 1_800_000_010_000) stop.abort()
      },
    }
    const { devnet: timed, end: endTimed } = await testDevnet({ clock: ticking })
    const before = timed.state().slot
    await timed.run(stop.signal)
    expect(timed.state().slot - before).toBe(9n)
    await endTimed()
  })
})

describe('a deposit', () => {
  test('with a right signature registers the key in its own slot, top-ups and epochs make it active', async () => {
    const user = await userOf(devnet)
    await user.firstDeposit(10_000n)
    const report = await devnet.advanceSlot()
    expect(report.deposits).toMatchObject([{ pubkey: user.pubkey, outcome: 'registered', index: 12n }])
    expect(await statusOf(user.pubkey)).toBe('pending_initialized')
    await user.topUp(280_000n)
    expect((await devnet.advanceSlot()).deposits).toMatchObject([{ outcome: 'top-up' }])
    await pass(devnet, 24)
    expect(await statusOf(user.pubkey)).toBe('active_ongoing')
    expect(await powerOf(user.key.address)).toBe('290000000000000')
    expect(await statusOf(devnet.state().validators[11]?.pubkey ?? '0x')).toBe('exited_unslashed')
  })

  test('with a signature for another amount is lost, and the operator stays', async () => {
    const user = await userOf(devnet)
    await user.firstDeposit(10_001n, 10_000n)
    expect((await devnet.advanceSlot()).deposits).toMatchObject([{ outcome: 'burnt' }])
    expect(
      (await getJson(devnet.descriptor.urls.node, `/eth/v1/beacon/states/head/validators/${user.pubkey}`))
        .status,
    ).toBe(404)
    await user.rescueDeposit(10_000n)
    expect((await devnet.advanceSlot()).deposits).toMatchObject([{ outcome: 'registered' }])
  })
})

describe('a withdrawal request of the execution layer', () => {
  const REQUESTS: Hex = '0x00000961Ef480Eb55e80D19ad83579A64c007002'
  const request = (pubkey: string, amountGwei: bigint): Hex =>
    `0x${pubkey.slice(2)}${amountGwei.toString(16).padStart(16, '0')}`

  /** The account that the genesis validators pay out to, sending by itself. */
  async function neighbour() {
    const { execution, descriptor } = devnet
    const { address } = account(descriptor.seed, 'others')
    await execution.addBalance(address, 10n ** 18n)
    await execution.rpc('hardhat_impersonateAccount', [address])
    return {
      ask: (data: Hex) =>
        execution.rpc('eth_sendTransaction', [
          { from: address, to: REQUESTS, data, value: '0x1', gas: '0x7a120' },
        ]),
      balanceWei: async () => BigInt((await execution.rpc('eth_getBalance', [address, 'latest'])) as string),
    }
  }

  test('for a part is queued and paid out later', async () => {
    const owner = await neighbour()
    const part = 5_000n * 10n ** 9n
    await owner.ask(request(devnet.state().validators[0]?.pubkey ?? '', part))
    await devnet.advanceSlot()
    const { body } = await getJson(
      devnet.descriptor.urls.node,
      '/eth/v1/beacon/states/head/pending_partial_withdrawals',
    )
    expect(body).toMatchObject({ data: [{ validator_index: '0', amount: String(part) }] })
    expect(await rootOfWholeState()).toBe(devnet.chain.history.head.header.stateRoot)
    const before = await owner.balanceWei()
    await pass(devnet, 56)
    expect((await owner.balanceWei()) - before).toBe(part * 10n ** 9n)
  })

  test('for everything ends the validator and pays it out', async () => {
    const owner = await neighbour()
    const pubkey = devnet.state().validators[3]?.pubkey ?? '0x'
    const stake = devnet.state().balancesGwei[3] ?? 0n
    await owner.ask(request(pubkey, 0n))
    await devnet.advanceSlot()
    expect(await statusOf(pubkey)).toBe('active_exiting')
    const before = await owner.balanceWei()
    await pass(devnet, 64)
    expect(await statusOf(pubkey)).toBe('withdrawal_done')
    expect((await owner.balanceWei()) - before).toBe(stake * 10n ** 9n)
  })
})

test('stopping twice is safe, and nothing answers afterwards', async () => {
  await devnet.stop()
  await devnet.stop()
  await expect(fetch(devnet.descriptor.urls.node)).rejects.toThrow()
  await expect(fetch(devnet.descriptor.urls.execution)).rejects.toThrow()
})

test('a port that is taken is named, and nothing stays behind', async () => {
  const taken = Number(new URL(devnet.descriptor.urls.node).port)
  await expect(testDevnet({ ports: { execution: 0, node: 0, engine: taken } })).rejects.toThrow(
    `Port ${taken}`,
  )
})

test('a paused node answers when it goes on', async () => {
  devnet.servers.node.pause()
  const reply = getJson(devnet.descriptor.urls.node, '/eth/v1/node/syncing')
  devnet.servers.node.resume()
  expect((await reply).status).toBe(200)
})

async function statusOf(pubkey: string): Promise<string> {
  const { body } = await getJson(
    devnet.descriptor.urls.node,
    `/eth/v1/beacon/states/head/validators/${pubkey}`,
  )
  return (body as { data: { status: string } }).data.status
}

async function powerOf(address: string): Promise<string | undefined> {
  const { body } = await getJson(devnet.descriptor.urls.engine, '/validators?per_page=100')
  const { validators } = (body as { result: { validators: { address: string; voting_power: string }[] } })
    .result
  return validators.find((member) => member.address === address)?.voting_power
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
