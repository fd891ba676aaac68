import { invisibleFault, onlyDrawable } from '../core/base/format/drawable.ts'
import type { PlainDesk } from './desk.ts'
import type { LineInput } from './line-input.ts'
import { createPrinter, type Shown, type Voice } from './printer.ts'
import type { TypedTextLine } from './turn.ts'

export type ConverseInput = {
  desk: PlainDesk
  input: Pick<LineInput, 'isTerminal' | 'take' | 'forget' | 'byKey' | 'isOver' | 'subscribe'>
  voice: Voice
  clock: { monotonicMs(): number; sleep(delayMs: number, signal?: AbortSignal): Promise<void> }
  /** Ends the conversation. */
  signal: AbortSignal
}

export type Conversation = {
  /** Resolves when the person, the input or the signal has ended it. */
  end: Promise<void>
  /** Nothing is said or heard while the work is under way. */
  pause(work: () => Promise<void>): Promise<void>
}

const TICK_MS = 1_000
const PASTED = 'Several lines came at once, as in a paste: nothing was done.'
const CONTROL = /\p{Cc}/u
const UNSEEN = 'That line has characters that cannot be seen, such as arrow keys. Type it again.'
const TOO_EARLY = 'A line came before there was a question: it was dropped.'

/** Says what there is, asks, and does what is typed, one line after the other. */
export function converse({ desk, input, voice, clock, signal }: ConverseInput): Conversation {
  const printer = createPrinter(voice)
  const bell = createBell()
  const stop = new AbortController()
  let pauses = 0
  let listensTo: Shown | undefined

  /** The word that sends money is read by key: a terminal that hands over whole lines does not tell a paste. */
  function listen(): void {
    const shown = printer.shown()
    if (shown === listensTo) return
    listensTo = shown
    input.byKey(shown?.turn.page.ask.kind === 'word' ? printer.echo : undefined)
  }

  async function takeLine(line: TypedTextLine, { turn, askedAtMs }: Shown): Promise<void> {
    const isWord = turn.page.ask.kind === 'word'
    printer.typed(line.text, { echo: !input.isTerminal, atMs: line.begunAtMs })
    if (line.atOnce && (isWord || input.isTerminal)) input.forget()
    const text = isWord ? line.text : line.text.trim()
    const fault = faultOf(line, { isWord, isTerminal: input.isTerminal })
    const reply = fault === undefined ? await turn.takeLine({ ...line, text }, askedAtMs) : { say: [fault] }
    for (const sentence of reply.say ?? []) printer.say(sentence)
    for (const command of reply.commands ?? []) printer.sayWhole(command)
    if (!signal.aborted) printer.askAgain(desk.turn(), clock.monotonicMs(), { whole: reply.again === true })
    listen()
  }

  /** One look: what has changed is said, and the next line is done; whether there was one. */
  async function printNews(): Promise<boolean> {
    if (pauses > 0) return false
    const before = printer.shown()
    printer.present(desk.turn(), clock.monotonicMs())
    listen()
    const shown = printer.shown()
    const isNewWord = shown !== before && shown?.turn.page.ask.kind === 'word'
    if (isNewWord && before?.turn.page.id !== shown?.turn.page.id) input.forget()
    if (shown === undefined && !input.isTerminal) return false
    const line = input.take()
    if (line === undefined) return false
    if (shown === undefined) printer.say(TOO_EARLY)
    else await takeLine(line, shown)
    return true
  }

  async function run(): Promise<void> {
    desk.subscribe(bell.ring)
    input.subscribe(bell.ring)
    signal.addEventListener('abort', bell.ring)
    const ticking = tick(clock, stop.signal, bell.ring)
    desk.begin()
    while (!signal.aborted) {
      const news = bell.next()
      if (await printNews()) continue
      if (input.isOver()) break
      await news
    }
    desk.leave()
    stop.abort()
    await ticking
  }

  return {
    end: run(),
    async pause(work) {
      pauses += 1
      try {
        await work()
      } finally {
        pauses -= 1
        bell.ring()
      }
    },
  }
}

function faultOf(
  line: TypedTextLine,
  { isWord, isTerminal }: { isWord: boolean; isTerminal: boolean },
): string | undefined {
  if (isWord) return undefined
  if (line.atOnce && isTerminal) return PASTED
  if (onlyDrawable(line.text) === line.text.normalize('NFC')) return undefined
  return (CONTROL.test(line.text) ? undefined : invisibleFault(line.text)) ?? UNSEEN
}

async function tick(clock: ConverseInput['clock'], signal: AbortSignal, ring: () => void): Promise<void> {
  while (!signal.aborted) {
    await Promise.allSettled([clock.sleep(TICK_MS, signal)])
    ring()
  }
}

/** Wakes whoever waits: `next` resolves with the first ring after it was asked for. */
function createBell() {
  let { promise, resolve } = Promise.withResolvers<void>()
  return {
    ring(): void {
      resolve()
      ;({ promise, resolve } = Promise.withResolvers<void>())
    },
    next: () => promise,
  }
}
