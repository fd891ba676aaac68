import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { check as checkEpochs } from '../../../../scripts/vectors/epochs.ts'
import { check as checkSlots } from '../../../../scripts/vectors/slots.ts'
import { readSpecToml } from '../../../../src/core/chain/network/spec-fields.ts'

const file = (name: string): Buffer =>
  readFileSync(new URL(`../../../vectors/consensus/${name}`, import.meta.url))
const linesOf = (bytes: Buffer): string[] => bytes.toString('utf8').trim().split('\n')
const histories = linesOf(gunzipSync(file('epochs.jsonl.gz')))
/** Blocks whose first deposit the recorded node burnt, and top-ups, which carry no signature. */
const SIGNED_BLOCKS = new Set([196, 228, 269, 414])

type Counted = { epochTurns: unknown[]; blocks: { withdrawals?: unknown[] }[] }

const turnsAndPayments = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => {
    const { epochTurns, blocks } = JSON.parse(line) as Counted
    return blocks.reduce((all, { withdrawals = [] }) => all + withdrawals.length, sum + epochTurns.length)
  }, 0)

describe('the model against the real state machine', () => {
  test('reproduces every turn, payment and pending withdrawal of the histories', () => {
    expect(checkEpochs(histories)).toEqual({ passed: turnsAndPayments(histories), failures: [] })
  })

  test('reproduces all 440 slots of a recorded network from its genesis and its deposits', () => {
    const result = checkSlots({
      genesisText: file('genesis.json').toString('utf8'),
      spec: readSpecToml(file('spec.toml').toString('utf8')),
      contractLines: linesOf(file('contract.jsonl')),
      slotLines: linesOf(gunzipSync(file('slots.jsonl.gz'))),
      signatureValid: (deposit) => SIGNED_BLOCKS.has(deposit.block),
    })
    expect(result).toEqual({ passed: 440, failures: [] })
  })
})

describe('the replay itself', () => {
  const [first = ''] = histories

  test('fails when one effective balance of a turn is another', () => {
    const row = JSON.parse(first)
    row.epochTurns.at(-1).changed.push([0, '', '', '1', '0', '0', '0', '0', '0'])
    const result = checkEpochs([JSON.stringify(row)])
    expect(result.passed).toBeLessThan(turnsAndPayments([first]))
    expect(result.failures[0]).toContain('registry differs')
  })

  test('fails when a payment is missing', () => {
    const row = JSON.parse(first)
    const paying = row.blocks.find((block: { withdrawals?: unknown[] }) => block.withdrawals?.length)
    paying.withdrawals.pop()
    expect(checkEpochs([JSON.stringify(row)]).failures[0]).toContain('withdrawals differ')
  })

  test('fails when the engine was told otherwise', () => {
    const row = JSON.parse(first)
    row.epochTurns[0].engineUpdates.pop()
    expect(checkEpochs([JSON.stringify(row)]).failures[0]).toContain('engine updates differ')
  })
})
