import { expect, test } from 'vitest'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { gateRows } from '../../../../src/core/pay/gate/view.ts'
import { initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { paymentMoney } from '../../../../src/core/pay/payment-view/view.ts'
import { SENDER } from '../../../support/payments.ts'

const setup: Setup = {
  network: MAINNET,
  homePath: '/home/ann/.beacond',
  endpoints: { execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' },
  journalDirectory: '/state/mainnet',
  lockDirectories: [],
  outputDirectory: '/home/ann',
}
const TOKEN = 10n ** 18n
const valueWei = 10_000n * TOKEN
const known = <T>(value: T) => ({ status: 'known', value, source: 'x', atMs: 0 }) as const

test('the fee limit is one number, beside the amount and in the row of the balance', () => {
  const price = { gasLimit: 150_000n, maxFeePerGasWei: 3_000_000_000n, maxPriorityFeePerGasWei: 1n }
  // What must be there besides the stake: so much a fee may come to until it is signed.
  const neededWei = valueWei + 900_000_000_000_000n
  const state: PaymentState = {
    ...initialPayment,
    observed: {
      ...initialPayment.observed,
      sender: known({ address: SENDER }),
      balance: known({ balanceWei: 20_000n * TOKEN, neededWei, price }),
    },
  }
  const plan = { to: MAINNET.spec.depositContract, valueWei, data: '0x' } as const
  const text = { before: 'left the wallet 0 BERA', worst: '', after: '', leftBefore: (left: string) => left }
  const { line } = paymentMoney(state, plan, setup, text)
  const balance = gateRows(state, setup).find(({ id }) => id === 'balance')?.value
  const said = '10,000 BERA + fee up to 0.0009'
  expect(line).toContain(said)
  expect(balance).toContain('needs 10,000 + fee up to 0.0009')
})
