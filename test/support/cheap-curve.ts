import { createHash } from 'node:crypto'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import type { VerifyVotes } from '../../src/core/chain/light/light-client.ts'
import type { Forger } from '../../src/core/chain/network/scenario-names.ts'
import { type ChainSwitches, forgeChain } from '../../src/devnet/build-chain.ts'
import type { SignVotes } from '../../src/devnet/keys.ts'
import type { Plan } from '../../src/devnet/scenarios.ts'

/** Signs as many votes as thousands of seeds need: SHA-256 of the keys and the message in the place of the curve. */
const signCheaply: SignVotes = ({ keys, message }) => {
  const digest = createHash('sha256').update(keys.join()).update(message).digest()
  return Buffer.concat([digest, digest, digest]).toString('base64')
}

/** A chain that signs without the curve, for every member. */
export const CHEAP_CURVE: ChainSwitches = { signVotes: signCheaply, holdsKey: () => true }

/** Verifies what such a chain signs, and nothing else. */
export const verifyCheaply: VerifyVotes = ({ signature, ...votes }) => signCheaply(votes) === signature

/** The effects of a real process, which verifies what such a chain signs. */
export const cheapEffects: typeof createNodeEffects = (input) => ({
  ...createNodeEffects(input),
  verifyVotes: verifyCheaply,
})

/** A forger's chain that lies as the rehearsal's does, and signs without the curve. */
export function forgeCheaply(plan: Plan, forger: Forger): ChainSwitches {
  const { forgery } = forgeChain(plan, forger)
  if (forgery !== undefined) return { ...CHEAP_CURVE, forgery }
  const signWithOthers: SignVotes = ({ message }) => signCheaply({ keys: [forger], message })
  return { ...CHEAP_CURVE, signVotes: signWithOthers }
}
