import type { Effects } from '../core/base/effects/effects.ts'
import { rehearsalError } from '../core/base/errors/rehearsal.ts'
import type { Setup } from '../core/chain/facts.ts'

const DEADLINE_MS = 10_000
const MAX_BYTES = 65_536

/** Gives the node of a rehearsal another key. Throws `rehearsal.wish`, or why the network cannot be reached. */
export const wishNewKey = (effects: Pick<Effects, 'http'>, setup: Setup): Promise<void> =>
  wish(effects, setup, { path: '/key', body: '{}' })

/** Makes the slots of a rehearsal no longer than usual while there is something to do, or undoes that. Throws the same. */
export const wishPace = (effects: Pick<Effects, 'http'>, setup: Setup, hasten: boolean): Promise<void> =>
  wish(effects, setup, { path: '/pace', body: JSON.stringify({ hasten }) })

/** Tells a rehearsal that its user reads the last step: a story may wait for that. Throws the same. */
export const tellArrival = (effects: Pick<Effects, 'http'>, setup: Setup): Promise<void> =>
  wish(effects, setup, { path: '/arrived', body: '{}' })

async function wish(
  { http }: Pick<Effects, 'http'>,
  { wishes }: Setup,
  { path, body }: { path: string; body: string },
): Promise<void> {
  if (wishes === undefined) throw rehearsalError('rehearsal.wish', 'it names no place to ask at')
  const url = `${wishes.url}${path}`
  const reply = await http.request({
    method: 'POST',
    url,
    body,
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
  })
  if (reply.status !== 200) throw rehearsalError('rehearsal.wish', `HTTP status ${reply.status}`)
}
