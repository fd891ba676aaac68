import type { StateId } from '../../src/core/clients/node/chain.ts'

/** A typed call for a recorded question; undefined where the product has none. */
export type Route = { name: string; ask: () => Promise<unknown> } | undefined

const STATES = ['head', 'genesis', 'finalized', 'justified'] as const

/** A state or block as a path names it; undefined for anything else. */
export function stateId(id: string | undefined): StateId | undefined {
  if (id === undefined) return undefined
  return /^\d+$/.test(id) ? BigInt(id) : STATES.find((name) => name === id)
}
