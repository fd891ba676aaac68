import type { Hex } from '../../src/core/base/format/hex.ts'
import type { GuardDecision } from '../../src/core/pay/guard/decide.ts'
import { type GuardEvent, type GuardState, phaseOf } from '../../src/core/pay/guard/guard.ts'
import { endedOf } from '../../src/core/pay/payment/candidates.ts'
import { ACCOUNT, type Chain, type Tx } from './chain.ts'
import type { Endpoint } from './endpoint.ts'
import { FIRST_BLOCK, type Stakes } from './guard-chain.ts'
import type { GuardSetting } from './guard-model.ts'
import type { Objection } from './judge.ts'

/** A signed member as the chain takes it. */
export type Member = { hash: Hex; tx: Tx; kind: 'rung' | 'cancellation' }

/** What is seen of a member that is being handed over. `block`: the newest proven one, none where nothing is. */
type Handing = {
  lines: readonly GuardEvent[]
  block: number | undefined
  member: number
  decision: GuardDecision
  isTakenBack: boolean
}

export type GuardJudge = {
  readonly objections: readonly Objection[]
  hands(handing: Handing): void
  /** Bytes leave; `lines` are durable. */
  gives(hash: Hex, lines: readonly GuardEvent[]): void
  /** A window tells how its guard stands. */
  told(state: GuardState): void
  block(): void
  /** Whoever looks can prove the set of a block. */
  proves(block: number): void
  forget(): void
  keep(): () => void
}

/** What the judge knows of the world that nobody says. */
type Truth = {
  chain: Chain
  endpoints: readonly [Endpoint, Endpoint]
  stakes: Stakes
  setting: GuardSetting
  members: readonly Member[]
  nonce: number
  untilSeconds: bigint
  baseFeeWei(): bigint
  isOtherPaymentOpen(): boolean
}

/** Judges by the chain itself and by the endpoints that never lie, never by what the program says of them. */
export function createGuardJudge(truth: Truth): GuardJudge {
  const { chain, endpoints, stakes, setting, members, nonce, untilSeconds } = truth
  const objections: Objection[] = []
  const object = (rule: string, words: string) => void objections.push({ rule, words })
  const honest = endpoints.filter((_, at) => at !== setting.liar)
  const last = members.length - 1

  let provable = new Set<number>()

  /**
   * The first block of those up to one in which the place is lost, with nothing between that shows the owner that it is kept:
   * a block that nobody can prove ends no alarm.
   */
  function dangerSince(block: number): number {
    let since = block
    for (let at = block; at >= FIRST_BLOCK; at -= 1) {
      if (stakes.isLostAt(at)) since = at
      else if (provable.has(at)) break
    }
    return since
  }

  /** Whether an amount that is in a block from now on keeps the place. */
  const keeps = (amount: number, block: number) =>
    stakes.mineAt(block) + amount > stakes.rivalAt(Math.min(block, stakes.lastBlock))

  function judgeRung(block: number, { member, lines }: Handing): void {
    const before = lines.flatMap((line) => (line.type === 'handing' ? [line.member] : []))
    const amount = members[member]?.tx.amount ?? 0
    if (honest.some((one) => one.nonce(ACCOUNT) !== nonce))
      object('g.nonce', 'the nonce is not free at an honest endpoint')
    if (stakes.isLeavingAt(block - 1)) object('g.needless', 'a rung for a validator that leaves')
    if (!stakes.isLostAt(block)) object('g.needless', `a rung of ${amount} while the place is kept`)
    if (!keeps(amount, block)) object('g.needless', `a rung of ${amount} that does not keep the place`)
    if (block > stakes.lastBlock) object('g.terms', 'a rung after the last block that counts')
    if (stakes.secondsOf(stakes.lastBlock) > untilSeconds)
      object('g.terms', 'a rung for a boundary after the term')
    if (truth.isOtherPaymentOpen()) object('g.terms', 'a rung beside a payment from another account')
    if (before.length === 0) judgeHuman(block)
    // Less would have done: of those that are dear enough for a block of now.
    const less = members.findIndex(
      ({ kind, tx }, at) =>
        kind === 'rung' &&
        at >= (before.at(-1) ?? 0) &&
        tx.maxFeeWei >= truth.baseFeeWei() &&
        keeps(tx.amount, block),
    )
    if (less !== -1 && less < member) object('g.larger', `a rung of ${amount} where member ${less} would do`)
  }

  function judgeHuman(block: number): void {
    const { slotsToHuman, slotsPerEpoch } = setting
    const latest = stakes.lastBlock - Math.min(40, Number(slotsPerEpoch))
    if (block - dangerSince(block) < slotsToHuman && block < latest)
      object('g.human', 'the human had no time')
  }

  function judgeCancellation(block: number | undefined, { decision, isTakenBack }: Handing): void {
    if (isTakenBack) return
    if (decision.does !== 'cancel' || block === undefined) {
      object('g.vain-cancel', 'cancelled by nobody')
      return
    }
    const helps = stakes.isLostAt(block) && block <= stakes.lastBlock && !stakes.isLeavingAt(block - 1)
    if (helps) object('g.vain-cancel', 'cancelled while it still helps')
  }

  return {
    objections,
    hands(handing) {
      const { lines, block, member } = handing
      const before = lines.flatMap((line) => (line.type === 'handing' ? [line.member] : []))
      if (members[member] === undefined) return object('g.terms', `member ${member} is none of the terms`)
      if (before.includes(last)) object('g.cancelled', 'something after the cancellation')
      else if (before.some((one) => one >= member))
        object('g.order', `member ${member} after ${before.join(', ')}`)
      if (member === last) return judgeCancellation(block, handing)
      if (block === undefined) return object('g.needless', 'nothing was proven')
      judgeRung(block, handing)
    },
    gives(hash, lines) {
      if (!members.some((one) => one.hash === hash)) object('g.terms', 'bytes that are none of the terms')
      const isWritten = lines.some((line) => line.type === 'handing' && line.hash === hash)
      if (!isWritten) object('g.line', 'bytes left before their line')
    },
    told(state) {
      const ended = endedOf(state.send)
      if (phaseOf(state) !== 'over' || ended?.remembered === true) return
      const isUsed = chain.nonceAt(ACCOUNT, chain.finalized()) > nonce
      if (!isUsed) object('g.end', 'told as over, and its nonce is used in no block that stays')
      const outcome = ended?.outcome
      if (outcome === undefined || !('included' in outcome)) return
      const found = chain.find(outcome.included.hash)
      if (found === undefined || found.block > chain.finalized())
        object('g.end', `told as ${outcome.is}, and it is in no block that stays`)
    },
    block() {
      const paid = members.filter(({ hash, kind }) => kind === 'rung' && chain.find(hash) !== undefined)
      if (paid.length > 1) object('g.twice', 'two amounts are in blocks')
      const inBlocks = members.filter(({ hash }) => chain.find(hash) !== undefined)
      if (inBlocks.length > 1) object('g.twice', 'two members are in blocks')
    },
    proves: (block) => void provable.add(block),
    forget: () => void objections.splice(0),
    keep() {
      const kept = new Set(provable)
      return () => {
        provable = new Set(kept)
      }
    },
  }
}
