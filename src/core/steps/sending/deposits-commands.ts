import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getTransactionByHash } from '../../clients/execution/get-transaction-by-hash.ts'
import { keyDepositsAfter } from '../../clients/key-deposits.ts'
import { decodeDepositCalldata } from '../../deposit/calldata.ts'
import type { DepositEvent } from '../../deposit/event.ts'
import { gwei, gweiToWei } from '../../format/amount.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import type { Prepared } from './state.ts'

/** A deposit for the key, and the transaction that made it, as far as the endpoint tells. */
export type MadeDeposit = {
  hash: Hex | undefined
  valueWei: bigint
  event: DepositEvent
  /** The calldata of its transaction, where that calls the contract itself. */
  input: Hex | undefined
  sender: { from: Hex; nonce: number } | undefined
}

/**
 * The deposits for a key since a payment was prepared, by the contract's events: `Deposit` has no indexed field, so all
 * are read and matched (safety #74, K30). Throws a `ClientError`.
 */
export async function depositsSince(
  client: ExecutionClient,
  { prepared, pubkey }: { prepared: Prepared; pubkey: Hex },
): Promise<MadeDeposit[]> {
  const address = prepared.transaction.to
  const block = prepared.baseline.blockNumber
  const mine = await keyDepositsAfter(client, { address, pubkey, block })
  return Promise.all(
    mine.map(async ({ log, event }) => {
      const hash = log.transactionHash
      const found = hash === undefined ? undefined : await getTransactionByHash(client, { hash })
      const sender = found === undefined ? undefined : { from: found.from, nonce: found.nonce }
      const valueWei = gweiToWei(gwei(event.amountGwei))
      const input = found?.to !== undefined && sameHex(found.to, address) ? found.input : undefined
      return { hash, valueWei, event, input, sender }
    }),
  )
}

/** Whether all fields of a deposit are those of the prepared call. Throws `deposit.bad-calldata` for another call. */
export function isAsPrepared({ event }: MadeDeposit, { transaction }: Prepared): boolean {
  const call = decodeDepositCalldata(transaction.data)
  return (
    sameHex(event.pubkey, call.pubkey) &&
    sameHex(event.withdrawalCredentials, call.withdrawalCredentials) &&
    sameHex(event.signature, call.signature) &&
    gweiToWei(gwei(event.amountGwei)) === transaction.valueWei
  )
}

/**
 * Whether a deposit was made by the prepared transaction's account with its number. Owners of a contract account carry
 * it out from any account: there the call itself must be the prepared one.
 */
export function isBy(made: MadeDeposit, prepared: Prepared): boolean {
  const { from, transaction, contract } = prepared
  const { sender } = made
  if (contract === true) return isAsPrepared(made, prepared)
  return sender !== undefined && sameHex(sender.from, from) && sender.nonce === transaction.nonce
}

/**
 * Whether a deposit is exactly the prepared call. The event has no operator: where the transaction calls the contract
 * itself, its calldata tells. Throws `deposit.bad-calldata` for another call.
 */
export function isCallOf(made: MadeDeposit, prepared: Prepared): boolean {
  const { data } = prepared.transaction
  return isAsPrepared(made, prepared) && (made.input === undefined || sameHex(made.input, data))
}
