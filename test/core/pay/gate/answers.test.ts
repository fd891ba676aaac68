import { describe, expect, test } from 'vitest'
import { playback, type Recorded } from '../../../../scripts/vectors/playback.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { Facts, Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import { createExecutionClient } from '../../../../src/core/clients/execution/client.ts'
import { askGate } from '../../../../src/core/pay/gate/ask-commands.ts'
import { mktxCommand, sendCommand } from '../../../../src/core/pay/gate/cast.ts'
import { dryRun } from '../../../../src/core/pay/gate/chain-commands.ts'
import { type Following, operatorFault, type PaymentKind } from '../../../../src/core/pay/gate/following.ts'
import { prepare, quoteFee } from '../../../../src/core/pay/gate/prepare-commands.ts'
import { rechecker } from '../../../../src/core/pay/gate/recheck.ts'
import { draftOf, initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { PaymentEvent, PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { askRound, withPart } from '../../../../src/core/pay/payment/round-track.ts'
import { followPayment, goRound } from '../../../../src/core/pay/payment/track.ts'
import {
  address,
  draftWith,
  hash,
  NONCE,
  PLAN,
  PUBKEY,
  SENDER,
  SIGNED,
  signedPayment,
  WORLD,
} from '../../../support/payments.ts'
import { givenTo } from '../../../support/rounds.ts'

// What is made of each answer of an endpoint, one answer at a time; how the answers go together is held on the rehearsal network.

type Asked = { method: string; params: readonly unknown[] }
/** The result of a call; undefined is an endpoint that answers nothing that can be read. */
type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>
const refusal = (data: Hex) => ({ error: { code: 3, message: 'execution reverted', data } })

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`
const word = (value: bigint | number | Hex): Hex =>
  `0x${(typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')}`
const block = (number: bigint) => ({
  number: hex(number),
  hash: hash(Number(number)),
  parentHash: hash(Number(number) - 1),
  timestamp: hex(1_700_000_000n + number),
  baseFeePerGas: hex(10n ** 9n),
})
const CODE = '0x6080604052'

const ALL: Answers = {
  eth_chainId: () => hex(BEPOLIA.executionChainId),
  eth_blockNumber: () => hex(300n),
  eth_getBlockByNumber: ([number]) =>
    block(number === 'latest' || number === 'finalized' ? 300n : BigInt(String(number))),
  eth_getBalance: () => hex(10n ** 30n),
  eth_getCode: () => '0x',
  eth_getTransactionCount: () => hex(NONCE),
  eth_maxPriorityFeePerGas: () => hex(10n ** 9n),
  eth_feeHistory: () => ({
    oldestBlock: hex(299n),
    baseFeePerGas: [hex(10n ** 9n), hex(10n ** 9n)],
    gasUsedRatio: [0.5],
    reward: [[hex(10n ** 9n)]],
  }),
  eth_call: () => '0x',
  eth_estimateGas: () => hex(90_000n),
  eth_getTransactionReceipt: () => null,
  eth_getTransactionByHash: () => null,
  eth_getLogs: () => [],
}

function effectsOf(answers: Answers, asked: Asked[] = []) {
  return playback(({ body = '' }): Recorded => {
    const { id, method, params } = JSON.parse(body === '' ? '{"method":""}' : body) as Asked & { id: number }
    asked.push({ method, params })
    const result = answers[method]?.(params)
    if (result === undefined) return { status: 500, contentType: 'text/plain', body: 'no' }
    const said = typeof result === 'object' && result !== null && 'error' in result ? result : { result }
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ jsonrpc: '2.0', id, ...said }),
    }
  })
}
const clientOf = (over: Answers = {}) =>
  createExecutionClient(effectsOf({ ...ALL, ...over }), 'http://127.0.0.1:1')

const SETUP: Setup = {
  network: BEPOLIA,
  homePath: '/home/ann/.beacond',
  endpoints: { execution: 'http://127.0.0.1:1', node: 'http://127.0.0.1:2' },
  keystore: '/home/ann/key.json',
  journalDirectory: '/state/bepolia',
  lockDirectories: [],
  outputDirectory: '/home/ann',
}
const GOOD = { good: true, words: '' }
const KIND: PaymentKind = {
  step: 'topup',
  plan: () => PLAN,
  key: async () => GOOD,
  calldata: async () => GOOD,
  second: async () => GOOD,
  arrivedGwei: () => 0n,
}

/** Everything that a payment is followed with, over an endpoint with these answers; what is told is kept. */
function followingOf(
  state: PaymentState,
  {
    answers = {},
    setup = SETUP,
    named = SENDER,
    nowMs = () => 0,
  }: {
    answers?: Answers
    setup?: Setup
    named?: Hex | 'none'
    nowMs?: () => number
  } = {},
) {
  const told: PaymentEvent[] = []
  const asked: Asked[] = []
  const base = effectsOf({ ...ALL, ...answers }, asked)
  const context = {
    effects: {
      ...base,
      store: {},
      clock: { ...base.clock, monotonicMs: nowMs },
      signer: { keystoreAddress: async () => (named === 'none' ? {} : { address: named }) },
    },
    setup,
    offers: new Map(),
    facts: (): Facts => ({ identity: { pubkey: PUBKEY } }) as Facts,
    guards: () => undefined,
    dispatch: async (event: PaymentEvent) => void told.push(event),
    signal: new AbortController().signal,
    lock: async () => undefined,
    openJournal: async () => undefined,
  } as unknown as Following['context']
  return { told, asked, following: { context, getState: () => state, kind: KIND } satisfies Following }
}

/** The last that was told of a fact of the gate. */
function factOf(told: readonly PaymentEvent[], id: string) {
  const found = told
    .flatMap((event) => (event.type === 'observed' && event.key === id ? [event.observation] : []))
    .at(-1)
  if (found?.status === 'failed') return { failed: found.error.code }
  return found?.status === 'known' ? found.value : found?.status
}

describe('a dry run', () => {
  const plan = { to: PLAN.to, valueWei: PLAN.valueWei, data: PLAN.data }

  test('is good, or refused in words', async () => {
    expect(await dryRun(clientOf(), SENDER, plan)).toEqual({ gas: 90_000n, refusal: undefined })
    const named = await dryRun(clientOf({ eth_call: () => refusal('0x0e1eddda') }), SENDER, plan)
    expect(named).toEqual({ gas: 0n, refusal: expect.stringMatching(/value/) })
    const unnamed = await dryRun(clientOf({ eth_estimateGas: () => refusal('0x') }), SENDER, plan)
    expect(unnamed).toEqual({ gas: 0n, refusal: expect.stringMatching(/./) })
  })

  test('is no refusal where the endpoint says nothing', async () => {
    await expect(dryRun(clientOf({ eth_call: () => undefined }), SENDER, plan)).rejects.toThrow(
      expect.objectContaining({ name: 'ClientError' }),
    )
  })
})

describe('what an endpoint says of an operator', () => {
  const text = { behind: 'behind', other: (operator: Hex) => `other ${operator}` }
  const [mine, other, nobody] = [address(2), address(3), address(0)]
  const faultOf = (found: Hex, operator: Hex, over: Answers = {}) =>
    operatorFault(
      clientOf({ eth_call: () => word(found), ...over }),
      SETUP,
      { pubkey: PUBKEY, operator },
      text,
    )

  test.each<[string, Hex, Hex, object | undefined]>([
    ['the same', mine, mine, undefined],
    ['none where none is meant', nobody, nobody, undefined],
    ['another one', other, mine, { good: false, words: `other ${other}` }],
    ['one where none is meant', other, nobody, { good: false, words: `other ${other}` }],
    ['none where one is meant: it is behind', nobody, mine, { good: false, unknown: true, words: 'behind' }],
  ])('%s', async (_, found, operator, fault) => {
    expect(await faultOf(found, operator)).toEqual(fault)
  })

  test('speaks against it on another chain, whatever it names', async () => {
    expect(await faultOf(mine, mine, { eth_chainId: () => '0x1' })).toMatchObject({ good: false })
  })
})

test('the command for a wallet signs, and the one for a wallet with an endpoint sends', () => {
  const { transaction } = draftWith()
  expect(mktxCommand(transaction, SENDER, ['--ledger'])).toMatch(/^cast mktx --chain 80094 --nonce 5 /)
  expect(sendCommand(transaction, SENDER, ['--ledger'])).toMatch(
    /^cast send --chain 80094 --nonce 5 .*--rpc-url RPC --ledger /,
  )
})

describe('the account that a keystore names', () => {
  const askedOf = async (over: Parameters<typeof followingOf>[1] = {}) => {
    const { told, following } = followingOf(initialPayment, over)
    await askGate(following)
    return factOf(told, 'sender')
  }

  test('pays, by its own claim', async () => {
    expect(await askedOf()).toEqual({ address: SENDER, claimed: true })
  })

  test('does not pay where it is a contract: a keystore signs for none', async () => {
    expect(await askedOf({ answers: { eth_getCode: () => CODE } })).toEqual({ failed: 'wallet.no-account' })
  })

  test('is asked for where there is none', async () => {
    expect(await askedOf({ named: 'none' })).toEqual({ failed: 'wallet.no-account' })
  })

  test('pays though it lets a contract act for it', async () => {
    const delegated = { eth_getCode: () => `0xef0100${address(7).slice(2)}` }
    expect(await askedOf({ answers: delegated })).toEqual({ address: SENDER, claimed: true })
  })
})

test('a fee that is too high closes the gate with its own reason, not for want of one', async () => {
  const costly = { ...block(300n), baseFeePerGas: hex(2_000n * 10n ** 9n) }
  const { told, following } = followingOf(initialPayment, {
    answers: { eth_getBlockByNumber: () => costly },
  })
  expect(await askGate(following)).toBeUndefined()
  expect(told).toContainEqual(
    expect.objectContaining({
      key: 'balance',
      observation: expect.objectContaining({
        status: 'failed',
        error: expect.objectContaining({
          details: expect.arrayContaining([expect.stringContaining('4001 gwei')]),
        }),
      }),
    }),
  )
})

describe('what it costs to replace a payment', () => {
  const quoteOf = async (answers: Answers, state = givenTo(signedPayment(), 'one')) => {
    const { told, following } = followingOf(state, { answers })
    await quoteFee('speed-up', following)
    const last = told.at(-1)
    return last?.type === 'quoted' ? last.price : undefined
  }
  /** The value, and the gas at fees an eighth above those of the payment. */
  const neededWei = PLAN.valueWei + 150_000n * 3_375_000_002n

  test('is said where the account can pay it, to the last wei', async () => {
    expect(await quoteOf({ eth_getBalance: () => hex(neededWei) })).toMatchObject({
      status: 'known',
      value: { transaction: { nonce: NONCE, valueWei: PLAN.valueWei, maxFeePerGasWei: 3_375_000_002n } },
    })
  })

  test('is refused where it cannot', async () => {
    expect(await quoteOf({ eth_getBalance: () => hex(neededWei - 1n) })).toMatchObject({
      status: 'failed',
      error: { code: 'wallet.gate-closed' },
    })
  })

  test('is nothing where there is no payment', async () => {
    expect(await quoteOf({}, initialPayment)).toMatchObject({
      status: 'failed',
      error: { code: 'wallet.gate-closed' },
    })
  })
})

describe('a gate of which a part is not known', () => {
  const known = <T>(value: T) => ({ status: 'known', value, source: '', atMs: 0 }) as const
  const failed = { status: 'failed', error: { code: 'x' }, source: '', atMs: 5_000 } as never
  const seen: PaymentState['observed'] = {
    ...initialPayment.observed,
    sender: known({ address: SENDER }),
    chain: known({
      chainId: BEPOLIA.executionChainId,
      fork: { version: '0x06000000', slot: 9n, timestampSeconds: BEPOLIA.spec.fuluTimeSeconds + 900n },
      fresh: true,
      sameGenesis: true,
    }),
    node: known(GOOD),
    balance: known({
      balanceWei: 1n,
      neededWei: 1n,
      price: { gasLimit: 1n, maxFeePerGasWei: 1n, maxPriorityFeePerGasWei: 1n },
    }),
    nonce: known({ latest: 4, pending: 4 }),
    key: failed,
    calldata: known(GOOD),
    dryRun: known({ gas: 90_000n, refusal: undefined }),
  }
  const twelveSlotsMs = 12 * BEPOLIA.slotMs
  const toldAt = async (observed: PaymentState['observed'], ...times: readonly number[]) => {
    let nowMs = 0
    const { told, following } = followingOf({ ...initialPayment, observed }, { nowMs: () => nowMs })
    const recheck = rechecker(following)
    const counts: number[] = []
    for (const time of times) {
      nowMs = time
      await recheck()
      counts.push(told.length)
    }
    return { told, counts }
  }

  test('is asked again after twelve slots, and not anew while that runs', async () => {
    const ripeMs = 5_000 + twelveSlotsMs
    const { told, counts } = await toldAt(seen, 5_000, ripeMs - 1, ripeMs, ripeMs + 1)
    expect(counts).toEqual([0, 0, 1, 1])
    expect(told).toEqual([{ step: 'topup', type: 'recheckAsked' }])
  })

  test('is not asked again where all is known, or where it is asked just now', async () => {
    const late = 10 * twelveSlotsMs
    expect((await toldAt({ ...seen, key: known(GOOD) }, late)).counts).toEqual([0])
    expect((await toldAt({ ...seen, node: { status: 'asking' } }, late)).counts).toEqual([0])
  })
})

describe('a deposit that the account sent itself', () => {
  test('is taken for the payment, from the block before its own on', async () => {
    const sent = { nonce: 9, from: SENDER, blockNumber: 250n, seenSentAt: 300n }
    const observed: PaymentState['observed'] = {
      ...initialPayment.observed,
      sender: { status: 'known', value: { address: SENDER }, source: '', atMs: 0 },
      key: { status: 'known', value: { ...GOOD, sent } as never, source: '', atMs: 0 },
      balance: {
        status: 'known',
        value: {
          balanceWei: 1n,
          neededWei: 1n,
          price: { gasLimit: 7n, maxFeePerGasWei: 8n, maxPriorityFeePerGasWei: 9n },
        },
        source: '',
        atMs: 0,
      },
    }
    const agreed: PaymentState = {
      ...initialPayment,
      observed,
      payment: { phase: 'agreed', agreement: { plan: PLAN, world: WORLD } },
    }
    const { told, following } = followingOf(agreed)
    await prepare(following)
    expect(told.at(-1)).toMatchObject({
      type: 'prepared',
      draft: {
        signer: 'external',
        from: SENDER,
        transaction: { ...PLAN, nonce: 9, gasLimit: 7n, chainId: BEPOLIA.executionChainId },
        baseline: { blockNumber: 249n, blockHash: hash(249), seenSentAt: 300n },
      },
    })
  })
})

describe('a round', () => {
  test('asks for deposits at the contract, for the key, from the block of the oldest draft on', async () => {
    const state = signedPayment()
    const { asked, following } = followingOf(state)
    const round = await withPart(await askRound(following), 'deposits', following)
    expect(round.byEndpoint).toMatchObject([
      { deposits: [], knows: false, nonces: [{ address: SENDER, latest: NONCE }] },
    ])
    const logs = asked.filter(({ method }) => method === 'eth_getLogs').flatMap(({ params }) => params)
    expect(logs[0]).toMatchObject({ address: PLAN.to })
    const from = (logs[0] as { fromBlock: Hex }).fromBlock
    expect(Number(from)).toBeGreaterThanOrEqual(200)
    expect(Number(from)).toBeLessThanOrEqual(201)
  })

  test('keeps apart an endpoint that does not tell deposits', async () => {
    const { following } = followingOf(signedPayment(), { answers: { eth_getLogs: () => undefined } })
    const round = await withPart(await askRound(following), 'deposits', following)
    expect(round.byEndpoint).toMatchObject([{ deposits: 'unknown' }])
  })

  const given = givenTo(signedPayment(), '127.0.0.1:1')

  test('in which an endpoint is silent says so, and nothing else of it', async () => {
    const { following } = followingOf(given, { answers: { eth_getTransactionReceipt: () => undefined } })
    expect((await askRound(following)).byEndpoint).toMatchObject([
      { endpoint: '127.0.0.1:1', error: { code: expect.stringMatching(/^client\./) } },
    ])
  })

  test('calls an endpoint odd that names another hash for what it was given', async () => {
    const { told, following } = followingOf(given, { answers: { eth_sendRawTransaction: () => hash(99) } })
    await expect(goRound(following)).rejects.toThrow(
      expect.objectContaining({
        code: 'client.malformed',
        details: expect.arrayContaining(['asked: eth_sendRawTransaction']),
      }),
    )
    expect(told.filter(({ type }) => type === 'handed')).toMatchObject([
      { hash: SIGNED.hash, result: 'refused' },
    ])
  })

  test('that comes to nothing is told as failed, by the name of the endpoint, and the next one follows', async () => {
    const answers = { eth_sendRawTransaction: () => hash(99) }
    const { told, following } = followingOf(given, { answers })
    const isFailed = (event: PaymentEvent) => event.type === 'watched' && event.tracking.status === 'failed'
    const untilFailed = { ...following, getState: () => (told.some(isFailed) ? initialPayment : given) }
    await followPayment(untilFailed)
    expect(told.find(isFailed)).toMatchObject({
      draft: draftOf(given),
      memory: given.memory,
      tracking: { status: 'failed', source: '127.0.0.1:1', error: { code: 'client.malformed' } },
    })
  })
})
