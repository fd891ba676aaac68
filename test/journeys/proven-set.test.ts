import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { journey } from '../support/register.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import { alterState } from '../support/snapshot-world.ts'
import { userOf } from '../support/user-of.ts'

const richer = alterState((text) =>
  text.replace(/"balances":\[(\d+)/, (_, gwei) => `"balances":[${BigInt(gwei) + 10n ** 15n}`),
)

/** A node that gives one validator more in its whole state than the chain does, from the start or from a payment on. */
const lying =
  (since: 'the start' | 'the first payment') =>
  (effects: Effects): Effects => {
    let lies = since === 'the start'
    return {
      ...effects,
      http: {
        async request(request) {
          const { sink: _, ...whole } = request
          const reply = await effects.http.request(whole)
          if (sentBytes(request) !== undefined) lies = true
          return (lies ? await richer(new URL(request.url).pathname, reply) : undefined) ?? reply
        },
      },
    }
  }

describe('the set that the wizard plans with', () => {
  test('is refused when it is not the chain’s, and no top-up leaves', () =>
    journey(
      { scenario: 'set-full', life: { mutate: lying('the first payment') }, patienceSeconds: 100 },
      async ({ world, session, ending }) => {
        const { pubkey } = await userOf(world.devnet)
        expect(ending).toMatchObject({ end: 'waiting', step: 'topup' })
        expect(session.getState().topup.snapshot).toMatchObject({ error: { code: 'proofs.state-mismatch' } })
        expect(world.wire).toHaveLength(1)
        expect(world.devnet.state().validators.map((validator) => validator.pubkey)).toContain(pubkey)
      },
    ))

  test('is refused from the start on: then not even the first deposit leaves, for the key may be in it', () =>
    journey({ life: { mutate: lying('the start') }, patienceSeconds: 30 }, ({ world, ending }) => {
      expect(ending).toMatchObject({ end: 'waiting', step: 'identity' })
      expect(world.wire).toEqual([])
    }))
})
