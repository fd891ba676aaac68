import type { Readable } from 'node:stream'
import { createNodeClient } from '../core/clients/node/client.ts'
import { getValidator } from '../core/clients/node/validators.ts'
import type { Effects } from '../core/effects/effects.ts'
import { badUsage, unknownIndex } from '../core/errors/base.ts'
import type { Setup } from '../core/facts.ts'
import { safeText } from '../core/format/text.ts'
import { readTypedKey } from '../core/identity/typed-key.ts'
import type { Network } from '../core/network/network.ts'

/**
 * The validator of a text that was given: its public key, or the one that the node has at an index. What the node says
 * is proven later, with the key. Throws `usage.option`, `validator.unknown-index` or a `ClientError`.
 */
export async function givenValidator(
  effects: Effects,
  { text, node, network }: { text: string; node: string; network: Network },
): Promise<NonNullable<Setup['validator']>> {
  if (!/^\d+$/.test(text)) {
    const read = readTypedKey(text)
    if ('key' in read) return { pubkey: read.key.pubkey }
    const next = 'Copy the public key from your own record, or give the index of the validator.'
    throw badUsage({ sentence: read.error, found: safeText(text, 60), next })
  }
  const index = Number(text)
  const client = createNodeClient(effects, node, { proofNamespace: network.names.proofNamespace })
  const record = await getValidator(client, { state: 'head', id: index })
  if (record !== undefined) return { pubkey: record.validator.pubkey, index }
  throw unknownIndex(index, network.label)
}

const MAX_BYTES = 1024 * 1024

/**
 * All text that comes in through a stream that is no terminal; undefined for a terminal. Ends with the signal. Throws
 * `usage.option` where it is more than any deposit needs.
 */
export async function readStdin(
  stream: Readable & { isTTY?: boolean },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (stream.isTTY === true) return undefined
  const pieces: Buffer[] = []
  let bytes = 0
  signal.addEventListener('abort', () => stream.destroy(), { once: true })
  for await (const piece of stream) {
    const buffer = Buffer.from(piece as Uint8Array)
    bytes += buffer.length
    if (bytes > MAX_BYTES)
      throw badUsage({ sentence: 'There is too much on stdin.', next: `Give at most ${MAX_BYTES} bytes.` })
    pieces.push(buffer)
  }
  return Buffer.concat(pieces).toString('utf8')
}
