import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getAddress } from 'viem/utils'
import { expect, onTestFinished, test } from 'vitest'
import { readCatalogue } from '../../scripts/build/translate.ts'
import { DROPPED } from '../../src/signer/ask-password.ts'
import {
  CTRL_U,
  calmly,
  ENTER,
  goOn,
  PAGE_DOWN,
  signFirstDeposit,
  typeWordOnly,
} from '../support/by-keyboard.ts'
import { HARD } from '../support/hard.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { type Rehearsal, startRehearsal } from '../support/open-wizard.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { CLI } from '../support/run-cli.ts'
import { type StallingProxy, stallingProxy } from '../support/stalling-proxy.ts'
import { childrenOf } from '../support/watch-children.ts'

const SLOT_MS = 500
const CTRL_C = '\u0003'
const ESCAPE = '\u001b'
const SHELL = 'shell>'
/** Each of them does something on the page of a payment, or did. */
const LETTERS = [...'qutrc?nwaxogbsp']
/** None of these is on any screen of the program. */
const RARE = ['ħ', 'ŋ', 'ł']
const passwordWith = (letter: string): string => letter + RARE.map((rare) => rare + letter).join('')
const LETTER_MS = 15
const SLOW_LETTER_MS = 60
/** The desk hears no key of the first second; and as long as that, what was typed is read, however busy this computer is. */
const SETTLE_MS = 1_200
const WORD = 'send 10000'

type Place = Pick<Rehearsal, 'state' | 'descriptor'> & {
  networkFile: string
  proxies: readonly StallingProxy[]
}

/** A network on which passwords are typed, whose endpoints are reached through proxies. */
async function begin(): Promise<Place> {
  const { state, descriptor } = await startRehearsal({ slotMs: SLOT_MS, folder: 'network' })
  const { execution, node, engine } = descriptor.urls
  const proxies = await Promise.all([execution, node, engine].map(stallingProxy))
  onTestFinished(() => {
    for (const { close } of proxies) close()
  })
  const networkFile = join(state, 'dress.json')
  await writeFile(networkFile, networkFileOf(descriptor))
  return { state, descriptor, networkFile, proxies }
}

function delay({ proxies }: Place, ms: number): void {
  for (const proxy of proxies) proxy.delay(ms)
}

/** A shell with a history, in which the wizard is started by hand. */
async function openShell({ state }: Place): Promise<PtyProgram> {
  const program = startProgram({
    program: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    cwd: state,
    env: { HOME: state, HISTFILE: join(state, 'history'), PS1: `${SHELL} ` },
  })
  onTestFinished(async () => {
    program.kill('SIGKILL')
    await program.exit
  })
  await program.waitFor(SHELL)
  return program
}

function start({ state, networkFile }: Place, program: PtyProgram, options = ''): void {
  const words = [process.execPath, CLI, '--state', state, '--network', networkFile]
  program.press(`clear; ${words.map((word) => `'${word}'`).join(' ')} ${options}${ENTER}`)
}

type Say = (path: string, english: string) => string
const CHINESE = readCatalogue(join(import.meta.dirname, '../..'), 'zh')
const SAY: Readonly<Record<'en' | 'zh', Say>> = {
  en: (_, english) => english,
  zh: (path, english) => CHINESE.get(path)?.[english] ?? `no Chinese for ${english}`,
}

/** What is waited for, in one language. */
function textsOf(language: keyof typeof SAY) {
  const say = SAY[language]
  const confirm = 'screens/StepScreen.tsx'
  const desk = (english: string) => say('core/view/desk-words.ts', english)
  const asks = say(confirm, ' and press Enter:  ')
  const send = say('core/steps/deposit/machine.ts', 'send')
  return {
    goOn: `Enter ${say('core/view/text.ts', 'continue')}`,
    review: `Enter ${say('hooks/keymap.ts', 'review, then {0}').replace('{0}', send)}`,
    word: {
      asked: (word: string) => (language === 'en' ? `type ${word}` : word) + asks.trimEnd(),
      typed: asks.trim(),
      early: desk('Keys of the first second do not count. Type it now.'),
      calm: say(confirm, ' Typed by hand, not pasted. Esc goes back; nothing is sent.').trim(),
    },
    prompt: say('signer/ask-password.ts', ' Password of the keystore: ').trim(),
    dropped: say('signer/ask-password.ts', DROPPED).trim(),
    wrong: say('core/base/errors/wallet.ts', 'The password does not open this keystore.'),
    stopped: say('core/base/errors/wallet.ts', 'Signing was stopped. Nothing was signed.'),
    wait: desk('Wait for the password prompt. Until it opens, keys do nothing.'),
    none: desk('No password is asked for. The reason is above.'),
  }
}
type Texts = ReturnType<typeof textsOf>
const ENGLISH = textsOf('en')

const screenOf = (program: PtyProgram): string => program.screen().join('\n')
const any = (...texts: readonly string[]): RegExp =>
  new RegExp(texts.map((text) => text.replace(/[.?]/g, '\\$&')).join('|'))

/** Goes as far as the first deposit, whose signature is made. */
async function openDeposit(place: Place): Promise<PtyProgram> {
  const { descriptor, proxies } = place
  const [execution = '', node = '', engine = ''] = proxies.map(({ url }) => url)
  const program = await openShell(place)
  start(place, program)
  const texts = [
    ['node home', descriptor.home],
    ['execution RPC', execution],
    ['node API', node],
    ['engine RPC', engine],
    ['second execution', ''],
    ['keystore', descriptor.keystore.path],
  ] as const
  for (const [label, text] of texts) {
    await program.waitFor(new RegExp(`▶ +${label}`))
    program.press(`${CTRL_U}${text}${ENTER}`)
  }
  await program.waitFor(ENGLISH.goOn)
  program.press(ENTER)
  await goOn(program, 'Check the chain')
  await goOn(program, 'Check the key')
  await signFirstDeposit(program, getAddress(descriptor.withdrawalAddress))
  await program.waitFor(ENGLISH.review)
  return program
}

/** Goes on until the first deposit may be sent. */
async function goToDeposit(program: PtyProgram, texts = ENGLISH): Promise<void> {
  for (;;) {
    await expect.poll(() => keysOf(program), { timeout: 20_000 }).toMatch(any(texts.goOn, ON, texts.review))
    if (keysOf(program).includes(texts.review)) return
    const before = screenOf(program)
    program.press(ENTER)
    await expect.poll(() => screenOf(program) !== before).toBe(true)
    await calmly()
  }
}

/** The key of the welcome back, in two languages. */
const ON = 'Enter go on|继续到'

/** The last rows of the screen, where its keys stand. */
const keysOf = (program: PtyProgram): string => screenOf(program).trimEnd().split('\n').slice(-3).join(' ')

/** Types the word, but not its Enter. */
async function typeWord(program: PtyProgram, { review, word }: Texts): Promise<void> {
  await program.waitFor(review)
  program.press(ENTER)
  await program.waitFor(WORD)
  program.press(PAGE_DOWN + PAGE_DOWN + PAGE_DOWN)
  await typeWordOnly(program, WORD, word)
}

async function typeKeys(program: PtyProgram, keys: string, letterMs = LETTER_MS): Promise<void> {
  for (const key of keys) {
    program.press(key)
    await setTimeout(letterMs)
  }
}

/** What comes after the Enter of the word, and how far away the endpoints are then. */
type Case = { letter: string; waitMs: number; farMs: number }

/** Types a password too early; resolves once its prompt came, and went without a signature. */
async function typeEarly(
  place: Place,
  program: PtyProgram,
  { letter, waitMs, farMs }: Case,
  texts = ENGLISH,
): Promise<void> {
  await typeWord(program, texts)
  delay(place, farMs)
  // What the word before came to may still be on the screen: what is written from now on is of this one.
  const begun = program.written().length
  const seen = program.waitFor(any(texts.wait, texts.prompt))
  program.press(ENTER)
  await setTimeout(waitMs)
  await typeKeys(program, passwordWith(letter) + ENTER)
  await seen
  const promptAt = () => program.written().indexOf(texts.prompt, begun)
  await expect.poll(promptAt).toBeGreaterThan(0)
  const since = () => program.written().slice(promptAt())
  delay(place, 0)
  await expect
    .poll(since, { timeout: 500 })
    .toContain(texts.wrong)
    .catch(() => undefined)
  if (since().includes(texts.wrong)) return
  program.press(CTRL_C)
  await expect.poll(since).toMatch(any(texts.stopped, texts.wrong))
}

/** The same in the program that speaks Chinese, as far as its end. */
async function typeEarlyInChinese(place: Place, program: PtyProgram): Promise<void> {
  const chinese = textsOf('zh')
  start(place, program, '--lang zh')
  await goToDeposit(program, chinese)
  for (const each of ALL.filter((_, at) => at % 5 === 0)) await typeEarly(place, program, each, chinese)
  await program.waitFor(chinese.review)
  program.press('q')
}

/** What of a password the terminal got, or a file below the state directory. */
async function leftOf({ state }: Place, program: PtyProgram): Promise<string[]> {
  const files = (await readdir(state, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  )
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['journal.jsonl', 'history']))
  return [program.written(), ...texts].flatMap((text) => RARE.filter((rare) => text.includes(rare)))
}

/** Ends the shell, which writes its history; answers with what was done in it but for starting the wizard. */
async function leaveShell({ state }: Place, program: PtyProgram): Promise<string[]> {
  program.press(`exit${ENTER}`)
  await program.exit
  const lines = (await readFile(join(state, 'history'), 'utf8')).trim().split('\n')
  return lines.filter((line) => !line.startsWith('clear; '))
}

const WAITS_MS = [0, 300, 1_000, 2_000]
const FAR_MS = [600, 0, 1_000, 200]
const ALL: readonly Case[] = LETTERS.flatMap((letter, at) =>
  WAITS_MS.map((waitMs, turn) => ({ letter, waitMs, farMs: FAR_MS[(at + turn) % FAR_MS.length] ?? 0 })),
)
const SOME: readonly Case[] = [{ letter: 'q', waitMs: 0, farMs: 600 }]

test('a password that is typed before its prompt is on no screen and in no file', async () => {
  const place = await begin()
  const program = await openDeposit(place)
  for (const each of HARD ? ALL : SOME) await typeEarly(place, program, each)

  await typeWord(program, ENGLISH)
  delay(place, 200)
  program.press(ENTER)
  await program.waitFor(ENGLISH.wait)
  for (const proxy of place.proxies) proxy.cut(true)
  await program.waitFor(ENGLISH.none)
  delay(place, 0)
  // The Enter of the password is no answer to a screen.
  await typeKeys(program, passwordWith('q') + ENTER)
  expect(screenOf(program)).toContain(ENGLISH.none)
  await setTimeout(SETTLE_MS)
  program.press(HARD ? ESCAPE : ENTER)
  for (const proxy of place.proxies) proxy.cut(false)
  await program.waitFor('r ask again')
  program.press('r')
  await program.waitFor(ENGLISH.review)
  program.press('q')
  await program.waitFor('Not finished yet.')

  // In Chinese the words differ that are waited for, and nothing else.
  if (HARD) await typeEarlyInChinese(place, program)
  await program.waitFor(SHELL)
  expect(await leaveShell(place, program)).toEqual(['exit'])
  expect(await leftOf(place, program)).toEqual([])
})

const EXITS = ['Ctrl-C', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const
const LEFT = 'Not finished yet.'

/** Presses the Enter of the word, and ends the wizard in the middle of a password that is typed at once. */
async function endWhileTyping(
  place: Place,
  program: PtyProgram,
  exit: (typeof EXITS)[number],
): Promise<void> {
  const password = passwordWith('q')
  delay(place, 1_000)
  program.press(ENTER)
  await typeKeys(program, password.slice(0, 3))
  if (exit === 'Ctrl-C') program.press(CTRL_C)
  else process.kill(Number(childrenOf(program.pid)[0]), exit)
  // All is closed long before the last letter.
  await typeKeys(program, password.slice(3) + password.repeat(5) + ENTER, SLOW_LETTER_MS)
  await program.waitFor(LEFT)
  delay(place, 0)
}

test('a password that is being typed as the wizard ends goes to no shell', async () => {
  const place = await begin()
  const program = await openDeposit(place)
  for (const [at, exit] of (HARD ? EXITS : EXITS.slice(0, 1)).entries()) {
    if (at > 0) start(place, program)
    await goToDeposit(program)
    await typeWord(program, ENGLISH)
    await endWhileTyping(place, program, exit)
  }
  expect(await leaveShell(place, program)).toEqual(['exit'])
  expect(await leftOf(place, program)).toEqual([])
})

/** Types the word by lines, but not its Enter. */
async function typeWordByLine(program: PtyProgram, word = WORD): Promise<void> {
  program.press(ENTER)
  await program.waitFor(new RegExp(`type: ${WORD}\\s+>\\s*$`))
  await setTimeout(SETTLE_MS)
  await typeKeys(program, word)
  await calmly()
}

test('by lines, a password that is typed before its prompt is dropped, and goes to no shell', async () => {
  const place = await begin()
  const program = await openDeposit(place)
  program.press('q')
  await program.waitFor(LEFT)
  start(place, program, '--plain')
  await goToDeposit(program)
  await typeWordByLine(program, 'send 1000')
  program.press(ENTER)
  await typeKeys(program, passwordWith('q') + ENTER)
  await program.waitFor(/use the\s+keys again/)
  await setTimeout(SETTLE_MS)
  await typeWordByLine(program)
  delay(place, 600)
  program.press(ENTER + passwordWith('q').slice(0, 2))
  await typeKeys(program, passwordWith('q').slice(2) + ENTER)
  await program.waitFor(ENGLISH.prompt)
  expect(screenOf(program)).toContain(ENGLISH.dropped)
  delay(place, 0)
  program.press(CTRL_C)
  await program.waitFor(ENGLISH.stopped)
  for (const [at, exit] of (HARD ? EXITS : EXITS.slice(1, 2)).entries()) {
    if (at > 0) start(place, program, '--plain')
    await goToDeposit(program)
    await typeWordByLine(program)
    await endWhileTyping(place, program, exit)
  }
  expect(await leaveShell(place, program)).toEqual(['exit'])
  expect(await leftOf(place, program)).toEqual([])
})
