import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { check } from '../../../../scripts/vectors/proofs.ts'

const lines = (name: string): string[] =>
  readFileSync(new URL(`../../../vectors/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

test('every root and proof of proofs.jsonl holds and no changed one does', async () => {
  const rows = lines('proofs.jsonl')
  const rootProposerAndThreeValidators = 1 + 1 + 3 * 3
  expect(await check(rows)).toEqual({ passed: rows.length * rootProposerAndThreeValidators, failures: [] })
})

test('every root and proof that a node gave holds and no changed one does', async () => {
  const rows = lines('recorded/proofs.jsonl')
  const { passed, failures } = await check(rows)
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(rows.length)
})

test('a row whose proof is spoilt is reported', async () => {
  const spoilt = (lines('proofs.jsonl')[0] ?? '').replace('"pubkeyProof":["0x', '"pubkeyProof":["0xf')
  expect((await check([spoilt])).failures).not.toEqual([])
})
