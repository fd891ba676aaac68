import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { initialGenesis } from '../../../../src/core/steps/genesis/machine.ts'
import { genesisView } from '../../../../src/core/steps/genesis/view.ts'
import { HEALTH_FACTS } from '../../../../src/core/steps/identity/facts.ts'
import { IDENTITY_TEXT } from '../../../../src/core/steps/identity/text.ts'
import type { Observation } from '../../../../src/core/view/observation.ts'
import { tableRows } from '../../../../src/core/view/rows.ts'

const setup = {
  network: MAINNET,
  homePath: '/home/ann/.beacond',
  endpoints: { execution: 'http://a.example', node: 'http://b.example', engine: 'http://c.example' },
  journalDirectory: '',
  lockDirectories: [],
  outputDirectory: '',
}

const said = <T>(value: T): Observation<T> => ({ status: 'known', value, source: 'x', atMs: 0 })
const OTHER = `0x${'5e'.repeat(32)}` as const

describe('a fact that refuses says itself what to change', () => {
  test('in the step about the chain', () => {
    const seen = {
      ...initialGenesis.seen,
      file: said({ root: OTHER, forkVersion: OTHER, validators: 3, engineChainId: 'other-1' }),
      node: said({ root: OTHER, forkVersion: OTHER }),
      tool: said({ root: OTHER }),
      execution: said({ chainId: 1, genesisHash: OTHER }),
      engine: said({ network: 'other-1' }),
      contract: said({ codeHash: OTHER }),
      config: said({ chainIds: [1], contracts: [] }),
    }
    const { facts } = genesisView({ seen, asking: false }, setup)
    const refused = facts.filter(({ mark }) => mark === 'refused')
    expect(refused.map(({ id }) => id)).toEqual([
      'file',
      'node',
      'tool',
      'execution',
      'engine',
      'contract',
      'config',
    ])
    expect(refused.filter(({ next }) => next === undefined)).toEqual([])
  })

  test('of what a node says of itself', () => {
    const seen = {
      peers: said({ offer: 'yes', value: { engine: 0, node: 0 } } as const),
      health: said({ offer: 'yes', value: 'syncing' } as const),
      finality: said({ offer: 'yes', value: { finalizedEpoch: 1n, headEpoch: 9n } } as const),
    }
    const rows = tableRows(HEALTH_FACTS, IDENTITY_TEXT.health, seen, { setup })
    expect(rows.map(({ id, mark, next }) => [id, mark, typeof next])).toEqual([
      ['peers', 'refused', 'string'],
      ['health', 'refused', 'string'],
      ['finality', 'refused', 'string'],
    ])
  })

  test('and one that holds, or is not known, says nothing to change', () => {
    const seen = { ...initialGenesis.seen, engine: said({ network: MAINNET.engineChainId }) }
    const { facts } = genesisView({ seen, asking: false }, setup)
    expect(facts.filter(({ next }) => next !== undefined)).toEqual([])
  })
})
