import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { watch } from '../../src/commands/watch.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeFiles } from '../../src/core/base/effects/node-files.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import { BEPOLIA, MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import { LIMITS } from '../../src/core/observe/picture.ts'
import { acknowledgeOnDisk, memoryText, openWatchFile } from '../../src/watch/keep.ts'
import { SENTENCES } from '../../src/watch/notify/text.ts'
import { acknowledgeTold, watchTransition } from '../../src/watch/transition.ts'
import { look, START_MS } from '../support/pictures.ts'
import { bareEffects, runCommandWith } from '../support/run-command.ts'

const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }
const store = createNodeStore()
let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-acknowledge-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A memory in which the clock is off by so much, after so many minutes. */
const lookAt = (memory: WatchMemory, { aheadMs, minutes }: { aheadMs: number; minutes: number }) =>
  watchTransition(
    memory,
    look({ atMs: START_MS + minutes * 60_000, node: { clockAheadMs: aheadMs }, validators: [] }),
    context,
  )

describe('an alarm that a command acknowledges', () => {
  const first = lookAt(emptyMemory(MAINNET), { aheadMs: -1500, minutes: 0 }).memory
  const [alarm] = first.alarms
  if (alarm === undefined) throw new Error('no alarm')
  const acknowledge = (id: string, minutes: number) =>
    acknowledgeOnDisk(store, { directory, network: MAINNET, nowMs: START_MS + minutes * 60_000 }, id)

  test('is known to the watch that has its memory open, by its id or by all', async () => {
    for (const id of [alarm.id, 'all']) {
      const file = await openWatchFile(store, { directory, network: MAINNET })
      await file.write(first, { last: true })
      expect((await acknowledge(id, 1)).map((each) => each.id)).toEqual([alarm.id])
      const known = acknowledgeTold(first, await file.acknowledged())
      expect(known.news).toEqual([alarm])
      expect(known.memory.alarms).toEqual([{ ...alarm, acknowledged: true }])
      expect(acknowledgeTold(known.memory, await file.acknowledged()).news).toEqual([])
      const hours = lookAt(known.memory, { aheadMs: -1500, minutes: 1000 })
      expect(hours.events).toEqual([])
      await file.close()
    }
  })

  test('is told again once it is worse, and is not known by what was said before', async () => {
    const file = await openWatchFile(store, { directory, network: MAINNET })
    await file.write(first, { last: true })
    await acknowledge('all', 1)
    const known = acknowledgeTold(first, await file.acknowledged())
    const worse = lookAt(known.memory, { aheadMs: -9000, minutes: 2 })
    expect(worse.events).toMatchObject([{ change: 'worse' }])
    expect(acknowledgeTold(worse.memory, await file.acknowledged()).news).toEqual([])
    await file.close()
  })

  test('that does not stand is none, and a file that is none of ours is refused and left as it is', async () => {
    const file = await openWatchFile(store, { directory, network: MAINNET })
    await file.write(first, { last: true })
    expect(await acknowledge('another', 1)).toEqual([])
    expect(await file.acknowledged()).toEqual([])
    writeFileSync(join(directory, 'watch-acknowledged.json'), '{"acknowledged":[{"id":7}]}')
    const refused = expect.objectContaining({ code: 'watch.acknowledged' })
    await expect(file.acknowledged()).rejects.toEqual(refused)
    await expect(acknowledge('all', 1)).rejects.toEqual(refused)
    rmSync(join(directory, 'watch-acknowledged.json'))
    expect(await acknowledge('all', 1)).toHaveLength(1)
    expect(await file.acknowledged()).toHaveLength(1)
    await file.close()
  })
})

test('the command names what it has acknowledged, asks nobody, and refuses an id that does not stand', async () => {
  const memory = lookAt(emptyMemory(MAINNET), { aheadMs: -1500, minutes: 0 }).memory
  const ofBepolia = { ...emptyMemory(BEPOLIA), alarms: memory.alarms }
  const state = join(directory, BEPOLIA.id)
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'watch.json'), memoryText(ofBepolia))
  const bare = bareEffects({
    clock: createNodeClock(),
    random: { bytes: (length) => new Uint8Array(length) },
    http: { request: () => Promise.reject(new Error('nobody is asked')) },
  })
  const effects = { ...bare, store, files: createNodeFiles() }
  const run = (id: string) =>
    runCommandWith(watch, ['--network', 'bepolia', '--state', directory, '--acknowledge', id], effects)
  const all = await run('all')
  expect(all).toMatchObject({ code: 0 })
  expect(all.out).toContain(SENTENCES.acknowledged(memory.alarms[0]?.title ?? ''))
  expect(await run('mainnet//clock-off/never')).toMatchObject({ code: 2 })
})
