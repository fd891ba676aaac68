import { validatorKey } from '../../../src/devnet/keys.ts'
import { type Lie, PASS, refuses, registers, type Telling, type Tellings, waits } from '../lie.ts'
import { textReply } from '../wire.ts'
import type { Fields } from './numbers.ts'

const BOTH = [1, 2] as const
/** The key of another validator. */
const STRANGER = validatorKey('another', 'fresh').uncompressedBase64

type Draft = Omit<Lie, 'service' | 'payments' | 'tells'> & {
  payments?: Lie['payments']
  tells: Tellings | Lie['tells']
}

const engine = ({ tells, payments = BOTH, ...lie }: Draft): Lie => ({
  ...lie,
  service: 'engine',
  payments,
  tells: typeof tells === 'function' ? tells : () => tells,
})

const shut = { alone: waits(), beside: waits() }
const no = { alone: refuses(), beside: refuses() }
const harmless = { alone: registers, beside: registers }

/** The text of a reply made otherwise; where that changes nothing, nothing is told. */
const text =
  (change: (text: string) => string): Telling =>
  async (_, truth) => {
    const whole = await truth.text()
    const changed = change(whole)
    return changed === whole ? PASS : textReply(changed)
  }

/** A part of the result of `/status` made otherwise. */
const status = (part: 'node_info' | 'sync_info' | 'validator_info', change: Fields): Tellings => ({
  '/status*': async (_, truth) => {
    const reply = (await truth.value()) as { result: Record<string, Fields> }
    return { ...reply, result: { ...reply.result, [part]: { ...reply.result[part], ...change } } }
  },
})

export const LIES_OF_THE_ENGINE: readonly Lie[] = [
  engine({
    name: 'the engine catches up for ever',
    since: 'always',
    tells: status('sync_info', { catching_up: true }),
    ...no,
    beside: waits(),
    alone: waits(),
  }),
  engine({
    name: 'the engine catches up for ever once the first deposit is paid',
    since: 'after inclusion',
    payments: [1],
    tells: status('sync_info', { catching_up: true }),
    ...no,
    beside: waits(),
    alone: waits(),
  }),
  engine({
    name: 'the engine is of another network',
    since: 'always',
    tells: status('node_info', { network: 'mainnet-beacon-80094' }),
    ...no,
  }),
  engine({
    name: 'the engine stands still',
    since: 'always',
    tells: status('sync_info', { latest_block_height: '1' }),
    ...shut,
    beside: registers,
    alone: registers,
  }),
  engine({
    name: 'the engine is a million blocks ahead',
    since: 'always',
    tells: status('sync_info', { latest_block_height: '1000000' }),
    ...shut,
    beside: registers,
    alone: registers,
  }),
  engine({
    name: 'the engine lives an hour ago',
    since: 'always',
    tells: status('sync_info', { latest_block_time: '2000-01-01T00:00:00Z' }),
    ...shut,
    beside: registers,
    alone: registers,
  }),
  engine({
    name: 'the engine names a height of 10^30',
    since: 'always',
    tells: status('sync_info', { latest_block_height: '1000000000000000000000000000000' }),
    ...shut,
  }),
  engine({
    name: 'the engine says never whether it catches up',
    since: 'always',
    tells: status('sync_info', { catching_up: undefined }),
    ...shut,
  }),
  engine({
    name: 'the engine signs with another key',
    since: 'always',
    tells: status('validator_info', { pub_key: { type: 'cometbft/PubKeyBls12_381', value: STRANGER } }),
    ...no,
  }),
  engine({
    name: 'the engine hears 10^12 others',
    since: 'always',
    tells: { '/net_info*': text((whole) => whole.replace(/"n_peers":"\d+"/, '"n_peers":"1000000000000"')) },
    ...harmless,
  }),
  engine({
    name: 'the engine hears fewer than nobody',
    since: 'always',
    tells: { '/net_info*': text((whole) => whole.replace(/"n_peers":"\d+"/, '"n_peers":"-1"')) },
    ...harmless,
  }),
  engine({
    name: 'the engine has an empty set',
    since: 'always',
    tells: {
      '/validators*': text((whole) =>
        whole.replace(/"validators":\[.*\]/, '"validators":[]').replace(/"count":"\d+"/, '"count":"0"'),
      ),
    },
    ...shut,
    beside: waits(2),
    alone: waits(2),
  }),
  engine({
    name: 'the engine counts more validators than it names',
    since: 'always',
    tells: { '/validators*': text((whole) => whole.replace(/"total":"\d+"/, '"total":"100000"')) },
    ...shut,
    beside: waits(2),
    alone: waits(2),
  }),
  engine({
    name: 'the engine names another set',
    since: 'always',
    tells: {
      '/validators*': text((whole) => whole.replaceAll(/"voting_power":"\d+"/g, '"voting_power":"1"')),
    },
    ...harmless,
  }),
]
