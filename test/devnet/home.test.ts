import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Keystore } from 'ox'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNodeFiles } from '../../src/core/base/effects/node-files.ts'
import { genesisValidatorsRoot } from '../../src/core/chain/deposit/genesis-root.ts'
import { readHome } from '../../src/core/chain/identity/home.ts'
import { readKeyFile } from '../../src/core/chain/identity/key-file.ts'
import { readGenesis } from '../../src/core/chain/identity/read-genesis.ts'
import { readDescriptor, rehearsalNetwork } from '../../src/core/chain/network/rehearsal.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { getJson, testDevnet } from '../support/with-devnet.ts'

let devnet: Devnet
let end: () => Promise<void>

beforeAll(async () => {
  ;({ devnet, end } = await testDevnet({ seed: 'home' }))
})

afterAll(() => end())

const inHome = (path: string): Promise<Buffer> => readFile(join(devnet.descriptor.home, path))

describe('the node home of a rehearsal network', () => {
  test('reads as a home that needs nothing changed', async () => {
    const network = rehearsalNetwork(
      readDescriptor(JSON.stringify(devnet.descriptor)),
      (await inHome('config/spec.toml')).toString(),
    )
    const home = await readHome({ files: createNodeFiles() }, { homePath: devnet.descriptor.home, network })
    expect(home.findings).toEqual([])
    expect(home.engineChainId).toBe(devnet.descriptor.engineChainId)
    expect(home.endpoints).toMatchObject(devnet.descriptor.urls)
  })

  test('holds a key that belongs to itself, and the engine runs on it', async () => {
    const key = readKeyFile(await inHome('config/priv_validator_key.json'), 'cometbft')
    expect(key.facts).toMatchObject({ pubkey: validatorKey('home', 'fresh').pubkey, publishedKey: false })
    const { body } = await getJson(devnet.descriptor.urls.engine, '/status')
    expect(body).toMatchObject({
      result: { validator_info: { address: key.facts.address, voting_power: '0' } },
    })
  })

  test('holds a genesis file with the root that the network reports', async () => {
    const genesis = readGenesis((await inHome('config/genesis.json')).toString())
    expect(genesisValidatorsRoot(genesis.deposits, devnet.chain.input.spec)).toBe(
      devnet.descriptor.genesisRoot,
    )
    expect(genesis.genesisForkVersion).toBe(devnet.descriptor.genesisForkVersion)
  })

  test('comes with a keystore that opens with the password of the descriptor', async () => {
    const { path, password } = devnet.descriptor.keystore
    const keystore = JSON.parse(await readFile(path, 'utf8')) as Keystore.Keystore
    const secret = Keystore.decrypt(keystore, Keystore.toKey(keystore, { password }))
    expect(privateKeyToAddress(secret).toLowerCase()).toBe(devnet.descriptor.operator)
    expect(keystore.crypto.kdfparams).toMatchObject({ n: 1024, r: 8, p: 1 })
  })
})
