import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verify } from '../../src/commands/verify.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { writeDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import { readKeyFile } from '../../src/core/chain/identity/key-file.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { runCommandWith } from '../support/run-command.ts'

const { devnet, directory, effects, look } = lookingWorld()

describe('verify', () => {
  const deposit = async () => {
    const { home, genesisRoot, genesisForkVersion, chainId, operator } = devnet().descriptor
    const path = join(home, 'config/priv_validator_key.json')
    const { secretKey, facts } = readKeyFile(
      await effects().files.read(path, { maxBytes: 10_000 }),
      'cometbft',
    )
    const chain = { genesisValidatorsRoot: genesisRoot, genesisForkVersion }
    const withdrawalCredentials: Hex = `0x01${'00'.repeat(11)}${operator.slice(2).toLowerCase()}`
    const message = { pubkey: facts.pubkey, withdrawalCredentials, amountGwei: 10_000_000_000_000n }
    const signature = signDepositMessage(secretKey, message, chain)
    return { ...message, ...chain, signature, operator, network: 'rehearsal', executionChainId: chainId }
  }

  test('accepts a sound deposit file, by library and by precompiles', async () => {
    const path = join(directory(), 'deposit.json')
    await writeFile(path, writeDepositFile(await deposit()))
    const { code, json } = await look(verify, path, '--json')
    expect(json().rows.map(({ id, mark }) => [id, mark])).toEqual([
      ['verdict', 'proven'],
      ['operator', 'proven'],
      ['uncounted', 'proven'],
      ['network', 'given'],
      ['file', 'proven'],
      ['pubkey', 'given'],
      ['amount', 'given'],
      ['withdrawal', 'given'],
      ['operator', 'given'],
      ['library', 'proven'],
      ['precompile', 'proven'],
      ['fate', 'proven'],
    ])
    expect(code).toBe(0)
  })

  test('refuses the same file for mainnet, whatever chain the file names', async () => {
    const path = join(directory(), 'deposit-for-mainnet.json')
    await writeFile(path, writeDepositFile(await deposit()))
    const { code } = await runCommandWith(verify, [path, '--network', 'mainnet'], effects())
    expect(code).toBe(1)
  })

  test('does not know when the named execution client is closed', async () => {
    const path = join(directory(), 'deposit-closed.json')
    await writeFile(path, writeDepositFile(await deposit()))
    const { code } = await look(verify, path, '--execution', 'http://127.0.0.1:1')
    expect(code).toBe(3)
  })
})
