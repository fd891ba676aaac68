import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSettings } from '../../src/compose/settings.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import { openJournal } from '../../src/core/wizard/journal/journal.ts'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { CTRL_U, ENTER, goOn } from '../support/by-keyboard.ts'
import { hardTest } from '../support/hard.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { openWizard, type Rehearsal, startRehearsal } from '../support/open-wizard.ts'
import type { PtyProgram } from '../support/pty.ts'

const ESCAPE = '\u001b[27u'
const UP = '\u001b[A'

/** A rehearsal network, and another one beside it where the wizard was told to begin it: that would outlive it. */
async function started(): Promise<Rehearsal> {
  const rehearsal = await startRehearsal({ slotMs: 300 })
  onTestFinished(() => endSecond(rehearsal.state))
  return rehearsal
}

async function endSecond(state: string): Promise<void> {
  const path = join(state, 'rehearsal/network-2/descriptor.json')
  if (!existsSync(path)) return
  const { pid, urls } = JSON.parse(await readFile(path, 'utf8')) as DevnetDescriptor
  process.kill(pid, 'SIGTERM')
  const answers = () =>
    fetch(urls.node).then(
      () => true,
      () => false,
    )
  await expect.poll(answers).toBe(false)
}

const screenOf = (program: PtyProgram): string => program.screen().join('\n')

/** Walks to the second step, where the journal is open, and leaves. */
async function beginAndLeave(program: PtyProgram): Promise<void> {
  await goOn(program, 'Check the chain')
  await program.waitFor('Check the key')
  await program.waitFor('Enter continue')
  program.press('q')
  await program.exit
}

test('after a restart one key goes on with what is under way', async () => {
  const { state } = await started()
  await beginAndLeave(openWizard(state, ['--network', 'rehearsal']))
  const program = openWizard(state, [])
  await program.waitFor(/▶ 1 {2}Rehearsal · play money +0x[0-9a-f]{4} [0-9a-f]{4} … +begun, nothing signed/)
  program.press(ENTER)
  await program.waitFor('Check the chain')
})

hardTest('a network that was attached by its descriptor is gone on with like one of one’s own', async () => {
  const { state } = await startRehearsal({ slotMs: 300, folder: 'elsewhere' })
  await beginAndLeave(openWizard(state, ['--devnet', join(state, 'elsewhere/descriptor.json')]))
  const program = openWizard(state, [])
  await program.waitFor(/▶ 1 {2}Rehearsal · play money +0x[0-9a-f]{4} [0-9a-f]{4} … +begun, nothing signed/)
  program.press('c')
  await program.waitFor('--devnet')
  program.press('c')
  program.press(ENTER)
  await program.waitFor('Check the chain')
})

hardTest('a network of one’s own that is named by its descriptor keeps its journal with itself', async () => {
  const { state } = await started()
  await beginAndLeave(openWizard(state, ['--devnet', join(state, 'rehearsal/network-1/descriptor.json')]))
  expect(existsSync(join(state, 'journal'))).toBe(false)
  const program = openWizard(state, ['--network', 'rehearsal'])
  await goOn(program, 'Check the chain')
  await program.waitFor('Enter continue')
  expect(existsSync(join(state, 'rehearsal/network-1/journal'))).toBe(true)
})

test('a rehearsal network that was killed is told, and only a key begins another one', async () => {
  const { state, network } = await started()
  await beginAndLeave(openWizard(state, ['--network', 'rehearsal']))
  network.kill('SIGKILL')
  await network.end
  const first = openWizard(state, [])
  await first.waitFor('its network does not answer')
  first.press(ENTER)
  await first.waitFor('Your rehearsal network does not answer')
  first.press(ESCAPE)
  await first.waitFor('What do you want to do?')
  const program = openWizard(state, ['--network', 'rehearsal'])
  await program.waitFor('Your rehearsal network does not answer')
  expect(existsSync(join(state, 'rehearsal/network-2'))).toBe(false)
  program.press('n')
  await program.waitFor('Check the chain')
  expect(existsSync(join(state, 'rehearsal/network-2'))).toBe(true)
})

hardTest('a story begins on a network of its own beside one that runs with another story', async () => {
  const { state } = await started()
  const other = openWizard(state, ['--scenario', 'burnt-deposit'])
  await other.waitFor('Check the chain')
  expect(existsSync(join(state, 'rehearsal/network-2'))).toBe(true)
  other.press('q')
  await other.exit
  const same = openWizard(state, ['--scenario', 'set-full'])
  await same.waitFor('Check the chain')
  expect(existsSync(join(state, 'rehearsal/network-3'))).toBe(false)
})

/** A state directory in which the journal of a key and the texts of its form are remembered. */
async function rememberedState({ state, descriptor }: Rehearsal, file: string): Promise<void> {
  // Without a key in it no journal is opened, and no lock taken in the home of whoever runs this test.
  const homePath = join(state, 'home')
  const filter = (path: string) => !path.endsWith('priv_validator_key.json')
  await cp(descriptor.home, homePath, { recursive: true, filter })
  const { pubkey } = validatorKey(descriptor.seed, 'fresh')
  const header = {
    executionGenesisHash: descriptor.executionGenesisHash,
    genesisValidatorsRoot: descriptor.genesisRoot,
    pubkey,
  }
  const name = Object.values(header).map((hex) => hex.slice(2, 14))
  const path = join(state, 'dress', name.join('-'), 'journal.jsonl')
  const journal = await openJournal({ store: createNodeStore(), clock: createNodeClock() }, path, header)
  await journal.close()
  const { execution, node, engine } = descriptor.urls
  const settings = openSettings(state)
  settings.remember('dress', { networkFile: file })
  const given = {
    homePath,
    execution,
    node,
    engine,
    secondExecution: '',
    keystore: '',
  }
  settings.remember('dress', given, pubkey)
}

test('a network of one’s own goes on with its addresses, which are one key away', async () => {
  const rehearsal = await started()
  const { state, descriptor } = rehearsal
  const file = join(state, 'network.json')
  await writeFile(file, networkFileOf(descriptor))
  await rememberedState(rehearsal, file)
  const program = openWizard(state, ['--network', file])
  await program.waitFor('Check the chain')
  expect(program.written()).not.toContain('Your node for')
  program.press(ESCAPE)
  await program.waitFor('Enter continues with these.')
  expect(screenOf(program)).toContain(descriptor.urls.execution)
  program.press(UP)
  await program.waitFor(/▶ +keystore/)
  program.press(`${CTRL_U}${state}/nowhere${ENTER}`)
  await program.waitFor('There is no such file.')
  await program.waitFor(/▶ +keystore/)
  program.press(`${CTRL_U}${ENTER}`)
  await program.waitFor('Enter continues with these.')
  program.press(ENTER)
  await program.waitFor('Check the chain')
})
