import { slotRefused } from '../../core/errors/anvil.ts'
import { nextBaseFeeWei, type RpcBlock, readBlock, readLogs } from './block.ts'
import {
  BEACON_ROOTS,
  DEPOSIT_CONTRACT,
  quantity,
  ROOTS_RING,
  WITHDRAWAL_REQUESTS,
  word,
} from './contracts.ts'
import { BASE_FEE_FLOOR_WEI } from './genesis.ts'
import type { Ledger } from './ledger.ts'
import type { ExecutionBlock, ExecutionLog, MinedSlot, Payout, RpcCall, SlotInput } from './types.ts'

/**
 * Makes one block: writes the beacon root of the slot before where EIP-4788 wants it, mines, pays out what left the
 * consensus layer, keeps the base fee of the next block at the network's floor or above.
 *
 * Nobody else may talk to the client meanwhile. Throws `anvil.slotRefused` when time would not go forward or the
 * client made another block than it was told to.
 */
export async function mineSlot(
  parts: { rpc: RpcCall; ledger: Ledger },
  input: SlotInput,
): Promise<MinedSlot> {
  const { rpc, ledger } = parts
  const parent = ledger.head()
  requireLater(input.timestampSeconds, parent.timestampSeconds)
  await writeRoot(rpc, input)
  await mineFor(rpc, input)
  const mined = (await rpc('eth_getBlockByNumber', ['latest', false])) as RpcBlock
  const block = readBlock(mined)
  requireChild(block, { parent, timestampSeconds: input.timestampSeconds })
  ledger.append(block, input.parentBeaconRoot)
  await payOut(rpc, input.payouts ?? [])
  await holdBaseFee(rpc, block)
  return { block, logs: mined.transactions.length === 0 ? [] : await logsOf(rpc, block) }
}

/** One block whose fees go to the one that proposes it. */
async function mineFor(rpc: RpcCall, { timestampSeconds, feeRecipient }: SlotInput): Promise<void> {
  const mine = () => rpc('evm_mine', [{ timestamp: timestampSeconds }])
  if (feeRecipient === undefined) return void (await mine())
  const usual = await rpc('eth_coinbase', [])
  await rpc('anvil_setCoinbase', [feeRecipient])
  try {
    await mine()
  } finally {
    await rpc('anvil_setCoinbase', [usual])
  }
}

/** Keeps the base fee of the block after `block` from falling below the network's floor. */
export async function holdBaseFee(rpc: RpcCall, block: ExecutionBlock): Promise<void> {
  if (nextBaseFeeWei(block) >= BASE_FEE_FLOOR_WEI) return
  await rpc('anvil_setNextBlockBaseFeePerGas', [quantity(BASE_FEE_FLOOR_WEI)])
}

/** After the transactions, as on the real network; before the block it would show in the state of its parent. */
async function payOut(rpc: RpcCall, payouts: readonly Payout[]): Promise<void> {
  for (const { address, amountWei } of payouts) await rpc('anvil_addBalance', [address, quantity(amountWei)])
}

async function writeRoot(rpc: RpcCall, input: SlotInput): Promise<void> {
  const slot = input.timestampSeconds % ROOTS_RING
  await rpc('anvil_setStorageAt', [BEACON_ROOTS, word(slot), word(input.timestampSeconds)])
  await rpc('anvil_setStorageAt', [BEACON_ROOTS, word(slot + ROOTS_RING), input.parentBeaconRoot])
}

async function logsOf(rpc: RpcCall, block: ExecutionBlock): Promise<ExecutionLog[]> {
  const address = [DEPOSIT_CONTRACT, WITHDRAWAL_REQUESTS]
  return readLogs(await rpc('eth_getLogs', [{ blockHash: block.hash, address }]))
}

function requireLater(found: number, last: number): void {
  if (Number.isSafeInteger(found) && found > last) return
  throw slotRefused('timestampSeconds', String(found), `a whole number above ${last}`)
}

function requireChild(
  block: ExecutionBlock,
  told: { parent: ExecutionBlock; timestampSeconds: number },
): void {
  if (block.parentHash !== told.parent.hash)
    throw slotRefused('parent hash', block.parentHash, told.parent.hash)
  if (block.timestampSeconds === told.timestampSeconds) return
  throw slotRefused('timestamp', String(block.timestampSeconds), String(told.timestampSeconds))
}
