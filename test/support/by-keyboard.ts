import { setTimeout } from 'node:timers/promises'
import type { PtyProgram } from './pty.ts'

export const ENTER = '\r'
export const PAGE_DOWN = '\u001b[6~'
export const CTRL_U = '\u0015'

/** An Enter within 30 ms of its letters does not count: what was shown is older than this then. */
const CALM_MS = 50
const LOOK_MS = 200
const LOOKS = 300

/** Waits until a step is settled, then goes on to the next one. */
export async function goOn(program: PtyProgram, title: string): Promise<void> {
  await program.waitFor(title)
  await program.waitFor('Enter continue')
  program.press(ENTER)
}

/** The field for a piece of an address. */
const GROUPS = /▶ +(?:withdrawal|operator) (\d+)–(\d+)/

/** The piece of an address's middle that the screen asks for, from one's own record. */
export async function groupsAsked(program: PtyProgram, address: string): Promise<string> {
  await program.waitFor(GROUPS)
  const [, first = '', last = ''] = GROUPS.exec(program.screen().join('\n')) ?? []
  return address.slice(2).slice(Number(first) - 1, Number(last))
}

/** Types an address, then the piece of it that is asked for. */
async function typeAddress(program: PtyProgram, address: string): Promise<void> {
  program.press(`${CTRL_U}${address}${ENTER}`)
  program.press(`${await groupsAsked(program, address)}${ENTER}`)
}

/** Fills the plan of the first deposit, 10,000 tokens for one address, has it signed, and goes on to the next step. */
export async function signFirstDeposit(program: PtyProgram, address: string): Promise<void> {
  await planFirstDeposit(program, address)
  await program.waitFor('Enter sign')
  program.press(ENTER)
  await goOn(program, 'verifiers accept this signature')
}

/** Fills the plan of the first deposit, 10,000 tokens for one address. */
export async function planFirstDeposit(program: PtyProgram, address: string): Promise<void> {
  await program.waitFor('Sign the first deposit')
  await typeAddress(program, address)
  await program.waitFor(/▶ +operator/)
  // Its groups were typed a moment ago: the same address is not asked for them twice.
  program.press(`${CTRL_U}${address}${ENTER}`)
  await program.waitFor(/▶ +amount/)
  program.press(`${CTRL_U}10000${ENTER}`)
}

/** What is said where a word is asked for: in English, if nothing else is given. */
type WordTexts = { asked: (word: string) => string; typed: string; early: string; calm: string }
const IN_ENGLISH: WordTexts = {
  asked: (word) => `type ${word} and press Enter`,
  typed: 'press Enter:',
  early: 'Keys of the first second do not count.',
  calm: 'Typed by hand',
}

/**
 * Types the word that money asks for, letter by letter, up to its Enter, which may follow at once; a key within the
 * first second does not count.
 */
export async function typeWordOnly(program: PtyProgram, word: string, texts = IN_ENGLISH): Promise<void> {
  await program.waitFor(texts.asked(word))
  await hearKeys(program, texts)
  let typed = ''
  for (const letter of word) {
    typed += letter
    program.press(letter)
    if (letter !== ' ') await program.waitFor(new RegExp(`${texts.typed} +${typed}$`, 'm'))
  }
  await calmly()
}

/** Waits so long behind letters that were shown that an Enter counts. */
export const calmly = (): Promise<void> => setTimeout(CALM_MS)

/** Types the word that money asks for, and Enter. */
export async function typeWord(program: PtyProgram, word: string): Promise<void> {
  await typeWordOnly(program, word)
  await enterUntil(program, 'Where is the transaction?')
}

/**
 * Presses Enter behind a word, and once more where a check was not known in that moment and is known again: `calm` stands
 * there once another key has taken the sentence away.
 */
export async function enterUntil(
  program: PtyProgram,
  wanted: string,
  texts = { unknown: 'A check was not known when Enter came', calm: IN_ENGLISH.calm },
): Promise<void> {
  for (;;) {
    program.press(ENTER)
    await program.waitFor(new RegExp(`${escaped(wanted)}|${escaped(texts.unknown)}`))
    if (program.screen().join('\n').includes(wanted)) return
    program.press('x')
    program.press('\x7f')
    await program.waitFor(texts.calm)
    await calmly()
  }
}

const escaped = (text: string) => text.replace(/[?.*+^$(){}|[\]\\]/g, '\\$&')

/** Empties the line until keys count, or until the screen says what is waited for beside; a key too many changes nothing. */
export async function hearKeys(
  program: PtyProgram,
  { early, typed, calm }: WordTexts = IN_ENGLISH,
  beside = /(?!)/,
): Promise<void> {
  const isBeside = () => beside.test(program.screen().join('\n'))
  const waitFor = (text: string, limitMs?: number) =>
    program.waitFor(new RegExp(`${text}|${beside.source}`, 'm'), limitMs)
  program.press('x')
  await waitFor(`${early}|${typed} +x$`)
  let looks = 0
  do {
    if (isBeside()) return
    program.press(CTRL_U)
    await waitFor(calm, LOOK_MS).catch(() => undefined)
    looks += 1
    // What else the desk has to say stands in the place of this line, also within the first second.
  } while (looks < LOOKS && !program.screen().join('\n').includes(calm))
  await waitFor(calm)
  await waitFor(`${typed}\\s*$`)
}
