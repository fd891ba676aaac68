import { type Lie, PASS, refuses, registers, type Telling, type Tellings, waits } from '../lie.ts'
import { jsonWire, textReply } from '../wire.ts'
import { FALSE_HASH, type Fields } from './numbers.ts'

const BOTH = [1, 2] as const

type Draft = Omit<Lie, 'service' | 'payments' | 'tells'> & {
  payments?: Lie['payments']
  tells: Tellings | Lie['tells']
}

const node = ({ tells, payments = BOTH, ...lie }: Draft): Lie => ({
  ...lie,
  service: 'node',
  payments,
  tells: typeof tells === 'function' ? tells : () => tells,
})

const shut = { alone: waits(), beside: waits() }
const no = { alone: refuses(), beside: refuses() }
const harmless = { alone: registers, beside: registers }

/** The data of a reply made otherwise. */
const data =
  (change: (data: Fields) => unknown): Telling =>
  async (_, truth) => {
    const reply = (await truth.value()) as Fields
    return { ...reply, data: change(reply.data as Fields) }
  }

/** The text of a reply made otherwise; where that changes nothing, nothing is told. */
const text =
  (change: (text: string) => string): Telling =>
  async (_, truth) => {
    const whole = await truth.text()
    const changed = change(whole)
    return changed === whole ? PASS : textReply(changed)
  }

const NOT_YET = jsonWire({ code: 500, message: 'endpoint is not yet implemented' }, 500)

const OWN = '/eth/v1/beacon/states/*/validators?id=*'
const STATE = '/eth/v2/debug/beacon/states/*'

/** The record of a validator, made otherwise. */
const record = (change: (record: Fields) => object): Telling =>
  data((list) => (list as unknown as Fields[]).map((entry) => ({ ...entry, ...change(entry) })))

const inValidator = (change: Fields) => (entry: Fields) => ({
  validator: { ...(entry.validator as Fields), ...change },
})

/** The last digit of the n-th hash of a proof turned. */
const flipped = (name: string): Telling =>
  text((whole) => {
    const at = whole.indexOf(`"${name}"`)
    const place = whole.indexOf('0x', at) + 20
    const digit = whole[place] === '0' ? '1' : '0'
    return `${whole.slice(0, place)}${digit}${whole.slice(place + 1)}`
  })

const proof = (kind: string) => `/*/proof/validator_${kind}/*`

export const LIES_OF_THE_NODE: readonly Lie[] = [
  node({
    name: 'the node names another genesis root',
    since: 'always',
    tells: {
      '/eth/v1/beacon/genesis': data((genesis) => ({ ...genesis, genesis_validators_root: FALSE_HASH })),
    },
    ...no,
  }),
  node({
    name: 'the node names another genesis root once the first deposit is paid',
    since: 'after inclusion',
    payments: [1],
    tells: {
      '/eth/v1/beacon/genesis': data((genesis) => ({ ...genesis, genesis_validators_root: FALSE_HASH })),
    },
    ...no,
    beside: waits(),
    alone: waits(),
  }),
  node({
    name: 'the node names another fork at the genesis',
    since: 'always',
    tells: {
      '/eth/v1/beacon/genesis': data((genesis) => ({ ...genesis, genesis_fork_version: '0x0a000000' })),
    },
    ...no,
  }),
  node({
    name: 'the node is at an unknown fork',
    since: 'always',
    tells: { '/eth/v1/beacon/states/*/fork': data((fork) => ({ ...fork, current_version: '0x09000000' })) },
    ...no,
  }),
  node({
    name: 'the node is at an unknown fork once the first deposit is paid',
    since: 'after inclusion',
    payments: [1],
    tells: { '/eth/v1/beacon/states/*/fork': data((fork) => ({ ...fork, current_version: '0x09000000' })) },
    ...no,
    beside: waits(),
    alone: waits(),
  }),
  node({
    name: 'the node takes deposits of another chain',
    since: 'always',
    tells: {
      '/eth/v1/config/spec': data((spec) => ({ ...spec, DEPOSIT_CHAIN_ID: '1', DEPOSIT_NETWORK_ID: '1' })),
    },
    ...no,
  }),
  node({
    name: 'the node takes deposits of another contract',
    since: 'always',
    tells: {
      '/eth/v1/config/spec': data((spec) => ({ ...spec, DEPOSIT_CONTRACT_ADDRESS: `0x${'11'.repeat(20)}` })),
    },
    ...no,
  }),
  node({
    name: 'the node is syncing',
    since: 'always',
    tells: { '/eth/v1/node/syncing': data((sync) => ({ ...sync, is_syncing: true, sync_distance: '9000' })) },
    ...no,
    beside: waits(),
    alone: waits(),
  }),
  node({
    name: 'the node never answers whether it is syncing',
    since: 'always',
    tells: { '/eth/v1/node/syncing': () => ({ as: 'silence' }) },
    ...shut,
  }),
  node({
    name: 'the node says that its health is bad',
    since: 'always',
    tells: { '/eth/v1/node/health': () => textReply('', 503) },
    ...no,
    beside: waits(),
    alone: waits(),
  }),
  node({ name: 'the node has no state', since: 'always', tells: { [STATE]: () => NOT_YET }, ...harmless }),
  node({
    name: 'the node withholds the state once the first deposit is paid',
    since: 'after inclusion',
    payments: [1],
    tells: { [STATE]: () => NOT_YET },
    ...harmless,
  }),
  node({
    name: 'the node cuts the state',
    since: 'always',
    tells: { [STATE]: text((whole) => whole.slice(0, whole.length / 2)) },
    ...shut,
  }),
  node({
    name: 'the node gives an empty state',
    since: 'always',
    tells: { [STATE]: data(() => ({})) },
    ...shut,
  }),
  node({
    name: 'the node gives the state of another slot',
    since: 'always',
    tells: { [STATE]: text((whole) => whole.replace(/"slot":"0x/, '"slot":"0x1')) },
    ...shut,
  }),
  node({
    name: 'the node turns a digit of the state',
    since: 'always',
    tells: { [STATE]: text((whole) => whole.replace(/"balances":\[\d/, '"balances":[7')) },
    ...shut,
  }),
  node({
    name: 'the node turns a digit of the state once the first deposit is paid',
    since: 'after inclusion',
    payments: [1],
    tells: { [STATE]: text((whole) => whole.replace(/"balances":\[\d/, '"balances":[7')) },
    ...shut,
  }),
  node({
    name: 'the node gives the state of another network',
    since: 'always',
    tells: {
      [STATE]: text((whole) =>
        whole.replace(/"genesis_validators_root":"0x..../, '"genesis_validators_root":"0xabab'),
      ),
    },
    ...shut,
  }),
  node({
    name: 'the node gives half the registry twice in the state',
    since: 'always',
    tells: { [STATE]: text((whole) => whole.replace('"validators":[', '"validators":[],"validators":[')) },
    ...shut,
  }),
  node({
    name: 'the node is at no slot',
    since: 'always',
    tells: { '/eth/v1/beacon/headers/*': data(() => null) },
    ...shut,
  }),
  node({
    name: 'the node stands still at the first slot',
    since: 'always',
    tells: { '/eth/v1/beacon/headers/head': text((whole) => whole.replace(/"slot":"\d+"/, '"slot":"0"')) },
    ...shut,
    beside: waits(2),
    alone: waits(2),
  }),
  node({
    name: 'the node is at slot 10^12',
    since: 'always',
    tells: {
      '/eth/v1/beacon/headers/head': text((whole) => whole.replace(/"slot":"\d+"/, '"slot":"1000000000000"')),
    },
    ...shut,
    beside: waits(2),
    alone: waits(2),
  }),
  node({
    name: 'the node names another root of the state in its header',
    since: 'always',
    tells: {
      '/eth/v1/beacon/headers/*': text((whole) =>
        whole.replace(/"state_root":"0x[0-9a-f]+"/, `"state_root":"${FALSE_HASH}"`),
      ),
    },
    ...shut,
  }),
  node({
    name: 'the node knows the unused key',
    since: 'always',
    tells: {
      [OWN]: async (_, __, { pubkey, withdrawalCredentials }) => ({
        execution_optimistic: false,
        finalized: true,
        data: [madeUp(pubkey, withdrawalCredentials)],
      }),
    },
    ...no,
    beside: waits(),
    alone: waits(),
  }),
  node({
    name: 'the node hides the validator',
    since: 'after inclusion',
    payments: [1],
    tells: { [OWN]: data(() => []) },
    ...shut,
  }),
  node({
    name: 'the node gives the validator another index',
    since: 'after inclusion',
    payments: [1],
    tells: { [OWN]: record(() => ({ index: '1' })) },
    ...shut,
  }),
  node({
    name: 'the node gives the validator an index beyond the registry',
    since: 'after inclusion',
    payments: [1],
    tells: { [OWN]: record(() => ({ index: '1099511627776' })) },
    ...shut,
  }),
  node({
    name: 'the node gives the validator other credentials',
    since: 'after inclusion',
    payments: [1],
    tells: {
      [OWN]: record(inValidator({ withdrawal_credentials: `0x01${'00'.repeat(11)}${'11'.repeat(20)}` })),
    },
    ...shut,
    beside: refuses(),
    alone: refuses(),
  }),
  node({
    name: 'the node gives the validator another balance',
    since: 'after inclusion',
    payments: [1],
    tells: { [OWN]: record(() => ({ balance: '270000000000000' })) },
    ...shut,
    beside: registers,
    alone: registers,
  }),
  node({
    name: 'the node says that the validator has exited',
    since: 'after inclusion',
    payments: [1],
    tells: {
      [OWN]: record((entry) => ({ status: 'exited_unslashed', ...inValidator({ exit_epoch: '1' })(entry) })),
    },
    ...shut,
    beside: refuses(),
    alone: refuses(),
  }),
  node({
    name: 'the node names another key for the index',
    since: 'after inclusion',
    payments: [1],
    tells: { [OWN]: record(inValidator({ pubkey: `0x${'a7'.repeat(48)}` })) },
    ...shut,
    beside: registers,
    alone: registers,
  }),
  ...[
    ['pubkey', 'validator_pubkey_proof'],
    ['credentials', 'withdrawal_credentials_proof'],
    ['balance', 'balance_proof'],
  ].map(([kind = '', field = '']) =>
    node({
      name: `the node turns a digit in the proof of the ${kind}`,
      since: 'always',
      tells: { [proof(kind)]: flipped(field) },
      alone: waits(1),
      beside: waits(1),
    }),
  ),
  ...['pubkey', 'credentials', 'balance'].map((kind) =>
    node({
      name: `the node has no proof of the ${kind}`,
      since: 'always',
      tells: { [proof(kind)]: () => NOT_YET },
      alone: waits(1),
      beside: waits(1),
    }),
  ),
  node({
    name: 'the node proves another slot',
    since: 'always',
    tells: { '/*/proof/*': text((whole) => whole.replace(/"slot":"0x[0-9a-f]+"/, '"slot":"0x1"')) },
    ...shut,
    beside: waits(1),
    alone: waits(1),
  }),
  node({
    name: 'the node invents payouts',
    since: 'always',
    tells: {
      // While the whole state is proven its parts are not asked for.
      [STATE]: () => NOT_YET,
      '/eth/v1/beacon/states/*/pending_partial_withdrawals': data(() => [
        { validator_index: '0', amount: '18446744073709551616', withdrawable_epoch: '-1' },
      ]),
    },
    alone: waits(1),
    beside: waits(1),
  }),
  node({
    name: 'the node floods its list of validators',
    since: 'always',
    tells: { [STATE]: () => NOT_YET, '/eth/v1/beacon/states/*/validators': () => ({ as: 'flood' }) },
    alone: waits(1),
    beside: waits(1),
  }),
  node({
    name: 'the node tells of another schedule of forks',
    since: 'always',
    tells: {
      '/eth/v1/config/fork_schedule': () => ({
        data: [{ previous_version: '0x09000000', current_version: '0x09000000', epoch: '0' }],
      }),
    },
    ...no,
  }),
  node({
    name: 'the node tells of no fork at all',
    since: 'always',
    tells: { '/eth/v1/config/fork_schedule': () => ({ data: [] }) },
    ...harmless,
  }),
]

function madeUp(pubkey: string, withdrawalCredentials: string): object {
  const validator = {
    pubkey,
    withdrawal_credentials: withdrawalCredentials,
    effective_balance: '10000000000000',
    slashed: false,
    activation_eligibility_epoch: '18446744073709551615',
    activation_epoch: '18446744073709551615',
    exit_epoch: '18446744073709551615',
    withdrawable_epoch: '18446744073709551615',
  }
  return { index: '5', balance: '10000000000000', status: 'pending_initialized', validator }
}
