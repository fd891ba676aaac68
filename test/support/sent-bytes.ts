import type { HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'

/** The bytes of a transaction that a request hands over. */
export function sentBytes({ body }: HttpRequest): Hex | undefined {
  if (body === undefined || !body.includes('eth_sendRawTransaction')) return undefined
  const { params } = JSON.parse(body) as { params: [Hex] }
  return params[0]
}
