import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isProof } from '../../../../src/core/chain/network/anchors.ts'
import { proveSnapshot } from '../../../../src/core/clients/prove-snapshot.ts'
import { signedChainOf } from '../../../../src/core/clients/signed/signed-chain.ts'
import type { Devnet } from '../../../../src/devnet/devnet.ts'
import { networkOf } from '../../../support/network-of.ts'
import { snapshotWorld } from '../../../support/snapshot-world.ts'
import { pass, testDevnet } from '../../../support/with-devnet.ts'

let devnet: Devnet
let end: () => Promise<void>

beforeAll(async () => {
  const started = await testDevnet({ seed: 'signed' })
  devnet = started.devnet
  end = started.end
  await pass(devnet, 3)
})
afterAll(() => end())

function signedWorld(kept = new Map<string, string>()) {
  const { clients, effects } = snapshotWorld(devnet)
  const store = {
    readText: async (path: string) => kept.get(path),
    writeText: async (path: string, text: string) => void kept.set(path, text),
  } as never
  const files = { facts: async () => ({ kind: 'directory' }) } as never
  const network = networkOf(devnet)
  const engines = [devnet.descriptor.urls.engine]
  const signed = signedChainOf({ ...effects, store, files }, { network, engines, directory: '/state' })
  return { clients: { ...clients, signed }, network, signed, effects, kept }
}

describe('a chain that its validator set signs', () => {
  test('proves the head from the genesis set on', async () => {
    const { signed } = signedWorld()
    const height = await signed.claimedHeight()
    const found = await signed.blockAt(height ?? 0n)
    expect(found).toMatchObject({ is: 'signed', block: { height } })
    expect(signed.standing().trust?.from).toBe('genesis')
  })

  test('proves a state with one endpoint', async () => {
    const { clients, network, effects } = signedWorld()
    const found = await proveSnapshot(clients, { network, keep: undefined, clock: effects.clock })
    expect(found).toMatchObject({ proof: { anchors: 0, signed: { leftOut: [] } } })
    expect('proof' in found && isProof(found.proof, 2)).toBe(true)
  })
})
