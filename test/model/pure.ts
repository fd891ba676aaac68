import type { UnsignedTransaction } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { PaymentFact } from '../../src/core/chain/facts.ts'
import { type AgreedKeyState, type AgreedTerms, withinTerms } from '../../src/core/pay/gate/consent.ts'
import { nonceFault, nonceFor, ownNonces } from '../../src/core/pay/gate/nonce.ts'
import { fateOfAbandoned } from '../../src/core/pay/payment/abandoned.ts'
import {
  agreementOf,
  broadcastTo,
  dearest,
  draftOf,
  endedOf,
  initialPayment,
  liveOf,
  newestBytes,
  raised,
  replacementOf,
} from '../../src/core/pay/payment/candidates.ts'
import { decide } from '../../src/core/pay/payment/decide.ts'
import { paymentTransition } from '../../src/core/pay/payment/machine.ts'
import type {
  BroadcastResult,
  Draft,
  PaymentBody,
  PaymentCommand,
  PaymentEvent,
  PaymentState,
  Replacement,
} from '../../src/core/pay/payment/payment.ts'
import { asRemembered, paymentFact, resumePayment } from '../../src/core/pay/payment/remembered.ts'
import { type Broadcast, type Decision, isReply, type Round } from '../../src/core/pay/payment/round.ts'
import {
  exportedOf,
  fits,
  isAsked,
  mayAbandon,
  PAYMENT_DURABLE,
} from '../../src/core/pay/payment/sign-again.ts'
import { ACCOUNT, type Chain, SAFE } from './chain.ts'
import { offersOf, storyOf } from './offers.ts'
import {
  type Adapter,
  type Host,
  type Kind,
  type Line,
  type Offer,
  type Program,
  type Told,
  wordIn,
} from './program.ts'
import { createRounds, failure } from './pure-rounds.ts'
import { agreedFacts, askKey, isRecent, type Said as Looked, lookAtSecond, shownWorld } from './rules.ts'
import { dataOf, planOf, txOf, weiOf } from './txs.ts'

const GWEI = 1_000_000_000n
const FEES = { maxFeePerGasWei: 3n * GWEI, maxPriorityFeePerGasWei: GWEI }
const GAS = 180_000n
const CHAIN_ID = 80069

/** The hash of a transaction, by its fields alone: in this world nobody looks at bytes. */
function hashOf({
  nonce,
  to,
  data,
  valueWei,
  maxFeePerGasWei,
  maxPriorityFeePerGasWei,
}: UnsignedTransaction): Hex {
  const what = ['0x', dataOf('top-up'), dataOf('first')].indexOf(data)
  const fees = `${maxFeePerGasWei.toString(16)}${maxPriorityFeePerGasWei.toString(16)}`
  return `0x${what}${nonce.toString(16).padStart(4, '0')}${(valueWei / weiOf(1)).toString(16)}${to.slice(2, 6)}${fees}`.padEnd(
    66,
    'e',
  ) as Hex
}

/** Decides a round, as the program does it. */
export type Decide = (state: PaymentState, round: Round) => Decision

/** What a program knows, for whoever looks into it. */
export type Inside = {
  readonly state: PaymentState
  readonly finished: readonly PaymentFact[]
  readonly gate: (Gate & { atMs: number }) | undefined
  /** The world on the screen. */
  readonly shown: AgreedKeyState | undefined
  readonly prompt: Prompt | undefined
  readonly slots: number
  readonly isHolder: boolean
}

/** A program in which nothing waits, so that its moment can be kept and looked into. */
export type PureProgram = Omit<Program, 'press' | 'slot'> & {
  press(offer: Offer): void
  slot(nowMs: number): void
  keep(): () => void
  inside(): Inside
  /** Agrees by a word to what stood in the frame that was read. */
  agreeTo(world: AgreedKeyState | undefined, terms: AgreedTerms): void
  /** Tells it what a key or a word makes; false where that does not fit. */
  tell(body: PaymentBody): boolean
  /** A replacement as it is quoted; undefined where nothing can be replaced, or nobody quotes. */
  quote(kind: Replacement['kind']): Replacement | undefined
}

/** The payment after an event, with the paid ones before it. */
export function applied(
  { state, finished }: Pick<Inside, 'state' | 'finished'>,
  event: PaymentEvent,
): Pick<Inside, 'state' | 'finished'> & { commands: readonly PaymentCommand[] } {
  const [next, commands] = paymentTransition(state, event)
  const outcome = endedOf(state)?.outcome
  if (event.type === 'contradicted') {
    const hash = outcome !== undefined && 'included' in outcome ? outcome.included.hash : undefined
    return { state: next, finished: finished.filter((one) => one.hash !== hash), commands }
  }
  const isTopUpEnd = event.type === 'ended' && event.step === 'topup' && outcome === undefined
  const fact = isTopUpEnd ? paymentFact(next) : undefined
  return { state: next, finished: fact === undefined ? finished : [...finished, fact], commands }
}

/**
 * The pure part of the program: its transitions and decisions, with rounds made from the model. Nothing waits. `decideBy` may
 * take the place of the program's own decisions.
 */
export function pureBy(decideBy: Decide): Omit<Adapter, 'start'> & { start(host: Host): PureProgram } {
  return {
    name: 'the decisions alone',
    start: (host) => createProgram(host, decideBy),
    sign({ unsigned, isCall }, chain: Chain) {
      const tx = txOf(unsigned, isCall ? SAFE : ACCOUNT, hashOf(unsigned))
      if (!isCall) chain.signed.set(tx.hash, tx)
      return tx
    },
  }
}

export const PURE: Adapter = pureBy((state, round) => decide(state, round))

type Gate = Looked & { nonce: number; deposits: readonly { hash: Hex; amountGwei: bigint }[] }
type Prompt = { draft: Draft; replacement: Replacement | undefined }

function createProgram(host: Host, decideBy: Decide): PureProgram {
  const step = host.kind === 'first' ? 'deposit' : 'topup'
  const { endpoints, chain } = host
  const [first, second] = endpoints
  const plan = planOf(host.kind, host.amount)
  const from = host.signedBy === 'contract' ? SAFE : ACCOUNT
  const self = {}
  let nowMs = host.startedAtMs
  let state: PaymentState = { ...initialPayment, sender: from }
  let finished: readonly PaymentFact[] = []
  let gate: (Gate & { atMs: number }) | undefined
  let agreed: AgreedKeyState | undefined
  let prompt: Prompt | undefined
  let slots = 0
  let isAnew = false

  const rounds = createRounds(host, () => state, holdAccount)
  const agreement = () => agreementOf(state)

  function apply(event: PaymentEvent): readonly PaymentCommand[] {
    const next = applied({ state, finished }, event)
    state = next.state
    finished = next.finished
    return next.commands
  }

  function dispatch(body: PaymentBody): boolean {
    const event: PaymentEvent = { step, ...body }
    if (PAYMENT_DURABLE.includes(event.type)) {
      if (!fits(state, event)) return false
      const hash = event.type === 'signed' || event.type === 'replaced' ? event.hash : undefined
      host.append({ type: event.type, hash, data: event, word: wordIn(event) } satisfies Line)
    }
    for (const command of apply(event)) run(command)
    return true
  }

  function run({ type }: PaymentCommand): void {
    switch (type) {
      case 'check':
        gate = { ...askGate(), atMs: nowMs }
        return
      case 'prepare':
        prepare()
        return
      case 'signTransaction': {
        const draft = draftOf(state)
        if (draft !== undefined) prompt = { draft, replacement: liveOf(state)?.replacement }
        return
      }
      case 'follow':
        // Whoever follows already stops, and begins anew.
        isAnew = true
        return
      case 'import':
      case 'saveCommand':
      case 'quote':
    }
  }

  function holdAccount(): boolean {
    const holder = host.locks.get('account')
    if (holder !== undefined && holder !== self) return false
    host.locks.set('account', self)
    return true
  }

  function askGate(): Gate {
    const closed = (words: string): Gate => ({ good: false, words, nonce: 0, deposits: [] })
    const unknown = (words: string): Gate => ({ ...closed(words), unknown: true })
    if (!first.answers() || !second.answers()) return unknown('an endpoint is silent')
    if (!isRecent(host, first.head())) return unknown('an old head')
    const next = first.nonce(from)
    const nonce = nonceFor(state, { from, nonce: next })
    const aside = requireUnusedAbandoned()
    if (aside !== undefined) return closed(aside)
    if (host.signedBy !== 'contract') {
      const own = [
        ...ownNonces(state, step),
        ...finished.map((one) => ({ ...one, use: 'used', step }) as const),
      ]
      const fault = nonceFault({ from, nonce }, own)
      if (fault !== undefined) return closed(fault)
    }
    if (first.pending(from) !== next) return closed('other transactions wait')
    if (second.nonce(from) !== next || second.pending(from) !== next) return closed('another nonce')
    const key = askKey(host, { first, second, block: first.head() }, agreement())
    const deposits = depositsAtFirst()
    if (!key.good) return { ...key, nonce, deposits }
    const word = lookAtSecond(host, second, agreement())
    if (!word.good) return { ...word, nonce, deposits }
    if ((host.kind === 'first') === first.hasOperator()) return closed('the dry run is refused')
    return { ...key, nonce, deposits }
  }

  const depositsAtFirst = () =>
    first.deposits(0).map(({ hash, amount }) => ({ hash, amountGwei: weiOf(amount) / GWEI }))

  /** Why nothing may be made yet of what was abandoned; what was sent of it is told as found. */
  function requireUnusedAbandoned(): string | undefined {
    if (state.abandoned.length === 0) return undefined
    const { byEndpoint: said } = rounds.withPart(rounds.look(nowMs, undefined), 'deposits')
    const answers = said.filter(isReply)
    const fate = fateOfAbandoned(state, answers)
    const isWhole = answers.length === said.length
    if (fate.is === 'unused' && isWhole) return undefined
    if (fate.is === 'sent' && isWhole) {
      const { draft, hash, valueWei } = fate
      const { nonce, data } = draft.transaction
      dispatch({
        type: 'found',
        from: draft.from,
        nonce,
        hash,
        valueWei,
        data,
      })
      return 'what was abandoned was sent'
    }
    return 'what was abandoned may have been sent'
  }

  function prepare(): void {
    gate = { ...askGate(), atMs: nowMs }
    if (liveOf(state) !== undefined) return
    const signer = host.signedBy
    if (gate.sent !== undefined) {
      const { nonce, from: by, contract, blockNumber, seenSentAt } = gate.sent
      const signer = contract === true ? 'contract' : 'external'
      const draft = draftWith({ nonce, by, block: blockNumber - 1n, signer, seenSentAt })
      dispatch({ type: 'prepared', draft })
      return
    }
    if (!gate.good) {
      dispatch({ type: 'failed', error: failure(gate.words) })
      return
    }
    if (!holdAccount())
      return void dispatch({
        type: 'failed',
        error: failure('another window pays'),
      })
    const { nonce } = gate
    const outside = outsideTerms(nonce)
    if (outside !== undefined) return void dispatch({ type: 'failed', error: failure(outside) })
    dispatch({
      type: 'prepared',
      draft: draftWith({
        nonce,
        by: from,
        block: BigInt(first.head()),
        signer,
      }),
    })
  }

  /** What a draft would be that the word did not agree to; undefined where there is none, or no word was typed. */
  function outsideTerms(nonce: number): string | undefined {
    const terms = agreementOf(state)?.terms
    if (terms === undefined) return undefined
    const ofDraft = host.signedBy === 'contract' ? undefined : nonce
    const now = { from, nonce: ofDraft, feeWei: 0n, deposits: depositsAtFirst() }
    const within = withinTerms(terms, now, 'BERA')
    return within.good ? undefined : within.words
  }

  function draftWith(made: {
    nonce: number
    by: Hex
    block: bigint
    signer: Draft['signer']
    seenSentAt?: bigint
  }) {
    const { nonce, by, block, signer, seenSentAt } = made
    const transaction = {
      ...plan,
      ...FEES,
      chainId: CHAIN_ID,
      nonce,
      gasLimit: GAS,
    }
    const baseline = {
      blockNumber: block,
      blockHash: chain.blockHash(Number(block)),
      balanceWei: 0n,
      ...(seenSentAt === undefined ? {} : { seenSentAt }),
    }
    return { signer, from: by, transaction, baseline }
  }

  /** What follows once nothing else is to be done at once. */
  function settle(): void {
    while (isAnew) {
      isAnew = false
      holdAccount()
      goRound()
    }
  }

  function goRound(): void {
    if (!isAsked(state)) return
    let round = rounds.look(nowMs, gate?.good === true ? gate.atMs : undefined)
    let decision = decideBy(state, round)
    while ('wants' in decision) {
      round = rounds.withPart(round, decision.wants)
      decision = decideBy(state, round)
    }
    for (const event of decision.events) {
      dispatch(event)
      if (isAnew) return
    }
    for (const giving of decision.broadcasts) give(giving)
  }

  function give({ endpoint, bytes: { hash } }: Broadcast): void {
    const at = endpoint === first.name ? 0 : 1
    const isNoted = broadcastTo(state, endpoint, hash)?.result === 'waits'
    if (liveOf(state) === undefined || newestBytes(state)?.hash !== hash || !isNoted) return
    const { silent } = endpoints[at].stance()
    let result: BroadcastResult = 'unreachable'
    if (silent !== 'refuses') {
      const answer = host.give(at, hash)
      result = answer === 'taken' ? 'taken' : 'refused'
      if (silent === 'hangs') result = 'no-reply'
    }
    dispatch({ type: 'handed', endpoint, hash, result })
  }

  const mayAgree = (): boolean => {
    const isShown = host.kind === 'first' || agreed !== undefined
    return gate !== undefined && (gate.good || gate.sent !== undefined) && isShown
  }

  function agree(): void {
    const world: AgreedKeyState | undefined = host.kind === 'first' ? { about: 'unused-key' } : agreed
    host.agreed(agreedFacts(host, world))
    dispatch({ type: 'agreed', plan, world })
  }

  function agreeTo(world: AgreedKeyState | undefined, terms: AgreedTerms): void {
    host.agreed(agreedFacts(host, world))
    dispatch({ type: 'agreed', plan, world, terms })
    settle()
  }

  function sign(): void {
    const asked = prompt
    prompt = undefined
    if (asked === undefined) return
    const { draft, replacement } = asked
    const transaction = replacement?.transaction ?? draft.transaction
    const tx = txOf(transaction, ACCOUNT, hashOf(transaction))
    host.signed(tx, replacement?.kind ?? 'payment')
    take(tx.hash, asked)
  }

  /** Signed bytes count when what was agreed to still holds. */
  function take(hash: Hex, { draft, replacement }: Prompt): void {
    if (draft.signer === 'keystore' && replacement?.kind !== 'cancellation') {
      const looks = stillHolds()
      if (looks !== undefined) {
        dispatch({ type: 'failed', error: failure(looks) })
        return
      }
    }
    if (draftOf(state) !== draft || liveOf(state)?.replacement !== replacement) return
    dispatch({
      type: replacement === undefined ? 'signed' : 'replaced',
      raw: hash,
      hash,
    })
  }

  function stillHolds(): string | undefined {
    if (!first.answers() || !second.answers()) return 'an endpoint is silent'
    const looks = [
      askKey(host, { first, second, block: first.head() }, agreement()),
      lookAtSecond(host, second, agreement()),
    ]
    return looks.find(({ good }) => !good)?.words
  }

  function replace(kind: Replacement['kind']): void {
    dispatch({ type: 'quoteAsked', kind })
    const replacement = quote(kind)
    if (replacement === undefined) dispatch({ type: 'quoteLeft' })
    else dispatch({ type: 'replacing', replacement })
  }

  function quote(kind: Replacement['kind']): Replacement | undefined {
    const before = dearest(state)
    const most = (a: bigint, b: bigint) => (a > b ? a : b)
    const maxPriorityFeePerGasWei = raised(before.maxPriorityFeePerGasWei)
    const maxFeePerGasWei = most(raised(before.maxFeePerGasWei), maxPriorityFeePerGasWei)
    const transaction = replacementOf(state, kind, {
      maxFeePerGasWei,
      maxPriorityFeePerGasWei,
    })
    return first.answers() && transaction !== undefined ? { kind, transaction } : undefined
  }

  function lookAround(): void {
    if (state.payment.phase === 'open' && host.kind === 'top-up') agreed = shownWorld(host) ?? agreed
  }

  function check(): void {
    lookAround()
    dispatch({ type: 'checkAsked' })
  }

  function enter(): void {
    if (state.payment.phase === 'open') {
      check()
      return
    }
    const [next, commands] = resumePayment(state, step)
    state = next
    for (const command of commands) run(command)
  }

  function begin(): void {
    for (const { data } of host.lines()) apply(data as PaymentEvent)
    const [next, commands] = resumePayment(asRemembered(state), step)
    state = { ...next, sender: from }
    for (const command of commands) run(command)
    if (state.payment.phase === 'open') check()
  }

  function told(): Told {
    const ended = endedOf(state)
    const outcome = ended?.outcome
    const hash =
      outcome !== undefined && 'included' in outcome ? outcome.included.hash : newestBytes(state)?.hash
    return {
      payment: state.ordinal,
      end: outcome?.is,
      remembered: ended?.remembered === true,
      hash,
      nonce: draftOf(state)?.transaction.nonce,
      words: () => storyOf(state, () => (gate?.good === false ? gate.words : '')),
    }
  }

  const presses: Readonly<Record<Offer, () => void>> = {
    agree,
    sign,
    refuse() {
      prompt = undefined
      dispatch({ type: 'failed', error: failure('no password was typed') })
    },
    import() {
      const unsigned = exportedOf(state)
      const live = liveOf(state)
      if (unsigned === undefined || live === undefined) return
      dispatch({ type: 'imported', text: '' })
      take(hashOf(unsigned), live)
    },
    'speed-up': () => replace('speed-up'),
    cancel: () => replace('cancellation'),
    'send-again': () => void dispatch({ type: 'sending-again' }),
    abandon() {
      dispatch({ type: mayAbandon(state) ? 'abandoned' : 'reopened' })
      check()
    },
    'open-again'() {
      dispatch({ type: 'reopened' })
      check()
    },
    'look-again': enter,
  }

  begin()
  settle()
  return {
    offers: () => offersOf(state, step, { isPrompted: prompt !== undefined, mayAgree: mayAgree() }),
    press(offer) {
      presses[offer]()
      settle()
    },
    slot(atMs) {
      nowMs = atMs
      slots = state.payment.phase === 'open' ? slots + 1 : 0
      if (slots % 2 === 0) lookAround()
      goRound()
      settle()
    },
    told,
    shown() {
      const unsigned = exportedOf(state)
      if (unsigned === undefined) return undefined
      const kind: Kind = liveOf(state)?.replacement?.kind ?? 'payment'
      return { unsigned, kind, isCall: draftOf(state)?.signer === 'contract' }
    },
    gapFrom: () => state.memory.gapFrom,
    end() {
      prompt = undefined
    },
    agreeTo,
    quote,
    tell(body) {
      const fitted = dispatch(body)
      settle()
      return fitted
    },
    inside: () => ({
      state,
      finished,
      gate,
      shown: agreed,
      prompt,
      slots,
      isHolder: host.locks.get('account') === self,
    }),
    keep() {
      const kept = { nowMs, state, finished, gate, agreed, prompt, slots, isAnew }
      return () => {
        ;({ nowMs, state, finished, gate, agreed, prompt, slots, isAnew } = kept)
      }
    },
  }
}
