import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { HEALTH_FACTS } from '../../../../src/core/steps/identity/facts.ts'
import type { Observation } from '../../../../src/core/view/observation.ts'
import { drawRows } from '../../../../src/core/view/rows.ts'

const setup = {
  network: MAINNET,
  homePath: '/home/ann/.beacond',
  endpoints: { execution: 'http://a.example', node: 'http://b.example', engine: 'http://c.example' },
  journalDirectory: '',
  lockDirectories: [],
  outputDirectory: '',
}

const said = <T>(value: T): Observation<T> => ({ status: 'known', value, source: 'x', atMs: 0 })

describe('a fact that refuses says itself what to change', () => {
  test('of what a node says of itself', () => {
    const observed = {
      peers: said({ offer: 'yes', value: { engine: 0, node: 0 } } as const),
      health: said({ offer: 'yes', value: 'syncing' } as const),
      finality: said({ offer: 'yes', value: { finalizedEpoch: 1n, headEpoch: 9n } } as const),
    }
    const rows = drawRows(HEALTH_FACTS, observed, { setup })
    expect(rows.map(({ id, mark, next }) => [id, mark, typeof next])).toEqual([
      ['peers', 'refused', 'string'],
      ['health', 'refused', 'string'],
      ['finality', 'refused', 'string'],
    ])
  })
})
