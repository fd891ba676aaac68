import { type ForkNow, forkIsKnown } from '../../chain/consensus/fork-outlook.ts'
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
