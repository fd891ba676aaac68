import { BaseError } from '../../base/errors/base.ts'
import { guardError } from '../../base/errors/guard.ts'
import { sameHex } from '../../base/format/hex.ts'
import type { StepContext } from '../../observe/context.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import type { Following } from '../../pay/gate/following.ts'
import { armGuard, importGuard, saveGuard } from '../../pay/guard/arm-commands.ts'
import type { GuardBook, KnownGuard, WithGuards } from '../../pay/guard/book.ts'
import { phaseOf } from '../../pay/guard/guard.ts'
import { holdGuard } from '../../pay/guard/hold-track.ts'
import { voidIfUsed } from '../../pay/guard/keep-track.ts'
import { toldGuard } from '../../pay/guard/standing.ts'
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

/** The guard here with who holds it; undefined before chain and key are known. */
async function heldHere(context: Here): Promise<GuardStanding | 'none' | undefined> {
  const book = context.guards()
  if (book === undefined || context.facts().identity === undefined) return undefined
  const found = await guardHere(context, book)
  return found?.state === undefined ? 'none' : toldGuard(found.state, await book.holderOf(found))
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
    const isOver = command.type !== 'readGuard'
    await tell(context, { isOver, ...(path === undefined ? {} : { path }) })
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

async function tell(
  context: Here,
  more: { isOver: boolean; path?: string; failure?: ReturnType<typeof errorFacts> },
): Promise<void> {
  const read = await standingHere(context).then(
    (here) => ({ here }),
    (thrown: unknown) => ({ here: unread(thrown, context.signal), failure: errorFacts(thrown) }),
  )
  await context.dispatch({ step: 'topup', type: 'guardTold', ...read, ...more })
}

/** The guard of this validator that is not over, else the newest one that is. */
async function guardHere(context: Here, book: GuardBook | undefined): Promise<KnownGuard | undefined> {
  const { identity } = context.facts()
  if (identity === undefined || book === undefined) return undefined
  const own = (await book.here()).filter(
    ({ state }) => state !== undefined && sameHex(state.terms.validator.pubkey, identity.pubkey),
  )
  const open = own.find(({ state }) => state !== undefined && phaseOf(state) !== 'over')
  return open ?? own.toSorted((a, b) => a.nonce - b.nonce).at(-1)
}

async function standingHere(context: Here): Promise<GuardStanding | 'none'> {
  const found = await guardHere(context, context.guards())
  return found?.state === undefined ? 'none' : toldGuard(found.state, 'nobody')
}

/** Hands the cancellation over and follows it until the nonce is used for good. */
async function takeBack(context: Here): Promise<void> {
  const book = context.guards()
  const found = await guardHere(context, book)
  if (book === undefined || found === undefined) throw guardError('guard.refused', GUARD_TEXT.refused.unread)
  const held = await openSoon(context, book, found)
  if ('heldBy' in held) throw guardError('guard.refused', GUARD_TEXT.row.heldElsewhere(held.heldBy))
  if ('barredBy' in held) throw guardError('guard.refused', GUARD_TEXT.row.barred(held.barredBy))
  try {
    await holdGuard({
      context: { ...context, nodes: [context.setup.endpoints.node] },
      held,
      isTakenBack: () => true,
      tell: async () => tell(context, { isOver: false }),
    })
  } finally {
    await held.close()
  }
}

/** The status step may be about to let go of it: it is asked for a few times. */
async function openSoon(
  { effects, setup, signal }: Here,
  book: GuardBook,
  guard: KnownGuard,
): Promise<Awaited<ReturnType<GuardBook['open']>>> {
  for (let left = TIMES_ASKED; ; left -= 1) {
    const held = await book.open(guard)
    if ('members' in held || left === 0) return held
    await effects.clock.sleep(setup.network.slotMs, signal)
  }
}

const TIMES_ASKED = 5
