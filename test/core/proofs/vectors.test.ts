import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { check } from '../../../scripts/vectors/proofs.ts'

const lines = (name: string): string[] =>
  readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

test.each(['proofs.jsonl', 'recorded/proofs.jsonl'])(
  'every proof of %s holds and no changed one does',
  async (name) => {
    const rows = lines(name)
    expect(await check(rows)).toEqual({ passed: rows.length, failures: [] })
  },
)

test('a row whose proof is spoilt is reported', async () => {
  const spoilt = (lines('proofs.jsonl')[0] ?? '').replace('"pubkeyProof":["0x', '"pubkeyProof":["0xf')
  expect((await check([spoilt])).failures).not.toEqual([])
})
