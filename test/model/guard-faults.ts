import { decideGuard } from '../../src/core/pay/guard/decide.ts'
import { guardOf, isCancelling } from '../../src/core/pay/guard/guard.ts'
import { notAgainBy } from '../../src/core/pay/guard/guard-consent.ts'
import { actOf } from '../../src/core/pay/guard/hold.ts'
import type { GuardPicture } from '../../src/core/pay/guard/picture.ts'
import { decide } from '../../src/core/pay/payment/decide.ts'
import { NOW_SECONDS } from '../support/guard-world.ts'
import { GENESIS_MS, SLOT_MS } from './chain.ts'
import { FIRST_BLOCK } from './guard-chain.ts'
import type { GuardParts } from './guard-model.ts'

/** A fault of a guard that is planted. */
export type GuardFault = {
  name: string
  /** The rule under which the judge objects. */
  rule: string
  parts: Partial<GuardParts>
  /** Whether the model test with random schedules plants it too. */
  isRandom?: true
}

/** The picture with every endpoint that answers saying that the nonce is free. */
function withFreeNonce(picture: GuardPicture): GuardPicture {
  const { nonce } = picture.state.terms
  const free = { latest: nonce, pending: nonce, final: nonce }
  return { ...picture, replies: picture.replies.map((one) => ({ ...one, nonce: free })) }
}

const withTerm = (picture: GuardPicture, untilSeconds: bigint): GuardPicture => ({
  ...picture,
  state: { ...picture.state, terms: { ...picture.state.terms, untilSeconds } },
})

const LIMIT_NEVER = 1_000_000

/** Faults that are planted, so that it is known that the judge would see them: at least one for each of its rules. */
export const GUARD_PLANTED: readonly GuardFault[] = [
  { name: 'each member has a nonce of its own', rule: 'g.twice', parts: { plants: { ownNonces: true } } },
  {
    name: 'the dearest amount goes out first',
    rule: 'g.larger',
    isRandom: true,
    parts: {
      decideBy: (picture) => {
        const found = decideGuard(picture)
        return found.does === 'hand' && picture.waiting === undefined
          ? { ...found, member: picture.members.length - 2 }
          : found
      },
    },
  },
  {
    name: 'what waits is climbed from with each proven block',
    rule: 'g.larger',
    parts: {
      decideBy: (picture) => {
        const { waiting, choice, members, block, state } = picture
        const next = (waiting ?? 0) + 1
        const isNewer = block !== undefined && block > (state.target?.provenBlock ?? 0n)
        if (waiting === undefined || choice?.member !== waiting || next >= members.length - 1 || !isNewer)
          return decideGuard(picture)
        const { lastBlock } = choice
        return { does: 'hand', member: next, target: { outAtEpoch: 0n, lastBlock, provenBlock: block } }
      },
    },
  },
  {
    name: 'the human is left no time',
    rule: 'g.human',
    isRandom: true,
    parts: { decideBy: (picture) => decideGuard({ ...picture, since: 0n }) },
  },
  {
    name: 'the slots of the human are counted by the clock',
    rule: 'g.human',
    parts: {
      decideBy: (picture) => {
        const { since, look, proven } = picture
        // So many slots as the clock has gone on, whatever the chain did.
        const slots = BigInt((look.atMs - GENESIS_MS) / SLOT_MS)
        const block = proven && (proven.proof.block.timestampSeconds - NOW_SECONDS) / 2n + BigInt(FIRST_BLOCK)
        const late = slots - (block ?? slots)
        return decideGuard({ ...picture, since: since === undefined || late < 0n ? since : since - late })
      },
    },
  },
  {
    name: 'the term is not looked at',
    rule: 'g.terms',
    isRandom: true,
    parts: { decideBy: (picture) => decideGuard(withTerm(picture, 10n ** 12n)) },
  },
  {
    name: 'a payment from another account is not looked at',
    rule: 'g.terms',
    parts: {
      decideBy: (picture) => decideGuard({ ...picture, look: { ...picture.look, otherPayment: undefined } }),
    },
  },
  {
    name: 'the nonce is not looked at',
    rule: 'g.nonce',
    isRandom: true,
    parts: { decideBy: (picture) => decideGuard(withFreeNonce(picture)) },
  },
  { name: 'one anchor is proof enough', rule: 'g.needless', parts: { plants: { anchors: 2 } } },
  {
    name: 'deposits that wait are not counted',
    rule: 'g.needless',
    parts: { plants: { counts: 'nothing-waits' } },
  },
  {
    name: 'it is cancelled where it waits',
    rule: 'g.vain-cancel',
    isRandom: true,
    parts: {
      decideBy: (picture) =>
        picture.waiting === undefined || isCancelling(picture.state)
          ? decideGuard(picture)
          : { does: 'cancel', member: picture.members.length - 1, why: 'saved' },
    },
  },
  {
    name: 'an amount goes out after the cancellation',
    rule: 'g.cancelled',
    parts: {
      decideBy: (picture) => {
        const { need, members } = picture
        if (!isCancelling(picture.state) || need.is !== 'out') return decideGuard(picture)
        return {
          does: 'hand',
          member: members.length - 2,
          target: { outAtEpoch: need.outAtEpoch, lastBlock: 0n, provenBlock: 0n },
        }
      },
    },
  },
  {
    name: 'what was handed over is forgotten with the program',
    rule: 'g.order',
    parts: { openedBy: (events) => guardOf(events.filter(({ type }) => type === 'armed')) },
  },
  { name: 'locks are ignored', rule: 'g.', parts: { plants: { ignoresLocks: true } } },
  { name: 'bytes leave before their line', rule: 'g.line', parts: { plants: { laterLine: true } } },
  {
    name: 'the word of one endpoint ends it',
    rule: 'g.end',
    parts: {
      actBy: (picture, decision, how) => {
        const { nonce } = picture.state.terms
        const isUsed = picture.replies.some((one) => one.nonce.final > nonce)
        return isUsed && picture.waiting === undefined ? { do: 'void' } : actOf(picture, decision, how)
      },
    },
  },
  {
    name: 'a block that is gone is waited for, for ever',
    rule: 'g.stuck',
    parts: {
      roundBy: (state, round, limits) =>
        decide(state, round, { limits: { ...limits, orphaned: LIMIT_NEVER } }),
    },
  },
  {
    name: 'no larger amount takes the place of one that waits',
    rule: 'g.lost',
    parts: {
      decideBy: (picture) => {
        const found = decideGuard(picture)
        return found.does === 'hand' && picture.waiting !== undefined ? { does: 'wait', keptBack: [] } : found
      },
    },
  },
  {
    name: 'bytes that are forgotten are not given again',
    rule: 'g.lost',
    parts: { againBy: (picture) => notAgainBy(picture) ?? 'due' },
  },
]
