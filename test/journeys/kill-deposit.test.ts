import { describe, test } from 'vitest'
import { sampled } from '../support/hard.ts'
import { atLine, atSending, atSignature, killAndResume } from '../support/kills.ts'

/** In the sample the others have a moment beside them: a signature that was not written down, bytes that left or did not. */
const LINES = ['agreed', 'prepared', 'signed', 'handed-over', 'included', 'ended'].map(
  (type) => `deposit.${type}`,
)

describe('a process that dies over the first deposit is followed by another one at once', () => {
  test('before it is written down that it was agreed to', () =>
    killAndResume(atLine('deposit.agreed', 'before'), 'at once'))
  test.each(sampled(LINES, 8))('after the line %s', (type) => killAndResume(atLine(type, 'after'), 'at once'))
  test('in the middle of the line deposit.signed', () =>
    killAndResume(atLine('deposit.signed', 'torn'), 'at once'))
  test('with a signature that was never written down', () =>
    killAndResume(atSignature(1, 'after'), 'at once'))
  test('before the bytes leave', () => killAndResume(atSending(1, 'before'), 'at once'))
  test('before the reply to the bytes comes', () => killAndResume(atSending(1, 'after'), 'at once'))
  test('before it is written down that they are mined', () =>
    killAndResume(atLine('deposit.included', 'before'), 'at once'))
})

const MOMENTS: readonly [what: string, dies: () => ReturnType<typeof atLine>][] = [
  ['with signed bytes in the journal', () => atLine('deposit.signed', 'after')],
  ['before the reply to the bytes comes', () => atSending(1, 'after')],
  ['before it is written down that they are mined', () => atLine('deposit.included', 'before')],
]
/** Both ways to go on and each moment are in the sample. */
const RESUMED = (['some slots later', 'while no endpoint answers'] as const).flatMap((afterwards) =>
  MOMENTS.map(([what, dies]) => [afterwards, what, dies] as const),
)

test.each(sampled(RESUMED, 20))(
  'a process that dies over the first deposit is followed by another one %s: %s',
  (afterwards, _, dies) => killAndResume(dies(), afterwards),
)

test('bytes that were dropped before a block took them are handed over again by the next process', () =>
  killAndResume(atSending(1, 'after'), 'after the pool was emptied'))
