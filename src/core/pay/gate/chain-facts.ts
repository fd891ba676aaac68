import { formatCount } from '../../base/format/amount.ts'
import { type ForkNow, forkIsKnown, forkWords } from '../../chain/consensus/fork-outlook.ts'
import type { Setup } from '../../chain/facts.ts'

/** What is asked of the chain right before something is signed. `sameGenesis`: both layers still begin as they did when the chain was checked. */
export type ChainAnswer = { chainId: number; fork: ForkNow; fresh: boolean; sameGenesis: boolean }

/** Whether the chain is the one that was checked, makes blocks, and follows rules that are known here. */
export function chainIsRight(
  { chainId, fork, fresh, sameGenesis }: ChainAnswer,
  { network }: Pick<Setup, 'network'>,
): boolean {
  return fresh && sameGenesis && chainId === network.executionChainId && forkIsKnown(fork, network.spec)
}

/** Returns the chain that a transaction goes to, and what speaks against it. */
export function chainText(
  { chainId, fork, fresh, sameGenesis }: ChainAnswer,
  { network }: Pick<Setup, 'network'>,
): string {
  if (!sameGenesis) return `${chainId}, but another genesis: the network was reset`
  const rules = forkIsKnown(fork, network.spec) ? '' : `, ${forkWords(fork, network.spec)}`
  return `${chainId}, block ${formatCount(fork.slot)}${fresh ? '' : ' (too old)'}${rules}`
}
