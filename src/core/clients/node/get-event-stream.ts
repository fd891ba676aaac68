import { ClientError } from '../../base/errors/client.ts'
import { refuse } from '../../base/format/decode.ts'
import { firstEvent, JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'
import type { BeaconBlockHeader } from '../../chain/proofs/merkle.ts'
import { contentTypeWords } from '../json-rpc.ts'
import type { Intake } from '../limits.ts'
import { getHeader } from './blocks.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './node.ts'

/**
 * The first event with its data, nothing within the time although the node kept the connection open
 * (`silent`), or a stream that came to an end without an event (`ended`).
 */
export type EventStream = { kind: 'event'; event: string; data: unknown } | { kind: 'silent' | 'ended' }

type StreamEvent = Extract<EventStream, { kind: 'event' }>

const LISTEN = { deadlineMs: 3000, maxBytes: 64 * 1024, retries: 0 }
const ENOUGH = new Error('the first event was read')

/**
 * The first event of the node's stream (`events?topics=head`), listened to for at most three seconds and left after
 * it; undefined when the node does not offer the stream. An event only ever makes us look sooner: heads are polled all
 * the same, for a stream that has gone silent looks like a chain that stands still. Throws a `ClientError`, or the
 * reason of the signal.
 */
export async function getEventStream(
  client: NodeClient,
  { signal }: { signal?: AbortSignal } = {},
): Promise<EventStream | undefined> {
  const { intake, firstEvent: received } = listen()
  const question = {
    path: ['eth', 'v1', 'events'],
    query: [['topics', 'head']] as const,
    accept: 'text/event-stream',
    decode: (): EventStream => refuse('', 'a stream of events', undefined),
    limits: LISTEN,
    intake: () => intake,
  }
  try {
    return await ifOffered(client.ask(signal === undefined ? question : { ...question, signal }))
  } catch (thrown) {
    const event = received()
    if (thrown === ENOUGH && event !== undefined) return event
    if (!(thrown instanceof ClientError)) throw thrown
    if (thrown.fault === 'timeout') return { kind: 'silent' }
    const stream = contentTypeWords('text/event-stream')
    const isStream = thrown.details.some((text) => text.startsWith(stream))
    if (isStream) return { kind: 'ended' }
    throw thrown
  }
}

/** Takes the stream up to its first event, then ends the exchange by throwing. */
function listen(): { intake: Intake; firstEvent(): StreamEvent | undefined } {
  const read = pieceReader()
  let text = ''
  let received = 0
  let first: StreamEvent | undefined
  const intake: Intake = {
    write(piece) {
      text += read(piece)
      received += piece.length
      const found = firstEvent(text)
      if (found === undefined) return
      first = { kind: 'event', event: found.event, data: parseStrictJson(found.data) }
      throw ENOUGH
    },
    end: () => undefined,
    receivedBytes: () => received,
  }
  return { intake, firstEvent: () => first }
}

function pieceReader(): (piece: Uint8Array) => string {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let read = 0
  return (piece) => {
    try {
      const text = utf8.decode(piece, { stream: true })
      read += piece.length
      return text
    } catch {
      throw new JsonFault('the bytes are not UTF-8', read)
    }
  }
}

/** Blocks of one validator, of the slots that were looked at. */
type Proposals = {
  /** Whether every slot from the one that was asked for has been looked at: then `first` is the first of all. */
  isWhole: boolean
  first: bigint | undefined
  last: bigint | undefined
}

/** Blocks of one validator that are looked for as the head moves on. */
export type ProposalWatch = {
  /** What is known up to `headSlot`; the header `head` is there already. Throws a `ClientError`. */
  read(headSlot: bigint, head?: Pick<BeaconBlockHeader, 'slot' | 'proposerIndex'>): Promise<Proposals>
}

/** So many slots are made up for at the start and after a silence; older ones are left out. */
const MOST_SLOTS_BACK = 16n

/** Looks at the header of every slot from `from` on for the proposer of registry `index`. */
export function watchProposals(
  node: NodeClient,
  { index, from }: { index: number; from: bigint },
): ProposalWatch {
  let next = from
  let isWhole = true
  let first: bigint | undefined
  let last: bigint | undefined
  return {
    async read(headSlot, head) {
      const oldest = headSlot - MOST_SLOTS_BACK + 1n
      if (next < oldest) {
        // A gap counts only while nothing was found: afterwards the first one is known.
        isWhole = isWhole && first !== undefined
        next = oldest
      }
      for (; next <= headSlot; next += 1n) {
        const { proposerIndex } = head?.slot === next ? head : await getHeader(node, { block: next })
        if (proposerIndex !== BigInt(index)) continue
        first ??= next
        last = next
      }
      return { isWhole, first, last }
    },
  }
}
