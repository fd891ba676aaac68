import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as OxKeystore from 'ox/Keystore'
import { parseTransaction, recoverTransactionAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UnsignedTransaction } from '../../src/core/base/effects/effects.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { buildSigner } from '../support/build-signer.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'
import { watchChildren } from '../support/watch-children.ts'

const PRIVATE_KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PASSWORD = 'play money 4 rehearsals'
const FROM = privateKeyToAddress(PRIVATE_KEY)
const CHAIN = 31337
const folder = mkdtempSync(join(tmpdir(), 'wallet-test-'))
const keystore = join(folder, 'funder.json')
const transaction: UnsignedTransaction = {
  chainId: CHAIN,
  nonce: 7,
  to: '0x4242424242424242424242424242424242424242',
  valueWei: 240_000n * 10n ** 18n,
  data: encodeTopUp({ pubkey: keyedDeposit().pubkey }),
  gasLimit: 150_000n,
  maxFeePerGasWei: 3_000_000_000n,
  maxPriorityFeePerGasWei: 1_000_000_000n,
}

let signerPath: string
beforeAll(async () => {
  const [key, options] = OxKeystore.scrypt({ password: PASSWORD, n: 1024, r: 8, p: 1 })
  writeFileSync(keystore, JSON.stringify(OxKeystore.encrypt(PRIVATE_KEY, key, options)), { mode: 0o600 })
  signerPath = (await buildSigner()).signerPath
})

const signer = () => createNodeSigner({ signerPath })
const refusal = (code: string) => expect.objectContaining({ name: 'BaseError', code })

function descriptor(change: { chainId?: number; path?: string; password?: string } = {}): string {
  const path = join(mkdtempSync(join(folder, 'net-')), 'network.json')
  const { chainId = CHAIN, password = PASSWORD } = change
  const content = {
    urls: {},
    chainId,
    keystore: { path: change.path ?? keystore, password },
    home: '/nowhere',
  }
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 })
  return path
}

const sign = (change: Partial<UnsignedTransaction> = {}, from = FROM, passwordDescriptor = descriptor()) =>
  signer().signTransaction({
    keystore,
    passwordDescriptor,
    from,
    transaction: { ...transaction, ...change },
    prompt: { network: 'Rehearsal', token: 'BERA', speedsUp: false, arrived: '' },
  })

describe('a transaction', () => {
  test('is signed with exactly the fields that were asked for', async () => {
    const { rawTransaction, hash, from } = await sign()
    const serializedTransaction = rawTransaction as `0x02${string}`
    expect(parseTransaction(serializedTransaction)).toMatchObject({
      type: 'eip1559',
      chainId: CHAIN,
      nonce: 7,
      to: transaction.to,
      value: transaction.valueWei,
      data: transaction.data,
      gas: transaction.gasLimit,
      maxFeePerGas: transaction.maxFeePerGasWei,
      maxPriorityFeePerGas: transaction.maxPriorityFeePerGasWei,
    })
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(FROM)
    expect({ hash, from }).toEqual({ hash: keccak256(rawTransaction), from: FROM })
  })

  test('may be a transfer of nothing to oneself, which empties a nonce', async () => {
    const { rawTransaction } = await sign({ to: FROM, valueWei: 0n, data: '0x', nonce: 0 })
    const parsed = parseTransaction(rawTransaction as `0x02${string}`)
    expect(parsed.to?.toLowerCase()).toBe(FROM.toLowerCase())
    expect(parsed.value ?? 0n).toBe(0n)
  })

  test('for anything else is not signed', async () => {
    const odd: Partial<UnsignedTransaction>[] = [
      { data: '0x', valueWei: 1n },
      { data: '0x', valueWei: 0n },
      { data: '0xa9059cbb' },
      { data: transaction.data.replace('e12cf4cb', 'e12cf4cc') as `0x${string}` },
      { valueWei: 0n },
    ]
    for (const change of odd) await expect(sign(change)).rejects.toThrow(refusal('signer.other-purpose'))
    const fees = { maxPriorityFeePerGasWei: transaction.maxFeePerGasWei + 1n }
    await expect(sign(fees)).rejects.toThrow(refusal('signer.bad-request'))
  })

  test('for another account than the keystore’s is not signed', async () => {
    await expect(sign({}, transaction.to)).rejects.toThrow(refusal('keystore.other-account'))
  })
})

describe('the address that a keystore claims', () => {
  const claimed = async (address?: object) => {
    const path = join(mkdtempSync(join(folder, 'claim-')), 'claim.json')
    const content: unknown = JSON.parse(readFileSync(keystore, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...(content as object), ...address }), { mode: 0o600 })
    return signer().keystoreAddress({ keystore: path })
  }

  test('is told without a password, in its checksummed form, and nothing where there is none', async () => {
    const bare = transaction.to.slice(2)
    expect(await claimed({ address: FROM.slice(2).toLowerCase() })).toEqual({ address: FROM })
    expect(await claimed({ address: bare })).toEqual({ address: transaction.to })
    expect(await claimed()).toEqual({})
  })

  test('that is no address is refused by the name of its field', async () => {
    await expect(claimed({ address: 'somebody' })).rejects.toThrow(refusal('keystore.bad-field'))
  })
})

describe('the rehearsal password', () => {
  test('opens the keystore that its descriptor names', async () => {
    const passwordDescriptor = descriptor()
    expect(await signer().keystoreAddress({ keystore, passwordDescriptor })).toEqual({ address: FROM })
  })

  test('is never used for another chain, a real one, or another keystore', async () => {
    const refused = refusal('signer.descriptor-refused')
    await expect(sign({}, FROM, descriptor({ chainId: 31338 }))).rejects.toThrow(refused)
    await expect(sign({}, FROM, descriptor({ path: join(folder, 'other.json') }))).rejects.toThrow(refused)
    for (const chainId of [80094, 80069]) {
      await expect(sign({ chainId }, FROM, descriptor({ chainId }))).rejects.toThrow(refused)
      const passwordDescriptor = descriptor({ chainId })
      await expect(signer().keystoreAddress({ keystore, passwordDescriptor })).rejects.toThrow(refused)
    }
  })

  test('that is wrong is said to be wrong', async () => {
    const wrong = descriptor({ password: 'something else' })
    await expect(sign({}, FROM, wrong)).rejects.toThrow(refusal('keystore.wrong-password'))
    await expect(signer().keystoreAddress({ keystore, passwordDescriptor: wrong })).rejects.toMatchObject({
      nextSteps: walletError('keystore.wrong-password', 'descriptor').nextSteps,
    })
  })
})

test('neither key nor password is seen outside the child', async () => {
  const { result, seen } = await watchChildren(sign())
  const everything = [...seen.texts, JSON.stringify(result)].join('\n')
  expect(seen.samples).toBeGreaterThan(5)
  expect([...seen.sockets]).toEqual([])
  for (const secret of [
    PASSWORD,
    PRIVATE_KEY.slice(2),
    Buffer.from(PRIVATE_KEY.slice(2), 'hex').toString('base64'),
  ]) {
    expect(everything).not.toContain(secret)
  }
})
