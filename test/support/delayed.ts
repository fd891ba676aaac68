import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { World } from './world.ts'

/** What each answer takes, in milliseconds of a clock that does nothing else. */
export const DELAY_MS = 300

/**
 * Effects in which each answer takes `DELAY_MS`, and what was asked. How long a look takes, in delays, is how many answers
 * it waits for one after another.
 */
export function delayed(
  effects: Effects,
  { resting }: World['clock'],
): { effects: Effects; asked: readonly string[] } {
  const asked: string[] = []
  const request = async (question: HttpRequest) => {
    asked.push(`${question.url} ${(question.body ?? '').replace(/"id":\d+,?/, '')}`)
    await resting.sleep(DELAY_MS, question.signal)
    return effects.http.request(question)
  }
  return { effects: { ...effects, http: { request } }, asked }
}
