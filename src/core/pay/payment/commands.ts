import { walletError } from '../../base/errors/wallet.ts'
import { formatGwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { askGate } from '../gate/ask-commands.ts'
import { mktxCommands } from '../gate/cast.ts'
import type { Following } from '../gate/following.ts'
import { requireStillHolds } from '../gate/following.ts'
import { requireFree } from '../gate/nonce.ts'
import { prepare, quoteFee } from '../gate/prepare-commands.ts'
import { checkSigned, readSigned } from '../wallet/check-signed.ts'
import { safeBatch } from '../wallet/safe-batch.ts'
import { draftOf, liveOf } from './candidates.ts'
import type { Draft, PaymentCommand, Replacement } from './payment.ts'
import { exportedOf } from './sign-again.ts'
import { followPayment, noteWait } from './track.ts'

/** Carries out one command of a payment. */
export async function runPayment(command: PaymentCommand, following: Following): Promise<void> {
  await noteWait(following)
  switch (command.type) {
    case 'check':
      await askGate(following)
      return
    case 'prepare':
      return prepare(following)
    case 'signTransaction':
      return sign(following)
    case 'import':
      return importSigned(command.text, following)
    case 'saveCommand':
      return saveCommand(following)
    case 'quote':
      return quoteFee(command.kind, following)
    case 'follow':
      return followPayment(following)
  }
}

/** Has the draft signed, or what replaces it, and believes the bytes only after reading them back. */
async function sign(following: Following): Promise<void> {
  const { context, getState } = following
  const { setup, effects } = context
  const { keystore, passwordDescriptor } = setup
  const draft = draftOf(getState())
  const replacement = liveOf(getState())?.replacement
  if (draft === undefined || keystore === undefined) return
  const { from } = draft
  const transaction = replacement?.transaction ?? draft.transaction
  if (replacement === undefined) requireFree({ from, nonce: transaction.nonce }, context.facts())
  const { label: network, names } = setup.network
  const arrivedGwei = following.kind.arrivedGwei()
  const arrived = arrivedGwei === 0n ? '' : formatGwei(arrivedGwei)
  const { rawTransaction } = await effects.signer.signTransaction({
    keystore,
    from,
    transaction,
    prompt: { network, token: names.token, speedsUp: replacement?.kind === 'speed-up', arrived },
    ...(passwordDescriptor === undefined ? {} : { passwordDescriptor }),
  })
  await take(rawTransaction, { draft, replacement }, following)
}

/** Signed bytes count when every field is as it was made, and what was agreed to still holds. A password takes minutes to type. */
async function take(
  raw: Hex,
  { draft, replacement }: { draft: Draft; replacement: Replacement | undefined },
  { context, getState, kind }: Following,
): Promise<void> {
  const { from, agreement, signer } = draft
  const transaction = replacement?.transaction ?? draft.transaction
  const hash = await checkSigned(raw, { transaction, from })
  const result = await kind.calldata(agreement.plan)
  if (!result.good) throw walletError('wallet.not-as-prepared', { short: result.words })
  if (signer === 'keystore' && replacement?.kind !== 'cancellation')
    await requireStillHolds({ context, kind })
  if (draftOf(getState()) !== draft || liveOf(getState())?.replacement !== replacement) return
  const type = replacement === undefined ? 'signed' : 'replaced'
  await context.dispatch({ step: kind.step, type, raw, hash })
}

/**
 * Takes bytes that an external signer made, as hex or as the path of a file. A refusal throws a `wallet.*` error that names
 * the field, or a `file.*` error, and changes nothing.
 */
async function importSigned(text: string, following: Following): Promise<void> {
  const { context, getState } = following
  const live = liveOf(getState())
  if (live === undefined) return
  await take(await readSigned(text, context.effects), live, following)
}

/**
 * Writes what is exported: the command for each kind of wallet, or the batch for a Safe. Never over an older file; throws
 * a `file.*` error where it cannot be written.
 */
async function saveCommand({ context, getState, kind }: Following): Promise<void> {
  const { ordinal } = getState()
  const draft = draftOf(getState())
  const transaction = exportedOf(getState())
  const { identity } = context.facts()
  if (draft === undefined || transaction === undefined || identity === undefined) return
  const { store, clock } = context.effects
  const nowMs = clock.nowMs()
  const name = `${kind.step}-${ordinal}-${identity.pubkey.slice(2, 10)}-${nowMs}`
  const isSafe = draft.signer === 'contract'
  const path = `${context.setup.journalDirectory}/${isSafe ? 'safe' : 'sign'}-${name}.${isSafe ? 'json' : 'txt'}`
  const text = isSafe
    ? safeBatch(transaction, draft.from, { name, createdAtMs: nowMs })
    : mktxCommands(transaction, draft.from)
  await store.writeText(path, text, { replace: false })
  await context.dispatch({ step: kind.step, type: 'saved', path })
}
