import { type Hex, sameHex } from '../../base/format/hex.ts'
import { OPERATOR_UPDATED_TOPIC } from '../../chain/deposit/abi.ts'
import { type MadeDeposit, pubkeyTopic } from '../../chain/deposit/event.ts'
import type { SignatureFact } from '../../chain/facts.ts'
import { type KeyState, registeredRecord } from '../../chain/key-state/key-state.ts'
import { getBlockNumber } from '../../clients/execution/blocks.ts'
import { getLogs } from '../../clients/execution/get-logs.ts'
import { getTransactionByHash } from '../../clients/execution/transactions.ts'
import { keyDepositsIn } from '../../clients/key-deposits.ts'
import { readWholeWay } from '../../clients/read-whole-way.ts'
import { type CommandContext, clientsOf } from '../../observe/context.ts'
import type { GateAnswers, SentDeposit } from '../../pay/gate/facts.ts'
import type { DepositStepEvent } from './machine.ts'

/** Returns how much more than the signed deposit a place in the active set costs. Throws as `readWholeWay`. */
export async function wholeWayOf(context: CommandContext<DepositStepEvent>): Promise<GateAnswers['way']> {
  const { identity, signature } = context.facts()
  const { network } = context.setup
  if (identity === undefined || signature === undefined) return { topUpGwei: undefined, reported: true }
  const { minimumDepositGwei } = network
  const { withdrawalCredentials, amountGwei } = signature
  const deposit = { pubkey: identity.pubkey, withdrawalCredentials, amountGwei, minimumDepositGwei }
  return readWholeWay(clientsOf(context), { network, clock: context.effects.clock }, deposit)
}

/**
 * The first deposit of the key, where somebody has sent it in another way exactly as it was signed here: by the operator
 * that no endpoint names otherwise, every field of the event, and a beacon state that does not say otherwise. undefined
 * for any other. Throws a `ClientError`.
 */
export async function sentAsSigned(
  context: CommandContext<DepositStepEvent>,
  key: KeyState,
  operator: Hex,
): Promise<SentDeposit | undefined> {
  const { pubkey } = key
  const { execution } = clientsOf(context)
  const { signature } = context.facts()
  const { depositContract } = context.setup.network.spec
  if (signature === undefined || signature.rescue || !sameHex(operator, signature.operator)) return undefined
  const address = depositContract
  const [update] = await getLogs(execution, {
    address,
    topic: OPERATOR_UPDATED_TOPIC,
    indexed: pubkeyTopic(pubkey),
    fromBlock: 0n,
    toBlock: await getBlockNumber(execution),
  })
  const { blockNumber, transactionHash: hash } = update ?? {}
  if (blockNumber === undefined || hash === undefined) return undefined
  const asked = { address, pubkey, fromBlock: blockNumber, toBlock: blockNumber }
  const [only, ...others] = (await keyDepositsIn(execution, asked)).deposits
  if (only?.hash !== hash || others.length > 0) return undefined
  if (!isAsSigned(only.event, signature)) return undefined
  const held = registeredRecord(key)?.validator.withdrawalCredentials
  if (held !== undefined && !sameHex(held, signature.withdrawalCredentials)) return undefined
  const transaction = await getTransactionByHash(execution, { hash })
  if (transaction === undefined) return undefined
  const { from, nonce, to } = transaction
  const direct = to !== undefined && sameHex(to, address)
  const seenSentAt = key.block.number
  return { hash, from, nonce, blockNumber, seenSentAt, ...(direct ? {} : { contract: true }) }
}

function isAsSigned(event: MadeDeposit['event'], signature: SignatureFact): boolean {
  return (
    sameHex(event.withdrawalCredentials, signature.withdrawalCredentials) &&
    sameHex(event.signature, signature.signature) &&
    event.amountGwei === signature.amountGwei
  )
}
