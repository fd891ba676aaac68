import { beforeAll, describe, expect, test } from 'vitest'
import { type Claims, readClaims } from '../../../../scripts/vectors/commits.ts'
import { FieldFault } from '../../../../src/core/base/format/decode.ts'
import { engineAddressOf } from '../../../../src/core/chain/light/encode.ts'
import { readSignedBlock, stepTo, type TrustedHeader } from '../../../../src/core/chain/light/light-client.ts'
import { randomOf } from '../../../simulation/random.ts'
import { HARD, runsOf } from '../../../support/hard.ts'
import { type Altered, alterRow, WHAT } from './altered-rows.ts'
import { ROWS, RULES, rowAt, trustIn } from './rows.ts'

const RUNS = runsOf({ suite: 2_000, hard: 100_000 })
/** Of each kind of set and signers, most of them the first block of a new set. */
const HEIGHTS = [242, 530, 556, 1226, 2341]
/** The curve takes 40 ms a claim: the suite has fewer rows, and fewer claims that only the curve refuses. */
const POOL = {
  rows: HARD ? ROWS.slice(1) : HEIGHTS.map(rowAt),
  chainId: RULES.chainId,
  rehashed: HARD ? 0.1 : 0.015,
}

/** The headers from which one step leads to a row, by its height. */
const starts = new Map<number, TrustedHeader[]>()

beforeAll(async () => {
  const trail = await Promise.all(ROWS.map(async (row) => trustIn(await readClaims(row))))
  for (const row of POOL.rows) {
    const claims = await readClaims(row)
    const before = trail.filter(({ height }) => height < claims.height)
    const leading = before.filter((trusted) => stepTo(trusted, claims, RULES).is === 'trusted')
    starts.set(row.height, leading)
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
  return claims.set.every(({ key }, at) => engineAddressOf(key) === claims.addresses[at])
    ? undefined
    : 'address'
}

describe('altered blocks of a real chain', () => {
  test('accepts each block as it was recorded', async () => {
    for (const row of POOL.rows) {
      const leading = starts.get(row.height) ?? []
      expect(leading.length).toBeGreaterThan(0)
      for (const trusted of leading)
        expect(await refusalOf({ what: 'nothing', row, chainId: RULES.chainId }, trusted)).toBeUndefined()
    }
  })

  test(`accepts none of ${RUNS} altered ones`, async () => {
    const random = randomOf('altered rows')
    const accepted: string[] = []
    const seen = new Set<string>()
    const refusals = new Set<string>()
    for (let run = 0; run < RUNS; run += 1) {
      const altered = await alterRow({ ...POOL, random })
      const { what, row } = altered
      const leading = starts.get(row.height) ?? starts.get(random.pick(POOL.rows).height) ?? []
      const nearest = leading.at(-1) ?? random.pick(leading)
      const refusal = await refusalOf(altered, random.chance(0.5) ? nearest : random.pick(leading))
      seen.add(what.replace(', hashed again', ''))
      if (refusal === undefined) accepted.push(`${what} at ${row.height}`)
      else refusals.add(refusal)
    }
    expect(accepted).toEqual([])
    expect([...seen].sort()).toEqual([...WHAT].sort())
    expect([...refusals].sort()).toEqual([
      'address',
      'data-hash',
      'decoder',
      'header-hash',
      'height',
      'malformed',
      'not-next-set',
      'other-chain',
      'other-height',
      'set-hash',
      'signature',
      'state root',
      'too-far',
      'too-little-power',
    ])
  })
})
