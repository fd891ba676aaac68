import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../src/commands/api.ts'
import type { CommandInput } from '../../src/commands/command.ts'
import { config } from '../../src/commands/config.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { leaveCommand } from '../../src/commands/leave.ts'
import { sign } from '../../src/commands/sign.ts'
import { status } from '../../src/commands/status.ts'
import { report } from '../../src/commands/support-report.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { verify } from '../../src/commands/verify.ts'
import { watch } from '../../src/commands/watch.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { eventDocument } from '../../src/watch/notify/text.ts'
import { buildSigner } from '../support/build-signer.ts'
import { cheapEffects } from '../support/cheap-curve.ts'
import { type Document, faultsOf, readDocument, SCHEMAS } from '../support/documents.ts'
import { sampled } from '../support/hard.ts'
import { ROOT } from '../support/markdown.ts'
import { rememberingFiles } from '../support/remembering-signer.ts'
import { runCommandWith } from '../support/run-command.ts'
import { testDevnet } from '../support/with-devnet.ts'

type LookingCommand = (input: CommandInput) => Promise<ExitCode>

const directory = mkdtempSync(join(tmpdir(), 'documents-'))
const ADDRESS = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const SIGNING = ['--withdrawal', ADDRESS, '--operator', ADDRESS, '--amount', '10000']

/** Commands with what of the rehearsal network they are asked, and what they answer with. */
const CALLS: readonly (readonly [string, LookingCommand, readonly string[]])[] = [
  ['genesis', genesis, []],
  ['genesis', genesis, ['--node', 'http://127.0.0.1:1']],
  ['doctor', doctor, []],
  ['doctor', doctor, ['--second-execution', 'http://127.0.0.1:1']],
  ['keys', keys, []],
  ['keys', keys, ['--validator', '0']],
  ['status', status, []],
  ['status', status, ['--validator', '0']],
  ['status', status, ['--validator', '5']],
  ['doctor', doctor, ['--standby']],
  ['leave', leaveCommand, ['--validator', '0']],
  ['leave', leaveCommand, ['--validator', '5', '--amount', '10000']],
  ['status', status, ['--node', 'http://127.0.0.1:1']],
  ['topup-plan', topUpPlanCommand, []],
  ['topup-plan', topUpPlanCommand, ['--validator', '0', '--amount', '10000']],
  ['sign', sign, [...SIGNING, '--out', join(directory, 'deposit.json')]],
  ['verify', verify, [join(directory, 'deposit.json')]],
  ['api', api, ['/eth/v1/beacon/genesis']],
  ['api', api, ['/eth/v1/beacon/states/head/validators']],
  ['api', api, ['/bkit/v1/proof/validator_balance/head/0', '--verify']],
  ['api', api, ['/eth/v1/node/identity']],
  ['report', report, []],
  ['error', genesis, ['--node', 'no url']],
]

const EVENT: WatchEvent = {
  id: 'mainnet/1/drops-out/1795334400000',
  sequence: 7,
  atMs: Date.UTC(2026, 10, 22),
  network: 'mainnet',
  validator: { pubkey: `0x${'a1'.repeat(48)}`, index: 17 },
  alarm: 'drops-out',
  change: 'fired',
  severity: 'critical',
  title: 'Validator 17 drops out.',
  what: 'Another one has more stake.',
  until: { epoch: 12n, slot: 2303n, atMs: Date.UTC(2026, 10, 22, 1) },
}

/** A channel that takes an alarm, and one that does not. */
const CHANNELS = [
  `[[channel]]\ntype = "exec"\nname = "quiet"\ncommand = ${JSON.stringify([process.execPath, '--version'])}\n`,
  `[[channel]]\ntype = "exec"\nname = "broken"\ncommand = ${JSON.stringify([process.execPath, '--no-such-option'])}\n`,
].join('\n')

let devnet: Devnet
let effects: Effects
let end: () => Promise<void>
let documents: { named: string; text: string; document: Document }[] = []
const stop = new AbortController()

beforeAll(async () => {
  const { signerPath } = await buildSigner()
  effects = cheapEffects({ signer: rememberingFiles(createNodeSigner({ signerPath })) })
  const network = await testDevnet({ clock: createNodeClock(), slotMs: 100 })
  devnet = network.devnet
  const running = devnet.run(stop.signal)
  end = async () => {
    stop.abort()
    await running.catch(() => undefined)
    await network.end()
    rmSync(directory, { recursive: true, force: true })
  }
  const texts: [string, string][] = [
    ['event', JSON.stringify(eventDocument({ event: EVENT, droppedBefore: 0 }))],
  ]
  for (const [named, command, argv] of CALLS) {
    const given = ['--devnet', JSON.stringify(devnet.descriptor), ...argv, '--json']
    texts.push([named, (await runCommandWith(command, given, effects)).out])
  }
  texts.push(['config', (await runCommandWith(config, ['--json'], effects)).out])
  const channels = join(directory, 'watch.toml')
  writeFileSync(channels, CHANNELS, { mode: 0o600 })
  const testing = ['--config', channels, '--test-alarm', '--json']
  texts.push(['test-alarm', (await runCommandWith(watch, testing, effects)).out])
  documents = texts.map(([named, text]) => ({ named, text, document: readDocument(text) }))
})
afterAll(() => end())

describe('a document', () => {
  test('of a test alarm tells which channel took it', () => {
    const document = documents.find(({ named }) => named === 'test-alarm')?.document
    expect(document).toMatchObject({
      verdict: 'no',
      channels: [
        { name: 'quiet', type: 'exec', result: 'delivered' },
        { name: 'broken', type: 'exec' },
      ],
    })
  })

  test('is the one of its command', () => {
    expect(documents.map(({ document }) => document.schema)).toEqual(
      documents.map(({ named }) => `bearings.${named}/${named === 'report' ? 3 : 1}`),
    )
  })

  test('says what to do of findings that are not good, and of no other', () => {
    const findings = documents.flatMap(({ document }) => document.findings ?? [])
    const levels = new Set(findings.filter(({ words }) => words.fix !== null).map(({ level }) => level))
    expect(findings.length).toBeGreaterThan(100)
    expect([...levels].filter((level) => level !== 'unknown' && level !== 'refused')).toEqual([])
    expect([...levels]).toContain('unknown')
  })

  test('has the numbers of what it found out, by names with their units', () => {
    const numbersOf = (named: string) =>
      Object.assign(
        {},
        ...documents
          .filter((each) => each.named === named)
          .flatMap(({ document }) => document.findings ?? [])
          .map(({ id, numbers }) =>
            Object.keys(numbers).length === 0 ? {} : { [id]: Object.keys(numbers) },
          ),
      ) as Record<string, string[]>
    expect(numbersOf('genesis')).toMatchObject({ execution: ['chainId'], file: ['validatorCount'] })
    expect(numbersOf('doctor')).toMatchObject({
      'same-block': ['slot', 'block'],
      interval: ['intervalMs', 'blockCount'],
      'execution-peers': ['count'],
    })
    expect(numbersOf('status')).toMatchObject({
      balance: ['balanceGwei', 'effectiveBalanceGwei'],
      power: ['powerGwei', 'totalGwei', 'memberCount', 'height'],
    })
    expect(numbersOf('keys').record).toEqual(['index', 'balanceGwei', 'effectiveBalanceGwei', 'slot'])
    expect(numbersOf('topup-plan').balance).toEqual(['balanceGwei', 'stakeToBeGwei'])
  })

  test('says unknown where nobody answered, and never where there is none', () => {
    const byNobody = documents.find(({ document }) => document.slot === 'unknown')?.document
    expect(byNobody).toMatchObject({ schema: 'bearings.status/1', status: 'unknown', rank: 'unknown' })
    const absent = documents.find(({ named, document }) => named === 'status' && document.index === null)
    expect(absent?.document).toMatchObject({ status: null, rank: null, balanceGwei: null, validator: null })
    const active = documents.find(({ named, document }) => named === 'status' && document.index === '0')
    expect(active?.document.validator).toMatchObject({ exitEpoch: 'never', withdrawableEpoch: 'never' })
  })
})

type Fields = Record<string, unknown>
type Alteration = readonly [what: string, named: string, path: readonly (string | number)[], value: unknown]

/** Changes that each schema must refuse: where, and to what; undefined takes the field away. */
const ALTERED: readonly Alteration[] = [
  ['another version', 'status', ['schema'], 'bearings.status/2'],
  ['a verdict that is none', 'doctor', ['verdict'], 'perhaps'],
  ['no time', 'config', ['at'], undefined],
  ['a time in milliseconds', 'event', ['until', 'at'], 1795334400000],
  ['an index as a number', 'event', ['validator', 'index'], 17],
  ['an amount as a number', 'topup-plan', ['stakeToBeGwei'], 10000],
  ['an epoch as the number that stands for never', 'status', ['places'], '18446744073709551616'],
  ['a key cut by a byte', 'keys', ['pubkey'], `0x${'a1'.repeat(47)}`],
  ['a level that is none', 'genesis', ['findings', 0, 'level'], 'good'],
  ['prose that is a list', 'genesis', ['words', 'sentence'], []],
  ['money that is elsewhere', 'error', ['error', 'money'], 'elsewhere'],
  ['a fate that nobody has', 'verify', ['fate'], 'lost'],
]

/** A document of this name in which one thing is changed. */
function altered([, named, path, value]: Alteration): string {
  const found = documents.findLast((each) => each.named === named && each.document.slot !== 'unknown')
  const copy = JSON.parse(found?.text ?? '') as Fields
  const last = path.at(-1) ?? ''
  const holder = path.slice(0, -1).reduce<Fields>((inner, name) => inner[name] as Fields, copy)
  expect(holder).toHaveProperty([last])
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return JSON.stringify(copy)
}

const PYTHON = spawnSync('python3', ['--version']).status === 0
const readBy = (text: string) =>
  spawnSync('python3', [join(ROOT, 'docs/json/read.py')], { input: text, encoding: 'utf8' })

describe('an altered document', () => {
  test.each(ALTERED)('is refused: %s', (...alteration) => {
    const document = JSON.parse(altered(alteration)) as Document
    expect(faultsOf(document)).not.toEqual([])
  })

  test.skipIf(!PYTHON)(
    'is refused by a reader in Python that knows the schemas alone, each for itself',
    () => {
      for (const alteration of sampled(ALTERED, 4)) {
        const { status: code, stdout } = readBy(`${altered(alteration)}\n`)
        expect([alteration[0], code, stdout.trim()]).toEqual([
          alteration[0],
          1,
          expect.stringMatching(/^document/),
        ])
      }
    },
  )

  test.skipIf(!PYTHON)('is told from every document that was printed: those it takes', () => {
    const { status: code, stdout } = readBy(
      documents.map(({ document }) => `${JSON.stringify(document)}\n`).join(''),
    )
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toEqual(
      documents.map(({ document: { schema, verdict } }) => `${schema}: ${verdict}`),
    )
  })
})

const PAGE = readFileSync(join(ROOT, 'docs/json.md'), 'utf8')

/** The fields that the tables of a section name, in the first cell of their lines. */
function fieldsOf(heading: string): string[] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const cells = own.split('\n').flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? [])
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

/** The findings over the life of a key that the page names, as command and id. */
function namedFindings(): string[] {
  const [, section = ''] = PAGE.split('\n### Over the life of a key\n')
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`[^|]*) \| (`[^|]*) \|/gm)]
  const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
  return rows.flatMap(([, of, ids]) => quoted(of).flatMap((one) => quoted(ids).map((id) => `${one} ${id}`)))
}

/** Findings that need a wallet that can pay, or a key that somebody votes with: journeys hold them. */
const OF_JOURNEYS = ['leave dryRun', 'leave calldata', 'doctor standby']

/** Where the page tells of a document. */
const SECTIONS: Readonly<Record<string, string>> = {
  'topup-plan-new-key': '`topup-plan` for a new key',
  'topup-plan-deposits': '`topup-plan` by deposits alone',
}

describe('the page about --json', () => {
  test('names each finding of leaving and of a second node, and none over the life of a key that is nowhere printed', () => {
    const printed = (named: string, of: (ids: readonly string[]) => boolean) =>
      documents
        .filter((each) => each.named === named)
        .map(({ document }) => (document.findings ?? []).map(({ id }) => id))
        .filter(of)
        .flat()
    const isStandby = (ids: readonly string[]) => ids[0] === 'standby-key'
    const all = new Set([
      ...printed('doctor', isStandby).map((id) => `doctor --standby ${id}`),
      ...printed('doctor', (ids) => !isStandby(ids)).map((id) => `doctor ${id}`),
      ...printed('status', () => true).map((id) => `status ${id}`),
      ...printed('leave', () => true).map((id) => `leave ${id}`),
    ])
    const named = namedFindings()
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((each) => !all.has(each) && !OF_JOURNEYS.includes(each))).toEqual([])
    const complete = [...all].filter((each) => /^(?:doctor --standby|leave) (?!index$)/.test(each))
    expect(complete.filter((each) => !named.includes(each))).toEqual([])
  })

  test.each([...SCHEMAS])('names each field of %s, and no other', (name, schema) => {
    const [, document = ''] = /^bearings\.(.*)\/\d+$/.exec(name) ?? []
    const fields = Object.keys(schema.properties as object)
    const head = fieldsOf('What every document begins with')
    const findings = fields.includes('findings') ? ['findings', 'words'] : []
    const own = fieldsOf(SECTIONS[document] ?? `\`${document}\``)
    expect(head).toHaveLength(5)
    expect(PAGE).toContain(`[${name}](json/${document}.json)`)
    expect([...head, ...findings, ...own].toSorted()).toEqual(fields.toSorted())
  })
})
