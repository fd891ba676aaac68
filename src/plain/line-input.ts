import { StringDecoder } from 'node:string_decoder'
import { enterRefusal, lineAfter, type TypedLine, type WordKey } from '../core/pay/desk/typed-word.ts'
import type { SecretGate } from '../hooks/secret-gate.ts'
import { createTypedDropper, type TerminalInput, type TerminalTimers } from '../terminal/drop-typed.ts'
import { createKeyReader, PATIENCE_MS } from '../terminal/keys.ts'
import type { TypedTextLine } from './turn.ts'

/** The lines that are typed. */
export type LineInput = {
  isTerminal: boolean
  /** The next line that came. */
  take(): TypedTextLine | undefined
  /** Forgets what came and was not taken. */
  forget(): void
  /**
   * On a terminal a new line begins that is read key by key, not shown by the terminal but through the echo; without
   * an echo the terminal makes lines again, and shows them. What is typed behind a line that was read so is dropped until
   * the next one begins: it may be the password that the line leads to.
   */
  byKey(echo: Echo | undefined): void
  /** Whether nothing more can come, and all was taken. */
  isOver(): boolean
  subscribe(listener: () => void): void
  /** Leaves the keyboard to a child process, without echo; the answer takes it back, without what was typed meanwhile. */
  suspend(): () => Promise<void>
  /** Drops what is typed from now on, without echo, until it is closed; Ctrl-C is heard. */
  drop(): void
  /** Reads a terminal empty, and leaves it as it was before. */
  close(): Promise<void>
}

/**
 * Shows what is typed: one more letter, all that stands on the line where it was made shorter, its end, and why a paste
 * or an Enter had no effect, above what stands on the line.
 */
export type Echo = {
  letter(text: string): void
  anew(text: string): void
  end(): void
  refused(why: 'pasted' | 'hasty', text: string): void
}

export type LineInputEffects = TerminalTimers & {
  nowMs(): number
  /** Ctrl-C where the terminal makes no signal of it. */
  interrupt(): void
  /** Whether the terminal marks what is pasted where it is asked to. */
  marksPastes: boolean
  /** Asks it to, or not to any more. */
  markPastes(on: boolean): void
  /** Which keys are dropped between a typed word and its password prompt. */
  secret?: Pick<SecretGate, 'get' | 'subscribe' | 'mayHear'> | undefined
}

/** Lines that follow one another faster than this on a terminal are a paste. */
const BURST_MS = 30
/** A line that never ends is no line. */
const MOST_CHARACTERS = 20_000

const [INTERRUPT, CLEAR, ENTER] = ['\u0003', '\u0015', '\r']
const RUBS = ['\b', '\u007f']
const PASTE_BEGINS = '\u001b[200~'

/** What a key does to the line; none where it does nothing. */
function wordKeyOf(key: string): WordKey | undefined {
  if (key === ENTER) return { kind: 'enter' }
  if (key === CLEAR) return { kind: 'clear' }
  if (RUBS.includes(key)) return { kind: 'rub' }
  if (key.startsWith(PASTE_BEGINS)) return { kind: 'paste' }
  return [...key].length === 1 ? { kind: 'character', text: key } : undefined
}

/**
 * Reads lines. A terminal hands them over one by one however they were made: those that come together count as a paste.
 * From a pipe those of one chunk do. How a line alone was made is only known where it is read by key.
 */
export function lineInput(stdin: TerminalInput, effects: LineInputEffects): LineInput {
  const listeners = new Set<() => void>()
  const isTerminal = stdin.isTTY === true
  const { secret } = effects
  const dropper = createTypedDropper(stdin, effects, effects.interrupt)
  let decoder = new StringDecoder('utf8')
  let rest = ''
  let burst: TypedTextLine[] = []
  let lines: TypedTextLine[] = []
  let cancelTimer: (() => void) | undefined
  let hasEnded = false
  let echo: Echo | undefined
  let reader = createKeyReader()
  let letters: TypedLine | undefined
  let isSuspended = false
  let isBehindLine = false
  let isOver = false
  let isRaw = false
  let isMarked = false

  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const flush = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    const atOnce = burst.length > 1
    lines.push(...burst.map((line) => ({ ...line, atOnce })))
    burst = []
    tell()
  }
  /** Raw mode where keys are read one by one or dropped, and where a child process asks for a password. */
  const setMode = (): void => {
    const isDropped = isOver || secret?.get() !== undefined
    const wanted = isTerminal && (isSuspended || isDropped || echo !== undefined)
    if (wanted !== isRaw) stdin.setRawMode?.(wanted)
    isRaw = wanted
    const byKey = wanted && !isSuspended && !isOver && effects.marksPastes
    if (byKey !== isMarked) effects.markPastes(byKey)
    isMarked = byKey
  }
  /** An Enter that nobody can have pressed after a look at the letters is none: they stay, unless they are a paste. */
  const onEnter = (show: Echo, nowMs: number): void => {
    const { text, begunAtMs } = letters ?? { text: '', begunAtMs: nowMs }
    const refusal = enterRefusal(letters, { nowMs, marksPastes: effects.marksPastes })
    letters = refusal === 'hasty' ? lineAfter(letters, { kind: 'enter' }, nowMs) : undefined
    if (refusal !== undefined) {
      show.refused(refusal, letters?.text ?? '')
      return
    }
    lines.push({ text, begunAtMs, atOnce: false })
    isBehindLine = true
    show.end()
    tell()
  }
  const onKey = (key: string): void => {
    const nowMs = effects.nowMs()
    const pressed = wordKeyOf(key)
    const show = echo
    if (key === INTERRUPT) effects.interrupt()
    else if (secret?.mayHear(key) === false || isBehindLine || show === undefined) dropper.noteKey()
    else if (pressed?.kind === 'enter') onEnter(show, nowMs)
    else if (pressed?.kind === 'character' && (letters?.text.length ?? 0) >= MOST_CHARACTERS) return
    else if (pressed !== undefined) {
      letters = lineAfter(letters, pressed, nowMs)
      if (pressed.kind === 'character') show.letter(letters?.text.at(-1) ?? '')
      else if (pressed.kind === 'paste') show.refused('pasted', letters?.text ?? '')
      else show.anew(letters?.text ?? '')
    }
  }
  const onKeys = (text: string): void => {
    cancelTimer?.()
    cancelTimer = undefined
    for (const key of reader.push(text)) onKey(key)
    const held = reader.holds()
    if (held === 'nothing') return
    // Esc means something only where it ends the wait for a password.
    const patienceMs = secret?.get() === undefined ? PATIENCE_MS.paste : PATIENCE_MS[held]
    cancelTimer = effects.after(patienceMs, () => {
      for (const key of reader.flush()) onKey(key)
    })
  }
  const onLines = (text: string): void => {
    const [first = '', ...more] = `${rest}${text}`.split('\n')
    const whole = [first, ...more].slice(0, -1)
    rest = ([first, ...more].at(-1) ?? '').slice(0, MOST_CHARACTERS)
    if (whole.length === 0) return
    const begunAtMs = effects.nowMs()
    burst.push(...whole.map((line) => ({ text: line.replace(/\r$/, ''), begunAtMs, atOnce: false })))
    if (!isTerminal) flush()
    else {
      cancelTimer?.()
      cancelTimer = effects.after(BURST_MS, flush)
    }
  }
  const onData = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk)
    if (isRaw) onKeys(text)
    else onLines(text)
  }
  const onEnd = (): void => {
    hasEnded = true
    flush()
  }
  const listen = (): void => {
    stdin.on('data', onData)
    stdin.resume()
  }
  const mute = (): void => {
    stdin.off('data', onData)
    stdin.pause()
    cancelTimer?.()
    cancelTimer = undefined
  }
  const forget = (): void => {
    lines = []
    burst = []
    rest = ''
    letters = undefined
    reader = createKeyReader()
    decoder = new StringDecoder('utf8')
  }
  const drop = (): void => {
    if (isOver) return
    isOver = true
    mute()
    if (!isTerminal) return
    setMode()
    dropper.hold()
  }

  stdin.on('end', onEnd)
  stdin.on('error', onEnd)
  secret?.subscribe(setMode)
  listen()
  return {
    isTerminal,
    take: () => lines.shift(),
    forget,
    byKey(show) {
      echo = isTerminal ? show : undefined
      letters = undefined
      isBehindLine = false
      setMode()
    },
    isOver: () => hasEnded && lines.length === 0,
    subscribe: (listener) => void listeners.add(listener),
    suspend() {
      mute()
      isSuspended = true
      setMode()
      return async () => {
        dropper.noteKey()
        await dropper.readEmpty()
        isSuspended = false
        if (isOver) return dropper.hold()
        setMode()
        forget()
        listen()
      }
    },
    drop,
    async close() {
      drop()
      if (isTerminal) {
        await dropper.readEmpty({ untilQuiet: true })
        stdin.setRawMode?.(false)
      }
      stdin.off('end', onEnd)
      stdin.off('error', onEnd)
    },
  }
}
