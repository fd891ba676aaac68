import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TypedWord, typeWord, type WordKey } from '../../../../src/core/steps/desk/typed-word.ts'

const WORD = 'send 10,000'
const SHOWN_AT_MS = 5_000
const fresh: TypedWord = { text: '', shownAtMs: SHOWN_AT_MS, lastKeyAtMs: 0, confirmed: false }

type Timed = { key: WordKey; afterMs: number }

function play(keys: readonly Timed[]): TypedWord {
  let nowMs = SHOWN_AT_MS
  let state = fresh
  for (const { key, afterMs } of keys) {
    nowMs += afterMs
    state = typeWord(state, key, { word: WORD, nowMs })
  }
  return state
}

const letters = (text: string, afterMs: number): Timed[] =>
  [...text].map((letter) => ({ key: { kind: 'character', text: letter }, afterMs }))
const enter = (afterMs: number): Timed => ({ key: { kind: 'enter' }, afterMs })
const firstSecond: Timed = { key: { kind: 'rub' }, afterMs: 1000 }

describe('typing a word before money leaves', () => {
  it('confirms when the word stands there and Enter follows calmly', () => {
    expect(play([firstSecond, ...letters(WORD, 50), enter(100)]).confirmed).toBe(true)
  })

  it('does not hear anything in the first second', () => {
    expect(play([...letters(WORD, 10), enter(50)])).toMatchObject({ text: '', confirmed: false })
  })

  it('does not confirm by Enter alone, by a part, or by more than the word', () => {
    for (const text of ['', 'send', `${WORD}0`, 'SEND 10,000']) {
      expect(play([firstSecond, ...letters(text, 50), enter(100)]).confirmed).toBe(false)
    }
  })

  it('does not count an Enter that comes in one burst with the letters', () => {
    expect(play([firstSecond, ...letters(WORD, 0), enter(29)]).confirmed).toBe(false)
    expect(play([firstSecond, ...letters(WORD, 0), enter(30)]).confirmed).toBe(true)
  })

  it('does not take several characters at once', () => {
    const whole: Timed = { key: { kind: 'character', text: WORD }, afterMs: 100 }
    expect(play([firstSecond, whole, enter(100)])).toMatchObject({ text: '', confirmed: false })
  })

  it('says why a key had no effect, until the next one has', () => {
    expect(play(letters('s', 10)).refusal).toBe('early')
    expect(play([firstSecond, ...letters('sned', 50), enter(100)])).toMatchObject({
      text: 'sned',
      refusal: 'another',
    })
    expect(play([firstSecond, ...letters(WORD, 0), enter(29)]).refusal).toBe('hasty')
    expect(play([firstSecond, ...letters('x'.repeat(30), 50)])).toMatchObject({
      text: 'x'.repeat(WORD.length + 8),
      refusal: 'full',
    })
    expect(play([firstSecond, enter(50), ...letters('s', 50)]).refusal).toBeUndefined()
  })

  it('is emptied at once, and typed anew', () => {
    const clear: Timed = { key: { kind: 'clear' }, afterMs: 50 }
    const keys = [firstSecond, ...letters('x'.repeat(30), 50), clear, ...letters(WORD, 50), enter(100)]
    expect(play(keys)).toMatchObject({ text: WORD, confirmed: true })
  })

  it('lets a wrong letter be rubbed out', () => {
    const keys = [firstSecond, ...letters('sendx', 50), { key: { kind: 'rub' }, afterMs: 50 } as const]
    expect(play([...keys, ...letters(' 10,000', 50), enter(100)]).confirmed).toBe(true)
  })

  it('never confirms unless exactly the word was on the screen when a calm Enter came', () => {
    const key: fc.Arbitrary<WordKey> = fc.oneof(
      fc.record({ kind: fc.constant('character' as const), text: fc.constantFrom(...WORD, 'x', WORD, 'se') }),
      fc.constant<WordKey>({ kind: 'rub' }),
      fc.constant<WordKey>({ kind: 'clear' }),
      fc.constant<WordKey>({ kind: 'enter' }),
    )
    const timed = fc.record({ key, afterMs: fc.nat(400) })
    fc.assert(
      fc.property(fc.array(timed, { maxLength: 40 }), (keys) => {
        const before = play(keys.slice(0, -1))
        const after = play(keys)
        const last = keys.at(-1)
        if (!after.confirmed || before.confirmed || last === undefined) return
        expect(before.text).toBe(WORD)
        expect(last.key.kind).toBe('enter')
        expect(last.afterMs).toBeGreaterThanOrEqual(30)
      }),
      { numRuns: 2000 },
    )
  })
})
