import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import type { SupportFields } from '../../src/commands/documents/support.ts'
import { report } from '../../src/commands/support-report.ts'
import { openSettings } from '../../src/compose/settings.ts'
import { createNodeRandom } from '../../src/core/base/effects/node.ts'
import { createNodeFiles } from '../../src/core/base/effects/node-files.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { WatchMemory } from '../../src/core/observe/memory.ts'
import { encodeEntry, FIRST_PREV, sealEntry } from '../../src/core/wizard/journal/entry.ts'
import type { JournalEvent } from '../../src/core/wizard/journal/events.ts'
import { openJournal } from '../../src/core/wizard/journal/journal.ts'
import { memoryText } from '../../src/watch/keep.ts'
import { encodeOutbox } from '../../src/watch/notify/open-outbox.ts'
import { readDocument } from '../support/documents.ts'
import { bareEffects } from '../support/run-command.ts'

/** All that is nobody else's business on this computer, made of one word. */
type Private = { word: string; hex: (bytes: number, which?: string) => Hex; amount: bigint }

function privateOf(word: string): Private {
  const hex = (bytes: number, which = '') => {
    const digest = createHash('sha512').update(`${word}/${which}`).digest('hex')
    return `0x${digest.slice(0, 2 * bytes)}` as const
  }
  return { word, hex, amount: BigInt(hex(4)) + 2n ** 33n }
}

const NOW_MS = 1_800_000_000_000
const FIRST_MS = NOW_MS - 3_600_000
const ANN = privateOf('qzannxrborvx')

let home: string
let state: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'report-'))
  state = join(home, 'state')
})
afterEach(() => rmSync(home, { recursive: true }))

/** A world whose every endpoint says one text wherever a text can stand. */
const effects = (said = '') => {
  const request = async ({ body = '{}' }: { body?: string }) => {
    const { id = 0 } = JSON.parse(body) as { id?: number }
    const reply = { jsonrpc: '2.0', id, result: said, data: { version: said } }
    return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(reply)) }
  }
  const clock = { nowMs: () => NOW_MS, monotonicMs: () => 0, sleep: async () => undefined }
  const bare = bareEffects({ http: { request }, clock, random: createNodeRandom() })
  return { ...bare, store: createNodeStore(), files: createNodeFiles() }
}

async function tell(argv: readonly string[], given: Partial<CommandInput> = {}) {
  const out: string[] = []
  const err: string[] = []
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    signal: new AbortController().signal,
  }
  const known = {
    io,
    effects: effects(),
    stateDirectory: state,
    environment: { HOME: home },
    version: '1.2.3',
  }
  const code = await report({ argv, ...known, ...given })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const told = async (argv: readonly string[] = [], given: Partial<CommandInput> = {}) =>
  readDocument((await tell(['--json', ...argv], given)).out) as unknown as SupportFields & {
    network: unknown
  }

/** The events of a registration that was paid, cancelled once, and held back once. */
function eventsOf({ word, hex, amount }: Private): JournalEvent[] {
  const to = hex(20, 'to')
  const transaction = {
    chainId: 1,
    nonce: 3,
    to,
    valueWei: amount,
    data: hex(40, 'data'),
    gasLimit: amount,
    maxFeePerGasWei: amount,
    maxPriorityFeePerGasWei: amount,
  }
  const baseline = { blockNumber: amount, blockHash: hex(32, 'b'), balanceWei: amount }
  const signed = { raw: hex(60, 'raw'), hash: hex(32, 'hash') }
  const message = {
    withdrawalAddress: hex(20, 'w'),
    operator: hex(20, 'o'),
    amountGwei: amount,
    rescue: false,
  }
  const included = { blockNumber: amount, blockHash: hex(32, 'block'), feeWei: amount, hash: signed.hash }
  return [
    { step: 'sign', type: 'planned', plan: message },
    {
      step: 'deposit',
      type: 'agreed',
      plan: { to, valueWei: amount, data: hex(40, 'data') },
      world: undefined,
      terms: { from: to, feeLimitWei: amount, nonce: undefined, deposits: [signed.hash] },
    },
    { step: 'deposit', type: 'prepared', draft: { signer: 'keystore', from: to, transaction, baseline } },
    { step: 'deposit', type: 'signed', ...signed },
    { step: 'deposit', type: 'handed-over', attempt: 1, endpoint: `http://${word}.example:8545` },
    { step: 'deposit', type: 'held-back', reason: `because of ${word}` },
    { step: 'deposit', type: 'replacing', replacement: { kind: 'speed-up', transaction } },
    { step: 'deposit', type: 'included', ...included },
    { step: 'deposit', type: 'ended', outcome: { is: 'reverted', reason: word, feeWei: amount } },
  ]
}

function folderOf(network: string, { hex }: Private, which = ''): string {
  const twelve = (bytes: number, about: string) => hex(bytes, about).slice(2, 14)
  const name = `${twelve(32, 'first')}-${twelve(32, 'root')}-${twelve(48, `key${which}`)}`
  const folder = join(state, network, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

async function writeJournal(network: string, mine: Private): Promise<void> {
  const { hex } = mine
  const header = {
    executionGenesisHash: hex(32, 'first'),
    genesisValidatorsRoot: hex(32, 'root'),
    pubkey: hex(48, 'key'),
  }
  let atMs = FIRST_MS
  const clock = { ...effects().clock, nowMs: () => atMs }
  const path = join(folderOf(network, mine), 'journal.jsonl')
  const journal = await openJournal({ store: createNodeStore(), clock }, path, header)
  for (const event of eventsOf(mine)) {
    atMs += 12_000
    await journal.append(event)
  }
  await journal.close()
}

/** A journal whose lines are whole, and say what no program of ours writes. */
function writeStrange(network: string, mine: Private): void {
  const { word, hex } = mine
  let prev = FIRST_PREV
  const lines = [
    { type: 'journal', data: { pubkey: hex(48, 'key'), [word]: word } },
    { type: 'sign.dropped', data: {} },
    { type: `sign.${word}`, data: { is: word, [word]: true } },
  ].map((line, seq) => {
    const entry = sealEntry({ v: 2, seq, t: FIRST_MS, prev, ...line })
    prev = entry.sum
    return encodeEntry(entry)
  })
  writeFileSync(join(folderOf(network, mine, 'strange'), 'journal.jsonl'), `${lines.join('\n')}\n${word}`)
}

function memoryOf({ word, hex, amount }: Private): WatchMemory {
  const alarm = {
    id: `${word}.out`,
    subject: hex(48, 'key'),
    title: word,
    what: word,
    next: `bearings ${word}`,
  }
  const validator = { pubkey: hex(48, 'key'), index: Number(amount % 90_000n) + 10_000, name: word }
  return {
    network: word,
    genesisValidatorsRoot: hex(32, 'root'),
    sequence: 7,
    lookedMs: NOW_MS - 5_000,
    depositsTo: amount,
    nodeKey: hex(48, 'node'),
    heads: [{ name: `${word}:3500`, role: 'node', slot: amount, sinceMs: NOW_MS - 65_000, atMs: NOW_MS }],
    validators: [
      {
        pubkey: hex(48, 'key'),
        operator: hex(20, 'operator'),
        wasActive: true,
        wasLeaving: false,
        signed: '1101',
        signedTo: amount,
        margins: [{ epoch: amount, marginGwei: amount }],
      },
    ],
    alarms: [
      {
        ...alarm,
        alarm: 'drops-out',
        validator,
        sinceMs: NOW_MS - 605_000,
        toldMs: NOW_MS,
        times: 3,
        severity: 'critical',
        degree: [Number(amount % 1000n)],
        acknowledged: true,
        until: { epoch: amount, slot: amount, atMs: NOW_MS },
      },
    ],
    ended: [],
  }
}

function writeAlarms(network: string, mine: Private): void {
  const { word, hex } = mine
  const folder = join(state, network)
  const memory = memoryOf(mine)
  writeFileSync(join(folder, 'watch.json'), memoryText(memory))
  const printed = JSON.parse(memoryText(memory)) as object
  const screen = {
    format: 1,
    pubkey: hex(48, 'key'),
    executionGenesisHash: hex(32, 'first'),
    memory: printed,
  }
  writeFileSync(join(folder, `alarms-${hex(6).slice(2)}.json`), JSON.stringify(screen))
  const event = {
    id: word,
    sequence: 1,
    atMs: NOW_MS,
    network: word,
    alarm: 'margin',
    change: 'fired',
    severity: 'info',
    title: word,
    what: word,
  } as const
  const queue = { failures: 0, refusals: 0, dueMs: 0, reason: word, underWay: false, told: [] }
  const queues = { [word]: { ...queue, waiting: [event, event], held: [], dropped: 4 } }
  writeFileSync(join(folder, 'watch-outbox.json'), encodeOutbox({ queues, taken: [word] }))
}

/** A state directory in which each place where a text can stand holds what is private. */
async function writeState(mine: Private): Promise<void> {
  const { word, hex } = mine
  const endpoint = `https://rpc.${word}.example:8545/v2/${word}?key=${word}`
  const path = join(home, word)
  openSettings(state).remember('mainnet', { homePath: path, execution: endpoint, keystore: path })
  openSettings(state).remember(`${word}/${hex(48)}`, {
    networkFile: path,
    validator: hex(48),
    execution: 'http://127.0.0.1:8545/',
    node: `http://${word}:3500`,
    engine: 'http://10.1.2.3:26657',
    secondExecution: endpoint,
  })
  await writeJournal('mainnet', mine)
  writeStrange(word, mine)
  mkdirSync(join(state, 'bepolia'))
  writeFileSync(join(state, 'bepolia/watch.json'), `{"alarms":[{"id":"${word}","severity":"${word}"}]}`)
  writeFileSync(join(state, 'bepolia/watch-outbox.json'), `{"${word}":"${word}"}`)
  writeFileSync(join(folderOf('bepolia', mine), 'journal.jsonl'), `{"type":"${word}"}\n`)
  writeAlarms('mainnet', mine)
  writeFileSync(join(state, `${word}.txt`), hex(32))
  writeFileSync(join(state, 'mainnet', `seen-${hex(6).slice(2)}.json`), word)
}

/** An environment, a network file, a version of the program and replies of nodes that hold what is private. */
function given({ word, hex }: Private): { argv: string[]; more: Partial<CommandInput> } {
  const path = join(home, `${word}.json`)
  const url = `http://${word}:8545/${word}`
  const endpoints = { execution: url, node: url, engine: url }
  writeFileSync(path, JSON.stringify({ id: word, label: word, kind: word, genesis: hex(32), endpoints }))
  const environment = Object.fromEntries(
    ['TERM', 'TERM_PROGRAM', 'LANG', 'LC_ALL', 'USER', 'TMUX', 'SSH_CONNECTION'].map((name) => [name, word]),
  )
  const more = {
    environment: { HOME: home, ...environment },
    version: word,
    effects: effects(`Geth/v${word}`),
  }
  return { argv: ['--network', path], more }
}

const WORD = fc.stringMatching(/^[a-z]{12}$/)

describe('report', () => {
  test('says the same whatever stands in the places where somebody or something wrote', async () => {
    const reportOf = async (mine: Private, network: readonly string[]) => {
      rmSync(state, { recursive: true, force: true })
      await writeState(mine)
      const { argv, more } = given(mine)
      const { code, out } = await tell(['--json', ...(network.length > 0 ? network : argv)], more)
      expect(code).toBe(0)
      const lines = await tell(network.length > 0 ? network : argv, more)
      expect([mine.word, mine.hex(4).slice(2)].filter((text) => (out + lines.out).includes(text))).toEqual([])
      return out
    }
    const network = fc.constantFrom<readonly string[]>([], ['--network', 'mainnet'], ['--devnet', 'no.json'])
    const ofAnn = new Map<string, string>()
    await fc.assert(
      fc.asyncProperty(WORD, network, async (word, named) => {
        const known = ofAnn.get(named.join()) ?? (await reportOf(ANN, named))
        ofAnn.set(named.join(), known)
        expect(await reportOf(privateOf(word), named)).toBe(known)
      }),
      { numRuns: 12 },
    )
  })

  test('tells which endpoints are set up and whether each is on this computer', async () => {
    const { word } = ANN
    openSettings(state).remember('mainnet', {
      homePath: join(home, word),
      execution: 'http://127.0.0.1:8545/',
      secondExecution: `https://rpc.${word}.example:8545/v2/${word}?key=${word}`,
      node: `http://${word}:3500`,
      engine: 'http://10.1.2.3:26657',
    })
    const { network, endpoints } = await told(['--network', 'mainnet'], {
      effects: effects(`Geth/v${word}`),
    })
    expect(network).toBe('mainnet')
    expect(endpoints.map(({ role, place }) => [role, place])).toEqual([
      ['execution', 'this-computer'],
      ['secondExecution', 'elsewhere'],
      ['node', 'elsewhere'],
      ['engine', 'elsewhere'],
    ])
  })

  test('tells program, system and terminal by words that it knows', async () => {
    const environment = { HOME: home, TERM: 'tmux-256color', LANG: 'zh_CN.UTF-8', TMUX: '/tmp/tmux-1000' }
    const { program, terminal } = await told([], { environment, version: '1.2.3-rc.4' })
    expect(program).toMatchObject({ version: '1.2.3-rc.4', language: 'en', platform: process.platform })
    expect(program.node).toBe(process.versions.node)
    expect(terminal).toMatchObject({ utf8: true, tmux: true, ssh: false, screenReader: false })
  })

  test('names what is wrong with a network by its code', async () => {
    const files = ['--spec', join(home, 'no.toml'), '--genesis', join(home, 'no.json')]
    expect(await told(files)).toMatchObject({ network: null, fault: 'file.missing', checks: [] })
    expect(await told()).toMatchObject({ network: null, fault: null, endpoints: [], checks: [] })
  })

  test('has the same fields as lines', async () => {
    const { out } = await tell(['--network', 'mainnet'])
    expect(out).toMatch(/^program: version 1\.2\.3, language en, node \d/)
    expect(out.split('\n')).toContain('node: network mainnet, fault none')
    expect(out.split('\n')).toContain('confirm proofs: unknown')
    expect((await tell([])).out.split('\n')).toContain('node: network none, fault none')
  })

  test.each([
    ['1.2.3', '1.2.3'],
    ['v1.17.4-stable/linux-amd64', '1.17.4'],
    ['6.18.44-generic', '6.18.44'],
    ['0.40.2-beta.5+ann', '0.40.2-beta.5'],
    ['10.1.2.3', 'other'],
    ['12345.6', 'other'],
    ['ann', 'other'],
    ['', 'other'],
  ])('tells only the numbers of a version: %j', async (version, numbers) => {
    const { program } = await told([], { version })
    expect(program.version).toBe(numbers)
  })

  test('tells numbers alone of a version that could be any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.stringMatching(/^v?\d{1,6}[.\d]{0,12}/), async (end, start) => {
        const { program } = await told([], { version: start + end })
        expect(program.version).toMatch(
          /^(?:other|\d{1,4}(?:\.\d{1,4}){1,2}(?:-(?:alpha|beta|rc)\.\d{1,4})?)$/,
        )
      }),
    )
  })

  test('has each of its fields in its page, and no other one stands there', async () => {
    const names = new Set<string>()
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [name, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) names.add(name)
        collect(inner)
      }
    }
    collect(await told(['--network', 'mainnet']))
    const page = readFileSync(join(import.meta.dirname, '../../docs/help.md'), 'utf8')
    const table = page.slice(page.indexOf('## The fields of a report'))
    const shown = new Set([...table.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    expect([...names].filter((name) => !shown.has(name))).toEqual([])
    const first = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name)
    expect(first.filter((name) => !names.has(name))).toEqual([])
  })
})
