import { expect, test } from 'vitest'
import { openWatchLines } from '../../src/compose/watch-lines.ts'
import { plainAscii } from '../../src/core/base/format/text.ts'
import type { WatchView } from '../../src/watch/screen.ts'
import { fakeStdin } from '../support/fake-streams.ts'
import { PLAIN_TEXT } from '../support/plain-steps.ts'
import { linesOn } from '../support/plain-talk.ts'
import { WATCHED } from '../support/watch-views.ts'
import { worldClock } from '../support/world-clock.ts'

const LOOK_MS = 4_000
const known: WatchView = {
  ...WATCHED,
  rows: WATCHED.rows.map((row) => ({
    ...row,
    alarms: row.alarms.map((alarm) => ({ ...alarm, acknowledged: true })),
  })),
  others: [],
}

test('a watch by lines says its table once, then what changes, and opens by number', async () => {
  const clock = worldClock()
  const stdin = Object.assign(fakeStdin(), { isTTY: true })
  const acknowledged: string[] = []
  let said = ''
  await clock.flow(async () => {
    const lines = openWatchLines({
      clock,
      onAcknowledge: (ids) => void acknowledged.push(...ids),
      input: linesOn(stdin, { clock, interrupt: () => undefined }),
      voice: {
        line: (text) => {
          said += `${plainAscii(text)}\n`
        },
        prompt: (text) => {
          said += plainAscii(text)
        },
      },
    })
    const types = async (line: string) => {
      said += '\n---\n'
      stdin.write(`${line}\n`)
      await clock.sleep(LOOK_MS)
    }
    await clock.sleep(LOOK_MS)
    lines.show(WATCHED)
    lines.note('phone: no answer')
    await clock.sleep(LOOK_MS)
    await types('2')
    await types('b')
    await types('a')
    lines.show(known)
    await clock.sleep(LOOK_MS)
    lines.show(known)
    await clock.sleep(LOOK_MS)
    await types('q')
    await lines.end
  })
  expect(acknowledged).toEqual(['22.drops-out', 'node'])
  expect(said).toMatch(PLAIN_TEXT)
  expect(said).toMatchSnapshot()
})
