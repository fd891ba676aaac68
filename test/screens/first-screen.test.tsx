import { render } from 'ink-testing-library'
import { describe, expect, it } from 'vitest'
import type { NetworkChoice } from '../../src/core/launch/choice.ts'
import { ShellProvider } from '../../src/hooks/shell.tsx'
import { Start } from '../../src/screens/Start.tsx'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

async function openStart() {
  const chosen: NetworkChoice[] = []
  const shell = { clock: { monotonicMs: () => 0 }, quit: () => undefined }
  const app = render(
    <ShellProvider shell={shell}>
      <Start onChoose={(choice) => chosen.push(choice)} />
    </ShellProvider>,
  )
  await settled()
  const press = async (key: string) => {
    app.stdin.write(key)
    await settled()
    await settled()
  }
  return { app, chosen, press }
}

describe('the choice of a network', () => {
  it('offers the rehearsal first, and begins it with Enter, and Enter for its first story', async () => {
    const { app, chosen, press } = await openStart()
    expect(app.lastFrame()).toMatch(/▶ 1 {2}New rehearsal/)
    await press('\r')
    expect(chosen).toEqual([])
    await press('\r')
    expect(chosen).toEqual([{ kind: 'rehearsal', which: 'new', scenario: 'set-full' }])
    app.unmount()
  })

  it('never begins with real money: it is three keys away', async () => {
    const { app, chosen, press } = await openStart()
    await press('\u001b[B')
    await press('\u001b[B')
    expect(app.lastFrame()).toMatch(/▶ 3 {2}Berachain · REAL MONEY/)
    await press('\r')
    expect(chosen).toEqual([{ kind: 'network', id: 'mainnet' }])
    app.unmount()
  })
})
