import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { watch } from '../../src/commands/watch.ts'
import { rehearsalSetup } from '../../src/compose/attach-rehearsal.ts'
import { readUnderWay, UNDER_WAY_TEXT } from '../../src/compose/read-under-way.ts'
import { ATTACHED, openSettings } from '../../src/compose/settings.ts'
import { openGuards } from '../../src/compose/watch-guards.ts'
import type { Clock } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { NodeSetup } from '../../src/core/chain/facts.ts'
import { GUARD_ROW_TEXT } from '../../src/core/observe/guard-text.ts'
import { ladderOf } from '../../src/core/pay/guard/terms.ts'
import type { AlarmId } from '../../src/core/view/alarm-event.ts'
import type { JournalEvent } from '../../src/core/wizard/journal/events.ts'
import { openGuardBook } from '../../src/core/wizard/journal/guard-file.ts'
import { createSessionLocks, openJournalFile } from '../../src/core/wizard/journal/journal-file.ts'
import { standingOf } from '../../src/core/wizard/launch/standing.ts'
import { DAMAGES, type Damage, damage } from '../support/damaged-files.ts'
import { KINDS, type Kind, type Said, TABLE } from '../support/damaged-table.ts'
import { readDocument } from '../support/documents.ts'
import { terms } from '../support/guard-world.ts'
import { HARD, sampled } from '../support/hard.ts'
import { lookingWorld } from '../support/looking-world.ts'

const { devnet, directory, effects, look, validatorAt } = lookingWorld()
const account = privateKeyToAccount('0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d')
const NONCE = 5

const setupIn = (state: string) =>
  rehearsalSetup(effects(), JSON.stringify(devnet().descriptor), {
    journalDirectory: join(state, 'journal'),
    outputDirectory: state,
  })

/** Arms a guard of a validator of the network, and returns its folder. */
async function armGuard(setup: NodeSetup): Promise<string> {
  const { network, journalDirectory, executionGenesisHash = '0x' } = setup
  const { executionChainId, genesisValidatorsRoot, spec } = network
  const { depositContract } = spec
  const own = terms({
    chain: { executionChainId, executionGenesisHash, genesisValidatorsRoot, depositContract },
    validator: { ...terms().validator, pubkey: validatorAt(0) },
    from: account.address.toLowerCase() as Hex,
    nonce: NONCE,
  })
  const locks = createSessionLocks(effects().store, setup)
  const book = openGuardBook({ effects: effects(), setup, executionGenesisHash, borrow: locks.borrow })
  const raws = await Promise.all(
    ladderOf(own).map(({ transaction: { valueWei, gasLimit, ...fees } }) =>
      account.signTransaction({
        type: 'eip1559',
        chainId: fees.chainId,
        nonce: fees.nonce,
        to: fees.to,
        data: fees.data,
        value: valueWei,
        gas: gasLimit,
        maxFeePerGas: fees.maxFeePerGasWei,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGasWei,
      }),
    ),
  )
  await book.arm(own, raws)
  await locks.releaseAll()
  const name = readdirSync(journalDirectory).find((each) => /^guard-.*-\d+$/.test(each)) ?? ''
  return join(journalDirectory, name)
}

const PLANNED: JournalEvent = {
  step: 'sign',
  type: 'planned',
  plan: {
    withdrawalAddress: `0x${'aa'.repeat(20)}`,
    operator: `0x${'bb'.repeat(20)}`,
    amountGwei: 10_000n,
    rescue: false,
  },
}

/** Begins the registration of another key, and returns the path of its journal. */
async function beginJournal(setup: NodeSetup): Promise<string> {
  const { executionGenesisHash = '0x', network } = setup
  const { genesisValidatorsRoot, id: networkId } = network
  const owner = { executionGenesisHash, genesisValidatorsRoot, pubkey: validatorAt(1), networkId }
  const journal = await openJournalFile(effects(), setup, owner)
  await journal.append(PLANNED)
  await journal.append(PLANNED)
  await journal.close()
  return journal.path
}

/** A state directory as the program makes it, with the paths of its files below it. */
const TOML = 'journal/watch.toml'
let made: { state: string; files: Readonly<Record<Kind, string>> } | undefined

beforeAll(async () => {
  const state = mkdtempSync(join(directory(), 'state-'))
  const setup = await setupIn(state)
  const folder = await armGuard(setup)
  const journal = await beginJournal(setup)
  const descriptor = join(state, 'descriptor.json')
  writeFileSync(descriptor, JSON.stringify(devnet().descriptor))
  openSettings(state).remember(ATTACHED, { descriptor })
  const files = {
    'guard journal': join(folder, 'journal.jsonl'),
    'guard bytes': join(folder, 'members.json'),
    journal,
    settings: join(state, 'settings.json'),
    'watch memory': join(state, 'journal/watch.json'),
    acknowledged: join(state, 'journal/watch-acknowledged.json'),
    outbox: join(state, 'journal/watch-outbox.json'),
    'watch settings': join(state, TOML),
  }
  writeFileSync(files['watch settings'], CONFIG)
  await watched(state, files['guard journal'])
  await runWatch(state, ['--acknowledge', 'all'])
  made = { state, files: mapped(files, (path) => relative(state, path)) }
})

const CONFIG = `[[channel]]
name = "somebody"
type = "webhook"
# ${'1'.repeat(100)}
url = "http://127.0.0.1:9/alarms"
`

const mapped = <K extends string>(all: Readonly<Record<K, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries<string>(all).map(([key, text]) => [key, change(text)])) as Record<
    K,
    string
  >

/** A copy of that directory in which one file is damaged; of what is told of guards and journals nothing was told yet. */
function damaged(kind: Kind, how: Damage) {
  if (made === undefined) throw new Error('nothing was made')
  const { files } = made
  const state = mkdtempSync(join(directory(), 'state-'))
  cpSync(made.state, state, { recursive: true })
  if (kind === 'guard journal' || kind === 'guard bytes')
    for (const told of ['watch memory', 'acknowledged', 'outbox'] as const) rmSync(join(state, files[told]))
  const file = join(state, files[kind])
  damage(file, how)
  return { state, file }
}

const withGuards = (input: CommandInput) => status({ ...input, openGuards })

/** More than enough for a watch to look twice. */
const MOST_SLEEPS = 12

/** Lines of a watch up to the first one with a text, or those of its first looks; and how it ended. */
async function runWatch(state: string, more: readonly string[], text?: string) {
  const stop = new AbortController()
  const lines: { line: string; of: 'out' | 'err' }[] = []
  const hear = (of: 'out' | 'err') => (line: string) => {
    lines.push({ line, of })
    if (text !== undefined && line.includes(text)) stop.abort()
  }
  const { clock, ...rest } = effects()
  let sleeps = 0
  const counting: Clock = {
    ...clock,
    sleep: (ms, signal) => {
      sleeps += 1
      if (sleeps > MOST_SLEEPS) stop.abort()
      return clock.sleep(ms, signal)
    },
  }
  const code = await watch({
    argv: ['--devnet', JSON.stringify(devnet().descriptor), '--state', state, '--json', ...more],
    effects: { ...rest, clock: counting },
    io: { out: hear('out'), err: hear('err'), signal: stop.signal },
    stateDirectory: state,
    environment: { HOME: '/nowhere' },
    openGuards,
  })
  return { code, lines }
}

/** What a watch says of a file, by its path; an error names what its option named. */
async function watched(state: string, file: string): Promise<Said['watch']> {
  const { lines } = await runWatch(state, ['--config', join(state, TOML), '0'], file)
  const said = lines.map(({ line, of }) => (of === 'out' ? { line, ...readDocument(line) } : { line }))
  if (said.some((each) => 'error' in each)) return 'error'
  const named = said.find(({ line }) => line.includes(file))
  return named !== undefined && 'alarm' in named ? (named.alarm as AlarmId) : named && 'line'
}

const CELLS = KINDS.flatMap((kind) => DAMAGES.map((how) => [kind, how] as const))
/** Every damage of a guard, and of each other file some. */
const PLAYED = CELLS.filter((cell) => cell[0] === 'guard journal' || sampled(CELLS, 5).includes(cell))

describe('a file that is damaged is told by whoever needs it', () => {
  test.each(PLAYED)('%s: %s', async (kind, how) => {
    const { state, file } = damaged(kind, how)
    const names = ({ value, long = '' }: { value: string; long?: string }) =>
      `${value} ${long}`.includes(file)
    const rowsOf = async (door: keyof Said, command: typeof withGuards) => {
      if (!HARD && !DAMAGES.some((each) => door in TABLE[kind][each])) return []
      const ended = await look(command, '--state', state, '--validator', '0', '--json')
      return ended.json().rows.filter(names)
    }
    const found = await rowsOf('status', withGuards)
    const plan = await rowsOf('plan', topUpPlanCommand)
    const rows = await readUnderWay({ effects: effects(), stateDirectory: state }, { rehearsals: true })
    const isListed = rows.some(
      ({ id, words }) => (id === file && words !== SOUND) || words === UNDER_WAY_TEXT.noSettings,
    )
    const said = {
      ...(found.some(({ mark }) => mark === 'refused') && { status: 'no' }),
      ...(plan.some(({ mark }) => mark === 'unknown') && { plan: 'not certain' }),
      watch: await watched(state, file),
      ...(isListed && { start: 'row' }),
    }
    expect(said).toEqual({ watch: undefined, ...TABLE[kind][how] })
  })
})

/** Where a journal stands in which a plan was made. */
const SOUND = standingOf([PLANNED])

test('`status` names the account, the nonce and the file of a guard, and says what that means and what to do', async () => {
  const { state, file } = damaged('guard journal', 'changed')
  const ended = await look(withGuards, '--state', state, '--validator', '0', '--json')
  expect(ended.code).toBe(1)
  const row = ended.json().rows.find(({ id }) => id === 'guard')
  expect(row).toMatchObject({ mark: 'refused', value: GUARD_ROW_TEXT.unreadable })
  for (const text of [account.address.toLowerCase(), `nonce ${NONCE}`, file])
    expect(row?.long).toContain(text)
  expect(row?.fix).toContain(`nonce ${NONCE}`)
})

test('no look sees the files that can’t be read before the guards that were read with them', async () => {
  const { state } = damaged('guard journal', 'unreadable')
  const setup = await setupIn(state)
  const { store, ...rest } = effects()
  const slow = { ...store, holderOf: async (path: string) => setTimeout(50).then(() => store.holderOf(path)) }
  const { execution, node } = setup.endpoints
  const guards = await openGuards({
    effects: { ...rest, store: slow },
    io: { signal: new AbortController().signal, err: () => undefined },
    environment: { HOME: '/nowhere' },
    setup,
    endpoints: { execution: [execution], node: [node], engine: [] },
    validators: [{ pubkey: validatorAt(0) }],
    holds: false,
  })
  let seen = guards.pictures()
  while (seen.unread === undefined) {
    await setImmediate()
    seen = guards.pictures()
  }
  await guards.close()
  expect(seen.guards).toMatchObject([{ stand: 'unreadable' }])
})
