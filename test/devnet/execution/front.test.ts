import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { encodeErrorResult, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { BEACON_ROOTS, DEPOSIT_CONTRACT, word } from '../../../src/devnet/execution/genesis.ts'
import type { FrontHooks } from '../../../src/devnet/execution/start.ts'
import { emptyPool } from '../../support/empty-pool.ts'
import { asker, DEPOSIT_ABI, PAYER, post, rootFor, servedNetwork, signed, TOKEN_WEI } from './support.ts'

const UNUSED: Hex = `0x${'0d'.repeat(20)}`

const depositData = encodeFunctionData({
  abi: DEPOSIT_ABI,
  functionName: 'deposit',
  args: [`0x${'bb'.repeat(48)}`, word(1), `0x${'cc'.repeat(96)}`, UNUSED],
})

const NOT_THERE = [
  'hardhat_setBalance',
  'hardhat_mine',
  'evm_mine',
  'evm_snapshot',
  'hardhat_setCode',
  'debug_traceTransaction',
  'eth_sendTransaction',
  'eth_sendUnsignedTransaction',
  'eth_sign',
  'personal_sign',
  'txpool_content',
  'admin_nodeInfo',
  'constructor',
  '__proto__',
]

const recorded = readFileSync(new URL('../../vectors/recorded/execution.jsonl', import.meta.url), 'utf8')

const recordedResult = (method: string): unknown => {
  const rows = recorded
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { method: string; reply: { result: unknown } })
  return rows.find((row) => row.method === method)?.reply.result
}

describe('the public endpoint answers like the real client', () => {
  test('names itself, has no peers, no accounts, and this network’s deposit contract', async () => {
    const { ask } = await servedNetwork()
    expect((await ask('web3_clientVersion')).result).toMatch(/^Bearings-rehearsal/)
    expect((await ask('net_peerCount')).result).toBe(recordedResult('net_peerCount'))
    expect((await ask('eth_syncing')).result).toBe(recordedResult('eth_syncing'))
    expect((await ask('eth_chainId')).result).toBe(recordedResult('eth_chainId'))
    expect((await ask('eth_accounts')).result).toEqual([])
    type Config = { current: { systemContracts: unknown; precompiles: unknown } }
    const found = (await ask('eth_config')).result as Config
    const expected = recordedResult('eth_config') as Config
    expect(found.current.systemContracts).toEqual(expected.current.systemContracts)
    expect(found.current.precompiles).toEqual(expected.current.precompiles)
    expect(Object.keys(found).sort()).toEqual(['current', 'last', 'next'])
  })

  test('has no method that changes the chain from outside, or that it does not know', async () => {
    const { ask } = await servedNetwork()
    for (const method of NOT_THERE)
      expect((await ask(method, [])).error).toEqual({
        code: -32601,
        message: `the method ${method} does not exist/is not available`,
      })
  })

  test('takes the parent of the head for final and safe', async () => {
    const { ask, next } = await servedNetwork()
    const number = async (tag: string) =>
      ((await ask('eth_getBlockByNumber', [tag, false])).result as { number: string }).number
    expect(await number('finalized')).toBe('0x0')
    for (let slot = 0; slot < 3; slot += 1) await next()
    expect(await number('latest')).toBe('0x3')
    expect(await number('finalized')).toBe('0x2')
    expect(await number('safe')).toBe('0x2')
    const logs = await ask('eth_getLogs', [{ fromBlock: 'finalized', toBlock: 'latest' }])
    expect(logs.result).toEqual([])
  })

  test('lets a call without a sender carry any value', async () => {
    const { ask } = await servedNetwork()
    const value = `0x${(10_000n * TOKEN_WEI).toString(16)}`
    const call = { to: DEPOSIT_CONTRACT, data: depositData, value }
    expect(await ask('eth_call', [call, 'latest'])).toMatchObject({ result: '0x' })
    expect(await ask('eth_estimateGas', [call])).toMatchObject({ result: expect.stringMatching(/^0x/) })
    expect((await ask('eth_call', [{ ...call, from: UNUSED }, 'latest'])).error).toEqual({
      code: -32000,
      message: 'insufficient funds for gas * price + value',
    })
  })

  test('takes a call that says the same in data and input, and no other that says both', async () => {
    const { ask } = await servedNetwork()
    const call = { to: DEPOSIT_CONTRACT, data: depositData, value: `0x${(10_000n * TOKEN_WEI).toString(16)}` }
    for (const method of ['eth_call', 'eth_estimateGas']) {
      expect(await ask(method, [{ ...call, input: depositData }])).toHaveProperty('result')
      expect((await ask(method, [{ ...call, input: '0x' }])).error).toEqual({
        code: -32000,
        message: expect.stringMatching(/^both "data" and "input" are set and not equal/),
      })
    }
  })

  test('tells a refused call by code 3, the bare words and the data', async () => {
    const { ask } = await servedNetwork()
    const call = { to: DEPOSIT_CONTRACT, data: depositData, value: '0x1' }
    const error = { code: 3, message: 'execution reverted', data: '0x40567b38' }
    expect((await ask('eth_call', [call, 'latest'])).error).toEqual(error)
    expect((await ask('eth_estimateGas', [call])).error).toEqual(error)
    expect((await ask('eth_call', [{ to: DEPOSIT_CONTRACT, data: '0x00' }, 'latest'])).error).toEqual({
      ...error,
      data: '0x',
    })
  })

  test('keeps the reason of a refusal in words', async () => {
    const { ask } = await servedNetwork()
    const reason = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ["it's no"] })
    // Copies what stands behind itself, and reverts with that.
    const length = ((reason.length - 2) / 2).toString(16)
    const code = `0x60${length}600c60003960${length}6000fd${reason.slice(2)}`
    expect((await ask('eth_call', [{ to: UNUSED }, 'latest', { [UNUSED]: { code } }])).error).toEqual({
      code: 3,
      message: "execution reverted: it's no",
      data: reason,
    })
  })

  test('looks at the money of whoever a simulated call names, as it is or is said to be', async () => {
    const { ask } = await servedNetwork()
    const amountWei = 10_000n * TOKEN_WEI
    const call = { from: UNUSED, to: DEPOSIT_CONTRACT, data: depositData, value: numberToHex(amountWei) }
    const lacking = { code: -32000, message: 'insufficient funds for gas * price + value' }
    const given = (balanceWei: bigint) => ({ [UNUSED]: { balance: numberToHex(balanceWei) } })
    for (const method of ['eth_call', 'eth_estimateGas']) {
      expect((await ask(method, [call, 'latest'])).error).toEqual(lacking)
      expect((await ask(method, [call, 'latest', given(amountWei - 1n)])).error).toEqual(lacking)
      expect(await ask(method, [call, 'latest', given(amountWei)])).toHaveProperty('result')
      expect(await ask(method, [{ ...call, from: PAYER.address }, 'latest'])).toHaveProperty('result')
    }
    const priced = {
      from: PAYER.address,
      to: UNUSED,
      value: '0x0',
      gas: '0x5208',
      gasPrice: `0x${'f'.repeat(20)}`,
    }
    expect((await ask('eth_call', [priced, 'latest'])).error).toEqual(lacking)
  })

  test('gives the receipts of a block together', async () => {
    const { ask, next } = await servedNetwork()
    for (const nonce of [0, 1]) await ask('eth_sendRawTransaction', [await signed({ value: 1n, nonce })])
    await next()
    const receipts = (await ask('eth_getBlockReceipts', ['0x1'])).result as { transactionHash: string }[]
    expect(receipts).toHaveLength(2)
    for (const receipt of receipts)
      expect((await ask('eth_getTransactionReceipt', [receipt.transactionHash])).result).toEqual(receipt)
    expect((await ask('eth_getBlockReceipts', ['0x9'])).result ?? null).toBeNull()
    expect((await ask('net_listening')).result).toBe(true)
  })

  test('remembers beacon roots beyond the contract’s ring, and per block what was known then', async () => {
    const { ask, next } = await servedNetwork()
    const seconds: number[] = []
    for (let slot = 0; slot < 300; slot += 1) seconds.push((await next()).block.timestampSeconds)
    const root = (second: number, block: unknown) =>
      ask('eth_call', [{ to: BEACON_ROOTS, data: word(second) }, block])
    const [first = 0, second = 0] = seconds
    const last = seconds.at(-1) ?? 0
    expect((await root(first, 'latest')).result).toBe(rootFor(first))
    expect((await root(first, '0x1')).result).toBe(rootFor(first))
    expect((await root(second, '0x1')).error).toEqual({ code: 3, message: 'execution reverted', data: '0x' })
    expect((await root(last, 'latest')).result).toBe(rootFor(last))
    expect((await root(last, 'finalized')).error?.code).toBe(3)
    const { hash } = (await ask('eth_getBlockByNumber', ['0x1', false])).result as { hash: string }
    expect((await root(first, { blockHash: hash, requireCanonical: true })).result).toBe(rootFor(first))
  })

  test('keeps blocks, receipts and logs for ever, states as long as a full node', async () => {
    const { ask, next } = await servedNetwork()
    const raw = await signed({ to: DEPOSIT_CONTRACT, data: depositData, value: 10_000n * TOKEN_WEI })
    const hash = (await ask('eth_sendRawTransaction', [raw])).result
    await next()
    for (let slot = 0; slot < 300; slot += 1) await next()
    expect((await ask('eth_getTransactionReceipt', [hash])).result).toMatchObject({
      blockNumber: '0x1',
      status: '0x1',
    })
    expect((await ask('eth_getTransactionByHash', [hash])).result).toMatchObject({ blockNumber: '0x1' })
    const logs = (
      await ask('eth_getLogs', [{ address: DEPOSIT_CONTRACT, fromBlock: '0x0', toBlock: 'latest' }])
    ).result
    expect(logs).toHaveLength(2)
    expect((await ask('eth_getBalance', [PAYER.address, '0xc8'])).result).toMatch(/^0x/)
    expect((await ask('eth_getBalance', [PAYER.address, '0x1'])).error).toEqual({
      code: -32000,
      message: 'historical state of block 1 is not available',
    })
    expect((await ask('eth_getBalance', [PAYER.address, '0xffff'])).error?.message).toBe('header not found')
    expect((await ask('eth_getLogs', [{ fromBlock: '0xffff', toBlock: 'latest' }])).result).toEqual([])
  })
})

describe('the pool', () => {
  test('takes a transaction once', async () => {
    const { ask, next } = await servedNetwork()
    const raw = await signed({ value: 1n })
    expect((await ask('eth_sendRawTransaction', [raw])).result).toBe(keccak256(raw))
    expect((await ask('eth_sendRawTransaction', [raw])).error).toEqual({
      code: -32000,
      message: 'already known',
    })
    expect((await ask('eth_getTransactionCount', [PAYER.address, 'pending'])).result).toBe('0x1')
    await next()
    expect((await ask('eth_sendRawTransaction', [raw])).error).toMatchObject({
      message: expect.stringMatching(/^nonce too low/),
    })
  })

  test('forgets what the network drops', async () => {
    const { ask, execution } = await servedNetwork()
    const raws = [await signed({ value: 1n }), await signed({ value: 1n, nonce: 1 })]
    for (const raw of raws) await ask('eth_sendRawTransaction', [raw])
    await emptyPool(execution)
    for (const raw of raws)
      expect((await ask('eth_getTransactionByHash', [keccak256(raw)])).result).toBeNull()
  })

  test('wants a tenth more of both fees for a replacement', async () => {
    const { ask, next } = await servedNetwork()
    const send = async (fees: { feeGwei: number; tipGwei: number }) =>
      ask('eth_sendRawTransaction', [await signed({ value: 1n, ...fees })])
    const underpriced = { code: -32000, message: 'replacement transaction underpriced' }
    await send({ feeGwei: 2, tipGwei: 1 })
    expect((await send({ feeGwei: 2.1, tipGwei: 1.05 })).error).toEqual(underpriced)
    expect((await send({ feeGwei: 3, tipGwei: 1 })).error).toEqual(underpriced)
    const replaced = await send({ feeGwei: 2.2, tipGwei: 1.1 })
    await next()
    expect((await ask('eth_getTransactionReceipt', [replaced.result])).result).toMatchObject({
      status: '0x1',
    })
  })

  test('refuses fees below the floor, too little money, another chain and no transaction at all', async () => {
    const { ask } = await servedNetwork()
    const error = async (raw: Hex) => (await ask('eth_sendRawTransaction', [raw])).error
    expect(await error(await signed({ feeGwei: 0.5, tipGwei: 0.5 }))).toEqual({
      code: -32000,
      message: 'transaction gas price below minimum: gas fee cap 500000000, minimum needed 1000000000',
    })
    expect(await error(await signed({ value: 10n ** 40n }))).toEqual({
      code: -32000,
      message: 'insufficient funds for gas * price + value',
    })
    const foreign = await PAYER.signTransaction({
      chainId: 1,
      type: 'eip1559',
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
    })
    expect(await error(foreign)).toMatchObject({ code: -32000, message: expect.stringMatching(/chain id/) })
    expect(await error('0x1234')).toMatchObject({ code: -32000 })
    expect((await ask('eth_sendRawTransaction', ['nonsense'])).error?.code).toBe(-32602)
  })
})

describe('the door', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })

  test('is shut to web pages, to other content and to other methods', async () => {
    const { front } = await servedNetwork()
    const page = await post(front.url, body, { origin: 'https://example.org' })
    expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([403, null])
    expect((await post(front.url, body, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await fetch(front.url)).status).toBe(405)
    expect((await fetch(front.url, { method: 'OPTIONS' })).status).toBe(405)
    expect((await post(front.url, ' '.repeat(5_000_001))).status).toBe(413)
    expect((await post(front.url, body)).status).toBe(200)
  })

  test('is shut to a foreign host name that leads here', async () => {
    const { front } = await servedNetwork()
    const { port } = new URL(front.url)
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.once('error', reject)
      socket.once('data', (chunk) => {
        socket.destroy()
        resolve(String(chunk))
      })
      socket.write(
        `POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      )
    })
    expect(reply).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('answers batches in their order, and nonsense with an error', async () => {
    const { front } = await servedNetwork()
    const nonces = Array.from({ length: 20 }, (_, nonce) => signed({ nonce, value: 1n }))
    const raws = await Promise.all(nonces)
    const batch = raws.map((raw, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_sendRawTransaction',
      params: [raw],
    }))
    const replies = (await (await post(front.url, JSON.stringify(batch))).json()) as {
      id: number
      result: string
    }[]
    expect(replies.map(({ id, result }) => [id, result])).toEqual(raws.map((raw, id) => [id, keccak256(raw)]))
    const error = async (text: string) =>
      ((await (await post(front.url, text)).json()) as { error: { code: number } }).error.code
    expect(await error('{')).toBe(-32700)
    expect(await error('[]')).toBe(-32600)
    expect(await error('{"id":1}')).toBe(-32600)
    expect(await error('7')).toBe(-32600)
    expect(await error(JSON.stringify(Array(101).fill({})))).toBe(-32600)
    expect(await error('{"id":1,"method":"eth_chainId","params":{}}')).toBe(-32602)
    const silent = await post(front.url, '{"jsonrpc":"2.0","method":"eth_chainId"}')
    expect(await silent.text()).toBe('')
  })
})

describe('faults', () => {
  test('a hook can take a transaction and lose the answer', async () => {
    const hooks: FrontHooks = {
      async around({ method }, answer) {
        const truth = await answer()
        if (method !== 'eth_sendRawTransaction') return { answer: truth }
        return { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }
      },
    }
    const { ask, front } = await servedNetwork({ hooks })
    const raw = await signed({ value: 1n })
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] })
    expect((await post(front.url, call)).status).toBe(502)
    expect((await ask('eth_getTransactionByHash', [keccak256(raw)])).result).toMatchObject({
      blockNumber: null,
    })
  })

  test('a hook can swallow a call, or close on it', async () => {
    const hooks: FrontHooks = {
      async around({ method }, answer) {
        if (method === 'eth_sendRawTransaction') return { answer: { result: word(1) } }
        if (method === 'eth_gasPrice') return 'close'
        return { answer: await answer() }
      },
    }
    const { ask } = await servedNetwork({ hooks })
    const raw = await signed({ value: 1n })
    expect((await ask('eth_sendRawTransaction', [raw])).result).toBe(word(1))
    expect((await ask('eth_getTransactionByHash', [keccak256(raw)])).result).toBeNull()
    await expect(ask('eth_gasPrice')).rejects.toThrow()
  })

  test('a paused endpoint answers nothing until it goes on', async () => {
    const { ask, front, next } = await servedNetwork()
    front.pause()
    let answered = false
    const waiting = ask('eth_blockNumber').then((reply) => {
      answered = true
      return reply
    })
    await next()
    await next()
    expect(answered).toBe(false)
    front.resume()
    expect((await waiting).result).toBe('0x2')
  })

  test('a closed endpoint is gone, a second one lives on, and closing twice is safe', async () => {
    const { ask, front, execution } = await servedNetwork()
    const second = await execution.serve()
    await front.close()
    await front.close()
    await expect(ask('eth_chainId')).rejects.toThrow()
    expect((await asker(second.url)('eth_chainId')).result).toBe('0x138d7')
  })

  test('the endpoint just closes when the client underneath is gone', async () => {
    const { ask, execution } = await servedNetwork()
    const second = await execution.serve()
    await execution.stop()
    await expect(ask('eth_chainId')).rejects.toThrow()
    await expect(asker(second.url)('eth_chainId')).rejects.toThrow()
  })
})
