import type { HashedDeposit, MadeDeposit } from '../../chain/deposit/event.ts'
import { broadcastNewest, late, type RowResult, shown } from './broadcast.ts'
import { candidatesOf, liveOf } from './candidates.ts'
import { isTooYoung } from './heads.ts'
import type { PaymentBody, PaymentState, PaymentStatus, RoundMemory } from './payment.ts'
import {
  heldFor,
  isAgreedByAll,
  isContradicted,
  isFinal,
  isWhole,
  type Limits,
  newDeposit,
  nonceIsLost,
  othersWait,
  type PaymentPicture,
  paymentPicture,
  THRESHOLDS,
  withoutBytes,
} from './payment-picture.ts'
import { decideRemembered } from './remembered.ts'
import { type Decision, isBy, isCallOf, isLater, mayBeOurs, type Round } from './round.ts'
import { isUnsignedExport } from './sign-again.ts'

/** Where `holds`, what it says follows, and no later row is looked at. */
export type Row = {
  name: string
  holds: (picture: PaymentPicture) => boolean
  follows: (picture: PaymentPicture) => RowResult
}

/** What ends a payment, and what is done about it till follows: the first row that holds. */
export const TABLE: readonly Row[] = [
  {
    name: 'nobody answers: nothing is known, and nothing follows',
    holds: ({ replies }) => replies.length === 0,
    follows: () => ({}),
  },
  {
    name: 'every endpoint shows the same end twice, in a final block: it has ended',
    holds: isFinal,
    follows: ended,
  },
  {
    name: 'an endpoint has it in a block: that is written down, and those that lack it get the bytes',
    holds: ({ inBlock }) => inBlock !== undefined,
    follows: included,
  },
  {
    name: 'every endpoint lacks the block for long: it was orphaned',
    holds: (s) => heldFor(s, 'orphaned', s.limits.orphaned * 2 ** s.memory.losses),
    follows: ({ memory }) => ({
      status: { is: 'orphaned' },
      memory: { losses: memory.losses + 1 },
      events: [{ type: 'orphaned' }],
    }),
  },
  {
    name: 'a replacement is to be exported: it is shown once that is safe',
    holds: (s) =>
      s.payment.replacement !== undefined &&
      s.payment.draft.signer === 'external' &&
      s.memory.shown === undefined &&
      s.payment.included === undefined &&
      s.used === 0 &&
      (s.isKnown || s.behind === 0),
    follows: (s) => {
      const result = shown(s)
      if ('wants' in result) return result
      const memory = { inMempool: s.isKnown || s.memory.inMempool, ...stuck(s), ...result.memory }
      return { ...result, memory, broadcast: { to: withoutBytes(s) } }
    },
  },
  {
    name: 'a pool holds it, and nobody says that its nonce is used: those that lack it get the bytes',
    holds: ({ isKnown, used }) => isKnown && used === 0,
    follows: (s) => ({
      status: { is: 'in-mempool' },
      by: s.replies.find(({ knows }) => knows)?.endpoint ?? '',
      memory: { inMempool: true, ...stuck(s) },
      broadcast: { to: withoutBytes(s) },
    }),
  },
  {
    name: 'the deposits for the key tell who used the nonce, or what a contract account carried out',
    holds: (s) => s.byEach === undefined && (s.used > 0 || isContract(s)),
    follows: () => ({ wants: 'deposits' }),
  },
  {
    name: 'the nonce, or the contract account, made the deposit: it is the payment, under a hash of its own',
    holds: (s) => (s.used > 0 || isContract(s)) && newDeposit(s, isBy) !== undefined,
    follows: (s) => found(s, newDeposit(s, isBy)),
  },
  {
    name: 'the nonce is lost, and a later one of the account paid: that takes its place',
    holds: (s) => s.used > 0 && nonceIsLost(s) && newDeposit(s, isLater) !== undefined,
    follows: (s) => found(s, newDeposit(s, isLater)),
  },
  {
    name: 'the nonce is used, and a deposit is there that may be ours: nothing is shown, and it is waited for',
    holds: (s) => s.used > 0 && unclear(s) !== undefined,
    follows: (s) => ({
      status: { is: 'deposit-there' },
      memory: { shown: undefined, otherDeposit: { hash: unclear(s)?.hash } },
      broadcast: late(s),
    }),
  },
  {
    name: 'the nonce is lost to another transaction: it has ended, unpaid',
    holds: (s) => s.used > 0 && nonceIsLost(s),
    follows: (s) => {
      const [other] = s.byEach?.flat() ?? []
      const otherDeposit = other === undefined ? undefined : { hash: other.hash }
      return {
        status: { is: 'nonce-used' },
        events: [{ type: 'ended', outcome: { is: 'nonce-taken', otherDeposit } }],
      }
    },
  },
  {
    name: 'the nonce is used by the word of some, or not for long: it is waited for, and the others get the bytes',
    holds: (s) => s.used > 0,
    follows: (s) => ({
      status: { is: usedBy(s) },
      broadcast: late(s),
    }),
  },
  {
    name: 'the nonce is not reached: endpoints lag, others wait before it, or it is too high',
    holds: (s) => s.behind > 0,
    follows: behind,
  },
  {
    name: 'nothing is signed here: what is exported is shown as long as nobody paid',
    holds: (s) => isUnsignedExport(s.state),
    follows: (s) => (isWhole(s) ? shown(s) : { status: { is: 'one-silent' } }),
  },
  {
    name: 'nobody has it: every endpoint gets the bytes',
    holds: () => true,
    follows: (s) => ({
      status: unsent(s),
      memory: { gapFrom: undefined, ...stuck(s) },
      broadcast: { to: s.round.byEndpoint.map(({ endpoint }) => endpoint) },
    }),
  },
]

/**
 * What follows from a round: pure, by the table above and the thresholds of `payment-picture.ts`. Where a part is wanted it is asked,
 * and the same round is decided again with it. Events come before bytes leave: a line is in the journal first.
 */
export function decide(
  state: PaymentState,
  round: Round,
  { table = TABLE, limits = THRESHOLDS }: { table?: readonly Row[]; limits?: Limits } = {},
): Decision {
  const payment = liveOf(state)
  if (payment === undefined) return decideRemembered(state, round, limits)
  const picture = paymentPicture(state, payment, round, limits)
  const result = table.find(({ holds }) => holds(picture))?.follows(picture) ?? {}
  if ('wants' in result) return result
  const isHeldBack = result.events?.some(({ type }) => type === 'held-back') === true
  const broadcast = isHeldBack ? undefined : result.broadcast
  const given = broadcastNewest({ ...picture, memory: { ...picture.memory, ...result.memory } }, broadcast)
  if ('wants' in given) return given
  const status = given.status ?? result.status
  const [gone] = picture.silent
  const at = { source: result.by ?? round.byEndpoint[0]?.endpoint ?? '', atMs: round.atMs }
  const failed =
    gone === undefined ? state.tracking : ({ status: 'failed', error: gone.error, ...at } as const)
  const tracking = status === undefined ? failed : ({ status: 'known', value: status, ...at } as const)
  const watched: PaymentBody = { type: 'watched', draft: payment.draft, memory: given.memory, tracking }
  return { events: [watched, ...(result.events ?? []), ...given.events], broadcasts: given.broadcasts }
}

/** Why a used nonce is waited for. */
function usedBy(s: PaymentPicture): 'nonce-used' | 'disagree' | 'deposits-unknown' {
  if (!isWhole(s) || s.used < s.replies.length) return 'disagree'
  return s.replies.some(({ deposits }) => deposits === 'unknown') ? 'deposits-unknown' : 'nonce-used'
}

const isContract = ({ payment }: PaymentPicture): boolean => payment.draft.signer === 'contract'

/** The end of a payment that is final: paid, cancelled, or refused by the contract for a reason that is asked. */
function ended({ inBlock, payment, round, state }: PaymentPicture): RowResult {
  if (inBlock === undefined) return {}
  const { status: result, ...block } = inBlock.receipt
  const { hash, blockNumber, blockHash, feeWei } = block
  const status: PaymentStatus = {
    is: 'in-block',
    block: blockNumber,
    reverted: result === 'reverted',
    alone: false,
  }
  if (result === 'reverted') {
    const { reason } = round
    if (reason === undefined) return { wants: 'reason' }
    return { status, events: [{ type: 'ended', outcome: { is: 'reverted', reason, feeWei } }] }
  }
  const { included: before } = payment
  const isNoted = before?.hash === hash && before.blockHash === blockHash && before.feeWei === feeWei
  const isCancelled = candidatesOf(state).some((one) => one.hash === hash && one.kind === 'cancellation')
  const end = { type: 'ended', outcome: { is: isCancelled ? 'cancelled' : 'paid' } } as const
  return { status, by: inBlock.endpoint, events: isNoted ? [end] : [{ type: 'included', ...block }, end] }
}

/** Only the first sight of a block is written down, and the one that becomes final: endpoints may flap between. */
function included(s: PaymentPicture): RowResult {
  const { inBlock, payment, limits } = s
  if (inBlock === undefined) return {}
  const { status: result, ...block } = inBlock.receipt
  const alone = heldFor(s, 'inBlock', limits.final) && !isAgreedByAll(s)
  const at = { is: 'in-block', block: block.blockNumber, reverted: result === 'reverted', alone } as const
  const isNew = result === 'success' && payment.included === undefined
  return {
    status: alone && isContradicted(s) ? { is: 'disagree' } : at,
    by: inBlock.endpoint,
    events: isNew ? [{ type: 'included', ...block }] : [],
    broadcast: late(s),
  }
}

/** It waits for long, and a block was made that late which lacks it; or there are no blocks. */
function stuck(s: PaymentPicture): Partial<RoundMemory> {
  const { limits, round, memory } = s
  const leastMs = limits.stuck * round.slotMs
  const sinceMs = memory.since.waiting ?? round.atMs
  const isLong = heldFor(s, 'waiting', limits.stuck) && !isTooYoung(memory, round, { sinceMs, leastMs })
  return isLong ? { isStuck: true } : {}
}

function unsent({ payment }: PaymentPicture): PaymentStatus {
  if (payment.heldBack !== undefined) return { is: 'held-back', why: payment.heldBack }
  return { is: payment.draft.signer === 'contract' ? 'not-there' : 'unused' }
}

/** From now on the payment is looked for by the hash of this deposit, too. It may be a call that was abandoned. */
function found({ payment, state }: PaymentPicture, made: HashedDeposit | undefined): RowResult {
  if (made === undefined) return {}
  const { draft } = payment
  const old = state.abandoned.find((one) => !isCallOf(made, draft) && isCallOf(made, one))
  const { nonce } = draft.signer === 'contract' || made.sender === undefined ? draft.transaction : made.sender
  const { hash, valueWei } = made
  const data = old?.transaction.data
  return {
    status: { is: 'looking' },
    events: [{ type: 'found', from: draft.from, nonce, hash, valueWei, data }],
  }
}

const unclear = ({ byEach = [], payment }: PaymentPicture): MadeDeposit | undefined =>
  byEach.flat().find((made) => mayBeOurs(made, payment.draft))

/** An endpoint that lags is waited for; where all say so for long, the nonce was too high when it was taken. */
function behind(s: PaymentPicture): RowResult {
  const { replies, payment, behind: count, limits } = s
  const next = Math.max(...s.nonces.map(({ latest }) => latest))
  if (!isWhole(s) || count < replies.length) return { status: { is: 'lags' } }
  if (othersWait(s)) return { status: { is: 'others-wait' } }
  const memory = heldFor(s, 'behind', limits.gap) ? { gapFrom: next } : {}
  return { status: { is: 'behind', next, nonce: payment.draft.transaction.nonce }, memory }
}
