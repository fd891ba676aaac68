import { decodeDepositCalldata } from '../core/deposit/calldata.ts'
import type { PromptWords } from '../core/effects/effects.ts'
import { formatWei } from '../core/format/amount.ts'
import type { FieldReader } from '../core/format/fields.ts'
import { groupHex, type Hex } from '../core/format/hex.ts'
import { safeText } from '../core/format/text.ts'
import type { Eip1559Transaction } from './read-transaction.ts'

const LABEL_WIDTH = 16
/** Twelve groups of four digits with their spaces, behind `0x`: as much as fits beside a label in 80 columns. */
const VALUE_WIDTH = 61
const MAX_NETWORK = 40
const MAX_TOKEN = 12

const PAYMENTS = {
  first: 'first deposit',
  'top-up': 'top-up',
  rescue: 'first deposit of a burnt key',
} as const

/** Reads the words of a request's prompt, safe to draw. Throws `signer.bad-request`. */
export function readPromptWords(fields: FieldReader): PromptWords {
  fields.only(['network', 'token', 'speedsUp'])
  return {
    network: safeText(fields.text('network'), MAX_NETWORK),
    token: safeText(fields.text('token'), MAX_TOKEN),
    speedsUp: fields.flag('speedsUp'),
  }
}

/**
 * What is about to be signed, in lines of at most 80 columns: everything but names is read from the transaction itself,
 * which must be a deposit or a transfer of nothing (`checkPurpose`). `from` is the account that must sign.
 */
export function transactionLines(
  transaction: Eip1559Transaction,
  from: Hex | undefined,
  { network, token, speedsUp }: PromptWords,
): string[] {
  const { chainId, nonce, value, gas, maxFeePerGas, to, data } = transaction
  const deposit = data === '0x' ? undefined : decodeDepositCalldata(data)
  const payment =
    deposit === undefined
      ? [
          `cancellation: 0 ${token} to the account itself`,
          `nonce ${nonce} is used up, so the payment cannot happen`,
        ]
      : [`${PAYMENTS[deposit.kind]} of ${formatWei(value)} ${token}`]
  const again = speedsUp ? ['speeds up the payment: same nonce, higher fee, paid once'] : []
  return [
    ` Sign this transaction with your keystore?`,
    '',
    ...row('network', [`${network}, chain ${chainId}`]),
    ...row('payment', payment),
    ...row('replacement', again),
    ...(deposit === undefined ? [] : row('validator', grouped(deposit.pubkey))),
    ...(deposit === undefined ? [] : row('contract', grouped(to))),
    ...row('paying account', from === undefined ? [] : grouped(from)),
    ...row('nonce, max fee', [`${nonce} · ${formatWei(gas * maxFeePerGas)} ${token}`]),
  ]
}

function row(label: string, values: readonly string[]): string[] {
  return values.map((value, at) => `   ${(at === 0 ? label : '').padEnd(LABEL_WIDTH)}${value}`)
}

function grouped(hex: Hex): string[] {
  const words = groupHex(hex)
  if (words.length <= VALUE_WIDTH) return [words]
  const cut = VALUE_WIDTH
  return [words.slice(0, cut), `  ${words.slice(cut).trim()}`]
}
