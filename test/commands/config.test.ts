import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { config } from '../../src/commands/config.ts'
import { openSettings } from '../../src/compose/settings.ts'
import { createNodeRandom } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { readDocument } from '../support/documents.ts'
import { bareEffects } from '../support/run-command.ts'

let home: string
let state: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ann-'))
  state = join(home, 'state')
  const place = join(state, 'mainnet', '111111111111-222222222222-cccccccccccc')
  mkdirSync(place, { recursive: true, mode: 0o700 })
  openSettings(state).remember('mainnet', { homePath: join(home, 'nodes') })
  writeFileSync(join(place, 'journal.jsonl'), 'x'.repeat(200))
  writeFileSync(join(state, 'mainnet/watch.json'), '{}')
  writeFileSync(join(state, 'odd.txt'), '')
})
afterEach(() => rmSync(home, { recursive: true }))

async function tell(...argv: string[]) {
  const out: string[] = []
  const io = {
    out: (line: string) => void out.push(line),
    err: () => undefined,
    signal: new AbortController().signal,
  }
  const nobody = { request: () => Promise.reject(new Error('nobody is asked')) }
  const effects = bareEffects({ http: nobody, clock: createNodeClock(), random: createNodeRandom() })
  const code = await config({ argv, io, effects, stateDirectory: state, environment: { HOME: home } })
  return { code, out: out.join('\n') }
}

test('shows every place with what it is for, and whether it may be deleted', async () => {
  const { code, out } = await tell()
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
  const { out } = await tell('--json')
  const { places } = readDocument(out) as unknown as {
    places: { id: string; path: string; exists: boolean; bytes: number; mayBeDeleted: boolean }[]
  }
  const of = (id: string) => places.find((place) => place.id === id)
  expect(of('journal')).toMatchObject({ exists: true, mayBeDeleted: false })
  expect(of('journal')?.bytes).toBeGreaterThan(100)
  expect(of('settings')).toMatchObject({ path: join(state, 'settings.json'), mayBeDeleted: true })
  expect(of('other')).toMatchObject({ path: join(state, 'odd.txt'), mayBeDeleted: false })
  expect(of('locks')).toMatchObject({ mayBeDeleted: true })
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
  const { out } = await tell('--json')
  const { places } = readDocument(out) as unknown as { places: { id: string; path: string }[] }
  const inNetwork = places.filter(({ path }) => path.startsWith(join(state, 'mainnet/')))
  expect(inNetwork.filter(({ path }) => path.includes('.lock'))).toEqual([])
  expect(inNetwork.map(({ id }) => id).sort()).toEqual(
    ['alarms', 'alarms-seen', 'journal', 'outbox', 'seen', 'seen', 'watch'].sort(),
  )
})

test('never calls a place empty that cannot be read', async () => {
  rmSync(join(state, 'mainnet'), { recursive: true })
  symlinkSync('mainnet', join(state, 'mainnet'))
  const { out } = await tell('--json', '--state', join(state, 'mainnet/below'))
  const { places } = readDocument(out) as unknown as { places: { id: string }[] }
  expect(places.find(({ id }) => id === 'state')).toMatchObject({
    exists: true,
    fault: 'ELOOP',
  })
  expect((await tell('--state', join(state, 'mainnet/below'))).out).toContain('ELOOP')
})

test('of a directory that is not there says so, and makes nothing', async () => {
  const { code, out } = await tell('--state', join(home, 'nowhere'))
  expect(code).toBe(0)
  expect(out).toContain('not there yet')
})
