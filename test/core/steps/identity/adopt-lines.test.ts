import { getAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import { sessionOfValidator } from '../../../support/adopting.ts'
import { goOnAfter, masked, PLAIN_TEXT, sendBy } from '../../../support/plain-steps.ts'
import { talkWith } from '../../../support/plain-talk.ts'
import { userOf } from '../../../support/user-of.ts'
import { startWorld } from '../../../support/world.ts'

test('a registered validator is adopted and topped up by lines, a wrong address first', async () => {
  const world = await startWorld()
  try {
    const user = await userOf(world.devnet)
    await user.firstDeposit(10_000n)
    for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
    const { pubkey, address } = user
    const open = () => sessionOfValidator(world, world.begin(), { validator: { pubkey } })
    const transcript = await talkWith(world, { open }, async (talk) => {
      await goOnAfter(talk, 'Check the chain')
      await talk.asked(/^withdrawal.*\(/m)
      talk.types(getAddress(`0x${'12'.repeat(20)}`))
      await talk.asked(/^NO /m)
      talk.types(address)
      await goOnAfter(talk, 'is adopted')
      await goOnAfter(talk, 'Step 5 of 7')
      await sendBy(talk, 'send 270000')
      await talk.asked('Paid: in block')
      return talk.transcript()
    })
    expect(world.wire.length).toBeGreaterThan(0)
    expect(transcript).toMatch(PLAIN_TEXT)
    expect(masked(transcript)).toMatchSnapshot()
  } finally {
    await world.end()
  }
})
