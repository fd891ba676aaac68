import { expect, test } from 'vitest'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory } from '../../src/core/observe/memory.ts'
import { LIMITS, type NetworkPicture } from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { look } from '../support/pictures.ts'

const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }
const FILE = { path: '/state/mainnet/a/journal.jsonl', why: 'The file may not be opened.' }

/** The changes of the alarm in looks of watches that could not read these journals. */
function changes(...looks: readonly NetworkPicture['unread'][]) {
  let memory = emptyMemory(MAINNET)
  return looks.map((unread) => {
    const next = watchTransition(memory, look(unread === undefined ? {} : { unread }), context)
    memory = next.memory
    return next.events.filter(({ alarm }) => alarm === 'journal-unread')
  })
}

test('a journal that cannot be read is an alarm that stands until a watch reads it', () => {
  const [[fired] = [], again, unknown, [cleared] = []] = changes([FILE], [FILE], undefined, [])
  expect(fired).toMatchObject({ change: 'fired', severity: 'warning' })
  expect(fired?.title).toContain(FILE.path)
  expect(fired?.what).toContain(FILE.why)
  expect([again, unknown]).toEqual([[], []])
  expect(cleared).toMatchObject({ change: 'cleared', id: fired?.id })
})

test('each journal is an alarm of its own', () => {
  const [events] = changes([FILE, { ...FILE, path: '/state/mainnet/b/journal.jsonl' }])
  expect(events).toHaveLength(2)
})
