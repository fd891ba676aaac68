import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { HomeEffects } from '../../../../src/core/chain/identity/home-files.ts'
import { isGenesisKey, readGenesis } from '../../../../src/core/chain/identity/read-genesis.ts'
import type { Network } from '../../../../src/core/chain/network/network.ts'
import { BEPOLIA, MAINNET } from '../../../../src/core/chain/network/presets.ts'

const file = (path: string) => readFileSync(new URL(`../../../vectors/${path}`, import.meta.url), 'utf8')
const genesisOf = ({ id }: Network) => file(`networks/${id}/genesis.json`)
const STRANGER: Hex = `0x${'a7'.repeat(48)}`

/** A home with this genesis file. */
function home(genesisJson: string): HomeEffects {
  const files: Record<string, string> = {
    '/node/config/config.toml': file('home-example/config/config.toml'),
    '/node/config/genesis.json': genesisJson,
  }
  return {
    files: {
      read: async (path) => new TextEncoder().encode(files[path] ?? ''),
      facts: async (path) => (path in files ? { kind: 'file', mode: 0o600, ownedByUser: true } : undefined),
    },
  }
}

const ask = (genesisJson: string, network: Network, pubkey: Hex) =>
  isGenesisKey(home(genesisJson), { homePath: '/node', network, pubkey })

describe.each([MAINNET, BEPOLIA])('the genesis file of $id', (network) => {
  const text = genesisOf(network)
  const keys = readGenesis(text).deposits.map(({ pubkey }) => pubkey)

  test('knows each of its own keys in any spelling, and no other', async () => {
    for (const pubkey of keys) expect(await ask(text, network, pubkey)).toBe(true)
    const [first = STRANGER] = keys
    expect(await ask(text, network, `0x${first.slice(2).toUpperCase()}`)).toBe(true)
    expect(await ask(text, network, STRANGER)).toBe(false)
  })

  test('does not count when one of its keys was changed or taken out, or it is another network’s', async () => {
    const [first = STRANGER] = keys
    const another = { code: 'genesis-file.other-root' }
    await expect(ask(text.replaceAll(first, STRANGER), network, first)).rejects.toMatchObject(another)
    const parsed = JSON.parse(text) as { app_state: { beacon: { deposits: unknown[] } } }
    parsed.app_state.beacon.deposits.pop()
    await expect(ask(JSON.stringify(parsed), network, STRANGER)).rejects.toMatchObject(another)
    const other = network === MAINNET ? BEPOLIA : MAINNET
    await expect(ask(genesisOf(other), network, STRANGER)).rejects.toMatchObject(another)
  })
})

test('a home without a usable genesis file gives no answer', async () => {
  await expect(ask('{', MAINNET, STRANGER)).rejects.toMatchObject({ code: 'genesis-file.not-json' })
})
