import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import type { AgreedKeyState } from '../../src/core/pay/gate/consent.ts'
import { dearest, initialPayment, raised, replacementOf } from '../../src/core/pay/payment/candidates.ts'
import { paymentTransition } from '../../src/core/pay/payment/machine.ts'
import type {
  Draft,
  PayingStep,
  PaymentBody,
  PaymentPlan,
  PaymentState,
  Replacement,
  SignerKind,
} from '../../src/core/pay/payment/payment.ts'

/** An address of one digit. */
export const address = (digit: number): Hex => `0x${String(digit).repeat(40)}`
/** A hash that stands for a number. */
export const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** The public key that is paid for. */
export const PUBKEY: Hex = `0x${'a1'.repeat(48)}`
/** The paying account. */
export const SENDER: Hex = address(1)
/** What is paid: 10,000 tokens for the key. */
export const PLAN: PaymentPlan = {
  to: address(4),
  valueWei: 10_000n * 10n ** 18n,
  data: encodeTopUp({ pubkey: PUBKEY }),
}
/** A world in which the key was unused. */
export const WORLD: AgreedKeyState = { about: 'unused-key' }
/** The nonce of the payment. */
export const NONCE = 5
/** The block of its baseline. */
const BASELINE_BLOCK = 200n

/** What may be other than usual about a draft. */
type DraftOver = {
  signer?: SignerKind
  nonce?: number
  from?: Hex
  plan?: PaymentPlan
  world?: AgreedKeyState | undefined
}

/** A draft of the payment, by the keystore where nothing else is said. */
export function draftWith({
  signer = 'keystore',
  nonce = NONCE,
  from = SENDER,
  plan = PLAN,
  ...over
}: DraftOver = {}): Draft {
  return {
    agreement: { plan, world: 'world' in over ? over.world : WORLD },
    signer,
    from,
    transaction: {
      ...plan,
      chainId: 80094,
      nonce,
      gasLimit: 150_000n,
      maxFeePerGasWei: 3_000_000_001n,
      maxPriorityFeePerGasWei: 1_000_000_001n,
    },
    baseline: { blockNumber: BASELINE_BLOCK, blockHash: hash(7), balanceWei: 10n ** 24n },
  }
}

/** The payment after some events. */
export function stateAfter(
  bodies: readonly PaymentBody[],
  { from = initialPayment, step = 'topup' }: { from?: PaymentState; step?: PayingStep } = {},
): PaymentState {
  return bodies.reduce((state, body) => paymentTransition(state, { step, ...body })[0], from)
}

/** The events of an agreement and its draft. */
export function preparing(over: DraftOver = {}): readonly PaymentBody[] {
  const { agreement, ...draft } = draftWith(over)
  return [
    { type: 'agreed', ...agreement },
    { type: 'prepared', draft },
  ]
}

/** The bytes of the payment. */
export const SIGNED = { type: 'signed', raw: '0x0201', hash: hash(1) } as const
/** The block that has the payment. */
export const INCLUDED = {
  type: 'included',
  blockNumber: 224n,
  blockHash: hash(224),
  feeWei: 9n,
  hash: SIGNED.hash,
} as const

/** A payment that is signed and was given to nobody yet. */
export const signedPayment = (over: DraftOver = {}): PaymentState => stateAfter([...preparing(over), SIGNED])

/** A payment that an external signer, or the owners of a contract account, are to make. */
export const exportedPayment = (over: DraftOver = {}): PaymentState =>
  stateAfter(preparing({ signer: 'external', ...over }))

/** The replacement of a kind by the rules: both fees an eighth above everything before. */
export function replacementFor(state: PaymentState, kind: Replacement['kind']): Replacement {
  const { maxFeePerGasWei, maxPriorityFeePerGasWei } = dearest(state)
  const fees = {
    maxFeePerGasWei: raised(maxFeePerGasWei),
    maxPriorityFeePerGasWei: raised(maxPriorityFeePerGasWei),
  }
  const transaction = replacementOf(state, kind, fees)
  if (transaction === undefined) throw new Error('there is nothing to replace')
  return { kind, transaction }
}
