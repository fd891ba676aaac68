import { expect, test } from 'vitest'
import { converse } from '../../src/plain/converse.ts'
import { keysTurn } from '../../src/plain/turn.ts'
import { fakeStdin } from '../support/fake-streams.ts'
import { linesOn } from '../support/plain-talk.ts'
import { worldClock } from '../support/world-clock.ts'

test('what is said while a line arrives never stands behind a prompt', async () => {
  const clock = worldClock()
  const stop = new AbortController()
  const stdin = fakeStdin()
  let [transcript, news] = ['', 'one block']
  let tell = (): void => undefined
  const input = linesOn(stdin, { clock, interrupt: () => stop.abort() })
  const page = () => ({ id: 'page', blocks: [{ key: 'news', lines: [news], news: 'all' as const }] })
  await clock.flow(async () => {
    const talk = converse({
      desk: {
        turn: () => keysTurn(page(), []),
        begin: () => undefined,
        leave: () => undefined,
        subscribe: (listener) => {
          tell = listener
        },
      },
      input,
      voice: {
        line: (text) => {
          transcript += `${text}\n`
        },
        prompt: (text) => {
          transcript += text
        },
      },
      clock,
      signal: stop.signal,
    })
    await clock.sleep(5_500)
    transcript += 'x\n'
    stdin.write('x\n')
    await clock.sleep(10)
    news = 'no block'
    tell()
    await clock.sleep(1_000)
    stop.abort()
    await talk.end
  })
  await input.close()
  expect(transcript).toBe('\none block\n\n> x\n\nno block\n\n> \nThere is no x here.\n\n> ')
})
