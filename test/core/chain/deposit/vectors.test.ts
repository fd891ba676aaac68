import { expect, test } from 'vitest'
import { check as checkDeposits } from '../../../../scripts/vectors/deposits.ts'
import { check as checkGenesisRoots } from '../../../../scripts/vectors/genesis-roots.ts'
import { check as checkMainnet } from '../../../../scripts/vectors/mainnet-deposits.ts'
import { sampled } from '../../../support/hard.ts'
import { vectorLines } from '../../../support/vector-lines.ts'

test('keys, roots, domain, signature and every verdict are the node’s own', async () => {
  const lines = sampled(vectorLines('deposits/deposits.jsonl'), 8)
  const { passed, failures } = await checkDeposits(lines)
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(25 * lines.length)
})

test('genesis validators roots are the node’s own', async () => {
  const found = await checkGenesisRoots(vectorLines('deposits/genesis-roots.jsonl'))
  expect(found).toEqual({ passed: 20, failures: [] })
})

const MAINNET = vectorLines('deposits/mainnet-deposits.csv').slice(1)
/** How many verify, by how many are asked: all, and the sample. */
const VERIFY: Readonly<Record<number, number>> = { 168: 82, 15: 8 }

test('82 of 168 real mainnet deposits verify, and none under Ethereum’s tag', async () => {
  const lines = sampled(MAINNET, 12)
  const accepted = VERIFY[lines.length]
  expect(await checkMainnet(lines)).toEqual({ passed: lines.length, failures: [], accepted })
})

test('a wrong row is reported, not passed over', async () => {
  const line = vectorLines('deposits/deposits.jsonl')[0] ?? ''
  const row = JSON.parse(line) as Record<string, unknown>
  const wrong = JSON.stringify({ ...row, signingRoot: `0x${'00'.repeat(32)}` })
  expect((await checkDeposits([wrong])).failures).toEqual(['line 1: signing root'])
})
