import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex } from '../../../../src/core/base/format/hex.ts'
import { type BeaconState, BeaconStateType } from '../../../../src/core/chain/proofs/beacon-state.ts'
import { isKnownLayout, stateRoot } from '../../../../src/core/chain/proofs/merkle.ts'

const bytes = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, at) => (seed * 31 + at * 7 + (seed >> 8)) & 0xff)

function stateOf(counts: { validators: number; mixes: number; roots: number }): BeaconState {
  return {
    ...BeaconStateType.defaultValue(),
    slot: 187n,
    blockRoots: Array.from({ length: counts.roots }, (_, at) => bytes(32, at)),
    randaoMixes: Array.from({ length: counts.mixes }, (_, at) => bytes(32, at + 1)),
    balances: Array.from({ length: counts.validators }, (_, at) => 10n ** 16n + BigInt(at)),
    validators: Array.from({ length: counts.validators }, (_, at) => ({
      pubkey: bytes(48, at),
      withdrawalCredentials: bytes(32, at + 5),
      effectiveBalance: BigInt(at) * 10n ** 13n,
      slashed: at % 5 === 0,
      activationEligibilityEpoch: BigInt(at),
      activationEpoch: BigInt(at + 1),
      exitEpoch: 2n ** 64n - 1n,
      withdrawableEpoch: 2n ** 64n - 1n,
    })),
  }
}

const noRest = async () => undefined
const bySsz = (state: BeaconState) => bytesToHex(BeaconStateType.hashTreeRoot(state))

describe('the root of a whole state, made in parts', () => {
  test('is that of the SSZ library, for any lengths of its lists', async () => {
    const count = fc.nat(40)
    const run = fc.asyncProperty(count, count, count, async (validators, mixes, roots) => {
      const state = stateOf({ validators, mixes, roots })
      expect(await stateRoot(state, noRest)).toBe(bySsz(state))
    })
    await fc.assert(run, { numRuns: 100 })
  })

  test('is the same across the borders of the parts, with rests in between', async () => {
    for (const [validators, mixes, roots] of [
      [511, 8, 8],
      [513, 16_385, 8192],
      [1025, 65_536, 0],
    ] as const) {
      let rests = 0
      const state = stateOf({ validators, mixes, roots })
      const root = await stateRoot(state, async () => {
        rests += 1
      })
      expect(root).toBe(bySsz(state))
      expect(rests > 0).toBe(validators > 511)
    }
  })
})

describe('the layout of a state', () => {
  test.each(['0x05000000', '0x05010000', '0x06000000'] as const)('of fork %s is known', (version) => {
    expect(isKnownLayout(version)).toBe(true)
  })

  test.each(['0x04000000', '0x04010000', '0x07000000', '0x05020000'] as const)(
    'of fork %s is not guessed',
    (version) => {
      expect(isKnownLayout(version)).toBe(false)
    },
  )
})
