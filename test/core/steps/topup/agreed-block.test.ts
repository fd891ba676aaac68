import { expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { agreedKeyState } from '../../../../src/core/steps/topup/facts.ts'
import { MINE, provenSet, setup } from '../../../support/guard-world.ts'

test.each([
  [0n, 0n],
  [1n, 0n],
  [2n, 0n],
  [3n, 1n],
  [1_000n, 998n],
])(
  'what waits at slot %s being unknown, a top-up is agreed to by what block %s holds, and by none below 0',
  (slot, block) => {
    const value = provenSet({ slot, uncounted: { unknown: 'nobody tells', perhaps: [] } })
    const snapshot = { status: 'known', value, source: 'node', atMs: 0 } as const
    expect(agreedKeyState({ snapshot }, MINE, tokens(10_000n), setup)).toMatchObject({
      about: 'validator',
      block,
    })
  },
)
