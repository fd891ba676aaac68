import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isRegistered } from '../../src/core/steps/identity/state.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest, one } from '../support/hard.ts'
import { atLine, atSending, dieWhileRegistering } from '../support/kills.ts'
import type { Cut, Moment } from '../support/life.ts'
import { live, register } from '../support/register.ts'
import { userOf } from '../support/user-of.ts'
import { startWorld } from '../support/world.ts'

/** What one registration writes down, in its order: in the suite the first and the last. */
const LINES = [
  'sign.planned',
  'sign.signed',
  ...['deposit', 'topup'].flatMap((step) =>
    ['agreed', 'prepared', 'signed', 'handed-over', 'included', 'ended'].map((type) => `${step}.${type}`),
  ),
]

/** A process dies, its journal is lost, and another one begins with nothing but the key and the chain. */
async function loseJournal(dies: (moment: Moment) => Cut | undefined): Promise<void> {
  const world = await startWorld()
  try {
    await dieWhileRegistering(world, { dies })
    rmSync(join(world.directory, 'journal'), { recursive: true })
    const { ending } = await live(world, world.begin())
    expect(ending).toEqual({ end: 'active' })
    const { pubkey } = await userOf(world.devnet)
    const paid = await depositsOf(world.devnet.descriptor.urls.execution, pubkey)
    expect(paid).toEqual([10_000n, 270_000n].map((amount) => amount * 10n ** 9n))
  } finally {
    await world.end()
  }
}

describe('a journal that is lost leads to the right place: one first deposit, one top-up', () => {
  test.each(one(LINES, 5))('after its line %s', (type) => loseJournal(atLine(type, 'after')))
  hardTest.each([
    ['first deposit', 1],
    ['top-up', 2],
  ] as const)('while the %s waits for a block', (_, payment) => loseJournal(atSending(payment, 'after')))
})

test('a journal that is lost: nobody says that nothing has left the wallet for a key that the chain knows', async () => {
  const world = await startWorld()
  try {
    await dieWhileRegistering(world, { dies: atLine('deposit.ended', 'after') })
    rmSync(join(world.directory, 'journal'), { recursive: true })
    await world.clock.flow(() => world.clock.sleep(5000))
    const lines = new Set<string>()
    await world.clock.flow(async () => {
      const session = await world.session(world.begin())
      session.subscribe((state) => {
        if (state.step === 'identity' && isRegistered(state.identity) && state.identity.adopted === undefined)
          lines.add(viewOf(state.step, state, session).money.line)
      })
      return register(world, session)
    })
    expect([...lines]).toEqual([STEP_TEXT.sendsNothing(STEP_TEXT.left.unknown)])
  } finally {
    await world.end()
  }
})
