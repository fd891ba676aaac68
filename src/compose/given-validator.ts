import type { Readable } from 'node:stream'
import type { Effects } from '../core/base/effects/effects.ts'
import { badUsage, programError } from '../core/base/errors/base.ts'
import { ClientError } from '../core/base/errors/client.ts'
import { decodeText } from '../core/base/format/file-text.ts'
import { ungroupHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import type { Setup } from '../core/chain/facts.ts'
import { readTypedKey } from '../core/chain/identity/typed-key.ts'
import type { Network } from '../core/chain/network/network.ts'
import { unlessSilent } from '../core/clients/ask-as-service.ts'
import { createExecutionClient } from '../core/clients/execution/client.ts'
import { createNodeClient } from '../core/clients/node/client.ts'
import { getValidator } from '../core/clients/node/validators.ts'
import { isAnchored, proveAtHead } from '../core/clients/prove-validator.ts'
import type { WatchEndpoints } from '../core/observe/ask-input.ts'

/**
 * The validator of a text that was given: its public key, or the one that the node has at an index. What the node says
 * is proven later, with the key. Throws `usage.option`, `validator.unknown-index` or a `ClientError`.
 */
export async function givenValidator(
  effects: Effects,
  { text: typed, node, network }: { text: string; node: string; network: Network },
): Promise<NonNullable<Setup['validator']>> {
  const text = ungroupHex(typed)
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
  throw programError('validator.unknown-index', index, network.label)
}

/**
 * Returns the validator of a text for a watch, as `givenValidator` does. The own node is asked first for an index; another one
 * is believed only with a proof of the record up to a root that an execution endpoint holds. Throws as `givenValidator`.
 */
export async function watchedValidator(
  effects: Effects,
  { text, network, endpoints }: { text: string; network: Network; endpoints: WatchEndpoints },
): Promise<NonNullable<Setup['validator']>> {
  const [own = '', ...others] = endpoints.node
  try {
    return await givenValidator(effects, { text, node: own, network })
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    for (const node of others) {
      for (const execution of endpoints.execution) {
        const found = await unlessSilent(provenAt(effects, { index: Number(text), node, execution, network }))
        if (found !== undefined) return found
      }
    }
    throw thrown
  }
}

async function provenAt(
  effects: Effects,
  asked: { index: number; node: string; execution: string; network: Network },
): Promise<NonNullable<Setup['validator']> | undefined> {
  const { index, network } = asked
  const { proofNamespace } = network.names
  const node = createNodeClient(effects, asked.node, { proofNamespace })
  const execution = createExecutionClient(effects, asked.execution)
  const found = await proveAtHead({ node, execution }, { index })
  if (found?.proof.verdict.ok !== true) return undefined
  const { pubkey, blockRoot } = found.proof
  const holds = await isAnchored(execution, { timestampSeconds: found.timestampSeconds, blockRoot })
  return holds === true ? { pubkey, index } : undefined
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
  return decodeText(Buffer.concat(pieces))
}
