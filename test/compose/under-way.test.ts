import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readUnderWay, UNDER_WAY_TEXT as TEXT } from '../../src/compose/read-under-way.ts'
import { openSettings } from '../../src/compose/settings.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeFiles } from '../../src/core/base/effects/node-files.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { JournalEvent } from '../../src/core/wizard/journal/events.ts'
import { openJournal } from '../../src/core/wizard/journal/journal.ts'
import { standingOf } from '../../src/core/wizard/launch/standing.ts'

const HOLDER = join(import.meta.dirname, '../support/hold-lock.ts')

let state: string
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'under-way-'))
})
afterEach(() => rmSync(state, { recursive: true }))

const store = createNodeStore()
const effects = {
  files: createNodeFiles(),
  store,
  http: { request: () => Promise.reject(new Error('nothing is asked')) },
} as unknown as Effects

const hexOf = (digit: string, bytes: number): Hex => `0x${digit.repeat(2 * bytes)}`
const PLAN: JournalEvent = {
  step: 'sign',
  type: 'planned',
  plan: { withdrawalAddress: hexOf('a', 20), operator: hexOf('b', 20), amountGwei: 10_000n, rescue: false },
}

/** Makes the journal of a key on a network, and answers its path. */
async function journalOf(folder: string, digit: string, events: readonly JournalEvent[] = []) {
  const header = {
    executionGenesisHash: hexOf('1', 32),
    genesisValidatorsRoot: hexOf('2', 32),
    pubkey: hexOf(digit, 48),
  }
  const name = Object.values(header).map((hex) => hex.slice(2, 14))
  const path = join(state, folder, name.join('-'), 'journal.jsonl')
  const journal = await openJournal({ store, clock: createNodeClock() }, path, header)
  for (const event of events) await journal.append(event)
  await journal.close()
  return path
}

const list = () => readUnderWay({ effects, stateDirectory: state }, { rehearsals: true })

/** Every file below the state directory with what is in it and when it was changed. */
function everything(): unknown[] {
  const names = readdirSync(state, { recursive: true, withFileTypes: true })
  return names.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const { mtimeMs, mode } = statSync(path)
    return { path, mtimeMs, mode, text: entry.isFile() ? readFileSync(path, 'utf8') : undefined }
  })
}

test('nothing is under way where nothing was begun', async () => {
  expect(await list()).toEqual([])
  rmSync(state, { recursive: true })
  expect(await list()).toEqual([])
  mkdirSync(state)
})

test('what cannot be read is told as that, never as nothing: a network and a journal', async () => {
  // A link to itself can be read by nobody, whoever runs the tests.
  symlinkSync('bepolia', join(state, 'bepolia'))
  mkdirSync(join(state, 'mainnet'))
  const name = join(state, 'mainnet', ['e', 'a', 'c'].map((digit) => digit.repeat(12)).join('-'))
  symlinkSync(name, name)
  const rows = await list()
  expect(rows.map(({ words, trouble, choice }) => ({ words, trouble, choice }))).toEqual(
    ['bepolia', 'mainnet'].map((id) => ({
      words: TEXT.closed('ELOOP'),
      trouble: true,
      choice: { kind: 'network', id },
    })),
  )
})

test('a state directory that cannot be read is no first day', async () => {
  rmSync(state, { recursive: true })
  symlinkSync(state, state)
  await expect(list()).rejects.toThrow(expect.objectContaining({ code: expect.stringMatching(/^file\./) }))
  rmSync(state)
  mkdirSync(state)
})

test('each journal is told with its network, its key and where it stands, newest first', async () => {
  utimesSync(await journalOf('mainnet', 'c', [PLAN]), 1000, 1000)
  utimesSync(await journalOf('bepolia', 'd'), 2000, 2000)
  expect(await list()).toMatchObject([
    {
      badge: { kind: 'test', label: 'Bepolia' },
      pubkey: hexOf('d', 48),
      words: 'begun, nothing signed',
      trouble: false,
      choice: { kind: 'network', id: 'bepolia' },
      command: ['--network', 'bepolia'],
    },
    { badge: { kind: 'real', label: 'Berachain' }, words: 'step 3 of 7, not signed' },
  ])
})

test('the texts of its form come with the key for which they were typed, and with no other', async () => {
  await journalOf('mainnet', 'c')
  await journalOf('mainnet', 'd')
  const texts = { homePath: '/srv/c', execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' }
  openSettings(state).remember('mainnet', texts, hexOf('c', 48))
  const rows = await list()
  const valuesOf = (digit: string) => rows.find(({ pubkey }) => pubkey === hexOf(digit, 48))?.values
  expect(valuesOf('c')).toEqual({ ...texts, engine: '', secondExecution: '', keystore: '' })
  expect(valuesOf('d')).toBeUndefined()
})

test('an adopted validator is continued by its key, without a home', async () => {
  const adopted: JournalEvent = {
    step: 'identity',
    type: 'adopted',
    withdrawalAddress: hexOf('a', 20),
    withdrawalCredentials: hexOf('1', 32),
    operator: hexOf('b', 20),
    index: 11,
  }
  await journalOf('mainnet', 'c', [adopted])
  const [row] = await list()
  const words = standingOf([adopted])
  expect(words).not.toBe(standingOf([]))
  expect(row).toMatchObject({ words, choice: { validator: hexOf('c', 48) } })
})

test('a journal that cannot be continued is told in a word, with its key, and nothing is changed', async () => {
  const damaged = await journalOf('mainnet', 'c', [PLAN])
  writeFileSync(damaged, readFileSync(damaged, 'utf8').replace('10000', '10001'))
  const newer = await journalOf('mainnet', 'd')
  writeFileSync(newer, readFileSync(newer, 'utf8').replace('"v":2', '"v":3'))
  const garbage = await journalOf('mainnet', 'e')
  writeFileSync(garbage, Buffer.from([0xff, 0xfe, 0x0a, 0x00, 0x0a]))
  const torn = await journalOf('mainnet', 'f', [PLAN])
  writeFileSync(torn, `${readFileSync(torn, 'utf8')}{"data":`)
  writeFileSync(join(state, 'settings.json'), '{"networks')
  mkdirSync(join(state, 'mainnet', '0'.repeat(12)), { recursive: true })
  const before = everything()
  const rows = await list()
  const wordsOf = (path: string) => rows.find(({ id }) => id === path)?.words
  expect(wordsOf(damaged)).toBe(TEXT.damaged(2))
  expect(wordsOf(newer)).toBe(TEXT.newer)
  expect(wordsOf(garbage)).toBe(TEXT.damaged(1))
  expect(wordsOf(torn)).toBe(TEXT.cut('step 3 of 7, not signed'))
  expect(rows.find(({ id }) => id === damaged)).toMatchObject({ pubkey: hexOf('c', 48), trouble: true })
  expect(everything()).toEqual(before)
})

test('a journal that another window has open says so, and is left to it', async () => {
  const path = await journalOf('mainnet', 'c', [PLAN])
  const holder = spawn(process.execPath, ['--import', 'tsx', HOLDER, `${path}.lock`])
  const ended = once(holder, 'exit')
  try {
    await once(holder.stdout, 'data')
    const before = everything()
    expect(await list()).toMatchObject([{ words: TEXT.held(holder.pid), trouble: true, isHeld: true }])
    expect(everything()).toEqual(before)
  } finally {
    holder.kill('SIGKILL')
    await ended
  }
  expect(await list()).toMatchObject([{ words: 'step 3 of 7, not signed', trouble: false }])
})

test('after a crash a process id that nobody can judge keeps no journal shut, and is named', async () => {
  const path = await journalOf('mainnet', 'c', [PLAN])
  const left = { pid: process.ppid, startTime: 'unknown', bootId: 'unknown', host: hostname(), sinceMs: 1 }
  writeFileSync(`${path}.lock`, JSON.stringify(left))
  const [row] = await list()
  expect(row).toMatchObject({
    words: `step 3 of 7, not signed; perhaps open (process ${process.ppid})`,
    trouble: false,
  })
  expect(row).not.toHaveProperty('isHeld')
})

test('of rehearsal networks that have ended only the last is told, and that it has ended', async () => {
  for (const digit of ['1', '2']) {
    const path = await journalOf(`rehearsal/network-${digit}/journal`, digit)
    writeFileSync(join(dirname(dirname(dirname(path))), 'descriptor.json'), '{}')
  }
  expect(await list()).toMatchObject([
    {
      badge: { kind: 'rehearsal' },
      words: TEXT.silentNetwork,
      trouble: true,
      pubkey: hexOf('2', 48),
    },
  ])
})

test('a network of a file is told by the file, and without it by its name alone, as real money', async () => {
  const path = await journalOf('village', 'c')
  expect(await list()).toMatchObject([
    { badge: { kind: 'real', label: 'village' }, words: TEXT.noNetworkFile, trouble: true },
  ])
  expect(path).toContain('village')
})

test('a network that was begun anew under its file is told: what was done before is of another one', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/network-file.md'), 'utf8')
  const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? []
  const path = join(state, 'village.json')
  const write = (root: Hex) => {
    const file = example.replaceAll('"0x… 32 bytes"', `"${root}"`).replace('"mynet"', '"village"')
    writeFileSync(path, file)
  }
  await journalOf('village', 'c')
  openSettings(state).remember('village', { networkFile: path })
  write(hexOf('2', 32))
  expect(await list()).toMatchObject([{ words: expect.stringContaining('begun'), trouble: false }])
  write(hexOf('3', 32))
  expect(await list()).toMatchObject([{ badge: { kind: 'test' }, words: TEXT.otherNetwork, trouble: true }])
})

test('a process of another computer is not judged by the process ids of this one', async () => {
  const path = await journalOf('mainnet', 'c', [PLAN])
  // Its id is one that runs here, one that does not, and the very one that asks.
  for (const pid of [process.ppid, 4_194_305, process.pid]) {
    const left = { pid, startTime: 'unknown', bootId: 'unknown', host: 'another', sinceMs: 1 }
    writeFileSync(`${path}.lock`, JSON.stringify(left))
    const [row] = await list()
    expect(row).toMatchObject({
      words: `step 3 of 7, not signed; perhaps open on another (process ${pid})`,
      trouble: false,
    })
    expect(row).not.toHaveProperty('isHeld')
  }
})
