import { WalletError } from '../../errors/wallet.ts'
import type { Setup } from '../../facts.ts'
import { checkSigned } from '../../wallet/check-signed.ts'
import { clientsOf } from '../clients-of.ts'
import { known } from '../observation.ts'
import type { World } from '../world.ts'
import { gateIsOpen, gateRows } from './gate.ts'
import { askGate } from './gate-commands.ts'
import { signsElsewhere } from './outside.ts'
import { bring, saveCommand } from './outside-commands.ts'
import { requireFree } from './own-nonces.ts'
import { isWatched } from './phases.ts'
import { price } from './replace-commands.ts'
import type { PaymentRules } from './rules.ts'
import { accountLock, noteWait } from './search-track.ts'
import type { SendCommand, SendEvent, SendState } from './state.ts'
import { takeUp } from './take-up-commands.ts'
import { trackPayment } from './track.ts'

/** Carries out one command of a payment. */
export async function runSending(
  command: SendCommand,
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  await noteWait(world, getState(), rules)
  switch (command.type) {
    case 'check':
      await askGate(world, getState, rules)
      return
    case 'prepare':
      return prepare(world, getState, rules)
    case 'signTransaction':
      return sign(world, getState, rules)
    case 'bring':
      return bring(command.text, world, getState, rules)
    case 'saveCommand':
      return saveCommand(world, getState, rules)
    case 'price':
      return price(command.kind, world, getState, rules)
    case 'track':
      return trackPayment(world, getState, rules)
  }
}

/** Asks the whole gate again and makes the transaction; nothing is made while any answer is missing or bad. */
async function prepare(
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  const { setup } = world
  const made = await askGate(world, getState, rules)
  // What was given up before has been found meanwhile: it is the payment.
  if (isWatched(getState())) return
  const sent = known(getState().seen.key)?.sent
  if (sent !== undefined) return takeUp(sent, world, getState, rules)
  if (made === undefined || !gateIsOpen(made.seen, setup)) {
    throw new WalletError('gate-closed', 'Something is not as it must be, so nothing was made or sent.', {
      details: closedRows(getState(), setup),
      retryable: true,
      nextSteps: ['read the rows above'],
    })
  }
  const { plan, from, contract, fees, gasLimit, nonce, balanceWei, block } = made
  const wanted = getState().plan
  if (wanted === undefined || wanted.data !== plan.data || wanted.valueWei !== plan.valueWei) {
    throw new WalletError(
      'gate-closed',
      'The facts have changed since you agreed, so nothing was made or sent.',
    )
  }
  const heldBy = await world.lock(accountLock(setup, from))
  if (heldBy !== undefined) {
    throw new WalletError('in-use', 'Another window of this program pays from the same account.', {
      details: [heldBy],
      nextSteps: ['finish there first'],
    })
  }
  const { step } = rules
  const transaction = {
    chainId: setup.network.executionChainId,
    nonce,
    to: plan.to,
    valueWei: plan.valueWei,
    data: plan.data,
    gasLimit,
    ...fees,
  }
  const baseline = { blockNumber: block.number, blockHash: block.hash, balanceWei }
  const place = signsElsewhere(getState(), setup) || contract ? ({ elsewhere: true } as const) : {}
  const account = contract === true ? { contract } : {}
  await world.dispatch({
    step,
    type: 'prepared',
    prepared: { transaction, from, baseline, ...place, ...account },
  })
}

/** The rows that keep the gate shut, in words: what refuses, and what could not be found out. */
function closedRows(state: SendState, setup: Setup): string[] {
  return gateRows(state, setup)
    .filter(({ mark, advice }) => advice !== true && (mark === 'refused' || mark === 'unknown'))
    .map(({ label, value }) => `${label}: ${value}`)
}

/**
 * Looks at the validator once more before the first byte of a payment may leave: a password takes minutes to type, and
 * what was agreed to is about the validator as it was shown. Throws a WalletError; the signed bytes are dropped then.
 */
async function requireStillHolds(world: World<SendEvent>, rules: PaymentRules): Promise<void> {
  const { second } = clientsOf(world)
  const judgements = await Promise.all([rules.key(), second === undefined ? undefined : rules.second(second)])
  const bad = judgements.find((judgement) => judgement?.good === false)
  if (bad === undefined) return
  throw new WalletError('gate-closed', 'The validator is not as it was when you agreed. Nothing was sent.', {
    details: [bad.words],
    retryable: true,
    nextSteps: ['look at the amount again, and agree again if it still fits'],
  })
}

/**
 * Has the prepared transaction signed, or the one that replaces it, and believes the bytes only after reading them
 * back.
 */
async function sign(world: World<SendEvent>, getState: () => SendState, rules: PaymentRules): Promise<void> {
  const { setup, effects } = world
  const { prepared, plan, replacement } = getState()
  if (prepared === undefined || plan === undefined || setup.keystore === undefined) return
  const transaction = replacement?.transaction ?? prepared.transaction
  if (replacement === undefined) requireFree({ from: prepared.from, nonce: transaction.nonce }, world.facts())
  const { rawTransaction } = await effects.signer.signTransaction({
    keystore: setup.keystore,
    from: prepared.from,
    transaction,
    prompt: {
      network: setup.network.label,
      token: setup.network.names.token,
      speedsUp: replacement?.kind === 'bump',
    },
    ...(setup.passwordDescriptor === undefined ? {} : { passwordDescriptor: setup.passwordDescriptor }),
  })
  const hash = await checkSigned(rawTransaction, { transaction, from: prepared.from })
  const judgement = await rules.rule(plan)
  if (!judgement.good) throw new WalletError('not-as-prepared', judgement.words)
  if (replacement?.kind !== 'cancel') await requireStillHolds(world, rules)
  if (getState().prepared !== prepared || getState().replacement !== replacement) return
  const type = replacement === undefined ? 'signed' : 'replaced'
  await world.dispatch({ step: rules.step, type, raw: rawTransaction, hash })
}
