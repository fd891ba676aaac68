import { SecretKey } from '@chainsafe/blst'
import { encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { type Gwei, gweiToWei } from '../core/format/amount.ts'
import { bytesToHex, type Hex } from '../core/format/hex.ts'
import type { RehearsalExecution } from './execution/types.ts'
import { seededBytes } from './keys.ts'
import { type Plan, withdrawalCredentials } from './plan.ts'
import type { LostDeposit, Rival } from './scenarios.ts'

const ABI = parseAbi([
  'function deposit(bytes pubkey, bytes credentials, bytes signature, address operator) payable',
])
const GAS_LIMIT = '0x7a120'

/**
 * Puts a first deposit for the fresh key into the pool. Its signature is made the way Ethereum's tools make them,
 * so the contract takes it, the operator is set for ever, and consensus ignores it.
 */
export async function sendLostDeposit(
  execution: RehearsalExecution,
  plan: Plan,
  lost: LostDeposit,
): Promise<void> {
  const { address } = lost.sender === 'user' ? plan.user : plan.stranger
  const args = [plan.fresh.pubkey, withdrawalCredentials(address), foreignSignature(plan), address] as const
  await payFrom(execution, { from: address, args, amountGwei: lost.amountGwei }, plan)
}

/** What stands where a top-up has no credentials and no signature. */
const NOTHING = { credentials: `0x${'00'.repeat(32)}`, signature: `0x${'00'.repeat(96)}` } as const

/** Puts a stranger's top-up of a validator into the pool. */
export async function sendTopUp(
  execution: RehearsalExecution,
  plan: Plan,
  { pubkey, topUpGwei }: Rival,
): Promise<void> {
  const args = [pubkey, NOTHING.credentials, NOTHING.signature, zeroAddress] as const
  await payFrom(execution, { from: plan.stranger.address, args, amountGwei: topUpGwei }, plan)
}

async function payFrom(
  execution: RehearsalExecution,
  { from, args, amountGwei }: { from: Hex; args: readonly [Hex, Hex, Hex, Hex]; amountGwei: Gwei },
  { spec }: Plan,
): Promise<void> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'deposit', args })
  const value = `0x${gweiToWei(amountGwei).toString(16)}`
  await execution.rpc('anvil_impersonateAccount', [from])
  await execution.rpc('eth_sendTransaction', [
    { from, to: spec.depositContract, value, data, gas: GAS_LIMIT },
  ])
  await execution.rpc('anvil_stopImpersonatingAccount', [from])
}

function foreignSignature(plan: Plan): Hex {
  const secret = SecretKey.fromBytes(Buffer.from(plan.fresh.secretBase64, 'base64'))
  return bytesToHex(secret.sign(seededBytes(plan.fresh.address, 'lost deposit')).toBytes())
}
