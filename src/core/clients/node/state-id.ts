/** Which state: a name, or a slot. `finalized` and `justified` are the head on this chain. */
export type StateId = 'head' | 'genesis' | 'finalized' | 'justified' | bigint

/** The state id as a part of a path. */
export function encodeStateId(state: StateId): string {
  return String(state)
}
