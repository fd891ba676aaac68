import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { getAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import { CTRL_U, ENTER, goOn, groupsAsked } from '../support/by-keyboard.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { openShell, type Rehearsal, startRehearsal } from '../support/open-wizard.ts'
import type { PtyProgram } from '../support/pty.ts'

const ESCAPE = '\u001b'
const UP = '\u001b[A'
const TAB = '\t'
/** A sound address that nobody here owns. */
const WRONG = getAddress(`0x${'0ddc0ffee0'.repeat(4)}`)

const screenOf = (program: PtyProgram): string => program.screen().join('\n')

/** Goes up from field to field. */
async function upTo(program: PtyProgram, labels: readonly RegExp[]): Promise<void> {
  for (const label of labels) {
    program.press(UP)
    await program.waitFor(label)
  }
}

const cursorAt = (label: string): RegExp => new RegExp(`▶ +${label}`)

/** Starts on a network whose name is mistyped first. */
async function nameTheNetwork(program: PtyProgram): Promise<void> {
  await program.waitFor(/^\$$/m)
  program.press(`bearings --network mainet${ENTER}`)
  await program.waitFor('--network mainnet')
  await program.waitFor(/^\$$/m)
  program.press(`bearings --network dress.json${ENTER}`)
}

/** Fills the form: the home is found with Tab after a wrong path, and one address is corrected from the first step. */
async function fillForm(program: PtyProgram, { descriptor }: Rehearsal): Promise<void> {
  const { urls, home, keystore } = descriptor
  await program.waitFor(cursorAt('node home'))
  program.press(`${CTRL_U}${dirname(home)}/hoem${ENTER}`)
  await program.waitFor('There is no such folder.')
  await upTo(program, [cursorAt('node home')])
  program.press(`${CTRL_U}${dirname(home)}/ho`)
  program.press(TAB)
  // Where the directory of temporary files has a long name the field wraps.
  await program.waitFor(
    new RegExp([...`${dirname(home)}/home/`].map((sign) => sign.replace(/\W/, '\\$&')).join('\\s*')),
  )
  program.press(ENTER)
  const fields = [
    ['execution RPC', urls.execution],
    ['node API', urls.engine],
    ['engine RPC', urls.engine],
    ['second execution', ''],
    ['keystore', keystore.path],
  ] as const
  for (const [label, text] of fields) {
    await program.waitFor(cursorAt(label))
    program.press(`${CTRL_U}${text}${ENTER}`)
  }
  await program.waitFor('Enter continue')
  program.press(ENTER)
  await program.waitFor('like an address of the engine RPC.')
  await program.waitFor('Esc back to the addresses')
  program.press(ESCAPE)
  await program.waitFor('Enter continue')
  await upTo(program, ['keystore', 'second execution', 'engine RPC', 'node API'].map(cursorAt))
  program.press(`${CTRL_U}${urls.node}${ENTER}`)
  await program.waitFor('Enter continue')
  program.press(ENTER)
}

/** Plans the first deposit: a group is mistyped, and behind the amount the address turns out to be the wrong one. */
async function planTheDeposit(program: PtyProgram, address: string): Promise<void> {
  await program.waitFor(cursorAt('withdrawal'))
  program.press(`${CTRL_U}${WRONG}${ENTER}`)
  const groups = await groupsAsked(program, WRONG)
  program.press(`${groups.slice(0, -1)}${groups.endsWith('0') ? '1' : '0'}${ENTER}`)
  await program.waitFor('✘ These aren’t')
  program.press(`${CTRL_U}${groups}${ENTER}`)
  await program.waitFor(cursorAt('operator'))
  program.press(`${CTRL_U}${address}${ENTER}`)
  program.press(`${await groupsAsked(program, address)}${ENTER}`)
  await program.waitFor(cursorAt('amount'))
  program.press(`${CTRL_U}10,000${ENTER}`)
  await program.waitFor('Enter sign')
  program.press('e')
  await program.waitFor(cursorAt('withdrawal'))
  program.press(`${CTRL_U}${address}${ENTER}`)
  // The operator was typed again as the same address, and the amount stands.
  await program.waitFor('Enter sign')
  program.press(ENTER)
  await goOn(program, 'verifiers accept this signature')
}

test('a beginner mistypes a network, a path, an endpoint, an address and its groups, and comes to the right deposit', async () => {
  const rehearsal = await startRehearsal({ slotMs: 500 })
  const { state, descriptor } = rehearsal
  const address = getAddress(descriptor.withdrawalAddress)
  await writeFile(join(state, 'dress.json'), networkFileOf(descriptor))
  const program = openShell(state)
  await nameTheNetwork(program)
  await fillForm(program, rehearsal)
  await goOn(program, 'Check the chain')
  await goOn(program, 'Check the key')
  await planTheDeposit(program, address)
  await program.waitFor('Enter review, then send')
  const shown = screenOf(program).replaceAll(/\s/g, '')
  expect(shown).toContain(address)
  expect(shown).not.toContain(WRONG)
  program.press('q')
  await program.waitFor(/^\$$/m)
})
