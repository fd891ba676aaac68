import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLauncher } from '../../src/compose/create-launcher.ts'
import { type NetworkSettings, openSettings } from '../../src/compose/settings.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { cheapEffects } from '../support/cheap-curve.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { noSigner } from '../support/offline.ts'
import { alterState } from '../support/snapshot-world.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

let devnet: Devnet
let directory: string
let end: () => Promise<void>
beforeAll(async () => {
  const network = await testDevnet({ scenario: 'set-full', seed: 'price' })
  devnet = network.devnet
  directory = mkdtempSync(join(tmpdir(), 'price-'))
  writeFileSync(join(directory, 'network.json'), networkFileOf(devnet.descriptor))
  await pass(devnet, 3)
  end = async () => {
    await network.end()
    rmSync(directory, { recursive: true })
  }
})
afterAll(() => end())

/** The way to the form of the network, with what is remembered of it, and who was asked. */
function launcherWith(saved: NetworkSettings, change: (effects: Effects) => Effects = (same) => same) {
  const stateDirectory = mkdtempSync(join(directory, 'state-'))
  openSettings(stateDirectory).remember('dress', saved)
  const asked: string[] = []
  const real = cheapEffects({ signer: noSigner })
  const effects = change({
    ...real,
    http: {
      request: (request) => {
        asked.push(new URL(request.url).origin)
        return real.http.request(request)
      },
    },
  })
  const choice = { kind: 'file', path: join(directory, 'network.json') } as const
  const input = {
    effects: async () => effects,
    stateDirectory,
    signal: never,
    initial: undefined,
    onSession: (session: Session) => session,
    tell: () => undefined,
  }
  return { launcher: createLauncher(input), choice, asked }
}

const never = new AbortController().signal
const named = () => ({ execution: devnet.descriptor.urls.execution, node: devnet.descriptor.urls.node })

describe('what a place costs, on the first screen of a network', () => {
  test('is what the state of the node says, asked of the endpoints that were used before alone', async () => {
    const { launcher, choice, asked } = launcherWith(named())
    expect(await launcher.draft(choice)).toMatchObject({ places: 'asked' })
    expect(asked).toEqual([])
    const { validators, slot } = devnet.state()
    const epoch = slot / devnet.chain.input.spec.slotsPerEpoch
    const active = validators.filter((each) => each.activationEpoch <= epoch && epoch < each.exitEpoch)
    const stakes = active.map((each) => each.effectiveBalanceGwei)
    const last = stakes.reduce((a, b) => (a < b ? a : b))
    expect(await launcher.price({ choice }, never)).toEqual({
      taken: active.length,
      places: devnet.chain.input.spec.validatorSetCap,
      lastGwei: last,
      allGwei: last + tokens(10_000n),
      token: 'BERA',
      isProven: true,
    })
    expect([...new Set(asked)].sort()).toEqual(Object.values(named()).sort())
  })

  test.each([
    {},
    { homePath: '/srv/node' },
    { execution: 'http://127.0.0.1:1' },
    { node: 'http://127.0.0.1:1' },
  ])('is asked of nobody where only %j was named before', async (saved) => {
    const { launcher, choice, asked } = launcherWith(saved)
    const draft = await launcher.draft(choice)
    expect(draft).toMatchObject({ places: 'unnamed', intro: expect.stringMatching(/Nothing is asked/) })
    expect(asked).toEqual([])
  })

  test('is told by the endpoints that stand in the form alone, where the user asks them before any was used', async () => {
    const { launcher, choice, asked } = launcherWith({
      execution: 'http://127.0.0.1:1',
      node: 'http://127.0.0.1:1',
    })
    expect(await launcher.price({ choice, endpoints: named() }, never)).toMatchObject({
      taken: 12,
      isProven: true,
    })
    expect([...new Set(asked)].sort()).toEqual(Object.values(named()).sort())
  })

  test('is nothing where the node lies, nobody answers, or the form is left', async () => {
    const lying = launcherWith(named(), (effects) => ({
      ...effects,
      http: {
        async request(request) {
          const { sink: _, ...whole } = request
          const reply = await effects.http.request(whole)
          const change = alterState((text) => text.replaceAll('270000000000000', '260000000000000'))
          return (await change(new URL(request.url).pathname, reply)) ?? reply
        },
      },
    }))
    await expect(lying.launcher.price({ choice: lying.choice }, never)).rejects.toMatchObject({
      code: 'proofs.state-mismatch',
    })
    const silent = launcherWith({ execution: 'http://127.0.0.1:1', node: 'http://127.0.0.1:1' })
    await expect(silent.launcher.price({ choice: silent.choice }, never)).rejects.toMatchObject({
      code: 'client.unreachable',
    })
    const left = launcherWith(named())
    await expect(left.launcher.price({ choice: left.choice }, AbortSignal.abort())).rejects.toThrow()
  })
})
