import { describe, expect, test } from 'vitest'
import {
  again,
  back,
  command,
  decides,
  distinctNext,
  KEY,
  type Next,
  namesKey,
  nextText,
  parts,
  shows,
  withoutKeys,
} from '../../../../src/core/base/format/next.ts'

const TOOL = 'beacond'
const steps: Next[] = [
  'check the path',
  parts`restart ${TOOL}${again`, then press ${KEY}`}`,
  parts`${back`${KEY} leads back: `}choose another network`,
  parts`make a new key${shows('c')`; ${KEY} shows the command`}`,
  decides('x')`only if it is yours: ${KEY} takes it, and ${'10 BERA'} with it`,
  parts`see ${command('status', '--validator', 'a b')} for more`,
]

describe('what to do next', () => {
  test('is drawn with the names of a desk for its keys and for the program', () => {
    expect(steps.map((step) => nextText(step))).toEqual([
      'check the path',
      'restart beacond, then press r',
      'Esc leads back: choose another network',
      'make a new key; c shows the command',
      'only if it is yours: x takes it, and 10 BERA with it',
      "see bearings status --validator 'a b' for more",
    ])
    const lines = { keys: { escape: 'b' }, run: () => 'node cli.js status' }
    expect(steps.slice(2, 3).map((step) => nextText(step, lines))).toEqual([
      'b leads back: choose another network',
    ])
    expect(nextText(parts`see ${command('status')}`, lines)).toBe('see node cli.js status')
  })

  test('loses its clauses about keys where there are none, and nothing else', () => {
    const { next, decides: isDecision, asks } = withoutKeys(steps)
    expect(next.map((step) => nextText(step))).toEqual([
      'check the path',
      'restart beacond',
      'choose another network',
      'make a new key',
      "see bearings status --validator 'a b' for more",
    ])
    expect([isDecision, asks]).toEqual([true, true])
    expect(withoutKeys(['r asks again; Esc leads back, x decides'])).toEqual({
      next: ['r asks again; Esc leads back, x decides'],
      decides: false,
      asks: false,
    })
  })

  test('is the same where it says the same, and names a key by the key alone', () => {
    const twice = [again`${KEY} asks again`, again`${KEY} asks again`, 'wait']
    expect(distinctNext(twice).map((step) => nextText(step))).toEqual(['r asks again', 'wait'])
    expect(twice.map((step) => namesKey(step, 'r'))).toEqual([true, true, false])
    expect(namesKey('press r', 'r')).toBe(false)
  })
})
