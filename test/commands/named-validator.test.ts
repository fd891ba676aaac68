import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { keys } from '../../src/commands/keys.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { formatGwei } from '../../src/core/base/format/amount.ts'
import { groupHex, type Hex } from '../../src/core/base/format/hex.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { runCommandWith } from '../support/run-command.ts'
import { jsonReply } from '../support/snapshot-world.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

let devnet: Devnet
let end: () => Promise<void>
/** No home and no key is read, and nothing is signed. */
let effects: Effects

beforeAll(async () => {
  const nothing = () => Promise.reject(new Error('a validator that is named needs no file and no key'))
  const signer = {
    inspect: nothing,
    signDeposit: nothing,
    keystoreAddress: nothing,
    signTransaction: nothing,
  }
  const real = createNodeEffects({ signer })
  const { read } = real.files
  const files: Effects['files'] = {
    ...real.files,
    read: (path, options) => (/priv_validator|^\/nowhere/.test(path) ? nothing() : read(path, options)),
  }
  effects = { ...real, files }
  const network = await testDevnet({ clock: createNodeClock(), seed: 'named', scenario: 'set-full' })
  devnet = network.devnet
  end = network.end
  await (await userOf(devnet)).firstDeposit(10_000n)
  await pass(devnet, 5)
})
afterAll(() => end())

type Looking = (input: CommandInput) => Promise<ExitCode>

const look = (command: Looking, argv: readonly string[], by: Effects = effects) =>
  runCommandWith(command, ['--devnet', JSON.stringify(devnet.descriptor), '--home', '/nowhere', ...argv], by)

const row = (ended: Awaited<ReturnType<typeof look>>, id: string) =>
  ended.json().rows.find((each) => each.id === id)

const validatorAt = (index: number): Hex => devnet.state().validators[index]?.pubkey ?? '0x'
const newcomer = async () => (await userOf(devnet)).pubkey

/** Answers of the node in which one path is answered by this. */
const nodeSays = (path: RegExp, value: unknown): Effects => ({
  ...effects,
  http: {
    request: async (request) =>
      path.test(new URL(request.url).pathname) ? jsonReply(200, value) : effects.http.request(request),
  },
})

describe('a validator that is named', () => {
  test.each([
    ['by its public key', () => validatorAt(0)],
    ['by the form that the engine writes', () => engineKey(validatorAt(0))],
    ['by its index', () => '0'],
  ])('%s is looked at without a home', async (_how, name) => {
    const seen = await look(status, ['--validator', name(), '--json'])
    expect(seen.code).toBe(0)
    expect(seen.json()).toMatchObject({ pubkey: validatorAt(0), index: 0 })
    const plan = await look(topUpPlanCommand, ['--validator', name(), '--json'])
    expect(plan.code).toBe(0)
    expect(plan.json()).toMatchObject({ pubkey: validatorAt(0), index: 0, proposedGwei: '0' })
  })

  test('by its index is printed with its key, and who says that', async () => {
    const { words } = await look(status, ['--validator', '3'])
    expect(words).toContain('ok validator 3 has this key (')
    expect(words).toContain(groupHex(validatorAt(3)))
  })

  test('by an index that nobody has is told so', async () => {
    const { code, err } = await look(status, ['--validator', '4000'])
    expect(code).toBe(2)
    expect(err).toContain('The node knows no validator 4000.')
    expect(err).toContain('next: ')
  })

  test('by an index for which the node gives another key than the proven state is refused', async () => {
    const record = { index: '1', balance: '0', status: 'active_ongoing', validator: recordOf(validatorAt(2)) }
    const lying = nodeSays(/\/states\/head\/validators\/1$/, {
      execution_optimistic: false,
      finalized: true,
      data: record,
    })
    const seen = await look(status, ['--validator', '1', '--json'], lying)
    expect(seen.code).toBe(1)
    expect(row(seen, 'index')).toMatchObject({ mark: 'refused' })
  })

  test.each([
    ['what is neither', ['--validator', 'mine'], 'Type the public key'],
    ['a key that is none', ['--validator', `0x${'12'.repeat(48)}`], 'no public key'],
    ['a private key', ['--validator', `0x${'7f'.repeat(32)}`], 'the size of a private key'],
    ['an index with a sign', ['--validator=-1'], 'Type the public key'],
    ['an index beyond all', ['--validator', '99999999999999999999'], 'Type the public key'],
  ])('by %s is wrong use', async (_what, argv, words) => {
    for (const command of [status, topUpPlanCommand, keys]) {
      const { code, err } = await look(command, argv)
      expect([code, err]).toEqual([2, expect.stringContaining(words)])
    }
  })

  test('by two names at once is wrong use', async () => {
    for (const [command, other] of [
      [status, '--pubkey'],
      [topUpPlanCommand, '--pubkey'],
      [keys, '--key'],
    ] as const) {
      const { code, err } = await look(command, ['--validator', '1', other, '2'])
      expect([code, err]).toEqual([2, expect.stringContaining(`Give one of --validator and ${other}`)])
    }
  })

  test('by the option of before is still taken', async () => {
    expect((await look(status, ['--pubkey', validatorAt(0), '--json'])).json()).toMatchObject({ index: 0 })
  })
})

function recordOf(pubkey: Hex) {
  const far = '18446744073709551615'
  return {
    pubkey,
    withdrawal_credentials: `0x01${'00'.repeat(31)}`,
    effective_balance: '0',
    slashed: false,
    activation_eligibility_epoch: far,
    activation_epoch: far,
    exit_epoch: far,
    withdrawable_epoch: far,
  }
}

describe('what the chain knows of a key', () => {
  test('of a validator: the verdict first, the operator, the record, what waits, and who vouches', async () => {
    const seen = await look(keys, ['--validator', '0', '--json'])
    expect(seen.code).toBe(0)
    expect(seen.json()).toMatchObject({ pubkey: validatorAt(0), onChain: 'registered' })
    expect(seen.json().rows[0]).toMatchObject({ id: 'index', mark: 'proven' })
    expect(row(seen, 'verdict')).toMatchObject({
      mark: 'proven',
      value: 'registered; proven, the root held by 1 endpoint',
    })
    expect(row(seen, 'record')?.value).toMatch(/^validator 0, active_ongoing, [\d,]+ BERA, effective/)
    expect(row(seen, 'operator')?.value).toMatch(/^said by 1 endpoint, block \d+$/)
    expect(row(seen, 'uncounted')?.value).toMatch(/^no deposit, up to block \d+$/)
    // The key is printed with its index and with its forms, and nothing is said of a home that was not looked at.
    expect(seen.json().rows.filter(({ long }) => long === validatorAt(0))).toHaveLength(2)
    expect(row(seen, 'permissions')).toBeUndefined()
    // This computer's engine runs with another key, which is nothing against this one.
    expect(row(seen, 'engine')).toMatchObject({ mark: 'unasked', value: 'runs with another key' })
  })

  test('where the node does not give its whole state: what waits is said to be reported', async () => {
    const seen = await look(keys, ['--validator', '0', '--json'], withoutState())
    expect(row(seen, 'verdict')).toMatchObject({ mark: 'proven' })
    expect(row(seen, 'uncounted')).toMatchObject({ mark: 'unasked' })
    expect(row(seen, 'uncounted')?.value).toMatch(/^no deposit, up to block \d+; reported, not proven$/)
  })

  test('of one that nobody ever paid for', async () => {
    const seen = await look(keys, ['--validator', userKeyOfNobody(), '--json'])
    expect([seen.code, seen.json().onChain]).toEqual([0, 'unused'])
    expect(row(seen, 'verdict')?.value).toMatch(/^unused: /)
    expect(row(seen, 'operator')?.value).toMatch(/^none; said by 1 endpoint, block \d+$/)
  })

  test('while a deposit for it waits, and once it is counted', async () => {
    const waiting = await testDevnet({ clock: createNodeClock(), seed: 'waiting' })
    try {
      const user = await userOf(waiting.devnet)
      const name = [
        '--devnet',
        JSON.stringify(waiting.devnet.descriptor),
        '--validator',
        user.pubkey,
        '--json',
      ]
      await user.firstDeposit(10_000n)
      await pass(waiting.devnet, 1)
      const seen = await runCommandWith(keys, name, effects)
      expect([seen.code, seen.json().onChain]).toEqual([0, 'waiting'])
      expect(row(seen, 'uncounted')).toMatchObject({ mark: 'proven' })
      expect(row(seen, 'uncounted')?.value).toMatch(/^10,000 BERA, block \d+, deposit \d+$/)
      await pass(waiting.devnet, 4)
      expect((await runCommandWith(keys, name, effects)).json().onChain).toBe('registered')
    } finally {
      await waiting.end()
    }
  })

  test.each([
    ['lost', 'burnt-deposit', 'burnt'],
    ['withdrawn', 'exited-key', 'comes-back'],
  ] as const)('that is %s is a no, and so is a top-up of it', async (verdict, scenario, outcome) => {
    const other = await testDevnet({ clock: createNodeClock(), seed: verdict, scenario })
    try {
      const { pubkey } = await userOf(other.devnet)
      await pass(other.devnet, 3)
      const argv = ['--devnet', JSON.stringify(other.devnet.descriptor), '--validator', pubkey, '--json']
      const seen = await runCommandWith(keys, argv, effects)
      expect([seen.code, seen.json().onChain]).toEqual([1, verdict])
      expect(row(seen, 'verdict')).toMatchObject({ mark: 'refused' })
      const plan = await runCommandWith(topUpPlanCommand, [...argv, '--amount', '250,000'], effects)
      expect([plan.code, plan.json().outcome]).toEqual([1, outcome])
    } finally {
      await other.end()
    }
  })

  test('stands on the page of the doctor too', async () => {
    // The doctor waits for a new head, and this network makes one when it is waited for.
    const sleep = () => pass(devnet, 1)
    const seen = await look(doctor, ['--validator', '0', '--json'], {
      ...effects,
      clock: { ...effects.clock, sleep },
    })
    expect(row(seen, 'verdict')?.value).toMatch(/^registered; proven/)
  })

  test('is not known while the execution endpoint is closed', async () => {
    const closed = ['--validator', validatorAt(0), '--execution', 'http://127.0.0.1:1', '--json']
    const seen = await look(keys, closed)
    expect([seen.code, seen.json().onChain]).toEqual([3, 'unknown'])
    expect(row(seen, 'verdict')).toMatchObject({ mark: 'unknown' })
  })

  test('is reported where the node does not offer its state and the key is not there', async () => {
    const seen = await look(keys, ['--validator', userKeyOfNobody(), '--json'], withoutState())
    expect(row(seen, 'verdict')).toMatchObject({ mark: 'unasked' })
    expect(row(seen, 'verdict')?.value).toMatch(/; reported, not proven$/)
  })
})

/** A node that does not offer its whole state. */
function withoutState(): Effects {
  const request: Effects['http']['request'] = async (asked) =>
    asked.url.includes('/debug/beacon/states/')
      ? jsonReply(500, { code: 500, message: 'endpoint x is not yet implemented' })
      : effects.http.request(asked)
  return { ...effects, http: { request } }
}

describe('the outlook', () => {
  test('is told with a look and with a plan, and how far it is proven', async () => {
    const seen = await look(status, ['--validator', '0', '--json'])
    expect(row(seen, 'outlook')).toMatchObject({ mark: 'proven' })
    expect(row(seen, 'outlook')?.value).toMatch(/^keeps its place at the next 5 epoch boundaries/)
    expect(row(seen, 'set')).toMatchObject({ mark: 'proven' })
    expect(row(seen, 'set')?.value).toMatch(/^proven state of slot \d+, its root held by 1 endpoint$/)
    const plan = await look(topUpPlanCommand, ['--validator', '0', '--json'])
    expect(row(plan, 'outlook')?.value).toMatch(/^keeps its place/)
  })

  test('is reported, not proven, where the node does not offer its state', async () => {
    const seen = await look(topUpPlanCommand, ['--validator', '0', '--json'], withoutState())
    expect(row(seen, 'set')).toMatchObject({ mark: 'unasked' })
    expect(row(seen, 'set')?.value).toContain('reported, not proven')
    expect(row(seen, 'record')?.value).toMatch(/^proven on its own, the root held by 1 endpoint$/)
  })
})

describe('a plan for a key that is still to be made', () => {
  const plan = (...argv: string[]) => look(topUpPlanCommand, [...argv, '--json'])

  test('needs no home: it says what a place needs in all', async () => {
    const seen = await plan()
    expect(seen.code).toBe(0)
    const { wholeWayGwei } = seen.json() as unknown as { wholeWayGwei: string }
    expect(BigInt(wholeWayGwei)).toBeGreaterThan(270_000n * 10n ** 9n)
    expect(row(seen, 'entry')).toMatchObject({ mark: 'proven' })
    const all = formatGwei(BigInt(wholeWayGwei))
    expect(seen.json().sentence).toBe(`A place needs ${all} BERA in all now.`)
    expect((await plan('--amount', all)).code).toBe(0)
    const less = await plan('--amount', formatGwei(BigInt(wholeWayGwei) - 1n))
    expect([less.code, less.json().sentence]).toEqual([
      1,
      `Not enough for a place with a margin: that needs ${all} BERA in all now.`,
    ])
  })

  test('asks nobody whom nobody named', async () => {
    const seen = await runCommandWith(
      topUpPlanCommand,
      ['--network', 'mainnet', '--home', '/nowhere', '--json'],
      effects,
    )
    expect(seen.code).toBe(2)
    expect(seen.err).toContain('--execution URL and --node URL')
  })
})

describe('what exactly one amount does', () => {
  const planOf = async (amount: string, validator?: string) =>
    look(topUpPlanCommand, ['--validator', validator ?? (await newcomer()), '--amount', amount, '--json'])

  test('is that it keeps a place: rank, margin, epoch', async () => {
    const plan = await planOf('270,000')
    expect(plan.code).toBe(0)
    expect(row(plan, 'outcome')).toMatchObject({ mark: 'proven', value: 'keeps its place in the active set' })
    expect(row(plan, 'place')?.value).toMatch(/^12th for 12 places, 10,000 BERA above the cutoff$/)
    expect(row(plan, 'activation')?.value).toMatch(/^active from epoch \d+ on$/)
    expect(row(plan, 'stake')?.value).toMatch(/^280,000 BERA, effective 280,000$/)
    expect(plan.json()).toMatchObject({ amountGwei: '270000000000000', outcome: 'keeps-place' })
  })

  test('is that the validator would be out at once', async () => {
    const plan = await planOf('240000')
    expect(plan.code).toBe(1)
    expect(row(plan, 'outcome')).toMatchObject({ mark: 'refused' })
    expect(row(plan, 'outcome')?.value).toMatch(
      /^out at once: active and sent away at epoch \d+; the validator is out for ever/,
    )
    expect(row(plan, 'place')?.value).toMatch(/^13th for 12 places/)
    expect(plan.json()).toMatchObject({ outcome: 'lost-at-once' })
  })

  test('is that it stays below the threshold, which loses nothing', async () => {
    const plan = await planOf('100,000.000000001')
    expect(plan.code).toBe(0)
    expect(row(plan, 'outcome')).toMatchObject({
      mark: 'unasked',
      value: 'below the threshold: effective balance 110,000 BERA, 140,000 short',
    })
  })

  test('is that it is burnt, where the chain does not know the key', async () => {
    const plan = await planOf('260000', userKeyOfNobody())
    expect(plan.code).toBe(1)
    expect(row(plan, 'outcome')?.value).toMatch(/^burnt: the beacon state does not hold this key/)
    expect(plan.json()).toMatchObject({ outcome: 'burnt' })
  })

  test.each([
    ['9999', 'The least is 10,000 BERA'],
    ['10000001', 'The most is 10,000,000 BERA'],
    ['1,00,000', 'Type digits'],
    ['1e6', 'Type digits'],
    ['', 'Type digits'],
  ])('is nothing where it is no amount: %j', async (amount, words) => {
    const { code, err } = await look(topUpPlanCommand, ['--validator', '0', `--amount=${amount}`])
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  test('is that what is above the maximum comes back', async () => {
    const plan = await planOf('9,999,000', '0')
    expect(plan.code).toBe(1)
    expect(row(plan, 'outcome')?.value).toMatch(
      / BERA of it comes back: a validator holds at most 10,000,000$/,
    )
  })
})

/** A valid key that nobody ever paid for. */
function userKeyOfNobody(): Hex {
  return validatorKey('nobody', 'fresh').pubkey
}
