import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playback, type Recorded } from '../../../scripts/vectors/playback.ts'
import type { HttpRequest } from '../../../src/core/base/effects/effects.ts'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import type { Hex } from '../../../src/core/base/format/hex.ts'
import { createEngineClient } from '../../../src/core/clients/engine/client.ts'
import { getEngineValidators } from '../../../src/core/clients/engine/get-status.ts'
import { getBeaconRoot, getBlock, numberedBlock } from '../../../src/core/clients/execution/blocks.ts'
import { call, getOperator, getQueuedOperator } from '../../../src/core/clients/execution/call.ts'
import { getEthConfig } from '../../../src/core/clients/execution/chain.ts'
import { createExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { getLogs } from '../../../src/core/clients/execution/get-logs.ts'
import { getTransactionReceipt } from '../../../src/core/clients/execution/transactions.ts'
import { createNodeClient } from '../../../src/core/clients/node/client.ts'
import { getDebugState } from '../../../src/core/clients/node/debug-state.ts'
import { getPendingPartialWithdrawals, getValidator } from '../../../src/core/clients/node/validators.ts'

const URL_ = 'http://127.0.0.1:1'
const CONTRACT = `0x${'42'.repeat(20)}` as const
const TOPIC = `0x${'68'.repeat(32)}` as const
const HASH = `0x${'aa'.repeat(32)}` as const

type Rpc = { id: number; method: string; params: unknown[] }
const ok = (body: unknown): Recorded => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(body),
})
const rpcOf = (request: HttpRequest): Rpc => JSON.parse(request.body ?? '')

function execution(answer: (rpc: Rpc) => object, requests: HttpRequest[] = []) {
  const effects = playback((request) => {
    const rpc = rpcOf(request)
    return ok({ jsonrpc: '2.0', id: rpc.id, ...answer(rpc) })
  }, requests)
  return createExecutionClient(effects, URL_)
}

const node = (recorded: Recorded | ((request: HttpRequest) => Recorded)) =>
  createNodeClient(playback(recorded), URL_, { proofNamespace: 'bkit/v1' })

async function faultOf(run: Promise<unknown>): Promise<ClientError> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (thrown instanceof ClientError) return thrown
  throw new Error(`expected a ClientError, got ${String(thrown)}`)
}

const q = (value: number | bigint) => `0x${value.toString(16)}`
const logAt = (block: number): object => ({
  address: CONTRACT,
  topics: [TOPIC],
  data: '0x',
  blockNumber: q(block),
  blockHash: HASH,
  transactionHash: HASH,
  logIndex: '0x0',
  removed: false,
})

test('a block that a client has not got to yet is told with how far it is, and not as unknown', async () => {
  const by = (syncing: object) =>
    execution(({ method }) => {
      if (method === 'eth_getBlockByNumber') return { result: null }
      return syncing
    })
  const behind = { result: { currentBlock: '0x0', highestBlock: '0x3e8' } }
  const fault = await faultOf(numberedBlock(by(behind), 900n))
  expect(fault.fault).toBe('not-ready')
  expect(fault.shortMessage).toContain('0 of 1,000')
  const refused = { error: { code: -32601, message: 'no' } }
  for (const syncing of [{ result: false }, refused])
    expect((await faultOf(numberedBlock(by(syncing), 900n))).fault).toBe('not-found')
})

describe('the deposit contract', () => {
  test('is asked for an operator by the pubkey in ABI form', async () => {
    const requests: HttpRequest[] = []
    const operator = `20f33ce90a13a4b5e7697e3544c3083b8f8a51d4`
    const client = execution(() => ({ result: `0x${'00'.repeat(12)}${operator.toUpperCase()}` }), requests)
    const pubkey = `0x${'a9'.repeat(48)}` as const
    expect(await getOperator(client, { depositContract: CONTRACT, pubkey })).toBe(`0x${operator}`)
    const [params] = rpcOf(requests[0] as HttpRequest).params as [{ data: string }]
    const word = (value: string) => value.padStart(64, '0')
    expect(params.data).toBe(`0x9eaffa96${word('20')}${word('30')}${'a9'.repeat(48)}${'00'.repeat(16)}`)
  })

  test('may not answer with anything but an address', async () => {
    const pubkey = `0x${'a9'.repeat(48)}` as const
    for (const result of ['0x', `0x01${'00'.repeat(31)}`, `0x${'00'.repeat(33)}`, null]) {
      const run = getOperator(
        execution(() => ({ result })),
        { depositContract: CONTRACT, pubkey },
      )
      expect((await faultOf(run)).fault).toBe('malformed')
    }
    expect(() =>
      getOperator(
        execution(() => ({})),
        { depositContract: CONTRACT, pubkey: '0xa9' },
      ),
    ).toThrow(RangeError)
  })
})

describe('the configuration of an execution client', () => {
  const asked = (next: unknown) =>
    getEthConfig(
      execution(() => ({ result: { current: { chainId: '0x1' }, ...(next === undefined ? {} : { next }) } })),
    )

  test.each([
    ['nothing', undefined, undefined],
    ['none', null, 'none'],
    [
      'a fork',
      { activationTime: 1_800_000_000, forkId: '0x01020304' },
      { atSeconds: 1_800_000_000n, id: '0x01020304' },
    ],
  ])('that names %s as next is read as that', async (_, next, expected) => {
    expect((await asked(next)).forks.next).toEqual(expected)
  })

  test.each([{}, { activationTime: '1800000000' }, { activationTime: -1 }, 5])(
    'may not name %j',
    async (next) => {
      expect((await faultOf(asked(next))).fault).toBe('malformed')
    },
  )
})

describe('an operator change that is queued', () => {
  const pubkey = `0x${'a9'.repeat(48)}` as const
  const asked = (result: unknown) =>
    getQueuedOperator(
      execution(() => ({ result })),
      { depositContract: CONTRACT, pubkey },
    )
  const words = (sinceSeconds: bigint, operator: string) =>
    `0x${sinceSeconds.toString(16).padStart(64, '0')}${operator.padStart(64, '0')}`

  test('has its operator and its time; both zero: there is none', async () => {
    const operator = '20f33ce90a13a4b5e7697e3544c3083b8f8a51d4'
    expect(await asked(words(1_800_000_000n, operator))).toEqual({
      operator: `0x${operator}`,
      sinceSeconds: 1_800_000_000n,
    })
    expect(await asked(words(0n, ''))).toBeUndefined()
  })

  test.each(['0x', words(1n << 96n, 'ab'), words(5n, ''), words(5n, 'f'.repeat(41)), `${words(5n, 'ab')}00`])(
    'may not be %s',
    async (result) => {
      expect((await faultOf(asked(result))).fault).toBe('malformed')
    },
  )
})

describe('logs', () => {
  test('are found, in order, whatever range the endpoint allows', async () => {
    const blocks = fc.uniqueArray(fc.nat({ max: 60_000 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(
        blocks,
        fc.integer({ min: 1, max: 30_000 }),
        fc.nat({ max: 100 }),
        async (at, limit, from) => {
          const client = execution(({ params }) => {
            const [filter] = params as [{ fromBlock: string; toBlock: string }]
            const [first, last] = [Number(filter.fromBlock), Number(filter.toBlock)]
            if (last - first >= Math.max(limit, 700))
              return { error: { code: -32000, message: 'range too large' } }
            const inside = at.filter((block) => block >= first && block <= last).toSorted((a, b) => a - b)
            return { result: inside.map(logAt) }
          })
          const filter = { address: CONTRACT, topic: TOPIC, fromBlock: BigInt(from), toBlock: 60_000n }
          const found = await getLogs(client, filter)
          const expected = at.filter((block) => block >= from).toSorted((a, b) => a - b)
          expect(found.map(({ blockNumber }) => Number(blockNumber))).toEqual(expected)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('must be of the contract, the topic and the range that were asked for', async () => {
    const filter = { address: CONTRACT, topic: TOPIC, fromBlock: 5n, toBlock: 5n } as const
    const strange = [
      logAt(6),
      { ...logAt(5), address: `0x${'43'.repeat(20)}` },
      { ...logAt(5), topics: [HASH] },
      { ...logAt(5), topics: [] },
      { ...logAt(5), removed: true },
      { ...logAt(5), blockNumber: null },
    ]
    for (const log of strange) {
      expect(
        (
          await faultOf(
            getLogs(
              execution(() => ({ result: [log] })),
              filter,
            ),
          )
        ).fault,
      ).toBe('malformed')
    }
    const refusing = execution(() => ({ error: { code: -32000, message: 'no' } }))
    expect((await faultOf(getLogs(refusing, filter))).fault).toBe('rejected')
  })
})

describe('execution calls', () => {
  test('know an absent block and receipt from a broken one', async () => {
    expect(
      await getBlock(
        execution(() => ({ result: null })),
        { block: 5n },
      ),
    ).toBeUndefined()
    expect(
      await getTransactionReceipt(
        execution(() => ({ result: null })),
        { hash: HASH },
      ),
    ).toBeUndefined()
    expect(
      (
        await faultOf(
          getBlock(
            execution(() => ({ result: {} })),
            { block: 'latest' },
          ),
        )
      ).fault,
    ).toBe('malformed')
  })

  test('refuse a receipt of another transaction and a status that is neither', async () => {
    const receipt = {
      transactionHash: HASH,
      status: '0x1',
      blockNumber: '0x1',
      blockHash: HASH,
      transactionIndex: '0x0',
      from: CONTRACT,
      to: null,
      gasUsed: '0x5208',
      logs: [],
    }
    const ask = (result: object, hash: Hex = HASH) =>
      getTransactionReceipt(
        execution(() => ({ result })),
        { hash },
      )
    expect(await ask(receipt)).toMatchObject({ status: 'success', to: undefined, gasUsed: 21_000n })
    expect((await ask({ ...receipt, status: '0x0' }))?.status).toBe('reverted')
    expect((await faultOf(ask(receipt, `0x${'bb'.repeat(32)}`))).fault).toBe('malformed')
    expect((await faultOf(ask({ ...receipt, status: undefined }))).fault).toBe('malformed')
    expect((await faultOf(ask({ ...receipt, status: '0x2' }))).fault).toBe('malformed')
  })

  test('say undefined for a timestamp without a beacon root', async () => {
    const reverting = execution(() => ({ error: { code: 3, message: 'execution reverted', data: '0x' } }))
    expect(await getBeaconRoot(reverting, { timestampSeconds: 1n })).toBeUndefined()
    const requests: HttpRequest[] = []
    expect(
      await getBeaconRoot(
        execution(() => ({ result: HASH }), requests),
        { timestampSeconds: 256n },
      ),
    ).toBe(HASH)
    expect(rpcOf(requests[0] as HttpRequest).params[0]).toEqual({
      to: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
      data: `0x${'00'.repeat(30)}0100`,
    })
  })

  test('carry sender, value, block and code of a simulated call', async () => {
    const requests: HttpRequest[] = []
    const client = execution(() => ({ result: '0x' }), requests)
    await call(client, {
      to: CONTRACT,
      data: '0x01',
      from: CONTRACT,
      valueWei: 10n,
      block: { blockHash: HASH },
      codeOverrides: { [CONTRACT]: '0x60' },
    })
    expect(rpcOf(requests[0] as HttpRequest).params).toEqual([
      { to: CONTRACT, data: '0x01', from: CONTRACT, value: '0xa' },
      { blockHash: HASH },
      { [CONTRACT]: { code: '0x60' } },
    ])
  })
})

describe('the engine’s set', () => {
  const validator = (index: number) => ({
    address: index.toString(16).toUpperCase().padStart(40, '0'),
    pub_key: { type: 'cometbft/PubKeyBls12_381', value: 'AAAA' },
    voting_power: String(9_007_199_254_740_993n + BigInt(index)),
  })

  function engine(total: number, tamper: (page: number, result: object) => object = (_, result) => result) {
    const requests: HttpRequest[] = []
    const effects = playback((request) => {
      const query = new URL(request.url).searchParams
      const page = Number(query.get('page'))
      const size = Math.min(Number(query.get('per_page')), 100)
      const all = Array.from({ length: total }, (_, index) => validator(index)).slice(
        (page - 1) * size,
        page * size,
      )
      const result = { block_height: '77', validators: all, count: String(all.length), total: String(total) }
      return ok({ jsonrpc: '2.0', id: -1, result: tamper(page, result) })
    }, requests)
    return { client: createEngineClient(effects, URL_), requests }
  }

  test.each([1, 99, 100, 101, 250])(
    'of %i is read to its end, every page at the same height',
    async (total) => {
      const { client, requests } = engine(total)
      const set = await getEngineValidators(client)
      expect(set.validators).toHaveLength(total)
      expect(set.validators.at(-1)?.votingPowerGwei).toBe(9_007_199_254_740_992n + BigInt(total))
      expect(requests.slice(1).every(({ url }) => url.includes('height=77'))).toBe(true)
    },
  )

  test('does not end in a loop or in a mixture when pages do not fit together', async () => {
    const empty = engine(150, (page, result) => (page === 2 ? { ...result, validators: [] } : result))
    expect((await faultOf(getEngineValidators(empty.client))).fault).toBe('malformed')
    const moved = engine(150, (page, result) => (page === 2 ? { ...result, block_height: '78' } : result))
    expect((await faultOf(getEngineValidators(moved.client))).fault).toBe('malformed')
    const endless = engine(5, (_, result) => ({ ...result, total: '99999999' }))
    expect((await faultOf(getEngineValidators(endless.client))).fault).toBe('malformed')
  })
})

describe('the node API', () => {
  test('answers about the validator that was asked for, or not at all', async () => {
    const pubkey = `0x${'ab'.repeat(48)}` as const
    const data = {
      index: '3',
      balance: '10000000000000',
      status: 'pending_queued',
      validator: {
        pubkey,
        withdrawal_credentials: HASH,
        effective_balance: '10000000000000',
        slashed: false,
        activation_eligibility_epoch: '18446744073709551615',
        activation_epoch: '18446744073709551615',
        exit_epoch: '18446744073709551615',
        withdrawable_epoch: '18446744073709551615',
      },
    }
    expect((await getValidator(node(ok({ data })), { state: 'head', id: pubkey }))?.index).toBe(3)
    expect((await getValidator(node(ok({ data })), { state: 'head', id: 3 }))?.validator.pubkey).toBe(pubkey)
    const other = getValidator(node(ok({ data })), { state: 'head', id: `0x${'cd'.repeat(48)}` })
    expect((await faultOf(other)).fault).toBe('malformed')
    const missing = { ...ok({ code: 404, message: 'not found' }), status: 404 }
    expect(await getValidator(node(missing), { state: 'head', id: pubkey })).toBeUndefined()
    const unrouted = { ...ok({ message: 'Not Found' }), status: 404 }
    expect((await faultOf(getValidator(node(unrouted), { state: 'head', id: pubkey }))).fault).toBe(
      'not-offered',
    )
  })

  test('may name the epoch of a pending withdrawal in two ways', async () => {
    const ask = (entry: object) =>
      getPendingPartialWithdrawals(node(ok({ data: [entry] })), { state: 'head' })
    const expected = [{ validatorIndex: 1, amountGwei: 999_999_999n, withdrawableEpoch: 2n }]
    const entry = { validator_index: '1', amount: '999999999' }
    expect(await ask({ ...entry, withdrawable_epoch: '2' })).toEqual(expected)
    expect(await ask({ ...entry, withdrawal_epoch: '2' })).toEqual(expected)
    expect((await faultOf(ask(entry))).details).toContain('field: data[0].withdrawable_epoch')
  })

  test('gives a whole state with balances beyond 2^53 and entries that it names in two ways', async () => {
    const state = (more: string) =>
      `{"version":"electra","data":{"genesis_validators_root":"${HASH}","slot":"0x5",
      "fork":{"previous_version":"0x05000000","current_version":"0x05000000","epoch":"0x0"},
      "latest_block_header":{"slot":"0x5","proposer_index":"0x0","parent_block_root":"${HASH}","state_root":"${HASH}","body_root":"${HASH}"},
      "eth1_data":{"depositRoot":"${HASH}","depositCount":"0x0","blockHash":"${HASH}"},
      "latest_execution_payload_header":{"parentHash":"${HASH}","feeRecipient":"${CONTRACT}","stateRoot":"${HASH}",
      "receiptsRoot":"${HASH}","logsBloom":"0x${'00'.repeat(256)}","prevRandao":"${HASH}","blockNumber":"0x5",
      "gasLimit":"0x1","gasUsed":"0x0","timestamp":"0x1","extraData":"0x","baseFeePerGas":"7","blockHash":"${HASH}",
      "transactionsRoot":"${HASH}","withdrawalsRoot":"${HASH}","blobGasUsed":"0x0","excessBlobGas":"0x0"},
      "validators":[{"pubkey":"0x${'ab'.repeat(48)}","withdrawalCredentials":"${HASH}","effectiveBalance":"0x1",
      "slashed":false,"activationEligibilityEpoch":"0x0","activationEpoch":"0x0","exitEpoch":"0xffffffffffffffff",
      "withdrawableEpoch":"0xffffffffffffffff"}],${more}}}`
    const ask = (more: string) =>
      getDebugState(node({ status: 200, contentType: 'application/json', body: state(more) }), {
        state: 'head',
      })
    const balances = '"balances":[9007199254740993]'
    const read = await ask(
      `${balances},"pending_partial_withdrawals":[{"ValidatorIndex":"0x0","Amount":"0x3b9aca00","WithdrawableEpoch":"0x7"},
      {"validator_index":"0x1","amount":"0x1","withdrawable_epoch":"0x8"}]`,
    )
    expect(read.balances).toEqual([9_007_199_254_740_993n])
    expect(read.pendingPartialWithdrawals).toEqual([
      { validatorIndex: 0n, amount: 1_000_000_000n, withdrawableEpoch: 7n },
      { validatorIndex: 1n, amount: 1n, withdrawableEpoch: 8n },
    ])
    expect([read.nextWithdrawalIndex, read.totalSlashing, read.slashings]).toEqual([0n, 0n, []])
    expect((await faultOf(ask('"balances":[]'))).details).toContain('field: data.balances')
    expect((await faultOf(ask('"balances":["1"]'))).details).toContain('field: data.balances[0]')
    expect((await faultOf(ask('"balances":[-1]'))).details).toContain('field: data.balances[0]')
    expect((await faultOf(ask('"balances":[1.5]'))).details).toContain('field: data.balances[0]')
  })
})
