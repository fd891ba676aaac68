import { BaseError } from '../../base/errors/base.ts'
import { type Decoder, list, record, refuse } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import { jsonText } from '../../base/format/strict-json.ts'
import { FAR_FUTURE_EPOCH } from '../../chain/consensus/state.ts'
import { genesisValidatorsRoot } from '../../chain/deposit/genesis-root.ts'
import { readGenesis } from '../../chain/identity/read-genesis.ts'
import type { EngineValidator } from '../../chain/light/encode.ts'
import { engineSetOf } from '../../chain/light/trust.ts'
import type { Network } from '../../chain/network/network.ts'
import type { EngineClient } from '../engine/client.ts'
import type { AskLimits } from '../limits.ts'

/** The set that a genesis file begins with, and the genesis validators root that its deposits make. */
type GenesisSet = { root: Hex; set: readonly EngineValidator[] }

/**
 * Returns the set of the engine's genesis file (`/genesis`), with the root by which the caller tells whether the file is
 * the network's. Throws a `ClientError`.
 */
export function readGenesisSet(
  client: EngineClient,
  { network, limits }: { network: Network; limits: AskLimits },
): Promise<GenesisSet> {
  const decode: Decoder<GenesisSet> = (value, path) => {
    const genesis = typeof value === 'object' && value !== null && 'genesis' in value && value.genesis
    if (typeof genesis !== 'object' || genesis === null) return refuse(path, 'a genesis file', value)
    try {
      return setOf(readGenesis(jsonText(genesis)), network)
    } catch (thrown) {
      if (thrown instanceof BaseError) return refuse(path, 'a genesis file', thrown.shortMessage)
      throw thrown
    }
  }
  return client.ask({ method: 'genesis', decode, limits })
}

function setOf({ deposits }: ReturnType<typeof readGenesis>, { spec }: Network): GenesisSet {
  const { activationBalanceGwei, maxEffectiveBalanceGwei, effectiveBalanceIncrementGwei } = spec
  const validators = deposits.map(({ pubkey, amountGwei }) => {
    const whole = amountGwei - (amountGwei % effectiveBalanceIncrementGwei)
    const effectiveBalanceGwei = whole < maxEffectiveBalanceGwei ? whole : maxEffectiveBalanceGwei
    const isActive = effectiveBalanceGwei >= activationBalanceGwei
    return {
      pubkey,
      effectiveBalanceGwei,
      activationEpoch: isActive ? 0n : FAR_FUTURE_EPOCH,
      exitEpoch: FAR_FUTURE_EPOCH,
    }
  })
  return { root: genesisValidatorsRoot(deposits, spec), set: engineSetOf(validators, 0n) }
}

/** The bytes of a transaction, of any length. */
const transactionBytes: Decoder<Uint8Array> = (value, path) => {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined
  return bytes !== undefined && bytes.toString('base64') === value ? bytes : refuse(path, 'base64', value)
}

const transactionFields = record({
  block: record({ data: record({ txs: list(transactionBytes) }) }),
})

/** Returns the transactions of a block (`/block`): the first is the signed beacon block in SSZ. Throws a `ClientError`. */
export function readTransactions(
  client: EngineClient,
  args: { height: bigint; limits: AskLimits },
): Promise<Uint8Array[]> {
  const decodeTransactions: Decoder<Uint8Array[]> = (value, path) =>
    transactionFields(value, path).block.data.txs
  return client.ask({
    method: 'block',
    query: [['height', String(args.height)]],
    decode: decodeTransactions,
    limits: args.limits,
  })
}
