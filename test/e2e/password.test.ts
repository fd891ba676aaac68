import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Keystore } from 'ox'
import { numberToHex } from 'viem'
import { getAddress } from 'viem/utils'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { type Devnet, startDevnet } from '../../src/devnet/devnet.ts'
import { DROPPED } from '../../src/signer/ask-password.ts'
import { CTRL_U, ENTER, goOn, signFirstDeposit, typeWordOnly } from '../support/by-keyboard.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { writeKeystoreFile } from '../support/heavy-keystore.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { pattern } from '../support/pattern.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI } from '../support/run-cli.ts'
import { userOf } from '../support/user-of.ts'

/** No character of it is on any screen of the program. */
const PASSWORD = 'ħŋłđŧßþæ'
const ESCAPE = '\u001b'
const PAGE_DOWN = '\u001b[6~'
const LEAVE_SCREEN = '\u001b[?1049l'
const OTHER = getAddress(`0x${'0ddc0ffee0'.repeat(4)}`)
/** When the password is pasted, after the last screen went. */
const PASTED_AFTER_MS = [0, 20, 40, 60, 80, 120]
const SLOT_MS = 150
const RICH_WEI = 10n ** 24n
const CLOCK = {
  nowMs: () => Date.now(),
  sleep: (delayMs: number, signal?: AbortSignal) => setTimeout(delayMs, undefined, { signal }),
}

const closers: (() => Promise<unknown>)[] = []

beforeAll(buildCli)

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function runDevnet(directory: string): Promise<Devnet> {
  const devnet = await startDevnet({ directory, slotMs: SLOT_MS, clock: CLOCK, seed: 'password' })
  const stop = new AbortController()
  const running = devnet.run(stop.signal)
  closers.push(async () => {
    stop.abort()
    await running
    await devnet.stop()
  })
  return devnet
}

/** The private key of the play-money account. */
async function keyOf(devnet: Devnet): Promise<Hex> {
  const { path, password } = devnet.descriptor.keystore
  const sealed = JSON.parse(await readFile(path, 'utf8')) as Keystore.Keystore
  return Keystore.decrypt(sealed, Keystore.toKey(sealed, { password }))
}

/** The wizard, run by a shell that afterwards says how it ended and whether the terminal echoes. */
function openWizard(state: string, networkFile: string): PtyProgram {
  const wizard = [process.execPath, CLI, '--state', state, '--network', networkFile]
  const script = `${wizard.map((word) => `'${word}'`).join(' ')}; echo "ended $?"; stty -a; read -r _`
  const screen = { cwd: state, env: { HOME: state }, columns: 80, rows: 24 }
  const program = startProgram({ program: '/bin/sh', args: ['-c', script], ...screen })
  closers.push(async () => {
    program.kill('SIGKILL')
    await program.exit
  })
  return program
}

async function fillForm(program: PtyProgram, texts: readonly (readonly [string, string])[]): Promise<void> {
  for (const [label, text] of texts) {
    await program.waitFor(new RegExp(`▶ +${label}`))
    program.press(`${CTRL_U}${text}${ENTER}`)
  }
  await program.waitFor('Enter continue')
  program.press(ENTER)
}

/** Resolves once the program has given its screen away, counted from `from` in what it wrote. */
async function screenGone(program: PtyProgram, from: number): Promise<void> {
  while (!program.written().slice(from).includes(LEAVE_SCREEN)) await setTimeout(1)
}

/** Agrees to the payment; resolves when the screens are gone. */
async function send(program: PtyProgram): Promise<void> {
  await program.waitFor('Enter review, then send')
  program.press(ENTER)
  await program.waitFor('Esc do not send')
  program.press(PAGE_DOWN + PAGE_DOWN + PAGE_DOWN)
  await typeWordOnly(program, 'send 10000')
  const from = program.written().length
  program.press(ENTER)
  await screenGone(program, from)
}

/** The characters of the password that the terminal received. */
function seenOf(program: PtyProgram): string {
  return [...PASSWORD].filter((character) => program.written().includes(character)).join('')
}

test('a password is asked for once a payment, under what it signs, and never shown', async () => {
  const state = await mkdtemp(join(tmpdir(), 'password-'))
  closers.push(() => rm(state, { recursive: true, maxRetries: 5 }))
  const devnet = await runDevnet(join(state, 'network'))
  const { descriptor } = devnet
  const { address, pubkey } = await userOf(devnet)
  await devnet.execution.rpc('hardhat_setBalance', [OTHER, numberToHex(RICH_WEI)])
  const keystore = join(state, 'heavy.json')
  const key = await keyOf(devnet)
  writeKeystoreFile(keystore, { key, password: PASSWORD, weight: 'geth', claimed: OTHER })
  const networkFile = join(state, 'dress.json')
  await writeFile(networkFile, networkFileOf(descriptor))
  const program = openWizard(state, networkFile)
  await fillForm(program, [
    ['node home', descriptor.home],
    ['execution RPC', descriptor.urls.execution],
    ['node API', descriptor.urls.node],
    ['engine RPC', descriptor.urls.engine],
    ['second execution', ''],
    ['keystore', keystore],
  ])
  await goOn(program, 'Check the chain')
  await goOn(program, 'Check the key')
  await signFirstDeposit(program, address)

  await program.waitFor(/Enter review, then send|Password of the keystore/)
  expect(program.written().includes('Password of the keystore'), 'asked on entering the step').toBe(false)

  await send(program)
  const pasted = PASTED_AFTER_MS.map(async (delayMs) => {
    await setTimeout(delayMs)
    program.press(PASSWORD)
  })
  await Promise.all(pasted)
  await program.waitFor('Password of the keystore')
  expect(program.screen().join('\n')).toMatch(
    pattern`network +Dress rehearsal[\s\S]*first deposit of 10,000 BERA[\s\S]*${DROPPED}`,
  )
  program.press(`${CTRL_U}${PAGE_DOWN}${PASSWORD}${ESCAPE}${PAGE_DOWN}${ENTER}`)
  await program.waitFor('pening the keystore')
  program.press(`${PASSWORD}${ENTER}`)
  await program.waitFor('This keystore belongs to another account.')
  expect(seenOf(program), 'characters of the password that were shown').toBe('')
  const refused = program.screen().join('\n')
  expect(refused.replaceAll(/\s/g, '')).toContain(address)
  expect(refused.replaceAll(/\s/g, '')).toContain(OTHER)
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([])

  program.press('u')
  await program.waitFor(/▶ +paying account/)
  program.press(`${CTRL_U}${address}${ENTER}`)
  // The answers for the account before still stand there for a moment.
  await program.waitFor('typed by you')
  await send(program)
  await program.waitFor('Password of the keystore')
  program.press(`${PASSWORD}${ENTER}`)
  await program.waitFor('Enter continue')
  expect(seenOf(program), 'characters of the password that were shown').toBe('')
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n)])
  program.press('q')
  await program.waitFor('ended 4')
  await program.waitFor(/ icanon [\s\S]* echo /)
  const left = (await readdir(state, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  const files = await Promise.all(left.map(({ parentPath, name }) => readFile(join(parentPath, name))))
  expect(left.map(({ name }) => name)).toContain('journal.jsonl')
  expect(files.filter((bytes) => bytes.includes(PASSWORD))).toEqual([])
})
