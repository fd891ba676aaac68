import { encodeAbiParameters, type Hex } from 'viem'
import { DEPOSIT_TOPIC } from '../../../src/core/chain/deposit/abi.ts'
import {
  failure,
  type Insight,
  type Lie,
  PASS,
  refuses,
  registers,
  type Telling,
  type Tellings,
  waits,
} from '../lie.ts'
import { big, FALSE_HASH, fieldsOf, hex, moved, withFields, word } from './numbers.ts'
import { execution } from './of-sending.ts'

const CONTRACT = '0x4242424242424242424242424242424242424242'
const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const SOMEBODY = `0x${'11'.repeat(20)}`
const GWEI = 10n ** 9n

/** Calls of a contract whose data begin so. */
const calls = (to: string, selector: string, telling: Telling): Tellings => ({
  eth_call: (asked, truth, insight) => {
    const [call] = (asked.call?.params ?? []) as [{ to?: string; data?: string }]
    const isIt = call?.to?.toLowerCase() === to && call.data?.startsWith(selector)
    return isIt ? telling(asked, truth, insight) : PASS
  },
})

const GET_OPERATOR = '0x9eaffa96'
const DEPOSIT_COUNT = '0x2dfdf0b5'
const DEPOSIT = '0xe12cf4cb'

/** Makes something else of the blocks that are asked for so. */
const blocks = (
  change: (block: Readonly<Record<string, unknown>>) => object,
  which?: (block: unknown) => boolean,
): Tellings => ({
  eth_getBlockByNumber: async ({ call }, truth) =>
    which === undefined || which(call?.params[0])
      ? withFields(await truth.value(), (fields) => ({ ...change(fields) }))
      : PASS,
})

const isFirst = (block: unknown) => block === '0x0'
const isLatest = (block: unknown) => block === 'latest'

type Logged = Readonly<Record<string, unknown>>
const logs = (change: (logs: Logged[], insight: Insight) => unknown): Tellings => ({
  eth_getLogs: async (_, truth, insight) => change((await truth.value()) as Logged[], insight),
})

function falseDeposit({ pubkey }: Insight, fields: { block: unknown; index: bigint }): Logged {
  const types = ['bytes', 'bytes', 'uint64', 'bytes', 'uint64'].map((type) => ({ type }))
  const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
  return {
    address: CONTRACT,
    topics: [DEPOSIT_TOPIC],
    data: encodeAbiParameters(types, [pubkey, zeros(32), 270_000n * GWEI, zeros(96), fields.index]),
    blockNumber: fields.block,
    blockHash: FALSE_HASH,
    transactionHash: `0x${'cd'.repeat(32)}`,
    logIndex: '0x0',
    removed: false,
  }
}

const shut = { alone: waits(), beside: waits(), asSecond: waits() }
const wrongChain = { alone: refuses(), beside: refuses(), asSecond: refuses() }
const harmless = { alone: registers, beside: registers, asSecond: registers }

export const LIES_ABOUT_THE_CHAIN: readonly Lie[] = [
  execution({
    name: 'names another chain',
    since: 'always',
    tells: { eth_chainId: () => hex(80_094) },
    ...wrongChain,
  }),
  execution({
    name: 'names another chain once the first deposit is paid',
    since: 'after inclusion',
    payments: [1],
    tells: { eth_chainId: () => hex(80_094) },
    ...wrongChain,
    asSecond: waits(),
    beside: waits(),
    alone: waits(),
  }),
  execution({
    name: 'begins with another block',
    since: 'always',
    tells: blocks(() => ({ hash: FALSE_HASH }), isFirst),
    ...wrongChain,
  }),
  execution({
    name: 'begins with another block once the first deposit is paid',
    since: 'after inclusion',
    payments: [1],
    tells: blocks(() => ({ hash: FALSE_HASH }), isFirst),
    ...wrongChain,
    asSecond: registers,
    beside: waits(),
    alone: waits(),
  }),
  execution({
    name: 'has no first block',
    since: 'always',
    tells: { eth_getBlockByNumber: ({ call }) => (isFirst(call?.params[0]) ? null : PASS) },
    ...shut,
  }),
  execution({
    name: 'has no latest block',
    since: 'always',
    tells: { eth_getBlockByNumber: ({ call }) => (isLatest(call?.params[0]) ? null : PASS) },
    ...shut,
    asSecond: registers,
  }),
  execution({
    name: 'hashes every block otherwise',
    since: 'always',
    tells: blocks(
      () => ({ hash: FALSE_HASH }),
      (block) => !isFirst(block),
    ),
    ...shut,
    alone: registers,
  }),
  execution({
    name: 'stands still',
    since: 'after signing',
    tells: () => {
      let head: Promise<unknown> | undefined
      const frozen: Telling = (_, truth) => (head ??= truth.value())
      let number: Promise<unknown> | undefined
      return {
        eth_blockNumber: (_, truth) => (number ??= truth.value()),
        eth_getBlockByNumber: (asked, truth, insight) =>
          isLatest(asked.call?.params[0]) ? frozen(asked, truth, insight) : PASS,
      }
    },
    alone: [waits(1), registers],
    beside: [waits(1), registers],
    // A top-up is agreed to after a block that it does not show: no deposit since is known by it.
    asSecond: [refuses(1), registers],
  }),
  execution({
    name: 'is a thousand blocks ahead',
    since: 'always',
    tells: {
      eth_blockNumber: async (_, truth) => moved(await truth.value(), 1000n),
      ...blocks((block) => ({ number: moved(block.number, 1000n) }), isLatest),
    },
    ...shut,
  }),
  execution({
    name: 'is an hour behind',
    since: 'always',
    tells: blocks((block) => ({ timestamp: moved(block.timestamp, -3600n) }), isLatest),
    ...shut,
    asSecond: registers,
  }),
  execution({
    name: 'is an hour ahead',
    since: 'always',
    tells: blocks((block) => ({ timestamp: moved(block.timestamp, 3600n) }), isLatest),
    ...shut,
    asSecond: registers,
  }),
  execution({
    name: 'lives in the year 10^10',
    since: 'always',
    tells: blocks(() => ({ timestamp: hex(10n ** 17n) }), isLatest),
    ...shut,
    asSecond: registers,
  }),
]

export const LIES_ABOUT_MONEY: readonly Lie[] = [
  execution({
    name: 'says that the account is empty',
    since: 'always',
    tells: { eth_getBalance: () => '0x0' },
    alone: waits(),
    beside: waits(),
    asSecond: registers,
  }),
  execution({
    name: 'says that the account is one wei short',
    since: 'always',
    tells: { eth_getBalance: () => hex(10_000n * 10n ** 18n) },
    alone: waits(),
    beside: waits(),
    asSecond: registers,
  }),
  execution({
    name: 'says that the account has 2^255',
    since: 'always',
    tells: { eth_getBalance: () => hex(2n ** 255n) },
    ...harmless,
  }),
  execution({
    name: 'names a base fee of 0',
    since: 'always',
    tells: blocks(() => ({ baseFeePerGas: '0x0' })),
    ...harmless,
  }),
  execution({
    name: 'names a base fee of 400 gwei',
    since: 'always',
    tells: blocks(() => ({ baseFeePerGas: hex(400n * GWEI) })),
    ...harmless,
  }),
  execution({
    name: 'names a base fee of 1,000,000 gwei',
    since: 'always',
    tells: blocks(() => ({ baseFeePerGas: hex(10n ** 6n * GWEI) })),
    ...shut,
  }),
  execution({
    name: 'names no base fee',
    since: 'always',
    tells: blocks(() => ({ baseFeePerGas: undefined })),
    ...harmless,
  }),
  execution({
    name: 'asks for a tip of 100 tokens for the gas',
    since: 'always',
    tells: { eth_maxPriorityFeePerGas: () => hex(10n ** 20n) },
    ...harmless,
  }),
  execution({
    name: 'asks for no tip',
    since: 'always',
    tells: { eth_maxPriorityFeePerGas: () => '0x0' },
    ...harmless,
  }),
  execution({
    name: 'estimates one gas',
    since: 'always',
    tells: { eth_estimateGas: () => '0x1' },
    ...harmless,
  }),
  execution({
    name: 'estimates 2^60 gas',
    since: 'always',
    tells: { eth_estimateGas: () => hex(2n ** 60n) },
    ...harmless,
  }),
  execution({
    name: 'says that the contract refuses the deposit',
    since: 'always',
    tells: { eth_estimateGas: () => failure('execution reverted', 3, '0x40567b38') },
    alone: waits(),
    beside: waits(),
    asSecond: registers,
  }),
  execution({
    name: 'asks to look the answer up elsewhere',
    since: 'always',
    tells: calls(CONTRACT, DEPOSIT, () => failure('execution reverted', 3, '0x556f1830')),
    alone: waits(),
    beside: waits(),
    asSecond: registers,
  }),
]

export const LIES_ABOUT_CODE: readonly Lie[] = [
  execution({
    name: 'hides the code of the deposit contract',
    since: 'always',
    tells: codeAt(CONTRACT, '0x'),
    alone: refuses(),
    beside: refuses(),
    asSecond: registers,
  }),
  execution({
    name: 'has other code at the deposit contract',
    since: 'always',
    tells: codeAt(CONTRACT, '0x6001600101'),
    alone: refuses(),
    beside: refuses(),
    asSecond: registers,
  }),
  execution({
    name: 'has code at the paying account',
    since: 'always',
    tells: codeAt('account', '0x6001600101'),
    alone: waits(1),
    beside: waits(1),
    asSecond: registers,
  }),
  execution({
    name: 'says that the paying account delegates',
    since: 'always',
    tells: codeAt('account', `0xef0100${'11'.repeat(20)}`),
    ...harmless,
  }),
  execution({
    name: 'says that the precompile refuses the signature',
    since: 'always',
    tells: { eth_call: precompile('0x'.padEnd(66, '0')) },
    alone: waits(),
    beside: waits(),
    asSecond: registers,
  }),
  execution({
    name: 'gives 64 bytes for a precompile',
    since: 'always',
    tells: { eth_call: precompile('0x'.padEnd(130, '0')) },
    alone: waits(),
    beside: waits(),
    asSecond: registers,
  }),
]

function codeAt(place: string, code: string): Tellings {
  return {
    eth_getCode: ({ call }, _, { account }) => {
      const wanted = place === 'account' ? account.toLowerCase() : place
      return String(call?.params[0]).toLowerCase() === wanted ? code : PASS
    },
  }
}

function precompile(answer: string): Telling {
  return ({ call }) =>
    /^0x0{38}(?:0d|0e|0f|10|11)$/.test(String(fieldsOf(call?.params[0]).to)) ? answer : PASS
}

/** What no contract writes, in each event that is asked for. */
const ILL_FORMED: readonly [string, (all: Logged[]) => unknown][] = [
  ['whose data end early', (all) => all.map((log) => ({ ...log, data: String(log.data).slice(0, 66) }))],
  [
    'with a word too much',
    (all) => all.map((log) => ({ ...log, data: `${String(log.data)}${'00'.repeat(32)}` })),
  ],
  ['of numbers', (all) => all.map((log) => ({ ...log, data: 7 }))],
  ['of no transaction', (all) => all.map((log) => ({ ...log, transactionHash: null }))],
  [
    'of the last block there can be',
    (all) => all.map((log) => ({ ...log, blockNumber: hex(2n ** 64n - 1n) })),
  ],
]

export const LIES_ABOUT_DEPOSITS: readonly Lie[] = [
  execution({
    name: 'names an operator of the unused key',
    since: 'always',
    tells: calls(CONTRACT, GET_OPERATOR, () => word(big(SOMEBODY))),
    alone: refuses(),
    beside: refuses(),
    asSecond: waits(),
  }),
  execution({
    name: 'names somebody else as the operator',
    since: 'after inclusion',
    payments: [1],
    tells: calls(CONTRACT, GET_OPERATOR, () => word(big(SOMEBODY))),
    alone: waits(),
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'hides the operator',
    since: 'after inclusion',
    payments: [1],
    tells: calls(CONTRACT, GET_OPERATOR, () => word(0)),
    alone: waits(),
    beside: waits(),
    asSecond: waits(),
  }),
  execution({
    name: 'answers nothing for the operator',
    since: 'always',
    tells: calls(CONTRACT, GET_OPERATOR, () => '0x'),
    ...shut,
  }),
  execution({
    name: 'names 33 bytes as the operator',
    since: 'always',
    tells: calls(CONTRACT, GET_OPERATOR, () => `${word(0)}00`),
    ...shut,
  }),
  execution({
    name: 'counts one deposit too many',
    since: 'always',
    tells: calls(CONTRACT, DEPOSIT_COUNT, async (_, truth) => word(big(await truth.value()) + 1n)),
    ...shut,
    asSecond: waits(1),
    beside: waits(1),
    alone: waits(1),
  }),
  execution({
    name: 'counts one deposit too few',
    since: 'always',
    tells: calls(CONTRACT, DEPOSIT_COUNT, async (_, truth) => word(big(await truth.value()) - 1n)),
    ...shut,
    asSecond: waits(1),
    beside: waits(1),
    alone: waits(1),
  }),
  execution({
    name: 'counts 2^64 deposits',
    since: 'always',
    tells: calls(CONTRACT, DEPOSIT_COUNT, () => word(2n ** 64n)),
    ...shut,
    asSecond: registers,
  }),
  execution({ name: 'withholds all deposits', since: 'always', tells: logs(() => []), ...harmless }),
  execution({
    name: 'withholds all deposits once the top-up is signed',
    since: 'after signing',
    payments: [2],
    tells: logs(() => []),
    ...harmless,
  }),
  execution({
    name: 'names each deposit twice',
    since: 'always',
    tells: logs((all) => [...all, ...all]),
    ...harmless,
  }),
  ...ILL_FORMED.map(([what, change]) =>
    execution({ name: `names deposits ${what}`, since: 'always', tells: logs(change), ...harmless }),
  ),
  execution({
    name: 'names the deposits backwards',
    since: 'always',
    tells: logs((all) => all.toReversed()),
    ...harmless,
  }),
  execution({
    name: 'names deposits of another contract',
    since: 'always',
    tells: logs((all) => all.map((log) => ({ ...log, address: SOMEBODY }))),
    ...harmless,
  }),
  execution({
    name: 'takes all deposits back',
    since: 'always',
    tells: logs((all) => all.map((log) => ({ ...log, removed: true }))),
    ...harmless,
  }),
  execution({
    name: 'refuses to name deposits',
    since: 'always',
    tells: { eth_getLogs: () => failure('query returned more than 10000 results', -32_005) },
    ...harmless,
    asSecond: refuses(1),
    beside: refuses(1),
    alone: refuses(1),
  }),
  execution({
    name: 'makes a deposit up',
    since: 'always',
    tells: logs((all, insight) => [...all, falseDeposit(insight, { block: '0x1', index: 1n })]),
    ...shut,
    asSecond: refuses(1),
    beside: refuses(1),
    alone: refuses(1),
  }),
  execution({
    name: 'makes a deposit up, and counts it',
    since: 'after inclusion',
    payments: [1],
    tells: (insight) => ({
      ...calls(CONTRACT, DEPOSIT_COUNT, async (_, truth) => word(big(await truth.value()) + 1n)),
      eth_getLogs: async ({ call }, truth) => {
        const all = (await truth.value()) as Logged[]
        const { fromBlock } = fieldsOf(call?.params[0])
        return [...all, falseDeposit(insight, { block: fromBlock, index: 99n })]
      },
    }),
    ...shut,
  }),
]

export const LIES_ABOUT_ROOTS: readonly Lie[] = [
  execution({
    name: 'holds another beacon root',
    since: 'always',
    tells: calls(BEACON_ROOTS, '0x', () => FALSE_HASH),
    ...shut,
  }),
  execution({
    name: 'holds another beacon root once the first deposit is paid',
    since: 'after inclusion',
    payments: [1],
    tells: calls(BEACON_ROOTS, '0x', () => FALSE_HASH),
    ...shut,
  }),
  execution({
    name: 'holds a beacon root of zeros',
    since: 'always',
    tells: calls(BEACON_ROOTS, '0x', () => word(0)),
    ...shut,
  }),
  execution({
    name: 'holds no beacon root',
    since: 'always',
    tells: calls(BEACON_ROOTS, '0x', () => failure('execution reverted', 3, '0x')),
    ...shut,
  }),
  execution({
    name: 'gives nothing for a beacon root',
    since: 'always',
    tells: calls(BEACON_ROOTS, '0x', () => '0x'),
    ...shut,
  }),
]

const ODD_NUMBERS: readonly (readonly [string, unknown])[] = [
  ['a decimal text', '12'],
  ['a number of JSON', 12],
  [
    'the number 1e400',
    {
      as: 'reply',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"jsonrpc":"2.0","id":1,"result":1e400}'),
    },
  ],
  ['a negative number', '-0x1'],
  ['a number of 70 digits', `0x1${'0'.repeat(69)}`],
  ['0x with nothing behind', '0x'],
  ['a number with zeros before', '0x0001'],
  ['a number in capitals', '0XFF'],
  ['a fraction', '0x1.8'],
  ['a list', ['0x1']],
  ['true', true],
  ['a text with a line break', '0x1\n'],
]

/** Numbers as no client writes them, in the place of every number. */
export const LIES_IN_ODD_NUMBERS: readonly Lie[] = ODD_NUMBERS.map(([what, told]) =>
  execution({
    name: `writes ${what} for a number`,
    since: 'always',
    tells: Object.fromEntries(
      ['eth_blockNumber', 'eth_getTransactionCount', 'eth_getBalance', 'eth_estimateGas'].map((method) => [
        method,
        () => told,
      ]),
    ),
    ...shut,
  }),
)

const rewritten = (change: (reply: Record<string, unknown>) => object): Tellings => ({
  '*': async ({ call }, truth) => {
    if (call === undefined) return PASS
    const reply = JSON.parse(await truth.text()) as Record<string, unknown>
    return {
      as: 'reply',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(change(reply))),
    }
  },
})

/** Replies that are JSON and no JSON-RPC. */
export const LIES_IN_THE_ENVELOPE: readonly Lie[] = (
  [
    ['answers under another id', (reply) => ({ ...reply, id: Number(reply.id) + 1 })],
    ['answers under the id as a text', (reply) => ({ ...reply, id: String(reply.id) })],
    ['answers under no id', (reply) => ({ ...reply, id: null })],
    ['speaks JSON-RPC 1.0', (reply) => ({ ...reply, jsonrpc: '1.0' })],
    ['gives a result and an error', (reply) => ({ ...reply, error: { code: -32_000, message: 'no' } })],
    ['gives neither result nor error', ({ id, jsonrpc }) => ({ id, jsonrpc })],
    ['gives an error without a code', ({ id, jsonrpc }) => ({ id, jsonrpc, error: { message: 'no' } })],
    [
      'gives an error with a word that drives a terminal',
      ({ id, jsonrpc }) => ({
        id,
        jsonrpc,
        error: { code: -32_000, message: '\u001b[2J✔ verified\r\n\u202e' },
      }),
    ],
  ] as const satisfies readonly (readonly [string, (reply: Record<string, unknown>) => object])[]
).map(([name, change]) => execution({ name, since: 'always', tells: rewritten(change), ...shut }))
