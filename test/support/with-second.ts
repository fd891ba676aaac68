import { createSession, type Session } from '../../src/core/wizard/session.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import type { Life } from './life.ts'

/** The same session, with a second execution endpoint on the same chain. */
export async function withSecond(life: Life, opening: Promise<Session>): Promise<Session> {
  const { setup } = await opening
  const secondExecution = setup.endpoints.execution.replace('127.0.0.1', 'localhost')
  return createSession(
    life.effects,
    { ...setup, endpoints: { ...setup.endpoints, secondExecution } },
    openAlarms,
  )
}
