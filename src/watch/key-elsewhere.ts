import { sameHex } from '../core/base/format/hex.ts'
import { MOST_SLOTS_APART } from '../core/chain/network/limits.ts'
import { patienceOf } from '../core/chain/network/standstill.ts'
import type { Finding } from '../core/observe/memory.ts'
import { headOf, type ValidatorPicture } from '../core/observe/picture.ts'
import { type About, ownHead } from './endpoint-findings.ts'
import { type NotSigning, signsElsewhere, signsHere } from './key-elsewhere-words.ts'

/** After so many slots with another key no block that is looked at is one of before. */
const SLOTS_TO_BE_ANOTHER = 20

/**
 * Finds whether the key with which the own node was seen to sign votes for blocks that this node cannot have signed: a second
 * node has it. Over once the own node runs with it and keeps up, by its own word alone.
 */
export function keyElsewhere(watched: ValidatorPicture, about: About): Finding[] {
  const { memory, picture, context } = about
  const { pubkey, signed = [] } = watched
  const shape = { alarm: 'key-elsewhere', subject: pubkey } as const
  if (memory.nodeKey === undefined || !sameHex(memory.nodeKey, pubkey)) return []
  const own = ownSigning(pubkey, about)
  if (own === undefined) return []
  if (own.is === 'signs') return [{ ...shape, is: 'off', words: () => signsHere(watched) }]
  const vote = signed.findLast((block) => block.signed)
  if (vote === undefined || vote.height <= own.canSignTo) return []
  const behind = (headOf(picture) ?? vote.height) - vote.height
  const agoMs = Number(behind > 0n ? behind : 0n) * context.network.slotMs
  const severity = own.is === 'silent' ? 'warning' : 'critical'
  const text = signsElsewhere(watched, { height: vote.height, agoMs, own })
  return [{ ...shape, is: 'on', severity, degree: [], ...text }]
}

/** Whether the own node signs with a key, or up to which block it can have; undefined where that is not known. */
function ownSigning(
  pubkey: string,
  about: About,
): { is: 'signs' } | (NotSigning & { canSignTo: bigint }) | undefined {
  const { memory, picture, context } = about
  const { slotMs } = context.network
  const engine = ownHead(about, 'engine')
  const node = ownHead(about, 'node')
  if (engine === undefined) return undefined
  const slot = engine.known.slot ?? 0n
  const canSignTo = slot + MOST_SLOTS_APART
  if (!engine.answers) {
    const isSilent = node?.answers !== true && picture.atMs - engine.known.atMs > patienceOf(slotMs)
    return isSilent ? { is: 'silent', slot, canSignTo } : undefined
  }
  if (picture.nodeKey === undefined) return undefined
  if (!sameHex(picture.nodeKey, pubkey)) {
    const since = memory.alarms.find(({ alarm }) => alarm === 'node-other-key')?.sinceMs
    const isLong = since !== undefined && picture.atMs - since > SLOTS_TO_BE_ANOTHER * slotMs
    return isLong ? { is: 'another-key', slot, canSignTo: 0n } : undefined
  }
  if (picture.node?.catchesUp === true) return { is: 'catches-up', slot, canSignTo }
  if ((headOf(picture) ?? slot) > canSignTo) return { is: 'behind', slot, canSignTo }
  return picture.node?.catchesUp === false ? { is: 'signs' } : undefined
}
