import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as OxKeystore from 'ox/Keystore'
import { parseTransaction, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import { readFields } from '../../src/core/base/format/fields.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import type { Eip1559Transaction } from '../../src/signer/read-transaction.ts'
import { readPromptWords, signAndReadBack, signTransaction } from '../../src/signer/sign-transaction.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'

// In this process: what the child does with its request. That a child does it is in wallet.test.ts.

const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const OTHER_KEY = `0x${'11'.repeat(32)}` as const
const PASSWORD = 'play money 4 rehearsals'
const CHAIN = 31337
const ACCOUNT = privateKeyToAccount(KEY)
const OTHER = privateKeyToAccount(OTHER_KEY)
const DEPOSIT: Eip1559Transaction = {
  type: 'eip1559',
  chainId: CHAIN,
  nonce: 7,
  to: '0x4242424242424242424242424242424242424242',
  value: 240_000n * 10n ** 18n,
  data: encodeTopUp({ pubkey: keyedDeposit().pubkey }),
  gas: 150_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
}
const EMPTY: Eip1559Transaction = {
  ...DEPOSIT,
  nonce: 0,
  to: ACCOUNT.address,
  value: 0n,
  data: '0x',
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 0n,
}

const refusal = (code: string) => expect.objectContaining({ code })
/** The field in which what was signed differs. */
const differsIn = (field: string) =>
  expect.objectContaining({ code: 'signer.failed', details: [expect.stringMatching(` ${field}\\.$`)] })

/** An account that signs another transaction than the one it was given. */
function lying(change: (asked: TransactionSerializableEIP1559) => object, by: PrivateKeyAccount = ACCOUNT) {
  return {
    address: ACCOUNT.address,
    signTransaction: (asked: never) =>
      by.signTransaction({ ...(asked as object), ...change(asked) } as never),
  } as unknown as PrivateKeyAccount
}

describe('what was signed', () => {
  test.each([
    ['a deposit', DEPOSIT],
    ['a transfer of nothing to oneself, with nonce 0', EMPTY],
  ])(
    'is handed over with its hash and account where it is what was asked for: %s',
    async (_, transaction) => {
      const { rawTransaction, hash, from } = await signAndReadBack(ACCOUNT, transaction, ACCOUNT.address)
      expect({ hash, from }).toEqual({ hash: keccak256(rawTransaction), from: ACCOUNT.address })
      expect(parseTransaction(rawTransaction as `0x02${string}`).nonce ?? 0).toBe(transaction.nonce)
      expect(await signAndReadBack(ACCOUNT, transaction, undefined)).toEqual({ rawTransaction, hash, from })
      const small = ACCOUNT.address.toLowerCase() as `0x${string}`
      expect(await signAndReadBack(ACCOUNT, transaction, small)).toEqual({ rawTransaction, hash, from })
    },
  )

  test.each<[string, (asked: TransactionSerializableEIP1559) => object, string]>([
    ['another chain', () => ({ chainId: 80094 }), 'chainId'],
    ['another nonce', ({ nonce = 0 }) => ({ nonce: nonce + 1 }), 'nonce'],
    ['another value', ({ value = 0n }) => ({ value: value + 1n }), 'value'],
    ['another gas limit', () => ({ gas: 21_000n }), 'gas'],
    ['another fee', ({ maxFeePerGas = 0n }) => ({ maxFeePerGas: maxFeePerGas + 1n }), 'maxFeePerGas'],
    ['another tip', () => ({ maxPriorityFeePerGas: 1n }), 'maxPriorityFeePerGas'],
    ['another receiver', () => ({ to: OTHER.address }), 'to'],
    ['no receiver', () => ({ to: undefined }), 'to'],
    ['other calldata', () => ({ data: '0x1234' }), 'data'],
    ['an access list', () => ({ accessList: [{ address: OTHER.address, storageKeys: [] }] }), 'accessList'],
  ])('is not believed to be it: %s', async (_, change, said) => {
    for (const transaction of [DEPOSIT, EMPTY])
      await expect(signAndReadBack(lying(change), transaction, undefined)).rejects.toThrow(differsIn(said))
  })

  test('is not believed with a signature of another account', async () => {
    await expect(
      signAndReadBack(
        lying(() => ({}), OTHER),
        DEPOSIT,
        undefined,
      ),
    ).rejects.toThrow(differsIn('from'))
  })

  test('is not believed in another form of transaction', async () => {
    const legacy = () => ({
      type: 'legacy',
      gasPrice: 1n,
      maxFeePerGas: undefined,
      maxPriorityFeePerGas: undefined,
    })
    await expect(signAndReadBack(lying(legacy), DEPOSIT, undefined)).rejects.toThrow(differsIn('type'))
    const unsigned = { ...lying(() => ({})), signTransaction: async () => serializeTransaction(DEPOSIT) }
    await expect(signAndReadBack(unsigned as never, DEPOSIT, undefined)).rejects.toThrow()
  })

  test('is nothing for another account, and nothing that is no deposit', async () => {
    await expect(signAndReadBack(ACCOUNT, DEPOSIT, OTHER.address)).rejects.toThrow(
      refusal('keystore.other-account'),
    )
    await expect(signAndReadBack(ACCOUNT, DEPOSIT, OTHER.address)).rejects.toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(`${ACCOUNT.address}[^]*${OTHER.address}|${OTHER.address}[^]*${ACCOUNT.address}`),
        ),
      }),
    )
    await expect(signAndReadBack(ACCOUNT, { ...EMPTY, to: OTHER.address }, undefined)).rejects.toThrow(
      refusal('signer.other-purpose'),
    )
  })
})

describe('a request to sign', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sign-test-'))
  const keystore = join(folder, 'funder.json')
  const [key, options] = OxKeystore.scrypt({ password: PASSWORD, n: 2, r: 8, p: 1 })
  writeFileSync(keystore, JSON.stringify(OxKeystore.encrypt(KEY, key, options)), { mode: 0o600 })
  const passwordDescriptor = join(folder, 'network.json')
  const network = {
    urls: {},
    chainId: CHAIN,
    keystore: { path: keystore, password: PASSWORD },
    home: '/nowhere',
  }
  writeFileSync(passwordDescriptor, JSON.stringify(network), { mode: 0o600 })

  const { type: _, value, gas, maxFeePerGas, maxPriorityFeePerGas, ...same } = DEPOSIT
  const transaction = {
    ...same,
    valueWei: `${value}`,
    gasLimit: `${gas}`,
    maxFeePerGasWei: `${maxFeePerGas}`,
    maxPriorityFeePerGasWei: `${maxPriorityFeePerGas}`,
  }
  const prompt = { network: 'Rehearsal', token: 'BERA', speedsUp: false, arrived: '' }
  const REQUEST = { keystore, passwordDescriptor, from: ACCOUNT.address, transaction, prompt }
  const asked = (request: object) =>
    signTransaction(
      readFields(request, { path: '', fail: (problem) => walletError('signer.bad-request', problem) }),
      {
        signal: new AbortController().signal,
      },
    )

  test('is carried out with the password of its descriptor', async () => {
    expect(await asked(REQUEST)).toEqual(await signAndReadBack(ACCOUNT, DEPOSIT, ACCOUNT.address))
    const { from: __, ...anybody } = REQUEST
    expect(await asked(anybody)).toMatchObject({ from: ACCOUNT.address })
  })

  test.each<[string, object, string]>([
    ['another account', { from: OTHER.address }, 'keystore.other-account'],
    ['an account that is none', { from: '0x12' }, 'signer.bad-request'],
    ['a field too many', { secret: 'x' }, 'signer.bad-request'],
    ['no prompt', { prompt: undefined }, 'signer.bad-request'],
    ['a prompt with a field too many', { prompt: { ...prompt, more: 1 } }, 'signer.bad-request'],
    [
      'an empty transfer to another account than its own',
      { transaction: { ...transaction, data: '0x', valueWei: '0', to: OTHER.address } },
      'signer.other-purpose',
    ],
    [
      'a keystore without a descriptor, and no word of the terminal',
      { passwordDescriptor: undefined },
      'signer.bad-request',
    ],
  ])('is refused with %s', async (_, change, code) => {
    const request = Object.fromEntries(
      Object.entries({ ...REQUEST, ...change }).filter(([, part]) => part !== undefined),
    )
    await expect(asked(request)).rejects.toThrow(refusal(code))
  })

  test('is refused for its purpose before its keystore is looked at', async () => {
    const nowhere = { ...REQUEST, keystore: join(folder, 'nowhere.json') }
    const empty = { ...transaction, data: '0x', valueWei: '0', to: OTHER.address }
    await expect(asked({ ...nowhere, transaction: empty })).rejects.toThrow(refusal('signer.other-purpose'))
  })

  test('without a descriptor asks at a terminal, and is refused where there is none', async () => {
    const { passwordDescriptor: __, ...typed } = REQUEST
    await expect(asked({ ...typed, rawModeIsOn: false, linesOnly: false })).rejects.toThrow(
      refusal('signer.no-terminal'),
    )
  })

  test('names what its prompt may say, cut to what fits a line', () => {
    const words = (change: object) =>
      readPromptWords(
        readFields(
          { ...prompt, ...change },
          { path: '', fail: (problem) => walletError('signer.bad-request', problem) },
        ),
      )
    expect(words({})).toEqual(prompt)
    expect(words({ speedsUp: true, arrived: '20,000 BERA' })).toEqual({
      ...prompt,
      speedsUp: true,
      arrived: '20,000 BERA',
    })
    const long = 'x'.repeat(99)
    expect(words({ network: long }).network).toBe(`${'x'.repeat(40)}…`)
    expect(words({ token: long }).token).toBe(`${'x'.repeat(12)}…`)
    expect(words({ arrived: long }).arrived).toBe(`${'x'.repeat(40)}…`)
    for (const key of Object.keys(prompt)) expect(() => words({ [key]: undefined })).toThrow()
  })
})
