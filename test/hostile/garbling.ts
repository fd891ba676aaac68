import type { Effects } from '../../src/core/base/effects/effects.ts'
import { garbled, QUESTIONS } from './garble.ts'
import type { Insight, Lie, Service, Tellings } from './lie.ts'
import { waits } from './lie.ts'
import { responderOf, tellingEffects } from './proxy.ts'

const SERVICES = Object.keys(QUESTIONS) as Service[]

/** Every question, and the service that is asked it. */
export const ASKED = SERVICES.flatMap((service) =>
  QUESTIONS[service].map((question) => [service, question] as const),
)

/** Each reply to a question with one part of it short, long, missing, twice, of another kind or out of range. */
export const lieOn = (service: Service, question: string): Lie => ({
  name: `the ${service} garbles ${question}`,
  service,
  since: 'always',
  payments: [1],
  tells: () => ({ [question]: garbled() }),
  alone: waits(),
  beside: waits(),
})

/** Nothing of a registration is needed to garble a reply. */
const NOTHING: Insight = {
  pubkey: '0x',
  account: '0x',
  withdrawalCredentials: '0x',
  elsewhere: '',
  ask: () => Promise.reject(new Error('nothing is asked')),
}

/** Lies before the service whose addresses begin so. */
export const lyingAt =
  (url: string, clock: Parameters<typeof tellingEffects>[2], tells: Tellings) =>
  (effects: Effects): Effects =>
    tellingEffects(
      effects,
      url,
      clock,
      responderOf(
        () => tells,
        NOTHING,
        () => true,
      ),
    )
