import { hasher } from '@chainsafe/persistent-merkle-tree'
import type { HashPairs } from './hash-pairs.ts'

/** The same as in `hash-pairs.ts`, by the hasher of the SSZ library alone: for programs without native code and without Node. */
export const pureHashPairs: HashPairs = (input, output) => hasher.hashInto(input, output)
