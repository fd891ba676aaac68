import { hex, list, record } from '../../base/format/decode.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { Network } from './network.ts'

/** What is said of the contracts of staking pools. */
export const POOLS_TEXT = {
  vault: 'This is the vault of the staking pools, a contract: what is paid out to it is not yours.',
  factory: 'This is a factory of staking pools, a contract: nobody holds a key to it.',
  depositContract: 'This is the deposit contract of the network: what is paid out to it is gone.',
  ownDoor: 'a pool’s validator gets stake through the contract of its pool alone: docs/pools.md',
  onlyItsDoor:
    'It is a staking pool’s: stake goes in through the contract of its pool alone, a direct deposit is a gift (docs/pools.md).',
  leaves:
    'none of yours: a staking pool’s validator is left through its pool, by the pool’s own withdrawal (docs/pools.md)',
  left: 'A staking pool’s validator is left through its pool alone, by the pool’s own withdrawal (docs/pools.md).',
  never: 'A key that is registered here can never become a staking pool’s.',
}

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
