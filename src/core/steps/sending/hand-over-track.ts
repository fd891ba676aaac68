import { sendRawTransaction } from '../../clients/execution/send-raw-transaction.ts'
import { WalletError } from '../../errors/wallet.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { hashesOf } from './phases.ts'
import { clockMs, oddReply, type Search, type Source, slotsSince, words } from './search-track.ts'
import type { SendState } from './state.ts'

/** Slots to wait before the same bytes are handed over again. */
const SLOTS_BETWEEN_ATTEMPTS = 3

type Bytes = { raw: Hex; hash: Hex }

/** The signed bytes of a hash; undefined where a wallet elsewhere sent them. */
export function bytesOf({ raw, hash, rivals }: SendState, wanted: Hex): Bytes | undefined {
  if (raw !== undefined && hash === wanted) return { raw, hash }
  return rivals.find((rival) => rival.hash === wanted)
}

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
  const { attempts, raw: firstRaw } = getState()
  if (bytes === undefined) return
  const { raw, hash } = bytes
  const again = since.attempt?.hash === hash ? since.attempt : undefined
  if (again !== undefined && !slotsSince(search, again.atMs, SLOTS_BETWEEN_ATTEMPTS)) return
  const target = targets[attempts % targets.length]
  if (target === undefined) return
  if (attempts === 0 && raw === firstRaw) await lastLook(search)
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

/** The key once more, in the moment before the first byte leaves. */
async function lastLook({ rules, sources, getState }: Search): Promise<void> {
  const looks = [rules.key(), ...sources.slice(1).map(({ client }) => rules.second(client))]
  const bad = (await Promise.all(looks)).find(({ good }) => !good)
  if (bad === undefined) return
  const { words: reason } = bad
  const next =
    getState().prepared?.elsewhere === true
      ? 'g gives the signed transaction up, if your wallet did not send it either'
      : 'o gives the signed transaction up: it never left this computer'
  throw new WalletError('gate-closed', 'The chain has changed since the signature, so nothing was sent.', {
    details: [reason],
    nextSteps: [next],
  })
}
