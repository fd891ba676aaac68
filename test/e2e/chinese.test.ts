import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { expect } from 'vitest'
import { readCatalogue } from '../../scripts/build/translate.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import { cellsOf } from '../../src/core/base/format/drawable.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { CTRL_U, ENTER, enterUntil, PAGE_DOWN, typeWordOnly } from '../support/by-keyboard.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest } from '../support/hard.ts'
import { openInShell, startRehearsal } from '../support/open-wizard.ts'
import type { PtyProgram } from '../support/pty.ts'
import { ENGLISH } from '../support/same-words.ts'

const SIZE = { columns: 80, rows: 24 }
const chinese = readCatalogue(join(import.meta.dirname, '../..'), 'zh')

/** What the program says in Chinese for one of its English texts. */
function say(path: string, english: string, ...fills: string[]): string {
  const text = chinese.get(path)?.[english]
  if (text === undefined) throw new Error(`${path} has no Chinese for ${english}`)
  return text.replace(/\{(\d+)\}/g, (_, at) => fills[Number(at)] ?? '')
}

/** The title of a page. */
const title = (english: string): string => say('core/view/text.ts', english)
const GO_ON = `Enter ${say('core/view/text.ts', 'continue')}`
const CONFIRM = 'screens/StepScreen.tsx'
const WORD = {
  asked: (word: string) => `${word}${say(CONFIRM, ' and press Enter:  ').trimEnd()}`,
  typed: say(CONFIRM, ' and press Enter:  ').trim(),
  early: say('core/view/desk-words.ts', 'Keys of the first second do not count. Type it now.'),
  calm: say(CONFIRM, ' Typed by hand, not pasted. Esc goes back; nothing is sent.').trim(),
}

/** The frame is whole: its rules as wide as the window, every row within it, nothing in it to be read in English. */
function look(program: PtyProgram): void {
  const rows = program.screen()
  const rules = rows.filter((row) => /^─+$/.test(row))
  expect(rules.map(cellsOf), rows.join('\n')).toEqual([SIZE.columns, SIZE.columns, SIZE.columns])
  expect(rows.at(-1), rows.join('\n')).toMatch(/^ (?:Enter|Esc|↑↓|[a-z?]) .*\p{Script=Han}$/u)
  for (const row of rows) {
    expect(cellsOf(row)).toBeLessThanOrEqual(SIZE.columns)
    expect(row).not.toMatch(ENGLISH)
  }
}

async function goOn(program: PtyProgram, wanted: string): Promise<void> {
  await program.waitFor(wanted)
  await program.waitFor(GO_ON)
  look(program)
  program.press(ENTER)
}

/** Fills the plan of the first deposit, 10,000 tokens for one address, and has it signed. */
async function sign(program: PtyProgram, address: string): Promise<void> {
  const cursorAt = (label: string, ...fills: string[]) =>
    new RegExp(`▶ +${say('core/steps/sign/text.ts', label, ...fills)}`)
  await program.waitFor(cursorAt('withdrawal'))
  look(program)
  program.press(`${CTRL_U}${address}${ENTER}`)
  const withdrawal = say('core/steps/sign/text.ts', 'withdrawal')
  const groups = cursorAt('{0} {1}–{2}', withdrawal, '(\\d+)', '(\\d+)')
  await program.waitFor(groups)
  look(program)
  const [, first = '', last = ''] = groups.exec(program.screen().join('\n')) ?? []
  program.press(`${address.slice(2).slice(Number(first) - 1, Number(last))}${ENTER}`)
  await program.waitFor(cursorAt('operator'))
  program.press(`${CTRL_U}${address}${ENTER}`)
  await program.waitFor(cursorAt('amount'))
  program.press(`${CTRL_U}10000${ENTER}`)
  await program.waitFor(`Enter ${say('core/steps/sign/text.ts', 'sign')}`)
  look(program)
  program.press(ENTER)
}

/** Asks for the final check, and types the word letter by letter. */
async function send(program: PtyProgram, word: string): Promise<void> {
  const label = say('core/steps/deposit/machine.ts', 'send')
  await program.waitFor(`Enter ${say('hooks/keymap.ts', 'review, then {0}').replace('{0}', label)}`)
  look(program)
  program.press(ENTER)
  // In a window of this size the rows of a top-up have to be read to their end first.
  await program.waitFor(word)
  program.press(PAGE_DOWN)
  await typeWordOnly(program, word, WORD)
  look(program)
  const unknown = say('core/view/desk-words.ts', 'A check was not known when Enter came. Press it once more.')
  await enterUntil(program, say('core/pay/payment-view/text.ts', 'Where is the transaction?'), {
    unknown,
    calm: WORD.calm,
  })
}

hardTest('a person registers in Chinese in a window of 80 by 24', async () => {
  const { state, descriptor } = await startRehearsal({ slotMs: 150 })
  const env = { LANG: 'zh_CN.UTF-8' }
  const program = openInShell(state, ['--network', 'rehearsal'], { ...SIZE, env })
  const { pubkey } = validatorKey(descriptor.seed, 'fresh')
  await goOn(program, title('Check the chain'))
  await goOn(program, title('Check the key'))
  await sign(program, getAddress(descriptor.withdrawalAddress))
  await goOn(
    program,
    say('core/steps/sign/text.ts', '{0} verifiers accept this signature, none refuses. Enter goes on.', '2'),
  )
  await send(program, 'send 10000')
  await goOn(program, title('Send the first deposit'))
  await goOn(program, title('Prove the registration'))
  await program.waitFor(title('Top up the stake'))
  await send(program, 'send 270000')
  await goOn(program, title('Top up the stake'))
  await program.waitFor(say('core/steps/status/standing.ts', 'Your validator is active{0}'))
  look(program)
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n), tokens(270_000n)])
  program.press(ENTER)
  await program.waitFor('ended 0')
})
