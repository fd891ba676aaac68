import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { genesis } from '../../src/commands/genesis.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { changeFile, GENESIS_FACTS } from '../../src/core/steps/genesis/facts.ts'
import { offline } from '../support/offline.ts'
import { runCommandWith } from '../support/run-command.ts'

const file = (path: string) => join(import.meta.dirname, '../vectors', path)
const recorded = [file('recorded/genesis.json'), '--spec', file('recorded/spec.toml')]

describe('genesis of a file, offline', () => {
  test('prints root, fork version and number of validators', async () => {
    const { code, json } = await runCommandWith(genesis, [...recorded, '--json'], offline)
    expect(code).toBe(0)
    expect(json()).toMatchObject({
      verdict: 'yes',
      network: 'custom-961b8390',
      root: '0x961b839044d9e6f1e527f0622cea49397f9f315c769dd1258a91c9f31e651d0c',
      forkVersion: '0x05000000',
      validators: 3,
    })
  })

  test('says that Berachain’s limits were taken when nothing names a network', async () => {
    const [path = ''] = recorded
    const { code, out } = await runCommandWith(genesis, [path], offline)
    expect(code).toBe(0)
    expect(out).toContain(' Berachain')
  })

  test('says no when it is not the file of the named network', async () => {
    const [path = ''] = recorded
    const { code, json } = await runCommandWith(genesis, [path, '--network', 'mainnet', '--json'], offline)
    expect(code).toBe(1)
    const { rows } = json()
    expect(rows.find(({ id }) => id === 'preset')).toMatchObject({
      mark: 'given',
      long: MAINNET.genesisValidatorsRoot,
    })
    expect(rows.find(({ id }) => id === 'file')).toMatchObject({
      mark: 'refused',
      label: GENESIS_FACTS.file.label,
      fix: changeFile(MAINNET, path),
    })
  })

  test('is wrong use without the file', async () => {
    const { code, json } = await runCommandWith(genesis, ['/nowhere/genesis.json', '--json'], offline)
    expect(code).toBe(2)
    expect(json()).toMatchObject({ verdict: 'wrong-use', error: { code: 'file.missing' } })
  })
})

test('the published files of a built-in network are that network', async () => {
  const spec = file('networks/mainnet/spec.toml')
  const paths = [file('networks/mainnet/genesis.json'), '--spec', spec, '--json']
  const { code, json } = await runCommandWith(genesis, paths, offline)
  expect(code).toBe(0)
  expect(json()).toMatchObject({ network: MAINNET.id, root: MAINNET.genesisValidatorsRoot })
})
