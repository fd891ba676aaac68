import { hash } from 'node:crypto'
import { bytesToHex, type Hex, hexToBytes } from '../core/base/format/hex.ts'
import type { ConsensusState } from '../core/chain/consensus/state.ts'
import type { Forger } from '../core/chain/network/scenario-names.ts'
import { BeaconStateType } from '../core/chain/proofs/beacon-state.ts'
import { type Chain, type ChainInput, startChain } from './consensus/chain.ts'
import type { RehearsalExecution } from './execution/start.ts'
import { type RehearsalValidatorKey, type SignVotes, signWithSecrets, validatorKey } from './keys.ts'
import { readInflation } from './network-files.ts'
import type { Plan } from './scenarios.ts'

/** The parts of a chain that a network may replace. */
export type ChainSwitches = Partial<Pick<ChainInput, 'signVotes' | 'holdsKey' | 'votesNil' | 'forgery'>>

/** Returns the consensus side of a plan on a running execution side, at slot 0. */
export function chainOf(plan: Plan, execution: RehearsalExecution, switches: ChainSwitches = {}): Chain {
  return startChain({
    spec: plan.spec,
    genesis: plan.state,
    engineChainId: plan.genesis.engineChainId,
    genesisForkVersion: plan.genesis.forkVersion,
    genesisValidatorsRoot: validatorsRoot(plan.state),
    genesisDepositsRoot: plan.genesisDepositsRoot,
    inflation: readInflation(plan.specToml),
    // As the home of that validator says.
    feeRecipientOf: (pubkey) => (pubkey === plan.fresh.pubkey ? plan.user.address : undefined),
    execution,
    ...signerOf(plan.keys),
    ...switches,
  })
}

/** Returns what signs for the members of a set whose secrets are among `held`. */
function signerOf(held: ReadonlyMap<string, RehearsalValidatorKey>) {
  const signVotes: SignVotes = ({ keys, message }) =>
    signWithSecrets(
      keys.flatMap((key) => held.get(key)?.secretBase64 ?? []),
      message,
    )
  return { signVotes, holdsKey: (key: string) => held.has(key) }
}

/** The root that the SSZ library gives for the registry of slot 0. */
function validatorsRoot(state: ConsensusState): Hex {
  const { validators } = BeaconStateType.fields
  const values = state.validators.map((validator) => ({
    ...validator,
    pubkey: hexToBytes(validator.pubkey),
    withdrawalCredentials: hexToBytes(validator.withdrawalCredentials),
    effectiveBalance: validator.effectiveBalanceGwei,
  }))
  return bytesToHex(validators.hashTreeRoot(values))
}

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
