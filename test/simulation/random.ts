/** Chance that follows from a seed alone. */
export type Random = {
  /** A number from 0 up to, and without, 1. */
  next(): number
  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T
  /** Another source that follows from this seed and a name, whatever was drawn here meanwhile. */
  named(name: string): Random
}

/** Returns the chance of a seed (sfc32). */
export function randomOf(seed: string): Random {
  let [a, b, c] = [hashOf(`${seed} a`), hashOf(`${seed} b`), hashOf(`${seed} c`)]
  let counter = 1
  const word = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let round = 0; round < 12; round += 1) word()
  const next = () => word() / 4_294_967_296
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('there is nothing to pick')
      return list[below(list.length)] as T
    },
    named: (name) => randomOf(`${seed} ${name}`),
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash | 0
}
