import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { rankTable } from '../../../../src/core/chain/consensus/placing.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import { blockAt, credentials, genesisOf, pubkey, shortSpec } from './model.ts'

describe('the rank table', () => {
  test('is ordered by stake and then pubkey, best first, and cut at the places', () => {
    const spec = shortSpec({ validatorSetCap: 2 })
    const table = rankTable(genesisOf([250_000n, 300_000n, 10_000n], spec), spec, { epoch: 0n, fulu: true })
    expect(table).toEqual({
      epoch: 0n,
      places: 2,
      rows: [
        { rank: 1, pubkey: pubkey(2), stakeGwei: tokens(300_000n), hasPlace: true },
        { rank: 2, pubkey: pubkey(1), stakeGwei: tokens(250_000n), hasPlace: true },
      ],
    })
  })

  test('of a later epoch holds those who are about to qualify, the losers too', () => {
    const spec = shortSpec({ validatorSetCap: 2 })
    const genesis = genesisOf([250_000n, 300_000n, 10_000n], spec)
    const topUp = {
      pubkey: pubkey(3),
      withdrawalCredentials: credentials(0),
      amountGwei: tokens(250_000n),
      signatureValid: false,
    }
    const state = processSlot(genesis, spec, blockAt(1n, { deposits: [topUp] })).state
    expect(rankTable(state, spec, { epoch: 2n, fulu: true }).rows).toHaveLength(2)
    const rows = rankTable(state, spec, { epoch: 3n, fulu: true }).rows
    expect(rows.map((row) => [row.pubkey, row.hasPlace])).toEqual([
      [pubkey(2), true],
      [pubkey(3), true],
      [pubkey(1), false],
    ])
  })
})
