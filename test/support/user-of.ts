import { readFile } from 'node:fs/promises'
import { Keystore } from 'ox'
import { privateKeyToAccount } from 'viem/accounts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import {
  encodeFirstDeposit,
  encodeRescueDeposit,
  encodeTopUp,
} from '../../src/core/chain/deposit/calldata.ts'
import { credentialsOf } from '../../src/core/chain/deposit/credentials.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { validatorKey } from '../../src/devnet/keys.ts'

const WEI_PER_GWEI = 10n ** 9n

/** Whoever holds the play-money keystore and the node home of a rehearsal network. */
export async function userOf(devnet: Devnet) {
  const { descriptor } = devnet
  const { path, password } = descriptor.keystore
  const keystore = JSON.parse(await readFile(path, 'utf8')) as Keystore.Keystore
  const account = privateKeyToAccount(Keystore.decrypt(keystore, Keystore.toKey(keystore, { password })))
  const key = validatorKey(descriptor.seed, 'fresh')
  const pubkey = key.pubkey
  const withdrawalCredentials = credentialsOf(account.address)
  const rpc = (method: string, params: readonly unknown[]) =>
    callRpc(descriptor.urls.execution, method, params)
  const send = async (to: Hex, data: Hex, valueWei: bigint): Promise<Hex> => {
    const nonce = Number(await rpc('eth_getTransactionCount', [account.address, 'pending']))
    const raw = await account.signTransaction({
      chainId: descriptor.chainId,
      type: 'eip1559',
      nonce,
      to,
      data,
      value: valueWei,
      gas: 500_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 10n ** 9n,
    })
    return (await rpc('eth_sendRawTransaction', [raw])) as Hex
  }
  const sign = (amountGwei: bigint): Hex =>
    signDepositMessage(
      Buffer.from(key.secretBase64, 'base64'),
      { pubkey, withdrawalCredentials, amountGwei },
      { genesisForkVersion: descriptor.genesisForkVersion, genesisValidatorsRoot: descriptor.genesisRoot },
    )
  const deposit = (data: Hex, amountTokens: bigint) =>
    send(devnet.chain.input.spec.depositContract, data, tokens(amountTokens) * WEI_PER_GWEI)
  /** The bytes of a first deposit that is signed for so many tokens. */
  const firstDepositCalldata = (signedTokens: bigint): Hex =>
    encodeFirstDeposit({
      pubkey,
      withdrawalCredentials,
      signature: sign(tokens(signedTokens)),
      operator: account.address.toLowerCase() as Hex,
    })
  return {
    account,
    address: account.address,
    pubkey,
    key,
    withdrawalCredentials,
    rpc,
    send,
    /** Signs for `signedTokens` (the same as sent unless told otherwise). */
    firstDeposit: (amountTokens: bigint, signedTokens = amountTokens) =>
      deposit(firstDepositCalldata(signedTokens), amountTokens),
    firstDepositCalldata,
    rescueDeposit: (amountTokens: bigint) =>
      deposit(
        encodeRescueDeposit({ pubkey, withdrawalCredentials, signature: sign(tokens(amountTokens)) }),
        amountTokens,
      ),
    topUp: (amountTokens: bigint, of: Hex = pubkey) => deposit(encodeTopUp({ pubkey: of }), amountTokens),
    balanceWei: async () => BigInt((await rpc('eth_getBalance', [account.address, 'latest'])) as string),
  }
}

/** One JSON-RPC call; rejects with the error's message. */
async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answer = (await reply.json()) as { result?: unknown; error?: { message: string } }
  if (answer.error !== undefined) throw new Error(answer.error.message)
  return answer.result
}
