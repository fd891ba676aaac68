import { formatCount } from '../../base/format/amount.ts'
import type { JournalEvent } from '../journal/events.ts'

/** How far a payment had come when its journal was written. */
type Stand = { phase: Phase; block?: bigint; paidBefore?: true }
type Phase = 'none' | 'agreed' | 'exported' | 'signed' | 'sent' | 'included' | 'paid' | 'not-paid'

type PaymentEvent = Extract<JournalEvent, { step: 'deposit' | 'topup' }>

/** Where the registration of a journal stands: with a payment, or with what comes before any. */
type Standing = ({ at: 'deposit' | 'topup' } & Stand) | { at: 'begun' | 'planned' | 'signature' | 'adopted' }

/**
 * Where the registration of a journal stands, as it is remembered there. For people alone: the session reads the journal
 * again, and the chain decides.
 */
function standingIn(events: readonly JournalEvent[]): Standing {
  const topUp = standOf(events, 'topup')
  if (topUp.phase !== 'none') return { at: 'topup', ...topUp }
  const deposit = standOf(events, 'deposit')
  const adopted = events.some(({ type }) => type === 'adopted')
  if (adopted && (deposit.phase === 'paid' || deposit.phase === 'none')) return { at: 'adopted' }
  if (deposit.phase !== 'none') return { at: 'deposit', ...deposit }
  const last = events.findLast(({ step }) => step === 'sign')
  if (last?.type === 'signed') return { at: 'signature' }
  return { at: last?.type === 'planned' ? 'planned' : 'begun' }
}

/** Describes where the registration of a journal stands, in a few words. */
export function standingOf(events: readonly JournalEvent[]): string {
  const standing = standingIn(events)
  switch (standing.at) {
    case 'topup':
      return standing.phase === 'paid' ? 'step 7 of 7, top-up paid' : `top-up ${paymentWords(standing)}`
    case 'deposit':
      return standing.phase === 'paid' ? 'step 5 of 7, deposit paid' : `deposit ${paymentWords(standing)}`
    case 'adopted':
      return 'adopted; next: prove it again'
    case 'signature':
      return 'step 4 of 7, nothing sent'
    case 'planned':
      return 'step 3 of 7, not signed'
    case 'begun':
      return 'begun, nothing signed'
  }
}

function paymentWords({ phase, block }: Stand): string {
  switch (phase) {
    case 'agreed':
      return 'agreed to, not signed'
    case 'exported':
      return 'exported to your wallet'
    case 'signed':
      return 'signed, not sent'
    case 'sent':
      return 'sent, waits for its block'
    case 'included':
      return `in block ${formatCount(block ?? 0n)}, not final`
    default:
      return 'was not paid'
  }
}

function standOf(events: readonly JournalEvent[], payer: PaymentEvent['step']): Stand {
  const none: Stand = { phase: 'none' }
  const last = events.reduce((stand, event) => (event.step === payer ? next(stand, event) : stand), none)
  return last.phase === 'none' && last.paidBefore === true ? { phase: 'paid' } : last
}

/** What was paid stays paid, whatever becomes of the payments after it. */
function next(stand: Stand, event: PaymentEvent): Stand {
  const isPaid = stand.paidBefore === true || (stand.phase === 'paid' && event.type !== 'contradicted')
  return { ...after(stand, event), ...(isPaid ? { paidBefore: true } : {}) }
}

function after(stand: Stand, event: PaymentEvent): Stand {
  switch (event.type) {
    case 'agreed':
      return { phase: 'agreed' }
    case 'prepared':
      return { phase: event.draft.signer === 'keystore' ? 'agreed' : 'exported' }
    case 'signed':
      return { phase: 'signed' }
    case 'handed-over':
    case 'found':
    case 'orphaned':
    case 'contradicted':
      return { phase: 'sent' }
    case 'included':
      return { phase: 'included', block: event.blockNumber }
    case 'ended':
      return { phase: event.outcome.is === 'paid' ? 'paid' : 'not-paid' }
    case 'abandoned':
    case 'reopened':
      return { phase: 'none' }
    default:
      return stand
  }
}
