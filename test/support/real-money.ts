import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import type { NetworkKind } from '../../src/core/chain/network/network.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { SECOND, withSecondEndpoint } from './adopting.ts'
import type { Life } from './life.ts'
import { jsonReply } from './snapshot-world.ts'
import type { LifeOptions, World } from './world.ts'

const DEBUG = '/eth/v2/debug/beacon/states/'

/** A process beside a node with peers, for which a second execution endpoint is there. */
export function beginWithSecond(
  world: World,
  { mutate = (effects) => effects, ...life }: LifeOptions = {},
): Life {
  return withSecondEndpoint(world, { ...life, mutate: (effects) => mutate(withPeers(effects)) })
}

/** A session of a whole node with two execution endpoints, by the rules of this kind of money; `places` of its own. */
export async function sessionOfKind(
  world: World,
  life: Life,
  kind: NetworkKind,
  places: Partial<Pick<Setup, 'journalDirectory' | 'lockDirectories'>> = {},
): Promise<Session> {
  const { setup } = await world.session(life)
  return createSession(
    life.effects,
    {
      ...setup,
      ...places,
      network: { ...setup.network, kind },
      endpoints: { ...setup.endpoints, secondExecution: SECOND },
    },
    openAlarms,
  )
}

/**
 * The same session for the autopilot, which decides in rehearsals only; the session itself judges each decision by the
 * rules of its own money.
 */
export function decided(session: Session): Session {
  const { setup } = session
  return { ...session, setup: { ...setup, network: { ...setup.network, kind: 'rehearsal' } } }
}

/** Effects for which nobody answers at addresses that begin so, while `isSilent`. */
export function silentAt(effects: Effects, url: string, isSilent: () => boolean): Effects {
  const request = async (asked: HttpRequest) => {
    if (isSilent() && asked.url.startsWith(url))
      throw httpError('http.unreachable', asked.url, 'ECONNREFUSED')
    return effects.http.request(asked)
  }
  return { ...effects, http: { request } }
}

/** A node that does not offer its whole state. */
export function withoutState(effects: Effects): Effects {
  const request = async (asked: HttpRequest) => {
    const { pathname } = new URL(asked.url)
    if (!pathname.startsWith(DEBUG)) return effects.http.request(asked)
    return jsonReply(500, { code: 500, message: `endpoint ${pathname} is not yet implemented` })
  }
  return { ...effects, http: { request } }
}

/** The node of a rehearsal has no peers, which on other networks is a node that nobody hears. */
function withPeers(effects: Effects): Effects {
  const request = async (asked: HttpRequest) => {
    const reply = await effects.http.request(asked)
    if (new URL(asked.url).pathname !== '/net_info') return reply
    const text = new TextDecoder().decode(reply.body).replace('"n_peers":"0"', '"n_peers":"3"')
    return { ...reply, body: new TextEncoder().encode(text) }
  }
  return { ...effects, http: { request } }
}

/** All that the screens of a session have said, each once: rows with their marks, notes, problems, words to type. */
export function listen(session: Session): ReadonlySet<string> {
  const said = new Set<string>()
  session.subscribe((state) => {
    const { step } = state
    const { facts, checks, notes, actions, problem } = viewOf(step, state, session)
    for (const { id, mark, value } of [...facts, ...checks]) said.add(`${step} ${id}: ${mark} ${value}`)
    for (const note of notes) said.add(`${step} note: ${note}`)
    for (const { typed } of actions) if (typed !== undefined) said.add(`${step} types: ${typed}`)
    if (problem !== undefined) said.add(`${step} problem: ${problem.title} ${problem.lines.join(' ')}`)
  })
  return said
}

/** What of all that was said begins so. */
export const saidOf = (said: ReadonlySet<string>, start: string): string[] =>
  [...said].filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
