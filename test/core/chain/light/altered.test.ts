import { beforeAll, describe, expect, test } from 'vitest'
import { type Claims, readClaims } from '../../../../scripts/vectors/commits.ts'
import { FieldFault } from '../../../../src/core/base/format/decode.ts'
import { engineAddressOf } from '../../../../src/core/chain/light/encode.ts'
import { readSignedBlock, stepTo, type TrustedHeader } from '../../../../src/core/chain/light/light-client.ts'
import { randomOf } from '../../../simulation/random.ts'
import { runsOf } from '../../../support/hard.ts'
import { type Altered, alterRow, WHAT } from './altered-rows.ts'
import { claimsAt, followRows, ROWS, RULES } from './rows.ts'

const RUNS = runsOf({ suite: 4_000, hard: 100_000 })

let trail: TrustedHeader[] = []
/** Whether a step leads from one row to another, by their heights. */
let starts = new Map<number, TrustedHeader[]>()

beforeAll(async () => {
  trail = await followRows()
  starts = new Map()
  for (const { height } of ROWS.slice(1)) {
    const claims = await claimsAt(height)
    const before = trail.filter((trusted) => trusted.height < claims.height)
    const leading = before.filter((trusted) => stepTo(trusted, claims, RULES).is === 'trusted')
    starts.set(height, leading)
  }
})

/** Returns who refuses what a row claims, undefined where everything that it claims is accepted. */
async function refusalOf({ row, chainId }: Altered, trusted: TrustedHeader): Promise<string | undefined> {
  let claims: Claims
  try {
    claims = await readClaims(row)
  } catch (thrown) {
    if (thrown instanceof FieldFault) return 'decoder'
    if (thrown instanceof RangeError) return 'height'
    throw thrown
  }
  const step = stepTo(trusted, claims, { ...RULES, chainId })
  if (step.is !== 'trusted') return step.is === 'fault' ? step.fault : step.is
  const read = readSignedBlock(claims.signed.header, claims.transactions)
  if ('fault' in read) return read.fault
  if (read.block.stateRoot !== claims.stateRoot) return 'state root'
  return claims.set.every(({ key }, at) => engineAddressOf(key) === claims.addresses[at]) ? undefined : 'address'
}

describe('altered blocks of a real chain', () => {
  test('accepts each block as it was recorded', async () => {
    for (const row of ROWS.slice(1)) {
      const leading = starts.get(row.height) ?? []
      expect(leading.length).toBeGreaterThan(0)
      for (const trusted of leading)
        expect(await refusalOf({ what: 'nothing', row, chainId: RULES.chainId }, trusted)).toBeUndefined()
    }
  })

  test(`accepts none of ${RUNS} altered ones`, async () => {
    const random = randomOf('altered rows')
    const pool = { rows: ROWS.slice(1), chainId: RULES.chainId, random }
    const accepted: Altered[] = []
    const seen = new Set<string>()
    const refusals = new Map<string, number>()
    for (let run = 0; run < RUNS; run += 1) {
      const altered = await alterRow(pool)
      const leading = starts.get(altered.row.height) ?? trail
      const refusal = await refusalOf(altered, random.pick(leading))
      seen.add(altered.what.replace(', hashed again', ''))
      if (refusal === undefined) accepted.push(altered)
      else refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
    }
    expect(accepted.map(({ what, row }) => `${what} at ${row.height}`)).toEqual([])
    expect([...seen].sort()).toEqual([...WHAT].sort())
    expect([...refusals.keys()].sort()).toEqual([
      'address',
      'beacon-block',
      'data-hash',
      'decoder',
      'header-hash',
      'height',
      'malformed',
      'not-next-set',
      'other-chain',
      'set-hash',
      'signature',
      'state root',
      'too-far',
      'too-little-power',
    ])
    console.log(Object.fromEntries(refusals))
  })
})
