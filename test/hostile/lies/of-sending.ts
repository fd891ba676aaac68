import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import {
  believes,
  failure,
  type Insight,
  type Lie,
  PASS,
  refuses,
  registers,
  strands,
  type Telling,
  type Tellings,
  waits,
} from '../lie.ts'
import { FALSE_HASH, hex, moved, withFields } from './numbers.ts'

const BOTH = [1, 2] as const

type Draft = Omit<Lie, 'service' | 'payments' | 'tells'> & {
  payments?: Lie['payments']
  tells: Lie['tells'] | Tellings
}

export const execution = ({ tells, payments = BOTH, ...lie }: Draft): Lie => ({
  ...lie,
  service: 'execution',
  payments,
  tells: typeof tells === 'function' ? tells : () => tells,
})

/** Moves every count of an account's transactions. */
const nonces = (by: bigint, which: 'latest' | 'pending' | 'both' = 'both'): Tellings => ({
  eth_getTransactionCount: async ({ call }, truth) =>
    which === 'both' || call?.params[1] === which ? moved(await truth.value(), by) : PASS,
})

/** An answer in the place of an endpoint that keeps the bytes: the hash, as if it had taken them. */
const keeps: Telling = ({ call }) => keccak256(call?.params[0] as Hex)

/** Hands the bytes on, and tells something else. */
const takesAndTells =
  (told: unknown): Telling =>
  async (_, truth) => {
    await truth.reply()
    return told
  }

/** What an endpoint says of what it was given: the texts of real clients. */
const REFUSALS = [
  'already known',
  'nonce too low',
  'insufficient funds for gas * price + value',
  'replacement transaction underpriced',
  'ALREADY_EXISTS: already known',
] as const

async function receiptOf(raw: Hex, { status, block }: { status: string; block: string }) {
  const { to } = parseTransaction(raw as `0x02${string}`)
  return {
    transactionHash: keccak256(raw),
    status,
    blockNumber: block,
    blockHash: FALSE_HASH,
    transactionIndex: '0x0',
    from: await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` }),
    to,
    gasUsed: hex(50_000),
    effectiveGasPrice: hex(10 ** 9),
    logs: [],
  }
}

async function pendingOf(raw: Hex, change: object = {}) {
  const { to, nonce = 0, value = 0n, data = '0x' } = parseTransaction(raw as `0x02${string}`)
  const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
  const fields = { to, nonce: hex(nonce), value: hex(value), input: data, blockNumber: null, blockHash: null }
  return { hash: keccak256(raw), from, ...fields, ...change }
}

/** Keeps the bytes for itself, and says so much of them when it is asked by their hash. */
function keepsAndSays(said: (raw: Hex) => Tellings): (insight: Insight) => Tellings {
  return () => {
    const kept = new Map<string, Hex>()
    const ofKept =
      (method: string): Telling =>
      (asked, truth, insight) => {
        const raw = kept.get(String(asked.call?.params[0]))
        const telling = raw === undefined ? undefined : said(raw)[method]
        return telling === undefined ? PASS : telling(asked, truth, insight)
      }
    return {
      eth_sendRawTransaction: ({ call }) => {
        const raw = call?.params[0] as Hex
        kept.set(keccak256(raw), raw)
        return keccak256(raw)
      },
      eth_getTransactionReceipt: ofKept('eth_getTransactionReceipt'),
      eth_getTransactionByHash: ofKept('eth_getTransactionByHash'),
    }
  }
}

/** Makes something else of every receipt that there is. */
const receipts = (change: (receipt: Readonly<Record<string, unknown>>) => object): Tellings => ({
  eth_getTransactionReceipt: async (_, truth) =>
    withFields(await truth.value(), (fields) => ({ ...change(fields) })),
})

type Logged = Readonly<Record<string, unknown>>
const logsOf = (receipt: Logged): Logged[] => receipt.logs as Logged[]

export const LIES_ABOUT_NONCES: readonly Lie[] = [
  execution({
    name: 'names a nonce that is two too high',
    since: 'always',
    tells: nonces(2n),
    alone: strands,
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'names a nonce that is one too low after the first deposit',
    since: 'after inclusion',
    payments: [1],
    tells: nonces(-1n),
    alone: waits(),
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'names a nonce of 2^53',
    since: 'always',
    tells: { eth_getTransactionCount: () => hex(2n ** 53n) },
    alone: waits(),
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'names a nonce of 2^64',
    since: 'always',
    tells: { eth_getTransactionCount: () => hex(2n ** 64n) },
    alone: waits(),
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'sees a transaction of the account waiting that is not there',
    since: 'always',
    tells: nonces(1n, 'pending'),
    alone: waits(),
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'sees fewer transactions waiting than are mined',
    since: 'after inclusion',
    payments: [1],
    tells: nonces(-1n, 'pending'),
    alone: waits(),
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'names another nonce each time',
    since: 'always',
    tells: () => {
      let turn = 0n
      return { eth_getTransactionCount: async (_, truth) => moved(await truth.value(), (turn++ % 3n) + 1n) }
    },
    alone: waits(),
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'says that the nonce of the payment is used already',
    since: 'after signing',
    tells: nonces(1n, 'latest'),
    alone: believes(),
    beside: [waits(1), registers],
    asSecond: [waits(1), registers],
  }),
  execution({
    name: 'says that the nonce of the payment is not used yet',
    since: 'after hand-over',
    payments: [1],
    tells: nonces(-1n),
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
]

export const LIES_ON_HAND_OVER: readonly Lie[] = [
  execution({
    name: 'takes the bytes and drops them',
    since: 'after signing',
    tells: { eth_sendRawTransaction: keeps },
    alone: waits(),
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'takes the bytes and answers null',
    since: 'after signing',
    tells: { eth_sendRawTransaction: takesAndTells(null) },
    alone: registers,
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'takes the bytes and names another hash',
    since: 'after signing',
    tells: { eth_sendRawTransaction: takesAndTells(FALSE_HASH) },
    alone: registers,
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'drops the bytes and names another hash',
    since: 'after signing',
    tells: { eth_sendRawTransaction: () => FALSE_HASH },
    alone: waits(),
    beside: registers,
    asSecond: registers,
  }),
  ...REFUSALS.flatMap((text) => [
    execution({
      name: `takes the bytes and says "${text}"`,
      since: 'after signing',
      tells: { eth_sendRawTransaction: takesAndTells(failure(text)) },
      alone: registers,
      beside: registers,
      asSecond: registers,
    }),
    execution({
      name: `refuses the bytes and says "${text}"`,
      since: 'after signing',
      tells: { eth_sendRawTransaction: () => failure(text) },
      alone: waits(),
      beside: registers,
      asSecond: registers,
    }),
  ]),
  execution({
    name: 'takes the bytes and never answers',
    since: 'after signing',
    tells: { eth_sendRawTransaction: takesAndTells({ as: 'silence' }) },
    alone: registers,
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'takes the bytes and answers 502',
    since: 'after signing',
    tells: {
      eth_sendRawTransaction: takesAndTells({
        as: 'reply',
        status: 502,
        headers: {},
        body: new Uint8Array(),
      }),
    },
    alone: registers,
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'keeps the bytes and says that they are in a block',
    since: 'after signing',
    tells: keepsAndSays((raw) => ({
      eth_getTransactionReceipt: () => receiptOf(raw, { status: '0x1', block: '0x1' }),
    })),
    alone: believes(),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'keeps the bytes and says that the chain refused them',
    since: 'after signing',
    tells: keepsAndSays((raw) => ({
      eth_getTransactionReceipt: () => receiptOf(raw, { status: '0x0', block: '0x1' }),
    })),
    alone: believes(),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'keeps the bytes and says that they are in a block of the future',
    since: 'after signing',
    tells: keepsAndSays((raw) => ({
      eth_getTransactionReceipt: () => receiptOf(raw, { status: '0x1', block: '0xffffff' }),
    })),
    alone: waits(),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'keeps the bytes and says that they wait in its pool',
    since: 'after signing',
    tells: keepsAndSays((raw) => ({ eth_getTransactionByHash: () => pendingOf(raw) })),
    alone: waits(),
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'keeps the bytes and finds another transaction under their hash',
    since: 'after signing',
    tells: keepsAndSays((raw) => ({
      eth_getTransactionByHash: () =>
        pendingOf(raw, { nonce: '0x7', value: '0x1', blockNumber: '0x1', blockHash: FALSE_HASH }),
    })),
    alone: waits(),
    beside: registers,
    asSecond: registers,
  }),
]

export const LIES_ABOUT_RECEIPTS: readonly Lie[] = [
  execution({
    name: 'hides the receipt',
    since: 'after hand-over',
    tells: { eth_getTransactionReceipt: () => null },
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'hides the receipt and the transaction',
    since: 'after hand-over',
    tells: {
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
      eth_getLogs: () => [],
    },
    alone: believes(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'hides the transaction',
    since: 'after hand-over',
    tells: { eth_getTransactionByHash: () => null },
    alone: registers,
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'tells a payment that the chain took as refused',
    since: 'after hand-over',
    tells: receipts(() => ({ status: '0x0', logs: [] })),
    alone: believes(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'gives the receipt of another transaction',
    since: 'after hand-over',
    tells: receipts(() => ({ transactionHash: FALSE_HASH })),
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'puts the payment in a block with another hash',
    since: 'after hand-over',
    tells: receipts(() => ({ blockHash: FALSE_HASH })),
    alone: registers,
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'puts the payment in an earlier block',
    since: 'after hand-over',
    tells: receipts(() => ({ blockNumber: '0x1' })),
    alone: registers,
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'leaves the deposit out of the receipt',
    since: 'after hand-over',
    tells: receipts(() => ({ logs: [] })),
    alone: [refuses(1), registers],
    beside: [waits(1), registers],
    asSecond: registers,
  }),
  execution({
    name: 'makes the deposit in the receipt one of another contract',
    since: 'after hand-over',
    tells: receipts((receipt) => ({
      logs: logsOf(receipt).map((log) => ({ ...log, address: `0x${'11'.repeat(20)}` })),
    })),
    alone: [refuses(1), registers],
    beside: [waits(1), registers],
    asSecond: registers,
  }),
  execution({
    name: 'makes another deposit of the one in the receipt',
    since: 'after hand-over',
    tells: receipts((receipt) => ({
      logs: logsOf(receipt).map((log) => ({ ...log, data: String(log.data).replace('a', 'b') })),
    })),
    alone: [waits(1), registers],
    beside: [waits(1), registers],
    asSecond: registers,
  }),
  execution({
    name: 'names another sender in the receipt',
    since: 'after hand-over',
    tells: receipts(() => ({ from: `0x${'11'.repeat(20)}` })),
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'names a status that there is not',
    since: 'after hand-over',
    tells: receipts(() => ({ status: '0x2' })),
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'leaves the status out of the receipt',
    since: 'after hand-over',
    tells: receipts(() => ({ status: undefined })),
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'says that the gas of the payment cost 2^200',
    since: 'after hand-over',
    tells: receipts(() => ({ effectiveGasPrice: hex(2n ** 200n) })),
    alone: registers,
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'shows the receipt and hides it by turns',
    since: 'after hand-over',
    tells: () => {
      let turn = 0
      return { eth_getTransactionReceipt: () => (turn++ % 2 === 0 ? PASS : null) }
    },
    alone: waits(1),
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'hides, after a restart, what was handed over before',
    since: 'at restart',
    tells: {
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
      eth_getLogs: () => [],
    },
    alone: believes(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'says, after a restart, that the chain refused what was handed over',
    since: 'at restart',
    tells: receipts(() => ({ status: '0x0', logs: [] })),
    alone: believes(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'says, after a restart, that nothing of the account is mined',
    since: 'at restart',
    tells: {
      eth_getTransactionCount: () => '0x0',
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
    },
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
]

export const LIES_ABOUT_FINALITY: readonly Lie[] = [
  execution({
    name: 'calls a block of the far future final',
    since: 'after hand-over',
    tells: {
      eth_getBlockByNumber: async ({ call }, truth) =>
        call?.params[0] === 'finalized'
          ? withFields(await truth.value(), () => ({ number: hex(2n ** 40n) }))
          : PASS,
    },
    alone: registers,
    beside: registers,
    asSecond: registers,
  }),
  execution({
    name: 'knows of no final block',
    since: 'after hand-over',
    tells: { eth_getBlockByNumber: ({ call }) => (call?.params[0] === 'finalized' ? null : PASS) },
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
  execution({
    name: 'calls no later block final than the first',
    since: 'after hand-over',
    tells: {
      eth_getBlockByNumber: async ({ call }, _, { ask }) =>
        call?.params[0] === 'finalized' ? ask('eth_getBlockByNumber', ['0x0', false]) : PASS,
    },
    alone: waits(1),
    beside: waits(1),
    asSecond: waits(1),
  }),
]
