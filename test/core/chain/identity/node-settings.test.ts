import { expect, test } from 'vitest'
import type { HomeEffects } from '../../../../src/core/chain/identity/home-files.ts'
import { readNodeSettings } from '../../../../src/core/chain/identity/node-settings.ts'
import { readToolDeposit, readToolKeys } from '../../../../src/core/chain/identity/run-tool.ts'

const FILES: Readonly<Record<string, string>> = {
  '/node/config/config.toml': 'moniker = "ann"\n\n[p2p]\npex = true\nseeds = "a, b"\nlist = [1]\n',
  '/node/config/app.toml': 'pruning = "nothing"\n[beacon-kit.engine]\nrpc-timeout = 2\n',
}
const effects: HomeEffects = {
  files: {
    read: async (path) => new TextEncoder().encode(FILES[path]),
    facts: async (path) => (path in FILES ? { kind: 'file', mode: 0o600, ownedByUser: true } : undefined),
  },
}

test.each([
  ['config/config.toml', '', 'moniker', { value: 'ann', line: 1 }],
  ['config/config.toml', 'p2p', 'pex', { value: 'true', line: 4 }],
  ['config/config.toml', 'p2p', 'seeds', { value: 'a, b', line: 5 }],
  ['config/config.toml', 'p2p', 'list', { line: 6 }],
  ['config/config.toml', '', 'pex', {}],
  ['config/app.toml', '', 'pruning', { value: 'nothing', line: 1 }],
  ['config/app.toml', 'beacon-kit.engine', 'rpc-timeout', { value: '2', line: 3 }],
  ['config/app.toml', 'beacon-kit.engine', 'jwt-secret-path', {}],
] as const)(
  'a setting is found in %s, section "%s", by its name %s, with its line',
  async (file, section, key, found) => {
    const settings = await readNodeSettings(effects, { homePath: '/node' })
    expect(settings({ file, section, key })).toEqual(found)
  },
)

test('what the node tool prints is refused by the name of its field', () => {
  const printed = { credentials: `0x${'00'.repeat(32)}`, amount: '1', signature: `0x${'00'.repeat(96)}` }
  const lines = Object.entries(printed).map(([name, value]) => `${name}: ${value}`)
  const named = (field: string) =>
    expect.objectContaining({ details: expect.arrayContaining([expect.stringContaining(field)]) })
  expect(() => readToolDeposit(lines.join('\n'))).toThrow(named('pubkey'))
  expect(() => readToolDeposit([`pubkey: 0x00`, ...lines].join('\n'))).toThrow(named('pubkey'))
})

test('the keys that the node tool prints are those behind their labels, the first of each', () => {
  const [address, base64, pubkey] = ['AB'.repeat(20), 'A'.repeat(128), `0x${'ab'.repeat(48)}`]
  const text = [
    'Comet Address:',
    address,
    'Comet Pubkey (Uncompressed Base64):',
    base64,
    'Eth/Beacon Pubkey (Compressed 48-byte Hex):',
    pubkey,
  ]
  const keys = { address, uncompressedBase64: base64, pubkey }
  expect(readToolKeys(text.join('\n'))).toEqual(keys)
  expect(readToolKeys([...text, 'Comet Address:', 'CD'.repeat(20)].join('\n'))).toEqual(keys)
})
