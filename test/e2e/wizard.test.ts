import { getAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import { titleOf } from '../../src/compose/summary.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { ENTER, goOn, signFirstDeposit, typeWord } from '../support/by-keyboard.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { openInShell, startRehearsal } from '../support/open-wizard.ts'
import { pattern } from '../support/pattern.ts'
import type { PtyProgram } from '../support/pty.ts'

test('a person walks all seven steps by keyboard, with a restart on the way', async () => {
  const { state, descriptor } = await startRehearsal({ slotMs: 150 })
  const open = () => openInShell(state, ['--network', 'rehearsal'], { columns: 100, rows: 80 })
  const pubkey = validatorKey(descriptor.seed, 'fresh').pubkey
  const address = getAddress(descriptor.withdrawalAddress)
  const program = open()
  await goOn(program, 'Check the chain')
  await goOn(program, 'Check the key')
  await signFirstDeposit(program, address)
  await program.waitFor('Enter review, then send')
  program.press(ENTER)
  await typeWord(program, 'send 10000')
  await program.waitFor('Enter continue')
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n)])
  program.press('q')
  await program.waitFor('ended 4')
  await walkOn(open())
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n), tokens(270_000n)])
})

/** What is left after the first deposit, in a program that was started anew. */
async function walkOn(program: PtyProgram): Promise<void> {
  await program.waitFor('Welcome back')
  await program.waitFor('The first deposit is final.')
  program.press(ENTER)
  await goOn(program, 'Prove the registration')
  await program.waitFor('Top up the stake')
  await program.waitFor('Enter review, then send')
  program.press(ENTER)
  await typeWord(program, 'send 270000')
  await goOn(program, 'Top up the stake')
  await program.waitFor('Your validator is active')
  program.press(ENTER)
  await program.waitFor('ended 0')
  expect(program.screen().join('\n')).toMatch(
    pattern`${titleOf({ done: true, open: false })}\n[\s\S]*top-up +270,000 BERA, block[\s\S]*\(\.json\)[\s\S]*receipt\.md`,
  )
}
