import { describe, expect, test } from 'vitest'
import { viewOf } from '../../src/compose/fact-lines.ts'
import type { Effects } from '../../src/core/effects/effects.ts'
import { journey } from '../support/register.ts'
import { alterState } from '../support/survey-world.ts'
import { userOf } from '../support/user-of.ts'

const richer = alterState((text) =>
  text.replace(/"balances":\[(\d+)/, (_, gwei) => `"balances":[${BigInt(gwei) + 10n ** 15n}`),
)

/** A node that gives one validator more in its whole state than the chain does. */
function lying(effects: Effects): Effects {
  return {
    ...effects,
    http: {
      async request(request) {
        const { sink: _, ...whole } = request
        const reply = await effects.http.request(whole)
        return (await richer(new URL(request.url).pathname, reply)) ?? reply
      },
    },
  }
}

describe('the set that the wizard plans with', () => {
  test('is a proven state, up to the seat', () =>
    journey({ scenario: 'set-full' }, ({ session, ending }) => {
      expect(ending).toEqual({ end: 'active' })
      expect(viewOf('status', session.getState(), session).notes.join()).toMatch(
        /^proven state of slot [\d,]+$/,
      )
    }))

  test('is refused when it is not the chain’s, and no top-up leaves', () =>
    journey({ scenario: 'set-full', life: { mutate: lying } }, async ({ world, session, ending }) => {
      const { pubkey } = await userOf(world.devnet)
      expect(ending).toMatchObject({ end: 'waiting', step: 'topup' })
      expect(session.getState().topup.survey).toMatchObject({ error: { code: 'proofs.state-mismatch' } })
      expect(world.wire).toHaveLength(1)
      expect(world.devnet.state().validators.map((validator) => validator.pubkey)).toContain(pubkey)
    }))
})
