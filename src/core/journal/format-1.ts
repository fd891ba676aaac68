import { refuse } from '../format/decode.ts'
import type { Hex } from '../format/hex.ts'
import type { DurableBody, Payer, Replacement, Signer } from '../steps/payment/payment.ts'
import type { JsonData } from './canonical-json.ts'
import type { JournalEvent } from './events.ts'
import { decodeOld, type OldBody } from './format-1-events.ts'

/** What of a payment later entries of it rest on. */
type Memory = {
  signed: Hex | undefined
  included: Hex | undefined
  replacing: Replacement['kind']
  cancellations: readonly Hex[]
}

const NOTHING: Memory = { signed: undefined, included: undefined, replacing: 'speed-up', cancellations: [] }

type Translated = readonly [Memory, DurableBody]
type Old<T extends OldBody['type']> = Extract<OldBody, { type: T }>

/**
 * A reader of the entries of format 1, in their order, as the events of today. What was agreed to comes out without its
 * world: it is shown, never sent, and agreed to anew. Throws a `FieldFault` for an entry that was never written so.
 */
export function createOldReader(): (type: string, data: JsonData) => JournalEvent {
  const memories = new Map<Payer, Memory>()
  return (type, data) => {
    const old = decodeOld(type, data)
    if (!('payer' in old)) return old
    const { payer } = old
    const [memory, body] = translate(memories.get(payer) ?? NOTHING, old.body)
    memories.set(payer, memory)
    return payer === 'deposit' ? { step: 'deposit', ...body } : { step: 'topup', ...body }
  }
}

function translate(memory: Memory, old: OldBody): Translated {
  switch (old.type) {
    case 'confirmed':
      return [memory, { type: 'agreed', plan: old.plan, world: undefined }]
    case 'prepared':
      return [memory, { type: 'prepared', draft: draftOf(old) }]
    case 'released':
      return [NOTHING, { type: 'abandoned' }]
    case 'reopened':
      return [NOTHING, { type: 'reopened' }]
    case 'signed':
      return [{ ...memory, signed: old.hash }, old]
    case 'sending':
      return [memory, { ...old, type: 'handed-over' }]
    case 'replacing': {
      const { transaction } = old.replacement
      const kind = old.replacement.kind === 'bump' ? 'speed-up' : 'cancellation'
      return [
        { ...memory, replacing: kind },
        { type: 'replacing', replacement: { kind, transaction } },
      ]
    }
    case 'replaced':
      return [withReplaced(memory, old.hash), old]
    case 'found':
      return [memory, old]
    case 'mined':
      return included(memory, old)
    case 'unmined':
      return [{ ...memory, included: undefined }, { type: 'orphaned' }]
    case 'disproved':
      return [{ ...memory, included: undefined }, { type: 'contradicted' }]
    case 'withheld':
      return [memory, { type: 'held-back', reason: old.reason }]
    case 'final':
    case 'reverted':
    case 'foreign':
      return [memory, { type: 'ended', outcome: outcomeOf(memory, old) }]
  }
}

function draftOf({ prepared }: Old<'prepared'>): Extract<DurableBody, { type: 'prepared' }>['draft'] {
  const { from, transaction, baseline } = prepared
  return { signer: signerOf(prepared), from, transaction, baseline }
}

/** The call of a contract account was always handed out as well. */
function signerOf({ elsewhere, contract }: Old<'prepared'>['prepared']): Signer {
  if (contract === undefined) return elsewhere === undefined ? 'keystore' : 'external'
  return elsewhere === undefined ? refuse('prepared.elsewhere', 'true', elsewhere) : 'contract'
}

function withReplaced(memory: Memory, hash: Hex): Memory {
  if (memory.replacing === 'speed-up') return memory
  return { ...memory, cancellations: [...memory.cancellations, hash] }
}

/** Before there were replacements no hash was written: there was only one. */
function included(memory: Memory, old: Old<'mined'>): Translated {
  const hash = old.hash ?? memory.signed ?? refuse('hash', '32 bytes of 0x hexadecimal', undefined)
  return [
    { ...memory, included: hash },
    { ...old, type: 'included', hash },
  ]
}

function outcomeOf(
  { included: hash, cancellations }: Memory,
  old: Old<'final' | 'reverted' | 'foreign'>,
): Extract<DurableBody, { type: 'ended' }>['outcome'] {
  if (old.type === 'reverted') return { is: 'reverted', reason: old.reason, feeWei: old.feeWei }
  if (old.type === 'foreign') return { is: 'nonce-taken', otherDeposit: old.otherDeposit }
  const isCancelled = hash !== undefined && cancellations.includes(hash)
  return { is: isCancelled ? 'cancelled' : 'paid' }
}
