const SETTLE_MS = 1000

const BURST_MS = 30

/** So many characters beyond the word are taken, so that a mistake is seen. */
const MOST_BEYOND = 8

/** Why the last key had no effect: too early, an Enter too close to its letters, another word, no more room. */
export type WordRefusal = 'early' | 'hasty' | 'another' | 'full'

/** What has been typed of a word so far, and when each thing happened on the clock. */
export type TypedWord = {
  text: string
  shownAtMs: number
  lastKeyAtMs: number
  confirmed: boolean
  refusal?: WordRefusal
}

/** A key press that concerns a typed word. */
export type WordKey =
  | { kind: 'character'; text: string }
  | { kind: 'rub' }
  | { kind: 'clear' }
  | { kind: 'enter' }

/**
 * A typed word after one more key: nothing counts in the first second, several characters at
 * once never count, and Enter counts only when the word is there and it comes at least 30 ms after its last key.
 * A key without effect leaves its reason.
 */
export function typeWord(
  state: TypedWord,
  key: WordKey,
  options: { word: string; nowMs: number },
): TypedWord {
  const { word, nowMs } = options
  const { refusal: _, ...rest } = state
  const next = { ...rest, lastKeyAtMs: nowMs }
  if (state.confirmed) return next
  if (nowMs - state.shownAtMs < SETTLE_MS) return { ...next, refusal: 'early' }
  switch (key.kind) {
    case 'rub':
      return { ...next, text: state.text.slice(0, -1) }
    case 'clear':
      return { ...next, text: '' }
    case 'enter':
      if (state.text !== word) return { ...next, refusal: 'another' }
      if (nowMs - state.lastKeyAtMs < BURST_MS) return { ...next, refusal: 'hasty' }
      return { ...next, confirmed: true }
    case 'character':
      if ([...key.text].length !== 1) return next
      if (state.text.length >= word.length + MOST_BEYOND) return { ...next, refusal: 'full' }
      return { ...next, text: state.text + key.text }
  }
}

/** Why a whole line has no effect where a word is asked for: too early, all at once as a paste comes, another word. */
export type LineRefusal = 'early' | 'pasted' | 'another'

/** A line in the place of keys, for the wizard by lines: undefined where it is the word. */
export function judgeLine(
  line: { text: string; begunAtMs: number; atOnce: boolean },
  { word, askedAtMs }: { word: string; askedAtMs: number },
): LineRefusal | undefined {
  if (line.begunAtMs - askedAtMs < SETTLE_MS) return 'early'
  if (line.atOnce) return 'pasted'
  return line.text === word ? undefined : 'another'
}

/** A line that is typed key by key. `keysAtMs`: when its last keys came. */
export type LineByKey = { text: string; begunAtMs: number; keysAtMs: readonly number[]; atOnce: boolean }

/** The fingers of nobody press so many keys within `BURST_MS`. */
const KEYS_OF_A_BURST = 3

/**
 * A line after one more key of it; without one before it is a new line. It came at once where three keys, or a letter
 * and its Enter, came within 30 ms: that stands until the line is empty again.
 */
export function lineAfter(
  line: LineByKey | undefined,
  key: { is: 'letter' | 'enter' | 'rub' | 'paste'; text: string },
  nowMs: number,
): LineByKey {
  const { text, begunAtMs, keysAtMs, atOnce } = line ?? {
    text: '',
    begunAtMs: nowMs,
    keysAtMs: [],
    atOnce: false,
  }
  const recent = [...keysAtMs, nowMs].slice(-KEYS_OF_A_BURST)
  const since = recent.at(key.is === 'enter' ? -2 : -KEYS_OF_A_BURST) ?? Number.NEGATIVE_INFINITY
  const isBurst = key.is === 'paste' || (text !== '' && nowMs - since < BURST_MS)
  const next = key.is === 'rub' ? [...text].slice(0, -1).join('') : text + key.text
  return { text: next, begunAtMs, keysAtMs: recent, atOnce: atOnce || isBurst }
}
