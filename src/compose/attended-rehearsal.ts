import type { Effects } from '../core/base/effects/effects.ts'
import { isError } from '../core/base/errors/base.ts'
import { HttpError } from '../core/base/errors/http.ts'
import { rehearsalError } from '../core/base/errors/rehearsal.ts'
import { readText } from '../core/base/format/file-text.ts'
import { readChronicle } from '../core/chain/network/chronicle.ts'
import type { Endpoints } from '../core/chain/network/network.ts'
import { errorFacts } from '../core/view/observation.ts'
import type { Session } from '../core/wizard/session.ts'
import { tellArrival, wishPace } from './rehearsal-wishes.ts'

/** Far below the minutes without a question after which a rehearsal network ends itself. */
const EVERY_MS = 15_000
const DEADLINE_MS = 5_000
const MAX_BYTES = 65_536

/** How often the story file is looked at: it is small, and on this computer. */
const STORY_EVERY_MS = 500
const STORY_BYTES = 1024 * 1024

type Asking = Pick<Effects, 'clock' | 'http' | 'files'>

/**
 * A session whose rehearsal network is asked at intervals for as long as the session lives: whatever form is open, the
 * network is not idle. Once nothing listens at any of its addresses, the step on the screen says that it has ended. The
 * session of any other network comes back as it is.
 */
export function attended(session: Session, effects: Asking): Session {
  if (session.setup.network.kind !== 'rehearsal') return session
  const over = new AbortController()
  const { setup } = session
  const failed = (thrown: unknown) => tell(session, thrown)
  let hasArrived = setup.wishes === undefined
  const unsubscribe = session.subscribe(({ step }, event) => {
    if (step === 'status' && !hasArrived) {
      hasArrived = true
      void tellArrival(effects, setup).catch(failed)
    }
    if (event.step !== 'session' || event.type !== 'hasteWished') return
    void wishPace(effects, setup, event.hasten).catch(failed)
  })
  const asking = Promise.all([
    attend(session, effects, over.signal),
    followStory(session, effects, over.signal),
  ]).catch(async (thrown: unknown) => {
    if (!over.signal.aborted) await tell(session, thrown)
  })
  return {
    ...session,
    async stop() {
      unsubscribe()
      over.abort()
      await asking
      await session.stop()
    },
  }
}

/** Tells the session what the story file of its network says, each time that it says something else. */
async function followStory(session: Session, effects: Asking, signal: AbortSignal): Promise<void> {
  const { storyPath } = session.setup
  if (storyPath === undefined) return
  for (let last: string | undefined; ; ) {
    const text = await storyText(effects, storyPath)
    signal.throwIfAborted()
    if (text !== undefined && text !== last) {
      last = text
      const story = readChronicle(text)
      // The pace is the one thing of a network that changes while it is looked at, and only a rehearsal does that.
      session.setup.network.slotMs = story.slotMs
      await session.dispatch({ step: 'session', type: 'storyRead', story })
    }
    await effects.clock.sleep(STORY_EVERY_MS, signal)
  }
}

/** Returns the text of a story file; undefined where it cannot be read: then nothing is told of the story. */
export async function storyText(
  { files }: Pick<Effects, 'files'>,
  path: string,
): Promise<string | undefined> {
  try {
    return await readText({ files }, path, STORY_BYTES)
  } catch (thrown) {
    if (isError(thrown, 'file')) return undefined
    throw thrown
  }
}

async function attend(session: Session, { clock, http }: Asking, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(EVERY_MS, signal)
    const listens = await Promise.all(
      urlsOf(session.setup.endpoints).map((url) => isHeard(http, url, signal)),
    )
    signal.throwIfAborted()
    if (!listens.includes(true)) await tell(session, rehearsalError('rehearsal.gone'))
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
