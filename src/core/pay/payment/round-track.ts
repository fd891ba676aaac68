import { BaseError } from '../../base/errors/base.ts'
import { ClientError } from '../../base/errors/client.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { getBlock, getBlockNumber, holdsTransaction } from '../../clients/execution/blocks.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import {
  getTransactionByHash,
  getTransactionCount,
  getTransactionReceipt,
  revertReason,
} from '../../clients/execution/transactions.ts'
import { madeDepositsAfter } from '../../clients/key-deposits.ts'
import { readNonces } from '../../clients/read-uncounted.ts'
import { latestIsRecent } from '../../observe/context.ts'
import { errorFacts } from '../../view/observation.ts'
import { gateOpenAtMs } from '../gate/facts.ts'
import { askAgain, type Following, holdAccount, oddReply, type Source, sourcesOf } from '../gate/following.ts'
import { GATE_TEXT } from '../gate/text.ts'
import { signingDigest } from '../wallet/check-signed.ts'
import {
  draftOf,
  draftsOf,
  endedOf,
  finalBlockOf,
  hashesOf,
  includedOf,
  liveOf,
  newestBytes,
} from './candidates.ts'
import type { Draft, PaymentState } from './payment.ts'
import {
  isReply,
  type PaymentReply,
  type ReceiptFacts,
  type ReplyOrError,
  type Round,
  type RoundPart,
} from './round.ts'

/** Asks every endpoint about a payment once; an endpoint that fails one question counts as silent. */
export async function askRound(following: Following): Promise<Round> {
  const { context, getState } = following
  const { observed } = getState()
  const byEndpoint = await Promise.all(sourcesOf(following).map((source) => sayOf(source, following)))
  return {
    atMs: context.effects.clock.monotonicMs(),
    slotMs: context.setup.network.slotMs,
    byEndpoint,
    gateOpenAtMs: gateOpenAtMs(observed, context.setup),
    keyChecks: undefined,
    toExport: undefined,
    reason: undefined,
  }
}

async function sayOf({ client, label: endpoint }: Source, following: Following): Promise<ReplyOrError> {
  try {
    return await answerOf(client, endpoint, following)
  } catch (thrown) {
    following.context.signal.throwIfAborted()
    if (!(thrown instanceof BaseError)) throw thrown
    return { endpoint, error: errorFacts(thrown) }
  }
}

async function answerOf(
  client: ExecutionClient,
  endpoint: string,
  { context, getState }: Following,
): Promise<PaymentReply> {
  const state = getState()
  const draft = draftOf(state)
  const given = draft === undefined ? undefined : await receiptOf(client, hashesOf(state), draft)
  const bytes = liveOf(state) === undefined ? undefined : newestBytes(state)
  const ended = endedOf(state)
  const noted = finalBlockOf(state) ?? includedOf(state)
  const isHeld =
    given === undefined && noted !== undefined ? await holdsTransaction(client, noted) : undefined
  const receipt = given ?? (isHeld === true ? finalReceipt(state) : undefined)
  const [known, nonces, headIsRecent, head, finalized] = await Promise.all([
    receipt !== undefined || bytes === undefined
      ? undefined
      : getTransactionByHash(client, { hash: bytes.hash }),
    noncesOf(client, state),
    ended === undefined || latestIsRecent(context, client),
    liveOf(state) === undefined ? undefined : getBlockNumber(client),
    receipt === undefined ? undefined : getBlock(client, { block: 'finalized' }),
  ])
  return {
    endpoint,
    receipt,
    knows: known !== undefined,
    nonces,
    headIsRecent,
    head,
    finalizedNumber: finalized?.number ?? -1n,
    deposits: undefined,
    notedIsGone: isHeld === false,
  }
}

/** What is remembered of the block that held the payment, where every endpoint had called it final. */
function finalReceipt(state: PaymentState): ReceiptFacts | undefined {
  const included = finalBlockOf(state)
  return included && { ...included, status: 'success' }
}

/** The receipt of whichever of the hashes has one; of transactions with one nonce only one can. */
async function receiptOf(
  client: ExecutionClient,
  hashes: readonly Hex[],
  { signer, from, transaction }: Draft,
): Promise<ReceiptFacts | undefined> {
  for (const hash of hashes.toReversed()) {
    const receipt = await getTransactionReceipt(client, { hash })
    if (receipt === undefined) continue
    const { status, blockNumber, blockHash, gasUsed } = receipt
    const paidWei = gasUsed * (receipt.effectiveGasPrice ?? transaction.maxFeePerGasWei)
    if (signer !== 'contract' && !sameHex(receipt.from, from))
      throw oddReply(client, 'eth_getTransactionReceipt')
    const feeWei = signer === 'contract' ? 0n : paidWei
    return { status, blockNumber, blockHash, feeWei, hash: receipt.transactionHash }
  }
  return undefined
}

function noncesOf(client: ExecutionClient, state: PaymentState) {
  const addresses = draftsOf(state)
    .filter(({ signer }) => signer !== 'contract')
    .map(({ from }) => from)
  return Promise.all(
    [...new Set(addresses)].map(async (address) => {
      const isAside = state.abandoned.some(({ from }) => from === address)
      const [nonces, final] = await Promise.all([
        readNonces(client, { address }),
        isAside ? getTransactionCount(client, { address, block: 'finalized' }) : undefined,
      ])
      return { address, ...nonces, ...(final === undefined ? {} : { final }) }
    }),
  )
}

/** Asks for one missing part of a round and returns the round with it. */
export async function withPart(round: Round, part: RoundPart, following: Following): Promise<Round> {
  switch (part) {
    case 'deposits':
      return withDeposits(round, following)
    case 'keyChecks': {
      const isSilent = round.byEndpoint.map((one) => !isReply(one))
      return { ...round, keyChecks: await askAgain(following, isSilent) }
    }
    case 'toExport':
      return { ...round, toExport: await toExportOf(following) }
    case 'reason':
      return { ...round, reason: await reasonOf(round, following) }
  }
}

async function withDeposits(round: Round, following: Following): Promise<Round> {
  const sources = sourcesOf(following)
  const byEndpoint = round.byEndpoint.map(async (one, at): Promise<ReplyOrError> => {
    const source = sources[at]
    if ('error' in one || source === undefined) return one
    try {
      return { ...one, deposits: (await depositsAt(source.client, following)) ?? 'unknown' }
    } catch (thrown) {
      if (!(thrown instanceof ClientError)) throw thrown
      const why = [thrown.shortMessage, ...thrown.details].join(' ')
      return { ...one, deposits: 'unknown', unread: GATE_TEXT.held.unread(why) }
    }
  })
  return { ...round, byEndpoint: await Promise.all(byEndpoint) }
}

/** The deposits for the key since the oldest draft, by one endpoint. Throws a `ClientError`. */
async function depositsAt(client: ExecutionClient, { context, getState }: Following) {
  const drafts = draftsOf(getState())
  const pubkey = context.facts().identity?.pubkey
  const [oldest] = drafts.toSorted((a, b) => Number(a.baseline.blockNumber - b.baseline.blockNumber))
  if (pubkey === undefined || oldest === undefined) return undefined
  const { blockNumber: block, taken } = oldest.baseline
  return madeDepositsAfter(client, { address: oldest.transaction.to, pubkey, block, taken })
}

async function toExportOf({ context, getState }: Following): Promise<Round['toExport']> {
  const live = liveOf(getState())
  if (live === undefined) return undefined
  const { transaction } = live.replacement ?? live.draft
  return { accountHeld: await holdAccount(context, live.draft), digest: signingDigest(transaction) }
}

async function reasonOf({ byEndpoint }: Round, following: Following): Promise<string> {
  const draft = draftOf(following.getState())
  const at = byEndpoint.findIndex((one) => 'receipt' in one && one.receipt !== undefined)
  const one = byEndpoint[at]
  const source = sourcesOf(following)[at]
  const block = one !== undefined && 'receipt' in one ? one.receipt?.blockNumber : undefined
  if (draft === undefined || source === undefined || block === undefined) return GATE_TEXT.noRevertReason
  return revertReason(source.client, draft, block)
}
