import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { afterEach, beforeAll, beforeEach, test } from 'vitest'
import type { DevnetDescriptor } from '../../src/devnet/descriptor.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { CTRL_U, ENTER, goOn } from '../support/by-keyboard.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI, type Run, runDevnetCli } from '../support/run-cli.ts'

const PASTE_BEGINS = '\u001b[200~'
const PASTE_ENDS = '\u001b[201~'

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

/** The wizard with these options, begun and in its form. */
async function openWizard(options: readonly string[]): Promise<PtyProgram> {
  const args = [CLI, '--state', state, ...options]
  program = startProgram({ args, cwd: state, env: { HOME: state } })
  await program.waitFor('A registered validator on')
  return program
}

/** From the check of the chain to the top-up, by the keys that the screens name. */
async function adoptAndProve(shown: PtyProgram, address: string): Promise<void> {
  await goOn(shown, 'Check the chain')
  await shown.waitFor('Adopt a registered validator')
  await shown.waitFor(/▶ +withdrawal/)
  shown.press(`${PASTE_BEGINS}${address}${PASTE_ENDS}`)
  shown.press(ENTER)
  await shown.waitFor('Validator 11 is adopted')
  await goOn(shown, 'Adopt a registered validator')
  await goOn(shown, 'Prove the registration')
  await shown.waitFor('No more is needed')
}

test('a person adopts a validator of the rehearsal network by its index, without its home', async () => {
  const shown = await openWizard(['--network', 'rehearsal', '--validator', '11'])
  shown.press(ENTER)
  await shown.waitFor('Enter continue')
  shown.press(ENTER)
  await adoptAndProve(shown, await payoutOf(11))
})

test('a person adopts a validator by its key over a form without a home, up to the word that sends', async () => {
  const file = join(state, 'network.json')
  await writeFile(file, networkFileOf(descriptor))
  const { pubkey } = validatorKey(descriptor.seed, 'genesis/11')
  const shown = await openWizard(['--network', file, '--validator', pubkey])
  for (const field of ['validator', 'execution RPC', 'node API', 'second execution', 'engine RPC']) {
    await shown.waitFor(new RegExp(`▶ +${field}`))
    shown.press(ENTER)
  }
  await shown.waitFor(/▶ +keystore/)
  shown.press(`${CTRL_U}${descriptor.keystore.path}${ENTER}`)
  await shown.waitFor('Enter continue')
  shown.press(ENTER)
  await adoptAndProve(shown, await payoutOf(11))
  shown.press('a')
  await shown.waitFor(/▶ +amount/)
  shown.press(`${CTRL_U}10000${ENTER}`)
  await shown.waitFor('Enter send')
})
