import { createHash } from 'node:crypto'
import type { OwnNonce, PaymentFact, Setup } from '../../src/core/facts.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import { collectFacts } from '../../src/core/gates.ts'
import type { State } from '../../src/core/state.ts'
import { isUnsigned, mayHaveLeft, mayRelease, mayReopen } from '../../src/core/steps/sending/phases.ts'
import { mayReplace } from '../../src/core/steps/sending/replace.ts'
import type { Payer, SendPhase, SendState } from '../../src/core/steps/sending/state.ts'

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

type Signer = 'keystore' | 'external' | 'contract'

/**
 * What is known of one journal after it was read, in words that no form of the state has a say in. All hexadecimal is
 * in lower case, amounts are decimal texts, long bytes are given by their SHA-256. What is absent is left out. Which
 * world was agreed to is left out as well: an agreement of format 1 is agreed to anew.
 */
export function pictureOf(state: State, setup: Setup): unknown {
  const facts = collectFacts(state, setup)
  const { plan, signature } = state.sign
  const { adopted } = state.identity
  return plain({
    resumed: state.journal.status === 'open' && state.journal.resumed,
    sign: { plan, signature, known: facts.signature !== undefined },
    adopted,
    ownDeposit: state.identity.own,
    deposit: paymentPicture(state.deposit, 'deposit'),
    topup: paymentPicture(state.topup.send, 'topup'),
    finishedTopups: state.topup.finished.map(paid),
    facts: {
      deposit: facts.deposit && paid(facts.deposit),
      topup: facts.topup && paid(facts.topup),
      nonces: facts.nonces?.map(nonce),
      validator: facts.validator,
    },
  })
}

function paymentPicture(state: SendState, step: Payer) {
  const { plan, prepared, mined } = state
  return {
    phase: phaseOf(state),
    remembered: state.remembered,
    ordinal: state.ordinal,
    agreed: plan && { to: plan.to, valueWei: plan.valueWei, calldata: digest(plan.data) },
    draft: prepared && {
      signer: signerOf(prepared),
      from: prepared.from,
      nonce: prepared.transaction.nonce,
      chainId: prepared.transaction.chainId,
      to: prepared.transaction.to,
      valueWei: prepared.transaction.valueWei,
      calldata: digest(prepared.transaction.data),
      gasLimit: prepared.transaction.gasLimit,
      maxFeePerGasWei: prepared.transaction.maxFeePerGasWei,
      maxPriorityFeePerGasWei: prepared.transaction.maxPriorityFeePerGasWei,
      preparedAt: prepared.baseline,
    },
    signed: bytesOf(state),
    replacementAgreed: state.replacement && kindOf(state.replacement),
    replacements: state.rivals.map((rival) => ({ kind: kindOf(rival), ...bytesOf(rival) })),
    found: state.strays.map(({ hash, nonce, valueWei }) => ({ hash, nonce, valueWei })),
    handOvers: state.attempts,
    included: mined && {
      hash: mined.hash,
      blockNumber: mined.blockNumber,
      blockHash: mined.blockHash,
      feeWei: mined.feeWei,
    },
    reason: state.reason,
    takenBy: state.foreignHash ?? state.otherDeposit?.hash,
    heldBack: state.withheld,
    abandoned: state.released.map(({ plan: { data }, prepared: { from, transaction, ...rest } }) => ({
      signer: signerOf(rest),
      from,
      nonce: transaction.nonce,
      valueWei: transaction.valueWei,
      calldata: digest(data),
    })),
    settled: state.settled,
    may: {
      reopen: mayReopen(state, step),
      abandon: mayRelease(state),
      speedUp: mayHaveLeft(state) && mayReplace(state, 'bump'),
      cancel: mayHaveLeft(state) && mayReplace(state, 'cancel'),
      agreeAnew: isUnsigned(state),
    },
  }
}

const PHASES: Readonly<Record<SendPhase, PaymentPhase>> = {
  idle: 'open',
  confirmed: 'agreed',
  prepared: 'prepared',
  external: 'exported',
  signed: 'under-way',
  sending: 'under-way',
  seen: 'under-way',
  mined: 'under-way',
  final: 'paid',
  cancelled: 'cancelled',
  reverted: 'reverted',
  foreign: 'nonce-taken',
}

function phaseOf({ phase, strays }: SendState): PaymentPhase {
  return phase === 'external' && strays.length > 0 ? 'under-way' : PHASES[phase]
}

function signerOf({
  elsewhere,
  contract,
}: {
  elsewhere?: true | undefined
  contract?: true | undefined
}): Signer {
  if (contract === true) return 'contract'
  return elsewhere === true ? 'external' : 'keystore'
}

const kindOf = ({ kind }: { kind: 'bump' | 'cancel' }) => (kind === 'bump' ? 'speed-up' : 'cancellation')

function bytesOf({ hash, raw }: { hash: Hex | undefined; raw: Hex | undefined }) {
  return hash === undefined ? undefined : { hash, bytes: raw && digest(raw) }
}

function paid({ elsewhere, contract, remembered, ...rest }: PaymentFact) {
  const { hash, from, nonce, valueWei, blockNumber, blockHash, feeWei, balanceBeforeWei } = rest
  const signer = signerOf({ elsewhere, contract })
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

const nonce = ({ from, nonce, use, payer, hash }: OwnNonce) => ({ from, nonce, use, payer, hash })

function digest(bytes: Hex): string {
  return createHash('sha256').update(bytes.toLowerCase()).digest('hex')
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
