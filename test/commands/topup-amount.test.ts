import { describe, expect, test } from 'vitest'
import { planAmount } from '../../src/commands/topup-plan.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { SetSnapshot, UncountedDeposit } from '../../src/core/chain/consensus/snapshot.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { credentials, genesisOf, pubkey, shortSpec } from '../core/chain/consensus/model.ts'

const spec = shortSpec()
const setup: Setup = {
  network: { ...MAINNET, spec },
  homePath: '/nowhere',
  endpoints: MAINNET.defaultEndpoints,
  journalDirectory: '/nowhere',
  lockDirectories: [],
  outputDirectory: '/nowhere',
}

/** A set of whole tokens, with deposits that wait, after Fulu. */
function setOf(stakes: readonly bigint[], uncounted: readonly UncountedDeposit[] = []): SetSnapshot {
  const consensus = genesisOf(stakes, spec)
  return {
    consensus,
    indexes: consensus.validators.map((_, index) => index),
    timestampSeconds: 1000n,
    uncounted,
    proof: undefined,
    unproven: undefined,
  }
}

const waiting = (own: number, amountTokens: bigint): UncountedDeposit => ({
  index: 9n,
  transactionHash: '0x',
  blockSlot: 1n,
  pubkey: pubkey(own),
  withdrawalCredentials: credentials(own),
  amountGwei: tokens(amountTokens),
  signatureValid: true,
})

const outcomeOf = (snapshot: SetSnapshot, own: number, amountTokens: bigint) => {
  const { outcome, rows } = planAmount(snapshot, pubkey(own), tokens(amountTokens), setup)
  return { outcome, mark: rows.find(({ id }) => id === 'outcome')?.mark }
}

describe('one amount', () => {
  const full = setOf([300_000n, 290_000n, 270_000n, 10_000n])
  const outbid = setOf([300_000n, 290_000n, 260_000n], [waiting(4, 280_000n)])

  test.each([
    ['keeps the place with a margin', full, 4, 270_000n, 'keeps-place', 'proven'],
    ['ties for the last place', full, 4, 260_000n, 'tie', 'refused'],
    ['is lost at once', full, 4, 250_000n, 'lost-at-once', 'refused'],
    ['stays below the threshold', full, 4, 230_000n, 'below-threshold', 'unasked'],
    ['does not keep the place of one that is outbid', outbid, 3, 10_000n, 'drops-out', 'refused'],
    ['keeps the place of one that is outbid', outbid, 3, 30_000n, 'keeps-place', 'proven'],
    ['is burnt for a key that nobody paid for', full, 5, 250_000n, 'burnt', 'refused'],
    ['must wait for the first deposit', outbid, 4, 250_000n, 'not-counted-yet', 'refused'],
    ['is more than a validator holds', full, 1, 9_990_000n, 'comes-back', 'refused'],
  ] as const)('%s', (_what, snapshot, own, amount, outcome, mark) => {
    expect(outcomeOf(snapshot, own, amount)).toEqual({ outcome, mark })
  })

  test('that follows what is paid already is counted on top of it', () => {
    const paid = setOf([300_000n, 290_000n, 270_000n, 10_000n], [waiting(4, 260_000n)])
    expect(outcomeOf(paid, 4, 10_000n)).toEqual({ outcome: 'keeps-place', mark: 'proven' })
  })
})
