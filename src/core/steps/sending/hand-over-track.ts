import { sendRawTransaction } from '../../clients/execution/send-raw-transaction.ts'
import { WalletError } from '../../errors/wallet.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { hashesOf, isWatched } from './phases.ts'
import { fateOfReleased } from './released-commands.ts'
import type { Judgement } from './rules.ts'
import { clockMs, oddReply, type Search, type Source, slotsSince, words } from './search-track.ts'
import type { SendState } from './state.ts'

/** Slots to wait before the same bytes are handed over again. */
const SLOTS_BETWEEN_ATTEMPTS = 3
/** Slots after which an endpoint that lacks what another one has does not just lag behind. */
const SLOTS_OF_LAG = 2

type Bytes = { raw: Hex; hash: Hex }

/** The bytes that are handed over: the dearest, which take the place of all before them. */
export function newestBytes(state: SendState): Bytes | undefined {
  const { raw, hash, rivals } = state
  const first = raw === undefined || hash === undefined ? undefined : { raw, hash }
  return rivals.at(-1) ?? first
}

/**
 * The same bytes to one of `targets`, in turn. The first time of any bytes is written down, then the second, fourth,
 * eighth … time: an endpoint that never takes them must not fill the journal.
 */
export async function handOver(
  search: Search,
  targets: readonly Source[],
  bytes: Bytes | undefined,
): Promise<void> {
  const { world, getState, rules, since } = search
  const { attempts } = getState()
  if (bytes === undefined) return
  const { raw, hash } = bytes
  const again = since.attempt?.hash === hash ? since.attempt : undefined
  if (again !== undefined && !slotsSince(search, again.atMs, SLOTS_BETWEEN_ATTEMPTS)) return
  const target = targets[attempts % targets.length]
  if (target === undefined) return
  if (attempts === 0 && !isCancellation(getState(), hash) && !(await lastLook(search, target))) return
  since.attempt = { hash, atMs: clockMs(search) }
  const attempt = attempts + 1
  const { step } = rules
  const durable = again === undefined || Number.isInteger(Math.log2(attempt))
  if (durable) await world.dispatch({ step, type: 'sending', attempt, endpoint: target.label })
  else await world.dispatch({ step, type: 'resent', attempt })
  const now = getState()
  if (!hashesOf(now).includes(hash) || now.attempts !== attempt) return
  await words(search, target, 'handed over, waits to be seen')
  const answered = await sendRawTransaction(target.client, { rawTransaction: raw })
  if (!sameHex(answered, hash)) throw oddReply(target, 'eth_sendRawTransaction')
}

/**
 * The newest bytes to endpoints that lack what another one says is in a block: it may lie. The same bytes do no harm
 * where it does not; a last look that is bad then stops nothing.
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

/**
 * The key and what was given up once more, in the moment before the first byte leaves. While something cannot be judged
 * the bytes stay, and it is asked again; throws a `WalletError` where it is judged and bad.
 */
async function lastLook(search: Search, target: Source): Promise<boolean> {
  const { rules, sources } = search
  const looks = [givenUp(search), rules.key(), ...sources.slice(1).map(({ client }) => rules.second(client))]
  const wrong = (await Promise.all(looks)).filter(({ good }) => !good)
  const bad = wrong.find(({ unknown }) => unknown !== true)
  if (bad !== undefined) throw changed(search, bad)
  const [open] = wrong
  if (open !== undefined) await words(search, target, `before it is sent: ${open.words}`)
  return open === undefined
}

function changed({ getState }: Search, { words: reason }: Judgement): WalletError {
  const next =
    getState().prepared?.elsewhere === true
      ? 'g gives the signed transaction up, if your wallet did not send it either'
      : 'o gives the signed transaction up: it never left this computer'
  return new WalletError('gate-closed', 'The chain has changed since the signature, so nothing was sent.', {
    details: [reason],
    nextSteps: [next],
  })
}

/** Whether nothing that was given up has been sent, or may be on its way. */
async function givenUp({ world, getState }: Search): Promise<Judgement> {
  const fate = await fateOfReleased(world, getState())
  switch (fate.use) {
    case 'none':
      return { good: true, words: 'nothing given up was sent' }
    case 'waiting':
      return { good: false, unknown: true, words: 'the number of what you gave up waits in a pool' }
    case 'sent':
      return { good: false, words: `what you gave up before was sent after all: ${fate.hash}` }
  }
}
