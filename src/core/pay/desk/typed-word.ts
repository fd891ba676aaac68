const SETTLE_MS = 1000

const BURST_MS = 30

/** So many characters beyond the word are taken, so that a mistake is seen. */
const MOST_BEYOND = 8

/**
 * Why the last key had no effect: too early, a paste, an Enter too close to its letters, another word, no more room, or an
 * Enter while nobody knew whether the offer holds.
 */
export type WordRefusal = 'early' | 'pasted' | 'hasty' | 'another' | 'full' | 'unknown'

/**
 * Letters of one line, typed key by key, and when the first and the last key of it came on the clock. `inOneBurst`: no key
 * of it came 30 ms or more behind the one before. `isEntered`: an Enter behind it did not count, so that what follows may be
 * a password that is typed too early.
 */
export type TypedLine = {
  text: string
  begunAtMs: number
  lastKeyAtMs: number
  inOneBurst: boolean
  isEntered?: boolean
}

/** What has been typed of a word so far, and when each thing happened on the clock. */
export type TypedWord = Pick<TypedLine, 'text' | 'lastKeyAtMs' | 'isEntered'> & {
  shownAtMs: number
  confirmed: boolean
  refusal?: WordRefusal
}

/** A key press that concerns a typed line; `paste`: a text between the marks of a terminal. */
export type WordKey =
  | { kind: 'character'; text: string }
  | { kind: 'rub' }
  | { kind: 'clear' }
  | { kind: 'paste' }
  | { kind: 'enter' }

/**
 * A line after one more key of it, none where it is empty. Letters count however close together they come, since a slow
 * line hands them over in bursts; a paste adds nothing, and an Enter nothing but its moment.
 */
export function lineAfter(line: TypedLine | undefined, key: WordKey, nowMs: number): TypedLine | undefined {
  const text = textAfter(line ?? { text: '' }, key)
  if (text === '') return undefined
  const inOneBurst = line === undefined || (line.inOneBurst && isHasty(line, nowMs))
  const isEntered = isEnteredAfter(line?.isEntered, key)
  return { text, begunAtMs: line?.begunAtMs ?? nowMs, lastKeyAtMs: nowMs, inOneBurst, isEntered }
}

/** What is typed behind an Enter that did not count is not shown, until something is rubbed out. */
const isEnteredAfter = (isEntered = false, { kind }: WordKey): boolean =>
  kind === 'enter' || (isEntered && kind !== 'rub' && kind !== 'clear')

/** Stands for a letter that is not shown, and is in no word. */
const HIDDEN = '*'

function textAfter({ text, isEntered = false }: Pick<TypedLine, 'text' | 'isEntered'>, key: WordKey): string {
  switch (key.kind) {
    case 'rub':
      return [...text].slice(0, -1).join('')
    case 'clear':
      return ''
    case 'character':
      return [...key.text].length === 1 ? text + (isEntered ? HIDDEN : key.text) : text
    case 'paste':
    case 'enter':
      return text
  }
}

/**
 * Why an Enter behind a line does not count: `hasty` where it comes within 30 ms of the key before it, so that nobody can
 * have looked in between; `pasted` where the whole line came so, and the terminal would not have marked a paste.
 */
export function enterRefusal(
  line: TypedLine | undefined,
  { nowMs, marksPastes }: { nowMs: number; marksPastes: boolean },
): 'hasty' | 'pasted' | undefined {
  if (line === undefined || !isHasty(line, nowMs)) return undefined
  return line.inOneBurst && !marksPastes ? 'pasted' : 'hasty'
}

/** Whether a key comes so close to the one before that nobody can have looked in between. */
export const isHasty = ({ lastKeyAtMs }: Pick<TypedLine, 'lastKeyAtMs'>, nowMs: number): boolean =>
  nowMs - lastKeyAtMs < BURST_MS

/**
 * A typed word after one more key: nothing counts in the first second, a paste never counts, and Enter counts only when
 * the word is there and it comes at least 30 ms after the last key. A key without effect leaves its reason.
 */
export function typeWord(
  state: TypedWord,
  key: WordKey,
  options: { word: string; nowMs: number },
): TypedWord {
  const { nowMs } = options
  const { refusal: _, ...rest } = state
  const next = { ...rest, lastKeyAtMs: nowMs }
  if (state.confirmed) return next
  const isEntered = state.text !== '' && isEnteredAfter(state.isEntered, key)
  const refusal = refusalOf(state, key, options)
  if (refusal !== undefined) return { ...next, isEntered, refusal }
  if (key.kind === 'enter') return { ...next, isEntered, confirmed: true }
  return { ...next, isEntered, text: textAfter(state, key) }
}

function refusalOf(
  state: TypedWord,
  key: WordKey,
  { word, nowMs }: { word: string; nowMs: number },
): WordRefusal | undefined {
  if (nowMs - state.shownAtMs < SETTLE_MS) return 'early'
  if (key.kind === 'paste') return 'pasted'
  if (key.kind === 'character') return state.text.length >= word.length + MOST_BEYOND ? 'full' : undefined
  if (key.kind !== 'enter') return undefined
  if (state.text !== word) return 'another'
  return isHasty(state, nowMs) ? 'hasty' : undefined
}

/** Why a whole line has no effect where a word is asked for: too early, with other lines as a paste comes, another word. */
export type LineRefusal = 'early' | 'pasted' | 'another'

/** Returns a line in the place of keys, for the wizard by lines: undefined where it is the word. */
export function judgeLine(
  line: { text: string; begunAtMs: number; atOnce: boolean },
  { word, askedAtMs }: { word: string; askedAtMs: number },
): LineRefusal | undefined {
  if (line.begunAtMs - askedAtMs < SETTLE_MS) return 'early'
  if (line.atOnce) return 'pasted'
  return line.text === word ? undefined : 'another'
}
