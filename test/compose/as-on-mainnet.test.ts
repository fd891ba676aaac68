import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { offeredOnce } from '../../src/compose/as-on-mainnet.ts'
import { createLauncher } from '../../src/compose/create-launcher.ts'
import { networkChoice } from '../../src/compose/network-choice.ts'
import { openSettings } from '../../src/compose/settings.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import { anchorsNeeded, asksAsRealMoney } from '../../src/core/chain/network/network.ts'
import { BEPOLIA, MAINNET } from '../../src/core/chain/network/presets.ts'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import type { Launcher } from '../../src/hooks/launch-loop.ts'
import { buildSigner } from '../support/build-signer.ts'
import { cheapEffects } from '../support/cheap-curve.ts'
import { hardTest } from '../support/hard.ts'
import { testDevnet } from '../support/with-devnet.ts'

describe('a rehearsal as on mainnet', () => {
  let descriptor: DevnetDescriptor
  let folder: string
  let launcher: Launcher
  const signal = () => new AbortController().signal

  beforeEach(async () => {
    const { signerPath } = await buildSigner()
    const { devnet, directory, end } = await testDevnet({ scenario: 'as-on-mainnet' })
    onTestFinished(end)
    descriptor = devnet.descriptor
    folder = directory
    launcher = createLauncher({
      effects: async () => cheapEffects({ signer: createNodeSigner({ signerPath }), tell: () => undefined }),
      stateDirectory: directory,
      initial: undefined,
      onSession: (session) => session,
      signal: signal(),
      tell: () => undefined,
    })
  })

  const choice = () => ({ kind: 'as-on-mainnet', which: { folder } }) as const
  const typed = () => ({
    homePath: descriptor.home,
    ...descriptor.urls,
    secondExecution: descriptor.second ?? '',
    keystore: descriptor.keystore.path,
  })

  test('has three accounts, a second endpoint of the same chain, and a keystore as heavy as that of geth', async () => {
    const { keystore, operator, withdrawalAddress, second = '', urls, slotMs } = descriptor
    const sealed = JSON.parse(await readFile(keystore.path, 'utf8'))
    expect(sealed.crypto.kdfparams.n).toBe(262_144)
    expect(new Set([`0x${sealed.address}`, operator, withdrawalAddress]).size).toBe(3)
    expect(slotMs).toBe(2000)
    const blocks = [urls.execution, second].map(async (url) => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBlockByNumber',
        params: ['0x1', false],
      })
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return ((await reply.json()) as { result: { hash: string } }).result.hash
    })
    const [one, other] = await Promise.all(blocks)
    expect(one).toMatch(/^0x[0-9a-f]{64}$/)
    expect(other).toBe(one)
  })

  hardTest('proposes nothing but what the typed home names', async () => {
    const blank = await launcher.draft(choice())
    expect(blank.fields.map(({ suggestion }) => suggestion)).toEqual(['', '', '', '', '', ''])
    const named = await launcher.draft(choice(), descriptor.home)
    expect(Object.fromEntries(named.fields.map(({ id, suggestion }) => [id, suggestion]))).toEqual({
      homePath: descriptor.home,
      execution: '',
      node: descriptor.urls.node,
      engine: descriptor.urls.engine,
      secondExecution: '',
      keystore: '',
    })
  })

  test('has a session by what was typed, with no password and no address, and is gone on with by the same', async () => {
    const session = await launcher.open(choice(), typed(), signal())
    await session.stop()
    const again = await launcher.open({ kind: 'rehearsal', which: { folder } }, {}, signal())
    await again.stop()
    for (const { setup } of [session, again]) {
      expect(setup).toMatchObject({
        homePath: descriptor.home,
        endpoints: { ...descriptor.urls, secondExecution: descriptor.second },
        keystore: descriptor.keystore.path,
        journalDirectory: join(folder, 'journal'),
      })
      expect(setup.passwordDescriptor).toBeUndefined()
      expect(setup.suggestedAddress).toBeUndefined()
      expect(setup.network.kind).toBe('rehearsal')
      expect(asksAsRealMoney(setup.network)).toBe(true)
      const { secondExecution: _, ...one } = setup.endpoints
      expect(anchorsNeeded({ ...setup, endpoints: one })).toBe(2)
    }
  })

  hardTest(
    'cannot be gone on with where nothing was typed, or where what was kept is another thing',
    async () => {
      const open = () => launcher.open({ kind: 'rehearsal', which: { folder } }, {}, signal())
      await expect(open()).rejects.toMatchObject({ code: 'rehearsal.not-typed' })
      await writeFile(join(folder, 'addresses.json'), '{"homePath": 7}')
      await expect(open()).rejects.toMatchObject({
        code: 'network.field',
        message: expect.stringContaining('homePath'),
      })
    },
  )
})

test('its name on the command line leads to its form; for a registered validator it is a rehearsal like others', () => {
  expect(networkChoice({ scenario: 'as-on-mainnet' })).toEqual({ kind: 'as-on-mainnet', which: 'last' })
  expect(networkChoice({ scenario: 'as-on-mainnet', validator: '3' })).toMatchObject({ kind: 'rehearsal' })
  expect(asksAsRealMoney(MAINNET)).toBe(true)
  expect(asksAsRealMoney(BEPOLIA)).toBe(false)
})

test('is offered before the first form of the mainnet on this computer, once', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'offer-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const offered = (network: typeof MAINNET) => offeredOnce(openSettings(directory), network).before?.is
  expect(offered(BEPOLIA)).toBeUndefined()
  expect(offered(MAINNET)).toBe('offer')
  expect(offered(MAINNET)).toBeUndefined()
  openSettings(directory).remember('mainnet', { homePath: '/var/lib/node' })
  expect(offered(MAINNET)).toBeUndefined()
})
