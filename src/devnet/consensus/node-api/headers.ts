import { createHash } from 'node:crypto'
import { NodeRefusal } from '../../../core/errors/devnet.ts'
import { bytesToHex, hexToBytes } from '../../../core/format/hex.ts'
import type { Chain } from '../chain.ts'
import type { SlotRecord } from '../history.ts'
import { recordOf, slotOf } from './ids.ts'

/**
 * `headers/{id}`. As on the real node `root` is the body's root, not the header's. Throws the node's refusals.
 */
export function headerReply(chain: Chain, blockId: string) {
  const slot = slotOf(chain, 'BlockID', blockId)
  const found = recordOf(chain, slot)
  if ('missing' in found) {
    throw new NodeRefusal(404, `not found: failed to get state from height ${slot}, ${found.message}`)
  }
  const { header } = found
  return {
    root: header.bodyRoot,
    canonical: true,
    header: {
      message: {
        slot: String(header.slot),
        proposer_index: String(header.proposerIndex),
        parent_root: header.parentRoot,
        state_root: header.stateRoot,
        body_root: header.bodyRoot,
      },
      signature: signatureOf(found),
    },
  }
}

/** Rehearsal blocks are not signed: 96 bytes derived from the header stand where a signature would. */
export function unsignedFiller(record: SlotRecord): Uint8Array {
  const digest = (part: number) =>
    createHash('sha256').update(hexToBytes(record.root)).update(Uint8Array.of(part)).digest()
  return Buffer.concat([digest(0), digest(1), digest(2)])
}

function signatureOf(record: SlotRecord): string {
  return record.header.slot === 0n ? '' : bytesToHex(unsignedFiller(record))
}
