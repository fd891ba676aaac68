import { describe, expect, test } from 'vitest'
import { atLine, atSending, atSignature, dieWhileRegistering, killAndResume } from '../support/kills.ts'
import { startWorld } from '../support/world.ts'

const LINES = ['confirmed', 'prepared', 'signed', 'sending', 'mined', 'final'].map((type) => `topup.${type}`)

describe('a process that dies over the top-up is followed by another one at once', () => {
  test('before it is written down that it was agreed to', () =>
    killAndResume(atLine('topup.confirmed', 'before'), 'at once'))
  test.each(LINES)('after the line %s', (type) => killAndResume(atLine(type, 'after'), 'at once'))
  test('in the middle of the line topup.signed', () =>
    killAndResume(atLine('topup.signed', 'torn'), 'at once'))
  test('with a signature that was never written down', () =>
    killAndResume(atSignature(2, 'after'), 'at once'))
  test('before the bytes leave', () => killAndResume(atSending(2, 'before'), 'at once'))
  test('before the reply to the bytes comes', () => killAndResume(atSending(2, 'after'), 'at once'))
  test('before it is written down that they are mined', () =>
    killAndResume(atLine('topup.mined', 'before'), 'at once'))
})

describe.each(['some slots later', 'while no endpoint answers'] as const)(
  'a process that dies over the top-up is followed by another one %s',
  (afterwards) => {
    test('with signed bytes in the journal', () => killAndResume(atLine('topup.signed', 'after'), afterwards))
    test('before the reply to the bytes comes', () => killAndResume(atSending(2, 'after'), afterwards))
    test('before it is written down that they are mined', () =>
      killAndResume(atLine('topup.mined', 'before'), afterwards))
  },
)

test('bytes that were dropped before a block took them are handed over again by the next process', () =>
  killAndResume(atSending(2, 'after'), 'after the pool was emptied'))

test('signed bytes in the journal go out by themselves while the user still reads where he was', async () => {
  const world = await startWorld()
  try {
    await dieWhileRegistering(world, { dies: atLine('topup.signed', 'after') })
    const session = await world.clock.flow(async () => {
      const session = await world.session(world.begin())
      await session.start()
      await world.clock.sleep(20_000)
      return session
    })
    const { phase, failure } = session.getState().topup.send
    expect([phase, failure]).toEqual(['final', undefined])
  } finally {
    await world.end()
  }
})
