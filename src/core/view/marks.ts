import type { Mark } from './view.ts'

/** How each mark is drawn, on screens and on lines alike: its sign, the same in plain ASCII, and how loud it is. */
export const MARKS: Readonly<Record<Mark, { sign: string; ascii: string; tone: MarkTone }>> = {
  proven: { sign: '✔', ascii: 'ok', tone: 'good' },
  given: { sign: '*', ascii: '*', tone: 'text' },
  refused: { sign: '✘', ascii: 'NO', tone: 'bad' },
  unknown: { sign: '?', ascii: '??', tone: 'warn' },
  asking: { sign: '…', ascii: '..', tone: 'dim' },
  unasked: { sign: '·', ascii: '-', tone: 'dim' },
}

/** How loud a mark is; what each tone looks like is in the theme of the screens. */
export type MarkTone = 'good' | 'bad' | 'warn' | 'dim' | 'text'
