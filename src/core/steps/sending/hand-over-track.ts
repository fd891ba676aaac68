import { sendRawTransaction } from '../../clients/execution/send-raw-transaction.ts'
import { ClientError } from '../../errors/client.ts'
import { HttpError } from '../../errors/http.ts'
import { WalletError } from '../../errors/wallet.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { newestBytes, timesSent } from './handed.ts'
import { holdsStill } from './last-look-track.ts'
import { hashesOf, isWatched } from './phases.ts'
import { clockMs, oddReply, type Search, type Source, slotsSince, words } from './search-track.ts'
import type { HandedResult, SendState } from './state.ts'

/** Slots to wait before the same bytes are given to the same endpoint again. */
const SLOTS_BETWEEN_ATTEMPTS = 3
/** Slots after which an endpoint that lacks what another one has does not just lag behind. */
const SLOTS_OF_LAG = 2

type Bytes = { raw: Hex; hash: Hex }
type Outcome = { target: Source; thrown?: unknown }

/**
 * The same bytes to each of `targets` that was not given them a moment ago: one that does not answer keeps no other
 * one waiting. A line is in the journal before the first time that an endpoint gets any bytes, then before the second,
 * fourth, eighth … attempt: an endpoint that never takes them must not fill the journal.
 */
export async function handOver(
  search: Search,
  targets: readonly Source[],
  bytes: Bytes | undefined,
): Promise<void> {
  const { getState } = search
  const due = bytes === undefined ? [] : targets.filter((target) => isDue(search, target, bytes.hash))
  const [first] = due
  if (bytes === undefined || first === undefined) return
  if (!isCancellation(getState(), bytes.hash)) {
    if (getState().withheld !== undefined) return
    const isFirst = !getState().handed.some(({ hash, times }) => hash === bytes.hash && times > 0)
    if (!(await holdsStill(search, first, { isFirst }))) return
  }
  const under: Promise<Outcome>[] = []
  for (const target of due) {
    if (!(await noteAttempt(search, target, bytes.hash))) break
    under.push(give(search, target, bytes))
  }
  const outcomes = await Promise.all(under)
  const taken = outcomes.find(({ thrown }) => thrown === undefined)
  if (taken !== undefined) return words(search, taken.target, 'handed over, waits to be seen')
  const [failed] = outcomes
  if (failed !== undefined) throw failed.thrown
}

function isDue(search: Search, { label }: Source, hash: Hex): boolean {
  const atMs = search.attempts.get(`${label} ${hash}`)
  return atMs === undefined || slotsSince(search, atMs, SLOTS_BETWEEN_ATTEMPTS)
}

/** Writes down that the bytes may leave now; false where they are not to be handed over any more. */
async function noteAttempt(search: Search, { label }: Source, hash: Hex): Promise<boolean> {
  const { world, getState, rules, since, attempts } = search
  const { step } = rules
  const place = `${label} ${hash}`
  const attempt = getState().attempts + 1
  const durable = !attempts.has(place) || Number.isInteger(Math.log2(attempt))
  attempts.set(place, clockMs(search))
  if (timesSent(getState()) === 0) delete since.waiting
  await world.dispatch({ step, type: durable ? 'sending' : 'resent', attempt, endpoint: label })
  const now = getState()
  return hashesOf(now).includes(hash) && now.attempts === attempt
}

/** Gives the bytes to one endpoint and tells how that ended. Never rejects: what went wrong is in the outcome. */
async function give(search: Search, target: Source, { raw, hash }: Bytes): Promise<Outcome> {
  const { world, rules } = search
  const tell = (result: HandedResult) =>
    world.dispatch({ step: rules.step, type: 'handed', endpoint: target.label, hash, result })
  try {
    const answered = await sendRawTransaction(target.client, { rawTransaction: raw })
    if (!sameHex(answered, hash)) throw oddReply(target, 'eth_sendRawTransaction')
    await tell('taken')
    return { target }
  } catch (thrown) {
    await tell(resultOf(thrown)).catch(() => undefined)
    return { target, thrown }
  }
}

const SILENT: ReadonlySet<ClientError['fault']> = new Set(['unreachable', 'timeout', 'says-nothing'])

/** What an endpoint writes decides nothing: it may have taken what it refuses. Only a connection that never was tells. */
function resultOf(thrown: unknown): HandedResult {
  if (!(thrown instanceof ClientError)) return 'no-reply'
  if (thrown.cause instanceof HttpError && thrown.cause.nothingSent) return 'unreachable'
  return SILENT.has(thrown.fault) ? 'no-reply' : 'refused'
}

/**
 * The newest bytes to endpoints that lack what another one says is in a block: it may lie. The same bytes do no harm
 * where it does not; a last look that is bad then holds nothing back for good.
 */
export async function handToLagging(search: Search, targets: readonly Source[]): Promise<void> {
  const { getState, since } = search
  if (targets.length === 0 || !isWatched(getState())) {
    delete since.lagging
    return
  }
  since.lagging ??= clockMs(search)
  if (!slotsSince(search, since.lagging, SLOTS_OF_LAG)) return
  try {
    await handOver(search, targets, newestBytes(getState()))
  } catch (thrown) {
    if (!(thrown instanceof WalletError)) throw thrown
  }
}

const isCancellation = ({ rivals }: SendState, hash: Hex): boolean =>
  rivals.some((rival) => rival.kind === 'cancel' && rival.hash === hash)
