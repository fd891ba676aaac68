import { describe, expect, test } from 'vitest'
import { type BaseError, isError } from '../../../../src/core/base/errors/base.ts'
import { customNetwork, readNetworkFile } from '../../../../src/core/chain/network/network-file.ts'
import { BEPOLIA, MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { readDescriptor, rehearsalNetwork } from '../../../../src/core/chain/network/rehearsal.ts'

const SPEC = {
  'slots-per-epoch': 192,
  'target-seconds-per-eth1-block': 2,
  'max-effective-balance': '10000000000000000',
  'effective-balance-increment': 10_000_000_000_000,
  'min-activation-balance': 250_000_000_000_000,
  'hysteresis-quotient': 4,
  'hysteresis-downward-multiplier': 1,
  'hysteresis-upward-multiplier': 5,
  'hysteresis-quotient-fulu': 100,
  'hysteresis-upward-multiplier-fulu': 10,
  'validator-set-cap': 69,
  'min-validator-withdrawability-delay': 256,
  'max-withdrawals-per-payload': 16,
  'max-validators-per-withdrawals-sweep': 31,
  'max-deposits-per-block': 16,
  'deposit-eth1-chain-id': 12345,
  'deposit-contract-address': '0x4242424242424242424242424242424242424242',
  'genesis-time': 1_739_976_735,
  'electra-fork-time': 1_746_633_600,
  'electra-one-fork-time': 1_754_496_000,
  'fulu-fork-time': 1_779_897_600,
}

const FILE = {
  id: 'mynet',
  label: 'My net',
  kind: 'test',
  executionChainId: 12345,
  engineChainId: 'mynet-1',
  genesisValidatorsRoot: `0x${'ab'.repeat(32)}`,
  genesisForkVersion: '0x05000000',
  depositContractCodeHash: `0x${'cd'.repeat(32)}`,
  spec: SPEC,
}

const DESCRIPTOR = {
  urls: { execution: 'http://127.0.0.1:1', node: 'http://127.0.0.1:2', engine: 'http://127.0.0.1:3' },
  chainId: 12345,
  genesisRoot: `0x${'ab'.repeat(32)}`,
  keystore: { path: '/somewhere/keystore.json', password: 'play' },
  home: '/somewhere/home',
  engineChainId: 'rehearsal-1',
  genesisForkVersion: '0x05000000',
}

const TOML = Object.entries(SPEC)
  .map(
    ([key, value]) =>
      `${key} = ${typeof value === 'string' && value.startsWith('0x') ? `"${value}"` : value}`,
  )
  .join('\n')

function fault(run: () => unknown): BaseError {
  try {
    run()
  } catch (thrown) {
    if (isError(thrown, 'network')) return thrown
    throw thrown
  }
  throw new Error('accepted')
}

describe('readNetworkFile', () => {
  test('gives a network with the limits of the file and Berachain’s words', () => {
    const network = readNetworkFile(JSON.stringify(FILE))
    expect(network).toMatchObject({
      id: 'mynet',
      kind: 'test',
      genesisForkVersion: '0x05000000',
      slotMs: 2000,
    })
    expect(network.spec).toEqual({ ...BEPOLIA.spec, depositChainId: 12345 })
    expect(network.names).toEqual(BEPOLIA.names)
    expect('publicExecution' in network).toBe(false)
  })

  test('takes single words and endpoints over', () => {
    const network = readNetworkFile(
      JSON.stringify({ ...FILE, names: { token: 'TEST' }, endpoints: { node: 'http://10.0.0.1:3500' } }),
    )
    expect(network.names).toEqual({ ...BEPOLIA.names, token: 'TEST' })
    expect(network.defaultEndpoints.node).toBe('http://10.0.0.1:3500')
  })

  test.each(Object.keys(FILE))('names %s when it is missing', (key) => {
    const found = fault(() => readNetworkFile(JSON.stringify({ ...FILE, [key]: undefined })))
    expect(found.shortMessage).toContain(key)
  })

  test.each(Object.keys(SPEC))('names spec.%s when it is missing', (key) => {
    const file = { ...FILE, spec: { ...SPEC, [key]: undefined } }
    expect(fault(() => readNetworkFile(JSON.stringify(file))).shortMessage).toContain(`spec.${key}`)
  })

  test.each([
    ['a password', 'http://ann:secret@10.0.0.1:3500'],
    ['another scheme', 'ftp://10.0.0.1'],
    ['no address', 'secret'],
  ])('refuses an endpoint with %s, and does not repeat it', (_, node) => {
    const found = fault(() => readNetworkFile(JSON.stringify({ ...FILE, endpoints: { node } })))
    expect(found.details).toContain('field: endpoints.node')
    expect([found.shortMessage, ...found.details].join('\n')).not.toContain('secret')
  })

  test('names a field that it does not know', () => {
    expect(fault(() => readNetworkFile(JSON.stringify({ ...FILE, slotMS: 1 }))).details).toContain(
      'field: slotMS',
    )
  })

  test('refuses a key that comes twice', () => {
    const text = JSON.stringify(FILE).replace('{', '{"id":"other",')
    expect(fault(() => readNetworkFile(text)).code).toBe('network.unreadable')
  })

  test('refuses to stand for a built-in network', () => {
    const chain = { ...FILE, executionChainId: 80094, spec: { ...SPEC, 'deposit-eth1-chain-id': 80094 } }
    expect(fault(() => readNetworkFile(JSON.stringify(chain))).code).toBe('network.clash')
    const root = { ...FILE, genesisValidatorsRoot: BEPOLIA.genesisValidatorsRoot }
    expect(fault(() => readNetworkFile(JSON.stringify(root))).code).toBe('network.clash')
    expect(fault(() => readNetworkFile(JSON.stringify({ ...FILE, id: 'mainnet' }))).code).toBe(
      'network.field',
    )
    expect(fault(() => readNetworkFile(JSON.stringify({ ...FILE, kind: 'rehearsal' }))).code).toBe(
      'network.field',
    )
  })

  test('refuses a deposit chain other than the execution chain', () => {
    const found = fault(() => readNetworkFile(JSON.stringify({ ...FILE, executionChainId: 12346 })))
    expect(found.details).toContain('field: spec.deposit-eth1-chain-id')
  })
})

describe('rehearsalNetwork', () => {
  test('is a rehearsal whose clock may run ahead of the wall', () => {
    const network = rehearsalNetwork(readDescriptor(JSON.stringify(DESCRIPTOR)), TOML)
    expect(network).toMatchObject({
      id: 'rehearsal',
      kind: 'rehearsal',
      executionChainId: 12345,
      genesisForkVersion: '0x05000000',
      clockIsWall: false,
      slotMs: 2000,
      defaultEndpoints: DESCRIPTOR.urls,
    })
  })

  test('takes what the descriptor leaves out from the home, and names it when it is nowhere', () => {
    const bare = readDescriptor(
      JSON.stringify({ ...DESCRIPTOR, engineChainId: undefined, genesisForkVersion: undefined, slotMs: 50 }),
    )
    const home = { engineChainId: 'from-home', genesisForkVersion: '0x06000000' } as const
    expect(rehearsalNetwork(bare, TOML, home)).toMatchObject({ ...home, slotMs: 50 })
    expect(fault(() => rehearsalNetwork(bare, TOML)).details).toContain('field: engineChainId')
  })

  test.each(['urls', 'chainId', 'genesisRoot', 'keystore', 'home'])('names %s when it is missing', (key) => {
    expect(
      fault(() => readDescriptor(JSON.stringify({ ...DESCRIPTOR, [key]: undefined }))).shortMessage,
    ).toContain(key)
  })

  test('refuses endpoints of another computer', () => {
    const urls = { ...DESCRIPTOR.urls, execution: 'https://rpc.berachain.com' }
    expect(fault(() => readDescriptor(JSON.stringify({ ...DESCRIPTOR, urls }))).details).toContain(
      'field: urls.execution',
    )
  })

  test('refuses a user name or password in an address, and does not show it', () => {
    const urls = { ...DESCRIPTOR.urls, node: 'http://user:s3cret@127.0.0.1:3500' }
    const { code, details } = fault(() => readDescriptor(JSON.stringify({ ...DESCRIPTOR, urls })))
    expect({ code, details }).toMatchObject({
      code: 'network.field',
      details: expect.arrayContaining(['field: urls.node']),
    })
    expect(details.join()).not.toContain('s3cret')
  })

  test.each([
    ['home', { home: '/tmp/\0x' }],
    ['spec', { spec: '\0' }],
    ['keystore.path', { keystore: { ...DESCRIPTOR.keystore, path: '/tmp/\0x' } }],
  ])('refuses a path that no system opens: %s', (field, part) => {
    const { code, details } = fault(() => readDescriptor(JSON.stringify({ ...DESCRIPTOR, ...part })))
    expect({ code, details }).toMatchObject({
      code: 'network.field',
      details: expect.arrayContaining([`field: ${field}`]),
    })
  })

  test('refuses the chain of a built-in network and a spec of another chain', () => {
    const real = readDescriptor(JSON.stringify({ ...DESCRIPTOR, chainId: 80094 }))
    expect(fault(() => rehearsalNetwork(real, TOML)).code).toBe('network.field')
    expect(fault(() => rehearsalNetwork(real, TOML.replace('= 12345', '= 80094'))).code).toBe('network.clash')
  })
})

describe('the network of the files of a node', () => {
  const genesis = {
    engineChainId: 'mynet-1',
    genesisForkVersion: '0x05000000',
    genesisValidatorsRoot: `0x${'AB'.repeat(32)}`,
  } as const

  test.each([MAINNET, BEPOLIA])('is the built-in one where they are its own: $id', (network) => {
    expect(customNetwork(network.spec, network)).toBe(network)
  })

  test('is one of its own elsewhere, with the slots of its files', () => {
    const spec = { ...BEPOLIA.spec, depositChainId: 12345, targetSecondsPerSlot: 3 }
    expect(customNetwork(spec, genesis)).toMatchObject({
      id: 'custom-abababab',
      kind: 'test',
      executionChainId: 12345,
      slotMs: 3000,
      spec,
    })
  })

  test.each<[string, Partial<typeof BEPOLIA>]>([
    ['the root', { genesisValidatorsRoot: `0x${'ab'.repeat(32)}` }],
    ['the fork', { genesisForkVersion: '0x09000000' }],
    ['the engine', { engineChainId: 'mynet-1' }],
  ])('claims no built-in one with another part: %s', (_, part) => {
    const found = fault(() => customNetwork(BEPOLIA.spec, { ...BEPOLIA, ...part }))
    expect(found.code).toBe('network.clash')
  })
})
