import { expect, test } from 'vitest'
import { check as checkDeposits } from '../../../scripts/vectors/deposits.ts'
import { check as checkGenesisRoots } from '../../../scripts/vectors/genesis-roots.ts'
import { check as checkMainnet } from '../../../scripts/vectors/mainnet-deposits.ts'
import { vectorLines } from '../../support/vector-lines.ts'

test('keys, roots, domain, signature and every verdict are the node’s own', async () => {
  const { passed, failures } = await checkDeposits(vectorLines('deposits/deposits.jsonl'))
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(250)
})

test('genesis validators roots are the node’s own', async () => {
  const found = await checkGenesisRoots(vectorLines('deposits/genesis-roots.jsonl'))
  expect(found).toEqual({ passed: 20, failures: [] })
})

test('82 real mainnet deposits verify, and none under Ethereum’s tag', async () => {
  const found = await checkMainnet(vectorLines('deposits/mainnet-deposits.csv'))
  expect(found).toEqual({ passed: 168, failures: [], accepted: 82 })
})

test('a wrong row is reported, not passed over', async () => {
  const line = vectorLines('deposits/deposits.jsonl')[0] ?? ''
  const row = JSON.parse(line) as Record<string, unknown>
  const wrong = JSON.stringify({ ...row, signingRoot: `0x${'00'.repeat(32)}` })
  expect((await checkDeposits([wrong])).failures).toEqual(['line 1: signing root'])
})
