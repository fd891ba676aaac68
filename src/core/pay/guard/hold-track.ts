import { BaseError, isError } from '../../base/errors/base.ts'
import { JournalError, unreadFile } from '../../base/errors/journal.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import type { Setup } from '../../chain/facts.ts'
import { ownRecord } from '../../chain/key-state/own.ts'
import { getBlock } from '../../clients/execution/blocks.ts'
import { getBalance } from '../../clients/execution/chain.ts'
import { type CommandContext, clientsOf } from '../../observe/context.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import { type Following, type PaymentKind, withoutSilent } from '../gate/following.ts'
import { isUsedForGood } from '../gate/nonce-commands.ts'
import type { Draft, PaymentEvent } from '../payment/payment.ts'
import { THRESHOLDS } from '../payment/payment-picture.ts'
import { isAsked } from '../payment/sign-again.ts'
import { goRound } from '../payment/track.ts'
import { createGuardLooker, type GuardLooker, type LookContext } from './ask-commands.ts'
import type { GuardBook, HeldGuard, KnownGuard } from './book.ts'
import { decideGuard, guardTroubles, SLOTS_UNABLE } from './decide.ts'
import { type GuardTarget, isGuardPayment, isOver, phaseOf } from './guard.ts'
import { notAgainBy } from './guard-consent.ts'
import {
  actOf,
  type GuardSaid,
  type HoldMemory,
  isUrgentNow,
  type Lacking,
  limitsOfGuard,
  memoryAfter,
  NOTHING_SEEN,
  seenBy,
} from './hold.ts'
import { hasLeft } from './judged.ts'
import type { GuardPicture } from './picture.ts'
import { guardFor, lastGuard, toldGuard, toldKnown, toldWhileHeld } from './standing.ts'
import { GUARD_TEXT } from './text.ts'

/** The setup without the endpoints that the last look left out. */
function withoutLeftOut(setup: Setup, picture: GuardPicture | undefined): Setup {
  if (picture === undefined) return setup
  const names = new Set(picture.leftOut.map(({ endpoint }) => endpoint))
  return withoutSilent(
    setup,
    picture.look.endpoints.map(({ endpoint }) => names.has(endpoint)),
  )
}

/** What a guard is held with. */
type HoldInput = {
  context: LookContext & Pick<CommandContext<never>, 'lock'>
  held: HeldGuard
  /** Whether its owner wants it back: then the cancellation goes out. */
  isTakenBack(): Promise<boolean>
  /** Told after each look, and while none can say that the guard could act. */
  tell(guard: GuardStanding): Promise<void>
}

/** What is known of a guard that is held, between two looks. */
type Held = {
  memory: HoldMemory
  /** When a look said last that the guard could act, by our own clock. */
  ableMs: number
  last: GuardSaid | undefined
  /** What is missing for the guard to act; undefined where it could. */
  lacking: Lacking | undefined
  /** What ended the asking beside the looks. */
  fault: { thrown: unknown } | undefined
}

/**
 * Holds a guard until its nonce is used for good: once a slot it looks, decides, and hands over what may leave; what was
 * handed over is followed like any payment. No time-out and no error text settles anything. Rejects when the signal ends,
 * and when the journal takes no line.
 */
export async function holdGuard(input: HoldInput): Promise<void> {
  const { effects, signal } = input.context
  const looker = createGuardLooker(input.context)
  const known: Held = {
    memory: NOTHING_SEEN,
    ableMs: effects.clock.monotonicMs(),
    last: undefined,
    lacking: undefined,
    fault: undefined,
  }
  const over = new AbortController()
  const ends = AbortSignal.any([signal, over.signal])
  const asking = askWhetherAble(input, { looker, known, signal: ends }).catch((thrown: unknown) => {
    if (!ends.aborted) known.fault = { thrown }
  })
  try {
    await keepLooking(input, { looker, known })
  } finally {
    over.abort()
    await asking
  }
}

async function keepLooking(
  { context, held, isTakenBack, tell }: HoldInput,
  { looker, known }: { looker: GuardLooker; known: Held },
): Promise<void> {
  const { effects, setup, signal } = context
  let isUrgent = true
  let last: GuardPicture | undefined
  const following = followingOf(context, held, () => last)
  for (;;) {
    if (known.fault !== undefined) throw known.fault.thrown
    const seen = (look: GuardPicture['look']) => seenBy(held.state(), look, { memory: known.memory, setup })
    let picture = seen(await looker.look(held.state(), { isUrgent }))
    let decision = decideGuard(picture)
    if (decision.does === 'dry-run') {
      picture = seen(await looker.withDryRun(picture.look, held.state(), decision.member))
      decision = decideGuard(picture)
    }
    known.memory = memoryAfter(known.memory, picture, { isHeard: looker.isHeard() })
    if (known.memory.unprovenMs === undefined) known.ableMs = picture.look.atMs
    const act = actOf(picture, decision, { isTakenBack: await isTakenBack() })
    if (act.do === 'void' || act.do === 'given-up') await held.record({ type: act.do })
    // What leaves in this very slot goes to the endpoints of this look.
    last = picture
    if (act.do === 'hand') await hand(act.member, act.target, { context: following.context, held })
    last = seen(picture.look)
    if (isAsked(held.state().send)) await roundOf(following, context.signal)
    const { unprovenMs, unheardMs } = known.memory
    const isAlone = context.nodes.length === 1
    const troubles = guardTroubles(picture, decision, {
      unprovenMs,
      unheardMs: isAlone ? unheardMs : undefined,
    })
    known.last = { picture: seen(picture.look), decision, troubles, lacking: known.lacking }
    await tell(toldWhileHeld(known.last))
    if (isOver(held.state()) && !isAsked(held.state().send)) return
    isUrgent = isUrgentNow(seen(picture.look))
    await effects.clock.sleep(setup.network.slotMs, signal)
  }
}

/**
 * Asks in each slot whether the guard could act, also while a look or a payment takes long. Where no look has said so for a
 * while, every endpoint is asked by itself, and what is missing is told by name. Rejects when the signal ends.
 */
async function askWhetherAble(
  { context, held, tell }: HoldInput,
  { looker, known, signal }: { looker: GuardLooker; known: Held; signal: AbortSignal },
): Promise<never> {
  const { clock } = context.effects
  const { slotMs } = context.setup.network
  for (;;) {
    await clock.sleep(slotMs, signal)
    const unableMs = () => clock.monotonicMs() - known.ableMs
    const stillMs = clock.monotonicMs() - looker.movedMs()
    if (unableMs() < (SLOTS_UNABLE / 2) * slotMs && stillMs < SLOTS_UNABLE * slotMs) {
      known.lacking = undefined
      continue
    }
    const lacking = await looker.lacking()
    const { causes, isStill } = lacking
    signal.throwIfAborted()
    // Where everybody answers, a look only takes long.
    const isSlow = causes.length === 0 && known.memory.unprovenMs === undefined
    const isUnable = isStill || unableMs() >= (isSlow ? 2 : 1) * SLOTS_UNABLE * slotMs
    known.lacking = isUnable ? lacking : undefined
    if (!isUnable || isOver(held.state())) continue
    const said = known.last
    if (said !== undefined) {
      known.last = { ...said, picture: { ...said.picture, state: held.state() }, lacking }
      await tell(toldWhileHeld(known.last))
      continue
    }
    const slow = GUARD_TEXT.causes.slow(Math.round(unableMs() / 1000))
    const unproven = causes.length > 0 ? causes : [slow]
    await tell({ ...toldGuard(held.state(), 'here'), troubles: ['unproven'], causes: { unproven } })
  }
}

type Acting = { context: Parameters<typeof baselineOf>[0]; held: HeldGuard }

/** Writes down that a member is handed over; from that line on the payment room gives its bytes out. */
async function hand(
  member: number,
  target: GuardTarget | undefined,
  { context, held }: Acting,
): Promise<void> {
  const made = held.members[member]
  if (made === undefined) return
  const { raw, hash } = made
  const baseline = await baselineOf(context, held.state().terms.from)
  if (baseline === undefined) return
  await held.record({ type: 'handing', member, raw, hash, target, baseline })
}

/** The chain as it is before anything is handed over, by the first endpoint that tells. */
async function baselineOf(
  context: Pick<CommandContext<never>, 'effects' | 'setup' | 'offers' | 'signal'>,
  from: Hex,
): Promise<Draft['baseline'] | undefined> {
  const { execution, second } = clientsOf(context)
  for (const client of second === undefined ? [execution] : [execution, second]) {
    try {
      const [block, balanceWei] = await Promise.all([
        getBlock(client, { block: 'latest' }),
        getBalance(client, { address: from, block: 'latest' }),
      ])
      if (block !== undefined) return { blockNumber: block.number, blockHash: block.hash, balanceWei }
    } catch (thrown) {
      context.signal.throwIfAborted()
      if (!(thrown instanceof BaseError)) throw thrown
    }
  }
  return undefined
}

/**
 * One round of the payment that a member has become. What an endpoint does is told by the next look; a journal that takes no
 * line takes none any more until it is opened anew.
 */
async function roundOf(following: Following, signal: AbortSignal): Promise<void> {
  try {
    await goRound(following, limitsOfGuard(THRESHOLDS))
  } catch (thrown) {
    signal.throwIfAborted()
    const isOfEndpoint =
      thrown instanceof BaseError && !(thrown instanceof JournalError) && !isError(thrown, 'file')
    if (!isOfEndpoint) throw thrown
  }
}

/** The payment of a guard as the payment room follows it: whether it may leave is judged by the table of the guard. */
function followingOf(
  context: HoldInput['context'],
  held: HeldGuard,
  last: () => GuardPicture | undefined,
): Following {
  const { terms } = held.state()
  const { pubkey, withdrawalCredentials, operator } = terms.validator
  const dispatch = async ({ step, ...body }: PaymentEvent): Promise<void> => {
    if (step !== kind.step) return
    if (isGuardPayment(body)) await held.record(body)
    else held.note(body)
  }
  const kind: PaymentKind = {
    step: 'topup',
    plan: () => undefined,
    arrivedGwei: () => 0n,
    calldata: async () => ({ good: true, words: '' }),
    async key() {
      const picture = last()
      const id = picture === undefined ? 'proven' : notAgainBy(picture)
      return id === undefined
        ? { good: true, words: GUARD_TEXT.payment.holds }
        : { good: false, unknown: true, words: GUARD_TEXT.payment.waits(id) }
    },
    // Every endpoint was asked for the table of the guard.
    second: async () => ({ good: true, words: GUARD_TEXT.payment.holds }),
  }
  const facts = () => ({
    identity: {
      pubkey,
      uncompressedPubkey: pubkey,
      address: '',
      key: { kind: 'elsewhere' as const },
    },
    validator: { withdrawalCredentials, operator, leastBalanceGwei: 0n, origin: 'adopted' as const },
  })
  const { effects, setup, offers, signal, lock } = context
  const own = {
    effects,
    get setup() {
      return withoutLeftOut(setup, last())
    },
    offers,
    signal,
    lock,
    facts,
    dispatch,
    openJournal: async () => undefined,
    guards: () => undefined,
    kept: context.kept,
  }
  return { context: own, getState: () => held.state().send, kind }
}

type KeepInput = {
  context: HoldInput['context'] & { book: GuardBook }
  pubkey: Hex
  /** All validators whose guards are held or looked for, where there are others. */
  asked?: readonly Hex[]
  /** Told whenever something of it is known anew; undefined while the validator has no guard. */
  tell(guard: GuardStanding | undefined): Promise<void>
}

/**
 * Holds the guard of a validator until its nonce is used for good; resolves at once where there is none or it is over, where
 * it is only exported, or where another process holds it. One that can't be read, or whose bytes are not those of its terms, is told as
 * unreadable.
 */
export async function holdOrWait({ context, pubkey, asked, tell }: KeepInput): Promise<void> {
  const { book } = context
  const guards = await book.here()
  const found = guardFor(guards, pubkey, asked)
  if (found === undefined) return tell(lastGuard(guards, pubkey))
  const lying = toldKnown(found, pubkey, 'nobody')
  if (found.unread !== undefined) return tell(lying)
  if (lying.stand === 'exported') {
    await voidIfUsed(context, book, found)
    const after = (await book.here()).find(({ from, nonce }) => from === found.from && nonce === found.nonce)
    return tell(after === undefined ? lying : toldKnown(after, pubkey, 'nobody'))
  }
  // Where the disk takes nothing, this is what is known of it.
  const held = await opened(book, found, () => tell(lying))
  if ('unread' in held) return tell({ ...lying, stand: 'unreadable', unread: lying.unread ?? held.unread })
  if (!('members' in held)) return tell({ ...lying, holder: held })
  try {
    await tell(toldGuard(held.state(), 'here'))
    await holdGuard({
      context,
      held,
      isTakenBack: () => held.isVoidAsked(),
      tell,
    })
  } finally {
    await held.close()
  }
}

async function opened(book: GuardBook, guard: KnownGuard, tellLying: () => Promise<void>) {
  try {
    return await book.open(guard)
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    if (isError(thrown, 'file')) {
      await tellLying()
      throw thrown
    }
    return { unread: unreadFile(safeText(guard.path), thrown) }
  }
}

/** Writes down that an exported guard is void once its nonce is used for good: nobody holds it who would see that. */
export async function voidIfUsed(
  context: Parameters<typeof isUsedForGood>[0],
  book: GuardBook,
  { from, nonce, state }: Pick<KnownGuard, 'from' | 'nonce' | 'state'>,
): Promise<void> {
  if (state === undefined || phaseOf(state) !== 'exported') return
  if (await isUsedForGood(context, { from, nonce })) await book.end({ from, nonce }, 'void')
}

/** Writes down that the guards of an account are given up whose validators have left by a proven set. */
export async function giveUpLeft(book: GuardBook, { proven, setup }: GuardPicture, from: Hex): Promise<void> {
  if (proven === undefined) return
  for (const { state, ...guard } of await book.here()) {
    if (state === undefined || !sameHex(guard.from, from)) continue
    const own = ownRecord(proven, state.terms.validator.pubkey, setup)
    const isUnsent = phaseOf(state) === 'armed' || phaseOf(state) === 'exported'
    if (isUnsent && hasLeft({ own })) await book.end(guard, 'given-up')
  }
}
