import { BaseError } from '../../base/errors/base.ts'
import { type GuardStanding, unheldBy } from '../../observe/picture.ts'
import type { StatusContext } from './alarm-commands.ts'

const SLOTS_BETWEEN_LOOKS = 5

/** Holds the guard of the validator for as long as the step is open; without one it looks now and then whether there is. */
export async function holdHere(context: StatusContext): Promise<void> {
  const { effects, setup, facts, signal } = context
  let last: GuardStanding | undefined
  const tell = async (guard: GuardStanding | undefined): Promise<void> => {
    // One that came to its end is told as that, and not as none.
    if (guard === undefined && last?.stand === 'over') return
    last = guard
    await context.dispatch({ step: 'status', type: 'guarded', guard })
  }
  for (;;) {
    const { identity } = facts()
    let slots = SLOTS_BETWEEN_LOOKS
    try {
      if (identity !== undefined) await context.keepGuard(identity.pubkey, tell)
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof BaseError)) throw thrown
      if (last !== undefined) await tell(unheldBy(last, thrown.shortMessage))
      slots = 1
    }
    await effects.clock.sleep(slots * setup.network.slotMs, signal)
  }
}
