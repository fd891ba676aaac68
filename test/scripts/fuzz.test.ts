import { describe, expect, test } from 'vitest'
import { FILE_TARGETS } from '../../scripts/fuzz/file-targets.ts'
import { checkGenesisLists } from '../../scripts/fuzz/genesis-lists.ts'
import { checkMutatedProofs } from '../../scripts/fuzz/mutated-proofs.ts'
import { OWN_TARGETS } from '../../scripts/fuzz/own-targets.ts'
import { REPLY_TARGETS } from '../../scripts/fuzz/reply-targets.ts'
import { runTarget, type Target } from '../../scripts/fuzz/run-target.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'

const SEED = 20_261_121

describe('parsers of text from outside', () => {
  test.each([...FILE_TARGETS, ...OWN_TARGETS, ...REPLY_TARGETS])(
    '$name: accepted or refused in words',
    async (target) => {
      const result = await runTarget(target, { runs: 150, seed: SEED })
      expect(result).toMatchObject({ failure: undefined, runs: 150 })
      expect(result.refused).toBeGreaterThan(0)
    },
  )
})

describe('the feeding itself notices', () => {
  const fed = (read: Target['read']) =>
    runTarget({ name: 'odd', samples: ['{"a":1}'], read }, { runs: 300, seed: SEED })

  test('a crash', async () => {
    const { failure } = await fed((text) => (text.includes('}') ? text : JSON.parse(text)))
    expect(failure).toMatch(/SyntaxError/)
  })

  test('a refusal that repeats control characters', async () => {
    const { failure } = await fed((text) => {
      if (text !== '{"a":1}') throw new BaseError('odd.text', { short: `found ${text}\u001b` })
    })
    expect(failure).toMatch(/unsafe words/)
  })

  test('a sample that is refused as it is', async () => {
    const { failure } = await fed(() => {
      throw new BaseError('odd.all', { short: 'No.' })
    })
    expect(failure).toBe('no sample is accepted as it is')
  })
})

test('2,000 changed proofs: none holds', () => {
  const result = checkMutatedProofs({ runs: 2_000, seed: SEED })
  expect(result).toMatchObject({ failure: undefined, runs: 2_000, accepted: 0, refused: 2_000 })
})

test('200 random genesis lists have one root in two implementations', () => {
  expect(checkGenesisLists({ runs: 200, seed: SEED })).toMatchObject({ failure: undefined, runs: 200 })
})
