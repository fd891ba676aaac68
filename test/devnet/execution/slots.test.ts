import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  DEPOSIT_CONTRACT,
  DEPOSIT_CONTRACT_CODE,
  depositContractCodeHash,
  executionGenesis,
  WITHDRAWAL_REQUESTS,
  word,
} from '../../../src/devnet/execution/genesis.ts'
import {
  DEPOSIT_ABI,
  GENESIS_SECONDS,
  genesisInput,
  PAYER,
  rootFor,
  signed,
  startNetwork,
  TOKEN_WEI,
} from './support.ts'

const NEW_KEY: Hex = `0x${'bb'.repeat(48)}`
const OPERATOR: Hex = `0x${'0c'.repeat(20)}`

const depositData = (operator: Hex): Hex =>
  encodeFunctionData({
    abi: DEPOSIT_ABI,
    functionName: 'deposit',
    args: [NEW_KEY, word(1), `0x${'cc'.repeat(96)}`, operator],
  })

describe('the first block', () => {
  test('holds the contracts with the count, the root and the operators of the genesis', async () => {
    const { execution } = await startNetwork()
    const read = async (data: Hex) =>
      (await execution.rpc('eth_call', [{ to: DEPOSIT_CONTRACT, data }, '0x0'])) as Hex
    const count = encodeFunctionData({ abi: DEPOSIT_ABI, functionName: 'depositCount' })
    const root = encodeFunctionData({ abi: DEPOSIT_ABI, functionName: 'genesisDepositsRoot' })
    const [validator] = genesisInput.genesisDeposits.validators
    const operator = encodeFunctionData({
      abi: DEPOSIT_ABI,
      functionName: 'getOperator',
      args: [validator?.pubkey ?? '0x'],
    })
    expect(await read(count)).toBe(word(1))
    expect(await read(root)).toBe(genesisInput.genesisDeposits.root)
    expect(await read(operator)).toBe(word(BigInt(validator?.operator ?? 0)))
    expect(await execution.rpc('eth_getCode', [DEPOSIT_CONTRACT, 'latest'])).toBe(DEPOSIT_CONTRACT_CODE)
    expect(depositContractCodeHash()).toMatch(/^0x[0-9a-f]{64}$/)
    expect(execution.genesisBlock).toMatchObject({ number: 0, timestampSeconds: GENESIS_SECONDS })
  })

  test('has another hash as soon as anything in it is another', async () => {
    const poorer = { ...genesisInput, accounts: [{ address: PAYER.address, balanceWei: 1n }] }
    const [one, same, other] = await Promise.all([startNetwork(), startNetwork(), startNetwork(poorer)])
    expect(one.execution.genesisHash).toBe(same.execution.genesisHash)
    expect(one.execution.genesisHash).not.toBe(other.execution.genesisHash)
    expect(executionGenesis(genesisInput).contentHash).not.toBe(executionGenesis(poorer).contentHash)
  })
})

describe('a slot', () => {
  test('is one block at the given second, and EIP-4788 knows its parent root', async () => {
    const { execution, next } = await startNetwork()
    const { block, logs } = await next()
    expect(block).toMatchObject({
      number: 1,
      timestampSeconds: GENESIS_SECONDS + 1,
      baseFeeWei: 1_000_000_000n,
    })
    expect(block.parentHash).toBe(execution.genesisHash)
    expect(logs).toEqual([])
    const call = { to: BEACON_ROOTS, data: word(block.timestampSeconds) }
    expect(await execution.rpc('eth_call', [call, 'latest'])).toBe(rootFor(block.timestampSeconds))
  })

  test('the contract forgets a second after 256 more, and answers nothing it was not told', async () => {
    const { execution, next } = await startNetwork()
    const first = await next()
    for (let slot = 0; slot < 256; slot += 1) await next()
    const ask = (seconds: number) =>
      execution.rpc('eth_call', [{ to: BEACON_ROOTS, data: word(seconds) }, 'latest'])
    await expect(ask(first.block.timestampSeconds)).rejects.toMatchObject({ rpcCode: 3 })
    expect(await ask(first.block.timestampSeconds + 1)).toBe(rootFor(first.block.timestampSeconds + 1))
    await expect(ask(0)).rejects.toMatchObject({ rpcCode: 3 })
    expect(await execution.rpc('eth_getStorageAt', [BLOCK_HASHES, word(0), 'latest'])).toBe(word(0))
  })

  test('keeps the base fee at its floor however empty the blocks are', async () => {
    const { next } = await startNetwork()
    const fees = []
    for (let slot = 0; slot < 5; slot += 1) fees.push((await next()).block.baseFeeWei)
    expect(fees).toEqual(Array(5).fill(1_000_000_000n))
  })

  test('brings the logs of deposits and withdrawal requests in the order of the block', async () => {
    const { execution, next } = await startNetwork()
    const deposit = await signed({
      to: DEPOSIT_CONTRACT,
      data: depositData(OPERATOR),
      value: 10_000n * TOKEN_WEI,
    })
    const request: Hex = `0x${'bb'.repeat(48)}00000000000003e8`
    const exit = await signed({ to: WITHDRAWAL_REQUESTS, data: request, value: 1n, nonce: 1 })
    await execution.rpc('eth_sendRawTransaction', [deposit])
    await execution.rpc('eth_sendRawTransaction', [exit])
    const { logs, transactions, rawTransactions } = await next()
    expect(rawTransactions).toEqual([deposit, exit])
    expect(rawTransactions.map((raw) => keccak256(raw))).toEqual(transactions)
    expect(logs.map(({ address, logIndex }) => [address, logIndex])).toEqual([
      [DEPOSIT_CONTRACT, 0],
      [DEPOSIT_CONTRACT, 1],
      [WITHDRAWAL_REQUESTS, 2],
    ])
    expect(logs[2]?.topics).toEqual([])
    expect(logs[2]?.data).toBe(`${PAYER.address.toLowerCase()}${request.slice(2)}`)
    expect(await execution.rpc('eth_getBalance', [DEPOSIT_CONTRACT, 'latest'])).toBe('0x0')
    expect(BigInt(String(await execution.rpc('eth_getBalance', [word(0).slice(0, 42), 'latest'])))).toBe(
      10_000n * TOKEN_WEI,
    )
    const data = encodeFunctionData({ abi: DEPOSIT_ABI, functionName: 'getOperator', args: [NEW_KEY] })
    expect(await execution.rpc('eth_call', [{ to: DEPOSIT_CONTRACT, data }, 'latest'])).toBe(
      word(BigInt(OPERATOR)),
    )
  })

  test('queues an operator change, which can be cancelled, and accepted a day later', async () => {
    const { execution, next } = await startNetwork()
    const [{ pubkey, operator } = { pubkey: NEW_KEY, operator: OPERATOR }] =
      genesisInput.genesisDeposits.validators
    const rpc = execution.rpc
    for (const address of [operator, OPERATOR]) {
      await rpc('hardhat_impersonateAccount', [address])
      await execution.addBalance(address, TOKEN_WEI)
    }
    type Name = 'requestOperatorChange' | 'cancelOperatorChange' | 'acceptOperatorChange'
    const dataOf = (name: Name): Hex =>
      name === 'requestOperatorChange'
        ? encodeFunctionData({ abi: DEPOSIT_ABI, functionName: name, args: [pubkey, OPERATOR] })
        : encodeFunctionData({ abi: DEPOSIT_ABI, functionName: name, args: [pubkey] })
    const send = (from: Hex, name: Name) =>
      rpc('eth_sendTransaction', [{ from, to: DEPOSIT_CONTRACT, data: dataOf(name), gas: '0x30d40' }])
    const refusal = (from: Hex, name: Name) =>
      rpc('eth_call', [{ from, to: DEPOSIT_CONTRACT, data: dataOf(name) }, 'latest']).then(
        () => undefined,
        (thrown: { data?: unknown }) => thrown.data,
      )
    const read = async (functionName: 'queuedOperator' | 'getOperator') => {
      const data = encodeFunctionData({ abi: DEPOSIT_ABI, functionName, args: [pubkey] })
      return String(await rpc('eth_call', [{ to: DEPOSIT_CONTRACT, data }, 'latest']))
    }
    const NOTHING = `${word(0)}${word(0).slice(2)}`
    expect(await read('queuedOperator')).toBe(NOTHING)
    expect(await refusal(OPERATOR, 'requestOperatorChange')).toBe('0x7c214f04')
    expect(await refusal(OPERATOR, 'cancelOperatorChange')).toBe('0x7c214f04')
    expect(await refusal(OPERATOR, 'acceptOperatorChange')).toBe('0x819a0d0b')

    await send(operator, 'requestOperatorChange')
    const { block, logs } = await next()
    const since = word(block.timestampSeconds)
    expect(logs[0]?.topics).toEqual([
      '0x7640ec3c8c4695deadda414dd20400acf275297a7c38715f9237657e97ddba5f',
      keccak256(pubkey),
    ])
    expect(logs[0]?.data).toBe(
      `0x${[word(BigInt(OPERATOR)), word(BigInt(operator)), since].map((each) => each.slice(2)).join('')}`,
    )
    expect(await read('queuedOperator')).toBe(`${since}${word(BigInt(OPERATOR)).slice(2)}`)
    await send(operator, 'cancelOperatorChange')
    await next()
    expect(await read('queuedOperator')).toBe(NOTHING)

    await send(operator, 'requestOperatorChange')
    const again = await next()
    const dayLater = again.block.timestampSeconds + 86_400
    await next({ timestampSeconds: dayLater - 2 })
    expect(await refusal(OPERATOR, 'acceptOperatorChange')).toBe('0xe8966d7a')
    await send(OPERATOR, 'acceptOperatorChange')
    const accepted = await next({ timestampSeconds: dayLater })
    expect(accepted.logs[0]?.topics).toEqual([
      '0x0adffd98d3072c48341843974dffd7a910bb849ba6ca04163d43bb26feb17403',
      keccak256(pubkey),
    ])
    expect(await read('getOperator')).toBe(word(BigInt(OPERATOR)))
    expect(await read('queuedOperator')).toBe(NOTHING)
  })

  test('a withdrawal request wants its fee and 56 bytes', async () => {
    const { execution } = await startNetwork()
    const ask = (data: Hex, value: Hex = '0x0') =>
      execution.rpc('eth_call', [{ from: PAYER.address, to: WITHDRAWAL_REQUESTS, data, value }, 'latest'])
    expect(await ask('0x')).toBe(word(1))
    await expect(ask(`0x${'11'.repeat(56)}`)).rejects.toMatchObject({ rpcCode: 3 })
    await expect(ask(`0x${'11'.repeat(55)}`, '0x1')).rejects.toMatchObject({ rpcCode: 3 })
    expect(await ask(`0x${'11'.repeat(56)}`, '0x1')).toBe('0x')
  })

  test('pays out what left the consensus layer', async () => {
    const { execution, next } = await startNetwork()
    await next({ payouts: [{ address: OPERATOR, amountWei: 5n }] })
    await execution.addBalance(OPERATOR, 2n)
    expect(await execution.rpc('eth_getBalance', [OPERATOR, 'latest'])).toBe('0x7')
    expect(await execution.rpc('eth_getBalance', [OPERATOR, '0x0'])).toBe('0x0')
  })

  test('refuses the same second again, and makes no block for it', async () => {
    const { execution, next } = await startNetwork()
    const { block } = await next()
    await expect(next({ timestampSeconds: block.timestampSeconds })).rejects.toMatchObject({
      code: 'devnet.slot-refused',
      details: [
        `timestampSeconds: found ${block.timestampSeconds}, expected a whole number above ${block.timestampSeconds}`,
      ],
    })
    expect(await execution.rpc('eth_blockNumber', [])).toBe('0x1')
  })
})
