import { PASS, type Service, type Telling } from './lie.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** One thing made otherwise in a reply: where, and how; `value` is the whole of it. */
type Garbling = { path: string; kind: string; value: Json }

/** Half a hexadecimal number, one too long, numbers out of range. */
const OTHER_STRINGS: readonly (readonly [string, (text: string) => Json])[] = [
  ['cut short', (text) => text.slice(0, -1)],
  ['too long', (text) => `${text}00`],
  ['empty', () => ''],
  ['out of range', (text) => (text.startsWith('0x') ? `0x${'f'.repeat(70)}` : '9'.repeat(30))],
  ['below nothing', (text) => (text.startsWith('0x') ? '-0x1' : '-1')],
  ['a number', () => 7],
]

const OTHER_NUMBERS: readonly (readonly [string, Json])[] = [
  ['out of range', 1e21],
  ['below nothing', -1],
  ['broken', 0.5],
  ['a string', 'seven'],
]

/** The reply with each part of it, at any depth, made otherwise. Of lists the first and the last entry are taken. */
function garblingsOf(value: Json, path = 'result'): Garbling[] {
  const own: Garbling[] = [
    { path, kind: 'nothing', value: null },
    { path, kind: 'a truth', value: true },
  ]
  if (typeof value === 'string')
    return [...own, ...OTHER_STRINGS.map(([kind, of]) => ({ path, kind, value: of(value) }))]
  if (typeof value === 'number')
    return [...own, ...OTHER_NUMBERS.map(([kind, other]) => ({ path, kind, value: other }))]
  if (value === null || typeof value === 'boolean') return [...own, { path, kind: 'text', value: 'text' }]
  return [...own, ...(Array.isArray(value) ? ofList(value, path) : ofRecord(value as Fields, path))]
}

type Fields = { readonly [key: string]: Json }

function ofList(list: readonly Json[], path: string): Garbling[] {
  const [first] = list
  if (first === undefined) return [{ path, kind: 'with an entry', value: ['0x'] }]
  const places = [...new Set([0, list.length - 1])]
  return [
    { path, kind: 'empty', value: [] },
    { path, kind: 'without the last', value: list.slice(0, -1) },
    { path, kind: 'the first one twice', value: [first, ...list] },
    { path, kind: 'a record', value: {} },
    ...places.flatMap((at) =>
      garblingsOf(list[at] ?? null, `${path}[${at}]`).map((each) => ({
        ...each,
        value: list.map((entry, place) => (place === at ? each.value : entry)),
      })),
    ),
  ]
}

function ofRecord(fields: Fields, path: string): Garbling[] {
  return Object.entries(fields).flatMap(([key, value]) => [
    {
      path: `${path}.${key}`,
      kind: 'missing',
      value: Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key)),
    },
    ...garblingsOf(value, `${path}.${key}`).map((each) => ({
      ...each,
      value: { ...fields, [key]: each.value },
    })),
  ])
}

/** Every question that a registration, a watch or a command asks, as a table of lies names it. */
export const QUESTIONS: Readonly<Record<Service, readonly string[]>> = {
  execution: [
    'eth_chainId',
    'eth_getBlockByNumber',
    'eth_blockNumber',
    'eth_getCode',
    'eth_call',
    'eth_getLogs',
    'eth_maxPriorityFeePerGas',
    'eth_getTransactionCount',
    'eth_getBalance',
    'eth_estimateGas',
    'eth_getTransactionReceipt',
    'eth_getTransactionByHash',
    'eth_sendRawTransaction',
    'eth_syncing',
    'eth_config',
    'net_peerCount',
  ],
  node: [
    '/eth/v1/beacon/genesis',
    '/eth/v1/config/spec',
    '/eth/v1/node/syncing',
    '/eth/v1/beacon/headers/*',
    '/eth/v1/beacon/states/*/fork',
    '/eth/v1/beacon/states/*/validators',
    '/eth/v1/beacon/states/*/validators/*',
    '/bkit/v1/proof/validator_pubkey/*',
    '/bkit/v1/proof/validator_credentials/*',
    '/bkit/v1/proof/validator_balance/*',
  ],
  engine: ['/status', '/net_info', '/validators*', '/commit*'],
}

/** A prime, so that one reply after another is made otherwise in another part. */
const STRIDE = 37

/** Tells each reply with one part made otherwise, another one each time. `begin` is where it begins. */
export function garbled(begin = 0): Telling {
  let place = begin
  return async (_, truth) => {
    const value = (await truth.value()) as Json | undefined
    if (value === undefined) return PASS
    const all = garblingsOf(value)
    place += STRIDE
    return all[place % all.length]?.value
  }
}
