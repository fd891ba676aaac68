import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { leaveCommand } from '../../src/commands/leave.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { watch } from '../../src/commands/watch.ts'
import { rehearsalSetup } from '../../src/compose/attach-rehearsal.ts'
import { openGuards } from '../../src/compose/watch-guards.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { GUARD_ROW_TEXT } from '../../src/core/observe/guard-text.ts'
import { journalText } from '../support/journal-lines.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { runCommandWith } from '../support/run-command.ts'
import { beginWatch } from '../support/watch-run.ts'

const { devnet, directory, effects, look, validatorAt } = lookingWorld()
const ACCOUNT = 'a3'.repeat(20)
const NONCE = 5

type Place = { state: string; journal: string; header: { type: string; data: Record<string, string> } }

/** Where a journal of the network is kept in a new state directory, and its first line. */
async function placeOf(kind: 'guard' | 'key'): Promise<Place> {
  const state = mkdtempSync(join(directory(), 'state-'))
  const journalDirectory = join(state, 'journal')
  const descriptor = JSON.stringify(devnet().descriptor)
  const setup = await rehearsalSetup(effects(), descriptor, { journalDirectory, outputDirectory: state })
  const { executionGenesisHash = '0x', network } = setup
  const { genesisValidatorsRoot } = network
  const pubkey = validatorAt(0)
  const [execution, root, key] = [executionGenesisHash, genesisValidatorsRoot, pubkey].map((hex) =>
    hex.slice(2, 14),
  )
  const folder =
    kind === 'guard' ? `guard-${execution}-${root}-${ACCOUNT}-${NONCE}` : `${execution}-${root}-${key}`
  return {
    state,
    journal: join(journalDirectory, folder, 'journal.jsonl'),
    header: { type: 'journal', data: { executionGenesisHash, genesisValidatorsRoot, pubkey } },
  }
}

/** What a newer version may have written into a journal. */
const NEWER: Readonly<Record<string, (place: Place) => string>> = {
  'lines of a newer format': () => '{"v":3,"written":"otherwise"}\n',
  'an event that this version does not know': ({ header }) =>
    journalText([header, { type: 'topup.moved', data: { to: 'elsewhere' } }]),
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, text, { mode: 0o600 })
}

/** Effects that keep what leaves as a transaction. */
function listening(): { effects: Effects; sent: string[] } {
  const sent: string[] = []
  const { http } = effects()
  const request: Effects['http']['request'] = (asked) => {
    if (asked.body?.includes('eth_sendRawTransaction')) sent.push(asked.body)
    return http.request(asked)
  }
  return { effects: { ...effects(), http: { ...http, request } }, sent }
}

const onNetwork = (state: string, ...argv: string[]) => [
  '--devnet',
  JSON.stringify(devnet().descriptor),
  '--state',
  state,
  ...argv,
]
const withGuards = (input: CommandInput) => status({ ...input, openGuards })

describe.each(Object.entries(NEWER))('a journal with %s', (_, textOf) => {
  test('of a guard: `status` and a watch name the file and the way on, and nothing of it is sent', async () => {
    const place = await placeOf('guard')
    const { state, journal } = place
    const text = textOf(place)
    put(journal, text)
    const world = listening()
    const argv = onNetwork(state, '--validator', '0', '--json')
    const row = (await runCommandWith(withGuards, argv, world.effects))
      .json()
      .rows.find(({ id }) => id === 'guard')
    expect(row).toMatchObject({ mark: 'refused', fix: GUARD_ROW_TEXT.newerNext })
    expect(row?.long).toContain(journal)
    const run = beginWatch(['--devnet', JSON.stringify(devnet().descriptor), '--guard', '0'], {
      effects: world.effects,
      directory: state,
    })
    await expect.poll(() => run.told.find(({ alarm }) => alarm === 'guard-unheld')).toBeDefined()
    await run.stop()
    const alarm = run.told.find((each) => each.alarm === 'guard-unheld')
    expect(alarm).toMatchObject({ severity: 'critical', next: GUARD_ROW_TEXT.newerNext })
    expect(alarm?.what).toContain(journal)
    expect(world.sent).toEqual([])
    expect(readFileSync(journal, 'utf8')).toBe(text)
  })

  test('of a key: the plan of a top-up and `leave` name the file, and make nothing', async () => {
    const place = await placeOf('key')
    put(place.journal, textOf(place))
    for (const command of [topUpPlanCommand, leaveCommand]) {
      const ended = await look(command, '--state', place.state, '--validator', '0', '--json')
      expect(ended.code).not.toBe(0)
      expect(ended.out).toContain(place.journal)
      expect((JSON.parse(ended.out) as { request?: unknown }).request ?? null).toBeNull()
    }
  })
})

describe('a watch', () => {
  const files = {
    'watch.json': ['{"format":2,"written":"otherwise"}\n', 'watch.newer'],
    'watch-outbox.json': ['{"version":2,"written":"otherwise"}\n', 'outbox.newer'],
  } as const

  test.each(Object.entries(files))(
    'ends where a newer version wrote %s, which stays as it is',
    async (name, [text, code]) => {
      const state = mkdtempSync(join(directory(), 'state-'))
      const path = join(state, 'journal', name)
      put(path, text)
      const config = join(state, 'watch.toml')
      put(config, '[[channel]]\ntype = "terminal"\nname = "here"\n')
      const ended = await look(watch, '--state', state, '--config', config, '--json', '0')
      const { error } = ended.json()
      expect(error).toMatchObject({ code, money: 'untouched' })
      expect(error?.details).toContain(`path: ${path}`)
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  test('beside an older one that still runs ends, and names its process', async () => {
    const state = mkdtempSync(join(directory(), 'state-'))
    const path = join(state, 'journal', 'watch.json.lock')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const program = join(import.meta.dirname, '../support/hold-lock.ts')
    const older: ChildProcess = spawn(process.execPath, ['--import', 'tsx', program, path])
    try {
      const [said] = (await once(older.stdout ?? older, 'data')) as [Buffer]
      expect(said.toString()).toBe('held\n')
      const ended = await look(watch, '--state', state, '--json', '0')
      expect(ended.code).toBe(3)
      const { error } = ended.json()
      expect(error?.code).toBe('watch.held')
      expect(error?.details.join(' ')).toContain(`Process ${older.pid}`)
    } finally {
      older.stdin?.end()
      await once(older, 'exit')
    }
  })
})
