import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DevnetDescriptor } from '../../src/devnet/descriptor.ts'
import { ENTER } from '../support/by-keyboard.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI, type Run, runDevnetCli } from '../support/run-cli.ts'

let state: string
let network: Run
let descriptor: DevnetDescriptor
let program: PtyProgram | undefined

beforeAll(buildCli)

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'adopt-'))
  const directory = join(state, 'rehearsal/network-1')
  const started = await runDevnetCli(['--directory', directory, '--slot-ms', '150'])
  network = started.run
  descriptor = started.descriptor
})

afterEach(async () => {
  program?.kill('SIGKILL')
  await program?.exit
  network.kill('SIGTERM')
  await network.end
  await rm(state, { recursive: true, maxRetries: 5 })
})

/** Where the stake of a validator is paid out, by the node API. */
async function payoutOf(index: number): Promise<string> {
  const reply = await fetch(`${descriptor.urls.node}/eth/v1/beacon/states/head/validators/${index}`)
  const { data } = (await reply.json()) as { data: { validator: { withdrawal_credentials: string } } }
  return getAddress(`0x${data.validator.withdrawal_credentials.slice(-40)}`)
}

test('a person adopts a validator by its index, without its home, and comes to the gate of a top-up', async () => {
  const args = [CLI, '--state', state, '--network', 'rehearsal', '--validator', '11']
  const shown = startProgram({ args, cwd: state, env: { HOME: state } })
  program = shown
  await shown.waitFor('A registered validator on the rehearsal network')
  shown.press(ENTER)
  await shown.waitFor('Enter continue')
  shown.press(ENTER)
  await shown.waitFor('Check the chain')
  await shown.waitFor('Enter continue')
  shown.press(ENTER)
  await shown.waitFor('Adopt a registered validator')
  await shown.waitFor('in this rehearsal')
  shown.press(`\u001b[200~${await payoutOf(11)}\u001b[201~`)
  shown.press(ENTER)
  await shown.waitFor('Validator 11 is adopted')
  await shown.waitFor('Enter continue')
  shown.press(ENTER)
  await shown.waitFor('Prove the registration')
  await shown.waitFor('Enter continue')
  shown.press(ENTER)
  await shown.waitFor('Top up to a seat')
  await shown.waitFor('a add more')
  expect(shown.screen().join('\n')).toMatch(/No more is needed/)
})
