import { describe, expect, test } from 'vitest'
import { formatWei } from '../../../../src/core/base/format/amount.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { withConsents } from '../../../../src/core/pay/payment-view/consent-view.ts'
import type { Consent } from '../../../../src/core/view/view.ts'
import {
  address,
  exportedPayment,
  PLAN,
  replacementFor,
  SENDER,
  signedPayment,
} from '../../../support/payments.ts'

const setup = { network: MAINNET } as Setup
const AGREED: Consent = {
  undo: 'undo',
  stake: 'stake',
  worst: 'worst',
  to: { name: 'contract', address: address(4) },
  amount: '1 BERA',
  fee: 'fee',
}
const consentOf = (state: PaymentState, event: object, agreed: Consent | undefined = AGREED) => {
  const action = { key: 'return', label: 'go', typed: 'word', does: [event as { type: string }] }
  return withConsents([action], state, { agreed, setup })[0]
}

describe('what stands above a word', () => {
  test('is of the very event that it lets go', () => {
    const state = signedPayment()
    expect(consentOf(initialPayment, { type: 'agreed' })?.consent).toEqual(AGREED)
    const kinds = [
      ['speed-up', PLAN.to],
      ['cancellation', SENDER],
    ] as const
    for (const [kind, to] of kinds) {
      const replacement = replacementFor(state, kind)
      const { gasLimit, maxFeePerGasWei, valueWei } = replacement.transaction
      const consent = consentOf(state, { type: 'replacing', replacement })?.consent
      expect(consent).toMatchObject({ amount: `${formatWei(valueWei)} BERA`, to: { address: to } })
      expect(consent?.stake).toContain('10,000 BERA')
      expect(consent?.fee).toContain(formatWei(gasLimit * maxFeePerGasWei))
    }
    const abandoned = consentOf(exportedPayment(), { type: 'abandoned' })?.consent
    expect(abandoned).toMatchObject({ amount: '10,000 BERA', to: { address: PLAN.to } })
  })

  test('is the token alone where the word sends nothing that is known', () => {
    expect(consentOf(initialPayment, { type: 'retried' })).toMatchObject({ token: 'BERA' })
    expect(consentOf(initialPayment, { type: 'retried' })).not.toHaveProperty('consent')
    expect(consentOf(initialPayment, { type: 'abandoned' })).not.toHaveProperty('consent')
  })

  test('is nothing where no word is asked for', () => {
    const action = { key: 'r', label: 'ask again', does: [{ type: 'agreed' }] }
    expect(withConsents([action], initialPayment, { agreed: AGREED, setup })).toEqual([action])
  })
})
