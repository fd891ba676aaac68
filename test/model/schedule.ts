import fc from 'fast-check'
import { HONEST, LIES, type Lie, type Stance } from './endpoint.ts'
import type { Offer, SignedBy } from './program.ts'

/** What a person does without the program. */
type ByHand =
  /** The same payment from the same account, written anew. */
  | 'pay'
  /** Nothing to oneself, for more fee. */
  | 'cancel'
  /** A deposit for the key from another account. */
  | 'other-pays'
  /** What the program has shown is signed and sent elsewhere, or carried out by the owner. */
  | 'send-shown'

export type Action =
  | { do: 'slots'; count: number; empty: boolean }
  | { do: 'press'; who: 0 | 1; offer: Offer }
  /** The person goes on: signs what is asked for, brings what is shown, agrees, or begins anew. */
  | { do: 'go-on'; who: 0 | 1 }
  /** The person takes one of the things that are offered. */
  | { do: 'any'; who: 0 | 1; nth: number }
  | { do: 'endpoint'; at: 0 | 1; stance: Stance }
  /** The endpoint that lies is the only one that answers. */
  | { do: 'alone'; lies: readonly Lie[] }
  /** `same`: with the nonce of the payment; else with the next one. */
  | { do: 'by-hand'; what: ByHand; same: boolean }
  | { do: 'reorg'; vanish: boolean }
  /** Pools forget: those of the block producers, or all. */
  | { do: 'forget'; all: boolean }
  /** Somebody still had a transaction that was sent once, and sends it to the block producers. */
  | { do: 'resend'; which: number }
  /** Ends the program now, around the nth durable line from now, or once bytes have left the nth time. */
  | { do: 'crash'; who: 0 | 1; at: 'now' | 'before-line' | 'after-line' | 'after-bytes'; nth: number }
  | { do: 'restart'; who: 0 | 1 }

export type Setting = {
  kind: 'first' | 'top-up'
  signedBy: SignedBy
  /** Which endpoint may lie. */
  liar: 0 | 1 | undefined
  /** A second computer has a journal of its own and the same account. */
  computers: 1 | 2
  /** What the person prefers where a payment does not move: to cancel it, or to abandon it. */
  person: 'cancels' | 'abandons'
}

export type Schedule = { setting: Setting; actions: readonly Action[] }

const who = fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const)
const place = fc.constantFrom(0 as const, 1 as const)
const press = (offer: Offer): fc.Arbitrary<Action> => who.map((one) => ({ do: 'press', who: one, offer }))

const lies = fc.uniqueArray(fc.constantFrom(...LIES), { minLength: 1, maxLength: 3 })

const stance: fc.Arbitrary<Stance> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(HONEST) },
  { weight: 2, arbitrary: fc.nat({ max: 12 }).map((lag) => ({ ...HONEST, lag })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('refuses' as const, 'hangs' as const).map((silent) => ({ ...HONEST, silent })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('keeps' as const, 'refuses' as const).map((bytes) => ({ ...HONEST, bytes })),
  },
  {
    weight: 8,
    arbitrary: lies.map((some) => ({ ...HONEST, lies: some })),
  },
)

/** Some pass at once; after ten without a block a payment is stuck. */
const slots = (counts: readonly number[], empty: boolean): fc.Arbitrary<Action> =>
  fc.constantFrom(...counts).map((count) => ({ do: 'slots', count, empty }))

/** One action. What does not fit the moment does nothing. */
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 14, arbitrary: slots([1, 1, 2, 3, 6], false) },
  { weight: 8, arbitrary: slots([1, 2, 11, 11, 12], true) },
  { weight: 16, arbitrary: who.map((one): Action => ({ do: 'go-on', who: one })) },
  {
    weight: 14,
    arbitrary: fc.record({ do: fc.constant('any' as const), who, nth: fc.nat({ max: 5 }) }),
  },
  { weight: 3, arbitrary: press('agree') },
  { weight: 3, arbitrary: press('sign') },
  { weight: 3, arbitrary: press('speed-up') },
  { weight: 3, arbitrary: press('cancel') },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('endpoint' as const), at: place, stance }) },
  { weight: 3, arbitrary: lies.map((some): Action => ({ do: 'alone', lies: some })) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('by-hand' as const),
      what: fc.constantFrom('pay', 'cancel', 'other-pays', 'other-pays', 'send-shown', 'send-shown'),
      same: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reorg' as const), vanish: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('forget' as const), all: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resend' as const), which: fc.nat({ max: 5 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      who,
      at: fc.constantFrom('now', 'before-line', 'after-line', 'after-bytes'),
      nth: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('restart' as const), who }) },
)

const setting: fc.Arbitrary<Setting> = fc.record({
  kind: fc.constantFrom('top-up', 'top-up', 'top-up', 'first'),
  signedBy: fc.constantFrom('keystore', 'keystore', 'keystore', 'external', 'contract'),
  liar: fc.constantFrom(undefined, 0, 1),
  computers: fc.constantFrom(1, 1, 2),
  person: fc.constantFrom('abandons', 'cancels'),
})

/** Everything that may happen to one or two instances of the program, as one list that can be shortened. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  setting,
  actions: fc.array(action, { minLength: 8, maxLength: 50, size: 'max' }),
})
