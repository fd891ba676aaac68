import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  enterRefusal,
  lineAfter,
  type TypedLine,
  type TypedWord,
  typeWord,
  type WordKey,
} from '../../../../src/core/pay/desk/typed-word.ts'

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

  it('counts letters that come in bursts over a slow line, with a calm Enter behind them', () => {
    expect(play([firstSecond, ...letters(WORD, 0), enter(400)]).confirmed).toBe(true)
  })

  it('takes nothing of a marked paste, says so, and goes on with what is typed', () => {
    const pasted: Timed = { key: { kind: 'paste' }, afterMs: 100 }
    expect(play([firstSecond, pasted, enter(100)])).toMatchObject({ text: '', confirmed: false })
    expect(play([firstSecond, ...letters('send', 50), pasted])).toMatchObject({
      text: 'send',
      refusal: 'pasted',
    })
    expect(play([firstSecond, pasted, ...letters(WORD, 50), enter(100)]).confirmed).toBe(true)
  })

  it('does not count a second Enter of the same burst either', () => {
    const keys = [firstSecond, ...letters(WORD, 0), enter(0), enter(0)]
    expect(play(keys)).toMatchObject({ confirmed: false, refusal: 'hasty' })
    expect(play([...keys, enter(30)]).confirmed).toBe(true)
  })

  it('shows nothing of what is typed behind an Enter that did not count, until something is rubbed out', () => {
    const entered = [firstSecond, ...letters(WORD, 0), enter(0), ...letters('quark', 50)]
    expect(play(entered).text).toBe(`${WORD}*****`)
    expect(play([...entered, enter(100)])).toMatchObject({ confirmed: false, refusal: 'another' })
    const rub = { key: { kind: 'rub' }, afterMs: 50 } as const
    const clear = { key: { kind: 'clear' }, afterMs: 50 } as const
    expect(play([...entered, rub, ...letters('x', 50)]).text).toBe(`${WORD}****x`)
    expect(play([...entered, clear, ...letters(WORD, 50), enter(100)]).confirmed).toBe(true)
    expect(play([firstSecond, enter(50), ...letters(WORD, 50), enter(100)]).confirmed).toBe(true)
    const line = entered.reduce<TypedLine | undefined>(
      (typed, { key }) => lineAfter(typed, key, 0),
      undefined,
    )
    expect(line?.text).toBe(`${WORD}*****`)
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
      fc.constant<WordKey>({ kind: 'paste' }),
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

describe('a line that is typed key by key', () => {
  const line = (keys: readonly Timed[]): { line: TypedLine | undefined; nowMs: number } => {
    let nowMs = SHOWN_AT_MS
    let typed: TypedLine | undefined
    for (const { key, afterMs } of keys) {
      nowMs += afterMs
      typed = lineAfter(typed, key, nowMs)
    }
    return { line: typed, nowMs }
  }

  it('has the same letters as a word on a screen, whatever is typed at whatever pace', () => {
    const key: fc.Arbitrary<WordKey> = fc.oneof(
      fc.record({ kind: fc.constant('character' as const), text: fc.constantFrom('s', 'e', ' ', '0', 'é') }),
      fc.constant<WordKey>({ kind: 'rub' }),
      fc.constant<WordKey>({ kind: 'clear' }),
      fc.constant<WordKey>({ kind: 'paste' }),
    )
    const timed = fc.record({ key, afterMs: fc.nat(60) })
    fc.assert(
      fc.property(fc.array(timed, { maxLength: WORD.length }), fc.nat(60), (keys, afterMs) => {
        const screen = play([firstSecond, ...keys])
        const { line: typed, nowMs } = line([{ ...firstSecond, key: { kind: 'clear' } }, ...keys])
        expect(typed?.text ?? '').toBe(screen.text)
        const refusal = enterRefusal(typed, { nowMs: nowMs + afterMs, marksPastes: true })
        expect(refusal).toBe(typed !== undefined && afterMs < 30 ? 'hasty' : undefined)
      }),
    )
  })

  it('is a paste where it came at once with its Enter, and no paste would have been marked', () => {
    const ending = (keys: readonly Timed[], afterMs: number) => {
      const { line: typed, nowMs } = line(keys)
      return enterRefusal(typed, { nowMs: nowMs + afterMs, marksPastes: false })
    }
    expect(ending(letters(WORD, 0), 29)).toBe('pasted')
    expect(ending(letters(WORD, 29), 29)).toBe('pasted')
    expect(ending(letters(WORD, 0), 30)).toBeUndefined()
    expect(ending([...letters('send', 0), ...letters(' 10,000', 30)], 29)).toBe('hasty')
  })

  it('begins with its first letter, and anew once it was emptied', () => {
    expect(line(letters('se', 100)).line).toMatchObject({ begunAtMs: SHOWN_AT_MS + 100 })
    const again = [
      ...letters('s', 100),
      { key: { kind: 'rub' }, afterMs: 100 } as const,
      ...letters('e', 100),
    ]
    expect(line(again).line).toMatchObject({ text: 'e', begunAtMs: SHOWN_AT_MS + 300 })
  })
})
