import { describe, expect, test } from 'vitest'
import { type Desk, type DeskEvent, deskAfter, openDesk } from '../../../../src/core/pay/desk/desk.ts'
import type { PaymentOffer } from '../../../../src/core/pay/desk/offer.ts'
import { OFFER } from '../../../support/views.ts'

const ACTION = { key: 't', label: 'send', typed: 'send', token: 'BERA', offer: OFFER, does: ['paid'] }
const SHOWN_MS = 1_000
const CLOSED: PaymentOffer = { ...OFFER, checks: { key: 'refused' } }
const UNKNOWN: PaymentOffer = { ...OFFER, nonce: undefined }

function opened(): Desk<string> {
  const desk = openDesk<string>(ACTION, SHOWN_MS)
  if (desk === undefined) throw new Error('nothing was opened')
  return desk
}

const looked = (now: PaymentOffer | undefined): DeskEvent => ({ type: 'looked', now })
const letter = (text: string, nowMs: number, now: PaymentOffer | undefined = OFFER): DeskEvent => ({
  type: 'pressed',
  key: { kind: 'character', text },
  how: { nowMs },
  now,
})
const enter = (now: PaymentOffer | undefined, nowMs = 9_000): DeskEvent => ({
  type: 'pressed',
  key: { kind: 'enter' },
  how: { nowMs },
  now,
})
const line = (text: string, now: PaymentOffer | undefined, begunAtMs = 9_000): DeskEvent => ({
  type: 'line',
  line: { text, begunAtMs, atOnce: false },
  how: { askedAtMs: SHOWN_MS },
  now,
})
const deskOf = (...events: readonly DeskEvent[]): Desk<string> => events.reduce(deskAfter<string>, opened())
/** The word, a letter a time, none of them hasty. */
const TYPED: readonly DeskEvent[] = [...'send'].map((text, at) => letter(text, 3_000 + at * 100))

describe('a desk', () => {
  test('stands open over its own offer, with nothing typed', () => {
    expect(opened()).toEqual({
      opened: ACTION,
      word: { text: '', shownAtMs: SHOWN_MS, lastKeyAtMs: 0, confirmed: false },
      stand: { is: 'open', unknown: [] },
    })
  })

  test.each(['typed', 'offer', 'token'] as const)('is not opened for an action without %s', (part) => {
    const { [part]: _, ...rest } = ACTION
    expect(openDesk<string>(rest, SHOWN_MS)).toBeUndefined()
  })

  test('is the very same one where nothing is new', () => {
    const desk = opened()
    expect(deskAfter(desk, looked(OFFER))).toBe(desk)
  })

  test('says what nobody knows now, keeps its letters, and goes on once it is known', () => {
    const typed = deskOf(...TYPED, looked(UNKNOWN))
    expect(typed.stand).toEqual({ is: 'open', unknown: [{ id: 'nonce' }] })
    expect(typed.word.text).toBe('send')
    const known = deskAfter(typed, looked(OFFER))
    expect(known.stand).toEqual({ is: 'open', unknown: [] })
    expect(deskAfter(known, enter(OFFER)).stand).toEqual({ is: 'sent' })
  })

  test('says what is unknown by now, where that is another part', () => {
    const fee = { ...OFFER, feeLimitWei: undefined }
    expect(deskOf(looked(UNKNOWN), looked(fee)).stand).toEqual({ is: 'open', unknown: [{ id: 'fee' }] })
  })

  test.each([
    ['a look', looked(CLOSED)],
    ['a letter', letter('d', 5_000, CLOSED)],
    ['Enter', enter(CLOSED)],
    ['a line', line('send', CLOSED)],
  ])('empties its letters over another offer, and no word counts at it any more: %s', (_, event) => {
    const other = deskOf(...TYPED, event)
    expect(other.stand).toEqual({ is: 'other', changes: [{ id: 'check', check: 'key' }] })
    expect(other.word).toMatchObject({ text: '', confirmed: false, shownAtMs: SHOWN_MS })
    expect(other.opened).toEqual(ACTION)
    for (const later of [...TYPED, enter(OFFER), line('send', OFFER), looked(OFFER)])
      expect(deskAfter(other, later)).toBe(other)
  })

  test('says that its offer is gone', () => {
    expect(deskOf(looked(undefined)).stand).toEqual({ is: 'other', changes: [{ id: 'gone' }] })
  })
})

describe('a word at a desk of keys', () => {
  test('is let go by Enter over the very offer', () => {
    const sent = deskOf(...TYPED, enter(OFFER))
    expect(sent).toMatchObject({ opened: ACTION, stand: { is: 'sent' } })
    expect(sent.word).toMatchObject({ text: 'send', confirmed: true })
    expect(deskAfter(sent, enter(OFFER))).toBe(sent)
  })

  test('stays below it letter by letter', () => {
    const half = deskOf(...TYPED.slice(0, 2))
    expect(half).toMatchObject({ opened: ACTION, stand: { is: 'open' } })
    expect(half.word).toMatchObject({ text: 'se', confirmed: false, lastKeyAtMs: 3_100 })
  })

  test('is not let go where it is another word', () => {
    const other = deskOf(...TYPED.slice(0, 2), enter(OFFER))
    expect(other.stand).toEqual({ is: 'open', unknown: [] })
    expect(other.word).toMatchObject({ text: 'se', confirmed: false, refusal: 'another' })
  })

  test('waits where nobody knows whether the offer holds, and is not forgotten', () => {
    const waiting = deskOf(...TYPED, enter(UNKNOWN))
    expect(waiting).toMatchObject({ opened: ACTION, stand: { is: 'open', unknown: [{ id: 'nonce' }] } })
    expect(waiting.word).toMatchObject({
      text: 'send',
      confirmed: false,
      refusal: 'unknown',
      shownAtMs: SHOWN_MS,
    })
    expect(deskAfter(waiting, enter(OFFER, 9_500)).stand).toEqual({ is: 'sent' })
    expect(deskAfter(waiting, letter('q', 9_300)).word.text).toBe('send*')
  })
})

describe('a word at a desk of lines', () => {
  test('is let go over the very offer', () => {
    const sent = deskOf(line('send', OFFER))
    expect(sent).toMatchObject({ opened: ACTION, stand: { is: 'sent' } })
    expect(sent).not.toHaveProperty('refusal')
  })

  test.each([
    ['another word', line('sent', OFFER), 'another'],
    ['too early', line('send', OFFER, SHOWN_MS + 999), 'early'],
    ['unknown whether it holds', line('send', UNKNOWN), 'unknown'],
  ])('says why it had no effect: %s', (_, event, refusal) => {
    const refused = deskOf(event)
    expect(refused).toMatchObject({ opened: ACTION, refusal, stand: { is: 'open' } })
    // The reason is that of the last line alone.
    const right = deskAfter(refused, line('send', OFFER))
    expect(right.stand).toEqual({ is: 'sent' })
    expect(right).not.toHaveProperty('refusal')
  })
})
