import { expect, test } from 'vitest'
import { goOnAfter, masked, PLAIN_TEXT, sendBy, walkToDeposit } from '../support/plain-steps.ts'
import { type Talk, type TalkOptions, talkWith } from '../support/plain-talk.ts'
import { startWorld, type World, type WorldInput } from '../support/world.ts'

async function talkInWorld<T>(
  input: WorldInput & Pick<TalkOptions, 'isTerminal' | 'isDumb'>,
  person: (talk: Talk, world: World) => Promise<T>,
): Promise<T> {
  const { isTerminal = false, isDumb = false, ...network } = input
  const world = await startWorld(network)
  const open = () => world.session(world.begin())
  try {
    return await talkWith(world, { open, isTerminal, isDumb }, (talk) => person(talk, world))
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
    expect(talk.marksPastes()).toBe(false)
    talk.types('', 'send 10000')
    await talk.asked('Several lines came at once, as in a paste: nothing was done.')
    talk.types('')
    await talk.asked('type: send 10000')
    expect(talk.marksPastes()).toBe(true)
    await talk.typesSlowly('send 10000')
    await talk.asked('Keys of the first second do not count.')
    await talk.waits(1_500)
    talk.types('')
    await talk.asked('Nothing was sent. Type exactly: send 10000')
    const pasted = ['send 10000', 'send 10000\r', 'send\r'].map((text) => `\u001b[200~${text}\u001b[201~`)
    for (const keys of pasted) {
      talk.presses(keys)
      await talk.asked('A paste does not count: nothing is sent.')
      await talk.waits(1_500)
      talk.presses('\r')
      await talk.asked('Nothing was sent. Type exactly: send 10000')
      await talk.waits(1_500)
    }
    for (const keys of ['send 10000\r', 'send 10000\r\r', 'send 10000\rsend 10000\r']) {
      talk.presses(keys)
      await talk.asked('Enter arrived together with the letters. Press it once more.')
      await talk.waits(1_500)
      expect(world.wire).toEqual([])
      talk.presses('\u0015')
      await talk.waits(1_500)
    }
    expect(world.wire).toEqual([])
    await talk.waits(1_500)
    await talk.typesSlowly('senf\u007fd 1\u001b[D0000')
    await goOnAfter(talk, 'Paid: in block')
    expect(talk.marksPastes()).toBe(false)
    expect(world.wire.length).toBeGreaterThan(0)
    expect(talk.transcript()).toContain('> senf\n> send 10000\n')
    expect(talk.transcript()).toMatch(PLAIN_TEXT)
  })
})

const BURSTS = ['se', 'nd 10', '000', '\r']
test.each([
  ['letters in bursts', { chunks: BURSTS }],
  ['letters in bursts, where no paste is marked', { chunks: BURSTS, isDumb: true }],
  ['an Enter that came in one burst with its letters, and one more', { chunks: ['send 10000\r', '\r'] }],
  ['an Enter in one burst with the last letters', { chunks: ['send', ' 10000\r', '\r'], isDumb: true }],
] as [string, { chunks: string[]; isDumb?: true }][])(
  'over a slow line the word counts: %s',
  async (_, given) => {
    const { chunks, isDumb = false } = given
    await talkInWorld({ isTerminal: true, isDumb }, async (talk, world) => {
      await walkToDeposit(talk)
      talk.types('')
      await talk.asked('type: send 10000')
      await talk.waits(1_500)
      for (const chunk of chunks) {
        expect(world.wire).toEqual([])
        talk.presses(chunk)
        await talk.waits(400)
      }
      await goOnAfter(talk, 'Paid: in block')
    })
  },
)

test('what comes behind a word in one chunk with its Enter is dropped', async () => {
  await talkInWorld({ isTerminal: true }, async (talk) => {
    await walkToDeposit(talk)
    talk.types('')
    await talk.asked('type: send 10000')
    await talk.waits(1_500)
    for (const letter of 'send 10000') {
      talk.presses(letter)
      await talk.waits(90)
    }
    talk.presses('\rquark\r')
    await goOnAfter(talk, 'Paid: in block')
    expect(talk.transcript()).toContain('> send 10000\n')
    expect(talk.transcript()).not.toContain('quark')
  })
})

test('where no paste is marked, a line that came at once with its Enter is one', async () => {
  await talkInWorld({ isTerminal: true, isDumb: true }, async (talk, world) => {
    await walkToDeposit(talk)
    talk.types('')
    await talk.asked('type: send 10000')
    for (const keys of ['send 10000\r', 'send 10000\r\r', 'send 10000\nsend 10000\n']) {
      await talk.waits(1_500)
      talk.presses(keys)
      await talk.asked('A paste does not count: nothing is sent.')
      await talk.waits(400)
      talk.presses('\r')
      await talk.asked('Nothing was sent. Type exactly: send 10000')
    }
    expect(talk.marksPastes()).toBe(false)
    expect(world.wire).toEqual([])
  })
})
