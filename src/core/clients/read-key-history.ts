import { DEPOSIT_TOPIC, OPERATOR_UPDATED_TOPIC } from '../deposit/abi.ts'
import { decodeDepositLog, pubkeyTopic } from '../deposit/event.ts'
import type { KeyHistory, PastDeposit } from '../deposit/key-history.ts'
import { verifyDeposit } from '../deposit/verify.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import type { Network } from '../network/network.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBlockNumber } from './execution/get-block-number.ts'
import { getLogs } from './execution/get-logs.ts'
import type { Log } from './execution/log.ts'

/**
 * Reads what happened to a key whose operator is set: one indexed query for who set it, then all deposits from that
 * block on, decoded and matched by key, each judged as consensus would judge a first deposit. Throws a `ClientError`.
 */
export async function readKeyHistory(
  client: ExecutionClient,
  args: { network: Network; pubkey: Hex; operator: Hex },
): Promise<KeyHistory> {
  const { network, pubkey, operator } = args
  const address = network.spec.depositContract
  const headBlock = await getBlockNumber(client)
  const updates = await getLogs(client, {
    address,
    topic: OPERATOR_UPDATED_TOPIC,
    indexed: pubkeyTopic(pubkey),
    fromBlock: 0n,
    toBlock: headBlock,
  })
  const [first] = updates
  const fromBlock = first?.blockNumber ?? 0n
  const logs = await getLogs(client, { address, topic: DEPOSIT_TOPIC, fromBlock, toBlock: headBlock })
  const deposits = logs.flatMap((log) => pastDeposit(log, { network, pubkey }))
  return { operator, setBy: origin(first), deposits, headBlock }
}

function origin(log: Log | undefined): KeyHistory['setBy'] {
  if (log?.blockNumber === undefined || log.transactionHash === undefined) return undefined
  return { blockNumber: log.blockNumber, transactionHash: log.transactionHash }
}

function pastDeposit(log: Log, { network, pubkey }: { network: Network; pubkey: Hex }): PastDeposit[] {
  const event = decodeDepositLog(log, network.spec.depositContract)
  if (event === undefined || log.blockNumber === undefined || !sameHex(event.pubkey, pubkey)) return []
  const { genesisValidatorsRoot, genesisForkVersion } = network
  const { amountGwei, withdrawalCredentials } = event
  const verdict = verifyDeposit({ ...event, genesisValidatorsRoot, genesisForkVersion })
  return [
    {
      blockNumber: log.blockNumber,
      amountGwei,
      withdrawalCredentials,
      accepted: verdict.verdict === 'accepted',
    },
  ]
}
