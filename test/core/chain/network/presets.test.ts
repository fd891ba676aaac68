import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BEPOLIA, MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { readSpecToml } from '../../../../src/core/chain/network/spec-fields.ts'

const published = (network: string, file: string) =>
  readFileSync(new URL(`../../../vectors/networks/${network}/${file}`, import.meta.url), 'utf8')

describe.each([
  ['mainnet', MAINNET],
  ['bepolia', BEPOLIA],
])('the built-in network %s', (id, network) => {
  test('has every limit and time of the published spec.toml', () => {
    expect(network.spec).toEqual(readSpecToml(published(id, 'spec.toml')))
  })

  test('has the engine chain id of the published genesis.json and client.toml', () => {
    expect(JSON.parse(published(id, 'genesis.json')).chain_id).toBe(network.engineChainId)
    expect(published(id, 'client.toml')).toContain(`chain-id = "${network.engineChainId}"`)
  })

  test('has the fork version of the published genesis.json', () => {
    expect(JSON.parse(published(id, 'genesis.json')).app_state.beacon.fork_version).toBe(
      network.genesisForkVersion,
    )
  })

  test('deposits on its own execution chain', () => {
    expect(network.spec.depositChainId).toBe(network.executionChainId)
    expect(network.slotMs).toBe(network.spec.targetSecondsPerSlot * 1000)
  })
})
