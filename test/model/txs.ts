import type { UnsignedTransaction } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeFirstDeposit, encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import type { PaymentPlan } from '../../src/core/pay/payment/payment.ts'
import { ACCOUNT, type Call, OTHER, type Tx } from './chain.ts'
import { DEPOSIT_CONTRACT } from './endpoint.ts'

const TOKEN_WEI = 10n ** 18n

/** The key that everything is about. */
export const PUBKEY: Hex = `0x${'a7'.repeat(48)}`
const CREDENTIALS: Hex = `0x01${'00'.repeat(11)}${ACCOUNT.slice(2)}`
const SIGNATURE: Hex = `0x${'5e'.repeat(96)}`

const THEIR_SIGNATURE: Hex = `0x${'66'.repeat(96)}`
const NO_FIELDS = {
  withdrawalCredentials: `0x${'00'.repeat(32)}`,
  signature: `0x${'00'.repeat(96)}`,
} as const

const FIRST_DATA = encodeFirstDeposit({
  pubkey: PUBKEY,
  withdrawalCredentials: CREDENTIALS,
  signature: SIGNATURE,
  operator: ACCOUNT,
})
const TOP_UP_DATA = encodeTopUp({ pubkey: PUBKEY })
const FRONT_RUN_DATA = encodeFirstDeposit({
  pubkey: PUBKEY,
  withdrawalCredentials: CREDENTIALS,
  signature: THEIR_SIGNATURE,
  operator: OTHER,
})

/** What a deposit event has of a call beside key and amount. Top-ups have no signature, and front-runs one of somebody else. */
export function fieldsOf(call: Call): { withdrawalCredentials: Hex; signature: Hex } {
  if (call === 'top-up') return NO_FIELDS
  return { withdrawalCredentials: CREDENTIALS, signature: call === 'first' ? SIGNATURE : THEIR_SIGNATURE }
}

/** The calldata of a call to the deposit contract. */
export function dataOf(call: Call): Hex {
  if (call === 'top-up') return TOP_UP_DATA
  if (call === 'nothing') return '0x'
  return call === 'first' ? FIRST_DATA : FRONT_RUN_DATA
}

export const weiOf = (amount: number): bigint => BigInt(amount) * TOKEN_WEI

/** The one plan of a payment. */
export function planOf(call: 'first' | 'top-up', amount: number): PaymentPlan {
  return { to: DEPOSIT_CONTRACT, valueWei: weiOf(amount), data: dataOf(call) }
}

/** A signed transaction as the chain of the model takes it. */
export function txOf(unsigned: UnsignedTransaction, from: Hex, hash: Hex): Tx {
  const { nonce, data, valueWei, to, maxFeePerGasWei, maxPriorityFeePerGasWei } = unsigned
  let call: Call = 'nothing'
  if (data === FIRST_DATA) call = 'first'
  if (data === TOP_UP_DATA) call = 'top-up'
  const amount = Number(valueWei / TOKEN_WEI)
  return { hash, from, to, nonce, call, amount, maxFeeWei: maxFeePerGasWei, tipWei: maxPriorityFeePerGasWei }
}
