import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  addressIn,
  areAllReceipts,
  type BlockReceipt,
  DEPOSIT_SLOTS,
  verifyAccount,
  verifyStorage,
} from '../../../src/core/chain/proofs/execution-proof.ts'
import { DEPOSIT_CONTRACT, depositContractCodeHash, word } from '../../../src/devnet/execution/genesis.ts'
import {
  DEPOSIT_ABI,
  GENESIS_SECONDS,
  genesisInput,
  PAYER,
  servedNetwork,
  signed,
  TOKEN_WEI,
} from './support.ts'

const NEW_KEY: Hex = `0x${'bb'.repeat(48)}`
const OTHER_KEY: Hex = `0x${'dd'.repeat(48)}`
const NEXT_OPERATOR: Hex = `0x${'0c'.repeat(20)}`
const NOBODY: Hex = `0x${'77'.repeat(20)}`

type Block = { number: Hex; hash: Hex; stateRoot: Hex; receiptsRoot: Hex }
type Proof = { accountProof: Hex[]; storageProof: { proof: Hex[] }[] }
type RpcReceipt = Pick<BlockReceipt, 'logsBloom' | 'logs'> & {
  type: Hex
  status: Hex
  cumulativeGasUsed: Hex
}

/** A network in which somebody has deposited in block 1 and asked for another operator in block 2. */
async function withDeposit() {
  const { ask, next } = await servedNetwork()
  const calls = [
    {
      value: 10_000n * TOKEN_WEI,
      data: encodeFunctionData({
        abi: DEPOSIT_ABI,
        functionName: 'deposit',
        args: [NEW_KEY, word(1), `0x${'cc'.repeat(96)}`, PAYER.address],
      }),
    },
    {
      value: 0n,
      data: encodeFunctionData({
        abi: DEPOSIT_ABI,
        functionName: 'requestOperatorChange',
        args: [NEW_KEY, NEXT_OPERATOR],
      }),
    },
  ]
  for (const [nonce, call] of calls.entries()) {
    await ask('eth_sendRawTransaction', [await signed({ ...call, to: DEPOSIT_CONTRACT, nonce })])
    await next()
  }
  const result = async (method: string, params: readonly unknown[]) => (await ask(method, params)).result
  const head = (await result('eth_getBlockByNumber', ['latest', false])) as Block
  const prove = async (address: Hex, slots: readonly Hex[]) => {
    const { accountProof, storageProof } = (await result('eth_getProof', [
      address,
      slots,
      head.number,
    ])) as Proof
    const account = verifyAccount({ stateRoot: head.stateRoot, address, proof: accountProof })
    if ('fault' in account) throw new Error(account.fault)
    const { storageRoot } = account
    const values = slots.map((slot, at) =>
      verifyStorage({ storageRoot, slot, proof: storageProof[at]?.proof ?? [] }),
    )
    return { account, values }
  }
  return { head, prove, result }
}

describe('eth_getProof', () => {
  test('proves the deposit contract’s count, operators and queue at the block’s state root', async () => {
    const { prove } = await withDeposit()
    const [genesis] = genesisInput.genesisDeposits.validators
    const { account, values } = await prove(DEPOSIT_CONTRACT, [
      DEPOSIT_SLOTS.count,
      DEPOSIT_SLOTS.operatorOf(genesis?.pubkey ?? '0x'),
      DEPOSIT_SLOTS.operatorOf(NEW_KEY),
      DEPOSIT_SLOTS.operatorOf(OTHER_KEY),
      DEPOSIT_SLOTS.queuedOf(NEW_KEY),
      DEPOSIT_SLOTS.queuedOf(OTHER_KEY),
    ])
    const [count, first, operator, unknown, queued, unqueued] = values.map((value) =>
      typeof value === 'bigint' ? value : -1n,
    )
    expect(account.codeHash).toBe(depositContractCodeHash())
    expect([count, unknown, unqueued]).toEqual([2n, 0n, 0n])
    expect(addressIn(first ?? 0n)).toBe(genesis?.operator)
    expect(addressIn(operator ?? 0n)).toBe(PAYER.address.toLowerCase())
    expect(addressIn((queued ?? 0n) >> 96n)).toBe(NEXT_OPERATOR)
    expect(BigInt.asUintN(96, queued ?? 0n)).toBe(BigInt(GENESIS_SECONDS + 2))
  })

  test('takes a slot without its leading zeros, and goes on after a question that has no answer', async () => {
    const { ask, next } = await servedNetwork()
    const count = await ask('eth_getProof', [DEPOSIT_CONTRACT, [DEPOSIT_SLOTS.count], 'latest'])
    expect(await ask('eth_getProof', [DEPOSIT_CONTRACT, ['0x0'], 'latest'])).toEqual(count)
    expect((await ask('eth_getProof', ['nobody', [], 'latest'])).error?.code).toBe(-32602)
    expect((await ask('eth_getProof', [DEPOSIT_CONTRACT, ['0x0'], '0x0'])).result).toBeDefined()
    await next()
    expect((await ask('eth_blockNumber')).result).toBe('0x1')
  })

  test('proves the account of a payer, and that there is none of somebody else', async () => {
    const { prove, head, result } = await withDeposit()
    const payer = await prove(PAYER.address, [])
    const balance = await result('eth_getBalance', [PAYER.address, head.number])
    expect(payer.account).toMatchObject({ nonce: 2n, balanceWei: BigInt(balance as Hex) })
    const nobody = await prove(NOBODY, [])
    expect(nobody.account).toMatchObject({ nonce: 0n, balanceWei: 0n, codeHash: keccak256('0x') })
  })

  test('proves that an account without storage has 0 in every slot', async () => {
    const { prove } = await withDeposit()
    for (const address of [PAYER.address, NOBODY])
      expect((await prove(address, [word(0), word(9)])).values).toEqual([0n, 0n])
  })
})

describe('eth_getBlockReceipts', () => {
  test('gives all receipts that a block’s receipts root has', async () => {
    const { head, result } = await withDeposit()
    const found = (await result('eth_getBlockReceipts', [head.number])) as RpcReceipt[]
    const receipts = found.map((one) => ({
      ...one,
      type: Number(one.type),
      status: Number(one.status),
      cumulativeGasUsed: BigInt(one.cumulativeGasUsed),
    }))
    expect(receipts).toHaveLength(1)
    expect(areAllReceipts(head.receiptsRoot, receipts)).toBe(true)
    expect(areAllReceipts(head.receiptsRoot, [])).toBe(false)
  })
})
