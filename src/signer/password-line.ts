import type { PromptWords } from '../core/base/effects/effects.ts'
import { formatWei } from '../core/base/format/amount.ts'
import { padRight } from '../core/base/format/drawable.ts'
import { groupHex, type Hex } from '../core/base/format/hex.ts'
import { decodeDepositCalldata } from '../core/chain/deposit/calldata.ts'
import type { Eip1559Transaction } from './read-transaction.ts'

/** What has been typed so far. `held` is what followed the ESC of a sequence that is not over yet. */
export type PasswordLine = { typed: number[]; held: number[] | undefined }

/** What one byte did to the line. */
export type PasswordStep = 'typing' | 'done' | 'cancelled'

const ENTER = [0x0d, 0x0a]
const BACKSPACE = [0x08, 0x7f]
const CANCEL = [0x03, 0x04, 0x1c]
const CLEAR = 0x15
const ESCAPE = 0x1b
const BELL = 0x07
const BACKSLASH = 0x5c
/** What follows ESC in a key of several bytes: CSI and SS3. */
const BRACKET = 0x5b
const KEY_STARTS = [BRACKET, 0x4f]
/** What follows ESC in a terminal's reply that ends with BEL or ESC \. */
const REPLY_STARTS = [0x5d, 0x50, 0x58, 0x5e, 0x5f]

/** Returns an empty line. */
export function newPasswordLine(): PasswordLine {
  return { typed: [], held: undefined }
}

/**
 * Takes one byte from a terminal in raw mode into the line. Enter ends it, Backspace takes back one character
 * (all bytes of it), Ctrl-U all; Ctrl-C, Ctrl-D and Ctrl-\ cancel. Escape sequences (arrow keys, the marks around
 * a paste) and other control characters never become part of the password.
 */
export function typeByte(line: PasswordLine, byte: number): PasswordStep {
  if (CANCEL.includes(byte)) return 'cancelled'
  if (line.held !== undefined && !ENTER.includes(byte)) {
    line.held = nextHeld(line.held, byte)
    return 'typing'
  }
  line.held = undefined
  if (ENTER.includes(byte)) return 'done'
  if (byte === ESCAPE) line.held = []
  else if (byte === CLEAR) wipe(line)
  else if (BACKSPACE.includes(byte)) rubOut(line)
  else if (byte >= 0x20) line.typed.push(byte)
  return 'typing'
}

/** Forgets what was typed. */
function wipe(line: PasswordLine): void {
  line.typed.fill(0)
  line.typed.length = 0
}

/** Ends an escape sequence that nothing followed: it was the Esc key by itself, and means nothing here. */
export function endLoneEscape(line: PasswordLine): void {
  if (line.held?.length === 0) line.held = undefined
}

/** A sequence is ESC and one byte, ESC [ (or O) up to a letter or ~, ESC [ [ and one byte, or a terminal's reply. */
function nextHeld(held: number[], byte: number): number[] | undefined {
  const [start] = held
  if (start !== undefined && REPLY_STARTS.includes(start)) {
    const over = byte === BELL || (byte === BACKSLASH && held.at(-1) === ESCAPE)
    return over ? undefined : [start, byte]
  }
  if (byte === ESCAPE) return []
  if (start === undefined) return [...KEY_STARTS, ...REPLY_STARTS].includes(byte) ? [byte] : undefined
  if (held.length === 1 && start === BRACKET && byte === BRACKET) return [start, byte]
  return byte >= 0x40 && byte <= 0x7e ? undefined : [...held, byte]
}

function rubOut(line: PasswordLine): void {
  let byte = line.typed.pop()
  while (byte !== undefined && (byte & 0xc0) === 0x80) byte = line.typed.pop()
}

/** The keyboard behind a password prompt. It is read all the time, so that nothing is left for whoever comes next. */
export type PasswordKeys = {
  /** Takes out what was typed before now; whether there was anything. */
  dropEarly(): Promise<boolean>
  /**
   * The line that is typed from now on, up to its Enter. The caller wipes it. An Enter before any letter within the first
   * second was meant for what was shown before: it is dropped, and `dropped` is called.
   */
  line(dropped: () => void): Promise<Buffer>
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
/** So long nobody has read the question yet. */
const UNREAD_MS = 1_000
/** Turns of the event loop after which everything that was typed before has been read. */
const TURNS_TO_DRAIN = 4

/** Where keys come from. */
type Keyboard = { on(event: string, listener: (chunk: Buffer) => void): unknown }

/** Listens to a terminal in raw mode. `nowMs` is a clock that never goes back. */
export function listenToKeys(input: Keyboard, nowMs: () => number = () => performance.now()): PasswordKeys {
  const line = newPasswordLine()
  const typed = Promise.withResolvers<Buffer>()
  const cancelled = Promise.withResolvers<void>()
  let taking = false
  let askedAtMs = Number.NEGATIVE_INFINITY
  let drop = (): void => undefined
  let droppedAtMs = Number.NEGATIVE_INFINITY
  let ending: NodeJS.Timeout | undefined

  const take = (byte: number): void => {
    if (!taking) droppedAtMs = nowMs()
    const step = typeByte(line, byte)
    if (taking && step === 'done' && line.typed.length === 0 && nowMs() - askedAtMs < UNREAD_MS) {
      drop()
      return
    }
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
  const left = () => droppedAtMs + QUIET_MS - nowMs()
  for (const end of ['end', 'error']) input.on(end, () => cancelled.resolve())
  return {
    async dropEarly() {
      for (let turn = 0; turn < TURNS_TO_DRAIN; turn += 1) await nextTurn()
      return droppedAtMs > 0
    },
    line(dropped) {
      drop = dropped
      askedAtMs = nowMs()
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

const LABEL_WIDTH = 16
/** Twelve groups of four digits with their spaces, behind `0x`: as much as fits beside a label in 80 columns. */
const VALUE_WIDTH = 61

const PAYMENTS = {
  first: 'first deposit',
  'top-up': 'top-up',
  rescue: 'first deposit of a burnt key',
} as const

/**
 * What is about to be signed, in lines of at most 80 columns: everything but names is read from the transaction itself,
 * which must be a deposit or a transfer of nothing (`checkPurpose`). `from` is the account that must sign.
 */
export function transactionLines(
  transaction: Eip1559Transaction,
  from: Hex | undefined,
  { network, token, speedsUp, arrived }: PromptWords,
): string[] {
  const { chainId, nonce, value, gas, maxFeePerGas, to, data } = transaction
  const deposit = data === '0x' ? undefined : decodeDepositCalldata(data)
  const payment =
    deposit === undefined
      ? [
          `cancellation: 0 ${token} to the account itself`,
          `nonce ${nonce} is used up, so the payment cannot happen`,
        ]
      : [`${PAYMENTS[deposit.kind]} of ${formatWei(value)} ${token}`]
  const again = speedsUp ? ['speeds up the payment: same nonce, higher fee, paid once'] : []
  const others = arrived === '' ? [] : [`${arrived} ${token}, not by this program; this comes on top`]
  return [
    ` Sign this transaction with your keystore?`,
    '',
    ...row('network', [`${network}, chain ${chainId}`]),
    ...row('payment', payment),
    ...row('replacement', again),
    ...row('others paid', others),
    ...(deposit === undefined ? [] : row('validator', grouped(deposit.pubkey))),
    ...(deposit === undefined ? [] : row('contract', grouped(to))),
    ...row('paying account', from === undefined ? [] : grouped(from)),
    ...row('nonce, cost', [`${nonce} · costs at most ${formatWei(gas * maxFeePerGas)} ${token}`]),
  ]
}

export function row(label: string, values: readonly string[]): string[] {
  return values.map((value, at) => `   ${padRight(at === 0 ? label : '', LABEL_WIDTH)}${value}`)
}

export function grouped(hex: Hex): string[] {
  const words = groupHex(hex)
  if (words.length <= VALUE_WIDTH) return [words]
  const cut = VALUE_WIDTH
  return [words.slice(0, cut), `  ${words.slice(cut).trim()}`]
}
