import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toolVersionRows } from '../../src/commands/doctor/rows.ts'
import { settingRows } from '../../src/commands/doctor/settings.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { status } from '../../src/commands/status.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { NodeSetup } from '../../src/core/chain/facts.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { buildSigner } from '../support/build-signer.ts'
import { cheapEffects } from '../support/cheap-curve.ts'
import { rememberingFiles } from '../support/remembering-signer.ts'
import { recordedTool } from '../support/replay-recording.ts'
import { runCommandWith } from '../support/run-command.ts'
import { beginWatch } from '../support/watch-run.ts'
import { testDevnet } from '../support/with-devnet.ts'

const TWO_EPOCHS = 16

let network: Awaited<ReturnType<typeof testDevnet>>
let devnet: Devnet
let effects: Effects

beforeAll(async () => {
  const { signerPath } = await buildSigner()
  const real = cheapEffects({ signer: rememberingFiles(createNodeSigner({ signerPath })) })
  // Whoever waits, waits for a block.
  const sleep = async (): Promise<void> => void (await devnet.advanceSlot())
  effects = { ...real, clock: { ...real.clock, sleep } }
  network = await testDevnet({ forkInSeconds: 3 * 86_400 })
  devnet = network.devnet
})
afterAll(() => network.end())

/** The rows of a copy of the home whose files were changed, on a network of many nodes. */
async function rowsOf(changes: Readonly<Record<string, (text: string) => string>> = {}) {
  const home = await mkdtemp(join(network.directory, 'home-'))
  await cp(devnet.descriptor.home, home, { recursive: true })
  for (const [file, change] of Object.entries(changes)) {
    const path = join(home, 'config', file)
    await writeFile(path, change(await readFile(path, 'utf8')))
  }
  const read: string[] = []
  const files: Effects['files'] = {
    ...effects.files,
    read(path, options) {
      read.push(path)
      return effects.files.read(path, options)
    },
  }
  const setup = { homePath: home, network: MAINNET } as NodeSetup
  const call = { effects: { ...effects, files } } as Parameters<typeof settingRows>[0]
  const rows = await settingRows(call, setup)
  await rm(home, { recursive: true })
  const row = (key: string) => rows.find(({ id }) => id === `setting.${key}`)
  return { rows, row, read, marks: Object.fromEntries(rows.map(({ label, mark }) => [label, mark])) }
}

const set = (key: string, value: string) => (text: string) =>
  text.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${value}`)

/** The line of the node tool's version, where that tool prints these. */
async function versionRow(printed: string, exitCode = 0) {
  const exec: Effects['exec'] = {
    scratch: (use) => use('/scratch'),
    async run({ args: [verb = '', topic = ''] }) {
      const help =
        verb === 'help' ? recordedTool.find(({ args }) => args.join() === recordedHelp(topic)) : undefined
      return { exitCode: help === undefined ? exitCode : 0, stdout: help?.stdout ?? printed, stderr: '' }
    },
  }
  const files: Effects['files'] = { ...effects.files, findProgram: async () => '/usr/bin/beacond' }
  const call = { effects: { ...effects, exec, files } } as Parameters<typeof toolVersionRows>[0]
  const [row] = await toolVersionRows(call, { network: MAINNET } as NodeSetup)
  return row
}
const recordedHelp = (topic: string) => (topic === 'deposit' ? 'help,deposit' : 'help')

describe('the version of the node tool', () => {
  test('is the line that it prints, told and judged by nobody', async () => {
    expect(await versionRow('v1.3.4\nbuilt\n')).toMatchObject({ mark: 'given', value: 'v1.3.4' })
    expect(await versionRow('\n')).toMatchObject({ mark: 'unasked' })
    expect(await versionRow('', 1)).toMatchObject({ mark: 'unknown' })
  })
})

describe('the settings that the network’s support asks for', () => {
  test('are all named with file and line, and no other file is opened', async () => {
    const { marks, row, read, rows } = await rowsOf()
    expect(marks).toEqual({
      pprof_laddr: 'proven',
      external_address: 'given',
      seeds: 'refused',
      persistent_peers: 'proven',
      addr_book_strict: 'proven',
      max_num_inbound_peers: 'proven',
      max_num_outbound_peers: 'proven',
      unconditional_peer_ids: 'proven',
      pex: 'proven',
      seed_mode: 'proven',
      double_sign_check_height: 'given',
      prometheus_listen_addr: 'given',
      pruning: 'proven',
      'halt-height': 'proven',
      'halt-time': 'proven',
      'rpc-dial-url': 'proven',
      'rpc-timeout': 'proven',
      'jwt-secret-path': 'given',
    })
    const lines = (await readFile(join(devnet.descriptor.home, 'config/config.toml'), 'utf8')).split('\n')
    const at = Number(/\d+$/.exec(row('seeds')?.source ?? '')?.[0])
    expect(lines[at - 1]).toBe('seeds = ""')
    expect(
      rows.every(({ source }) =>
        /^config\/(?:config|app)\.toml, line \d+$|^config\/config\.toml$/.test(source),
      ),
    ).toBe(true)
    expect(read.map((path) => path.replace(/^.*\//, '')).sort()).toEqual(['app.toml', 'config.toml'])
  })

  test.each([
    ['config.toml', 'pprof_laddr', '"localhost:6060"', 'refused'],
    ['config.toml', 'seeds', '"id@seed.example.com:26656"', 'proven'],
    ['config.toml', 'persistent_peers', '"id@10.0.0.1:26656"', 'given'],
    ['config.toml', 'max_num_inbound_peers', '91', 'refused'],
    ['config.toml', 'max_num_inbound_peers', '60', 'given'],
    ['config.toml', 'pex', 'false', 'refused'],
    ['config.toml', 'seed_mode', 'true', 'refused'],
    ['config.toml', 'addr_book_strict', 'false', 'given'],
    ['config.toml', 'double_sign_check_height', '10', 'proven'],
    ['config.toml', 'prometheus_listen_addr', '"127.0.0.1:26660"', 'proven'],
    ['config.toml', 'external_address', '"1.2.3.4:26656"', 'proven'],
    ['app.toml', 'pruning', '"nothing"', 'refused'],
    ['app.toml', 'halt-height', '900', 'given'],
    ['app.toml', 'halt-time', '1800000000', 'given'],
    ['app.toml', 'rpc-timeout', '"900ms"', 'refused'],
    ['app.toml', 'rpc-timeout', '"1m30s"', 'proven'],
    ['app.toml', 'rpc-timeout', '"soon"', 'refused'],
    ['app.toml', 'rpc-dial-url', '""', 'refused'],
    ['app.toml', 'jwt-secret-path', '""', 'refused'],
    ['app.toml', 'jwt-secret-path', '"/nowhere/jwt.hex"', 'refused'],
  ] as const)('%s: %s = %s is %s', async (file, key, value, mark) => {
    expect((await rowsOf({ [file]: set(key, value) })).row(key)?.mark).toBe(mark)
  })

  test('are read where a line is not there at all', async () => {
    const { row } = await rowsOf({ 'config.toml': (text) => text.replace(/^pex = .*\n/m, '') })
    expect(row('pex')).toMatchObject({ mark: 'refused', source: 'config/config.toml' })
  })

  test('of a secret only the file is looked at', async () => {
    const path = join(network.directory, 'jwt.hex')
    await writeFile(path, 'not to be read', { mode: 0o600 })
    const named = { 'app.toml': set('jwt-secret-path', `"${path}"`) }
    const closed = await rowsOf(named)
    expect(closed.row('jwt-secret-path')?.mark).toBe('proven')
    expect(closed.read.some((each) => each.includes('jwt'))).toBe(false)
    await rm(path)
    await writeFile(path, 'not to be read', { mode: 0o644 })
    expect((await rowsOf(named)).row('jwt-secret-path')?.mark).toBe('refused')
  })
})

describe('a fork that a second endpoint alone names', () => {
  test('is unknown, and named with who says it', async () => {
    const { descriptor } = devnet
    const second = descriptor.second ?? ''
    const argv = ['--devnet', JSON.stringify(descriptor), '--second-execution', second, '--json']
    const { code, json } = await runCommandWith(doctor, argv, effects)
    const row = json().rows.find(({ id }) => id === 'execution-forks')
    expect(row?.mark).toBe('unknown')
    expect(row?.value).toContain(new URL(second).host)
    expect(code).toBe(3)
    const clients = json().rows.filter(({ id }) => id === 'execution-client')
    expect(clients).toMatchObject([{ mark: 'given' }])
    const looked = (await runCommandWith(status, argv, effects)).json()
    const beside = looked.rows.find(({ id }) => id === 'execution-forks')
    expect(beside).toMatchObject({ step: 'status', mark: row?.mark, source: row?.source, fix: row?.fix })
  })

  test('is told by a watch once, and is over once, when the own client is one that knows it', async () => {
    const { descriptor } = devnet
    const { second = '', urls } = descriptor
    let isUpgraded = false
    const request: Effects['http']['request'] = (asked) =>
      effects.http.request(
        isUpgraded && asked.url.startsWith(urls.execution) ? { ...asked, url: second } : asked,
      )
    const run = beginWatch(
      ['--devnet', JSON.stringify(descriptor), '--execution', `${urls.execution},${second}`, '3'],
      { effects: { ...effects, http: { request } }, directory: join(network.directory, 'watch') },
    )
    const told = () => run.told.filter(({ alarm }) => alarm === 'execution-outdated')
    const changes = () => told().map(({ change }) => change)
    const until = async (isSo: () => boolean) => {
      for (let slots = 0; slots < 400 && !isSo(); slots += 1) await devnet.advanceSlot()
    }
    await until(() => changes().includes('fired'))
    for (let slot = 0; slot < TWO_EPOCHS; slot += 1) await devnet.advanceSlot()
    isUpgraded = true
    await until(() => changes().includes('cleared'))
    await run.stop()
    expect([changes(), run.faults]).toEqual([['fired', 'cleared'], []])
    expect(told()[0]).toMatchObject({
      severity: 'info',
      title: expect.stringContaining(new URL(second).host),
    })
  })
})
