import { BaseError, isError, onceSettled } from '../../base/errors/base.ts'
import { ClientError, isSilence } from '../../base/errors/client.ts'
import { HttpError } from '../../base/errors/http.ts'
import { sameHex } from '../../base/format/hex.ts'
import { sendRawTransaction } from '../../clients/execution/transactions.ts'
import { errorFacts } from '../../view/observation.ts'
import { type Following, holdAccount, oddReply, sourcesOf } from '../gate/following.ts'
import { broadcastTo, bytesToBroadcast, draftOf, liveOf } from './candidates.ts'
import { decide } from './decide.ts'
import type { BroadcastResult } from './payment.ts'
import { type Limits, THRESHOLDS } from './payment-picture.ts'
import type { Broadcast } from './round.ts'
import { askRound, withPart } from './round-track.ts'
import { isAsked, waitOf } from './sign-again.ts'

/**
 * Follows a payment until its fate is settled: once a slot it looks, has the round decided, tells what was decided and
 * hands over what may leave. No time-out and no error text settles anything.
 */
export async function followPayment(following: Following): Promise<void> {
  const { context, getState } = following
  const draft = draftOf(getState())
  if (draft !== undefined) await holdAccount(context, draft)
  while (isAsked(getState())) {
    try {
      await noteWait(following)
      await goRound(following)
    } catch (thrown) {
      context.signal.throwIfAborted()
      if (!(thrown instanceof BaseError) || isError(thrown, 'wallet')) throw thrown
      await tellFailure(following, thrown)
    }
    if (isAsked(getState())) await context.effects.clock.sleep(context.setup.network.slotMs)
  }
}

/** Looks once, has the round decided, tells what was decided and hands over what may leave. Throws as the last endpoint that took nothing. */
export async function goRound(following: Following, limits: Limits = THRESHOLDS): Promise<void> {
  const { context, getState, kind } = following
  const draft = draftOf(getState())
  let round = await askRound(following)
  // A round is about the payment that it was asked for.
  while (draftOf(getState()) === draft) {
    const decision = decide(getState(), round, { limits })
    if ('wants' in decision) {
      round = await withPart(round, decision.wants, following)
      continue
    }
    for (const event of decision.events) await context.dispatch({ step: kind.step, ...event })
    const ends = await Promise.all(decision.broadcasts.map((each) => broadcast(each, following)))
    const [failed] = ends
    if (failed !== undefined && ends.every((end) => end !== undefined)) throw failed.thrown
    return
  }
}

/** Gives the bytes to one endpoint and tells how that ended; undefined where it took them. */
async function broadcast(
  { endpoint, bytes }: Broadcast,
  following: Following,
): Promise<{ thrown: unknown } | undefined> {
  const { context, getState, kind } = following
  const { raw, hash } = bytes
  const source = sourcesOf(following).find(({ label }) => label === endpoint)
  const state = getState()
  const isNoted = broadcastTo(state, endpoint, hash)?.result === 'waits'
  // What was decided while the lines were written comes first.
  if (source === undefined || liveOf(state) === undefined || !isNoted) return undefined
  const tell = (result: BroadcastResult, said?: string) =>
    context.dispatch({ step: kind.step, type: 'handed', endpoint, hash, result, said })
  if (bytesToBroadcast(state)?.hash !== hash) {
    await tell('withheld')
    return undefined
  }
  try {
    const answered = await sendRawTransaction(source.client, { rawTransaction: raw })
    if (!sameHex(answered, hash)) throw oddReply(source.client, 'eth_sendRawTransaction')
    await tell('taken')
    return undefined
  } catch (thrown) {
    const result = resultOf(thrown)
    const said = result === 'refused' && thrown instanceof ClientError ? thrown.said : undefined
    await onceSettled(tell(result, said))
    return { thrown }
  }
}

/** What an endpoint writes decides nothing: it may have taken what it refuses. Only a connection that never was tells. */
function resultOf(thrown: unknown): BroadcastResult {
  if (!(thrown instanceof ClientError)) return 'no-reply'
  if (thrown.cause instanceof HttpError && thrown.cause.nothingSent) return 'unreachable'
  const byEndpoint = thrown.details.join(' ')
  if (isSilence(thrown)) return 'no-reply'
  return ALREADY_KNOWN.test(byEndpoint) ? 'has-it' : 'refused'
}

/** What clients write of bytes that they hold; for the words of a row alone. */
const ALREADY_KNOWN = /already (known|imported|in (the )?(mem)?pool)|known transaction|already_exists/i

async function tellFailure({ context, getState, kind }: Following, thrown: BaseError): Promise<void> {
  const state = getState()
  const draft = draftOf(state)
  const [first] = sourcesOf({ context })
  if (draft === undefined) return
  const atMs = context.effects.clock.monotonicMs()
  const tracking = { status: 'failed', error: errorFacts(thrown), source: first?.label ?? '', atMs } as const
  await context.dispatch({ step: kind.step, type: 'watched', draft, memory: state.memory, tracking })
}

/** Records since when the payment waits for its present condition, unless that is recorded already. */
export async function noteWait({ context, getState, kind }: Following): Promise<void> {
  const state = getState()
  const what = waitOf(state)
  if (what === undefined || state.wait?.what === what) return
  const sinceMs = context.effects.clock.monotonicMs()
  await context.dispatch({ step: kind.step, type: 'waiting', what, sinceMs })
}
