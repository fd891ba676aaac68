import { describe, expect, test } from 'vitest'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { formatGwei, tokens } from '../../src/core/base/format/amount.ts'
import { hardTest } from '../support/hard.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { runCommandWith } from '../support/run-command.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

const { effects, look, validatorAt } = lookingWorld()

describe('status and topup-plan', () => {
  test('see an active validator', async () => {
    const { code, json } = await look(status, '--validator', validatorAt(0), '--json')
    expect(code).toBe(0)
    expect(json()).toMatchObject({ index: '0', pubkey: validatorAt(0) })
    const plan = await look(topUpPlanCommand, '--validator', validatorAt(0), '--json')
    expect(plan.code).toBe(0)
    expect(plan.json()).toMatchObject({ proposedGwei: '0' })
  })

  test('say no for a key that the chain does not know', async () => {
    expect((await look(status)).code).toBe(1)
    const plan = await look(topUpPlanCommand)
    expect(plan.code).toBe(1)
    expect(plan.out).toContain('would be burnt')
  })

  test('say of a validator that has left that it left, and not that something is wrong', async () => {
    const left = await testDevnet({ scenario: 'exited-key' })
    try {
      await pass(left.devnet, 3)
      const argv = ['--devnet', JSON.stringify(left.devnet.descriptor)]
      const { code, words } = await runCommandWith(status, argv, effects())
      expect(code).toBe(1)
      expect(words).toMatch(/NO .* epoch \d+, [^.]*\. [^.]*\.$/)
    } finally {
      await left.end()
    }
  })

  test('say what a place needs in all of a key that is still to be registered', async () => {
    const plan = await look(topUpPlanCommand, '--json')
    const { wholeWayGwei, rows, sentence } = plan.json()
    const entry = rows.find(({ id }) => id === 'entry')
    expect(entry?.value).toMatch(/^(\S+) BERA [^:]*: .* 10,000 BERA, .* [\d,]+ BERA/)
    const all = `${formatGwei(BigInt(String(wholeWayGwei)))} BERA`
    expect(entry?.value).toContain(`${all} in all`)
    expect(sentence).toContain(`A place needs ${all} in all now.`)
    const amounts = /top-up of ([\d,]+) BERA/.exec(entry?.value ?? '')?.[1] ?? ''
    expect(BigInt(amounts.replaceAll(',', '')) * 10n ** 9n + tokens(10_000n)).toBe(
      BigInt(String(wholeWayGwei)),
    )
  })

  hardTest('do not know when the node is closed', async () => {
    const closed = ['--validator', validatorAt(0), '--node', 'http://127.0.0.1:1']
    expect((await look(status, ...closed)).code).toBe(3)
    expect((await look(topUpPlanCommand, ...closed)).code).toBe(3)
  })
})
