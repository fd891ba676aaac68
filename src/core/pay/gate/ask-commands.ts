import { type ErrorParts, unawaited } from '../../base/errors/base.ts'
import { walletError } from '../../base/errors/wallet.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { Setup } from '../../chain/facts.ts'
import { isContractCode } from '../../chain/identity/check-address.ts'
import { latestBlock } from '../../clients/execution/blocks.ts'
import { getCode } from '../../clients/execution/call.ts'
import { getBalance } from '../../clients/execution/chain.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { readNonces } from '../../clients/read-uncounted.ts'
import { asker, type CommandContext, clientsOf } from '../../observe/context.ts'
import { known, withObservation } from '../../view/observation.ts'
import { nothingAsked } from '../../view/rows.ts'
import { feeLimitWei } from '../funds.ts'
import { type AbandonedFate, fateOfAbandoned } from '../payment/abandoned.ts'
import type { PaymentEvent, PaymentState } from '../payment/payment.ts'
import { isReply, type ReplyOrError } from '../payment/round.ts'
import { askRound, withPart } from '../payment/round-track.ts'
import { gasLimitFor } from '../wallet/fees.ts'
import { askGateChain, dryRun, offeredFees } from './chain-commands.ts'
import { type CheckResult, GATE_FACTS, type GateAnswers } from './facts.ts'
import { askSecond, type Following, nodeIsWell, type PaymentKind } from './following.ts'
import { nonceFor, requireFree, signsExternally } from './nonce.ts'
import { nonceBesideGuards } from './nonce-commands.ts'
import { GATE_TEXT } from './text.ts'

/**
 * Asks everything that must hold in the moment before money moves; resolves to what a transaction is made of, with
 * the very answers of this asking: those on the screen may also be of another one.
 */
export async function askGate({ context, getState, kind }: Following) {
  const { setup } = context
  const clients = clientsOf(context)
  const { execution, second } = clients
  const { sender: before } = getState().observed
  let observed = { ...nothingAsked(GATE_FACTS), sender: before }
  // Tells each answer, and keeps it for what this asking comes to.
  const ask = asker<GateAnswers>(context, GATE_FACTS, (entry) => {
    observed = withObservation(observed, entry)
    return context.dispatch({ step: kind.step, type: 'observed', ...entry })
  })
  const plan = kind.plan()
  const typed = signsExternally(getState(), setup) || getState().sender !== undefined
  const senderSource = typed ? GATE_TEXT.sources.typed : GATE_TEXT.sources.keystore
  const sender = known(before) ?? (await ask('sender', () => senderOf(context, getState()), senderSource))
  const latest = unawaited(latestBlock(execution))
  if (plan === undefined || sender === undefined) return undefined
  const from = sender.address
  const nonceAsked = ask('nonce', async () => {
    const { latest: now, pending } = await readNonces(execution, { address: from })
    // After the nonce was read: what is sent between the two is found, or has this very nonce.
    await requireUnusedAbandoned({ context, getState, kind })
    if (sender.contract !== true) {
      const nonce = await nonceBesideGuards(context, nonceFor(getState(), { from, nonce: now }), from)
      requireFree({ from, nonce }, context.facts())
    }
    return { latest: now, pending }
  })
  const chainAsked = ask('chain', () => askGateChain(context, { clients, latest }))
  const isFresh = unawaited(chainAsked.then((chain) => chain?.fresh))
  // Why there is none is told by the balance, which must pay them.
  const feesAsked = unawaited(offeredFees({ execution, second, latest }))
  const keyAsked = ask('key', () => kind.key())
  const [, , nonce, , , , dry] = await Promise.all([
    chainAsked,
    ask('node', () => nodeIsWell(context, clients, isFresh)),
    nonceAsked,
    keyAsked,
    ask('calldata', () => kind.calldata(plan)),
    second && ask('second', () => secondAgrees({ second, from, kind, setup, nonceAsked, keyAsked })),
    ask('dryRun', () => dryRun(execution, from, plan)),
    kind.way === undefined || getState().payment.phase !== 'open' ? undefined : ask('way', kind.way),
  ])
  const gasLimit = gasLimitFor(dry?.gas ?? 0n)
  const balance = await ask('balance', async () => {
    const balanceWei = await getBalance(execution, { address: from, block: 'latest' })
    const fees = await feesAsked
    const feeWei = sender.contract === true ? 0n : feeLimitWei({ gasLimit, ...fees })
    return { balanceWei, neededWei: plan.valueWei + feeWei, price: { gasLimit, ...fees } }
  })
  if (nonce === undefined || balance === undefined) return undefined
  const { contract } = sender
  return {
    plan,
    from,
    contract,
    fees: await feesAsked,
    gasLimit,
    nonce: nonceFor(getState(), { from, nonce: nonce.latest }),
    balanceWei: balance.balanceWei,
    block: await latest,
    observed,
  }
}

/**
 * The second endpoint must agree on the step's own facts and on the nonce of the next transaction: the
 * one that the transaction gets, not what the first endpoint says when it is asked again.
 */
async function secondAgrees(input: {
  second: ExecutionClient
  from: Hex
  kind: PaymentKind
  setup: Setup
  nonceAsked: Promise<GateAnswers['nonce'] | undefined>
  keyAsked: Promise<CheckResult | undefined>
}): Promise<CheckResult> {
  const { second, from, kind, setup, nonceAsked, keyAsked } = input
  const result = await askSecond(second, { kind, setup, key: keyAsked })
  if (!result.good) return result
  const { latest: there, pending: waiting } = await readNonces(second, { address: from })
  const here = (await nonceAsked)?.latest
  if (here !== there) return { good: false, words: GATE_TEXT.second.otherNonce(there, here) }
  return waiting === there ? result : { good: false, words: GATE_TEXT.second.othersWait(waiting - there) }
}

/**
 * The account that pays: the one that was typed, the one that paid before, or the one that the keystore names. No
 * password is asked for here: whoever signs checks the account.
 */
async function senderOf(
  context: CommandContext<PaymentEvent>,
  state: PaymentState,
): Promise<GateAnswers['sender']> {
  const { setup, effects } = context
  const { deposit } = context.facts()
  const outside = signsExternally(state, setup)
  const before = deposit?.external === true && !outside ? undefined : deposit?.from
  const account = state.sender ?? before
  const { keystore, passwordDescriptor } = setup
  if (keystore === undefined || outside) {
    if (account === undefined) throw walletError('wallet.no-account', GATE_TEXT.noAccount.unknown)
    return accountAt(context, account)
  }
  if (passwordDescriptor !== undefined && account === undefined) {
    const { address } = await effects.signer.keystoreAddress({ keystore, passwordDescriptor })
    if (address !== undefined) return { address }
  }
  const address = account ?? (await effects.signer.keystoreAddress({ keystore })).address
  if (address === undefined) throw walletError('wallet.no-account', GATE_TEXT.noAccount.unnamed)
  const found = await accountAt(context, address)
  if (found.contract !== true) return passwordDescriptor === undefined ? { ...found, claimed: true } : found
  throw walletError('wallet.no-account', GATE_TEXT.noAccount.contract)
}

/** An account with code cannot sign; one that only delegates (EIP-7702) still has its key. */
async function accountAt(
  context: CommandContext<PaymentEvent>,
  address: Hex,
): Promise<GateAnswers['sender']> {
  const code = await getCode(clientsOf(context).execution, { address })
  return isContractCode(code) ? { address, contract: true } : { address }
}

/**
 * Looks whether an abandoned draft was sent after all. Then it is the payment, and is told as found. Throws a `wallet.*` error
 * in that case, while it may be on its way, and while an endpoint does not tell: no other nonce may be taken then.
 */
async function requireUnusedAbandoned(following: Following): Promise<void> {
  const { context, getState, kind } = following
  if (getState().abandoned.length === 0) return
  const { byEndpoint } = await withPart(await askRound(following), 'deposits', following)
  const replies = byEndpoint.filter(isReply)
  const fate = fateOfAbandoned(getState(), replies)
  if (fate.is === 'sent' && replies.length === byEndpoint.length) {
    const { draft, hash, valueWei } = fate
    const { nonce, data } = draft.transaction
    await context.dispatch({ step: kind.step, type: 'found', from: draft.from, nonce, hash, valueWei, data })
    throw walletError('wallet.in-use', { ...GATE_TEXT.abandoned.sent, money: 'moved' })
  }
  if (fate.is === 'unused' && replies.length === byEndpoint.length) return
  throw walletError('wallet.in-use', { ...abandonedDoubt(fate, byEndpoint), retryable: true })
}

/** Why it is not settled what became of an abandoned draft: an endpoint is silent or does not tell, or it may be on its way. */
export function abandonedDoubt({ is }: AbandonedFate, byEndpoint: readonly ReplyOrError[]): ErrorParts {
  const silent = byEndpoint.filter((one) => !isReply(one)).map(({ endpoint }) => endpoint)
  if (silent.length > 0) return GATE_TEXT.abandoned.silent(silent.join(' and '))
  return is === 'unknown' ? GATE_TEXT.abandoned.untold : GATE_TEXT.abandoned.maybe
}
