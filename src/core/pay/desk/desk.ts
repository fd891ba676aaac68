import type { ActionView } from '../../view/step-view.ts'
import { type Comparison, compareOffers, type Offer, type OfferChange } from './offer.ts'
import { judgeLine, type LineRefusal, type TypedWord, typeWord, type WordKey } from './typed-word.ts'

/** An action whose word is asked for, as it stood in the frame that was read. */
export type OpenedAction<E> = ActionView<E, Offer> & { typed: string; offer: Offer; token: string }

/** Where a desk stands: its word may count, another offer took the place of its own, or the word was let go. */
type Stand =
  | { is: 'open'; unknown: Extract<Comparison, { is: 'unknown' }>['gaps'] }
  | { is: 'other'; changes: readonly OfferChange[] }
  | { is: 'sent' }

/** What was opened, what is typed below it, and whether it still holds. */
export type Desk<E> = {
  /** Of the frame on which it was opened, with the events that its word hands over. */
  opened: OpenedAction<E>
  word: TypedWord
  stand: Stand
  /** Why the last line had no effect, at a desk of lines; `unknown` where nobody knows now whether the offer holds. */
  refusal?: LineRefusal | 'unknown'
}

type WordHow = Omit<Parameters<typeof typeWord>[2], 'word'>
type LineHow = Omit<Parameters<typeof judgeLine>[1], 'word'>

/** What happens at a desk. `now`: what was opened, over the state of this moment; undefined where it is offered no more. */
export type DeskEvent =
  | { type: 'looked'; now: Offer | undefined }
  | { type: 'pressed'; key: WordKey; how: WordHow; now: Offer | undefined }
  | { type: 'line'; line: Parameters<typeof judgeLine>[0]; how: LineHow; now: Offer | undefined }

/** Opens a desk on an action; undefined for an action that needs no typed word or has no offer. */
export function openDesk<E>(
  { typed, offer, token, ...action }: ActionView<E, Offer>,
  atMs: number,
): Desk<E> | undefined {
  if (typed === undefined || offer === undefined || token === undefined) return undefined
  const word = { text: '', shownAtMs: atMs, lastKeyAtMs: 0, confirmed: false }
  return { opened: { ...action, typed, offer, token }, word, stand: { is: 'open', unknown: [] } }
}

/**
 * A desk after one event. Every event compares first: what is known to be another offer empties the letters, and no word
 * counts at this desk any more; while it is not known the letters stay and Enter does nothing. Only over the very offer
 * that was opened a word that counts lets it go.
 */
export function deskAfter<E>(desk: Desk<E>, event: DeskEvent): Desk<E> {
  if (desk.stand.is !== 'open') return desk
  const found = compareOffers(desk.opened.offer, event.now)
  if (found.is === 'other')
    return { ...desk, word: { ...desk.word, text: '' }, stand: { is: 'other', changes: found.changes } }
  const unknown = found.is === 'unknown' ? found.gaps : []
  const looked: Desk<E> = { ...desk, stand: { is: 'open', unknown } }
  switch (event.type) {
    case 'looked':
      return unknown.length + desk.stand.unknown.length === 0 ? desk : looked
    case 'pressed':
      return pressed(looked, event, unknown.length === 0)
    case 'line':
      return lineTaken(looked, event, unknown.length === 0)
  }
}

function pressed<E>(
  desk: Desk<E>,
  { key, how }: Extract<DeskEvent, { type: 'pressed' }>,
  isKnown: boolean,
): Desk<E> {
  const word = typeWord(desk.word, key, { ...how, word: desk.opened.typed })
  if (!word.confirmed) return { ...desk, word }
  if (!isKnown) return { ...desk, word: { ...word, confirmed: false, refusal: 'unknown' } }
  return { ...desk, word, stand: { is: 'sent' } }
}

function lineTaken<E>(
  desk: Desk<E>,
  { line, how }: Extract<DeskEvent, { type: 'line' }>,
  isKnown: boolean,
): Desk<E> {
  const { refusal: _, ...rest } = desk
  const refusal = judgeLine(line, { ...how, word: desk.opened.typed })
  if (refusal !== undefined) return { ...rest, refusal }
  if (!isKnown) return { ...rest, refusal: 'unknown' }
  return { ...rest, stand: { is: 'sent' } }
}
