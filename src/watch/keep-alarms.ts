import type { Effects } from '../core/base/effects/effects.ts'
import { BaseError } from '../core/base/errors/base.ts'
import { record } from '../core/base/format/decode.ts'
import { type Alarms, type OpenAlarms, worstFirst } from '../core/observe/alarms.ts'
import { keptFile } from '../core/observe/kept-file.ts'
import { emptyMemory, type WatchMemory } from '../core/observe/memory.ts'
import { limitsOf, type WatchLimits } from '../core/observe/picture.ts'
import { inDanger } from './drops-out.ts'
import { isWorthKeeping, keptMemory, memoryOf } from './keep.ts'
import { loadWatchConfig } from './notify/config.ts'
import { acknowledge, watchTransition } from './transition.ts'

/**
 * Opens the alarms of one validator for the status step. They are kept on disk for later runs, so that an alarm keeps
 * its first time and a change between two runs is found.
 */
export const openAlarms: OpenAlarms = async (context, { watched, limitsPath }) => {
  const { setup, effects } = context
  const { network } = setup
  const limitsNow = limitsReader(effects, { path: limitsPath, slotMs: network.slotMs })
  const wizardOptions = setup.own?.wizard ?? setup.own?.options ?? []
  const file = keptFile(context, 'alarms', record({ memory: memoryOf(network) }))
  const { content, unread: memoryUnread } = (await file?.read()) ?? {}
  let memory: WatchMemory = content?.memory ?? emptyMemory(network)
  let written: WatchMemory | undefined
  const withKnown = (ids: readonly string[]) => ids.reduce(acknowledge, memory)
  const keep = async () => {
    if (file === undefined || (written !== undefined && !isWorthKeeping(memory, written))) return
    await file.write({ memory: keptMemory(memory) })
    written = memory
  }
  return {
    memory: () => memory,
    async judge(picture, known) {
      const limited = await limitsNow()
      const rules = { network, wizardOptions, limits: limited.limits }
      const next = watchTransition(withKnown(known), picture, rules)
      memory = next.memory
      const danger = inDanger(watched, { memory, picture, context: rules })
      await keep()
      return { alarms: worstFirst(memory.alarms), events: next.events, danger, ...limited, memoryUnread }
    },
    async end(known) {
      memory = withKnown(known)
      if (written !== undefined) await keep()
    },
  } satisfies Alarms
}

type Limited = { limits: WatchLimits; limitsFault: BaseError | undefined }

/** The file hardly ever changes, and is read again so often. */
const SLOTS_BETWEEN_LIMITS = 15

/** The limits that a watch with this configuration would have; where it cannot be used, those without one, and why. */
function limitsReader(
  { files, clock }: Effects,
  { path, slotMs }: { path: string; slotMs: number },
): () => Promise<Limited> {
  let last: { atMs: number; found: Limited } | undefined
  const read = async (): Promise<Limited> => {
    try {
      const isThere = (await files.facts(path)) !== undefined
      const config = isThere ? (await loadWatchConfig(files, path)).config : undefined
      return { limits: limitsOf(config), limitsFault: undefined }
    } catch (thrown) {
      if (!(thrown instanceof BaseError)) throw thrown
      return { limits: limitsOf(undefined), limitsFault: thrown }
    }
  }
  return async () => {
    const atMs = clock.monotonicMs()
    if (last === undefined || atMs - last.atMs >= SLOTS_BETWEEN_LIMITS * slotMs)
      last = { atMs, found: await read() }
    return last.found
  }
}
