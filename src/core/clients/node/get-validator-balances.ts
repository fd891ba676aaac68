import { type Decoder, decimal, decimalIndex, list, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { LIST } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { encodeStateId, type StateId } from './state-id.ts'

export type ValidatorBalance = { index: number; balanceGwei: bigint }

export type BalanceFilter = {
  state: StateId
  /** Pubkeys or indexes; all validators without. Those that the state does not know are left out of the answer. */
  ids?: readonly (Hex | number)[]
}

const entry: Decoder<ValidatorBalance> = (value, path) => {
  const { index, balance } = record({ index: decimalIndex, balance: decimal })(value, path)
  return { index, balanceGwei: balance }
}
const fields = record({ data: list(entry) })
const decode: Decoder<ValidatorBalance[]> = (value, path) => fields(value, path).data

/**
 * Balances in index order, with `id` repeated in the query (`states/{id}/validator_balances`).
 * Throws a `ClientError`.
 */
export function getValidatorBalances(client: NodeClient, args: BalanceFilter): Promise<ValidatorBalance[]> {
  const query = (args.ids ?? []).map((id) => ['id', String(id)] as const)
  return client.ask({ path: pathOf(args.state), query, decode, limits: LIST })
}

/** The same, with the ids as a JSON list in a POST: for more of them than a URL holds. Throws a `ClientError`. */
export function postValidatorBalances(client: NodeClient, args: BalanceFilter): Promise<ValidatorBalance[]> {
  const body = (args.ids ?? []).map(String)
  return client.ask({ path: pathOf(args.state), body, decode, limits: LIST })
}

function pathOf(state: StateId): string[] {
  return ['eth', 'v1', 'beacon', 'states', encodeStateId(state), 'validator_balances']
}
