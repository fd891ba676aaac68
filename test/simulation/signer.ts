import { privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import type { Effects, KeyFacts, UnsignedTransaction } from '../../src/core/base/effects/effects.ts'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import { readKeyFile } from '../../src/core/chain/identity/key-file.ts'
import { KEY_TYPE_PREFIX } from '../../src/devnet/consensus/engine.ts'
import { type Ground, HOME } from './network.ts'

const made = new Map<string, Promise<unknown>>()

/** The same question is worked out once in a process: every answer of a signer follows from it. */
function once<T>(question: string, work: () => T | Promise<T>): Promise<T> {
  const known = (made.get(question) as Promise<T> | undefined) ?? Promise.resolve().then(work)
  made.set(question, known)
  return known
}

const asText = (value: unknown) =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part))

/** What the signer child does, in this process: `askPassword` resolves to whether it is typed, `signed` hears of the bytes. */
export function createSigner(
  { plan, files }: Ground,
  {
    askPassword,
    signed,
    signedGuard,
  }: {
    askPassword: () => Promise<boolean>
    signed: (raw: Hex) => Promise<void>
    signedGuard: (raws: readonly Hex[]) => Promise<void>
  },
): Effects['signer'] {
  const keyText = new TextEncoder().encode(files.get(`${HOME}/config/priv_validator_key.json`))
  const account = privateKeyToAccount(plan.user.privateKey)
  const key = () => readKeyFile(keyText, KEY_TYPE_PREFIX)
  return {
    inspect: () => once<KeyFacts>(`inspect ${plan.fresh.pubkey}`, () => key().facts),
    keystoreAddress: async () => ({ address: account.address }),
    signDeposit: (request) =>
      once(`deposit ${asText(request)}`, () => ({
        signature: signDepositMessage(key().secretKey, request, request),
      })),
    async signGuard(request) {
      if (!(await askPassword())) throw walletError('signer.cancelled')
      const rawTransactions: Hex[] = []
      for (const member of request.members) rawTransactions.push(await signElsewhere({ plan }, member))
      await signedGuard(rawTransactions)
      return { rawTransactions, from: account.address }
    },
    async signTransaction(request) {
      if (!(await askPassword())) throw walletError('signer.cancelled')
      const rawTransaction = await signElsewhere({ plan }, request.transaction)
      await signed(rawTransaction)
      return { rawTransaction, hash: keccak256(rawTransaction), from: account.address }
    },
  }
}

/** The user's own account signs, here or in another wallet: the bytes are the same. */
export function signElsewhere(
  { plan }: Pick<Ground, 'plan'>,
  transaction: UnsignedTransaction,
): Promise<Hex> {
  const { valueWei: value, gasLimit: gas, maxFeePerGasWei, maxPriorityFeePerGasWei, ...rest } = transaction
  const fees = { maxFeePerGas: maxFeePerGasWei, maxPriorityFeePerGas: maxPriorityFeePerGasWei }
  return once(`transaction ${asText(transaction)}`, () =>
    privateKeyToAccount(plan.user.privateKey).signTransaction({
      ...rest,
      type: 'eip1559',
      value,
      gas,
      ...fees,
    }),
  )
}
