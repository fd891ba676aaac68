import { type Hex, sameHex } from '../base/format/hex.ts'
import { isFulu } from '../chain/consensus/fork-outlook.ts'
import { countByGrowth, type KeyState, type Level, partsOfProven } from '../chain/key-state/key-state.ts'
import { evidenceOf, type Network } from '../chain/network/network.ts'
import { latestBlock } from './execution/blocks.ts'
import { getOperator } from './execution/call.ts'
import type { ExecutionClient } from './execution/client.ts'
import { recentDeposits, uncountedOf } from './key-deposits.ts'
import { proveContract } from './prove-contract.ts'
import { proveOwn, proveSnapshotBeside } from './prove-snapshot.ts'
import type { AtBlock } from './prove-state.ts'
import {
  blockOfSnapshot,
  holdsBlock,
  otherBlocks,
  type Pace,
  reportedAt,
  type SnapshotClients,
} from './prove-validator.ts'

type KeyQuery = { network: Network; pubkey: Hex; clock: Pace['clock'] }

/**
 * What the chain knows of a key, read at the head of the first execution endpoint. Record, absence, what waits and the
 * set are of the whole state, hashed here and found in the execution chain; where the node does not offer that, the
 * record is of its own three proofs and its absence no more than the node's word. Operator and events are what the
 * endpoints say of the same block. Whatever could not be found out is `unknown`.
 *
 * Throws `proofs.state-mismatch` where the node's state is not the chain's, and a `ClientError` when the first execution
 * endpoint does not answer.
 */
export async function readKeyState(clients: SnapshotClients, asked: KeyQuery): Promise<KeyState> {
  const { network, pubkey, clock } = asked
  const pace = { clock, slotMs: network.slotMs }
  const found = await proveSnapshotBeside(clients, {
    network,
    keep: pubkey,
    clock,
    beside: (at) => provenOperatorAt(at, asked),
  })
  if ('snapshot' in found) {
    const { snapshot: set, beside: operator } = found
    const { block, slot } = set.proof
    return { pubkey, block, slot, ...partsOfProven(set, pubkey), operator, set }
  }
  const { unproven, outOfReach } = found
  const own = await proveOwn(clients, { pubkey, pace })
  const { anchor } = own
  const block = blockOfSnapshot(anchor?.block ?? (await latestBlock(clients.execution)))
  // For the proof the second endpoint was waited for: not twice in one look.
  const slotsToWait = 'anchors' in own ? { slotsToWait: 0 } : {}
  const there = holdsBlock(clients.second, block, { ...pace, ...slotsToWait })
  const operator = await (anchor === undefined
    ? operatorAt(clients, { block, there }, asked)
    : provenOperatorAt({ anchor, block, there }, asked))
  const read = { pubkey, block, slot: block.number - 1n, operator }
  const set = { unknown: unproven, outOfReach }
  const nothing = { unknown: 'only a proven state says which deposits it has counted', perhaps: [] }
  if ('absent' in own) {
    const level: Level = { by: 'report' }
    // A state that is offered and not proven proves nothing either way.
    const record = outOfReach ? ({ value: 'absent', level } as const) : { unknown: unproven }
    const recent = await recentDeposits(clients, { network, pubkey, block, isRegistered: false })
    return { ...read, record, uncounted: { ...nothing, perhaps: recent.deposits }, set }
  }
  if ('unproven' in own) return { ...read, record: { unknown: own.unproven }, uncounted: nothing, set }
  const { index, validator, balanceGwei, slot } = own
  const value = { index, validator, balanceGwei }
  const recent = await recentDeposits(clients, { network, pubkey, block, isRegistered: true })
  const fulu = isFulu(network.spec, block.timestampSeconds)
  const counted = countByGrowth(undefined, { slot, balanceGwei, fulu }, recent)
  return {
    ...read,
    slot,
    record: { value, level: { by: 'proof', ...evidenceOf(own) } },
    uncounted: uncountedOf(recent, counted),
    set,
  }
}

/** The operator by the contract's storage where the block is signed; else what the endpoints say. */
async function provenOperatorAt(
  { anchor, ...at }: AtBlock,
  asked: Pick<KeyQuery, 'network' | 'pubkey'>,
): Promise<KeyState['operator']> {
  const operator = (await proveContract(anchor, asked))?.operator
  return operator === undefined
    ? operatorAt(anchor, at, asked)
    : { value: operator, saidBy: 1, isProven: true }
}

/** The operator at one block, by each endpoint that has the very same one. */
async function operatorAt(
  { execution, second }: Pick<SnapshotClients, 'execution' | 'second'>,
  { block, there }: Pick<AtBlock, 'block' | 'there'>,
  { network, pubkey }: Pick<KeyQuery, 'network' | 'pubkey'>,
): Promise<KeyState['operator']> {
  const asked = { depositContract: network.spec.depositContract, pubkey, block: block.number }
  const ask = (client: ExecutionClient) => getOperator(client, asked)
  const [value, other] = await Promise.all([ask(execution), reportedAt(second, there, ask)])
  if (second === undefined) return { value, saidBy: 1 }
  if ((await there) === 'other')
    return {
      unknown: otherBlocks({ execution, second }, block),
    }
  if (other === undefined) return { value, saidBy: 1 }
  if (sameHex(other, value)) return { value, saidBy: 2 }
  return { unknown: `${execution.label} names ${value}, ${second.label} names ${other}` }
}
