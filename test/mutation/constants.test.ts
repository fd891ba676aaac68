import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { copiedSources, type VectorCheck } from '../support/mutants.ts'
import { vectorLines, vectorText } from '../support/vector-lines.ts'
import { type CheckName, MUTATIONS } from './mutations.ts'

const sources = copiedSources()
afterAll(() => sources.remove())

const packed = (path: string) =>
  gunzipSync(readFileSync(join(import.meta.dirname, '../vectors', path)))
    .toString('utf8')
    .trim()
    .split('\n')

/** A few rows of each kind, enough to see every change below. */
const CHECKS = {
  deposits: { module: 'deposits', lines: vectorLines('deposits/deposits.jsonl').slice(0, 1) },
  'genesis-roots': {
    module: 'genesis-roots',
    lines: vectorLines('deposits/genesis-roots.jsonl').slice(0, 5),
  },
  epochs: { module: 'epochs', lines: packed('consensus/epochs.jsonl.gz') },
  proofs: { module: 'proofs', lines: vectorLines('proofs.jsonl').slice(0, 2) },
  http: { module: 'http', lines: vectorLines('recorded/http.jsonl') },
  tool: { module: 'tool', lines: vectorLines('recorded/tool.jsonl') },
  slots: {
    module: 'slots',
    lines: packed('consensus/slots.jsonl.gz'),
    run: slotsProgram(),
  },
} as const satisfies Record<CheckName, VectorCheck>

/** The recorded network again, with the four deposits whose signature its node took. */
function slotsProgram(): string {
  const recording = {
    genesisText: vectorText('recorded/genesis.json'),
    contractLines: vectorLines('recorded/contract.jsonl'),
  }
  return [
    `const { readSpecToml } = await import('./src/core/chain/network/spec-fields.ts')`,
    `const signed = new Set([196, 228, 269, 414])`,
    `return check({ ...${JSON.stringify(recording)}, slotLines: lines,`,
    `  spec: readSpecToml(${JSON.stringify(vectorText('recorded/spec.toml'))}),`,
    `  signatureValid: ({ block }) => signed.has(block) })`,
  ].join('\n')
}

describe('the checks of vectors see every change of a constant', () => {
  test.each(Object.keys(CHECKS) as CheckName[])('nothing changed: %s passes', async (name) => {
    const { passed, failed, first } = await sources.check(CHECKS[name])
    expect({ failed, first }).toEqual({ failed: 0, first: '' })
    expect(passed).toBeGreaterThan(0)
  })

  test.each(MUTATIONS)('%s: %s fails', async (_, name, mutation) => {
    const { failed, first, crashed } = await sources.checkMutated(mutation, CHECKS[name])
    expect({ crashed, first }).toMatchObject({ crashed: false, first: expect.stringMatching(/./) })
    expect(failed).toBeGreaterThan(0)
  })
})
