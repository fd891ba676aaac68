import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { check } from '../../../../scripts/vectors/outlook.ts'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { type Outlook, type OutlookQuestion, outlook } from '../../../../src/core/chain/consensus/outlook.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import type { ConsensusState } from '../../../../src/core/chain/consensus/state.ts'
import { blockAt, credentials, genesisOf, pubkey, runEmpty, shortSpec } from './model.ts'

const spec = shortSpec()
const rows = gunzipSync(readFileSync(new URL('../../../vectors/consensus/outlook.jsonl.gz', import.meta.url)))
  .toString('utf8')
  .trim()
  .split('\n')

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

const deposit = (number: number, amount: bigint, blockSlot: bigint) => ({
  pubkey: pubkey(number),
  withdrawalCredentials: credentials(number),
  amountGwei: tokens(amount),
  signatureValid: true,
  blockSlot,
})

function ask(state: ConsensusState, own: number, changes: Partial<OutlookQuestion> = {}): Outlook {
  return outlook({
    state,
    uncounted: [],
    spec,
    fulu: true,
    pubkey: pubkey(own),
    minimumDepositGwei: tokens(10_000n),
    ...changes,
  })
}

describe('the outlook against the real state machine', () => {
  test('names drop-out, activation, amount and last good block as the recorded rows do', async () => {
    expect(await check(each(rows))).toEqual({ passed: 150, failures: [] })
  })

  test('fails a row whose last good block is another', async () => {
    const row = rows.map((line) => JSON.parse(line)).find(({ expected }) => expected.lastGoodBlock !== null)
    row.expected.lastGoodBlock += 1
    expect((await check(each([JSON.stringify(row)]))).failures).toHaveLength(1)
  })
})

describe('a validator that is active', () => {
  const full = genesisOf([300_000n, 280_000n, 270_000n], spec)

  test('keeps its place where nobody comes', () => {
    expect(ask(full, 3)).toEqual({ dropsOutAtEpoch: undefined, activeAtEpoch: undefined, rescue: undefined })
  })

  test('is sent away by a rival whose deposit is in a block and not counted yet', () => {
    const ahead = ask(full, 3, { uncounted: [deposit(9, 280_000n, 1n)] })
    expect(ahead.dropsOutAtEpoch).toBe(2n)
    // A tie with the rival counts as lost: 280,000 would be one increment short.
    expect(ahead.rescue).toEqual({ leastTopUpGwei: tokens(20_000n), lastGoodBlock: 7n, sendByBlock: 1n })
  })

  test('has two slots less before Fulu, and less still behind a queue', () => {
    const crowd = Array.from({ length: 40 }, (_, place) => deposit(100 + place, 10_000n, 1n))
    const rival = [deposit(9, 280_000n, 1n)]
    const quiet = ask(full, 3, { fulu: false, uncounted: rival })
    expect(quiet).toMatchObject({ dropsOutAtEpoch: 2n, rescue: { lastGoodBlock: 5n } })
    const late = runEmpty(full, spec, 3n)
    const crowded = ask(late, 3, { fulu: false, uncounted: [deposit(9, 280_000n, 4n), ...crowd] })
    expect(crowded.rescue?.lastGoodBlock).toBeLessThanOrEqual(9n)
  })

  test('names the amount between two steps that keeps the place as well', () => {
    // 12,500 and a gwei on 260,000 count as 270,000 before Fulu, where 10,000 count as nothing.
    const held = genesisOf([300_000n, 280_000n, 260_000n], spec)
    const before = ask(held, 3, { fulu: false, uncounted: [deposit(9, 260_000n, 1n)] })
    expect(before.rescue).toMatchObject({ leastTopUpGwei: tokens(20_000n), lessGwei: tokens(12_500n) + 1n })
    const rest = [deposit(3, 5_000n, 1n), deposit(9, 280_000n, 1n)]
    expect(ask(held, 3, { uncounted: rest }).rescue).toMatchObject({
      leastTopUpGwei: tokens(30_000n),
      lessGwei: tokens(25_000n),
    })
  })

  test('can be beyond help: no block is left, or no amount is enough', () => {
    const queued = processSlot(full, spec, blockAt(1n, { deposits: [deposit(9, 280_000n, 1n)] })).state
    const eve = runEmpty(queued, spec, 7n)
    expect(ask(eve, 3)).toMatchObject({ dropsOutAtEpoch: 2n, rescue: undefined })
    const giants = genesisOf([10_000_000n, 10_000_000n, 270_000n], spec)
    const another = ask(giants, 3, { uncounted: [deposit(9, 10_000_000n, 1n)] })
    expect(another).toMatchObject({ dropsOutAtEpoch: 2n, rescue: undefined })
  })
})

describe('a validator that is not active yet', () => {
  test('becomes active at a boundary, also at the one that sends it away', () => {
    const free = genesisOf([300_000n, 10_000n], spec)
    expect(ask(free, 2, { uncounted: [deposit(2, 240_000n, 1n)] })).toMatchObject({
      dropsOutAtEpoch: undefined,
      activeAtEpoch: 3n,
    })
    const full = genesisOf([300_000n, 280_000n, 270_000n, 10_000n], spec)
    expect(ask(full, 4, { uncounted: [deposit(4, 240_000n, 1n)] })).toMatchObject({
      dropsOutAtEpoch: 3n,
      activeAtEpoch: 3n,
    })
  })

  test('may be one whose first deposit is not counted yet', () => {
    const free = genesisOf([300_000n], spec)
    expect(ask(free, 9, { uncounted: [deposit(9, 250_000n, 1n)] })).toMatchObject({ activeAtEpoch: 2n })
    expect(() => ask(free, 9)).toThrow(expect.objectContaining({ code: 'consensus.unknown_validator' }))
  })
})
