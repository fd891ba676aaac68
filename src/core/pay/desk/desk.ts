import { formatGwei, formatWei } from '../../base/format/amount.ts'
import type { ActionView } from '../../view/step-view.ts'
import type { FactRow, Verdict } from '../../view/view.ts'
import { type Comparison, compareOffers, type Offer, type OfferChange, type OfferGap } from './offer.ts'
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

/** What changed under a word, what is not known now, and what to do about either. */
export const DESK_TEXT = {
  changed: (changes: readonly string[]) => `Changed since you opened this: ${changes.join('; ')}.`,
  /** Behind it, at a desk with keys and at one of lines. */
  anew: { keys: 'Nothing was sent. Esc shows it anew.', lines: 'Nothing was sent. Enter shows it anew.' },
  readAnew: 'read it anew',
  /** In the place of the verdict that was read. */
  verdict: {
    other: 'What you opened has changed: nothing was sent.',
    unknown: 'Not all of what you opened is known now.',
  },
  unknown: (gaps: readonly string[]) => `Not known now: ${gaps.join(', ')}. Enter waits; your letters stay.`,
  unsent: (gaps: readonly string[]) => `Not known now: ${gaps.join(', ')}. Nothing was sent; type it again.`,
  proposal: (word: string) => `Proposed now: ${word}. What you read still holds.`,
  changes: {
    gone: 'this payment is not offered any more',
    plan: 'the transaction is another one',
    signer: 'another signer signs',
    chain: 'it is another chain',
    sender: 'it is paid from another account',
    nonce: 'the account has sent another transaction',
    level: 'the place is not safe any more',
    'in-block': 'a block holds the payment already',
    key: 'the key is not as it was',
  },
  deposits: (amount: string) => `${amount} more arrived, not by this payment`,
  otherDeposit: 'another deposit for this key arrived, not by this payment',
  check: (label: string) => `${label} does not hold any more`,
  fee: (now: string, limit: string) => `the fee may be ${now} now, and was ${limit} at most`,
  stake: (now: string, before: string) => `the stake is ${now}, and was ${before}`,
  outcome: {
    'below-threshold': 'this amount does not pass the threshold any more',
    'lost-at-once': 'this amount ranks too low now',
    'drops-out': 'this amount keeps no place any more',
    tie: 'this amount only ties for the last place now',
    'keeps-place': '',
  },
  gaps: {
    world: 'the validator set',
    deposits: 'deposits for the key',
    sender: 'the paying account',
    nonce: 'its nonce',
    fee: 'the fee',
    level: 'the place',
  },
  /** Checks that have no row of their own while they hold. */
  checks: { registration: 'the registration', node: 'your node', amount: 'the amount' },
}

/** Rows of the frame that was read: they name its checks. */
type Rows = readonly Pick<FactRow, 'id' | 'label'>[]

/** Describes what changed since the offer was opened, each in a few words; undefined while nothing did. */
export function changesOf({ stand, opened }: Desk<unknown>, rows: Rows): string[] | undefined {
  const { token } = opened
  return stand.is === 'other' ? stand.changes.map((change) => changeSaid(change, { rows, token })) : undefined
}

/** Lists what is unknown now, which keeps Enter from doing anything; undefined while everything is known. */
export function gapsOf({ stand }: Desk<unknown>, rows: Rows): string[] | undefined {
  return stand.is === 'open' && stand.unknown.length > 0
    ? stand.unknown.map((gap) => gapSaid(gap, rows))
    : undefined
}

/** Returns the verdict that replaces the one that was read, while the offer changed or is unknown; else undefined. */
export function deskVerdict({ stand }: Desk<unknown>): Verdict | undefined {
  if (stand.is === 'other') return { mark: 'refused', text: DESK_TEXT.verdict.other }
  return stand.is === 'open' && stand.unknown.length > 0
    ? { mark: 'unknown', text: DESK_TEXT.verdict.unknown }
    : undefined
}

function changeSaid(change: OfferChange, { rows, token }: { rows: Rows; token: string }): string {
  switch (change.id) {
    case 'deposits': {
      const amounts = change.deposits.flatMap(({ amountGwei }) => amountGwei ?? [])
      if (amounts.length < change.deposits.length) return DESK_TEXT.otherDeposit
      return DESK_TEXT.deposits(`${formatGwei(amounts.reduce((sum, each) => sum + each, 0n))} ${token}`)
    }
    case 'check':
      return DESK_TEXT.check(labelOf(change.check, rows))
    case 'fee':
      return DESK_TEXT.fee(`${formatWei(change.isWei)} ${token}`, formatWei(change.wasWei))
    case 'stake':
      return DESK_TEXT.stake(`${formatGwei(change.isGwei)} ${token}`, formatGwei(change.wasGwei))
    case 'outcome':
      return DESK_TEXT.outcome[change.outcome]
    default:
      return DESK_TEXT.changes[change.id]
  }
}

const gapSaid = (gap: OfferGap, rows: Rows): string =>
  gap.id === 'check' ? labelOf(gap.check, rows) : DESK_TEXT.gaps[gap.id]

function labelOf(check: string, rows: Rows): string {
  const own: Readonly<Record<string, string>> = DESK_TEXT.checks
  return rows.find(({ id }) => id === check)?.label ?? own[check] ?? check
}
