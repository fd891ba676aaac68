import { describe, expect, test } from 'vitest'
import { doctor } from '../../src/commands/doctor.ts'
import { keys } from '../../src/commands/keys.ts'
import { STORAGE_PROVES } from '../../src/commands/rows-text.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { groupHex, type Hex } from '../../src/core/base/format/hex.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import { EVIDENCE_TEXT } from '../../src/core/view/text.ts'
import { namedWorld, userKeyOfNobody } from '../support/named-world.ts'
import { anyNumbers, pattern } from '../support/pattern.ts'
import { runCommandWith } from '../support/run-command.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

const SIGNED = EVIDENCE_TEXT.signed({ percent: 100, height: 7n, by: '', leftOut: [] })

const { devnet, effects, look, row, validatorAt, nodeSays, withoutState } = namedWorld()

describe('a validator that is named', () => {
  test.each([
    ['by its public key', () => validatorAt(0)],
    ['by the form that the engine writes', () => engineKey(validatorAt(0))],
    ['by its index', () => '0'],
  ])('%s is looked at without a home', async (_how, name) => {
    const ended = await look(status, ['--validator', name(), '--json'])
    expect(ended.code).toBe(0)
    expect(ended.json()).toMatchObject({ pubkey: validatorAt(0), index: '0' })
    const plan = await look(topUpPlanCommand, ['--validator', name(), '--json'])
    expect(plan.code).toBe(0)
    expect(plan.json()).toMatchObject({ pubkey: validatorAt(0), index: '0', proposedGwei: '0' })
  })

  test('by its index is printed with its key, and who says that', async () => {
    const { words } = await look(status, ['--validator', '3'])
    expect(words).toContain('ok validator 3 has this key (')
    expect(words).toContain(groupHex(validatorAt(3)))
  })

  test('by an index that nobody has is told so', async () => {
    const { code, err } = await look(status, ['--validator', '4000'])
    expect(code).toBe(2)
    expect(err).toContain(' 4000.')
    expect(err).toContain('next: ')
  })

  test('by an index for which the node gives another key than the proven state is refused', async () => {
    const record = { index: '1', balance: '0', status: 'active_ongoing', validator: recordOf(validatorAt(2)) }
    const lying = nodeSays(/\/states\/head\/validators\/1$/, {
      execution_optimistic: false,
      finalized: true,
      data: record,
    })
    const ended = await look(status, ['--validator', '1', '--json'], lying)
    expect(ended.code).toBe(1)
    expect(row(ended, 'index')).toMatchObject({ mark: 'refused' })
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

  test.each([
    [status, '--pubkey'],
    [topUpPlanCommand, '--pubkey'],
    [keys, '--key'],
  ])('by another option is wrong use', async (command, option) => {
    const { code, err } = await look(command, [option, validatorAt(0)])
    expect([code, err]).toEqual([2, expect.stringContaining(option)])
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
    const ended = await look(keys, ['--validator', '0', '--json'])
    expect(ended.code).toBe(0)
    expect(ended.json()).toMatchObject({ pubkey: validatorAt(0), onChain: 'registered' })
    expect(ended.json().rows[0]).toMatchObject({ id: 'index', mark: 'proven' })
    expect(row(ended, 'verdict')).toMatchObject({
      mark: 'proven',
      value: expect.stringMatching(pattern`^registered; proven, ${anyNumbers(SIGNED)}$`),
    })
    expect(row(ended, 'record')?.value).toMatch(/^validator 0, active_ongoing, [\d,]+ BERA, effective/)
    expect(row(ended, 'operator')?.value).toMatch(pattern`^${STORAGE_PROVES}, block \d+$`)
    expect(row(ended, 'uncounted')?.value).toMatch(/ block \d+$/)
    // The key is printed with its index and with its forms, and nothing is said of a home that was not looked at.
    expect(ended.json().rows.filter(({ long }) => long === validatorAt(0))).toHaveLength(2)
    expect(row(ended, 'permissions')).toBeUndefined()
    // This computer's engine runs with another key, which is nothing against this one.
    expect(row(ended, 'engine')).toMatchObject({ mark: 'unasked', value: expect.any(String) })
  })

  test('where the node does not give its whole state: what waits is said to be reported', async () => {
    const ended = await look(keys, ['--validator', '0', '--json'], withoutState())
    expect(row(ended, 'verdict')).toMatchObject({ mark: 'proven' })
    expect(row(ended, 'uncounted')).toMatchObject({ mark: 'unasked' })
    expect(row(ended, 'uncounted')?.value).toMatch(/ block \d+; /)
  })

  test('of one that nobody ever paid for', async () => {
    const ended = await look(keys, ['--validator', userKeyOfNobody(), '--json'])
    expect([ended.code, ended.json().onChain]).toEqual([0, 'unused'])
    expect(row(ended, 'verdict')?.value).toMatch(/^unused: /)
    expect(row(ended, 'operator')?.value).toMatch(pattern`^none; ${STORAGE_PROVES}, block \d+$`)
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
      const ended = await runCommandWith(keys, name, effects())
      expect([ended.code, ended.json().onChain]).toEqual([0, 'waiting'])
      expect(row(ended, 'uncounted')).toMatchObject({ mark: 'proven' })
      expect(row(ended, 'uncounted')?.value).toMatch(/^10,000 BERA, block \d+, deposit \d+$/)
      await pass(waiting.devnet, 4)
      expect((await runCommandWith(keys, name, effects())).json().onChain).toBe('registered')
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
      const ended = await runCommandWith(keys, argv, effects())
      expect([ended.code, ended.json().onChain]).toEqual([1, verdict])
      expect(row(ended, 'verdict')).toMatchObject({ mark: 'refused' })
      const plan = await runCommandWith(topUpPlanCommand, [...argv, '--amount', '250,000'], effects())
      expect([plan.code, plan.json().outcome]).toEqual([1, outcome])
    } finally {
      await other.end()
    }
  })

  test('stands on the page of the doctor too', async () => {
    // The doctor waits for a new head, and this network makes one when it is waited for.
    const sleep = () => pass(devnet(), 1)
    const ended = await look(doctor, ['--validator', '0', '--json'], {
      ...effects(),
      clock: { ...effects().clock, sleep },
    })
    expect(row(ended, 'verdict')?.value).toMatch(/^registered; proven/)
  })

  test('is not known while the execution endpoint is closed', async () => {
    const closed = ['--validator', validatorAt(0), '--execution', 'http://127.0.0.1:1', '--json']
    const ended = await look(keys, closed)
    expect([ended.code, ended.json().onChain]).toEqual([3, 'unknown'])
    expect(row(ended, 'verdict')).toMatchObject({ mark: 'unknown' })
  })

  test('is reported where the node does not offer its state and the key is not there', async () => {
    const ended = await look(keys, ['--validator', userKeyOfNobody(), '--json'], withoutState())
    expect(row(ended, 'verdict')).toMatchObject({ mark: 'unasked' })
    expect(row(ended, 'verdict')?.value).toMatch(/; reported, not proven$/)
  })
})
