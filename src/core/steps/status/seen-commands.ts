import { watchProposals } from '../../clients/node/get-event-stream.ts'
import type { Store } from '../../effects/effects.ts'
import { BaseError } from '../../errors/base.ts'
import { seenUnreadable } from '../../errors/journal.ts'
import { readFields } from '../../format/fields.ts'
import type { Hex } from '../../format/hex.ts'
import { JsonFault, parseStrictJson } from '../../format/strict-json.ts'
import { clientsOf, type World } from '../world.ts'
import type { StatusEvent } from './machine.ts'
import type { Own } from './own.ts'
import { type OwnBlocks, withEarlier } from './own-blocks.ts'
import { engineSlotOf } from './timeline.ts'

const FORMAT = 1
const MOST_CHARACTERS = 4096

/** Blocks of the own validator: what earlier runs have seen, and what this one sees as the head moves on. */
export type BlockWatch = {
  /** What is known up to `headSlot`. Throws a `ClientError`. */
  read(headSlot: bigint): Promise<OwnBlocks>
}

/**
 * Looks for the validator's own blocks from the slot on in which the engine counts it, and keeps the first and the last
 * for runs to come. `earlier` is what this run knew when the step was left.
 */
export async function watchBlocks(
  world: World<StatusEvent>,
  own: Own,
  earlier: OwnBlocks | undefined,
): Promise<BlockWatch> {
  const { store } = world.effects
  const file = seenFile(world)
  const kept = file && (await readSeen(store, file))
  const from = engineSlotOf(own.validator, world.setup.network.spec) ?? own.slot
  const proposals = watchProposals(clientsOf(world).node, { index: own.index, from })
  let written = kept
  return {
    async read(headSlot) {
      const blocks = withEarlier(await proposals.read(headSlot), earlier ?? kept, { from, to: headSlot })
      const isNews = blocks.first?.slot !== written?.first?.slot || blocks.last !== written?.last
      if (file !== undefined && isNews) {
        await writeSeen(store, file, blocks)
        written = blocks
      }
      return blocks
    },
  }
}

/** A file of what was seen, and whom it is about: a network that was reset must not inherit it. */
type SeenFile = { path: string; pubkey: Hex; executionGenesisHash: Hex }

/** It lies beside the journals of the network; undefined where key or chain are not proven, and nothing is kept. */
function seenFile({ setup, facts }: Pick<World<never>, 'setup' | 'facts'>): SeenFile | undefined {
  const { identity, genesis } = facts()
  if (identity === undefined || genesis === undefined) return undefined
  const { pubkey } = identity
  const path = `${setup.journalDirectory}/seen-${pubkey.slice(2, 14)}.json`
  return { path, pubkey, executionGenesisHash: genesis.executionGenesisHash }
}

/**
 * What earlier runs have seen of the validator's own blocks. For words on the screen alone: it decides nothing about
 * money, and a file that is missing, unreadable, damaged or of another key or chain is none.
 */
async function readSeen(store: Store, file: SeenFile): Promise<OwnBlocks | undefined> {
  try {
    const text = await store.readText(file.path)
    return text === undefined || text.length > MOST_CHARACTERS ? undefined : decode(text, file)
  } catch (thrown) {
    if (thrown instanceof BaseError || thrown instanceof JsonFault) return undefined
    throw thrown
  }
}

/** Keeps what was seen; a disk that takes it not is no reason to stop watching. */
async function writeSeen(
  store: Store,
  { path, pubkey, executionGenesisHash }: SeenFile,
  { first, last }: OwnBlocks,
): Promise<void> {
  const firstBlock = first === undefined ? {} : { firstBlock: String(first.slot), isFirst: first.isFirst }
  const lastBlock = last === undefined ? {} : { lastBlock: String(last) }
  const text = JSON.stringify({ format: FORMAT, pubkey, executionGenesisHash, ...firstBlock, ...lastBlock })
  try {
    await store.writeText(path, `${text}\n`, { replace: true })
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
  }
}

function decode(text: string, of: SeenFile): OwnBlocks | undefined {
  const fields = readFields(parseStrictJson(text, { maxDepth: 2 }), {
    path: '',
    fail: ({ field }) => seenUnreadable(field),
  })
  fields.only(['format', 'pubkey', 'executionGenesisHash', 'firstBlock', 'isFirst', 'lastBlock'])
  const isOurs =
    fields.index('format') === FORMAT &&
    fields.hex('pubkey', 48) === of.pubkey.toLowerCase() &&
    fields.hex('executionGenesisHash', 32) === of.executionGenesisHash.toLowerCase()
  if (!isOurs) return undefined
  const first = fields.has('firstBlock')
    ? { slot: fields.uint64('firstBlock'), isFirst: fields.flag('isFirst') }
    : undefined
  return { first, last: fields.has('lastBlock') ? fields.uint64('lastBlock') : undefined, isWhole: false }
}
