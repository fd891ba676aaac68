import { expect, test } from 'vitest'
import { one } from '../support/hard.ts'
import {
  type Afterwards,
  atLine,
  atSending,
  atSignature,
  dieWhileRegistering,
  killAndResume,
} from '../support/kills.ts'
import type { Cut, Moment } from '../support/life.ts'
import { standOf } from '../support/stand-of.ts'
import { startWorld } from '../support/world.ts'

type Step = 'deposit' | 'topup'
type Death = {
  what: string
  dies: (step: Step) => (moment: Moment) => Cut | undefined
  afterwards: Afterwards
}

const STEPS: readonly Step[] = ['deposit', 'topup']
const LINES = ['agreed', 'prepared', 'signed', 'handed-over', 'included', 'ended']
const ordinalOf = (step: Step) => STEPS.indexOf(step) + 1

const withSignedBytes: Pick<Death, 'what' | 'dies'> = {
  what: 'with signed bytes in the journal',
  dies: (step) => atLine(`${step}.signed`, 'after'),
}
const beforeTheReply: Pick<Death, 'what' | 'dies'> = {
  what: 'before the reply to the bytes comes',
  dies: (step) => atSending(ordinalOf(step), 'after'),
}
const beforeTheBlock: Pick<Death, 'what' | 'dies'> = {
  what: 'before the line that they are in a block',
  dies: (step) => atLine(`${step}.included`, 'before'),
}

const SUITE: readonly Death[] = [
  {
    what: 'before the line that it was agreed to',
    dies: (step) => atLine(`${step}.agreed`, 'before'),
    afterwards: 'at once',
  },
  {
    what: 'after the line that it was agreed to',
    dies: (step) => atLine(`${step}.agreed`, 'after'),
    afterwards: 'at once',
  },
  {
    what: 'in the middle of the line with the bytes',
    dies: (step) => atLine(`${step}.signed`, 'torn'),
    afterwards: 'at once',
  },
  {
    what: 'with a signature that was never written down',
    dies: (step) => atSignature(ordinalOf(step), 'after'),
    afterwards: 'at once',
  },
  {
    what: 'before the bytes leave',
    dies: (step) => atSending(ordinalOf(step), 'before'),
    afterwards: 'at once',
  },
  { ...beforeTheReply, afterwards: 'at once' },
  { ...beforeTheBlock, afterwards: 'at once' },
  {
    what: 'after the line that it was paid',
    dies: (step) => atLine(`${step}.ended`, 'after'),
    afterwards: 'at once',
  },
  { ...withSignedBytes, afterwards: 'some slots later' },
  { ...beforeTheReply, afterwards: 'after the pool was emptied' },
  { ...beforeTheBlock, afterwards: 'while no endpoint answers' },
]

/** What stands beside one of the suite: the other lines, and the same deaths followed in other ways. */
const REST: readonly Death[] = [
  ...LINES.slice(1, -1).map(
    (line): Death => ({
      what: `after the line ${line}`,
      dies: (step) => atLine(`${step}.${line}`, 'after'),
      afterwards: 'at once',
    }),
  ),
  { ...beforeTheReply, afterwards: 'some slots later' },
  { ...beforeTheBlock, afterwards: 'some slots later' },
  { ...withSignedBytes, afterwards: 'while no endpoint answers' },
  { ...beforeTheReply, afterwards: 'while no endpoint answers' },
]

/** Both steps die in every way; in the suite they take turns, in the first and the last. */
const CASES = SUITE.flatMap((death, at) =>
  (at % 2 === 0 ? STEPS : STEPS.toReversed()).map(
    (step) => [step, death.what, death.afterwards, death] as const,
  ),
)
const MORE = REST.flatMap((death) =>
  STEPS.map((step) => [step, death.what, death.afterwards, death] as const),
)

test.each([...one(CASES, 0), ...one(MORE, 0)])(
  'a process that dies over the %s %s is followed, %s, by another one that pays once',
  (step, _, afterwards, { dies }) => killAndResume(dies(step), afterwards),
)

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
