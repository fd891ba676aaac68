import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { buildSigner } from '../support/build-signer.ts'
import { ROOT } from '../support/markdown.ts'
import { runCommandWith } from '../support/run-command.ts'
import { testDevnet } from '../support/with-devnet.ts'

const PAGE = readFileSync(join(ROOT, 'docs/json.md'), 'utf8')

/** The fields that the first table of a section names, in the first cell of its lines. */
function fieldsOf(heading: string): string[] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const cells = own.split('\n').flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? [])
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

type Document = { rows: readonly Record<string, unknown>[] }
type LookingCommand = (input: CommandInput) => Promise<ExitCode>

const COMMANDS: readonly (readonly [string, LookingCommand, readonly (readonly string[])[]])[] = [
  ['genesis', genesis, [[], ['--node', 'http://127.0.0.1:1']]],
  ['doctor', doctor, [[]]],
  ['keys', keys, [[], ['--validator', '0']]],
  ['status', status, [[], ['--validator', '0']]],
  ['topup-plan', topUpPlanCommand, [[], ['--validator', '0'], ['--validator', '0', '--amount', '10000']]],
]

let devnet: Devnet
let effects: Effects
let end: () => Promise<void>
const stop = new AbortController()

beforeAll(async () => {
  const { signerPath } = await buildSigner()
  effects = createNodeEffects({ signer: createNodeSigner({ signerPath }) })
  const network = await testDevnet({ clock: createNodeClock(), slotMs: 100 })
  devnet = network.devnet
  const running = devnet.run(stop.signal)
  end = async () => {
    stop.abort()
    await running.catch(() => undefined)
    await network.end()
  }
})
afterAll(() => end())

async function documentsOf(command: LookingCommand, calls: readonly (readonly string[])[]) {
  const all: Document[] = []
  for (const argv of calls) {
    const given = ['--devnet', JSON.stringify(devnet.descriptor), ...argv, '--json']
    const { json } = await runCommandWith(command, given, effects)
    all.push(json())
  }
  return all
}

describe('the page about --json', () => {
  test.each(COMMANDS)('names each field that %s prints', async (name, command, calls) => {
    const documents = await documentsOf(command, calls)
    const common = fieldsOf('Of every command')
    const own = name === 'doctor' ? [] : fieldsOf(`\`${name}\``)
    expect(common.length).toBeGreaterThan(4)
    const printed = new Set(documents.flatMap((each) => Object.keys(each)))
    expect([...printed].filter((field) => ![...common, ...own].includes(field))).toEqual([])

    const ofRow = fieldsOf('A row')
    const rows = documents.flatMap((each) => each.rows)
    expect(rows.length).toBeGreaterThan(2)
    const inRows = new Set(rows.flatMap((row) => Object.keys(row)))
    expect([...inRows].filter((field) => !ofRow.includes(field))).toEqual([])
    const must = ['step', 'id', 'mark', 'label', 'value', 'source']
    expect(rows.filter((row) => must.some((field) => typeof row[field] !== 'string'))).toEqual([])
  })

  test('names no field of a row that no row has', async () => {
    const documents = await documentsOf(genesis, [[], ['--node', 'http://127.0.0.1:1']])
    const inRows = new Set(documents.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row))))
    expect(fieldsOf('A row').filter((field) => !inRows.has(field))).toEqual([])
  })

  test('says what to do of rows that are not good, and of no other', async () => {
    const documents = await documentsOf(doctor, [[], ['--second-execution', 'http://127.0.0.1:1']])
    const rows = documents.flatMap((each) => each.rows)
    const marks = new Set(rows.filter(({ fix }) => fix !== undefined).map(({ mark }) => mark))
    expect([...marks]).toEqual(['unknown'])
  })
})
