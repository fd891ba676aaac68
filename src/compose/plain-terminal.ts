import type { Clock } from '../core/base/effects/effects.ts'
import { createNodeClock } from '../core/base/effects/node-clock.ts'
import { plainAscii } from '../core/base/format/text.ts'
import { createSecretGate, type SecretGate } from '../hooks/secret-gate.ts'
import { columnsOf } from '../output/fact-lines.ts'
import type { ConverseInput } from '../plain/converse.ts'
import { type LineInput, lineInput } from '../plain/line-input.ts'
import { NODE_TIMERS } from '../terminal/drop-typed.ts'
import { PASTE_MARKS } from '../terminal/keys.ts'
import type { Ending } from './ending.ts'

/** Where lines are written: whole ones, and the beginning of one that is typed on. */
export type PlainOutput = { out(text: string): void; prompt(text: string): void }

function markPastes(on: boolean): void {
  process.stdout.write(on ? PASTE_MARKS.on : PASTE_MARKS.off)
}

/** Returns the lines of this terminal: what is typed, and where it is answered. At the end it is left as it was. */
export function plainTerminal(
  ending: Pick<Ending, 'atLast'>,
  { out, prompt }: PlainOutput,
): { input: LineInput; voice: ConverseInput['voice']; clock: Clock; secret: SecretGate } {
  const clock = createNodeClock()
  const secret = createSecretGate(clock)
  const { TERM = 'dumb' } = process.env
  // One that knows nothing but letters is told nothing else.
  const marksPastes = process.stdout.isTTY && TERM !== 'dumb'
  const input = lineInput(process.stdin, {
    ...NODE_TIMERS,
    nowMs: () => clock.monotonicMs(),
    interrupt: () => void process.emit('SIGINT'),
    marksPastes,
    markPastes,
    secret,
  })
  ending.atLast(input.close)
  return {
    clock,
    input,
    secret,
    voice: {
      line: (text) => out(plainAscii(text)),
      prompt: (text) => prompt(plainAscii(text)),
      columns: () => columnsOf(process.stdout),
    },
  }
}
