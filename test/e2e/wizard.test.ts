import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { tokens } from '../../src/core/format/amount.ts'
import type { DevnetDescriptor } from '../../src/devnet/descriptor.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { ENTER, goOn, signFirstDeposit, typeWord } from '../support/by-keyboard.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI, type Run, runDevnetCli } from '../support/run-cli.ts'

const SLOT_MS = 150

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

test('a person walks all seven steps by keyboard, with a restart on the way', async () => {
  const pubkey = validatorKey(descriptor.seed, 'fresh').pubkey
  const address = getAddress(descriptor.withdrawalAddress)
  const program = openWizard()
  await goOn(program, 'Check the chain')
  await goOn(program, 'Check the key')
  await signFirstDeposit(program, address)
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
  await program.waitFor('Top up the stake')
  await program.waitFor('Enter send')
  program.press(ENTER)
  await typeWord(program, 'send 270000')
  await goOn(program, 'Top up the stake')
  await program.waitFor('Your validator is active')
  program.press(ENTER)
  await program.waitFor('ended 0')
  expect(program.screen().join('\n')).toMatch(
    /Your validator is active\.\n[\s\S]*top-up +270,000 BERA, block[\s\S]*The receipt, with one for machines[\s\S]*receipt\.md/,
  )
}
