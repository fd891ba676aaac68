import type { ReadStream } from 'node:tty'
import { endLoneEscape, newPasswordLine, typeByte, wipe } from './password-line.ts'

/** The keyboard behind a password prompt. It is read all the time, so that nothing is left for whoever comes next. */
export type PasswordKeys = {
  /** Takes out what was typed before now; whether there was anything. */
  dropEarly(): Promise<boolean>
  /** The line that is typed from now on, up to its Enter. The caller wipes it. */
  line(): Promise<Buffer>
  /** Resolves on Ctrl-C and its kind, whenever it is pressed, and when the keyboard is gone. */
  cancelled: Promise<void>
  /** Resolves once no key has been dropped for a moment: somebody may be in the middle of typing the line again. */
  quiet(): Promise<void>
  /** Forgets what was typed. */
  forget(): void
}

const MAX_BYTES = 4096
/** How long the rest of an escape sequence may take; then it was the Esc key. */
const ESCAPE_MS = 100
const QUIET_MS = 300
/** Turns of the event loop after which everything that was typed before has been read. */
const TURNS_TO_DRAIN = 4

/** Listens to a terminal in raw mode. */
export function listenToKeys(input: ReadStream): PasswordKeys {
  const line = newPasswordLine()
  const typed = Promise.withResolvers<Buffer>()
  const cancelled = Promise.withResolvers<void>()
  let taking = false
  let droppedAtMs = Number.NEGATIVE_INFINITY
  let ending: NodeJS.Timeout | undefined

  const take = (byte: number): void => {
    if (!taking) droppedAtMs = performance.now()
    const step = typeByte(line, byte)
    if (step === 'cancelled' || line.typed.length > MAX_BYTES) cancelled.resolve()
    if (taking && step === 'typing') return
    if (taking && step === 'done') typed.resolve(Buffer.from(line.typed))
    if (step === 'done') taking = false
    wipe(line)
  }
  input.on('data', (chunk: Buffer) => {
    clearTimeout(ending)
    for (const byte of chunk) take(byte)
    chunk.fill(0)
    ending = setTimeout(() => endLoneEscape(line), ESCAPE_MS)
  })
  const left = () => droppedAtMs + QUIET_MS - performance.now()
  for (const end of ['end', 'error']) input.on(end, () => cancelled.resolve())
  return {
    async dropEarly() {
      for (let turn = 0; turn < TURNS_TO_DRAIN; turn += 1) await nextTurn()
      return droppedAtMs > 0
    },
    line() {
      taking = true
      return typed.promise
    },
    cancelled: cancelled.promise,
    async quiet() {
      for (let leftMs = left(); leftMs > 0; leftMs = left()) await pause(leftMs)
    },
    forget: () => wipe(line),
  }
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs)
  })
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
