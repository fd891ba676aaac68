import { getBalance } from '../../clients/execution/get-balance.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { WalletError } from '../../errors/wallet.ts'
import type { Hex } from '../../format/hex.ts'
import { checkSigned } from '../../wallet/check-signed.ts'
import { readSigned } from '../../wallet/read-signed.ts'
import { safeBatch } from '../../wallet/safe-batch.ts'
import { clientsOf } from '../clients-of.ts'
import { mktxCommands } from '../external-signer.ts'
import type { SentDeposit } from '../gate/answers.ts'
import { requireStillHolds } from '../gate/ask-again-commands.ts'
import { askGate } from '../gate/ask-commands.ts'
import { requireFree } from '../gate/nonce.ts'
import { price } from '../gate/price-commands.ts'
import { closedRows, gateIsOpen } from '../gate/rows.ts'
import { type Following, gateClosed, requireAccount } from '../gate/rules.ts'
import { signsExternally } from '../gate/signer.ts'
import { known } from '../observation.ts'
import { draftOf, liveOf, planOf } from './candidates.ts'
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
    case 'price':
      return price(command.kind, following)
    case 'follow':
      return followPayment(following)
  }
}

/** Asks the whole gate again and makes the draft; nothing is made while any answer is missing or bad. */
async function prepare(following: Following): Promise<void> {
  const { world, getState } = following
  const { setup } = world
  const made = await askGate(following)
  // What was abandoned before has been found meanwhile: it is the payment.
  if (liveOf(getState()) !== undefined) return
  const sent = known(getState().seen.key)?.sent
  if (sent !== undefined) return adoptSent(sent, following)
  if (made === undefined || !gateIsOpen(made.seen, setup)) {
    throw gateClosed('Something is not as it must be, so nothing was made or sent.', {
      details: closedRows(getState(), setup),
      nextSteps: ['read the rows above'],
    })
  }
  const { plan, from, contract, fees, gasLimit, nonce, balanceWei, block } = made
  const wanted = planOf(getState())
  if (wanted === undefined || wanted.data !== plan.data || wanted.valueWei !== plan.valueWei)
    throw gateClosed('The facts have changed since you agreed, so nothing was made or sent.')
  await requireAccount(world, from)
  const transaction = { ...plan, ...fees, chainId: setup.network.executionChainId, nonce, gasLimit }
  const baseline = { blockNumber: block.number, blockHash: block.hash, balanceWei }
  const own = signsExternally(getState(), setup) ? 'external' : 'keystore'
  const signer = contract === true ? 'contract' : own
  await tellPrepared(following, { signer, from, transaction, baseline })
}

const tellPrepared = ({ world, rules }: Following, draft: Omit<Draft, 'agreement'>): Promise<void> =>
  world.dispatch({ step: rules.step, type: 'prepared', draft })

/**
 * Makes a deposit that is on the chain already the payment that was agreed to: as if it had been exported to the wallet that
 * sent it. It is looked for, and final, like any other; nothing is sent.
 */
async function adoptSent(sent: SentDeposit, following: Following): Promise<void> {
  const { world, getState, rules } = following
  const { execution } = clientsOf(world)
  const plan = planOf(getState())
  const price = known(getState().seen.balance)?.price
  const { nonce, from, contract, blockNumber: at } = sent
  const blockNumber = at - 1n
  const [block, balanceWei] = await Promise.all([
    getBlock(execution, { block: blockNumber }),
    getBalance(execution, { address: from, block: 'latest' }),
  ])
  if (plan === undefined || plan.data !== rules.plan()?.data || price === undefined || block === undefined)
    throw gateClosed('What was sent in another way could not be looked at whole.', {
      nextSteps: ['ask again'],
    })
  const transaction = { ...plan, ...price, chainId: world.setup.network.executionChainId, nonce }
  const baseline = { blockNumber, blockHash: block.hash, balanceWei }
  const signer = contract === true ? 'contract' : 'external'
  await tellPrepared(following, { signer, from, transaction, baseline })
}

/** Has the draft signed, or what replaces it, and believes the bytes only after reading them back. */
async function sign(following: Following): Promise<void> {
  const { world, getState } = following
  const { setup, effects } = world
  const { keystore, passwordDescriptor } = setup
  const draft = draftOf(getState())
  const replacement = liveOf(getState())?.replacement
  if (draft === undefined || keystore === undefined) return
  const { from } = draft
  const transaction = replacement?.transaction ?? draft.transaction
  if (replacement === undefined) requireFree({ from, nonce: transaction.nonce }, world.facts())
  const { label: network, names } = setup.network
  const { rawTransaction } = await effects.signer.signTransaction({
    keystore,
    from,
    transaction,
    prompt: { network, token: names.token, speedsUp: replacement?.kind === 'speed-up' },
    ...(passwordDescriptor === undefined ? {} : { passwordDescriptor }),
  })
  await take(rawTransaction, { draft, replacement }, following)
}

/** Signed bytes count when every field is as it was made, and what was agreed to still holds. A password takes minutes to type. */
async function take(
  raw: Hex,
  { draft, replacement }: { draft: Draft; replacement: Replacement | undefined },
  { world, getState, rules }: Following,
): Promise<void> {
  const { from, agreement, signer } = draft
  const transaction = replacement?.transaction ?? draft.transaction
  const hash = await checkSigned(raw, { transaction, from })
  const judgement = await rules.rule(agreement.plan)
  if (!judgement.good) throw new WalletError('not-as-prepared', judgement.words)
  if (signer === 'keystore' && replacement?.kind !== 'cancellation') await requireStillHolds({ world, rules })
  if (draftOf(getState()) !== draft || liveOf(getState())?.replacement !== replacement) return
  const type = replacement === undefined ? 'signed' : 'replaced'
  await world.dispatch({ step: rules.step, type, raw, hash })
}

/**
 * Takes bytes that an external signer made, as hex or as the path of a file. A refusal throws a `WalletError` that names
 * the field, or a `FileError`, and changes nothing.
 */
async function importSigned(text: string, following: Following): Promise<void> {
  const { world, getState } = following
  const live = liveOf(getState())
  if (live === undefined) return
  await take(await readSigned(text, world.effects), live, following)
}

/**
 * Writes what is exported: the command for each kind of wallet, or the batch for a Safe. Never over an older file; throws
 * a `FileError` where it cannot be written.
 */
async function saveCommand({ world, getState, rules }: Following): Promise<void> {
  const { ordinal } = getState()
  const draft = draftOf(getState())
  const transaction = exportedOf(getState())
  const { identity } = world.facts()
  if (draft === undefined || transaction === undefined || identity === undefined) return
  const { store, clock } = world.effects
  const nowMs = clock.nowMs()
  const name = `${rules.step}-${ordinal}-${identity.pubkey.slice(2, 10)}-${nowMs}`
  const isSafe = draft.signer === 'contract'
  const path = `${world.setup.journalDirectory}/${isSafe ? 'safe' : 'sign'}-${name}.${isSafe ? 'json' : 'txt'}`
  const text = isSafe
    ? safeBatch(transaction, draft.from, { name, createdAtMs: nowMs })
    : mktxCommands(transaction, draft.from)
  await store.writeText(path, text, { replace: false })
  await world.dispatch({ step: rules.step, type: 'saved', path })
}
