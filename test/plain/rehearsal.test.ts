import { expect, test } from 'vitest'
import { goOnAfter, masked, PLAIN_TEXT, sendBy, walkToDeposit } from '../support/plain-steps.ts'
import { type Talk, type TalkOptions, talkWith } from '../support/plain-talk.ts'
import { startWorld, type World, type WorldInput } from '../support/world.ts'

async function talkInWorld<T>(
  input: WorldInput & Pick<TalkOptions, 'isTerminal'>,
  person: (talk: Talk, world: World) => Promise<T>,
): Promise<T> {
  const { isTerminal = false, ...network } = input
  const world = await startWorld(network)
  const open = () => world.session(world.begin())
  try {
    return await talkWith(world, { open, isTerminal }, (talk) => person(talk, world))
  } finally {
    await world.end()
  }
}

test('a whole rehearsal by lines', async () => {
  const transcript = await talkInWorld({}, async (talk) => {
    await walkToDeposit(talk)
    await sendBy(talk, 'send 10000')
    await goOnAfter(talk, 'Paid: in block')
    await goOnAfter(talk, 'The chain holds validator')
    await sendBy(talk, 'send 270000')
    await goOnAfter(talk, 'Paid: in block')
    await talk.asked('Enter finish')
    talk.types('')
    await talk.over
    return talk.transcript()
  })
  expect(transcript).toMatch(PLAIN_TEXT)
  expect(masked(transcript)).toMatchSnapshot()
})

test('a key that a stranger has squatted is refused, with its reason and the ways on', async () => {
  const transcript = await talkInWorld({ scenario: 'squatted-key' }, async (talk) => {
    await goOnAfter(talk, 'Check the chain')
    await talk.asked(/Step 2 of 7[\s\S]*Stop:[\s\S]*r ask again/)
    talk.types('')
    await talk.asked('Enter alone does nothing here.')
    talk.types('? operator')
    await talk.asked('later:')
    return talk.transcript()
  })
  expect(transcript).toMatch(PLAIN_TEXT)
  expect(masked(transcript)).toMatchSnapshot()
})

test('a word counts only when it is typed letter by letter after its first second, and as it stands', async () => {
  await talkInWorld({ isTerminal: true }, async (talk, world) => {
    await walkToDeposit(talk)
    talk.types('', 'send 10000')
    await talk.asked('Several lines came at once, as in a paste: nothing was done.')
    talk.types('')
    await talk.asked('type: send 10000')
    await talk.typesSlowly('send 10000')
    await talk.asked('Keys of the first second do not count.')
    await talk.waits(1_500)
    talk.types('')
    await talk.asked('That is not the word; nothing is sent.')
    const pasted = ['send 10000\r', 'send 10000\rsend 10000\r', '\u001b[200~send 10000\u001b[201~\r']
    for (const keys of pasted) {
      talk.presses(keys)
      await talk.asked('It came at once, as in a paste: nothing is sent.')
      await talk.waits(1_500)
    }
    talk.presses('send 10000')
    await talk.waits(1_500)
    talk.presses('\r')
    await talk.asked('It came at once, as in a paste: nothing is sent.')
    expect(world.wire).toEqual([])
    await talk.waits(1_500)
    await talk.typesSlowly('senf\u007fd 1\u001b[D0000')
    await goOnAfter(talk, 'Paid: in block')
    expect(world.wire.length).toBeGreaterThan(0)
    expect(talk.transcript()).toContain('> senf\n> send 10000\n')
    expect(talk.transcript()).toMatch(PLAIN_TEXT)
  })
})
