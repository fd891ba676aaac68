import fc from 'fast-check'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { ProvenSnapshot } from '../../src/core/chain/consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { decideGuard, type GuardDecision } from '../../src/core/pay/guard/decide.ts'
import { type GuardEvent, guardOf, guardTransition, isGuardPayment } from '../../src/core/pay/guard/guard.ts'
import { notAgainBy } from '../../src/core/pay/guard/guard-consent.ts'
import { actOf, memoryAfter, NOTHING_SEEN, seenBy } from '../../src/core/pay/guard/hold.ts'
import type { GuardLook, GuardPicture, SaidByEndpoint } from '../../src/core/pay/guard/picture.ts'
import { type GuardTerms, ladderOf, latestSlotsBefore } from '../../src/core/pay/guard/terms.ts'
import { broadcastTo, newestBytes } from '../../src/core/pay/payment/candidates.ts'
import { decide } from '../../src/core/pay/payment/decide.ts'
import type { PaymentBody } from '../../src/core/pay/payment/payment.ts'
import { isAsked } from '../../src/core/pay/payment/sign-again.ts'
import {
  EPOCH,
  NOW_SECONDS,
  provenSet,
  RIVAL,
  setup as realSetup,
  endpoint as said,
  terms,
  VALIDATORS,
  validator,
} from '../support/guard-world.ts'
import { ACCOUNT, createChain, OTHER, SLOT_MS, type Tx } from './chain.ts'
import { createEndpoint, DEPOSIT_CONTRACT, type Endpoint, HONEST, LIES, type Lie } from './endpoint.ts'
import type { Host } from './program.ts'
import { createRounds } from './pure-rounds.ts'
import { txOf } from './txs.ts'

/** What happens to a world with a guard. */
export type GuardAction =
  | { do: 'slots'; count: number; empty: boolean }
  /** The rival stands at so much from the next block on, in whole tokens. */
  | { do: 'raise'; to: number }
  /** Somebody else, or the owner from another account, adds to the guarded validator. */
  | { do: 'others-add'; amount: number }
  /** The account uses its nonce by hand. */
  | { do: 'by-hand'; what: 'pay' | 'cancel' }
  | { do: 'endpoint'; at: 0 | 1; lag: number; silent: boolean }
  | { do: 'lie'; lies: readonly GuardLie[] }
  | { do: 'reorg'; vanish: boolean }
  | { do: 'forget' }
  | { do: 'take-back' }
  /** Ends the instance before or after its nth line from now, or once bytes have left; it is begun anew later. */
  | { do: 'crash'; who: 0 | 1; at: 'before-line' | 'after-line' | 'after-bytes'; nth: number }
  | { do: 'restart'; who: 0 | 1 }

/** What the liar says of the world of a guard, beside what it says of payments. */
type GuardLie =
  | Lie
  | 'poor'
  | 'rich'
  | 'dear'
  | 'cheap'
  | 'other-code'
  | 'other-operator'
  | 'other-root'
  | 'refuses-dry-run'

const OWN_LIES: readonly GuardLie[] = [
  'poor',
  'rich',
  'dear',
  'cheap',
  'other-code',
  'other-operator',
  'other-root',
  'refuses-dry-run',
]

export type GuardSchedule = {
  liar: 0 | 1 | undefined
  /** A second computer has a copy of the same guard. */
  computers: 1 | 2
  slotsToHuman: number
  /** Blocks until the term is over. */
  termBlocks: number
  actions: readonly GuardAction[]
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const action: fc.Arbitrary<GuardAction> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('slots' as const),
      count: oneOf(1, 2, 3, 8, 20),
      empty: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: oneOf(240_000, 260_000, 270_000, 280_000, 290_000, 310_000).map((to) => ({
      do: 'raise' as const,
      to,
    })),
  },
  { weight: 2, arbitrary: oneOf(10_000, 40_000).map((amount) => ({ do: 'others-add' as const, amount })) },
  {
    weight: 2,
    arbitrary: oneOf('pay' as const, 'cancel' as const).map((what) => ({ do: 'by-hand' as const, what })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('endpoint' as const),
      at: oneOf(0 as const, 1 as const),
      lag: oneOf(0, 0, 1, 5),
      silent: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc
      .uniqueArray(oneOf<GuardLie>(...LIES, ...OWN_LIES), { maxLength: 3 })
      .map((lies) => ({ do: 'lie' as const, lies })),
  },
  { weight: 4, arbitrary: fc.boolean().map((vanish) => ({ do: 'reorg' as const, vanish })) },
  { weight: 2, arbitrary: fc.constant({ do: 'forget' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'take-back' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      who: oneOf(0 as const, 1 as const),
      at: oneOf('before-line' as const, 'after-line' as const, 'after-bytes' as const),
      nth: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 4, arbitrary: oneOf(0 as const, 1 as const).map((who) => ({ do: 'restart' as const, who })) },
)

export const guardSchedules: fc.Arbitrary<GuardSchedule> = fc.record({
  liar: oneOf(undefined, 0 as const, 1 as const),
  computers: oneOf(1 as const, 1 as const, 2 as const),
  slotsToHuman: oneOf(0, 3, 10),
  termBlocks: oneOf(30, 400, 400, 400),
  actions: fc.array(action, { minLength: 3, maxLength: 30 }),
})

/** Where the chain of the model is in epochs: its block 10 is the proven one of the tables. */
const SLOTS_PER_EPOCH = 64n
const FIRST_SLOT = EPOCH * SLOTS_PER_EPOCH + 10n
const slotOf = (block: number): bigint => FIRST_SLOT + BigInt(block - 10)
const blockOf = (slot: bigint): number => Number(slot - FIRST_SLOT) + 10
/** Stake of the guarded validator beside what the model counts for its key. */
const BESIDE = 240_000

class Died extends Error {}

type Computer = {
  lines: GuardEvent[]
  instance: Instance | undefined
  crash: { at: 'before-line' | 'after-line' | 'after-bytes'; nth: number } | undefined
}
type Instance = { slot(): void }

const sets = new Map<string, ProvenSnapshot>()

/** The proven set of a block with these two stakes, in whole tokens. Each is made once: what follows from it is kept with it. */
function setOf(block: number, mine: number, rival: number): ProvenSnapshot {
  const key = `${block} ${mine} ${rival}`
  const known = sets.get(key)
  if (known !== undefined) return known
  const queued = { activationEligibilityEpoch: EPOCH, activationEpoch: FAR_FUTURE_EPOCH }
  const stakes = [400_000, 390_000, mine]
  const others = VALIDATORS.map((one, at) => ({
    ...one,
    effectiveBalanceGwei: tokens(BigInt(stakes[at] ?? 0)),
  }))
  const validators = [...others.slice(0, 3), validator(RIVAL, BigInt(rival), queued)]
  const slot = slotOf(block) - 1n
  const timestampSeconds = NOW_SECONDS + (slot - FIRST_SLOT) * 2n
  const made = provenSet({ slot, validators })
  const at = { ...made.proof.block, timestampSeconds: timestampSeconds + 2n }
  const snapshot = { ...made, timestampSeconds, proof: { ...made.proof, block: at } }
  sets.set(key, snapshot)
  return snapshot
}

/** How decisions are made, so that faults can be planted. */
export type DecideGuard = (picture: GuardPicture) => GuardDecision

export type GuardPlay = {
  /** What the judge objects to first. */
  objection: string | undefined
  /** Amounts of the rungs that are in blocks, in whole tokens. */
  paid: readonly number[]
  /** Whether the validator would be lost at the next boundary by what is in blocks now. */
  isLost: boolean
}

/** Plays a schedule with guards, and looks after each step for what must never be. */
export function playGuard(schedule: GuardSchedule, decideBy: DecideGuard = decideGuard): GuardPlay {
  const chain = createChain('top-up')
  const invented = { call: 'top-up' as const, amount: 10_000 }
  const endpoints = [
    createEndpoint(chain, 'first', invented),
    createEndpoint(chain, 'second', invented),
  ] as const
  const { network } = realSetup
  const setup: Setup = {
    ...realSetup,
    network: { ...network, spec: { ...network.spec, slotsPerEpoch: SLOTS_PER_EPOCH } },
  }
  const untilSeconds = NOW_SECONDS + BigInt(schedule.termBlocks) * 2n
  const own: GuardTerms = {
    ...terms({ slotsToHuman: schedule.slotsToHuman, untilSeconds, from: ACCOUNT }),
    nonce: chain.nonceAt(ACCOUNT, chain.head()),
  }
  const members = ladderOf(own).map(({ transaction, kind }, at) => {
    const hash: Hex = `0x${(at + 1).toString(16).padStart(2, '0')}${'6a'.repeat(31)}`
    const tx: Tx = {
      ...txOf(transaction, ACCOUNT, hash),
      to: kind === 'rung' ? DEPOSIT_CONTRACT : ACCOUNT,
      call: kind === 'rung' ? 'top-up' : 'nothing',
    }
    chain.signed.set(hash, tx)
    return { hash, tx, kind, transaction }
  })
  const hashes = members.map(({ hash }) => hash)
  /** The stake of the rival by the block from which it stands so. */
  const rival: { from: number; stake: number }[] = [{ from: 0, stake: 240_000 }]
  let lies: readonly GuardLie[] = []
  let isTakenBack = false
  let hands = 0
  const objections: string[] = []
  const object = (words: string): void => {
    objections.push(words)
  }
  const computers: Computer[] = Array.from({ length: schedule.computers }, () => ({
    lines: [],
    instance: undefined,
    crash: undefined,
  }))

  const rivalAt = (block: number) => rival.findLast(({ from }) => from <= block)?.stake ?? 0
  const isLiar = (at: number) => schedule.liar === at
  const liesOf = (at: number) => (isLiar(at) ? lies : [])

  function lookNow(dryRun: number | undefined): GuardLook {
    const heads = endpoints.map((one) => one.head())
    const block = Math.min(...heads)
    const areBoth = endpoints.every((one) => one.answers())
    // A root that is not the chain's is nobody's proof.
    const isSame = !lies.includes('other-root') || schedule.liar === undefined
    const set =
      areBoth && isSame && Math.max(...heads) - block <= 5
        ? { snapshot: setOf(block, BESIDE + chain.stakeToBeAt(block), rivalAt(block)), isRecent: true }
        : { unknown: 'no proof' }
    return {
      atMs: chain.head() * SLOT_MS,
      set,
      endpoints: endpoints.map((one, at): SaidByEndpoint => saidBy(one, at)),
      forks: { isKnown: true, ahead: [] },
      otherPayment: undefined,
      dryRun:
        dryRun === undefined
          ? undefined
          : {
              member: dryRun,
              results: endpoints.map((one, at) => dryRunAt(one, liesOf(at))),
            },
    }
  }

  function saidBy(one: Endpoint, at: number): SaidByEndpoint {
    if (!one.answers()) return { endpoint: one.name, unknown: 'silent' }
    const tells = (lie: GuardLie) => liesOf(at).includes(lie)
    const honest = said(one.name)
    return {
      ...honest,
      nonce: { latest: one.nonce(ACCOUNT), pending: one.pending(ACCOUNT), final: one.finalNonce(ACCOUNT) },
      balanceWei: balanceOf(tells, honest.balanceWei),
      baseFeeWei: baseFeeOf(tells, honest.baseFeeWei),
      codeHash: tells('other-code') ? `0x${'01'.repeat(32)}` : honest.codeHash,
      operator: tells('other-operator') ? `0x${'01'.repeat(20)}` : honest.operator,
      head: BigInt(one.head()),
    }
  }

  function instanceOf(computer: Computer): Instance {
    let state = guardOf(computer.lines)
    let memory = NOTHING_SEEN
    const host = { chain, endpoints, asked: () => undefined } as unknown as Host
    const rounds = createRounds(
      host,
      () => state?.send ?? noState(),
      () => true,
    )
    const isDue = (at: NonNullable<Computer['crash']>['at']) => {
      const { crash } = computer
      if (crash?.at !== at) return
      crash.nth -= 1
      if (crash.nth > 0) return
      computer.crash = undefined
      throw new Died()
    }
    const record = (event: GuardEvent) => {
      isDue('before-line')
      computer.lines.push(event)
      state = guardTransition(state, event)
      isDue('after-line')
    }
    const note = (body: PaymentBody) => {
      if (isGuardPayment(body)) record(body)
      else state = guardTransition(state, body)
    }
    return {
      slot() {
        if (state === undefined) return
        let picture = seenBy(state, lookNow(undefined), { memory, setup })
        let decision = decideBy(picture)
        if (decision.does === 'dry-run') {
          picture = seenBy(state, lookNow(decision.member), { memory, setup })
          decision = decideBy(picture)
        }
        memory = memoryAfter(memory, picture, { isHeard: true })
        const act = actOf(picture, decision, { isTakenBack })
        if (act.do === 'void') record({ type: 'void' })
        if (act.do === 'hand') {
          judgeHand(computer, picture, act.member, decision)
          const { hash } = members[act.member] ?? { hash: '0x' as const }
          const baseline = {
            blockNumber: BigInt(endpoints[0].head()),
            blockHash: chain.blockHash(endpoints[0].head()),
            balanceWei: 0n,
          }
          record({ type: 'handing', member: act.member, raw: '0x02', hash, target: act.target, baseline })
        }
        if (!isAsked(state.send)) return
        let round = rounds.look(chain.head() * SLOT_MS, undefined)
        const holds = notAgainBy(picture) === undefined
        const keyChecks = [
          holds ? { good: true, words: '' } : { good: false, unknown: true as const, words: '' },
        ]
        let result = decide(state.send, round)
        while ('wants' in result) {
          round =
            result.wants === 'keyChecks' ? { ...round, keyChecks } : rounds.withPart(round, result.wants)
          result = decide(state.send, round)
        }
        for (const event of result.events) note(event)
        for (const { endpoint, bytes } of result.broadcasts) give(endpoint, bytes.hash)
      },
    }

    function give(name: string, hash: Hex): void {
      const at = name === 'first' ? 0 : 1
      if (state === undefined || newestBytes(state.send)?.hash !== hash) return
      if (broadcastTo(state.send, name, hash)?.result !== 'waits') return
      const { silent } = endpoints[at].stance()
      judgeGive(computer, hash)
      const tx = chain.signed.get(hash)
      const answer = silent === 'no' && tx !== undefined ? endpoints[at].give(tx) : 'refused'
      isDue('after-bytes')
      note({ type: 'handed', endpoint: name, hash, result: answer === 'taken' ? 'taken' : 'refused' })
    }
  }

  /** What is handed over must be needed by the chain itself, within the terms, and by what the honest endpoint says. */
  function judgeHand(
    computer: Computer,
    { block, members: ladder }: GuardPicture,
    member: number,
    decision: GuardDecision,
  ): void {
    const made = ladder[member]
    const before = computer.lines.flatMap((line) => (line.type === 'handing' ? [line.member] : []))
    if (made === undefined || hashes[member] === undefined) {
      object(`member ${member} is none of the terms`)
      return
    }
    if (before.some((one) => one >= member)) object(`member ${member} after ${before.join(', ')}`)
    if (before.includes(hashes.length - 1)) object('something after the cancellation')
    if (block === undefined && !isTakenBack) object('nothing was proven')
    if (block === undefined) return
    const true_ = blockOf(block)
    const stake = BESIDE + chain.stakeToBeAt(true_)
    const rivalStake = rivalAt(true_)
    if (made.kind === 'cancellation') {
      if (isTakenBack) return
      if (rivalStake > stake && block <= lastBlock()) object('cancelled while it still helps')
      if (decision.does !== 'cancel') object('cancelled by nobody')
      return
    }
    const honest = endpoints.filter((_, at) => !isLiar(at))
    for (const one of honest)
      if (one.nonce(ACCOUNT) !== own.nonce) object('the nonce is not free at an honest endpoint')
    if (rivalStake < stake) object(`a rung while the place is kept: ${stake} against ${rivalStake}`)
    const amount = Number(made.transaction.valueWei / 10n ** 18n)
    if (stake + amount <= rivalStake) object(`a rung of ${amount} that does not keep the place`)
    if (stake + amount - 10_000 > rivalStake && amount > 10_000 && before.length === 0)
      object(`a rung of ${amount} where less would do`)
    if (block > lastBlock()) object('a rung after the last block')
    const endSeconds = NOW_SECONDS + (lastBlock() - FIRST_SLOT) * 2n
    if (endSeconds > own.untilSeconds + 2n) object('a rung for a boundary after the term')
    const seen = dangerSince(true_)
    const latest = lastBlock() - latestSlotsBefore(setup.network)
    if (before.length === 0 && BigInt(true_ - seen) < BigInt(own.slotsToHuman) && block < latest)
      object('the human had no time')
  }

  const lastBlock = (): bigint => EPOCH * SLOTS_PER_EPOCH + SLOTS_PER_EPOCH - 1n

  /** The first block of those up to one in which the place is lost by the chain itself. */
  function dangerSince(block: number): number {
    let first = block
    while (first > 0 && rivalAt(first - 1) >= BESIDE + chain.stakeToBeAt(first - 1)) first -= 1
    return first
  }

  function judgeGive(computer: Computer, hash: Hex) {
    if (!hashes.includes(hash)) object('bytes that are none of the terms')
    if (!computer.lines.some((line) => line.type === 'handing' && line.hash === hash))
      object('bytes left before their line')
  }

  function judgeBlocks() {
    const inBlocks = members.filter(({ hash }) => chain.find(hash) !== undefined)
    if (inBlocks.length > 1) object('two members in blocks')
  }

  function start(computer: Computer) {
    if (computer.lines.length === 0) computer.lines.push({ type: 'armed', terms: own, hashes })
    computer.instance = instanceOf(computer)
  }

  function slot(isEmpty: boolean) {
    for (const one of endpoints) one.gossip()
    chain.makeBlock(isEmpty)
    for (const one of endpoints) one.gossip()
    for (const computer of computers) {
      try {
        computer.instance?.slot()
      } catch (thrown) {
        if (!(thrown instanceof Died)) throw thrown
        computer.instance = undefined
      }
    }
    judgeBlocks()
  }

  function offer(tx: Tx) {
    chain.signed.set(tx.hash, tx)
    chain.offer(tx)
  }

  function carryOut(one: GuardAction): void {
    switch (one.do) {
      case 'slots':
        for (let count = 0; count < one.count; count += 1) slot(one.empty)
        return
      case 'raise':
        rival.push({ from: chain.head() + 1, stake: Math.max(one.to, rivalAt(chain.head())) })
        return
      case 'others-add':
      case 'by-hand': {
        hands += 1
        const hash: Hex = `0x${hands.toString(16).padStart(4, '0')}${'4a'.repeat(30)}`
        const from = one.do === 'others-add' ? OTHER : ACCOUNT
        const isEmpty = one.do === 'by-hand' && one.what === 'cancel'
        const amount = one.do === 'others-add' ? one.amount : 10_000
        const fees = { maxFeeWei: 10n ** 13n, tipWei: 10n ** 13n }
        const nonce = chain.nonceAt(from, chain.head())
        offer({
          hash,
          from,
          nonce,
          ...fees,
          to: isEmpty ? ACCOUNT : DEPOSIT_CONTRACT,
          call: isEmpty ? 'nothing' : 'top-up',
          amount: isEmpty ? 0 : amount,
        })
        return
      }
      case 'endpoint':
        endpoints[one.at].behave({
          ...HONEST,
          lag: one.lag,
          silent: one.silent ? 'refuses' : 'no',
          lies: endpoints[one.at].stance().lies,
        })
        return
      case 'lie': {
        lies = one.lies
        if (schedule.liar === undefined) return
        const known = one.lies.filter((lie): lie is Lie => (LIES as readonly string[]).includes(lie))
        endpoints[schedule.liar].behave({ ...endpoints[schedule.liar].stance(), lies: known })
        return
      }
      case 'reorg':
        chain.reorg(one.vanish)
        return
      case 'forget':
        chain.forgetPool()
        for (const each of endpoints) each.forgetPool()
        return
      case 'take-back':
        isTakenBack = true
        return
      case 'crash': {
        const computer = computers[one.who]
        if (computer !== undefined) computer.crash = { at: one.at, nth: one.nth }
        return
      }
      case 'restart': {
        const computer = computers[one.who]
        if (computer !== undefined) start(computer)
      }
    }
  }

  for (const computer of computers) start(computer)
  for (const one of schedule.actions) {
    carryOut(one)
    if (objections.length > 0 || chain.head() > blockOf(lastBlock()) + 20) break
  }
  const paid = members
    .filter(({ hash, kind }) => kind === 'rung' && chain.find(hash)?.success === true)
    .map(({ tx }) => tx.amount)
  const isLost = rivalAt(chain.head()) >= BESIDE + chain.stakeToBeAt(chain.head())
  return { objection: objections[0], paid, isLost }
}

function balanceOf(tells: (lie: GuardLie) => boolean, wei: bigint): bigint {
  if (tells('poor')) return 0n
  return tells('rich') ? 10n ** 30n : wei
}

function baseFeeOf(tells: (lie: GuardLie) => boolean, wei: bigint): bigint {
  if (tells('dear')) return 10n ** 15n
  return tells('cheap') ? 0n : wei
}

function dryRunAt(one: Endpoint, lies: readonly GuardLie[]): 'done' | 'refused' | 'unknown' {
  if (!one.answers()) return 'unknown'
  return lies.includes('refuses-dry-run') ? 'refused' : 'done'
}

function noState(): never {
  throw new Error('no guard')
}
