import { type Desk, type deskAfter, openDesk } from '../../src/core/pay/desk/desk.ts'
import {
  type Offer as Offered,
  type OfferedState,
  type PaymentOffer,
  paymentOffer,
} from '../../src/core/pay/desk/offer.ts'
import type { Replacement } from '../../src/core/pay/payment/payment.ts'
import { mayAbandon } from '../../src/core/pay/payment/sign-again.ts'
import { SLOT_MS } from './chain.ts'
import type { Host, Offer, Program } from './program.ts'
import type { Inside, PureProgram } from './pure.ts'
import { planOf } from './txs.ts'

/** What asks for a word. */
const WORDED = ['agree', 'speed-up', 'cancel', 'abandon'] as const
type Worded = (typeof WORDED)[number]

/** A key at the screen: what needs no word, what opens a word, the word with Enter behind it, and leaving it. */
export type Key = Exclude<Offer, 'agree' | 'speed-up' | 'cancel'> | `open ${Worded}` | 'word' | 'leave'

/** A word that is asked for: what it would do, and what its user has read. */
type Opened = {
  about: Worded
  desk: Desk<never>
  replacement: Replacement | undefined
  read: Inside
}

/** A program whose words are typed at a desk, so that time passes between what is read and what is agreed to. */
export type DeskProgram = Program &
  Pick<PureProgram, 'inside'> & {
    keep(): () => void
    keys(): readonly Key[]
    strike(key: Key): void
    opened(): Opened | undefined
  }

const WORD = 'yes'

/** Puts the desk before a program. `objects` is told where a word counted in another world than the one that was read. */
export function withDesk(
  program: PureProgram,
  host: Host,
  { deskBy, objects }: { deskBy: typeof deskAfter; objects: (rule: string, words: string) => void },
): DeskProgram {
  const step = host.kind === 'first' ? 'deposit' : 'topup'
  let opened: Opened | undefined

  const about = (): OfferedState => {
    const { gate, shown } = program.inside()
    const world = host.kind === 'first' ? ({ about: 'unused-key' } as const) : shown
    return { world, deposits: gate?.deposits, isFollowed: true }
  }

  function paymentOffered(): PaymentOffer | undefined {
    const { state, gate } = program.inside()
    if (state.payment.phase !== 'open' || gate === undefined) return undefined
    const isGood = gate.good || gate.sent !== undefined
    const closed = gate.unknown === true ? 'unknown' : 'refused'
    const isContract = host.signedBy === 'contract'
    return {
      kind: host.kind,
      plan: planOf(host.kind, host.amount),
      level: 'send',
      signer: host.signedBy,
      chainId: 1,
      from: state.sender,
      nonce: isContract || !isGood ? undefined : gate.nonce,
      feeLimitWei: 1n,
      checks: { key: isGood ? 'proven' : closed },
      ...about(),
    }
  }

  function offerNow({ desk, about: what }: Opened): Offered | undefined {
    if (what === 'agree') return paymentOffered()
    const { offer } = desk.opened
    if (!('transaction' in offer) && offer.kind !== 'set-aside') return undefined
    return paymentOffer(program.inside().state, offer, about())
  }

  function open(what: Worded): void {
    let replacement: Replacement | undefined
    if (what === 'speed-up' || what === 'cancel') {
      const kind = what === 'cancel' ? 'cancellation' : what
      program.tell({ step, type: 'quoteAsked', kind } as never)
      replacement = program.quote(kind)
    }
    const { state } = program.inside()
    const offer = what === 'agree' ? paymentOffered() : offerOf(state, what, replacement)
    const action = { key: 'return', label: '', typed: WORD, token: WORD, does: [] }
    const desk = offer === undefined ? undefined : openDesk<never>({ ...action, offer }, 0)
    if (desk === undefined) leave()
    else opened = { about: what, desk, replacement, read: program.inside() }
  }

  function offerOf(state: Inside['state'], what: Worded, replacement: Replacement | undefined) {
    if (what === 'abandon')
      return paymentOffer(state, { kind: 'set-aside', nonce: 0, from: '0x', isInBlock: false }, about())
    if (replacement === undefined) return undefined
    const blank = { isInBlock: false, mayReplace: true, ...about() }
    return paymentOffer(state, { ...replacement, ...blank }, about())
  }

  function leave(): void {
    opened = undefined
    if (program.inside().state.quote !== undefined) program.tell({ type: 'quoteLeft' })
  }

  /** The screen compares with every frame. */
  function look(): void {
    if (opened === undefined) return
    opened = { ...opened, desk: deskBy(opened.desk, { type: 'looked', now: offerNow(opened) }) }
    if (opened.desk.stand.is !== 'open') leave()
  }

  function word(): void {
    if (opened === undefined) return
    const line = { text: WORD, begunAtMs: SLOT_MS, atOnce: false }
    const desk = deskBy(opened.desk, { type: 'line', line, how: { askedAtMs: 0 }, now: offerNow(opened) })
    const { about: what, replacement, read } = opened
    if (desk.stand.is === 'open') {
      opened = { ...opened, desk }
      return
    }
    const { offer } = desk.opened
    if (desk.stand.is !== 'sent') {
      leave()
      return
    }
    const why = differenceFor(what, read, program.inside())
    if (why !== undefined) objects('w.other-world', `the word counted for “${what}”, and ${why}`)
    opened = undefined
    if (what === 'abandon') program.press('abandon')
    else if (replacement !== undefined) program.tell({ type: 'replacing', replacement })
    else if ('checks' in offer && offer.kind !== 'guard') agreed(offer)
    if (program.inside().state.quote !== undefined) program.tell({ type: 'quoteLeft' })
  }

  function agreed({ world, from, nonce, feeLimitWei, deposits }: PaymentOffer): void {
    if (from === undefined || feeLimitWei === undefined || deposits === undefined) return
    program.agreeTo(world, { from, nonce, feeLimitWei, deposits: deposits.map(({ hash }) => hash) })
  }

  function keys(): readonly Key[] {
    if (opened !== undefined) return ['word', 'leave']
    return program.offers().map((offer): Key => {
      if (offer === 'abandon') return mayAbandon(program.inside().state) ? 'open abandon' : 'abandon'
      return offer === 'agree' || offer === 'speed-up' || offer === 'cancel' ? `open ${offer}` : offer
    })
  }

  return {
    ...program,
    keys,
    strike(key) {
      const worded = WORDED.find((one) => key === `open ${one}`)
      if (worded !== undefined) open(worded)
      else if (key === 'word') word()
      else if (key === 'leave') leave()
      else program.press(key as Offer)
    },
    press(offer) {
      leave()
      return program.press(offer)
    },
    slot(nowMs) {
      program.slot(nowMs)
      // While a word is asked for, the gate is asked anew by itself.
      if (opened?.about === 'agree') program.tell({ type: 'recheckAsked' })
      look()
    },
    opened: () => opened,
    keep() {
      const kept = opened
      const back = program.keep()
      return () => {
        opened = kept
        back()
      }
    },
  }
}

/** What is another thing now than in the frame that was read, as far as the program knows it; by no code of the program. */
function differenceFor(what: Worded, read: Inside, now: Inside): string | undefined {
  if (what === 'cancel') return undefined
  const isIn = ({ state: { payment } }: Inside) => 'included' in payment && payment.included !== undefined
  if (what === 'abandon') return isIn(now) && !isIn(read) ? 'a block holds it by now' : undefined
  const known = read.gate?.deposits.map(({ hash }) => hash) ?? []
  const news = now.gate?.deposits.filter(({ hash }) => !known.includes(hash)) ?? []
  if (news.length > 0) return 'another deposit is there'
  const stakes = [read, now].map(({ shown }) =>
    shown?.about === 'validator' ? shown.stakeToBeGwei : undefined,
  )
  if (stakes.every((one) => one !== undefined) && stakes[0] !== stakes[1]) return 'the stake is another one'
  if (what !== 'agree') return undefined
  if (read.gate?.nonce !== now.gate?.nonce) return 'the nonce is another one'
  return now.gate?.good === true || now.gate?.sent !== undefined ? undefined : 'the gate is shut'
}
