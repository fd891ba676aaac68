import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import {
  areAllReceipts,
  type BlockReceipt,
  mayHoldLog,
} from '../../../../src/core/chain/proofs/execution-proof.ts'
import type { Devnet } from '../../../../src/devnet/devnet.ts'
import { userOf } from '../../../support/user-of.ts'
import { pass, testDevnet } from '../../../support/with-devnet.ts'

type Block = { number: Hex; receiptsRoot: Hex; logsBloom: Hex }
type RpcReceipt = Omit<BlockReceipt, 'type' | 'status' | 'cumulativeGasUsed'> & {
  type: Hex
  status: Hex
  cumulativeGasUsed: Hex
}

let devnet: Devnet
let end: () => Promise<void>
const blocks: { block: Block; receipts: BlockReceipt[] }[] = []

beforeAll(async () => {
  const started = await testDevnet({ seed: 'receipts' })
  devnet = started.devnet
  end = started.end
  await pass(devnet, 1)
  const user = await userOf(devnet)
  await user.firstDeposit(10_000n)
  await pass(devnet, 2)
  const { number: head } = await rpc<Block>('eth_getBlockByNumber', ['latest', false])
  for (let number = 0; number <= Number(head); number += 1) {
    const name = `0x${number.toString(16)}`
    const block = await rpc<Block>('eth_getBlockByNumber', [name, false])
    const found = await rpc<RpcReceipt[]>('eth_getBlockReceipts', [name])
    const receipts = found.map((one) => ({
      ...one,
      type: Number(one.type),
      status: Number(one.status),
      cumulativeGasUsed: BigInt(one.cumulativeGasUsed),
    }))
    blocks.push({ block, receipts })
  }
})
afterAll(() => end())

async function rpc<T>(method: string, params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(devnet.descriptor.urls.execution, { method: 'POST', headers, body })
  return ((await reply.json()) as { result: T }).result
}

const full = () => blocks.find(({ receipts }) => receipts.length > 0)

describe('the receipts of a block', () => {
  test('hash to its receipts root', () => {
    expect(blocks.length).toBeGreaterThan(2)
    expect(full()).toBeDefined()
    for (const { block, receipts } of blocks)
      expect([block.number, areAllReceipts(block.receiptsRoot, receipts)]).toEqual([block.number, true])
  })

  test('do not hash to it once one is missing, doubled or changed', () => {
    const { block, receipts } = full() ?? { block: undefined, receipts: [] }
    const [first] = receipts
    if (block === undefined || first === undefined) throw new Error('there is no block with a receipt')
    const root = block.receiptsRoot
    expect(areAllReceipts(root, [])).toBe(false)
    expect(areAllReceipts(root, [...receipts, first])).toBe(false)
    expect(areAllReceipts(root, receipts.with(0, { ...first, status: 0 }))).toBe(false)
    expect(areAllReceipts(root, receipts.with(0, { ...first, logs: first.logs.slice(1) }))).toBe(false)
  })

  test('have their logs in the bloom of the block, which denies others', () => {
    for (const { block, receipts } of blocks)
      for (const log of receipts.flatMap(({ logs }) => logs))
        expect(mayHoldLog(block.logsBloom, log)).toBe(true)
    const empty = blocks.find(({ receipts }) => receipts.length === 0)
    const log = full()?.receipts[0]?.logs[0]
    if (empty === undefined || log === undefined) throw new Error('there is no such block')
    expect(mayHoldLog(empty.block.logsBloom, log)).toBe(false)
  })
})
