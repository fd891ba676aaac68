import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { tokens } from '../../src/core/format/amount.ts'
import type { DevnetDescriptor } from '../../src/devnet/descriptor.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI, type Run, runDevnetCli } from '../support/run-cli.ts'

const SLOT_MS = 150
const ENTER = '\r'

let state: string
let network: Run
let descriptor: DevnetDescriptor
const programs: PtyProgram[] = []

beforeAll(buildCli)

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'wizard-'))
  const directory = join(state, 'rehearsal/network-1')
  const started = await runDevnetCli(['--directory', directory, '--slot-ms', String(SLOT_MS)])
  network = started.run
  descriptor = started.descriptor
})

afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.kill('SIGKILL')
    await program.exit
  }
  network.kill('SIGTERM')
  await network.end
  await rm(state, { recursive: true, maxRetries: 5 })
})

/** The wizard, run by a shell that afterwards says how it ended and keeps the terminal open. */
function openWizard(): PtyProgram {
  const wizard = [process.execPath, CLI, '--state', state, '--network', 'rehearsal']
  const script = `${wizard.map((word) => `'${word}'`).join(' ')}; echo "ended $?"; read -r _`
  const program = startProgram({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: state,
    env: { HOME: state },
    columns: 100,
    rows: 40,
  })
  programs.push(program)
  return program
}

/** Waits until a step is settled, then goes on to the next one. */
async function goOn(program: PtyProgram, title: string): Promise<void> {
  await program.waitFor(title)
  await program.waitFor('Enter continue')
  program.press(ENTER)
}

/** Types an address, then the piece of its middle that the screen asks for, from one's own record. */
async function typeAddress(program: PtyProgram, address: string): Promise<void> {
  program.press(`\u0015${address}${ENTER}`)
  await program.waitFor(/groups \d+ and \d+ of its ten/)
  const [, first = '', last = ''] = /groups (\d+) and (\d+) of its/.exec(program.screen().join('\n')) ?? []
  program.press(`${address.slice(2).slice(4 * (Number(first) - 1), 4 * Number(last))}${ENTER}`)
}

/** Types the word that money asks for, letter by letter; a key within the first second does not count. */
async function typeWord(program: PtyProgram, word: string): Promise<void> {
  await program.waitFor(`type ${word} and press Enter`)
  const [first = '', ...rest] = word
  await pressUntil(program, first, new RegExp(`press Enter: +${first}$`, 'm'))
  let typed = first
  for (const letter of rest) {
    typed += letter
    program.press(letter)
    if (letter !== ' ') await program.waitFor(new RegExp(`press Enter: +${typed}$`, 'm'))
  }
  await pressUntil(program, ENTER, /Where is the transaction\?/)
}

const LONGER_THAN_DEAF_MS = 1500

async function pressUntil(program: PtyProgram, key: string, wanted: RegExp): Promise<void> {
  program.press(key)
  await program.waitFor(wanted, LONGER_THAN_DEAF_MS).catch(() => {
    program.press(key)
    return program.waitFor(wanted)
  })
}

test('a person walks all seven steps by keyboard, with a restart on the way', async () => {
  const pubkey = validatorKey(descriptor.seed, 'fresh').pubkey
  const address = getAddress(descriptor.withdrawalAddress)
  const program = openWizard()
  await goOn(program, 'Check the chain')
  await goOn(program, 'Check the key')
  await program.waitFor('Sign the first deposit')
  await typeAddress(program, address)
  await program.waitFor(/▶ +operator/)
  await typeAddress(program, address)
  await program.waitFor(/▶ +amount/)
  program.press(`\u001510000${ENTER}`)
  await program.waitFor('Enter sign')
  program.press(ENTER)
  await goOn(program, 'Is this signature what the chain will accept?')
  await program.waitFor('Enter send')
  program.press(ENTER)
  await typeWord(program, 'send 10000')
  await program.waitFor('Enter continue')
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n)])
  program.press('q')
  await program.waitFor('ended 4')
  await walkOn(openWizard())
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n), tokens(270_000n)])
})

/** What is left after the first deposit, in a program that was started anew. */
async function walkOn(program: PtyProgram): Promise<void> {
  await program.waitFor('Welcome back')
  await program.waitFor('The first deposit is final.')
  program.press(ENTER)
  await goOn(program, 'Prove the registration')
  await program.waitFor('Top up to a seat')
  await program.waitFor('Enter send')
  program.press(ENTER)
  await typeWord(program, 'send 270000')
  await goOn(program, 'Top up to a seat')
  await program.waitFor('Your validator is active')
  program.press(ENTER)
  await program.waitFor('ended 0')
  expect(program.screen().join('\n')).toMatch(
    /Your validator is active\.\n[\s\S]*top-up +270,000 BERA, block[\s\S]*The receipt, with one for machines[\s\S]*receipt\.md/,
  )
}
