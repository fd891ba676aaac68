import type { Wei } from '../../base/format/amount.ts'
import {
  type Decoder,
  hex,
  optional,
  quantity,
  quantityIndex,
  record,
  text,
  uint,
} from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { NamedFork, NamedForks } from '../../chain/consensus/fork-outlook.ts'
import { type AccountKind, accountKind } from '../../chain/identity/check-address.ts'
import { type BlockRef, encodeBlockRef } from './blocks.ts'
import { getCode } from './call.ts'
import type { ExecutionClient } from './client.ts'
import { getTransactionCount } from './transactions.ts'

/** Returns the chain id of the network that the endpoint serves (`eth_chainId`, EIP-695). Throws a `ClientError`. */
export function getChainId(client: ExecutionClient): Promise<number> {
  return client.rpc({ method: 'eth_chainId', params: [], decode: quantityIndex })
}

/** The name and version of the execution client, as it gives it (`web3_clientVersion`). Not yet safe to draw. Throws a `ClientError`. */
export function getClientVersion(client: ExecutionClient): Promise<string> {
  return client.rpc({ method: 'web3_clientVersion', params: [], decode: text })
}

/** Returns how many peers the execution client has (`net_peerCount`). Throws a `ClientError`. */
export function getPeerCount(client: ExecutionClient): Promise<number> {
  return client.rpc({ method: 'net_peerCount', params: [], decode: quantityIndex })
}

export type EthConfig = {
  chainId: number
  /** The deposit contract that the client itself watches, where it says so. */
  depositContract: Hex | undefined
  forks: NamedForks
}

const forkFields = record({ activationTime: uint, forkId: optional(hex(4)) })

const fork: Decoder<NamedFork> = (value, path) => {
  const { activationTime, forkId } = forkFields(value, path)
  return { atSeconds: activationTime, id: forkId }
}

const forkToCome: Decoder<NamedFork | 'none' | undefined> = (value, path) => {
  if (value === undefined) return undefined
  return value === null ? 'none' : fork(value, path)
}

const fields = record({
  next: forkToCome,
  last: forkToCome,
  current: record({
    activationTime: optional(uint),
    forkId: optional(hex(4)),
    chainId: quantityIndex,
    systemContracts: optional(record({ DEPOSIT_CONTRACT_ADDRESS: optional(hex(20)) })),
  }),
})

const decodeConfig: Decoder<EthConfig> = (value, path) => {
  const { current, next, last } = fields(value, path)
  return {
    chainId: current.chainId,
    depositContract: current.systemContracts?.DEPOSIT_CONTRACT_ADDRESS,
    forks: { current: { atSeconds: current.activationTime ?? 0n, id: current.forkId }, next, last },
  }
}

/**
 * Returns what the execution client is configured for (`eth_config`, EIP-7910). Many clients do not offer it: then a
 * `ClientError` with `not-offered`, which is no fault of theirs.
 */
export function getEthConfig(client: ExecutionClient): Promise<EthConfig> {
  return client.rpc({ method: 'eth_config', params: [], decode: decodeConfig })
}

/** Returns the tip the endpoint suggests, in wei per gas (`eth_maxPriorityFeePerGas`). Throws a `ClientError`. */
export function getMaxPriorityFeePerGas(client: ExecutionClient): Promise<Wei> {
  return client.rpc({ method: 'eth_maxPriorityFeePerGas', params: [], decode: quantity })
}

/** Returns the balance of an account in wei at a block (`eth_getBalance`). Throws a `ClientError`. */
export function getBalance(client: ExecutionClient, args: { address: Hex; block?: BlockRef }): Promise<Wei> {
  const params = [args.address, encodeBlockRef(args.block ?? 'latest')]
  return client.rpc({ method: 'eth_getBalance', params, decode: quantity })
}

/** Returns what stands at an address in the latest block, by one endpoint’s word. Throws a `ClientError`. */
export async function readAccountKind(
  client: ExecutionClient,
  { address }: { address: Hex },
): Promise<AccountKind> {
  const [code, sent, balanceWei] = await Promise.all([
    getCode(client, { address }),
    getTransactionCount(client, { address, block: 'latest' }),
    getBalance(client, { address }),
  ])
  return accountKind({ code, sent, balanceWei })
}
