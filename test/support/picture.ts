import { createHash } from 'node:crypto'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { OwnNonce, PaymentFact, Setup } from '../../src/core/chain/facts.ts'
import {
  agreedPlan,
  candidatesOf,
  draftOf,
  endedOf,
  includedOf,
  liveOf,
  paymentBytes,
} from '../../src/core/pay/payment/candidates.ts'
import type { Draft, PayingStep, PaymentState, SignedBytes } from '../../src/core/pay/payment/payment.ts'
import {
  isUnsigned,
  mayAbandon,
  mayHaveLeft,
  mayReopen,
  mayReplace,
} from '../../src/core/pay/payment/sign-again.ts'
import { collectFacts } from '../../src/core/wizard/gates.ts'
import type { State } from '../../src/core/wizard/state.ts'

type PaymentPhase =
  | 'open'
  | 'agreed'
  | 'prepared'
  | 'exported'
  | 'under-way'
  | 'paid'
  | 'cancelled'
  | 'reverted'
  | 'nonce-taken'

/**
 * What is known of one journal after it was read, in words that no form of the state has a say in. All hexadecimal is
 * in lower case, amounts are decimal texts, long bytes are given by their SHA-256. What is absent is left out. Which
 * world was agreed to is left out as well: the recorded journals name none, and what they agreed to is agreed to anew.
 */
export function pictureOf(state: State, setup: Setup): unknown {
  const facts = collectFacts(state, setup)
  const { plan, signature } = state.sign
  const { adopted, own } = state.identity
  return plain({
    resumed: state.journal.status === 'open' && state.journal.resumed,
    sign: { plan, signature, known: facts.signature !== undefined },
    adopted,
    // Whether it is a rescue stands with the signature.
    ownDeposit: own && {
      operator: own.operator,
      withdrawalCredentials: own.withdrawalCredentials,
      out: own.out,
    },
    deposit: paymentPicture(state.deposit, 'deposit'),
    topup: paymentPicture(state.topup.send, 'topup'),
    finishedTopups: state.topup.finished.map(paid),
    facts: {
      deposit: facts.deposit && paid(facts.deposit),
      topup: facts.topup && paid(facts.topup),
      // Those of drafts that were abandoned are told with the drafts.
      nonces: facts.nonces?.filter(({ use }) => use !== 'abandoned').map(nonce),
      validator: facts.validator,
    },
  })
}

function paymentPicture(state: PaymentState, step: PayingStep) {
  const plan = agreedPlan(state)
  const draft = draftOf(state)
  const live = liveOf(state)
  const ended = endedOf(state)
  const outcome = ended?.outcome
  const candidates = candidatesOf(state)
  const mayBeReplaced = live !== undefined && mayHaveLeft(state)
  return {
    phase: phaseOf(state),
    remembered: ended?.remembered === true,
    ordinal: state.ordinal,
    agreed: plan && { to: plan.to, valueWei: plan.valueWei, calldata: digest(plan.data) },
    draft: draft && {
      signer: draft.signer,
      from: draft.from,
      ...draft.transaction,
      data: undefined,
      calldata: digest(draft.transaction.data),
      preparedAt: draft.baseline,
    },
    signed: bytesOf(paymentBytes(state)),
    replacementAgreed: live?.replacement?.kind,
    replacements: candidates.flatMap((one) =>
      one.kind === 'speed-up' || one.kind === 'cancellation' ? [{ kind: one.kind, ...bytesOf(one) }] : [],
    ),
    found: candidates.flatMap(({ kind, hash, ...rest }) =>
      kind === 'found' && 'nonce' in rest ? [{ hash, nonce: rest.nonce, valueWei: rest.valueWei }] : [],
    ),
    handOvers: (live ?? ended)?.attempts ?? 0,
    included: includedOf(state),
    reason: outcome?.is === 'reverted' ? outcome.reason : undefined,
    takenBy: outcome?.is === 'nonce-taken' ? outcome.otherDeposit?.hash : undefined,
    heldBack: live?.heldBack,
    abandoned: state.abandoned.map((one) => ({
      signer: one.signer,
      from: one.from,
      nonce: one.transaction.nonce,
      valueWei: one.transaction.valueWei,
      calldata: digest(one.agreement.plan.data),
    })),
    settled: state.settled,
    may: {
      reopen: mayReopen(state, step),
      abandon: mayAbandon(state),
      speedUp: mayBeReplaced && mayReplace(state, 'speed-up'),
      cancel: mayBeReplaced && mayReplace(state, 'cancellation'),
      agreeAnew: isUnsigned(state),
    },
  }
}

function phaseOf({ payment }: PaymentState): PaymentPhase {
  return payment.phase === 'ended' ? payment.outcome.is : payment.phase
}

function bytesOf(signed: Pick<SignedBytes, 'hash' | 'raw'> | undefined) {
  return signed && { hash: signed.hash, bytes: digest(signed.raw) }
}

function paid({ external, contract, remembered, ...rest }: PaymentFact) {
  const { hash, from, nonce, valueWei, blockNumber, blockHash, feeWei, balanceBeforeWei } = rest
  const signer = signerOf(external, contract)
  return {
    hash,
    from,
    nonce,
    valueWei,
    blockNumber,
    blockHash,
    feeWei,
    balanceBeforeWei,
    signer,
    remembered: remembered === true,
  }
}

const nonce = ({ from, nonce, use, step: payer, hash }: OwnNonce) => ({ from, nonce, use, payer, hash })

function digest(bytes: Hex): string {
  return createHash('sha256').update(bytes.toLowerCase()).digest('hex')
}

function signerOf(external?: true, contract?: true): Draft['signer'] {
  if (contract === true) return 'contract'
  return external === true ? 'external' : 'keystore'
}

/** As JSON gives it back. */
function plain<T>(value: T): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return part.toString()
      return typeof part === 'string' && part.startsWith('0x') ? part.toLowerCase() : part
    }),
  )
}
