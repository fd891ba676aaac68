import { isSameServer } from '../../base/format/endpoint-url.ts'
import { asksAsRealMoney, type Endpoints, type Network } from './network.ts'

/** That more than two thirds of the validator set signed the block which a fact was proven from. */
export type SignedBy = {
  height: bigint
  /** How much of the power signed, in whole percent, rounded down. */
  percent: number
  /** The engine that served the block. */
  by: string
  /** Endpoints that contradict the signed block or stand still behind it, safe to draw. */
  leftOut: readonly string[]
}

/** What bears out the root of a proof: how many execution endpoints hold it, and the set's signature where there is one. */
export type Evidence = { anchors: number; signed?: SignedBy }

/** Execution endpoints on different servers that must give the same block root: two for real money, else all that are set. */
export function anchorsNeeded({
  network,
  endpoints,
}: {
  network: Pick<Network, 'kind' | 'asOnMainnet'>
  endpoints: Pick<Endpoints, 'execution' | 'secondExecution'>
}): number {
  const { execution: first, secondExecution = first } = endpoints
  return asksAsRealMoney(network) || !isSameServer(first, secondExecution) ? 2 : 1
}

/**
 * Whether evidence is enough for a decision about money: the signature of the validator set alone is, else as many
 * execution endpoints as are needed.
 */
export const isProof = ({ anchors, signed }: Evidence, needed: number): boolean =>
  signed !== undefined || anchors >= needed

/** Returns the evidence out of something that was proven by it. */
export const evidenceOf = ({ anchors, signed }: Evidence): Evidence =>
  signed === undefined ? { anchors } : { anchors, signed }
