import { failureWords } from '../errors/base.ts'
import { ClientError } from '../errors/client.ts'
import type { Offered, Offers } from '../network/offered.ts'

/**
 * Asks what an endpoint need not have, under the `name` it is remembered by; `ask` gives undefined, or fails as
 * `not-offered`, where it is not there. That is remembered: the endpoint is not asked for it again. Any other failure
 * is not: it gives `unheard` as long as the endpoint has never answered this, and is thrown once it has.
 */
export async function askOptional<T>(
  offers: Offers,
  name: string,
  ask: () => Promise<T | undefined>,
): Promise<Offered<T>> {
  if (offers.lacks.has(name)) return { offer: 'no' }
  try {
    const value = await ask()
    if (value === undefined) return lacking(offers, name)
    offers.has.add(name)
    return { offer: 'yes', value }
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    if (thrown.fault === 'not-offered') return lacking(offers, name)
    if (offers.has.has(name)) throw thrown
    return { offer: 'unheard', words: failureWords(thrown) }
  }
}

function lacking({ lacks }: Offers, name: string): { offer: 'no' } {
  lacks.add(name)
  return { offer: 'no' }
}
