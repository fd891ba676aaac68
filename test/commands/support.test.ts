import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { createCover } from '../../src/commands/cover.ts'
import { config, report } from '../../src/commands/support-report.ts'
import { openSettings } from '../../src/compose/settings.ts'
import { createNodeRandom } from '../../src/core/effects/node.ts'
import { createNodeClock } from '../../src/core/effects/node-clock.ts'
import { createNodeFiles } from '../../src/core/effects/node-files.ts'
import { createNodeStore } from '../../src/core/effects/node-store.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import { openJournal } from '../../src/core/journal/journal.ts'
import { bareEffects } from '../support/run-command.ts'

const hexOf = (digit: string, bytes: number): Hex => `0x${digit.repeat(2 * bytes)}`
const PUBKEY = hexOf('c', 48)
const OPERATOR = hexOf('b', 20)
const SECRET = 'hunter2hunter2'
const ENDPOINT = `https://rpc.ann-node.example:8545/v2/${SECRET}?key=${SECRET}`
const PRIVATE_KEY = 'f00dfeedf00dfeedf00dfeedf00dfeedf00dfeedf00dfeedf00dfeedf00dfeed'

let home: string
let state: string

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'ann-'))
  state = join(home, 'state')
  await writtenState()
})
afterEach(() => rmSync(home, { recursive: true }))

/** A state directory with settings, a journal of mainnet and the memory of a watch, all of them full of what is private. */
async function writtenState(): Promise<void> {
  mkdirSync(join(state, 'mainnet'), { recursive: true, mode: 0o700 })
  const path = join(home, 'nodes/key')
  openSettings(state).remember('mainnet', { homePath: path, execution: ENDPOINT, keystore: path })
  const header = {
    executionGenesisHash: hexOf('1', 32),
    genesisValidatorsRoot: hexOf('2', 32),
    pubkey: PUBKEY,
  }
  const place = join(state, 'mainnet', '111111111111-222222222222-cccccccccccc')
  mkdirSync(place, { mode: 0o700 })
  const { store } = effects()
  const journal = await openJournal({ store, clock: createNodeClock() }, join(place, 'journal.jsonl'), header)
  await journal.append({
    step: 'sign',
    type: 'planned',
    plan: { withdrawalAddress: hexOf('a', 20), operator: OPERATOR, amountGwei: 10_000n, rescue: false },
  })
  await journal.close()
  const title = `Validator ${PUBKEY} drops out; asked ${ENDPOINT}`
  const alarms = [{ id: `out.${PUBKEY}`, severity: 'critical', title, acknowledged: false }]
  writeFileSync(join(state, 'mainnet/watch.json'), JSON.stringify({ lookedMs: 1, alarms }))
  writeFileSync(join(state, 'odd.txt'), PRIVATE_KEY)
}

const effects = () => {
  const nobody = { request: () => Promise.reject(new Error('nobody is asked')) }
  const bare = bareEffects({ http: nobody, clock: createNodeClock(), random: createNodeRandom() })
  return { ...bare, store: createNodeStore() }
}

async function call(
  command: (input: CommandInput) => Promise<number>,
  argv: readonly string[],
  given: Partial<CommandInput> = {},
) {
  const out: string[] = []
  const err: string[] = []
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    signal: new AbortController().signal,
  }
  const environment = { HOME: home }
  const input = {
    argv,
    io,
    effects: effects(),
    stateDirectory: state,
    environment,
    version: '1.2.3',
    ...given,
  }
  return { code: await command(input), out: out.join('\n'), err: err.join('\n') }
}

describe('config', () => {
  test('shows every place with what it is for, and whether it may be deleted', async () => {
    const { code, out } = await call(config, [])
    expect(code).toBe(0)
    const words = out.replace(/\s+/g, ' ')
    for (const text of [
      'state directory',
      'settings',
      'journal, mainnet',
      'memory of the watch, mainnet',
      'locks',
    ])
      expect(words).toContain(text)
    expect(words).toContain('journal, mainnet')
    expect(out.split('\n').filter((line) => line.length > 80 && !line.startsWith('  /'))).toEqual([])
  })

  test('says the same in one document, and keeps journals and what nobody knows', async () => {
    writeFileSync(join(state, 'last-screen.json'), '')
    const { out } = await call(config, ['--json'])
    const { places } = JSON.parse(out) as {
      places: { id: string; path: string; exists: boolean; bytes: number; mayBeDeleted: string }[]
    }
    const of = (id: string) => places.find((place) => place.id === id)
    expect(of('journal')).toMatchObject({ exists: true, mayBeDeleted: 'no' })
    expect(of('journal')?.bytes).toBeGreaterThan(100)
    expect(of('settings')).toMatchObject({ path: join(state, 'settings.json'), mayBeDeleted: 'yes' })
    expect(of('other')).toMatchObject({ path: join(state, 'odd.txt'), mayBeDeleted: 'no' })
    expect(of('locks')).toMatchObject({ mayBeDeleted: 'yes' })
    expect(of('screen')).toMatchObject({ path: join(state, 'last-screen.json'), mayBeDeleted: 'yes' })
  })

  test('knows every file that the program leaves beside a journal, and shows no lock by itself', async () => {
    const left = [
      'seen-cccccccccccc.json',
      'history-cccccccccccc.json',
      'alarms-cccccccccccc.json',
      'watch.toml',
      'watch-outbox.json',
    ]
    const locks = ['key-1-cccccccc.lock', 'key-1-cccccccc.lock.db', 'watch.json.lock.sock']
    for (const name of [...left, ...locks]) writeFileSync(join(state, 'mainnet', name), '')
    const { out } = await call(config, ['--json'])
    const { places } = JSON.parse(out) as { places: { id: string; path: string }[] }
    const inNetwork = places.filter(({ path }) => path.startsWith(join(state, 'mainnet/')))
    expect(inNetwork.filter(({ path }) => path.includes('.lock'))).toEqual([])
    expect(inNetwork.map(({ id }) => id).sort()).toEqual(
      ['alarms', 'alarms-seen', 'journal', 'outbox', 'seen', 'seen', 'watch'].sort(),
    )
  })

  test('of a directory that is not there says so, and makes nothing', async () => {
    const { code, out } = await call(config, ['--state', join(home, 'nowhere')])
    expect(code).toBe(0)
    expect(out).toContain('not there yet')
  })
})

describe('report', () => {
  /** What nobody else may read, in the forms in which it lies on the disk. */
  const SECRETS = [SECRET, PRIVATE_KEY, '/v2/', 'nodes/key']
  const PRIVATE = [PUBKEY, OPERATOR, hexOf('a', 20), 'ann-node', 'c'.repeat(12)]

  test('holds versions, what is kept and the last events, and no secret', async () => {
    const { code, out } = await call(report, [])
    expect(code).toBe(0)
    for (const text of ['bearings 1.2.3', 'sign.planned', 'severity=critical', 'journal-1', 'not run'])
      expect(out).toContain(text)
    expect([...SECRETS, ...PRIVATE, home].filter((text) => out.includes(text))).toEqual([])
  })

  test('names a key in the names of files like the key itself', async () => {
    writeFileSync(join(state, 'mainnet', `seen-${'c'.repeat(12)}.json`), '{}')
    const { out } = await call(report, [])
    expect(out).toContain('seen-key-')
    expect(out).not.toContain('c'.repeat(12))
  })

  test('covers a short key of an endpoint, and no digit of anything else', async () => {
    const short = { execution: 'https://rpc.ann-node.example/3/Zq7?pin=w4t', node: 'https://two.example/1' }
    openSettings(state).remember('bepolia', short)
    const alarms = [{ id: 'a', severity: 'critical', title: 't', kind: 'zq7' }]
    writeFileSync(join(state, 'mainnet/watch.json'), JSON.stringify({ lookedMs: 1, alarms }))
    writeFileSync(join(state, 'other-w4t.txt'), '')
    const { out } = await call(report, [])
    expect(out).not.toMatch(/zq7|w4t/i)
    expect(out).toMatch(/bearings 1\.2\.3/)
  })

  test('takes a network by spec and genesis file, as the checks do', async () => {
    const named = ['--spec', join(home, 'no.toml'), '--genesis', join(home, 'no.json')]
    const given = { effects: { ...effects(), files: createNodeFiles() } }
    const { code, out, err } = await call(report, named, given)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('file.missing: There is no such file.')
  })

  test('leaves addresses where that is wanted, and secrets never', async () => {
    const { out } = await call(report, ['--addresses'])
    expect(out).toContain('cccccccccccc')
    expect([...SECRETS, home].filter((text) => out.includes(text))).toEqual([])
  })

  test('is shown first, and written only by whoever says yes', async () => {
    const path = join(home, 'report.txt')
    const asked: string[] = []
    const ask = (answer: string) => async (question: string) => {
      asked.push(question)
      return answer
    }
    const refused = await call(report, ['--out', path], { ask: ask('') })
    expect({ code: refused.code, err: refused.err }).toEqual({ code: 4, err: 'Nothing was written.' })
    const { code, out } = await call(report, ['--out', path], { ask: ask('yes') })
    expect(code).toBe(0)
    expect(asked).toHaveLength(2)
    const lines = (text: string) => text.split('\n').filter((line) => !/wall clock| KiB/.test(line))
    expect(lines(readFileSync(path, 'utf8').trimEnd())).toEqual(lines(out.trimEnd()))
    expect((await call(report, ['--out', path, '--yes'])).code).toBe(2)
  })

  test('is not written where nobody can be asked', async () => {
    const { code, err } = await call(report, ['--out', join(home, 'report.txt')])
    expect(code).toBe(2)
    expect(err).toContain('--yes')
    expect((await call(report, ['--out', join(home, 'other.txt'), '--yes'])).code).toBe(0)
  })

  test('is one document with --json', async () => {
    const { out } = await call(report, ['--json'])
    const { sections } = JSON.parse(out) as { sections: { title: string }[] }
    expect(sections.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['versions', 'what is kept', 'checks']),
    )
    expect([...SECRETS, ...PRIVATE, home].filter((text) => out.includes(text))).toEqual([])
  })
})

describe('what covers a text', () => {
  const hidden = {
    home: '/home/ann',
    user: 'ann',
    computer: 'annbox',
    secrets: ['opensesame'],
    hosts: ['rpc.example.net:443'],
    addresses: false,
  }

  test.each([
    ['a URL', `at ${ENDPOINT}, twice ${ENDPOINT}`, 'at https://host-2:8545 twice https://host-2:8545'],
    ['a host of another scheme', 'tcp://10.1.2.3:26657', '(not a URL)'],
    ['a URL of this computer', 'http://127.0.0.1:8545/x', 'http://127.0.0.1:8545'],
    ['hosts', '(rpc.example.net:443) and 10.1.2.3:80', '(host-1) and host-2:80'],
    ['keys', `${PUBKEY} ${PUBKEY.toUpperCase().replace('0X', '0x')} ${OPERATOR}`, 'key-1 key-1 address-1'],
    ['hexadecimal in groups', '0xbbbb bbbb bbbb bbbb bbbb bbbb bbbb bbbb bbbb bbbb', 'address-1'],
    ['shortened hexadecimal', '0xa114…a0f3', '(covered)'],
    ['signatures', hexOf('d', 96), '(96 bytes)'],
    ['private keys', PRIVATE_KEY, '(32 bytes)'],
    ['words that open', 'said opensesame', 'said (covered)'],
    ['base64', Buffer.alloc(33, 250).toString('base64'), '(covered)'],
    ['names of user and computer', '/home/ann/x of ann@annbox', '~/x of USER@COMPUTER'],
    ['an index', 'validator 11 is out', 'validator-1 is out'],
    [
      'a URL before wide marks',
      `（${ENDPOINT}）、${ENDPOINT}。`,
      '（https://host-2:8545）、https://host-2:8545。',
    ],
    [
      'bare addresses of version 6',
      'dial tcp 2001:db8::7, [2001:DB8:0::7]:8545, fe80::1%eth0; ::1 at 12:30:45',
      'dial tcp host-2, host-2:8545, host-3%eth0; ::1 at 12:30:45',
    ],
    [
      'hosts that nobody named',
      'lookup deep.node.example.org: no such host; lonely-node:8545, ENOTFOUND otherbox, db.lonely.net.',
      'lookup host-2: no such host; host-5:8545, ENOTFOUND host-4, host-3.',
    ],
    [
      'files and settings that have a dot',
      'app.toml:12 [beacon-kit.engine], /opt/my.folder, v1.3.2-rc.alpha, en_US.UTF-8, localhost:8545',
      undefined,
    ],
    [
      'a key in the name of a file',
      `${PUBKEY} in seen-${'c'.repeat(12)}.json and alarms-${'d'.repeat(12)}.json, 123456789012 gwei`,
      'key-1 in seen-key-1.json and alarms-key-2.json, 123456789012 gwei',
    ],
    ['plain words', 'slot 12 to 13, 1,000 BERA in /opt/node_modules/v24', undefined],
  ])('%s', (_what, text, shown = text) => {
    expect(createCover(hidden)(text)).toBe(shown)
  })

  test('leaves no digit of a long hexadecimal and no path of a URL, whatever stands around it', () => {
    const around = fc.stringMatching(/^[ "'(),:;=[\]]{0,3}$/)
    const hex = fc
      .uint8Array({ minLength: 32, maxLength: 120 })
      .map((bytes) => Buffer.from(bytes).toString('hex'))
    fc.assert(
      fc.property(around, hex, around, (before, digits, after) => {
        const cover = createCover(hidden)
        expect(cover(`${before}0x${digits}${after}`)).not.toContain(digits)
        expect(cover(`${before}${digits}${after}`)).not.toContain(digits)
        expect(cover(`${before}https://a.b/${digits}${after}`)).not.toContain(digits)
      }),
      { numRuns: 200 },
    )
  })
})
