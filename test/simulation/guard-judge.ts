import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { outlook } from '../../src/core/chain/consensus/outlook.ts'
import type { QueuedDeposit } from '../../src/core/chain/consensus/process-epoch.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import type { Behaving, BehaviorName } from '../../src/devnet/behaviors.ts'
import { GWEI, readTx, type SimBlock, stateOf, type Tx } from './execution.ts'
import type { Objection } from './judge.ts'
import { type Network, type Role, URLS } from './network.ts'
import type { Story } from './story.ts'

/** Slots that are left to the owner, as the user types them. */
export const SLOTS_LEFT = 2
export const CAP_TOKENS = 50_000n
/** So many blocks old the set may be that a guard has sent by. */
const BLOCKS_OLD = 8
const STEP_GWEI = tokens(10_000n)

/** An armed guard that can't act says so within so long. */
const MOST_SILENCE_MS = 20_000
/** An endpoint that behaves so gives nothing at all. */
const GIVES_NOTHING: readonly BehaviorName[] = ['hangs', 'is-dead', 'limits-rate', 'refuses-host']
/** One that behaves so gives everything in time. */
const GIVES_ALL: readonly BehaviorName[] = ['is-late-0.2', 'is-late-1.2']

/** What the chain itself says of the guarded place at a block. */
type Truth = { block: number; needGwei: bigint | undefined; lastBlock: bigint | undefined }

/** Who sees what guards do, and objects to what must never be; by the chain of the world alone. */
export type GuardJudge = {
  guarded(raws: readonly Hex[]): Promise<void>
  /** A block was made, or one was shown in its place. */
  look(shown?: SimBlock): void
  /** Bytes leave. */
  sent(who: string, tx: Tx): void
  /** Bytes were given out while their process ended. */
  died(hash: Hex | undefined): void
  /** A process holds a guard; `troubles`: what it shows of what keeps that from acting; `isBlind`: for want of a node API. */
  holds(who: string, shown: { troubles: string; isBlind: boolean }): void
  /** A process tells an alarm about its guard. */
  told(words: string): void
  /** The nonce of the newest guard is used in a block that stays; undefined where none was signed. */
  isUsed(): boolean | undefined
  isLost(): boolean
  /** Whether another transaction used the nonce of the newest guard. */
  isTaken(): boolean
  /** What the chain says of the place now; undefined while the validator is not active. */
  truthNow(): Truth | undefined
}

/** What the program meets in this world. */
export type Met = {
  nowMs(): number
  isLying(): boolean
  behaving(): Partial<Record<Role, Behaving>>
  /** Whether it meets nothing else: then a guard must act where it can, and say where it can't. */
  isCalm: boolean
}

export function createGuardJudge({
  network,
  story,
  object,
  met,
}: {
  network: Network
  story: Story
  object: (rule: Objection['rule'], words: string) => void
  met: Met
}): GuardJudge {
  const { plan, genesis } = network.ground
  const { pubkey } = plan.fresh
  const members = new Map<Hex, Tx>()
  const left = new Map<Hex, string>()
  const truths: Truth[] = []
  let nonce: number | undefined
  let isSaved = false
  let holder: { who: string; sinceMs: number; sinceBlock: number } | undefined
  /** How endpoints behave, or did last, and since when. */
  let behaved: { as: string; roles: readonly Role[]; sinceMs: number } = { as: '', roles: [], sinceMs: 0 }
  let saidMs = Number.NEGATIVE_INFINITY
  /** The newest block in which something was missing that a guard needs. */
  let lackedAt = -1

  const amountOf = ({ valueWei }: Tx) => valueWei / GWEI

  function truthWith(shown: SimBlock | undefined): Truth {
    const { spec } = network.consensus.input
    const uncounted: QueuedDeposit[] = (shown?.included ?? []).flatMap(({ deposit, success, block }) =>
      deposit === undefined || !success
        ? []
        : [
            {
              pubkey: deposit.pubkey,
              withdrawalCredentials: deposit.credentials,
              amountGwei: deposit.amountGwei,
              signatureValid: false,
              blockSlot: BigInt(block),
            },
          ],
    )
    const state = network.consensus.state()
    const block = network.blocks.length - 1
    const question = { state, uncounted, spec, fulu: true, pubkey, minimumDepositGwei: genesis.minimumGwei }
    const { dropsOutAtEpoch, rescue } = isLost() ? NOTHING : outlook(question)
    return {
      block,
      needGwei: dropsOutAtEpoch === undefined ? undefined : rescue?.leastTopUpGwei,
      lastBlock: rescue?.lastGoodBlock,
    }
  }

  const says = (words: string) => {
    if (saidMs >= sinceMs()) return
    if (behaved.roles.some((role) => words.includes(new URL(URLS[role]).host))) saidMs = met.nowMs()
  }

  /** Since when it is held by the same process beside the same behavior. */
  const sinceMs = () => Math.max(behaved.sinceMs, holder?.sinceMs ?? 0)

  /** Whether what is to be had proves all that a guard needs. */
  function canAct(): boolean {
    const behaving = Object.entries(met.behaving())
    const roles = behaving.map(([role]) => role)
    const isOne = (role: Role) => roles.every((each) => each === role)
    if (isOne('execution') || isOne('second')) return true
    if (isOne('engine')) return behaving.every(([, { name }]) => name !== 'forges-signatures')
    return behaving.every(([, { name }]) => GIVES_ALL.includes(name))
  }

  function cannotAct(): boolean {
    const gone = (role: Role) => GIVES_NOTHING.some((name) => met.behaving()[role]?.name === name)
    const executions = [gone('execution'), gone('second')]
    // Without signed blocks both execution endpoints are needed.
    return gone('node') || executions.filter((each) => each).length > (gone('engine') ? 0 : 1)
  }

  /** A guard that is held from before the danger on acts where it can, and says where it can't. */
  function judgeWaiting(): void {
    const roles = Object.keys(met.behaving()) as Role[]
    const as = roles.map((role) => `${role} ${met.behaving()[role]?.name}`).join(', ')
    if (as !== '' && as !== behaved.as) behaved = { as, roles, sinceMs: met.nowMs() }
    if (!canAct()) lackedAt = network.blocks.length - 1
    if (!met.isCalm || holder === undefined || members.size === 0) return
    const isUsed = [...left.keys()].some((hash) => members.get(hash)?.nonce === nonce)
    const isSilent = saidMs < sinceMs()
    if (cannotAct() && !isUsed && !isLost() && met.nowMs() - sinceMs() > MOST_SILENCE_MS && isSilent)
      object('guard', `${holder.who} can't act for 20 s and doesn't say so, beside ${as}`)
    const danger = truths.find(({ needGwei }) => needGwei !== undefined)
    if (!isLost() || danger === undefined || danger.block <= holder.sinceBlock) return
    const within = truths.filter(({ needGwei = tokens(CAP_TOKENS) + 1n }) => needGwei <= tokens(CAP_TOKENS))
    if (within.length <= SLOTS_LEFT) return
    // Another transaction took its nonce before its owner's slots were over.
    if (isTaken() && takenAt() <= danger.block + SLOTS_LEFT) return
    const couldAct = lackedAt < danger.block
    if (couldAct) object('guard', `the place was lost beside ${behaved.as}, and ${holder.who} could act`)
    else if (!isUsed && (isSilent || saidMs - sinceMs() > MOST_SILENCE_MS))
      object(
        'guard',
        `the place was lost beside ${behaved.as}, and ${holder.who} didn't say that it can't act`,
      )
  }

  const own = () => network.consensus.state().validators.find((one) => one.pubkey === pubkey)

  const isActive = () => (own()?.activationEpoch ?? FAR_FUTURE_EPOCH) !== FAR_FUTURE_EPOCH

  const isLost = () => (own()?.exitEpoch ?? FAR_FUTURE_EPOCH) !== FAR_FUTURE_EPOCH

  const takenAt = () =>
    nonce === undefined
      ? -1
      : network.blocks.findIndex(({ included }) =>
          included.some(
            ({ tx }) => tx.from === plan.user.address && tx.nonce === nonce && !members.has(tx.hash),
          ),
        )

  const isTaken = () => takenAt() !== -1

  function judgeAmount(tx: Tx): void {
    const gwei = amountOf(tx)
    if (gwei > tokens(CAP_TOKENS)) object('guard', `a guard sent ${gwei} gwei, above its cap`)
    const recent = truths.filter(({ block }) => block >= network.blocks.length - 1 - BLOCKS_OLD)
    const fitting = recent.filter(({ needGwei }) => needGwei === gwei)
    if (fitting.length === 0) {
      const needs = recent.map(({ needGwei }) => (needGwei === undefined ? '–' : needGwei / STEP_GWEI))
      object('guard', `a guard sent ${gwei / STEP_GWEI} steps, and the chain needed ${needs.join(', ')}`)
    }
    const isFirst = [...left.keys()].every((hash) => members.get(hash)?.nonce !== tx.nonce)
    const danger = recent.filter(({ needGwei }) => needGwei !== undefined)
    const { slotsPerEpoch } = network.consensus.input.spec
    const last = recent.findLast(({ lastBlock }) => lastBlock !== undefined)?.lastBlock ?? 0n
    const isLate = BigInt(network.blocks.length) >= last - slotsPerEpoch
    if (isFirst && !isLate && danger.length < SLOTS_LEFT) object('guard', 'the owner had no time')
  }

  return {
    async guarded(raws) {
      for (const raw of raws) {
        const tx = await readTx(raw)
        if (tx === undefined) return object('fault', 'what was signed for a guard is no transaction')
        members.set(tx.hash, tx)
        nonce = tx.nonce
      }
    },
    look(shown) {
      if (!isActive()) return
      // A guard may act by a set that is older than itself.
      truths.push(truthWith(shown))
      if (shown === undefined) judgeWaiting()
      if (members.size === 0) return
      const inBlocks = network.blocks.flatMap(({ included }) => included)
      const ours = inBlocks.filter(({ tx }) => members.has(tx.hash))
      const nonces = new Set(ours.map(({ tx }) => tx.nonce))
      if (ours.length > nonces.size) object('paid-twice', 'two members of one guard are in blocks')
      const paid = ours.find(({ tx }) => tx.valueWei > 0n)
      if (paid !== undefined && !isLost()) {
        const isNeeded = truths.some(({ block, needGwei }) => block < paid.block && needGwei !== undefined)
        const last = truths.findLast(({ lastBlock }) => lastBlock !== undefined)?.lastBlock
        if (isNeeded && last !== undefined && BigInt(network.blocks.length - 1) > last + 1n) isSaved = true
      }
      if (isSaved) story.reached('guard-saved')
      if (isTaken()) story.reached('guard-void')
      const isExcused = met.isLying() || Object.keys(met.behaving()).length > 0
      if (isExcused && truths.at(-1)?.needGwei !== undefined) story.reached('guard-nonce-lied')
    },
    sent(who, tx) {
      const member = members.get(tx.hash)
      if (member === undefined || left.has(tx.hash)) return
      const before = [...left.keys()].flatMap((hash) => {
        const one = members.get(hash)
        return one === undefined || one.nonce !== tx.nonce ? [] : [one]
      })
      const isCancellation = tx.valueWei === 0n
      if (before.some(({ valueWei }) => valueWei === 0n))
        object('guard', 'something left after the cancellation of a guard')
      if (before.some(({ valueWei }) => valueWei >= tx.valueWei) && !isCancellation)
        object('guard', 'a smaller amount of a guard left after a larger one')
      if (!isCancellation) judgeAmount(tx)
      left.set(tx.hash, who)
      if (isCancellation) return story.reached('guard-cancelled')
      story.reached('guard-sent')
      if (who.startsWith('watch')) story.reached('guard-sent-by-watch')
      if (before.length > 0) story.reached('guard-climbed')
    },
    died(hash) {
      if (hash !== undefined && members.has(hash)) story.reached('guard-died')
    },
    holds(who, { troubles, isBlind }) {
      if (met.isCalm && isBlind && !behaved.roles.includes('node'))
        object('guard', `${who} calls the node API missing beside ${behaved.as}`)
      if (holder?.who !== who) holder = { who, sinceMs: met.nowMs(), sinceBlock: network.blocks.length - 1 }
      says(troubles)
      const earlier = [...left].some(([hash, sender]) => sender !== who && members.get(hash)?.nonce === nonce)
      if (earlier) story.reached('guard-resumed')
    },
    told: says,
    isUsed() {
      if (nonce === undefined) return undefined
      return stateOf(genesis, network.blocks.slice(0, -1)).nonce(plan.user.address) > nonce
    },
    isLost,
    isTaken,
    truthNow: () => truths.at(-1),
  }
}

const NOTHING = { dropsOutAtEpoch: undefined, rescue: undefined }
