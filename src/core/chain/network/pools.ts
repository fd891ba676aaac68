import { hex, list, record } from '../../base/format/decode.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { Network } from './network.ts'
import { POOLS_TEXT } from './pools-text.ts'

type Known = Pick<Network, 'pools'>
type Contracts = Known & { spec: Pick<Network['spec'], 'depositContract'> }

/** Reads the pools of a network as files name them: a vault, and factories. */
export const poolsFields = record({ vault: hex(20), factories: list(hex(20)) })

/** Whether 32-byte withdrawal credentials are those of a pool's validator: they name the vault that all pools share. */
export function isPoolValidator(withdrawalCredentials: Hex, { pools }: Known): boolean {
  return pools !== undefined && sameHex(`0x${withdrawalCredentials.slice(-40)}`, pools.vault)
}

/** Why no deposit of one's own may name an address, where it is the deposit contract or one of the pools; else undefined. */
export function contractAddressFault(address: string, { pools, spec }: Contracts): string | undefined {
  if (sameHex(address, spec.depositContract)) return POOLS_TEXT.depositContract
  if (pools === undefined) return undefined
  if (sameHex(address, pools.vault)) return POOLS_TEXT.vault
  return pools.factories.some((factory) => sameHex(address, factory)) ? POOLS_TEXT.factory : undefined
}
