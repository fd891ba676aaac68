import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { readDescriptor } from '../../src/core/chain/network/rehearsal.ts'
import { LAUNCH_TEXT } from '../../src/core/wizard/launch/text.ts'
import { CTRL_U, ENTER, goOn, groupsAsked, PAGE_DOWN, typeWordOnly } from '../support/by-keyboard.ts'
import { hardTest } from '../support/hard.ts'
import { emptyState, openWizard } from '../support/open-wizard.ts'
import type { PtyProgram } from '../support/pty.ts'
import { buildCli } from '../support/run-cli.ts'

const ESCAPE = '\u001b'
const UP = '\u001b[A'
const { labels, title } = LAUNCH_TEXT.sheet

beforeAll(buildCli)

/** What stands on the paper, by its labels, as somebody writes it down from the screen. */
function written(program: PtyProgram): Record<string, string> {
  const lines = program.screen()
  const entries = Object.entries(labels).map(([id, label]) => {
    const at = lines.findIndex((line) => line.trim().startsWith(`${label} `))
    const here = lines[at]?.trim().slice(label.length).trim() ?? ''
    // A long path goes on in the next line.
    const next = lines[at + 1] ?? ''
    const goesOn = id === 'homePath' || id === 'keystore' ? /^ {10,}(\S+)$/.exec(next)?.[1] : undefined
    return [id, here + (goesOn ?? '')]
  })
  return Object.fromEntries(entries)
}

async function type(program: PtyProgram, label: string, text: string): Promise<void> {
  await program.waitFor(new RegExp(`▶ +${label}`))
  program.press(`${CTRL_U}${text}${ENTER}`)
}

/** Types an address and its hidden part, a wrong one first. */
async function typeAddress(program: PtyProgram, label: string, address: string): Promise<void> {
  await type(program, label, address)
  const asked = await groupsAsked(program, address)
  program.press(`${'0'.repeat(asked.length)}${ENTER}`)
  await program.waitFor(/✘ These aren’t characters/)
  program.press(`${CTRL_U}${asked}${ENTER}`)
}

hardTest(
  'a rehearsal as on mainnet asks for all that real money asks for, from a paper that is shown once',
  async () => {
    const state = await emptyState()
    const program = openWizard(state, ['--scenario', 'as-on-mainnet'])
    await program.waitFor(title)
    const folder = join(state, 'rehearsal/network-1')
    const descriptor = readDescriptor(await readFile(join(folder, 'descriptor.json'), 'utf8'))
    onTestFinished(() => void (descriptor.pid && process.kill(descriptor.pid, 'SIGTERM')))
    const sheet = written(program)
    expect(new Set([sheet.payer, sheet.withdrawal, sheet.operator]).size).toBe(3)
    expect(sheet).toMatchObject({
      homePath: descriptor.home,
      keystore: descriptor.keystore.path,
      password: descriptor.keystore.password,
    })
    program.press(ENTER)

    await type(program, 'node home', sheet.homePath ?? '')
    await type(program, 'execution RPC', sheet.execution ?? '')
    for (const label of ['node API', 'engine RPC']) {
      await program.waitFor(new RegExp(`▶ +${label} +http`))
      program.press(ENTER)
    }
    await type(program, 'second execution', 'http://127.0.0.1:1')
    await type(program, 'keystore', sheet.keystore ?? '')
    await program.waitFor('Enter continue')
    program.press(ENTER)

    // A second endpoint that is silent is unknown, and unknown is not good.
    await program.waitFor(/1 of \d+ checks is not known: second execution/)
    program.press(ESCAPE)
    await program.waitFor(/second execution +http:\/\/127\.0\.0\.1:1$/m)
    program.press(UP)
    await program.waitFor(/▶ +keystore/)
    program.press(UP)
    await type(program, 'second execution', sheet.secondExecution ?? '')
    await program.waitFor('Enter continues with these')
    program.press(ENTER)
    await goOn(program, 'Check the chain')
    await goOn(program, 'Check the key')

    await typeAddress(program, 'withdrawal', sheet.withdrawal ?? '')
    await typeAddress(program, 'operator', sheet.operator ?? '')
    await program.waitFor(/▶ +amount/)
    program.press(ENTER)
    await program.waitFor('Enter sign')
    program.press(ENTER)
    await goOn(program, 'verifiers accept this signature')
    await program.waitFor('Enter review, then send')
    program.press(ENTER)
    await program.waitFor('Esc do not send')
    program.press(PAGE_DOWN + PAGE_DOWN)
    await typeWordOnly(program, 'send 10000')
    program.press(ENTER)
    await program.waitFor('Password of the keystore')
    program.press(`not ${sheet.password}${ENTER}`)
    await program.waitFor('The password does not open this keystore.')
    program.press('q')
    await program.exit
    expect(existsSync(join(folder, 'addresses.json'))).toBe(true)
    expect(program.written().split(sheet.password ?? '').length, 'the password was shown once').toBe(2)

    // Started again nothing is shown from the paper, and nothing is proposed that somebody must know.
    const again = openWizard(state, ['--scenario', 'as-on-mainnet'])
    await again.waitFor('Enter continues with these')
    expect(again.written()).not.toContain(title)
    expect(again.written()).not.toContain(sheet.withdrawal?.slice(2, 6))
  },
)
