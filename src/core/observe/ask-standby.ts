import type { Effects } from '../base/effects/effects.ts'
import { ClientError } from '../base/errors/client.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import { keyPlaceOf, readSignedHeight } from '../chain/identity/home-files.ts'
import { COMMITS_TO_LOOK_AT } from '../chain/network/network.ts'
import { type ClaimedHeader, getCommit } from '../clients/engine/blocks.ts'
import type { EngineClient } from '../clients/engine/client.ts'
import { getCometSignedHeader, getHeader } from '../clients/node/blocks.ts'
import type { NodeClient } from '../clients/node/client.ts'
import type { KeyVotes, Standby } from './standby.ts'

type StandbyQuestion = {
  /** Where commits are read: at the own node's, else at the engine of somebody else. */
  endpoints: {
    engine?: EngineClient | undefined
    node?: NodeClient | undefined
    otherEngine?: EngineClient | undefined
  }
  /** Of the key, in the engine. */
  address: string
  runs: boolean | undefined
  /** Of the key's own node; undefined where the key is of another one. */
  homePath: string | undefined
  blocks?: bigint
}

/** One that has commits: the newest, or that of a height. */
type Source = { name: string; isOwn: boolean; commit(height?: bigint): Promise<ClaimedHeader> }

/**
 * Looks for votes of a key in the last commits, and at what the node of a home has signed. The commits come first: what that node
 * signs meanwhile is in its file then. Throws a `ClientError`, a `home.*` error or a `file.*` error.
 */
export async function askStandby(
  effects: Pick<Effects, 'files' | 'clock'>,
  { endpoints, address, runs, homePath: home, blocks = COMMITS_TO_LOOK_AT }: StandbyQuestion,
): Promise<Standby> {
  const votes = await votesByFirst(sourcesOf(endpoints), { address, blocks })
  const ageMs = effects.clock.nowMs() - votes.headMs
  if (home === undefined) return { votes, runs, ageMs, signedTo: undefined }
  const { stateFile } = await keyPlaceOf(effects, { homePath: home })
  return { votes, runs, ageMs, signedTo: await readSignedHeight(effects, { home, stateFile }) }
}

/** What the first one that answers has of a key. Throws the `ClientError` of the very first where none does. */
async function votesByFirst(
  [source, ...others]: readonly Source[],
  asked: { address: string; blocks: bigint },
): Promise<KeyVotes> {
  if (source === undefined) throw new RangeError('nobody was given who has commits')
  try {
    return await votesBy(source, asked)
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || others.length === 0) throw thrown
    return votesByFirst(others, asked).catch(() => Promise.reject(thrown))
  }
}

async function votesBy(
  { name, isOwn, commit }: Source,
  { address, blocks }: { address: string; blocks: bigint },
): Promise<KeyVotes> {
  const newest = await commit()
  const { height: head, timeMs: headMs } = newest.header
  const votes = ({ commit: { signatures } }: ClaimedHeader) =>
    signatures.some((signature) => signature.address === address)
  const count = head < blocks ? head : blocks
  const heights = Array.from({ length: Number(count) - 1 }, (_, back) => head - 1n - BigInt(back))
  const found = votes(newest) ? newest : (await Promise.all(heights.map(commit))).find(votes)
  const vote = found && { height: found.header.height, timeMs: found.header.timeMs }
  return { by: name, isOwn, head, headMs, blocks: count, ...(vote === undefined ? {} : { vote }) }
}

function sourcesOf({ engine, node, otherEngine }: StandbyQuestion['endpoints']): Source[] {
  const ofEngine = (client: EngineClient, isOwn: boolean): Source => ({
    name: endpointName(client.label),
    isOwn,
    commit: (height) => getCommit(client, height === undefined ? {} : { height }),
  })
  // A node API has the commits of its engine as well. On this network slot and height have one number.
  const ofNode = (client: NodeClient): Source => ({
    name: endpointName(client.label),
    isOwn: true,
    commit: async (height) =>
      getCometSignedHeader(client, { height: height ?? (await getHeader(client, { block: 'head' })).slot }),
  })
  return [
    ...(engine === undefined ? [] : [ofEngine(engine, true)]),
    ...(node === undefined ? [] : [ofNode(node)]),
    ...(otherEngine === undefined ? [] : [ofEngine(otherEngine, false)]),
  ]
}
