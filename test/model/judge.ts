import type { Hex } from '../../src/core/base/format/hex.ts'
import { ACCOUNT, type Chain, type Included, type Tx } from './chain.ts'
import type { Endpoint } from './endpoint.ts'
import type { Agreed, Kind, Line, Told } from './program.ts'
import type { Setting } from './schedule.ts'

/** Slots for which a look at the world counts. */
const SLOTS_OF_A_LOOK = 10

/** What the judge objects to; `rule` names the kind of fault. */
export type Objection = { rule: string; words: string }

type Agreement = Agreed & { id: string; computer: number }

/**
 * A transaction that was signed, or may be, for an agreement. `isSigned`: its bytes are in the journal.
 * `isOut`: they were given to somebody.
 */
type Candidate = { tx: Tx; kind: Kind; agreement: Agreement; isSigned: boolean; isOut: boolean }

/** What happened to one instance since its start, as the judge sees it. */
type Run = { asked: boolean; lookedAt: number | undefined; given: Set<Hex> }

export type Judge = {
  /** An instance of a computer starts. */
  started(computer: number): void
  agreed(computer: number, agreed: Agreed): void
  signed(computer: number, tx: Tx, kind: Kind): void
  exported(computer: number, tx: Tx, kind: Kind): void
  /** Signed bytes are in the journal. */
  durable(computer: number, tx: Tx): void
  /** What was shown was signed and sent elsewhere. */
  sentElsewhere(tx: Tx): void
  /** Bytes leave for an endpoint; `lines` are durable. */
  given(computer: number, tx: Tx, lines: readonly Line[]): void
  asked(computer: number): void
  looked(computer: number): void
  told(computer: number, told: Told): void
  block(): void
  stuck(computer: number, told: Told, offers: string): void
  readonly objections: readonly Objection[]
  /** What it judges by, with which instance said what last. */
  seen(): Seen
  /** Keeps this moment; what it returns brings it back. */
  keep(): () => void
}

type Seen = {
  agreements: readonly Agreement[]
  current: readonly (Agreement | undefined)[]
  candidates: readonly ReadonlyMap<Hex, Candidate>[]
  runs: readonly Run[]
  lastTold: readonly string[]
}

/** How an instance tells its end, so that the same one is judged once. */
export const textOfEnd = ({ payment, end, remembered, hash }: Told): string =>
  end === undefined || remembered ? '' : `${payment} ${end} ${hash}`

/** Judges by the chain itself and by what the endpoints that never lie show of it, never by what the program says. */
export function createJudge(
  chain: Chain,
  endpoints: readonly [Endpoint, Endpoint],
  { liar, signedBy }: Setting,
  slotsOfALook = SLOTS_OF_A_LOOK,
): Judge {
  const objections: Objection[] = []
  const agreements = new Map<string, Agreement>()
  const current: (Agreement | undefined)[] = [undefined, undefined]
  /** By computer: two of them may sign the very same transaction. */
  const candidates = [new Map<Hex, Candidate>(), new Map<Hex, Candidate>()] as const
  const every = (): Candidate[] => candidates.flatMap((one) => [...one.values()])
  const ofComputer = (computer: number) => candidates[computer === 0 ? 0 : 1]
  const runs: Run[] = []
  const lastTold: string[] = []
  const truthful = endpoints.filter((_, at) => at !== liar)
  const isContract = signedBy === 'contract'
  const isExternal = signedBy === 'external'
  let ids = 0

  const object = (rule: string, words: string): void => {
    objections.push({ rule, words })
  }
  const runOf = (computer: number): Run => {
    const run = runs[computer] ?? { asked: false, lookedAt: undefined, given: new Set() }
    runs[computer] = run
    return run
  }

  /** The newest block that an endpoint that never lies shows now; undefined while all of those are silent. */
  function shownHead(): number | undefined {
    let head: number | undefined
    for (const one of truthful)
      if (one.answers() && (head === undefined || one.head() > head)) head = one.head()
    return head
  }

  /** Whether the bytes of the payment of an agreement are out. */
  function hasPayment(agreement: Agreement): boolean {
    const all = [...ofComputer(agreement.computer).values()]
    return all.some(
      (one) => one.agreement === agreement && one.kind === 'payment' && (one.isOut || one.isSigned),
    )
  }

  /** Why an agreement does not fit what is shown now; undefined where it does, or nothing is shown. */
  function misfit(agreement: Agreement, { tx, kind }: Pick<Candidate, 'tx' | 'kind'>): string | undefined {
    const shown = shownHead()
    if (shown === undefined) return undefined
    const block = Math.max(shown, agreement.block)
    const isOwn = (hash: Hex) => ofComputer(agreement.computer).get(hash)?.agreement === agreement
    const user = chain.userOf(tx.from, tx.nonce)
    // Where the payment itself is out, one that speeds it up can happen only where that could.
    const isKept = isContract || (kind === 'speed-up' && hasPayment(agreement))
    // Where an endpoint says that the nonce is free, one of them is wrong, and the nonce alone keeps it from being paid twice.
    const isUsed = endpoints.every((one) => !one.answers() || one.nonce(tx.from) > tx.nonce)
    if (!isKept && isUsed && user !== undefined && user.block <= block && !isOwn(user.tx.hash))
      return `nonce ${tx.nonce} is used by another transaction`
    const stake = chain.stakeToBeAt(block, isOwn)
    const { counted, stakeToBe } = agreement
    if ((stakeToBe ?? counted) === stake) return undefined
    const told = stakeToBe === undefined ? `stake ${counted}, what waits unknown` : `stake to be ${stakeToBe}`
    return `agreed with ${told}, and there is ${stake} at block ${block}`
  }

  /** Whether an endpoint that never lies shows a deposit for the key that came after an agreement, and not by it. */
  function isPaidByOthers(agreement: Agreement): boolean {
    const shown = shownHead()
    if (shown === undefined) return false
    const isOwn = (hash: Hex) => ofComputer(agreement.computer).has(hash)
    return chain.deposits(agreement.block, shown).some(({ tx, success }) => success && !isOwn(tx.hash))
  }

  /** The same where the keystore did not sign: what was abandoned and is found again is of what was agreed to then. */
  function misfitOf(agreement: Agreement, what: Pick<Candidate, 'tx' | 'kind'>): string | undefined {
    const why = misfit(agreement, what)
    if (why === undefined || signedBy === 'keystore') return why
    const others = [...agreements.values()].filter(({ computer }) => computer === agreement.computer)
    return others.some((one) => misfit(one, what) === undefined) ? undefined : why
  }

  /** Whether a candidate may still be carried out: it has left, and its nonce is free in the blocks that stay. */
  function mayHappen({ tx, isSigned, isOut }: Candidate): boolean {
    return (isOut || (isExternal && isSigned)) && chain.nonceAt(tx.from, chain.finalized()) <= tx.nonce
  }

  /** No other payment of the same computer may still happen with another nonce. */
  function checkAlone(computer: number, tx: Tx, did: string) {
    if (tx.call === 'nothing' || isContract) return
    for (const one of ofComputer(computer).values()) {
      if (one.tx.nonce === tx.nonce || one.tx.call === 'nothing') continue
      if (mayHappen(one))
        object(
          'd.two-nonces',
          `${did} nonce ${tx.nonce} while the payment with nonce ${one.tx.nonce} may happen`,
        )
    }
  }

  function addCandidate(computer: number, tx: Tx, kind: Kind) {
    const agreement = current[computer]
    if (agreement === undefined)
      return object('d.no-agreement', `signed nonce ${tx.nonce} without an agreement`)
    // The very same transaction may be signed again, for what was agreed to anew.
    const { isSigned = false, isOut = false } = ofComputer(computer).get(tx.hash) ?? {}
    ofComputer(computer).set(tx.hash, { tx, kind, agreement, isSigned, isOut })
  }

  /** Of a nonce that is used only the chain keeps the bytes from happening: a fault of its own kind. */
  const breach = (why: string, rule: string, words: string): void =>
    object(why.startsWith('nonce') ? 'b.nonce' : rule, `${words}: ${why}`)

  function mark(computer: number, tx: Tx, change: (candidate: Candidate) => Candidate): void {
    const candidate = ofComputer(computer).get(tx.hash)
    if (candidate !== undefined) ofComputer(computer).set(tx.hash, change(candidate))
  }

  const executed = (agreement: Agreement, upTo: number): Included[] => {
    const found: Included[] = []
    for (const { tx, agreement: of } of every()) {
      const included = of === agreement ? chain.find(tx.hash) : undefined
      if (included?.success === true && tx.call !== 'nothing' && included.block <= upTo) found.push(included)
    }
    return found
  }

  function checkEnd(computer: number, { end, hash, nonce }: Told): void {
    const agreement = current[computer]
    const stays = chain.finalized()
    const included = hash === undefined ? undefined : chain.find(hash)
    const isThere = included !== undefined && included.block <= stays
    const paid = agreement === undefined ? [] : executed(agreement, chain.head())
    if (end === 'paid') {
      if (!isThere || !included.success || included.tx.call === 'nothing')
        object(
          'c.paid',
          `paid is told with ${hash}, which is ${isThere ? 'no deposit that was taken' : 'not there'}`,
        )
      return
    }
    if (paid.length > 0) object(`c.${end}-but-paid`, `${end} is told, and the payment is in a block`)
    if (end === 'cancelled' && !isThere)
      object('c.cancelled', `cancelled is told with ${hash}, which is not there`)
    if (end === 'reverted' && !isReverted(agreement, nonce, stays))
      object('c.reverted', 'reverted is told, and no candidate was')
    if (end === 'nonce-taken' && !isContract) checkTaken(computer, nonce, stays)
  }

  function isReverted(agreement: Agreement | undefined, nonce: number | undefined, stays: number): boolean {
    const user = nonce === undefined ? undefined : chain.userOf(ACCOUNT, nonce)
    if (user?.success === false && user.block <= stays) return true
    for (const { tx, agreement: of } of every()) {
      const included = of === agreement ? chain.find(tx.hash) : undefined
      if (included?.success === false && included.block <= stays) return true
    }
    return isContract
  }

  function checkTaken(computer: number, nonce: number | undefined, stays: number) {
    const user = nonce === undefined ? undefined : chain.userOf(ACCOUNT, nonce)
    if (user === undefined || user.block > stays)
      object('c.nonce-taken', `the nonce ${nonce} is told to be taken, and it is not`)
    else if (ofComputer(computer).get(user.tx.hash)?.isSigned === true && user.tx.call === 'nothing')
      object('c.nonce-taken-by-own', `the nonce ${nonce} was taken by the own cancellation`)
    else if (user.success && user.tx.call !== 'nothing')
      object('c.nonce-taken-by-deposit', `what took nonce ${nonce} is a deposit for the key`)
  }

  return {
    objections,
    started(computer) {
      runs[computer] = { asked: false, lookedAt: undefined, given: new Set() }
      lastTold[computer] = ''
    },
    agreed(computer, agreed) {
      ids += 1
      const agreement = { ...agreed, id: `${computer}:${ids}`, computer }
      agreements.set(agreement.id, agreement)
      current[computer] = agreement
    },
    signed(computer, tx, kind) {
      checkAlone(computer, tx, 'signed')
      addCandidate(computer, tx, kind)
    },
    exported(computer, tx, kind) {
      const agreement = current[computer]
      if (agreement !== undefined && ofComputer(computer).get(tx.hash)?.agreement === agreement) return
      addCandidate(computer, tx, kind)
      if (kind === 'cancellation' || agreement === undefined) return
      checkAlone(computer, tx, 'exported')
      const why = misfitOf(agreement, { tx, kind })
      if (why !== undefined) breach(why, 'b.export', 'shown to be signed elsewhere')
    },
    durable: (computer, tx) => mark(computer, tx, (one) => ({ ...one, isSigned: true })),
    sentElsewhere(tx) {
      for (const computer of [0, 1]) mark(computer, tx, (one) => ({ ...one, isOut: true }))
    },
    given(computer, tx, lines) {
      const candidate = ofComputer(computer).get(tx.hash)
      const run = runOf(computer)
      if (!lines.some(({ hash }) => hash === tx.hash))
        object('f.not-durable', `${tx.hash} left without a line`)
      if (!run.asked) object('f.not-looked', `${tx.hash} left before anything was asked`)
      if (candidate === undefined) return object('f.unknown', `${tx.hash} was never signed for an agreement`)
      checkAlone(computer, tx, 'sent')
      const word = lines.findLast((line) => line.word !== undefined)?.word
      if (word === 'cancel' && candidate.kind !== 'cancellation')
        object('g.after-cancel', `${candidate.kind} ${tx.hash} left after the word that agreed to cancel it`)
      const isFirst = !candidate.isOut
      const isStale = run.lookedAt === undefined || chain.head() - run.lookedAt > slotsOfALook
      const why = candidate.kind === 'cancellation' ? undefined : misfitOf(candidate.agreement, candidate)
      if (why !== undefined && isFirst) breach(why, 'b.first-byte', 'the first byte left')
      else if (why !== undefined && !run.given.has(tx.hash) && isStale) breach(why, 'b.restart', 'sent again')
      else if (why !== undefined && isStale) breach(why, 'b.stale', 'sent again without a new look')
      if (!isFirst && candidate.kind !== 'cancellation' && isPaidByOthers(candidate.agreement))
        object('h.repeated', `${tx.hash} left again, and another deposit for the key is shown`)
      mark(computer, tx, (one) => ({ ...one, isOut: true }))
      run.given.add(tx.hash)
    },
    asked(computer) {
      runOf(computer).asked = true
    },
    looked(computer) {
      runOf(computer).lookedAt = chain.head()
    },
    told(computer, told) {
      const text = textOfEnd(told)
      if (text === lastTold[computer]) return
      lastTold[computer] = text
      if (text !== '') checkEnd(computer, told)
    },
    block() {
      if (isContract) return
      for (const agreement of agreements.values()) {
        const made = executed(agreement, chain.head())
        if (made.length > 1)
          object(
            'a.paid-twice',
            `one agreement was paid ${made.map(({ tx }) => `with nonce ${tx.nonce}`).join(' and ')}`,
          )
      }
    },
    seen: () => ({ agreements: [...agreements.values()], current, candidates, runs, lastTold }),
    keep() {
      const kept = {
        count: objections.length,
        agreements: [...agreements],
        current: [...current],
        candidates: candidates.map((one) => [...one]),
        runs: runs.map((run) => ({ ...run, given: new Set(run.given) })),
        lastTold: [...lastTold],
        ids,
      }
      return () => {
        objections.length = kept.count
        refill(agreements, kept.agreements)
        for (const [at, one] of candidates.entries()) refill(one, kept.candidates[at] ?? [])
        current.splice(0, current.length, ...kept.current)
        runs.splice(0, runs.length, ...kept.runs.map((run) => ({ ...run, given: new Set(run.given) })))
        lastTold.splice(0, lastTold.length, ...kept.lastTold)
        ids = kept.ids
      }
    },
    stuck(_, { words }, offers) {
      object('e.stuck', `nothing leads to a payment that is settled: ${words()}; offered: ${offers}`)
    },
  }
}

function refill<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}
