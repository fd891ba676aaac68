import { badUsage } from '../core/base/errors/base.ts'
import type { Setup } from '../core/chain/facts.ts'
import type { WatchEndpoints } from '../core/observe/ask-input.ts'
import type { Watched } from '../core/observe/picture.ts'
import type { WatchedGuards } from '../watch/keep-guards.ts'
import type { Call } from './command.ts'

/** Holds the guards of the watched validators with `--guard`, else looks whether anybody does. Throws `usage`. */
export async function guardsOf(
  call: Call,
  about: { setup: Setup; endpoints: WatchEndpoints; validators: readonly Watched[] },
): Promise<WatchedGuards | undefined> {
  const { effects, io, environment } = call
  const holds = call.flags.has('guard')
  if (holds && call.openGuards === undefined)
    throw badUsage({
      sentence: 'Nothing here can hold a guard.',
      next: 'Use the program as it was installed.',
    })
  return call.openGuards?.({ effects, io, environment, holds, ...about })
}
