import { render } from 'ink-testing-library'
import { describe, expect, it } from 'vitest'
import { ShellProvider } from '../../src/hooks/shell.tsx'
import { Start, type StartChoice } from '../../src/screens/Start.tsx'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

async function openStart() {
  const chosen: StartChoice[] = []
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
  it('offers the rehearsal first, and chooses it with Enter', async () => {
    const { app, chosen, press } = await openStart()
    expect(app.lastFrame()).toMatch(/▶ 1 {2}Rehearsal · play money/)
    await press('\r')
    expect(chosen).toEqual([{ kind: 'network', id: 'rehearsal' }])
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
