import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'

/** The shell command of a top-up; only for a proven registration: before that it would burn what it sends. */
export function topUpCommands(facts: Facts, amountGwei: bigint | undefined, setup: Setup): string[] {
  const { network, endpoints, keystore } = setup
  if (facts.identity === undefined || facts.registration === undefined || amountGwei === undefined) return []
  const zero = (bytes: number) => `0x${'00'.repeat(bytes)}`
  const value = formatGwei(amountGwei).replaceAll(',', '')
  return [
    `cast send ${network.spec.depositContract} 'deposit(bytes,bytes,bytes,address)' ${facts.identity.pubkey} ${zero(32)} ${zero(96)} ${zero(20)} --value ${value}ether --keystore '${keystore ?? '<keystore>'}' --rpc-url '${endpointLabel(endpoints.execution)}'`,
  ]
}
