import { setTimeout } from 'node:timers'
import type { Clock } from '../core/base/effects/effects.ts'
import { createNodeClock } from '../core/base/effects/node-clock.ts'
import { plainAscii } from '../core/base/format/text.ts'
import { columnsOf } from '../output/fact-lines.ts'
import type { ConverseInput } from '../plain/converse.ts'
import { type LineInput, lineInput } from '../plain/line-input.ts'
import { PASTE_MARKS } from '../terminal/keys.ts'
import type { Ending } from './ending.ts'

/** Where lines are written: whole ones, and the beginning of one that is typed on. */
export type PlainOutput = { out(text: string): void; prompt(text: string): void }

function markPastes(on: boolean): void {
  process.stdout.write(on ? PASTE_MARKS.on : PASTE_MARKS.off)
}

/** Returns the lines of this terminal: what is typed, and where it is answered. At the end it is left as it was. */
export function plainTerminal(
  ending: Pick<Ending, 'atLast' | 'begin'>,
  { out, prompt }: PlainOutput,
): { input: LineInput; voice: ConverseInput['voice']; clock: Clock } {
  const clock = createNodeClock()
  const { TERM = 'dumb' } = process.env
  // One that knows nothing but letters is told nothing else.
  const marksPastes = process.stdout.isTTY && TERM !== 'dumb'
  const input = lineInput(process.stdin, {
    nowMs: () => clock.monotonicMs(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    interrupt: ending.begin,
    marksPastes,
    markPastes,
  })
  ending.atLast(() => {
    if (!input.isTerminal) return
    process.stdin.setRawMode(false)
    if (marksPastes) markPastes(false)
  })
  return {
    clock,
    input,
    voice: {
      line: (text) => out(plainAscii(text)),
      prompt: (text) => prompt(plainAscii(text)),
      columns: () => columnsOf(process.stdout),
    },
  }
}
