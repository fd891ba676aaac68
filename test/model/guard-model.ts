import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { decideGuard, notArmedBy } from '../../src/core/pay/guard/decide.ts'
import {
  type GuardEvent,
  type GuardState,
  guardOf,
  guardTransition,
  isGuardPayment,
  phaseOf,
} from '../../src/core/pay/guard/guard.ts'
import { notAgainBy } from '../../src/core/pay/guard/guard-consent.ts'
import {
  actOf,
  type HoldMemory,
  limitsOfGuard,
  memoryAfter,
  NOTHING_SEEN,
  seenBy,
} from '../../src/core/pay/guard/hold.ts'
import { MOST_RUNGS, RUNGS_OF_EXTERNAL, rungAmounts } from '../../src/core/pay/guard/ladder.ts'
import { type GuardLook, guardPicture, type SaidByEndpoint } from '../../src/core/pay/guard/picture.ts'
import { type GuardTerms, ladderOf } from '../../src/core/pay/guard/terms.ts'
import { broadcastTo, newestBytes } from '../../src/core/pay/payment/candidates.ts'
import { decide } from '../../src/core/pay/payment/decide.ts'
import type { PaymentBody } from '../../src/core/pay/payment/payment.ts'
import type { Limits } from '../../src/core/pay/payment/payment-picture.ts'
import type { Decision, Round } from '../../src/core/pay/payment/round.ts'
import { isAsked } from '../../src/core/pay/payment/sign-again.ts'
import {
  NOW_SECONDS,
  setup as realSetup,
  endpoint as said,
  terms as termsOf,
} from '../support/guard-world.ts'
import { ACCOUNT, type Chain, createChain, GENESIS_MS, OTHER, SLOT_MS, type Tx } from './chain.ts'
import { createEndpoint, DEPOSIT_CONTRACT, type Endpoint, type Lie } from './endpoint.ts'
import { type Calendar, createStakes, FIRST_BLOCK, RIVAL_FIRST, type Stakes } from './guard-chain.ts'
import { createGuardJudge, type GuardJudge, type Member } from './guard-judge.ts'
import { Died, type Host } from './program.ts'
import { createRounds } from './pure-rounds.ts'
import { PUBKEY, txOf } from './txs.ts'

/** What the liar says of the world of a guard, beside what it says of payments. */
export const GUARD_LIES = [
  'poor',
  'rich',
  'dear',
  'cheap',
  'other-chain',
  'other-code',
  'other-operator',
  'other-root',
  'head-ahead',
  'need',
  'no-need',
  'refuses-dry-run',
] as const

export type GuardLie = Lie | (typeof GUARD_LIES)[number]

/** Of which world a guard is. Amounts in whole tokens. */
export type GuardSetting = Calendar & {
  liar: 0 | 1 | undefined
  /** Who holds it: one program, two on one computer with one journal, or two computers with a copy each. */
  holders: 'one' | 'two windows' | 'two computers'
  signer: GuardTerms['signer']
  cap: number
  slotsToHuman: number
  /** Blocks until the term is over. */
  termBlocks: number
  limits: Limits
  /** A proven set counts for so many slots. */
  slotsOfProof: number
}

/** The program's decisions, or others in their place, so that faults can be planted. */
export type GuardParts = {
  decideBy: typeof decideGuard
  actBy: typeof actOf
  againBy: typeof notAgainBy
  armedBy: typeof notArmedBy
  openedBy: typeof guardOf
  roundBy(state: GuardState['send'], round: Round, limits: Limits): Decision
  /** What is planted into the world around the decisions. */
  plants: {
    ignoresLocks?: true
    laterLine?: true
    ownNonces?: true
    anchors?: number
    counts?: 'nothing-waits'
  }
}

const REAL_PARTS: GuardParts = {
  decideBy: decideGuard,
  actBy: actOf,
  againBy: notAgainBy,
  armedBy: notArmedBy,
  openedBy: guardOf,
  roundBy: (state, round, limits) => decide(state, round, { limits }),
  plants: {},
}

type Crash = { at: 'before-line' | 'after-line' | 'after-bytes'; nth: number }

/** What a computer keeps, and which of its windows holds the guard. */
type Computer = { lines: readonly GuardEvent[]; holder: Window | undefined }

/** One running program; `held` while it holds the guard. */
type Window = {
  computer: Computer
  isOpen: boolean
  held: { state: GuardState; memory: HoldMemory; isTakenBack: boolean } | undefined
  crash: Crash | undefined
}

export type GuardKey = 'arm' | 'export' | 'import' | 'take-back'

/** A world with a guard. Nothing in it happens by itself. */
export type GuardModel = {
  setting: GuardSetting
  chain: Chain
  endpoints: readonly [Endpoint, Endpoint]
  stakes: Stakes
  judge: GuardJudge
  windows: readonly Window[]
  members: readonly Member[]
  terms: GuardTerms
  /** Everything that ever left, in the order of leaving. */
  sent: Tx[]
  /** What the liar says now. */
  lies: readonly GuardLie[]
  isDear: boolean
  isOtherPaymentOpen: boolean
  /** Looks without a new block since the newest one. */
  haltedSlots: number
  /** What was asked of each endpoint since somebody forgot. */
  asked: readonly Set<string>[]
  nowMs(): number
  baseFeeWei(): bigint
  open(window: Window): void
  close(window: Window): void
  keys(window: Window): readonly GuardKey[]
  press(window: Window, key: GuardKey): void
  /** A slot passes: with a block that may be empty, or with none. */
  slot(block: 'full' | 'empty' | 'none'): void
  byHand(what: 'pay' | 'cancel' | 'others-add' | 'stolen', amount?: number): void
  keep(): () => void
}

/** A world in which nothing is armed yet. */
export function createGuardModel(setting: GuardSetting, over: Partial<GuardParts> = {}): GuardModel {
  const parts = { ...REAL_PARTS, ...over }
  const { plants } = parts
  const chain = createChain('top-up')
  const asked = [new Set<string>(), new Set<string>()] as const
  const invented = { call: 'top-up' as const, amount: 10_000 }
  const endpoints = [
    createEndpoint(chain, 'first', invented),
    createEndpoint(chain, 'second', invented),
  ] as const
  const stakes = createStakes(chain, setting)
  const setup = setupOf(setting)
  const isExternal = setting.signer === 'external'
  const nonce = chain.nonceAt(ACCOUNT, chain.head())
  const most = isExternal ? RUNGS_OF_EXTERNAL : MOST_RUNGS
  const terms: GuardTerms = termsOf({
    validator: { ...termsOf().validator, pubkey: PUBKEY },
    slotsToHuman: setting.slotsToHuman,
    untilSeconds: NOW_SECONDS + BigInt(setting.termBlocks) * 2n,
    from: ACCOUNT,
    nonce,
    signer: setting.signer,
    rungsGwei: rungAmounts(tokens(BigInt(setting.cap)), setup.network, most) ?? [],
  })
  const members = ladderOf(terms).map(({ transaction, kind }, at): Member => {
    const hash: Hex = `0x${(at + 1).toString(16).padStart(2, '0')}${'6a'.repeat(31)}`
    const tx = { ...txOf(transaction, ACCOUNT, hash), to: kind === 'rung' ? DEPOSIT_CONTRACT : ACCOUNT }
    return { hash, kind, tx: plants.ownNonces === true ? { ...tx, nonce: nonce + at } : tx }
  })
  for (const { hash, tx } of members) chain.signed.set(hash, tx)
  const hashes = members.map(({ hash }) => hash)
  const computers: Computer[] = Array.from({ length: setting.holders === 'two computers' ? 2 : 1 }, () => ({
    lines: [],
    holder: undefined,
  }))
  const windows: Window[] = Array.from({ length: setting.holders === 'one' ? 1 : 2 }, (_, at) => ({
    computer: computers[Math.min(at, computers.length - 1)] as Computer,
    isOpen: true,
    held: undefined,
    crash: undefined,
  }))
  let hands = 0

  const liesOf = (at: number) => (setting.liar === at ? model.lies : [])
  const isOffered = (lie: GuardLie) => model.lies.includes(lie) && setting.liar !== undefined

  function lookNow(dryRun: number | undefined): GuardLook {
    const results = endpoints.map((one, at) => dryRunAt(one, at))
    return {
      atMs: model.nowMs(),
      set: setNow(),
      endpoints: endpoints.map(saidBy),
      forks: { isKnown: true, ahead: [] },
      otherPayment: model.isOtherPaymentOpen ? { from: OTHER } : undefined,
      dryRun: dryRun === undefined ? undefined : { member: dryRun, results },
    }
  }

  /** The set by the head of the first endpoint, which the second must hold as well. */
  function setNow(): GuardLook['set'] {
    for (const one of asked) one.add('set')
    const [first, second] = endpoints
    if (!first.answers()) return { unknown: 'silent' }
    // A root that is not the chain’s is nobody’s proof, nor is a head that nobody has made.
    if (isOffered('other-root') || (isOffered('head-ahead') && setting.liar === 0))
      return { unknown: 'no proof' }
    const heads = [first.head(), second.head()] as const
    if (second.answers() && Math.abs(heads[0] - heads[1]) > 5) return { unknown: 'too far' }
    const block = Math.min(...(second.answers() ? heads : [heads[0]]))
    const isRecent = model.haltedSlots + chain.head() - block <= setting.slotsOfProof
    const lie = lieOfSet()
    if (lie !== undefined) {
      // The other endpoint refuses it, unless it has no block to compare it with, or nobody asks it.
      const isAsked = plants.anchors === undefined
      const knows =
        isAsked && endpoints.some((one, at) => at !== setting.liar && one.answers() && one.head() >= block)
      return knows ? { unknown: 'mismatch' } : { snapshot: planted(stakes.setAt(block, lie)), isRecent }
    }
    const anchors = second.answers() ? 2 : 1
    if (anchors === 2) model.judge.proves(block)
    const snapshot = stakes.setAt(block)
    return {
      snapshot: planted(anchors === 2 ? snapshot : { ...snapshot, proof: { ...snapshot.proof, anchors } }),
      isRecent,
    }
  }

  /** A node that lies with the endpoint: which stake it gives the rival. */
  function lieOfSet(): { rival: number; anchors: number } | undefined {
    if (isOffered('need')) return { rival: stakes.mineAt(chain.head()), anchors: 1 }
    return isOffered('no-need') ? { rival: RIVAL_FIRST, anchors: 1 } : undefined
  }

  function planted(snapshot: ReturnType<Stakes['setAt']>): ReturnType<Stakes['setAt']> {
    const { anchors = snapshot.proof.anchors, counts } = plants
    const isAsIs = anchors === snapshot.proof.anchors && counts === undefined
    if (isAsIs) return snapshot
    const uncounted = counts === undefined ? snapshot.uncounted : []
    return { ...snapshot, uncounted, proof: { ...snapshot.proof, anchors } }
  }

  function saidBy(one: Endpoint, at: number): SaidByEndpoint {
    asked[at === 0 ? 0 : 1].add('said').add('nonce').add('pending').add('finalNonce')
    if (!one.answers()) return { endpoint: one.name, unknown: 'silent' }
    const tells = (lie: GuardLie) => liesOf(at).includes(lie)
    const honest = said(one.name)
    const other: Hex = `0x${'01'.repeat(32)}`
    return {
      ...honest,
      nonce: { latest: one.nonce(ACCOUNT), pending: one.pending(ACCOUNT), final: one.finalNonce(ACCOUNT) },
      balanceWei: balanceOf(tells, honest.balanceWei),
      baseFeeWei: baseFeeOf(tells, model.baseFeeWei()),
      genesisHash: tells('other-chain') ? other : honest.genesisHash,
      codeHash: tells('other-code') ? other : honest.codeHash,
      operator: tells('other-operator') ? `0x${'01'.repeat(20)}` : honest.operator,
      head: stakes.slotOf(headOf(at)),
    }
  }

  /** The head by the word of an endpoint. */
  function headOf(at: number): number {
    const head = endpoints[at === 0 ? 0 : 1].head()
    return liesOf(at).includes('head-ahead') ? head + 1_000 : head
  }

  function dryRunAt(one: Endpoint, at: number): 'done' | 'refused' | 'unknown' {
    if (!one.answers()) return 'unknown'
    return liesOf(at).includes('refuses-dry-run') ? 'refused' : 'done'
  }

  function isDue(window: Window, at: Crash['at']): void {
    const { crash } = window
    if (crash?.at !== at) return
    crash.nth -= 1
    if (crash.nth > 0) return
    window.crash = undefined
    throw new Died(at)
  }

  function write(window: Window, event: GuardEvent): void {
    isDue(window, 'before-line')
    window.computer.lines = [...window.computer.lines, event]
    isDue(window, 'after-line')
  }

  /** A program does something, and may die on the way. */
  function alive(window: Window, what: () => void): void {
    try {
      what()
    } catch (thrown) {
      if (!(thrown instanceof Died)) throw thrown
      close(window)
    }
  }

  function open(window: Window): void {
    window.isOpen = true
    window.crash = undefined
    hold(window)
  }

  function close(window: Window): void {
    window.isOpen = false
    letGo(window)
  }

  function letGo(window: Window): void {
    window.held = undefined
    if (window.computer.holder === window) window.computer.holder = undefined
  }

  /** Takes the guard, where there is one that is not over and nobody else holds it. */
  function hold(window: Window): void {
    const { computer } = window
    if (window.held !== undefined) return
    if (computer.holder !== undefined && plants.ignoresLocks !== true) return
    const state = parts.openedBy(computer.lines)
    const phase = state && phaseOf(state)
    if (state === undefined || phase === 'exported' || phase === 'over') return
    computer.holder = window
    window.held = { state, memory: NOTHING_SEEN, isTakenBack: false }
  }

  /** One look of whoever holds the guard, in the order of `holdGuard`. */
  function lookOnce(window: Window): void {
    const { held, computer } = window
    if (held === undefined) return
    const see = (dryRun: number | undefined) =>
      seenBy(held.state, lookNow(dryRun), { memory: held.memory, setup })
    const apply = (event: GuardEvent | PaymentBody) => {
      held.state = guardTransition(held.state, event) ?? held.state
    }
    const record = (event: GuardEvent) => {
      write(window, event)
      apply(event)
    }
    const note = (body: PaymentBody) => (isGuardPayment(body) ? record(body) : apply(body))
    let picture = see(undefined)
    let decision = parts.decideBy(picture)
    if (decision.does === 'dry-run') {
      for (const one of asked) one.add('dry-run')
      picture = see(decision.member)
      decision = parts.decideBy(picture)
    }
    held.memory = memoryAfter(held.memory, picture, { isHeard: true })
    const { isTakenBack } = held
    const act = parts.actBy(picture, decision, { isTakenBack })
    if (act.do === 'void' || act.do === 'given-up') record({ type: act.do })
    const nth = endpoints.findIndex((one) => one.answers())
    if (act.do === 'hand' && nth !== -1) {
      const { member } = act
      const block = picture.block === undefined ? undefined : blockOf(picture.block)
      model.judge.hands({ lines: computer.lines, block, member, decision, isTakenBack })
      const { hash } = members[member] ?? { hash: '0x' as const }
      const head = headOf(nth)
      const baseline = { blockNumber: BigInt(head), blockHash: chain.blockHash(head), balanceWei: 0n }
      const handing = { type: 'handing', member, raw: '0x02', hash, target: act.target, baseline } as const
      if (plants.laterLine === true) for (const at of [0, 1] as const) give(window, at, hash)
      record(handing)
    }
    if (isAsked(held.state.send)) {
      const now = seenBy(held.state, picture.look, { memory: held.memory, setup })
      goRound(window, { held, note, again: parts.againBy(now) === undefined })
    }
    model.judge.told(held.state)
    if (phaseOf(held.state) === 'over' && !isAsked(held.state.send)) letGo(window)
  }

  const blockOf = (slot: bigint) => Number(slot - stakes.slotOf(FIRST_BLOCK)) + FIRST_BLOCK

  /** One round of the payment that a member has become. */
  function goRound(
    window: Window,
    {
      held,
      note,
      again,
    }: { held: NonNullable<Window['held']>; note: (body: PaymentBody) => void; again: boolean },
  ): void {
    const rounds = createRounds(
      host,
      () => held.state.send,
      () => true,
    )
    const keyChecks = [again ? { good: true, words: '' } : { good: false, unknown: true as const, words: '' }]
    const limits = limitsOfGuard(setting.limits)
    let round = rounds.look(model.nowMs(), undefined)
    let result = parts.roundBy(held.state.send, round, limits)
    while ('wants' in result) {
      round = result.wants === 'keyChecks' ? { ...round, keyChecks } : rounds.withPart(round, result.wants)
      result = parts.roundBy(held.state.send, round, limits)
    }
    for (const event of result.events) note(event)
    for (const { endpoint: name, bytes } of result.broadcasts) {
      const { hash } = bytes
      if (newestBytes(held.state.send)?.hash !== hash) continue
      if (broadcastTo(held.state.send, name, hash)?.result !== 'waits') continue
      const taken = give(window, name === 'first' ? 0 : 1, hash)
      note({ type: 'handed', endpoint: name, hash, result: taken ? 'taken' : 'refused' })
    }
  }

  /** Gives bytes to an endpoint; whether it says that it took them. */
  function give(window: Window, at: 0 | 1, hash: Hex): boolean {
    asked[at].add('give')
    model.judge.gives(hash, window.computer.lines)
    const tx = chain.signed.get(hash)
    const { silent } = endpoints[at].stance()
    if (tx !== undefined) model.sent.push(tx)
    const answer = silent === 'no' && tx !== undefined ? endpoints[at].give(tx) : 'refused'
    isDue(window, 'after-bytes')
    return answer === 'taken'
  }

  function keys(window: Window): readonly GuardKey[] {
    const state = guardOf(window.computer.lines)
    if (!window.isOpen) return []
    if (state === undefined) return [isExternal ? 'export' : 'arm']
    const phase = phaseOf(state)
    if (phase === 'exported') return ['import']
    const { holder } = window.computer
    const mayTakeBack = phase === 'armed' || phase === 'handed-over'
    const isHere = holder === undefined || holder === window
    return mayTakeBack && isHere && window.held?.isTakenBack !== true ? ['take-back'] : []
  }

  function press(window: Window, key: GuardKey): void {
    if (!keys(window).includes(key)) return
    alive(window, () => {
      if (key === 'take-back') {
        hold(window)
        if (window.held !== undefined) window.held.isTakenBack = true
        return lookOnce(window)
      }
      if (key !== 'import' && isArmedAgainst()) return
      write(window, key === 'export' ? { type: 'exported', terms } : { type: 'armed', terms, hashes })
      for (const one of computers) if (one !== window.computer) one.lines = [...window.computer.lines]
      hold(window)
    })
  }

  function isArmedAgainst(): boolean {
    const state = guardTransition(undefined, { type: 'armed', terms, hashes: [] })
    if (state === undefined) return true
    return parts.armedBy(guardPicture(state, lookNow(undefined), { setup, since: undefined })) !== undefined
  }

  function slot(block: 'full' | 'empty' | 'none'): void {
    if (block === 'none') model.haltedSlots += 1
    else {
      model.haltedSlots = 0
      for (const one of endpoints) one.gossip()
      chain.makeBlock(block === 'empty', model.baseFeeWei())
      for (const one of endpoints) one.gossip()
      model.judge.block()
    }
    for (const window of windows) {
      if (!window.isOpen) continue
      alive(window, () => {
        hold(window)
        lookOnce(window)
      })
    }
  }

  function byHand(what: 'pay' | 'cancel' | 'others-add' | 'stolen', amount = 10_000): void {
    const dearest = members.findLast(({ kind }) => kind === 'rung')
    if (what === 'stolen') return void (dearest !== undefined && chain.offer(dearest.tx))
    hands += 1
    const hash: Hex = `0x${hands.toString(16).padStart(4, '0')}${'4a'.repeat(30)}`
    const from = what === 'others-add' ? OTHER : ACCOUNT
    const isEmpty = what === 'cancel'
    const tx: Tx = {
      hash,
      from,
      nonce: chain.nonceAt(from, chain.head()),
      maxFeeWei: 10n ** 13n,
      tipWei: 10n ** 13n,
      to: isEmpty ? ACCOUNT : DEPOSIT_CONTRACT,
      call: isEmpty ? 'nothing' : 'top-up',
      amount: isEmpty ? 0 : amount,
    }
    chain.signed.set(hash, tx)
    chain.offer(tx)
  }

  const host = {
    chain,
    endpoints: [noting(endpoints[0], asked[0]), noting(endpoints[1], asked[1])],
    asked: () => undefined,
  } as unknown as Host
  const truth = {
    chain,
    endpoints,
    stakes,
    setting,
    members,
    nonce,
    untilSeconds: terms.untilSeconds,
    baseFeeWei: () => model.baseFeeWei(),
    isOtherPaymentOpen: () => model.isOtherPaymentOpen,
  }
  const model: GuardModel = {
    setting,
    chain,
    endpoints,
    stakes,
    judge: createGuardJudge(truth),
    windows,
    members,
    terms,
    sent: [],
    lies: [],
    isDear: false,
    isOtherPaymentOpen: false,
    haltedSlots: 0,
    asked,
    nowMs: () => GENESIS_MS + (chain.head() + model.haltedSlots) * SLOT_MS,
    baseFeeWei: () => (model.isDear ? (members[0]?.tx.maxFeeWei ?? 0n) + 1n : said('').baseFeeWei),
    open,
    close,
    keys,
    press,
    slot,
    byHand,
    keep() {
      const { sent, lies, isDear, isOtherPaymentOpen, haltedSlots } = model
      const kept = { sent: [...sent], hands }
      const all = [chain.keep(), stakes.keep(), model.judge.keep(), ...endpoints.map((one) => one.keep())]
      for (const one of computers) {
        const { lines, holder } = one
        all.push(() => Object.assign(one, { lines, holder }))
      }
      for (const one of windows) {
        const { isOpen, held, crash } = one
        const before = { isOpen, held: held && { ...held }, crash: crash && { ...crash } }
        all.push(() =>
          Object.assign(one, {
            isOpen,
            held: before.held && { ...before.held },
            crash: before.crash && { ...before.crash },
          }),
        )
      }
      return () => {
        for (const back of all) back()
        hands = kept.hands
        Object.assign(model, { sent: [...kept.sent], lies, isDear, isOtherPaymentOpen, haltedSlots })
        model.judge.forget()
      }
    },
  }
  return model
}

const ASKED = [
  'finalized',
  'nonce',
  'finalNonce',
  'pending',
  'receipt',
  'transaction',
  'deposits',
] as const satisfies readonly (keyof Endpoint)[]

/** The same endpoint, with what it was asked for noted. */
function noting(endpoint: Endpoint, asked: Set<string>): Endpoint {
  const noted = { ...endpoint }
  for (const what of ASKED) {
    const real = endpoint[what] as (...args: unknown[]) => unknown
    Object.assign(noted, {
      [what]: (...args: unknown[]) => {
        asked.add(what)
        return real(...args)
      },
    })
  }
  return noted
}

function setupOf({ slotsPerEpoch }: GuardSetting): Setup {
  const { network } = realSetup
  return { ...realSetup, network: { ...network, spec: { ...network.spec, slotsPerEpoch } } }
}

function balanceOf(tells: (lie: GuardLie) => boolean, wei: bigint): bigint {
  if (tells('poor')) return 0n
  return tells('rich') ? 10n ** 30n : wei
}

function baseFeeOf(tells: (lie: GuardLie) => boolean, wei: bigint): bigint {
  if (tells('dear')) return 10n ** 15n
  return tells('cheap') ? 0n : wei
}
