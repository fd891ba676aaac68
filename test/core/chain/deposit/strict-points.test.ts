import { describe, expect, test } from 'vitest'
import { publicKeyProblem, signatureProblem } from '../../../../src/core/chain/deposit/strict-points.ts'

/** The compressed encoding of a small x coordinate, of so many bytes. */
const small = (x: number, bytes: number) => `0x80${x.toString(16).padStart(2 * bytes - 2, '0')}`

describe('what a strict reader refuses a point for', () => {
  test.each([
    ['its encoding', 'encoding', `0x${'ff'.repeat(48)}`, `0x${'ff'.repeat(96)}`],
    ['that no point has this coordinate', 'not-on-curve', small(3, 48), small(3, 96)],
    ['that it lies beside the subgroup', 'not-in-subgroup', small(4, 48), small(4, 96)],
    ['that it is infinity', 'infinity', `0xc0${'00'.repeat(47)}`, `0xc0${'00'.repeat(95)}`],
  ] as const)('%s', (_, problem, pubkey, signature) => {
    expect(publicKeyProblem(pubkey)).toBe(problem)
    expect(signatureProblem(signature)).toBe(problem)
  })
})
