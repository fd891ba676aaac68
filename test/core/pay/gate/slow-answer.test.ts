import { afterAll, beforeAll, expect, test } from 'vitest'
import { RESTART_NODE } from '../../../../src/core/observe/findings.ts'
import type { Devnet } from '../../../../src/devnet/devnet.ts'
import { depositGate, type Liar } from '../../../support/gate-world.ts'
import { pattern } from '../../../support/pattern.ts'
import { jsonReply } from '../../../support/snapshot-world.ts'
import { userOf } from '../../../support/user-of.ts'
import { pass, testDevnet } from '../../../support/with-devnet.ts'

let devnet: Devnet
let directory: string
let end: () => Promise<void>

beforeAll(async () => {
  const started = await testDevnet({ seed: 'slow-answer', scenario: 'set-full' })
  devnet = started.devnet
  directory = started.directory
  end = started.end
  await pass(devnet, 5)
})
afterAll(() => end())

/** From its second answer on an execution client names the block that is there two slots later. */
function twoSlotsLater(): { liar: Liar; asked: () => number } {
  let asked = 0
  const liar: Liar = async ({ body = '' }) => {
    if (!body.includes('"eth_blockNumber"')) return undefined
    asked += 1
    if (asked === 2) await pass(devnet, 2)
    const { id } = JSON.parse(body) as { id: number }
    return jsonReply(200, { jsonrpc: '2.0', id, result: `0x${devnet.state().slot.toString(16)}` })
  }
  return { liar, asked: () => asked }
}

/** The node says of its head what it was at first, whatever comes. */
const hung = (liar: Liar): Liar => {
  let first: Awaited<ReturnType<Liar>>
  return async (request, truth) => {
    if (!request.url.endsWith('/eth/v1/node/syncing')) return liar(request, truth)
    first ??= truth
    return first
  }
}

/** The gate where chain time is the wall's, so that heads are asked for by nothing else. */
const gate = async (liar: Liar) => {
  const { rpc } = await userOf(devnet)
  const now = (await rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
  return depositGate({ devnet, directory, liar, wallMs: Number(now.timestamp) * 1000 })
}

test('a node is not called hanging because blocks came between its answer and that of its client', async () => {
  const { liar, asked } = twoSlotsLater()
  const { node } = await gate(liar)
  expect(asked()).toBeGreaterThanOrEqual(2)
  expect(node).toBeUndefined()
})

test('a node that says the same when it is asked once more is called hanging', async () => {
  const { node } = await gate(hung(twoSlotsLater().liar))
  expect(node).toMatch(
    pattern`^refused is at slot ${/\d+/}, while 127.0.0.1:${/\d+/} ${/\D+/} ${/\d+/}: ${RESTART_NODE}`,
  )
})
