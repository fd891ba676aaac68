import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type BaseError, isError } from '../../../../src/core/base/errors/base.ts'
import { readHome } from '../../../../src/core/chain/identity/home.ts'
import type { FilePermissions, HomeEffects } from '../../../../src/core/chain/identity/home-files.ts'
import { BEPOLIA, MAINNET } from '../../../../src/core/chain/network/presets.ts'

const FILES = ['config/config.toml', 'config/app.toml', 'config/client.toml'] as const
const file = (path: string) => readFileSync(new URL(`../../../vectors/${path}`, import.meta.url), 'utf8')
const example = Object.fromEntries(FILES.map((name) => [name, file(`home-example/${name}`)]))
const published = {
  ...example,
  'config/app.toml': file('networks/mainnet/app.toml'),
  'config/client.toml': file('networks/mainnet/client.toml'),
}
const KEY: FilePermissions = { kind: 'file', mode: 0o600, ownedByUser: true }

function world(files: Readonly<Record<string, string>>, key: FilePermissions = KEY): HomeEffects {
  const below = (path: string) => path.slice('/node/'.length)
  return {
    files: {
      async read(path) {
        return new TextEncoder().encode(files[below(path)] ?? '')
      },
      async facts(path) {
        if (path.includes('key.json')) return key
        return below(path) in files || path.endsWith('genesis.json') ? KEY : undefined
      },
    },
  }
}

const read = (files: Readonly<Record<string, string>>, key?: FilePermissions) =>
  readHome(world(files, key), { homePath: '/node/', network: MAINNET })

const ids = async (files: Readonly<Record<string, string>>, key?: FilePermissions) =>
  (await read(files, key)).findings.map(({ id }) => id)

const changed = (name: string, from: string | RegExp, to: string) => ({
  ...published,
  [name]: (published as Record<string, string>)[name]?.replace(from, to) ?? '',
})

async function faultOf(run: Promise<unknown>): Promise<BaseError> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (isError(thrown, 'home')) return thrown
  throw new Error(`expected a home.* error, got ${String(thrown)}`)
}

describe('readHome', () => {
  test('finds the files and the services of a generated home', async () => {
    const home = await read(example)
    expect(home).toMatchObject({
      path: '/node',
      keyFile: '/node/config/priv_validator_key.json',
      stateFile: '/node/data/priv_validator_state.json',
      genesisFile: '/node/config/genesis.json',
      remoteSigner: '',
      engineChainId: 'beacond-2061',
      endpoints: {
        execution: 'http://127.0.0.1:8545',
        node: 'http://127.0.0.1:3500',
        engine: 'http://127.0.0.1:26657',
      },
      app: { chainSpec: 'file', nodeApi: { enabled: false }, availabilityWindow: 8192n },
    })
    expect(home.findings.map(({ id }) => id)).toEqual([
      'chain-id',
      'chain-spec',
      'fee-recipient-zero',
      'node-api-off',
    ])
  })

  test('finds what the published files of the network leave to be changed', async () => {
    expect(await ids(published)).toEqual(['fee-recipient-zero', 'node-api-off'])
    const open = published['config/app.toml'].replace(/enabled = "false"/g, 'enabled = "true"')
    expect(await ids({ ...published, 'config/app.toml': open })).toEqual([
      'fee-recipient-zero',
      'node-api-exposed',
    ])
  })

  test.each([
    ['config/app.toml', /suggested-fee-recipient = .*/, '', 'fee-recipient-zero'],
    ['config/app.toml', 'chain-spec = "mainnet"', 'chain-spec = "devnet"', 'chain-spec'],
    [
      'config/app.toml',
      'availability-window = "8192"',
      'availability-window = 0',
      'availability-window-zero',
    ],
    ['config/app.toml', 'address = "0.0.0.0:3500"', 'address = "nowhere"', 'node-api-address'],
    [
      'config/config.toml',
      'priv_validator_laddr = ""',
      'priv_validator_laddr = "tcp://10.0.0.9:1"',
      'remote-signer',
    ],
    [
      'config/config.toml',
      'laddr = "tcp://127.0.0.1:26657"',
      'laddr = "tcp://0.0.0.0:26657"',
      'engine-rpc-exposed',
    ],
    ['config/client.toml', 'mainnet-beacon-80094', 'testnet-beacon-80069', 'chain-id'],
  ])('in %s finds %s → %s', async (name, from, to, id) => {
    expect(await ids(changed(name, from, to))).toContain(id)
  })

  const OTHER = {
    ...BEPOLIA,
    id: 'mynet',
    label: 'Mynet',
    genesisValidatorsRoot: `0x${'77'.repeat(32)}` as const,
  }
  const specsOf = async (app: string, network = OTHER, present: readonly string[] = []) => {
    const files = { ...published, 'config/app.toml': app }
    const all = { ...files, ...Object.fromEntries(present.map((path) => [path, ''])) }
    const { findings } = await readHome(world(all), { homePath: '/node', network })
    return findings.filter(({ id }) => id.startsWith('chain-spec'))
  }
  const app = (spec: string, path = '') =>
    published['config/app.toml']
      .replace(/^chain-spec = .*$/m, `chain-spec = "${spec}"`)
      .replace(/^chain-spec-file = .*$/m, `chain-spec-file = "${path}"`)

  test.each([
    ['mainnet', '', 'stop', 'app.toml has chain-spec "mainnet", which is another chain than Mynet.'],
    ['testnet', '', 'stop', 'app.toml has chain-spec "testnet", which is another chain than Mynet.'],
    ['mynet', '', 'stop', 'app.toml has chain-spec "mynet".'],
    ['file', '', 'stop', 'there is no such file in the home: none.'],
    ['file', '/nowhere/spec.toml', 'stop', 'there is no such file in the home: /nowhere/spec.toml.'],
    ['file', 'spec.toml', 'warn', 'there is no such file in the home: spec.toml.'],
  ])('of another network does not take chain-spec %s %s', async (spec, path, severity, text) => {
    const [finding] = await specsOf(app(spec, path))
    expect(finding).toMatchObject({ severity, text: expect.stringContaining(text) })
  })

  test('of another network takes a spec in a file that is there', async () => {
    expect(await specsOf(app('file', 'spec.toml'), OTHER, ['config/spec.toml'])).toEqual([])
    expect(await specsOf(app('file', 'config/spec.toml'), OTHER, ['config/spec.toml'])).toEqual([])
    // A file may describe a built-in network: its root tells which one.
    expect(await specsOf(app('testnet'), { ...BEPOLIA, id: 'mine' })).toEqual([])
  })

  test.each([
    [MAINNET, 'testing/networks/80094 of the repository berachain/beacon-kit'],
    [OTHER, 'who runs that network gives it'],
  ])('says where a genesis.json that is missing is to be had', async (network, words) => {
    const { files } = world(published)
    const facts = async (path: string) => (path.endsWith('genesis.json') ? undefined : files.facts(path))
    const { findings } = await readHome({ files: { ...files, facts } }, { homePath: '/node', network })
    expect(findings.find(({ id }) => id === 'genesis-missing')?.fix).toContain(words)
  })

  test.each([
    [undefined, 'key-missing'],
    [{ kind: 'symlink', mode: 0o777, ownedByUser: true }, 'key-not-a-file'],
    [{ kind: 'other', mode: 0o600, ownedByUser: true }, 'key-not-a-file'],
    [{ kind: 'file', mode: 0o640, ownedByUser: true }, 'key-permissions'],
    [{ kind: 'file', mode: 0o600, ownedByUser: false }, 'key-owner'],
  ])('judges the key file %o', async (key, id) => {
    const facts = world(published)
    const { findings } = await readHome(
      { files: { ...facts.files, facts: async (path) => (path.includes('key.json') ? key : KEY) } },
      { homePath: '/node', network: MAINNET },
    )
    expect(findings.map((finding) => finding.id)).toContain(id)
    expect(findings.map((finding) => finding.text).join()).not.toMatch(/ is a other/)
  })

  test('says nothing of the mode of a key file where the system has none', async () => {
    const facts = world(published)
    const key = { kind: 'file', mode: undefined, ownedByUser: true } as const
    const { findings } = await readHome(
      { files: { ...facts.files, facts: async () => key } },
      { homePath: '/node', network: MAINNET },
    )
    expect(findings.map(({ id }) => id)).not.toContain('key-permissions')
  })

  test('takes an absolute key path as it is', async () => {
    const files = changed('config/config.toml', '"config/priv_validator_key.json"', '"/keys/key.json"')
    expect((await read(files)).keyFile).toBe('/keys/key.json')
  })

  test.each(FILES)('says so when %s is missing, or no TOML', async (name) => {
    const { [name]: _, ...rest } = published as Record<string, string>
    expect((await faultOf(read(rest))).code).toBe('home.missing')
    expect((await faultOf(read({ ...published, [name]: '= =' }))).code).toBe('home.unreadable')
  })

  test.each([
    ['config/config.toml', /priv_validator_key_file = .*/, 'priv_validator_key_file'],
    [
      'config/app.toml',
      /suggested-fee-recipient = "0x00/,
      'beacon-kit.payload-builder.suggested-fee-recipient',
    ],
    ['config/app.toml', /^chain-spec = .*/m, 'beacon-kit.chain-spec'],
    ['config/client.toml', /^chain-id = .*/m, 'chain-id'],
  ])('in %s names the field of %s when it is odd', async (name, pattern, path) => {
    const to = path.endsWith('recipient') ? 'suggested-fee-recipient = "0x0' : ''
    expect((await faultOf(read(changed(name, pattern, to)))).details).toContain(`field: ${path}`)
  })
})
