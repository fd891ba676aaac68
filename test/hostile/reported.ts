import { nextText } from '../../src/core/base/format/next.ts'
import { endedOf } from '../../src/core/pay/payment/candidates.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { madeOf } from '../support/stand-of.ts'
import type { Payment } from './lie.ts'

/** How a payment has ended, in the words of a session that is sure of it. */
type Outcome = 'paid' | 'reverted' | 'nonce taken' | 'cancelled'

/** An end of a payment that a session told, and the hash under which it says so. */
type ToldEnd = { payment: Payment; outcome: Outcome; hash: string | undefined }

const OUTCOMES = {
  paid: 'paid',
  reverted: 'reverted',
  'nonce-taken': 'nonce taken',
  cancelled: 'cancelled',
} as const

/**
 * The ends of payments as the session tells them now; the only place of these tests that looks into the state of a
 * payment. What is only remembered is told as that, and is no end.
 */
function toldEnds({ deposit, topup }: State): ToldEnd[] {
  return [deposit, topup.send].flatMap((state, place) => {
    const ended = endedOf(state)
    if (ended === undefined || ended.remembered) return []
    const payment: Payment = place === 0 ? 1 : 2
    const { hash, included } = madeOf(state)
    return [{ payment, outcome: OUTCOMES[ended.outcome.is], hash: included?.hash ?? hash }]
  })
}

/** Everything that a session has said, each sentence once, and the ends of payments that it told. */
export type Heard = { words: ReadonlySet<string>; ends: readonly (ToldEnd & { atSlot: bigint })[] }

/** Listens to what the screens show; `slot` is the head of the chain itself in that moment. */
export function hear(session: Session, slot: () => bigint): Heard {
  const words = new Set<string>()
  const ends: (ToldEnd & { atSlot: bigint })[] = []
  session.subscribe((state) => {
    for (const end of toldEnds(state)) {
      const isOld = ends.some(({ payment, outcome, hash }) => {
        return payment === end.payment && outcome === end.outcome && hash === end.hash
      })
      if (!isOld) ends.push({ ...end, atSlot: slot() })
    }
    for (const text of textsOf(session, state)) words.add(text)
  })
  return { words, ends }
}

function textsOf(session: Session, state: State): string[] {
  const { step } = state
  const { title, facts, checks, notes, problem, money, commands } = viewOf(step, state, session)
  const rows = [...facts, ...checks].map(({ id, mark, value }) => `${step} ${id}: ${mark} ${value}`)
  const told =
    problem === undefined
      ? []
      : [`${step} problem: ${problem.title}`, ...problem.lines, ...problem.next.map((step) => nextText(step))]
  return [`${step} title: ${title}`, ...rows, ...notes, ...told, `${step} money: ${money.line}`, ...commands]
}

/** The payment whose agreement a line of the journal holds. */
export function agreedIn(type: string): Payment | undefined {
  if (type === 'deposit.agreed') return 1
  return type === 'topup.agreed' ? 2 : undefined
}

/** Whether a line of the journal holds the signed bytes of a payment. */
export const signsPayment = (type: string): boolean => type.endsWith('.signed')

/** Whether a line of the journal says that a payment has ended. */
export const endsPayment = (type: string): boolean => type.endsWith('.ended')

/** The key that begins a payment anew, where that is offered, and the one that asks again. */
export async function beginAnew(session: Session, payment: Payment): Promise<void> {
  const step = payment === 1 ? 'deposit' : 'topup'
  await session.dispatch({ step, type: 'reopened' })
  await session.dispatch({ step, type: 'entered' })
}
