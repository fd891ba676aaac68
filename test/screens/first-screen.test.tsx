import { describe, expect, it } from 'vitest'
import { openLaunch } from '../support/early.tsx'

describe('the choice of a network', () => {
  it('offers the rehearsal first, and begins it with Enter, and Enter for its first story', async () => {
    const app = await openLaunch()
    expect(app.screen()).toMatch(/▶ 1 {2}New rehearsal/)
    await app.press('\r')
    expect(app.chosen).toEqual([])
    await app.press('\r')
    expect(app.chosen).toEqual([{ kind: 'rehearsal', which: 'new', scenario: 'set-full' }])
    await app.close()
  })

  it('never begins with real money: it is three keys away', async () => {
    const app = await openLaunch()
    await app.press('\u001b[B')
    await app.press('\u001b[B')
    expect(app.screen()).toMatch(/▶ 3 {2}Berachain · REAL MONEY/)
    await app.press('\r')
    expect(app.chosen).toEqual([{ kind: 'network', id: 'mainnet' }])
    await app.close()
  })
})
