import type { Effects } from '../core/base/effects/effects.ts'
import { rehearsalGone } from '../core/base/errors/devnet.ts'
import { HttpError } from '../core/base/errors/http.ts'
import type { Endpoints } from '../core/chain/network/network.ts'
import { errorFacts } from '../core/view/observation.ts'
import type { Session } from '../core/wizard/session.ts'

/** Far below the minutes without a question after which a rehearsal network ends itself. */
const EVERY_MS = 15_000
const DEADLINE_MS = 5_000
const MAX_BYTES = 65_536

type Asking = Pick<Effects, 'clock' | 'http'>

/**
 * A session whose rehearsal network is asked at intervals for as long as the session lives: whatever form is open, the
 * network is not idle. Once nothing listens at any of its addresses, the step on the screen says that it has ended. The
 * session of any other network comes back as it is.
 */
export function attended(session: Session, { clock, http }: Asking): Session {
  if (session.setup.network.kind !== 'rehearsal') return session
  const over = new AbortController()
  const asking = attend(session, { clock, http }, over.signal).catch(async (thrown: unknown) => {
    if (!over.signal.aborted) await tell(session, thrown)
  })
  return {
    ...session,
    async stop() {
      over.abort()
      await asking
      await session.stop()
    },
  }
}

async function attend(session: Session, { clock, http }: Asking, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(EVERY_MS, signal)
    const listens = await Promise.all(
      urlsOf(session.setup.endpoints).map((url) => isHeard(http, url, signal)),
    )
    signal.throwIfAborted()
    if (!listens.includes(true)) await tell(session, rehearsalGone())
  }
}

const urlsOf = ({ execution, node, engine }: Endpoints): string[] =>
  [execution, node, engine].filter((url) => url !== undefined)

/** Whether something listens at an address: silence and an odd reply are no end, a refused connection is. */
async function isHeard(http: Effects['http'], url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await http.request({ method: 'GET', url, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES, signal })
    return true
  } catch (thrown) {
    if (thrown instanceof HttpError) return !thrown.nothingSent
    throw thrown
  }
}

async function tell(session: Session, thrown: unknown): Promise<void> {
  const { step, faults } = session.getState()
  const error = errorFacts(thrown)
  if (faults[step]?.code === error.code) return
  await session.dispatch({ step: 'session', type: 'faulted', at: step, error })
}
