import { describe, expect, test } from 'vitest'
import { sampled } from '../support/hard.ts'
import { atLine, atSending, atSignature, dieWhileRegistering, killAndResume } from '../support/kills.ts'
import { standOf } from '../support/stand-of.ts'
import { startWorld } from '../support/world.ts'

/** In the sample the others have a moment beside them: a signature that was not written down, bytes that left or did not. */
const LINES = ['agreed', 'prepared', 'signed', 'handed-over', 'included', 'ended'].map(
  (type) => `topup.${type}`,
)

describe('a process that dies over the top-up is followed by another one at once', () => {
  test('before it is written down that it was agreed to', () =>
    killAndResume(atLine('topup.agreed', 'before'), 'at once'))
  test.each(sampled(LINES, 8))('after the line %s', (type) => killAndResume(atLine(type, 'after'), 'at once'))
  test('in the middle of the line topup.signed', () =>
    killAndResume(atLine('topup.signed', 'torn'), 'at once'))
  test('with a signature that was never written down', () =>
    killAndResume(atSignature(2, 'after'), 'at once'))
  test('before the bytes leave', () => killAndResume(atSending(2, 'before'), 'at once'))
  test('before the reply to the bytes comes', () => killAndResume(atSending(2, 'after'), 'at once'))
  test('before it is written down that they are mined', () =>
    killAndResume(atLine('topup.included', 'before'), 'at once'))
})

const MOMENTS: readonly [what: string, dies: () => ReturnType<typeof atLine>][] = [
  ['with signed bytes in the journal', () => atLine('topup.signed', 'after')],
  ['before the reply to the bytes comes', () => atSending(2, 'after')],
  ['before it is written down that they are mined', () => atLine('topup.included', 'before')],
]
/** Both ways to go on and each moment are in the sample. */
const RESUMED = (['some slots later', 'while no endpoint answers'] as const).flatMap((afterwards) =>
  MOMENTS.map(([what, dies]) => [afterwards, what, dies] as const),
)

test.each(sampled(RESUMED, 20))(
  'a process that dies over the top-up is followed by another one %s: %s',
  (afterwards, _, dies) => killAndResume(dies(), afterwards),
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
    const { send } = session.getState().topup
    expect([standOf(send), send.failure]).toEqual(['paid', undefined])
  } finally {
    await world.end()
  }
})
