import { findValidatorIndex } from '../../core/consensus/apply-deposits.ts'
import type { ConsensusDeposit } from '../../core/consensus/block.ts'
import type { ConsensusState } from '../../core/consensus/state.ts'
import { verifyByPrecompile } from '../../core/deposit/precompile.ts'
import { signatureUndecided } from '../../core/errors/devnet.ts'
import type { Hex } from '../../core/format/hex.ts'
import { isHex } from '../../core/format/hex.ts'
import type { RpcCall } from '../execution/types.ts'
import type { DepositEvent } from './block-events.ts'

/** The chain that first deposits must be signed for. */
export type SigningChain = { genesisForkVersion: Hex; genesisValidatorsRoot: Hex }

/** What became of a deposit: credited to a known key, a new validator, or lost. */
type DepositOutcome = 'top-up' | 'registered' | 'burnt'

export type JudgedDeposit = ConsensusDeposit & { index: bigint; outcome: DepositOutcome }

/**
 * Decides for each deposit, in order, what consensus does with it: a known key's balance grows and nothing else is
 * read; an unknown key's signature is put to the execution client's own curve operations, so that no code of the
 * signer takes part. Throws when the client cannot answer.
 */
export async function judgeDeposits(
  deposits: readonly DepositEvent[],
  state: ConsensusState,
  judge: { chain: SigningChain; rpc: RpcCall },
): Promise<JudgedDeposit[]> {
  const judged: JudgedDeposit[] = []
  const registered = new Set<Hex>()
  for (const deposit of deposits) {
    const known =
      registered.has(deposit.pubkey) || findValidatorIndex(state.validators, deposit.pubkey) !== undefined
    const signatureValid = known || (await isSigned(deposit, judge))
    if (signatureValid) registered.add(deposit.pubkey)
    judged.push({
      pubkey: deposit.pubkey,
      withdrawalCredentials: deposit.withdrawalCredentials,
      amountGwei: deposit.amountGwei,
      index: deposit.index,
      signatureValid,
      outcome: outcomeOf({ known, signatureValid }),
    })
  }
  return judged
}

function outcomeOf(facts: { known: boolean; signatureValid: boolean }): DepositOutcome {
  if (facts.known) return 'top-up'
  return facts.signatureValid ? 'registered' : 'burnt'
}

async function isSigned(
  deposit: DepositEvent,
  judge: { chain: SigningChain; rpc: RpcCall },
): Promise<boolean> {
  const { pubkey, withdrawalCredentials, amountGwei, signature } = deposit
  const { genesisForkVersion, genesisValidatorsRoot } = judge.chain
  const answer = await verifyByPrecompile(
    { pubkey, withdrawalCredentials, amountGwei, signature, genesisForkVersion, genesisValidatorsRoot },
    async (to, data) => asHex(await judge.rpc('eth_call', [{ to, data }, 'latest'])),
  )
  if (answer.verdict === 'unknown') throw signatureUndecided(deposit.pubkey, answer.words)
  return answer.verdict === 'accepted'
}

function asHex(value: unknown): Hex {
  if (!isHex(value)) throw new TypeError('the client answered with something that is not bytes')
  return value
}
