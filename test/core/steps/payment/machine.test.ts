import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UnsignedTransaction } from '../../../../src/core/effects/effects.ts'
import type { Hex } from '../../../../src/core/format/hex.ts'
import { resumeSend, sendTransition } from '../../../../src/core/steps/sending/machine.ts'
import { handedOut } from '../../../../src/core/steps/sending/outside.ts'
import { walletActions, walletNotes } from '../../../../src/core/steps/sending/outside-view.ts'
import {
  asRemembered,
  fitsPhase,
  hashesOf,
  isOpen,
  isWatched,
} from '../../../../src/core/steps/sending/phases.ts'
import { dearest, raised, replacementOf } from '../../../../src/core/steps/sending/replace.ts'
import {
  initialSend,
  type Payer,
  SEND_DURABLE,
  type SendCommand,
  type SendEvent,
  type SendState,
} from '../../../../src/core/steps/sending/state.ts'
import { runsOf } from '../../../support/hard.ts'

const address = (digit: number): Hex => `0x${String(digit).repeat(40)}`
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const CONTRACT = address(4)
const PLAN = { to: CONTRACT, valueWei: 10n ** 22n, data: '0xe12cf4cb' } as const
const ERROR = {
  code: 'x',
  shortMessage: 'x',
  details: [],
  nextSteps: [],
  retryable: true,
  money: 'unknown',
} as const

function prepared(nonce: number, from: Hex, elsewhere: boolean) {
  const transaction: UnsignedTransaction = {
    ...PLAN,
    chainId: 80094,
    nonce,
    gasLimit: 150_000n,
    maxFeePerGasWei: 3_000_000_001n,
    maxPriorityFeePerGasWei: 1_000_000_001n,
  }
  const baseline = { blockNumber: 7n, blockHash: hash(7), balanceWei: 10n ** 24n }
  return { transaction, from, baseline, ...(elsewhere ? ({ elsewhere: true } as const) : {}) }
}

/** One thing that may happen; what depends on the state is made when its turn comes. */
type Turn = (state: SendState, count: number, step: Payer) => SendEvent | 'crash' | undefined

/** A replacement by the rules, and such as break one of them. */
function replacing(kind: 'bump' | 'cancel', spoil: number): Turn {
  return (state, _, step) => {
    const before = dearest(state)
    const fees = {
      maxFeePerGasWei: raised(before.maxFeePerGasWei) - (spoil === 1 ? 1n : 0n),
      maxPriorityFeePerGasWei: raised(before.maxPriorityFeePerGasWei) - (spoil === 2 ? 1n : 0n),
    }
    const right = replacementOf(state, kind, fees)
    if (right === undefined) return undefined
    const spoiled: Partial<UnsignedTransaction>[] = [
      {},
      {},
      {},
      { nonce: right.nonce + 1 },
      { valueWei: right.valueWei + 1n },
      { to: address(9) },
      { data: '0x01' },
      { chainId: 1 },
      { gasLimit: right.gasLimit + 1n },
    ]
    const transaction = { ...right, ...spoiled[spoil] }
    return { step, type: 'replacing', replacement: { kind, transaction } }
  }
}

const of =
  (make: (step: Payer, count: number) => SendEvent): Turn =>
  (_, count, step) =>
    make(step, count)

/** What is told of a transaction that this state knows, or of any other. */
const mined: Turn = (state, count, step) => {
  const known = hashesOf(state)
  const found = known[count % Math.max(1, known.length)] ?? hash(9)
  return { step, type: 'mined', blockNumber: 9n, blockHash: hash(count % 3), feeWei: 1n, hash: found }
}

const found: Turn = (state, count, step) => {
  const { transaction, from } = state.prepared ?? state.released[0]?.prepared ?? prepared(5, address(1), true)
  const nonce = count % 4 === 0 ? transaction.nonce + 1 : transaction.nonce
  return { step, type: 'found', from, nonce, hash: hash(1000 + count), valueWei: 1n }
}

const TURNS: readonly Turn[] = [
  of((step) => ({ step, type: 'confirmed', plan: PLAN })),
  of((step) => ({ step, type: 'confirmed', plan: PLAN })),
  ...[5, 6].flatMap((nonce) =>
    [address(1), address(2)].flatMap((from) =>
      [true, false].map((elsewhere) =>
        of((step) => ({ step, type: 'prepared', prepared: prepared(nonce, from, elsewhere) })),
      ),
    ),
  ),
  of((step, count) => ({ step, type: 'signed', raw: `0x02${count}`, hash: hash(count) })),
  of((step, count) => ({ step, type: 'signed', raw: `0x02${count}`, hash: hash(count) })),
  of((step, count) => ({ step, type: 'sending', attempt: count, endpoint: 'x' })),
  of((step) => ({ step, type: 'sighted' })),
  of((step) => ({ step, type: 'stalled' })),
  of((step) => ({ step, type: 'released' })),
  of((step) => ({ step, type: 'reopened' })),
  ...Array.from({ length: 3 }, () =>
    of((step, count) => ({ step, type: 'replaced', raw: `0x02${count}`, hash: hash(count) })),
  ),
  of((step, count) => ({ step, type: 'replaced', raw: `0x02${count}`, hash: hash(count) })),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((spoil) => [replacing('bump', spoil), replacing('cancel', spoil)]),
  replacing('bump', 0),
  replacing('cancel', 0),
  found,
  mined,
  mined,
  of((step) => ({ step, type: 'unmined' })),
  of((step) => ({ step, type: 'final' })),
  of((step) => ({ step, type: 'reverted', reason: 'no', feeWei: 1n })),
  of((step) => ({ step, type: 'foreign', hash: undefined })),
  of((step) => ({ step, type: 'upheld' })),
  of((step) => ({ step, type: 'disproved' })),
  of((step) => ({ step, type: 'withheld', reason: 'no' })),
  of((step) => ({ step, type: 'failed', error: ERROR })),
  of((step) => ({ step, type: 'cleared', digest: hash(3) })),
  of((step) => ({ step, type: 'walletChosen', elsewhere: true })),
  ...Array.from({ length: 4 }, (): Turn => () => 'crash'),
]

type Moment = { before: SendState; event: SendEvent; after: SendState; commands: readonly SendCommand[] }

/** What can happen now and changes something, so that a walk gets far. */
function possible(state: SendState, count: number, step: Payer): (SendEvent | 'crash')[] {
  return TURNS.flatMap((turn): (SendEvent | 'crash')[] => {
    const event = turn(state, count, step)
    if (event === undefined) return []
    if (event === 'crash') return [event]
    return fitsPhase(state, event) && sendTransition(state, event)[0] !== state ? [event] : []
  })
}

/** Lets things happen in an order, through the gate of the phases; each crash is a resume. */
function live(step: Payer, order: readonly number[], look: (moment: Moment) => void = () => undefined) {
  let state = initialSend
  const journal: SendEvent[] = []
  order.forEach((choice, count) => {
    const events = possible(state, count + 1, step)
    const event =
      choice % 5 === 0
        ? TURNS[choice % TURNS.length]?.(state, count + 1, step)
        : events[choice % events.length]
    if (event === 'crash') [state] = resumeSend(asRemembered(state), step)
    if (event === undefined || event === 'crash' || !fitsPhase(state, event)) return
    const [after, commands] = sendTransition(state, event)
    if ((SEND_DURABLE as readonly string[]).includes(event.type)) journal.push(event)
    look({ before: state, event, after, commands })
    state = after
  })
  return { state, journal }
}

const payer = fc.constantFrom<Payer>('deposit', 'topup')
const orders = fc.array(fc.nat({ max: 10 ** 6 }), { minLength: 10, maxLength: 50, size: 'max' })
const each = (check: (step: Payer, order: readonly number[]) => void) =>
  fc.assert(fc.property(payer, orders, check), { numRuns: runsOf({ suite: 400, hard: 1500 }) })

type Alive = { from: Hex; transaction: UnsignedTransaction }

/** Transactions that may be signed somewhere, as far as the state knows. */
function alive(state: SendState): Alive[] {
  const { prepared: first, hash: signed, rivals, replacement } = state
  if (first === undefined) return []
  const { from } = first
  const own = signed !== undefined || first.elsewhere === true ? [first.transaction] : []
  const pending = first.elsewhere === true && replacement !== undefined ? [replacement] : []
  return [...own, ...[...rivals, ...pending].map((one) => one.transaction)].map((transaction) => ({
    from,
    transaction,
  }))
}

const samePayment = (a: UnsignedTransaction, b: UnsignedTransaction) =>
  a.to === b.to && a.valueWei === b.valueWei && a.data === b.data
const isEmptyTransfer = ({ from, transaction }: Alive) =>
  transaction.to === from && transaction.valueWei === 0n && transaction.data === '0x'

describe('in any order of events a payment', () => {
  test('has one number of one account for everything that may be signed', () => {
    each((step, order) => {
      const numbers = new Map<number, string>()
      live(step, order, ({ after }) => {
        if (!isWatched(after)) return
        for (const { from, transaction } of alive(after)) {
          const number = `${from} ${transaction.nonce}`
          expect(numbers.get(after.ordinal) ?? number).toBe(number)
          numbers.set(after.ordinal, number)
        }
      })
    })
  })

  test('has no two payloads alive but dearer copies and empty transfers', () => {
    each((step, order) => {
      live(step, order, ({ after }) => {
        const [first, ...others] = alive(after)
        if (first === undefined) return
        for (const other of others)
          expect(samePayment(first.transaction, other.transaction) || isEmptyTransfer(other)).toBe(true)
      })
    })
  })

  test('never loses bytes that may be on their way, and never changes them', () => {
    each((step, order) => {
      live(step, order, ({ before, event, after }) => {
        if (!isOpen(before) || before.raw === undefined) return
        const givenUp = ['reopened', 'released'].includes(event.type)
        const neverLeft = before.phase === 'signed' && before.attempts === 0
        const heldBack = before.withheld !== undefined && before.phase !== 'mined'
        if (givenUp) expect(neverLeft || heldBack).toBe(true)
        if (givenUp && heldBack) expect(after.released.at(-1)?.prepared).toEqual(before.prepared)
        if (event.type === 'reopened') expect(before.prepared?.elsewhere).toBeUndefined()
        if (givenUp) return
        expect(after.raw).toBe(before.raw)
        expect(after.rivals.slice(0, before.rivals.length)).toEqual(before.rivals)
      })
    })
  })

  test('keeps what was handed out and given up in sight', () => {
    each((step, order) => {
      live(step, order, ({ before, event, after }) => {
        if (event.type === 'found') return
        expect(after.released.slice(0, before.released.length)).toEqual(before.released)
        if (event.type === 'released' && before.ordinal !== after.ordinal)
          expect(after.released.at(-1)?.prepared).toEqual(before.prepared)
      })
    })
  })

  test('is signed by the keystore only once it is prepared, or agreed to be replaced', () => {
    each((step, order) => {
      live(step, order, ({ before, event, after, commands }) => {
        if (!commands.some(({ type }) => type === 'signTransaction')) return
        expect(['prepared', 'replacing']).toContain(event.type)
        expect(after.prepared?.elsewhere).toBeUndefined()
        if (event.type === 'prepared') expect(before.hash).toBeUndefined()
      })
    })
  })

  test('ends as cancelled only when an empty transfer is final, and as final only when the payment is', () => {
    each((step, order) => {
      live(step, order, ({ before, after }) => {
        if (before.phase === after.phase) return
        const empty = after.rivals.find((rival) => rival.hash === after.mined?.hash)?.kind === 'cancel'
        if (after.phase === 'cancelled') expect(empty).toBe(true)
        if (after.phase === 'final') expect(empty).toBe(false)
      })
    })
  })

  test('is found again by a replay of its journal as it was', () => {
    each((step, order) => {
      const { state, journal } = live(step, order)
      const replayed = journal.reduce((now, event) => sendTransition(now, event)[0], initialSend)
      expect(durablePart(resumeSend(replayed, step)[0])).toEqual(durablePart(resumeSend(state, step)[0]))
    })
  })
})

describe('a payment that must not leave any more', () => {
  const step = 'topup'
  const heldBack = (elsewhere: boolean, ...more: SendEvent[]) =>
    [
      { step, type: 'confirmed', plan: PLAN } as const,
      { step, type: 'prepared', prepared: prepared(5, address(1), elsewhere) } as const,
      ...more,
      { step, type: 'withheld', reason: '270,000 BERA more arrived' } as const,
    ].reduce((state, event) => sendTransition(state, event)[0], initialSend)

  test('is no command on the screen any more, which says that a copy may be sent', () => {
    const state = heldBack(true, { step, type: 'cleared', digest: hash(3) })
    expect(handedOut(state)).toBeUndefined()
    expect(walletNotes(state).join(' ')).toMatch(
      /270,000 BERA more arrived.*A copy of it may still be signed and sent/,
    )
    expect(walletActions(state).map(({ id }) => id)).toEqual(['release', 'retry'])
  })

  test('is cancelled, not raised, and what is begun instead keeps it in sight', () => {
    const signed = { step, type: 'signed', raw: '0x02', hash: hash(9) } as const
    const sending = { step, type: 'sending', attempt: 1, endpoint: 'x' } as const
    const state = heldBack(false, signed, sending)
    const of = (kind: 'bump' | 'cancel') => {
      const event = replacing(kind, 0)(state, 1, step)
      return event !== undefined && event !== 'crash' && fitsPhase(state, event)
    }
    expect([of('bump'), of('cancel')]).toEqual([false, true])
    expect(fitsPhase(state, { step, type: 'reopened' })).toBe(true)
    const [anew] = sendTransition(state, { step, type: 'reopened' })
    expect(anew).toMatchObject({ phase: 'idle', released: [{ prepared: { transaction: { nonce: 5 } } }] })
  })
})

test('a handed-out transaction that was said to be sent, and was not, can still be brought', () => {
  const step = 'deposit'
  const events: SendEvent[] = [
    { step, type: 'confirmed', plan: PLAN },
    { step, type: 'prepared', prepared: prepared(5, address(1), true) },
    { step, type: 'cleared', digest: hash(3) },
    { step, type: 'found', from: address(1), nonce: 5, hash: hash(8), valueWei: 1n },
  ]
  const told = events.reduce((state, event) => sendTransition(state, event)[0], initialSend)
  expect(handedOut(told)).toBeUndefined()
  const [again] = sendTransition(told, { step, type: 'cleared', digest: hash(3) })
  expect(handedOut(again)).toEqual(prepared(5, address(1), true).transaction)
  const signed: SendEvent = { step, type: 'signed', raw: '0x02', hash: hash(9) }
  expect(fitsPhase(again, signed)).toBe(true)
  expect(hashesOf(sendTransition(again, signed)[0])).toEqual([hash(9), hash(8)])
})

/** What must outlive the process; a sighting is not remembered. */
function durablePart(state: SendState) {
  const { ordinal, plan, prepared: first, released, raw, hash: signed, rivals, replacement, strays } = state
  const phase = ['sending', 'seen', 'signed'].includes(state.phase) ? 'open' : state.phase
  return {
    phase,
    ordinal,
    plan,
    first,
    released,
    raw,
    signed,
    rivals,
    replacement,
    strays,
    mined: state.mined,
  }
}
