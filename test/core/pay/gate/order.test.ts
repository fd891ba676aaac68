import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckResult } from '../../../../src/core/pay/gate/facts.ts'
import {
  askAgain,
  type Following,
  type PaymentKind,
  requireStillHolds,
} from '../../../../src/core/pay/gate/following.ts'
import { GATE_TEXT } from '../../../../src/core/pay/gate/text.ts'
import { initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { Devnet } from '../../../../src/devnet/devnet.ts'
import { depositGate, type Liar } from '../../../support/gate-world.ts'
import { pattern } from '../../../support/pattern.ts'
import { draftWith } from '../../../support/payments.ts'
import { jsonReply } from '../../../support/snapshot-world.ts'
import { userOf } from '../../../support/user-of.ts'
import { pass, testDevnet } from '../../../support/with-devnet.ts'

// In which order these are asked is safety: each world here changes between the two, so that the other order believes it.

let devnet: Devnet
let directory: string
let end: () => Promise<void>

beforeAll(async () => {
  const started = await testDevnet({ seed: 'gate-order', scenario: 'set-full' })
  devnet = started.devnet
  directory = started.directory
  end = started.end
  await pass(devnet, 5)
})
afterAll(() => end())

/** The nonce of the account, which is used between the first time that it is asked for and the next one. */
function usedInBetween(): Liar {
  const asked = new Map<string, number>()
  return async ({ body = '' }) => {
    if (!body.includes('"eth_getTransactionCount"')) return undefined
    const { id, params } = JSON.parse(body) as { id: number; params: readonly [string, string] }
    const [, block] = params
    const times = asked.get(block) ?? 0
    asked.set(block, times + 1)
    const isUsed = times > 0 && block !== 'finalized'
    return jsonReply(200, { jsonrpc: '2.0', id, result: isUsed ? '0x1' : '0x0' })
  }
}

describe('the nonce is read before what became of a draft that was set aside', () => {
  test('so that one that is sent in between leaves no next nonce to pay with', async () => {
    const { address: from } = await userOf(devnet)
    const abandoned = [draftWith({ from, nonce: 0, signer: 'external' })]
    const { nonce } = await depositGate({ devnet, directory, abandoned, liar: usedInBetween() })
    expect(nonce).toMatch(pattern`^unknown ${/.*/}${GATE_TEXT.abandoned.maybe.short}`)
  })
})

/** A key for which somebody pays while it is looked at: both endpoints say so from then on, and neither before. */
async function paidWhileLookedAt(): Promise<Following> {
  const execution = devnet.descriptor.urls.execution
  let isPaid = false
  const says = (): CheckResult => ({ good: !isPaid, words: isPaid ? 'somebody paid' : 'unused' })
  const kind: PaymentKind = {
    step: 'deposit',
    plan: () => undefined,
    async key() {
      const said = says()
      await pass(devnet, 1)
      isPaid = true
      return said
    },
    calldata: async () => says(),
    second: async () => says(),
    arrivedGwei: () => 0n,
  }
  const endpoints = {
    execution,
    secondExecution: execution.replace('127.0.0.1', 'localhost'),
    node: execution,
  }
  const world = { effects: { store: {} }, setup: { network: { names: { proofNamespace: '' } }, endpoints } }
  return { context: world as unknown as Following['context'], getState: () => initialPayment, kind }
}

describe('the second endpoint is asked after the key, whose proof may wait for a root', () => {
  test('so that what comes while it waits is seen before the bytes are handed over', async () => {
    const following = await paidWhileLookedAt()
    expect(await askAgain(following, [false, false])).toEqual([
      { good: true, words: 'unused' },
      { good: false, words: 'somebody paid' },
    ])
  })

  test('and before anything is signed', async () => {
    await expect(requireStillHolds(await paidWhileLookedAt())).rejects.toMatchObject({
      details: [expect.stringContaining('somebody paid')],
    })
  })
})

test('a key that takes no first deposit any more sends nobody back to agree again', async () => {
  const following = await paidWhileLookedAt()
  const by = async (key: CheckResult) =>
    requireStillHolds({ ...following, kind: { ...following.kind, key: async () => key } }).catch(
      ({ nextSteps }) => nextSteps,
    )
  const refused = { good: false, words: 'registered already' }
  expect(await by(refused)).toEqual(GATE_TEXT.closed.changed('').next)
  expect(await by({ ...refused, taken: true })).toEqual(GATE_TEXT.closed.changed('', true).next)
  expect(GATE_TEXT.closed.changed('', true).next).not.toEqual(GATE_TEXT.closed.changed('').next)
})
