import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { topUpCommand } from '../../src/watch/words.ts'
import { CTRL_U, ENTER, goOn } from '../support/by-keyboard.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { openWizard, type Rehearsal, startRehearsal } from '../support/open-wizard.ts'
import type { PtyProgram } from '../support/pty.ts'

const PASTE_BEGINS = '\u001b[200~'
const PASTE_ENDS = '\u001b[201~'

/** Where the stake of a validator is paid out, by the node API. */
async function payoutOf({ descriptor }: Rehearsal, index: number): Promise<string> {
  const reply = await fetch(`${descriptor.urls.node}/eth/v1/beacon/states/head/validators/${index}`)
  const { data } = (await reply.json()) as { data: { validator: { withdrawal_credentials: string } } }
  return getAddress(`0x${data.validator.withdrawal_credentials.slice(-40)}`)
}

/** The wizard with these options, begun and in its form. */
async function openForm(state: string, options: readonly string[]): Promise<PtyProgram> {
  const program = openWizard(state, options)
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
}

test('a person adopts a validator of the rehearsal network by its index, without its home', async () => {
  const rehearsal = await startRehearsal({ slotMs: 150 })
  const shown = await openForm(rehearsal.state, ['--network', 'rehearsal', '--validator', '11'])
  shown.press(ENTER)
  await shown.waitFor('Enter continue')
  shown.press(ENTER)
  await adoptAndProve(shown, await payoutOf(rehearsal, 11))
  await shown.waitFor('No more is needed')
})

test('a person adopts a validator by the command of an alarm, over a form without a home, up to the word that sends its amount', async () => {
  const rehearsal = await startRehearsal({ slotMs: 150 })
  const { state, descriptor } = rehearsal
  const file = join(state, 'network.json')
  await writeFile(file, networkFileOf(descriptor))
  const { pubkey } = validatorKey(descriptor.seed, 'genesis/11')
  const wizardOptions = ['--network', file]
  const printed = topUpCommand({ pubkey }, tokens(20_000n), { network: MAINNET, wizardOptions })
  expect(printed).toBe(`bearings --validator ${pubkey} --network ${file} --topup 20000`)
  const shown = await openForm(rehearsal.state, printed.split(' ').slice(1))
  for (const field of ['validator', 'execution RPC', 'node API', 'second execution', 'engine RPC']) {
    await shown.waitFor(new RegExp(`▶ +${field}`))
    shown.press(ENTER)
  }
  await shown.waitFor(/▶ +keystore/)
  shown.press(`${CTRL_U}${descriptor.keystore.path}${ENTER}`)
  await shown.waitFor('Enter continue')
  shown.press(ENTER)
  await adoptAndProve(shown, await payoutOf(rehearsal, 11))
  await shown.waitFor(/amount in BERA +20,000/)
  await shown.waitFor('left the wallet 0 BERA')
  await shown.waitFor('Enter review, then send')
})
