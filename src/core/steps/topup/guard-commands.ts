import { BaseError } from '../../base/errors/base.ts'
import { guardError } from '../../base/errors/guard.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { StepContext } from '../../observe/context.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import type { Following } from '../../pay/gate/following.ts'
import { armGuard, importGuard, saveGuard } from '../../pay/guard/arm-commands.ts'
import type { GuardBook, HeldGuard, KnownGuard, WithGuards } from '../../pay/guard/book.ts'
import { type GuardState, isCancelling, isOver } from '../../pay/guard/guard.ts'
import { holdGuard, voidIfUsed } from '../../pay/guard/hold-track.ts'
import { guardOrLast, ownGuards, toldKnown } from '../../pay/guard/standing.ts'
import { GUARD_TEXT } from '../../pay/guard/text.ts'
import { errorFacts } from '../../view/observation.ts'
import type { GuardPageCommand } from './guard-page.ts'
import type { TopUpEvent, TopUpState } from './machine.ts'

type Here = StepContext<TopUpEvent, TopUpState> & WithGuards
type PageCommand = Exclude<GuardPageCommand, { type: 'findGuard' }>

/** Tells a guard that lies here, with who holds it, once chain and key are known and it can be read; nothing where there is none. */
export async function findGuard(context: Here): Promise<void> {
  const { effects, setup, signal } = context
  let here: GuardStanding | 'none' | undefined
  while (here === undefined) {
    here = await heldHere(context).catch((thrown: unknown) => unread(thrown, signal))
    if (here === undefined) await effects.clock.sleep(setup.network.slotMs, signal)
  }
  if (here !== 'none') await context.dispatch({ step: 'topup', type: 'guardTold', here, isOver: false })
}

/** Tells all guards of a validator here, as what each of them has paid has left the wallet, and returns all guards. */
export async function tellGuards(
  { dispatch }: Pick<Here, 'dispatch'>,
  book: GuardBook,
  { pubkey }: { pubkey: Hex },
): Promise<readonly KnownGuard[]> {
  const guards = await book.here()
  await dispatch({ step: 'topup', type: 'guardsRead', guards: ownGuards(guards, pubkey) })
  return guards
}

/** The guard here with who holds it; undefined before chain and key are known. */
async function heldHere(
  context: Here,
  holder?: GuardStanding['holder'],
): Promise<GuardStanding | 'none' | undefined> {
  const book = context.guards()
  const { identity } = context.facts()
  if (book === undefined || identity === undefined) return undefined
  const guards = await tellGuards(context, book, identity)
  const found = guardOrLast(guards, identity.pubkey)
  if (found === undefined) return 'none'
  return toldKnown(found, identity.pubkey, holder ?? (await holderOf(context, found)))
}

/** Who holds a guard. The status step of this window may be about to let go of it: then that is asked once more. */
async function holderOf({ effects, setup, signal, guards }: Here, guard: KnownGuard) {
  if (guard.unread !== undefined) return 'nobody'
  const book = guards()
  const holder = await book?.holderOf(guard)
  if (book === undefined || typeof holder !== 'object') return 'nobody'
  await effects.clock.sleep(setup.network.slotMs, signal)
  return book.holderOf(guard)
}

/** What could not be read is unknown. */
function unread(thrown: unknown, signal: AbortSignal): undefined {
  signal.throwIfAborted()
  if (!(thrown instanceof BaseError)) throw thrown
}

/** Carries out one command of the page of the guard. What goes wrong is told on the page, and nothing was written then. */
export async function runGuardPage(command: PageCommand, context: Here, following: Following): Promise<void> {
  try {
    const path = await carryOut(command, context, following)
    // What only looks says nothing of the end of what a word let go.
    await tell(context, { isOver: command.type !== 'readGuard', ...(path === undefined ? {} : { path }) })
  } catch (thrown) {
    unread(thrown, context.signal)
    await tell(context, { isOver: command.type !== 'readGuard', failure: errorFacts(thrown) })
  }
}

async function carryOut(
  command: PageCommand,
  context: Here,
  following: Following,
): Promise<string | undefined> {
  switch (command.type) {
    case 'readGuard': {
      const found = await guardHere(context, context.guards())
      const book = context.guards()
      if (book !== undefined && found !== undefined) await voidIfUsed(context, book, found)
      return undefined
    }
    case 'armGuard': {
      const made = await armGuard(following, command.agreed)
      return made.stand === 'exported' ? made.path : undefined
    }
    case 'importGuard':
      await importGuard(following.context, command.text)
      return undefined
    case 'saveGuard':
      return saveGuard(following.context)
    case 'takeGuardBack':
      await takeBack(context)
      return undefined
  }
}

type Told = { isOver: boolean; path?: string; failure?: ReturnType<typeof errorFacts> }

/** Tells the guard that is here with who holds it; `holder` where that is known. */
async function tell(context: Here, more: Told, holder?: GuardStanding['holder']): Promise<void> {
  const read = await heldHere(context, holder).then(
    (here = 'none') => ({ here }),
    (thrown: unknown) => ({ here: unread(thrown, context.signal), failure: errorFacts(thrown) }),
  )
  await context.dispatch({ step: 'topup', type: 'guardTold', ...read, ...more })
}

/** The guard of this validator that the page is about. */
async function guardHere(context: Here, book: GuardBook | undefined): Promise<KnownGuard | undefined> {
  const { identity } = context.facts()
  return identity && book && guardOrLast(await book.here(), identity.pubkey)
}

/** Hands the cancellation over and follows it until the nonce is used for good; whoever else holds the guard is asked to. */
async function takeBack(context: Here): Promise<void> {
  const { effects, setup, signal } = context
  const book = context.guards()
  const found = await guardHere(context, book)
  if (book === undefined || found?.state === undefined)
    throw guardError('guard.refused', GUARD_TEXT.refused.notRead)
  const cancellation = found.state.hashes.at(-1)
  if (cancellation === undefined) throw guardError('guard.refused', GUARD_TEXT.refused.changed)
  for (let slots = 0; ; slots += 1) {
    const held = await book.open(found)
    if ('members' in held) return voidHeld(context, held)
    const state = await stateOf(book, found)
    if (state === undefined) throw guardError('guard.refused', GUARD_TEXT.refused.notRead)
    if (isOver(state)) return
    // The status step of this window may be about to let go of it.
    if ('barredBy' in held && slots >= SLOTS_TO_LET_GO)
      throw guardError('guard.refused', GUARD_TEXT.row.barred(held.barredBy))
    if ('heldBy' in held && slots >= SLOTS_TO_LET_GO) {
      if (slots === SLOTS_TO_LET_GO) await book.askToVoid(found, cancellation)
      if (slots >= SLOTS_TO_ANSWER && !isCancelling(state))
        throw guardError(
          'guard.refused',
          GUARD_TEXT.refused.silent(held.heldBy),
          GUARD_TEXT.refused.silentNext,
        )
      await tell(context, { isOver: false }, { heldBy: held.heldBy })
    }
    await effects.clock.sleep(setup.network.slotMs, signal)
  }
}

async function voidHeld(context: Here, held: HeldGuard): Promise<void> {
  try {
    await holdGuard({
      context: { ...context, nodes: [context.setup.endpoints.node] },
      held,
      isTakenBack: async () => true,
      tell: async () => tell(context, { isOver: false }, 'here'),
    })
  } finally {
    await held.close()
  }
}

async function stateOf(book: GuardBook, guard: KnownGuard): Promise<GuardState | undefined> {
  return (await book.here()).find(({ path }) => path === guard.path)?.state
}

/** So long a window takes to leave the step that holds a guard. */
const SLOTS_TO_LET_GO = 5
/** So long another process may take for the look under way before it counts as silent. */
const SLOTS_TO_ANSWER = 40
