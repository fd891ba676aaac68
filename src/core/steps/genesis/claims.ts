import { type Hex, sameHex } from '../../format/hex.ts'
import type { Network } from '../../network/network.ts'

/** Which deposit contract on which chain a node says that it is configured for; empty where it does not say. */
export type DepositClaim = { chainIds: readonly number[]; contracts: readonly Hex[] }

/** Whether nothing that is claimed differs from the network. */
export function claimFits({ chainIds, contracts }: DepositClaim, network: Network): boolean {
  return (
    chainIds.every((chainId) => chainId === network.executionChainId) &&
    contracts.every((contract) => sameHex(contract, network.spec.depositContract))
  )
}

/** Whether a claim names both the chain and the contract. */
export function claimIsWhole({ chainIds, contracts }: DepositClaim): boolean {
  return chainIds.length > 0 && contracts.length > 0
}

/** Two claims of one node as one. */
export function joinClaims(a: DepositClaim, b: DepositClaim | undefined): DepositClaim {
  if (b === undefined) return a
  return { chainIds: [...a.chainIds, ...b.chainIds], contracts: [...a.contracts, ...b.contracts] }
}

/** A claim in words; the contract is spelt out only where it is not the network's. */
export function claimWords(claim: DepositClaim, network: Network): string {
  const { chainIds, contracts } = claim
  const chain = chainIds.length === 0 ? 'no chain named' : `chain ${[...new Set(chainIds)].join(' and ')}`
  const other = contracts.find((contract) => !sameHex(contract, network.spec.depositContract))
  if (other !== undefined) return `${chain}, another contract: ${other}`
  return `${chain}, ${contracts.length === 0 ? 'no contract named' : 'same contract'}`
}
