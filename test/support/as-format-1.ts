import type { JournalEvent } from '../../src/core/journal/events.ts'
import type { JsonData } from '../../src/core/journal/fields.ts'

type Content = { type: string; data: JsonData }

/** An event in the words of format 1: the way back from what its reader makes of a line. */
export function asFormat1(event: JournalEvent): Content {
  const { step, type, ...fields } = event
  const [name, data] = oldWords(event) ?? [type, fields]
  return { type: `${step}.${name}`, data: { step, type: name, ...(wrapped(data) as object) } }
}

function oldWords(event: JournalEvent): [string, unknown] | undefined {
  switch (event.type) {
    case 'agreed':
      return ['confirmed', { plan: event.plan, world: event.world }]
    case 'prepared': {
      const { signer, ...rest } = event.draft
      const elsewhere = signer === 'keystore' ? undefined : true
      return ['prepared', { prepared: { ...rest, elsewhere, contract: signer === 'contract' || undefined } }]
    }
    case 'abandoned':
      return ['released', {}]
    case 'handed-over':
      return ['sending', { attempt: event.attempt, endpoint: event.endpoint }]
    case 'replacing': {
      const kind = event.replacement.kind === 'speed-up' ? 'bump' : 'cancel'
      return ['replacing', { replacement: { ...event.replacement, kind } }]
    }
    case 'included': {
      const { blockNumber, blockHash, feeWei, hash } = event
      return ['mined', { blockNumber, blockHash, feeWei, hash }]
    }
    case 'orphaned':
      return ['unmined', {}]
    case 'contradicted':
      return ['disproved', {}]
    case 'held-back':
      return ['withheld', { reason: event.reason }]
    case 'ended': {
      const { is, ...rest } = event.outcome
      const names = { paid: 'final', cancelled: 'final', reverted: 'reverted', 'nonce-taken': 'foreign' }
      return [names[is], rest]
    }
    default:
      return undefined
  }
}

function wrapped(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'bigint' ? { $bigint: String(part) } : part,
    ),
  )
}
