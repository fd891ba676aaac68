import { expect, test } from 'vitest'
import { type Talk, talkWith } from '../support/plain-talk.ts'
import { sameEveryRun } from '../support/still.ts'
import { startWorld, type World } from '../support/world.ts'

/** Types the groups of an address that are asked for. */
async function typeGroups(talk: Talk, address: string): Promise<void> {
  await talk.asked(/groups \d+ and \d+ of its ten/)
  const [, first = '', last = ''] = /groups (\d+) and (\d+) of its/.exec(talk.said()) ?? []
  talk.types(address.slice(2).slice(4 * (Number(first) - 1), 4 * Number(last)))
}

async function send(talk: Talk, word: string): Promise<void> {
  await talk.asked('Enter send')
  talk.types('')
  await talk.asked(`type: ${word}`)
  await talk.waits(1_500)
  talk.types(word)
}

async function goOn(talk: Talk, title: string): Promise<void> {
  await talk.asked(new RegExp(`${title}[\\s\\S]*Enter continue`))
  talk.types('')
}

async function inWorld<T>(work: (world: World) => Promise<T>): Promise<T> {
  const world = await startWorld()
  try {
    return await work(world)
  } finally {
    await world.end()
  }
}

test('a whole rehearsal by lines', async () => {
  const transcript = await inWorld((world) =>
    talkWith(world, { open: () => world.session(world.begin()) }, async (talk) => {
      await goOn(talk, 'Check the chain')
      await goOn(talk, 'Check the key')
      const address = talk.session().setup.suggestedAddress ?? ''
      await talk.asked('withdrawal address')
      talk.types('')
      await typeGroups(talk, address)
      await talk.asked('operator')
      talk.types('')
      await typeGroups(talk, address)
      await talk.asked('amount')
      talk.types('10000')
      await talk.asked('Enter sign')
      talk.types('')
      await goOn(talk, 'Sign the first deposit')
      await send(talk, 'send 10000')
      await goOn(talk, 'Send the first deposit')
      await goOn(talk, 'Prove the registration')
      await send(talk, 'send 270000')
      await goOn(talk, 'Top up')
      await talk.asked('Enter finish')
      talk.types('')
      await talk.over
      return talk.transcript()
    }),
  )
  expect(transcript).toMatch(/^[\x20-\x7e\n]*$/)
  expect(sameEveryRun(transcript)).toMatchSnapshot()
})
