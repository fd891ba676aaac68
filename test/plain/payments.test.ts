import { expect, test } from 'vitest'
import { awaitedOf } from '../../src/core/observe/findings.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import { hardTest } from '../support/hard.ts'
import { keepingPool } from '../support/keeping-pool.ts'
import { goOnAfter, masked, PLAIN_TEXT, quit, sendBy, walkToDeposit } from '../support/plain-steps.ts'
import { type Talk, talkWith } from '../support/plain-talk.ts'
import { live } from '../support/register.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import { userOf } from '../support/user-of.ts'
import { signShown } from '../support/wallet-machine.ts'
import type { LifeOptions, World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** One run of the program by lines, and what was said in it. */
async function transcriptOf(
  world: World,
  person: (talk: Talk) => Promise<void>,
  life: LifeOptions = {},
): Promise<string> {
  const transcript = await talkWith(world, { open: () => world.session(world.begin(life)) }, async (talk) => {
    await person(talk)
    return talk.transcript()
  })
  expect(transcript).toMatch(PLAIN_TEXT)
  return transcript
}

/** From where a transcript first says the words. */
const since = (words: string, transcript: string): string => transcript.slice(transcript.indexOf(words))

test('a payment that stands still is sped up, and a restart goes on behind it', async () => {
  const world = await openWorld()
  const pool = keepingPool((place) => place === 0)
  const first = await transcriptOf(
    world,
    async (talk) => {
      await walkToDeposit(talk)
      await sendBy(talk, 'send 10000')
      await talk.asked('b speed it up')
      talk.types('b')
      await sendBy(talk, 'speed up', 'speed it up')
      await talk.asked('Paid: in block')
      await quit(talk)
    },
    { mutate: pool.mutate },
  )
  expect(masked(since('send 10000\n>', first))).toMatchSnapshot()
  const second = await transcriptOf(world, async (talk) => {
    await talk.asked(/Welcome back[\s\S]*Enter go on to confirm/)
    talk.types('')
    await talk.asked('The chain holds validator')
    await quit(talk)
  })
  // Whether the first step's page was said before it depends on which of two answers comes first.
  expect(masked(since('Welcome back', second))).toMatchSnapshot()
  expect(pool.kept).toHaveLength(1)
})

test('while the chain makes no block, the lines say that in the place of a payment that is stuck', async () => {
  const world = await openWorld()
  let hasLeft = false
  const transcript = await transcriptOf(
    world,
    async (talk) => {
      await walkToDeposit(talk)
      await sendBy(talk, 'send 10000')
      await talk.asked('b speed it up')
      world.goOn()
      await talk.asked('Paid: in block')
      await quit(talk)
    },
    {
      request(asked) {
        if (hasLeft || sentBytes(asked) === undefined) return
        hasLeft = true
        world.halt()
      },
    },
  )
  const said = since('send 10000\n>', transcript)
  const stands = said.indexOf('??  No new block is seen; the last is block ')
  expect(stands).toBeGreaterThan(-1)
  expect(said.indexOf(`b ${PAYMENT_TEXT.keys.speedUp}`)).toBeGreaterThan(stands)
  expect(said).toContain(
    `waiting ${awaitedOf({ is: 'still', slot: 0n, sinceMs: 0, beside: { is: 'unknown' } }).label}`,
  )
  expect(said).not.toMatch(/stuck/i)
})

test('an external signer gets the command, and what it signed is taken', async () => {
  const world = await openWorld()
  const { address } = await userOf(world.devnet)
  const transcript = await transcriptOf(world, async (talk) => {
    await walkToDeposit(talk)
    talk.types('t')
    await talk.asked(/paying account \(/)
    talk.types(address)
    await sendBy(talk, 'prepare 10000', 'prepare')
    await talk.asked('p import it signed')
    talk.types('c')
    await talk.asked(/^cast mktx .*$/m)
    const [command = ''] = /^cast mktx .*$/m.exec(talk.said()) ?? []
    const raw = await world.clock.during(() => signShown(world, command))
    talk.types('p')
    await talk.asked(/signed transaction \(/)
    talk.types(`${raw.slice(0, -2)}00`)
    await talk.asked(/^NO /m)
    talk.types(raw)
    await talk.asked('Paid: in block')
    await quit(talk)
  })
  expect(masked(since('> t\n', transcript))).toMatchSnapshot()
})

hardTest('a validator that is outbid while active is told so, and saved by a top-up', async () => {
  const world = await openWorld({ scenario: 'outbid-while-active' })
  const life = world.begin()
  const { session } = await live(world, life)
  await world.clock.flow(() => session.stop())
  const transcript = await transcriptOf(world, async (talk) => {
    await talk.asked(/Welcome back[\s\S]*Enter go on to confirm/)
    talk.types('')
    await goOnAfter(talk, 'The chain holds validator')
    await goOnAfter(talk, 'Step 6 of 7')
    await talk.asked(/Your validator drops out of the active set[\s\S]*t top up 20,000/)
    talk.types('t')
    await sendBy(talk, 'send 20000')
    await goOnAfter(talk, 'Paid: in block')
    await talk.asked('Your validator is active')
    await quit(talk)
  })
  expect(since('Paid: in block', since('> send 20000', transcript))).not.toContain('Your validator drops out')
  // Whether the set of before is said once more depends on which of two answers comes first.
  const told = since('Step 7 of 7', transcript).replace(/^ *rank 12, as .*\n/gm, '')
  expect(masked(told)).toMatchSnapshot()
})
