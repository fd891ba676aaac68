/** Which mutant is in force, and what has been met of them; the code with all mutants in it asks here. */
export type Switch = {
  is(id: number): boolean
  active: number
  /** The mutants that were met since this set was laid out. */
  met: Set<number> | undefined
  /** How often any mutant was met; more than the most ends the test: a change that never ends is seen. */
  events: number
  most: number
}

declare global {
  var mutants: Switch
}

/** No mutant. */
export const NONE = -1

/** Lays out the switch of this process, once. */
export function layOutSwitch(active: number): Switch {
  const one: Switch = {
    active,
    met: new Set(),
    events: 0,
    most: Number.POSITIVE_INFINITY,
    is(id) {
      one.events += 1
      if (one.events > one.most) throw new Error('this change goes on for ever')
      one.met?.add(id)
      return id === one.active
    },
  }
  globalThis.mutants = one
  return one
}
