import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokens } from '../../../src/core/base/format/amount.ts'
import { keyVerdict, stakeToBeOf } from '../../../src/core/chain/key-state/key-state.ts'
import type { ExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { readKeyState } from '../../../src/core/clients/read-key-state.ts'
import { networkOf } from '../../support/network-of.ts'
import { insteadOfState, jsonReply, type Meddler, snapshotWorld } from '../../support/snapshot-world.ts'
import { userOf } from '../../support/user-of.ts'
import { pass, testDevnet } from '../../support/with-devnet.ts'

const NOT_OFFERED = insteadOfState(
  jsonReply(500, { code: 500, message: 'endpoint x is not yet implemented' }),
)

let started: Awaited<ReturnType<typeof testDevnet>>
let user: Awaited<ReturnType<typeof userOf>>
beforeAll(async () => {
  started = await testDevnet({ seed: 'key-state' })
  user = await userOf(started.devnet)
  await pass(started.devnet, 2)
})
afterAll(() => started.end())

const look = async (
  meddle?: Meddler,
  change: (real: ExecutionClient) => ExecutionClient = (real) => real,
  changeSecond: (real: ExecutionClient) => ExecutionClient = (real) => real,
) => {
  const { clients, second, effects } = snapshotWorld(started.devnet, meddle)
  const network = networkOf(started.devnet)
  const asked = { ...clients, execution: change(clients.execution), second: changeSecond(second) }
  const key = await readKeyState(asked, { network, pubkey: user.pubkey, clock: effects.clock })
  return { key, verdict: keyVerdict(key, network.spec) }
}

/** An endpoint that gives another operator than the contract has. */
const misnames = (real: ExecutionClient): ExecutionClient => ({
  ...real,
  rpc: async (question) => {
    const [call] = question.params as [{ data?: string }]
    const isOperator = question.method === 'eth_call' && call.data?.startsWith('0x9eaffa96') === true
    return isOperator
      ? question.decode(`0x${'00'.repeat(12)}${'ee'.repeat(20)}`, 'result')
      : real.rpc(question)
  },
})

describe('what the chain knows of a key, from its first deposit on', () => {
  test('is that nobody used it: proven, or the node’s word', async () => {
    const proven = await look()
    expect(proven.verdict).toBe('unused')
    expect(proven.key.record).toEqual({ value: 'absent', level: { by: 'proof', anchors: 2 } })
    expect(proven.key.operator).toMatchObject({ saidBy: 2 })
    const reported = await look(NOT_OFFERED)
    expect(reported.verdict).toBe('unused')
    expect(reported.key.record).toEqual({ value: 'absent', level: { by: 'report' } })
    expect(reported.key.set).toMatchObject({ outOfReach: true })
  })

  test('is a deposit that is not counted yet, with what its signature is worth', async () => {
    await user.firstDeposit(10_000n)
    await started.devnet.advanceSlot()
    const { key, verdict } = await look()
    expect(verdict).toBe('waiting')
    expect(key.uncounted).toMatchObject({
      value: [{ pubkey: user.pubkey, amountGwei: tokens(10_000n), signatureValid: true }],
      level: { by: 'proof', anchors: 2 },
    })
  })

  test('is a registered validator: by the whole state with its set, else by its own three proofs', async () => {
    await pass(started.devnet, 3)
    const whole = await look()
    expect(whole.verdict).toBe('registered')
    expect(whole.key).toMatchObject({ set: { proof: { anchors: 2 } }, uncounted: { value: [] } })
    const own = await look(NOT_OFFERED)
    expect(own.verdict).toBe('registered')
    expect(own.key).toMatchObject({
      record: { value: { balanceGwei: tokens(10_000n) }, level: { by: 'proof', anchors: 2 } },
      set: { outOfReach: true },
    })
    expect([whole, own].map(({ key }) => stakeToBeOf(key))).toEqual([tokens(10_000n), tokens(10_000n)])
  })

  test('names no operator where the endpoints name different ones, and counts who says so', async () => {
    const differ = await look(undefined, (real) => real, misnames)
    expect(differ.key.operator).toMatchObject({ unknown: expect.stringContaining('ee'.repeat(20)) })
    expect(differ.verdict).toBe('registered')
    const both = await look(undefined, misnames, misnames)
    expect(both.key.operator).toEqual({ value: `0x${'ee'.repeat(20)}`, saidBy: 2 })
  })
})
