import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpReply } from '../../../../src/core/base/effects/effects.ts'
import { isProof, type Network } from '../../../../src/core/chain/network/network.ts'
import { createExecutionClient } from '../../../../src/core/clients/execution/client.ts'
import type { ClientEffects } from '../../../../src/core/clients/http-client.ts'
import { proveSnapshot } from '../../../../src/core/clients/prove-snapshot.ts'
import { signedChainOf } from '../../../../src/core/clients/signed/signed-chain.ts'
import type { Devnet } from '../../../../src/devnet/devnet.ts'
import { networkOf } from '../../../support/network-of.ts'
import { type Meddler, snapshotWorld } from '../../../support/snapshot-world.ts'
import { pass, testDevnet } from '../../../support/with-devnet.ts'

const DAY_MS = 86_400_000
const PATH = '/state/trusted-header.json'

let devnet: Devnet
let end: () => Promise<void>

beforeAll(async () => {
  const started = await testDevnet({ seed: 'signed', realCurve: true })
  devnet = started.devnet
  end = started.end
  await pass(devnet, 3)
})
afterAll(() => end())

type Given = { kept?: Map<string, string>; meddle?: Meddler; ageMs?: number; network?: Partial<Network> }

/** A process that follows the rehearsal by its engine, some time after its newest block. */
function signedWorld({ kept = new Map(), meddle, ageMs = 0, network: other = {} }: Given = {}) {
  const { clients, effects: plain } = snapshotWorld(devnet, meddle)
  const nowMs = () => devnet.chain.history.head.timestampSeconds * 1000 + ageMs
  const effects = { ...plain, clock: { ...plain.clock, nowMs } }
  const store = {
    readText: async (path: string) => kept.get(path),
    writeText: async (path: string, text: string) => void kept.set(path, text),
  } as never
  const files = { facts: async () => ({ kind: 'directory' }) } as never
  const network: Network = { ...networkOf(devnet), ...other }
  const engines = [devnet.descriptor.urls.engine]
  const signed = signedChainOf({ ...effects, store, files }, { network, engines, directory: '/state' })
  return { clients: { ...clients, signed }, network, signed, effects, kept }
}

const head = () => devnet.chain.history.head.header.slot
const onNetwork = { kind: 'test', clockIsWall: true } as const

/** Changes the text of the replies at one path. */
const rewriting =
  (path: string, change: (text: string) => string): Meddler =>
  async (asked, reply): Promise<HttpReply | undefined> =>
    asked === path
      ? { ...reply, body: new TextEncoder().encode(change(new TextDecoder().decode(reply.body))) }
      : undefined

const nobodySigned = rewriting('/commit', (text) =>
  text
    .replace(/"block_id_flag":\d/g, '"block_id_flag":1')
    .replace(/"(validator_address|signature)":"[^"]*"/g, (_, name) => `"${name}":""`),
)

const unsigned = rewriting('/commit', (text) =>
  text.replace(/"signature":"[A-Za-z0-9+/]{8}/g, '"signature":"AAAAAAAA'),
)

/** The execution endpoint under another name, what it says changed on its way. */
const beside = (effects: ClientEffects, change: (text: string) => string | Promise<string>) =>
  createExecutionClient(
    {
      ...effects,
      http: {
        async request(asked) {
          const reply = await effects.http.request(asked)
          const text = await change(new TextDecoder().decode(reply.body))
          return { ...reply, body: new TextEncoder().encode(text) }
        },
      },
    },
    devnet.descriptor.urls.execution.replace('127.0.0.1', 'localhost'),
  )

describe('a chain that its validator set signs', () => {
  test('proves the head from the genesis set on', async () => {
    const { signed } = signedWorld()
    const height = await signed.claimedHeight()
    expect(height).toBe(head())
    expect(await signed.blockAt(head())).toMatchObject({ is: 'signed', block: { height } })
    expect(signed.standing().trust?.from).toBe('genesis')
  })

  test('proves a state and what waits with one endpoint', async () => {
    const { clients, network, effects } = signedWorld()
    const found = await proveSnapshot(clients, { network, keep: undefined, clock: effects.clock })
    expect(found).toMatchObject({ proof: { anchors: 0, signed: { leftOut: [] } }, uncounted: [] })
    expect('proof' in found && isProof(found.proof, 2)).toBe(true)
  })

  test('names a second endpoint that has another block, and goes on without it', async () => {
    const { clients, network, effects } = signedWorld()
    const liar = beside(effects, (text) => text.replace(/"hash":"0x\w{8}/g, '"hash":"0x00000000'))
    for (const order of [
      { execution: clients.execution, second: liar },
      { execution: liar, second: clients.execution },
    ]) {
      const asked = { ...clients, ...order }
      const found = await proveSnapshot(asked, { network, keep: undefined, clock: effects.clock })
      expect('proof' in found && isProof(found.proof, 2)).toBe(true)
      if ('proof' in found && order.execution === liar)
        expect(found.proof.signed?.leftOut.join()).toContain('localhost')
    }
  })

  test('goes on with another endpoint’s proof, and names the one whose proof is false', async () => {
    const { clients, network, effects } = signedWorld()
    const execution = beside(effects, (text) =>
      text.replace(/"accountProof":\["0x\w{8}/, '"accountProof":["0xf9021100'),
    )
    const asked = { ...clients, execution, second: clients.execution }
    const found = await proveSnapshot(asked, { network, keep: undefined, clock: effects.clock })
    expect(found).toMatchObject({ proof: { anchors: 0 }, uncounted: [] })
    expect('proof' in found && found.proof.signed?.leftOut).toEqual([expect.stringContaining('localhost')])
  })

  test('waits for no second endpoint that never answers', async () => {
    const { clients, network, effects } = signedWorld()
    const second = beside(effects, () => new Promise<never>(() => undefined))
    const asked = { ...clients, second }
    const found = await proveSnapshot(asked, { network, keep: undefined, clock: effects.clock })
    expect('proof' in found && isProof(found.proof, 2)).toBe(true)
  })

  test('says that nothing is served where no engine answers, and asks nobody twice', async () => {
    const silent: Meddler = async (path) =>
      path === '/commit' ? { status: 404, headers: {}, body: new Uint8Array() } : undefined
    const { signed } = signedWorld({ meddle: silent })
    expect(await signed.claimedHeight()).toBeUndefined()
    expect(await signed.blockAt(head())).toMatchObject({ is: 'unavailable' })
  })

  test('is contradicted by a false signature on a rehearsal, from the first block on', async () => {
    const { signed } = signedWorld({ meddle: unsigned })
    expect(await signed.blockAt(head())).toMatchObject({ is: 'contradicted' })
  })

  test('isn’t available on a rehearsal of given files, whose secrets nobody here holds', async () => {
    const { signed } = signedWorld({ meddle: nobodySigned })
    expect(await signed.blockAt(head())).toMatchObject({
      is: 'unavailable',
      why: expect.stringContaining('two thirds'),
    })
  })

  test('isn’t available on another network whose first block doesn’t fit: its engine may sign otherwise', async () => {
    const { signed } = signedWorld({ meddle: unsigned, network: onNetwork })
    expect(await signed.blockAt(head())).toMatchObject({ is: 'unavailable' })
  })

  test('goes on from the kept header, and takes a damaged file for none', async () => {
    const first = signedWorld({ network: onNetwork })
    expect((await first.signed.blockAt(head())).is).toBe('signed')
    const text = first.kept.get(PATH) ?? ''
    expect(text).toContain('"format":1')
    // With the kept header the first block isn't asked for any more.
    const genesisGone = rewriting('/genesis', () => '{}')
    const again = signedWorld({ kept: first.kept, meddle: genesisGone, network: onNetwork })
    expect((await again.signed.blockAt(head())).is).toBe('signed')
    // And a block that isn't signed is a contradiction by then.
    const forged = signedWorld({ kept: first.kept, meddle: unsigned, network: onNetwork })
    expect((await forged.signed.blockAt(head())).is).toBe('contradicted')
    for (let at = 0; at < text.length - 1; at += 97) {
      const changed = `${text.slice(0, at)}${text[at] === '7' ? '8' : '7'}${text.slice(at + 1)}`
      const world = signedWorld({ kept: new Map([[PATH, changed]]), network: onNetwork })
      expect((await world.signed.blockAt(head())).is).toBe('signed')
      expect(world.signed.standing()).toMatchObject({ isFileDamaged: true, trust: { from: 'genesis' } })
    }
  })

  test('begins anew once the trusted header is older than the payout delay', async () => {
    const first = signedWorld({ network: onNetwork })
    expect((await first.signed.blockAt(head())).is).toBe('signed')
    const later = signedWorld({ kept: first.kept, ageMs: 2 * DAY_MS, network: onNetwork })
    expect(await later.signed.blockAt(head())).toMatchObject({ is: 'unavailable' })
    expect(later.signed.standing().trust).toBeUndefined()
  })

  test('begins with a set that was proven from a state, where the first block can’t be had', async () => {
    const { slotsPerEpoch } = networkOf(devnet).spec
    while (head() % slotsPerEpoch < 4n) await devnet.advanceSlot()
    const world = signedWorld({ meddle: rewriting('/genesis', () => '{}'), network: onNetwork })
    const options = { network: world.network, keep: undefined, clock: world.effects.clock }
    expect((await world.signed.blockAt(head())).is).toBe('unavailable')
    expect(await proveSnapshot(world.clients, options)).toMatchObject({ proof: { anchors: 1 } })
    expect(await proveSnapshot(world.clients, options)).toMatchObject({ proof: { signed: { leftOut: [] } } })
    expect(world.signed.standing().trust?.from).toBe(devnet.descriptor.urls.execution)
  })
})
