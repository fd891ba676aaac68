import {
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  parseEventLogs,
  type RpcLog,
  zeroAddress,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import {
  DEPLOYER_ACCOUNT,
  multiSend,
  newSafe,
  SAFE_ABI,
  SAFE_TX_TYPES,
  type SafeTransaction,
  type Sendable,
} from './safe-contracts.ts'
import { userOf } from './user-of.ts'
import type { World } from './world.ts'

const RICH_WEI = 10n ** 24n
const THRESHOLD = 2
const [FIRST, SECOND, THIRD] = ['77', '78', '79'].map((byte) =>
  privateKeyToAccount(`0x${byte.repeat(32)}`),
) as [PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount]
const OWNERS = [FIRST, SECOND, THIRD]
const RELAYER = privateKeyToAccount(`0x${'7a'.repeat(32)}`)

/** A call as a file for the Transaction Builder has it. */
export type Call = { to: Hex; value: bigint; data: Hex }

/** How owners carry a call out: an owner's account sends it and pays for the gas, unless said. */
export type Execution = {
  by?: 'a relayer'
  /** Gas for the inner call, for which the Safe pays the sender back: too little lets only the inner call fail. */
  innerGas?: bigint
}

/**
 * A Safe of three owners, of whom two must sign, with play money. The first call puts its contracts and itself into
 * the pool: it stands from the next block on.
 */
export async function contractAccount(devnet: Devnet) {
  const { rpc } = await userOf(devnet)
  const direct = devnet.execution.rpc
  const { chainId } = devnet.descriptor
  const { address, calls } = newSafe(
    OWNERS.map((owner) => owner.address),
    THRESHOLD,
  )

  const send = async (account: PrivateKeyAccount, call: Sendable): Promise<Hex> => {
    const nonce = Number(await rpc('eth_getTransactionCount', [account.address, 'pending']))
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
    const raw = await account.signTransaction({ chainId, type: 'eip1559', nonce, ...call, ...fees })
    return (await rpc('eth_sendRawTransaction', [raw])) as Hex
  }
  /** Also of a Safe that only stands in the block to come. */
  const nextNonce = async (): Promise<bigint> => {
    const call = { to: address, data: encodeFunctionData({ abi: SAFE_ABI, functionName: 'nonce' }) }
    const data = (await direct('eth_call', [call, 'pending'])) as Hex
    return decodeFunctionResult({ abi: SAFE_ABI, functionName: 'nonce', data })
  }

  const sent = Number(await rpc('eth_getTransactionCount', [FIRST.address, 'pending']))
  if (sent === 0) {
    await direct('hardhat_setCode', [DEPLOYER_ACCOUNT.address, DEPLOYER_ACCOUNT.code])
    for (const { address: payer } of [FIRST, RELAYER])
      await direct('hardhat_setBalance', [payer, numberToHex(2n * RICH_WEI)])
    const fund = { to: address, data: '0x' as const, value: RICH_WEI, gas: 100_000n }
    for (const call of [...calls, fund]) await send(FIRST, call)
  }

  return {
    address,
    /**
     * Two owners sign a call, or several as one, and it is sent: it is in the next block. Resolves to the hash of that
     * transaction.
     */
    async carryOut(call: Call | readonly Call[], { by, innerGas = 0n }: Execution = {}): Promise<Hex> {
      const transaction: SafeTransaction = {
        ...('to' in call ? { ...call, operation: 0 } : { ...multiSend(call), value: 0n, operation: 1 }),
        safeTxGas: innerGas,
        baseGas: 0n,
        gasPrice: innerGas === 0n ? 0n : 1n,
        gasToken: zeroAddress,
        refundReceiver: zeroAddress,
        nonce: await nextNonce(),
      }
      const signatures = await signedBy([SECOND, THIRD], { chainId, verifyingContract: address }, transaction)
      const data = execution(transaction, signatures)
      return send(by === 'a relayer' ? RELAYER : FIRST, { to: address, data, value: 0n, gas: 500_000n })
    },
    /** What a transaction that is in a block came to: the Safe says it beside a receipt of success. */
    async outcome(hash: Hex): Promise<'ExecutionSuccess' | 'ExecutionFailure' | 'reverted'> {
      const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as { status: Hex; logs: RpcLog[] }
      if (receipt.status !== '0x1') return 'reverted'
      const eventName = ['ExecutionSuccess', 'ExecutionFailure'] as const
      const [event] = parseEventLogs({
        abi: SAFE_ABI,
        eventName: [...eventName],
        logs: receipt.logs,
      })
      if (event === undefined) throw new Error(`${hash} is no execution of the Safe`)
      return event.eventName
    },
  }
}

/** The same, once it stands in a block. */
export async function standingAccount({ clock, devnet }: World) {
  const account = await contractAccount(devnet)
  await clock.flow(() => clock.sleep(1.5 * devnet.descriptor.slotMs))
  return account
}

/** The signatures of owners one behind the other, in the order of their addresses. */
async function signedBy(
  owners: readonly PrivateKeyAccount[],
  domain: { chainId: number; verifyingContract: Hex },
  message: SafeTransaction,
): Promise<Hex> {
  const inOrder = owners.toSorted((one, other) => (BigInt(one.address) < BigInt(other.address) ? -1 : 1))
  const typed = { domain, types: SAFE_TX_TYPES, primaryType: 'SafeTx', message } as const
  return concat(await Promise.all(inOrder.map((owner) => owner.signTypedData(typed))))
}

function execution(transaction: SafeTransaction, signatures: Hex): Hex {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = transaction
  const call = [to, value, data, operation] as const
  const gas = [safeTxGas, baseGas, gasPrice, gasToken, refundReceiver] as const
  return encodeFunctionData({
    abi: SAFE_ABI,
    functionName: 'execTransaction',
    args: [...call, ...gas, signatures],
  })
}
