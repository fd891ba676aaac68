import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doctor } from '../../src/commands/doctor.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { runCommandWith } from '../support/run-command.ts'

const { devnet, directory, effects, look, strangeHome } = lookingWorld()

function checkpoints(epoch: number) {
  const checkpoint = { epoch: String(epoch), root: `0x${'11'.repeat(32)}` }
  return { previous_justified: checkpoint, current_justified: checkpoint, finalized: checkpoint }
}

describe('doctor', () => {
  test('finds a rehearsal network in order, each check on a line of its own', async () => {
    const copy = join(directory(), 'copy-of-key.json')
    await cp(join(devnet().descriptor.home, 'config/priv_validator_key.json'), copy)
    const { code, json } = await look(doctor, '--backup', copy, '--json')
    expect(json().rows.filter(({ mark }) => !['proven', 'given', 'unasked'].includes(mark))).toEqual([])
    expect(json().rows.find(({ id }) => id === 'keyBackup')?.mark).toBe('proven')
    expect(code).toBe(0)
    expect(json().rows.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['file', 'key', 'engine', 'permissions', 'fees', 'exposure', 'sync', 'advance']),
    )
    const steps = json().rows.map((row) => ('step' in row ? row.step : ''))
    expect([...new Set(steps)]).toEqual(['genesis', 'identity', 'sign', 'confirm', 'status'])
    expect(steps).toEqual([...new Set(steps)].flatMap((step) => steps.filter((each) => each === step)))
    expect(json().rows.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['same-block', 'peers', 'contract', 'precompiles', 'proofs', 'anchor']),
    )
    // Who said it is host and port in every row.
    expect(json().rows.filter(({ source }) => source.includes('://'))).toEqual([])
  })

  test('says what to change, and in which file, for the home of another node', async () => {
    const home = await strangeHome()
    const used = join(home, 'config/priv_validator_key.json')
    const { code, json } = await look(doctor, '--home', home, '--backup', used, '--json')
    expect(code).toBe(1)
    const bad = json().rows.filter(({ mark }) => mark === 'refused')
    expect(bad.map(({ id }) => id)).toEqual(['file', 'engine', 'keyBackup', 'node-api-off'])
    expect(bad.find(({ id }) => id === 'node-api-off')?.fix).toContain('config/app.toml')
  })

  test('says of a proxy that is set that nobody is asked by it', async () => {
    const argv = ['--devnet', JSON.stringify(devnet().descriptor), '--json']
    const rowBy = async (variables: Readonly<Record<string, string>>) => {
      const { json } = await runCommandWith(doctor, argv, effects(), variables)
      return json().rows.find(({ id }) => id === 'proxy')
    }
    expect(await rowBy({ https_proxy: 'http://proxy.example:3128' })).toMatchObject({
      mark: 'given',
      value: expect.stringContaining('https_proxy'),
    })
    expect(await rowBy({ HTTPS_PROXY: '' })).toBeUndefined()
  })

  test('says no to a backup that holds no validator key, and does not know of one that it cannot read', async () => {
    const rowOf = async (path: string) => {
      const { code, json } = await look(doctor, '--backup', path, '--json')
      return { code, mark: json().rows.find(({ id }) => id === 'keyBackup')?.mark }
    }
    const { home } = devnet().descriptor
    const packed = join(directory(), 'key.asc')
    await writeFile(packed, '-----BEGIN PGP MESSAGE-----\n', { mode: 0o600 })
    for (const path of [packed, join(home, 'data/priv_validator_state.json')])
      expect(await rowOf(path)).toEqual({ code: 1, mark: 'refused' })
    expect(await rowOf(join(home, 'nowhere.json'))).toEqual({ code: 3, mark: 'unknown' })
  })

  test('says which settings of the node are of another chain, and takes its word where it gives more', async () => {
    const { http } = effects()
    const told: { [path: string]: object } = {
      '/eth/v1/config/spec': { DEPOSIT_CONTRACT_ADDRESS: `0x${'00'.repeat(20)}`, DEPOSIT_NETWORK_ID: '1' },
      '/eth/v1/beacon/states/head/finality_checkpoints': checkpoints(0),
      '/eth/v1/node/peer_count': { connected: '5', connecting: '0', disconnected: '0', disconnecting: '0' },
    }
    const request: Effects['http']['request'] = async (asked) => {
      const data = told[new URL(asked.url).pathname]
      if (data === undefined) return http.request(asked)
      const body = new TextEncoder().encode(JSON.stringify({ data }))
      return { status: 200, headers: { 'content-type': 'application/json' }, body }
    }
    const argv = ['--devnet', JSON.stringify(devnet().descriptor), '--json']
    const { code, json } = await runCommandWith(doctor, argv, { ...effects(), http: { request } })
    expect(code).toBe(1)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('config')).toMatchObject({ mark: 'refused', fix: expect.stringContaining('app.toml') })
    expect(row('peers')).toMatchObject({
      mark: 'proven',
      value: expect.stringMatching(/^engine 0, node API 5; /),
    })
    expect(row('finality')?.value).toMatch(/^final to epoch 0, head in epoch \d+$/)
  })

  test('says what to change wherever a source is of another chain', async () => {
    const { http } = effects()
    const change = async (asked: Parameters<typeof http.request>[0], from: string, to: string) => {
      const reply = await http.request(asked)
      const text = new TextDecoder().decode(reply.body)
      return { ...reply, body: new TextEncoder().encode(text.replaceAll(from, to)) }
    }
    const { genesisRoot, engineChainId, urls } = devnet().descriptor
    const other = `0x${'5e'.repeat(32)}`
    const request: Effects['http']['request'] = async (asked) => {
      if (asked.url.endsWith('/eth/v1/beacon/genesis')) return change(asked, genesisRoot, other)
      if (asked.url.startsWith(urls.engine)) return change(asked, engineChainId, 'other-1')
      return String(asked.body).includes('eth_getCode') ? change(asked, '0x60', '0x61') : http.request(asked)
    }
    const argv = ['--devnet', JSON.stringify(devnet().descriptor), '--home', await strangeHome(), '--json']
    const { code, json } = await runCommandWith(doctor, argv, { ...effects(), http: { request } })
    expect(code).toBe(1)
    const bad = json().rows.filter(({ mark }) => mark === 'refused')
    expect(bad.filter(({ fix }) => fix === undefined)).toEqual([])
    const row = (label: string) => json().rows.find((each) => 'label' in each && each.label === label)
    expect(row('your genesis.json')).toMatchObject({
      mark: 'refused',
      fix: expect.stringContaining('genesis.json'),
    })
    expect(row('running node')).toMatchObject({ long: other, fix: expect.any(String) })
    expect(row('expected root')).toMatchObject({ mark: 'given', long: genesisRoot })
    expect(row('consensus engine')).toMatchObject({ fix: expect.stringContaining(engineChainId) })
    expect(row('deposit contract')).toMatchObject({
      long: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      fix: expect.any(String),
    })
  })

  test('calls no chain still whose head goes on, however old it is', async () => {
    const { clock } = effects()
    const late = { ...effects(), clock: { ...clock, nowMs: () => clock.nowMs() + 7_200_000 } }
    const descriptor = JSON.stringify({ ...devnet().descriptor, clockIsWall: true })
    const { json } = await runCommandWith(doctor, ['--devnet', descriptor, '--json'], late)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('advance')).toMatchObject({ mark: 'proven' })
    expect(row('age')).toMatchObject({
      mark: 'refused',
      fix: expect.stringContaining('lags behind'),
    })
  })

  test('calls no head of now that is of the future by the clock of this computer', async () => {
    const { clock } = effects()
    const early = { ...effects(), clock: { ...clock, nowMs: () => clock.nowMs() - 60_000 } }
    const descriptor = JSON.stringify({ ...devnet().descriptor, clockIsWall: true })
    const { json } = await runCommandWith(doctor, ['--devnet', descriptor, '--json'], early)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('age')).toMatchObject({
      mark: 'refused',
      value: expect.stringMatching(/^\d+\.\d s ahead /),
      fix: expect.stringContaining('NTP'),
    })
  })

  test('says nothing of the clock by the old blocks of a node that catches up', async () => {
    const { clock, http } = effects()
    const request: Effects['http']['request'] = async (asked) => {
      const reply = await http.request(asked)
      if (!asked.url.endsWith('/status')) return reply
      const text = new TextDecoder().decode(reply.body)
      const said = text.replace('"catching_up":false', '"catching_up":true')
      return { ...reply, body: new TextEncoder().encode(said) }
    }
    const late = {
      ...effects(),
      http: { request },
      clock: { ...clock, nowMs: () => clock.nowMs() + 7_200_000 },
    }
    const descriptor = JSON.stringify({ ...devnet().descriptor, clockIsWall: true })
    const { json } = await runCommandWith(doctor, ['--devnet', descriptor, '--json'], late)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('clock')).toMatchObject({ mark: 'unknown', value: expect.stringContaining('old blocks') })
  })

  test('knows no age of a head where there is no block yet', async () => {
    const { http } = effects()
    const request: Effects['http']['request'] = async (asked) => {
      const reply = await http.request(asked)
      if (!String(asked.body).includes('"eth_getBlockByNumber"')) return reply
      const text = new TextDecoder().decode(reply.body)
      const first = text.replace(/"number":"0x[0-9a-f]+"/, '"number":"0x0"')
      const said = first.replace(/"timestamp":"0x[0-9a-f]+"/, '"timestamp":"0x0"')
      return { ...reply, body: new TextEncoder().encode(said) }
    }
    const descriptor = JSON.stringify({ ...devnet().descriptor, clockIsWall: true })
    const young = { ...effects(), http: { request } }
    const { json } = await runCommandWith(doctor, ['--devnet', descriptor, '--json'], young)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('age')).toMatchObject({ mark: 'unknown', value: 'there is no block yet' })
  })

  test('blames no rules of an execution client that does not answer', async () => {
    const { json } = await look(doctor, '--execution', 'http://127.0.0.1:1', '--json')
    const precompiles = json().rows.find((each) => each.id === 'precompiles')
    expect(precompiles).toMatchObject({ mark: 'unknown', value: expect.stringContaining('does not answer') })
    expect(JSON.stringify(precompiles)).not.toContain('Prague')
  })

  test('says nothing of the key of the engine where there is no home to compare it with', async () => {
    const { code, json } = await look(doctor, '--home', '/nowhere', '--json')
    expect(code).toBe(3)
    const said = json().rows.filter(({ value }) => value.startsWith('its key is not known here'))
    expect(said).toMatchObject([{ id: 'engine', mark: 'unknown' }])
  })

  test('does not know what a closed endpoint would have said', async () => {
    const { code, json } = await look(doctor, '--node', 'http://127.0.0.1:1', '--json')
    expect(code).toBe(3)
    expect(json().verdict).toBe('unknown')
  })
})
