import { describe, expect, test } from 'vitest'
import { createNodeStore } from '../../../../src/core/base/effects/node-store.ts'
import { createDisk, type DiskWatch } from '../../../simulation/disk.ts'
import { randomOf } from '../../../simulation/random.ts'

const PATH = '/home/user/state/network/key/journal.jsonl'
/** What was never synced is there or not, as chance has it: each story is told with so many chances. */
const LUCK = Array.from({ length: 40 }, (_, at) => at)
const ALIVE: DiskWatch = { pass: () => ({}), end: () => undefined }

/** A process that ends before its nth call of a kind. */
function endsBefore(act: string, nth: number): DiskWatch {
  let count = 0
  return {
    pass: (called) => {
      if (called === act) count += 1
      return called === act && count === nth ? { dies: 'before' } : {}
    },
    end: () => undefined,
  }
}

describe('behind a loss of power', () => {
  test('a line that was taken is there, with the directories above it', async () => {
    for (const luck of LUCK) {
      const disk = createDisk(['/home/user'])
      const store = createNodeStore({ disk: disk.seenBy(ALIVE) })
      const file = await store.openAppend(PATH, { keepBytes: 0 })
      await file.append('one')
      disk.losePower(randomOf(String(luck)))
      expect(disk.textAt(PATH)).toBe('one\n')
    }
  })

  test('also where an earlier process ended between making a directory and syncing it', async () => {
    for (const luck of LUCK) {
      const disk = createDisk(['/home/user'])
      const cut = createNodeStore({ disk: disk.seenBy(endsBefore('sync', 1)) })
      void cut.openAppend(PATH, { keepBytes: 0 })
      await new Promise((resolve) => setImmediate(resolve))
      const file = await createNodeStore({ disk: disk.seenBy(ALIVE) }).openAppend(PATH, { keepBytes: 0 })
      await file.append('one')
      disk.losePower(randomOf(String(luck)))
      expect(disk.textAt(PATH)).toBe('one\n')
    }
  })

  test('a file that was replaced is the old one or the new one, and once that was said the new one', async () => {
    for (const luck of LUCK) {
      const disk = createDisk(['/home/user'])
      const store = createNodeStore({ disk: disk.seenBy(ALIVE) })
      await store.writeText('/home/user/state/watch.json', 'old', { replace: true })
      const cut = createNodeStore({ disk: disk.seenBy(endsBefore('sync', 2)) })
      void cut.writeText('/home/user/state/watch.json', 'new', { replace: true })
      await new Promise((resolve) => setImmediate(resolve))
      disk.losePower(randomOf(String(luck)))
      expect(['old', 'new']).toContain(disk.textAt('/home/user/state/watch.json'))
      await store.writeText('/home/user/state/watch.json', 'newer', { replace: true })
      disk.losePower(randomOf(`${luck} again`))
      expect(disk.textAt('/home/user/state/watch.json')).toBe('newer')
    }
  })
})
