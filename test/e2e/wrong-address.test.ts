import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, test } from 'vitest'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI, runDevnetCli } from '../support/run-cli.ts'

const SLOT_MS = 500
const ENTER = '\r'
const ESCAPE = '\u001b'
const UP = '\u001b[A'
const CTRL_U = '\u0015'

const closers: (() => Promise<unknown>)[] = []

beforeAll(buildCli)

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function openWizard(state: string, files: { spec: string; genesis: string }): Promise<PtyProgram> {
  const args = [CLI, '--state', state, '--spec', files.spec, '--genesis', files.genesis]
  const screen = { cwd: state, env: { HOME: state }, columns: 100, rows: 40 }
  const program = startProgram({ program: process.execPath, args, ...screen })
  closers.push(async () => {
    program.kill('SIGKILL')
    await program.exit
  })
  return program
}

test('a wrong address is corrected from the first step, with the texts of the others kept', async () => {
  const state = await mkdtemp(join(tmpdir(), 'wrong-'))
  closers.push(() => rm(state, { recursive: true, maxRetries: 5 }))
  const directory = join(state, 'network')
  const { run, descriptor } = await runDevnetCli(['--directory', directory, '--slot-ms', String(SLOT_MS)])
  closers.push(() => {
    run.kill('SIGTERM')
    return run.end
  })
  const { spec, urls, keystore } = descriptor
  // Without a key in it no journal is opened, and no lock taken in the home of whoever runs this test.
  const home = join(state, 'home')
  await cp(descriptor.home, home, {
    recursive: true,
    filter: (path) => !path.endsWith('priv_validator_key.json'),
  })
  const program = await openWizard(state, { spec, genesis: join(home, 'config/genesis.json') })
  const fields = [
    ['node home', home],
    ['execution RPC', urls.execution],
    ['node API', urls.engine],
    ['engine RPC', urls.engine],
    ['second execution', ''],
    ['keystore', keystore.path],
  ] as const
  for (const [label, text] of fields) {
    await program.waitFor(new RegExp(`▶ +${label}`))
    program.press(`${CTRL_U}${text}${ENTER}`)
  }
  await program.waitFor('Enter continue')
  program.press(ENTER)
  await program.waitFor('like an address of the engine RPC.')
  await program.waitFor('Esc back to the addresses')
  program.press(ESCAPE)
  await program.waitFor('Enter continue')
  for (const label of ['keystore', 'second execution', 'engine RPC', 'node API']) {
    program.press(UP)
    await program.waitFor(new RegExp(`▶ +${label}`))
  }
  program.press(`${CTRL_U}${urls.node}${ENTER}`)
  await program.waitFor('Enter continue')
  program.press(ENTER)
  await program.waitFor(/✔ +running node/)
})
