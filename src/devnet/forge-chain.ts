import { hash } from 'node:crypto'
import type { Hex } from '../core/base/format/hex.ts'
import type { Forger } from '../core/chain/network/scenario-names.ts'
import { type ChainSwitches, signerOf } from './build-chain.ts'
import { type RehearsalValidatorKey, validatorKey } from './keys.ts'
import type { Plan } from './plan.ts'
import { signWithSecrets } from './sign-votes.ts'

/** The newest height that a stale engine shows. */
export const STALE_HEIGHT = 20n

/**
 * Returns how the chain of a plan lies: signed with other keys, or with random bytes; with a set of own keys; with the true
 * commit of another block; or true up to a height, and then silent. Its genesis is that of the true network.
 */
export function forgeChain({ seed }: Plan, forger: Forger): ChainSwitches {
  switch (forger) {
    case 'other-keys': {
      const secret = validatorKey(seed, 'forger').secretBase64
      return {
        signVotes: ({ keys, message }) =>
          signWithSecrets(
            keys.map(() => secret),
            message,
          ),
      }
    }
    case 'unsigned':
      return {
        signVotes: ({ message }) => Buffer.alloc(96, hash('sha512', message, 'buffer')).toString('base64'),
      }
    case 'own-set':
      return takeSeats(seed)
    case 'other-data':
      return { forgery: { commitOf: (height) => height - 1n } }
    case 'stale':
      return { forgery: { stopsAt: STALE_HEIGHT } }
  }
}

function takeSeats(seed: string): ChainSwitches {
  const held = new Map<string, RehearsalValidatorKey>()
  const seatOf = (pubkey: Hex): Hex => {
    const key = validatorKey(seed, `forger/${pubkey}`)
    held.set(key.uncompressedBase64, key)
    return key.pubkey
  }
  return { ...signerOf(held), forgery: { seatOf } }
}
