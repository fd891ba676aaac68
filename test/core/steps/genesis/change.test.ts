import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { initialGenesis } from '../../../../src/core/steps/genesis/machine.ts'
import { genesisView } from '../../../../src/core/steps/genesis/view.ts'
import type { Observation } from '../../../../src/core/view/observation.ts'

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
    const observed = {
      ...initialGenesis.observed,
      file: said({ root: OTHER, forkVersion: OTHER, validators: 3, engineChainId: 'other-1' }),
      node: said({ root: OTHER, forkVersion: OTHER }),
      tool: said({ root: OTHER }),
      execution: said({ chainId: 1, genesisHash: OTHER }),
      engine: said({ network: 'other-1' }),
      contract: said({ codeHash: OTHER }),
      config: said({ chainIds: [1], contracts: [] }),
    }
    const { facts } = genesisView({ observed, asking: false }, setup)
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

  test('and one that holds, or is not known, says nothing to change', () => {
    const observed = { ...initialGenesis.observed, engine: said({ network: MAINNET.engineChainId }) }
    const { facts } = genesisView({ observed, asking: false }, setup)
    expect(facts.filter(({ next }) => next !== undefined)).toEqual([])
  })
})
