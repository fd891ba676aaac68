import { SecretKey } from '@chainsafe/blst'
import { encodeFunctionData, parseAbi } from 'viem'
import { gweiToWei } from '../core/format/amount.ts'
import { bytesToHex, type Hex } from '../core/format/hex.ts'
import type { RehearsalExecution } from './execution/types.ts'
import { seededBytes } from './keys.ts'
import { type Plan, withdrawalCredentials } from './plan.ts'
import type { LostDeposit } from './scenarios.ts'

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
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'deposit',
    args: [plan.fresh.pubkey, withdrawalCredentials(address), foreignSignature(plan), address],
  })
  const value = `0x${gweiToWei(lost.amountGwei).toString(16)}`
  await execution.rpc('anvil_impersonateAccount', [address])
  await execution.rpc('eth_sendTransaction', [
    { from: address, to: plan.spec.depositContract, value, data, gas: GAS_LIMIT },
  ])
  await execution.rpc('anvil_stopImpersonatingAccount', [address])
}

function foreignSignature(plan: Plan): Hex {
  const secret = SecretKey.fromBytes(Buffer.from(plan.fresh.secretBase64, 'base64'))
  return bytesToHex(secret.sign(seededBytes(plan.fresh.address, 'lost deposit')).toBytes())
}
