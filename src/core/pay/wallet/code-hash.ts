import { keccak256 } from 'viem/utils'
import type { Hex } from '../../base/format/hex.ts'

/** Returns keccak256 of the code at an address, as a network's description names that of its deposit contract. */
export const codeHash = (code: Hex): Hex => keccak256(code)
