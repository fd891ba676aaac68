import type { ExecutionClient } from '../../core/clients/execution/client.ts'
import { getBalance } from '../../core/clients/execution/get-balance.ts'
import { getBlock } from '../../core/clients/execution/get-block.ts'
import { getBlockNumber } from '../../core/clients/execution/get-block-number.ts'
import { getChainId } from '../../core/clients/execution/get-chain-id.ts'
import { getClientVersion } from '../../core/clients/execution/get-client-version.ts'
import { getDepositCount } from '../../core/clients/execution/get-deposit-count.ts'
import { getEthConfig } from '../../core/clients/execution/get-eth-config.ts'
import { getGenesisDepositsRoot } from '../../core/clients/execution/get-genesis-deposits-root.ts'
import { getOperator } from '../../core/clients/execution/get-operator.ts'
import { getPeerCount } from '../../core/clients/execution/get-peer-count.ts'
import { getSyncing } from '../../core/clients/execution/get-syncing.ts'
import { getTransactionReceipt } from '../../core/clients/execution/get-transaction-receipt.ts'
import { badUsage } from '../../core/errors/usage.ts'
import { type Hex, isHex } from '../../core/format/hex.ts'
import { safeText } from '../../core/format/text.ts'
import { type Answer, found, lookup } from './answer.ts'

type ExecutionCall = { client: ExecutionClient; depositContract: Hex; argument: string | undefined }

type Route = (call: ExecutionCall) => Promise<Answer>

const ROUTES: Readonly<Record<string, Route>> = {
  getOperator: ({ client, depositContract, argument }) =>
    found(getOperator(client, { depositContract, pubkey: hexOf(argument, 48, 'a public key of 48 bytes') })),
  depositCount: ({ client, depositContract }) => found(getDepositCount(client, { depositContract })),
  genesisDepositsRoot: ({ client, depositContract }) =>
    found(getGenesisDepositsRoot(client, { depositContract })),
  eth_config: ({ client }) => found(getEthConfig(client)),
  eth_chainId: ({ client }) => found(getChainId(client)),
  eth_blockNumber: ({ client }) => found(getBlockNumber(client)),
  eth_getBlockByNumber: ({ client }) => lookup(getBlock(client, { block: 'latest' })),
  eth_getBalance: ({ client, argument }) =>
    found(getBalance(client, { address: hexOf(argument, 20, 'an address of 20 bytes') })),
  eth_getTransactionReceipt: ({ client, argument }) =>
    lookup(getTransactionReceipt(client, { hash: hexOf(argument, 32, 'a hash of 32 bytes') })),
  eth_syncing: async ({ client }) => ({ kind: 'found', value: (await getSyncing(client)) ?? false }),
  net_peerCount: ({ client }) => found(getPeerCount(client)),
  web3_clientVersion: ({ client }) => found(getClientVersion(client)),
}

/** The typed question for a method of the execution RPC or a view of the deposit contract. Throws `usage.option`. */
export function executionRoute(name: string): Route {
  const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined
  if (route !== undefined) return route
  throw badUsage({
    sentence: 'There is no such question to the execution client here.',
    found: safeText(name, 60),
    next: `Ask one of ${Object.keys(ROUTES).join(', ')}; a path begins with a slash.`,
  })
}

function hexOf(text: string | undefined, byteLength: number, expected: string): Hex {
  if (isHex(text, byteLength)) return text
  const found = text === undefined ? 'nothing' : safeText(text, 120)
  throw badUsage({ sentence: 'The argument cannot be read.', found, next: `Give ${expected} in 0x hex.` })
}
