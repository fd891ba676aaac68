import { expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { initialGenesis } from '../../../../src/core/steps/genesis/machine.ts'
import { genesisView } from '../../../../src/core/steps/genesis/view.ts'

const SETUP: Setup = {
  network: MAINNET,
  homePath: '/home',
  endpoints: { ...LOCAL_ENDPOINTS, secondExecution: 'http://192.0.2.1:8545' },
  journalDirectory: '/state',
  lockDirectories: [],
  outputDirectory: '/out',
}
const BLOCK: Hex = `0x${'0b'.repeat(32)}`
const OTHER: Hex = `0x${'0c'.repeat(32)}`
const right = { chainId: MAINNET.executionChainId, genesisHash: BLOCK }
const known = <T>(value: T) => ({ status: 'known', value, source: 'x', atMs: 0 }) as const

/** What stands of the second endpoint, and what stops the step, by what both endpoints said. */
function shown(execution: typeof right | undefined, second: typeof right) {
  const observed = {
    ...initialGenesis.observed,
    ...(execution === undefined ? {} : { execution: known(execution) }),
    second: known(second),
  }
  const view = genesisView({ ...initialGenesis, observed }, SETUP)
  const row = view.facts.find(({ id }) => id === 'second')
  return { is: `${row?.mark} ${row?.value}`, values: view.problem?.values.map(({ label }) => label) ?? [] }
}

test('a second endpoint is compared with the first one, and blamed for nothing while that says nothing', () => {
  expect(shown(right, right)).toEqual({ is: 'proven chain 80094, first block the same', values: [] })
  expect(shown(undefined, right)).toEqual({
    is: expect.stringMatching(/^unknown chain 80094; /),
    values: [],
  })
  expect(shown(right, { ...right, genesisHash: OTHER })).toEqual({
    is: 'refused chain 80094, first block not the same',
    values: [expect.stringMatching(/^first block, second /), expect.stringMatching(/^first block, your /)],
  })
})

test('of an endpoint on another chain the chain id is shown, and no first block that is the same', () => {
  expect(shown(right, { ...right, chainId: 5 })).toEqual({
    is: 'refused chain 5, first block the same',
    values: [expect.stringMatching(/^chain id, second /), 'expected'],
  })
  expect(shown({ ...right, chainId: 5 }, right)).toEqual({
    is: 'proven chain 80094, first block the same',
    values: ['execution chain id', 'expected'],
  })
})
