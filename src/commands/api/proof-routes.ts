import { badUsage } from '../../core/base/errors/base.ts'
import type { Hex } from '../../core/base/format/hex.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { Network } from '../../core/chain/network/network.ts'
import type { BeaconBlockHeader } from '../../core/chain/proofs/merkle.ts'
import {
  type ProofVerdict,
  verifyProposer,
  verifyValidatorBalance,
  verifyValidatorCredentials,
  verifyValidatorPubkey,
} from '../../core/chain/proofs/verify.ts'
import type { StateId } from '../../core/clients/node/chain.ts'
import type { NodeClient } from '../../core/clients/node/client.ts'
import {
  getBlockProposerProof,
  getValidatorBalanceProof,
  getValidatorCredentialsProof,
  getValidatorPubkeyProof,
  type ProofMoment,
} from '../../core/clients/node/validator-proofs.ts'
import { getValidator } from '../../core/clients/node/validators.ts'
import { indexOf, momentOf } from './read-parts.ts'

/** Something whose proof ends in the root of a header. */
export type Claim = {
  header: BeaconBlockHeader
  claimedRoot: Hex | undefined
  moment: ProofMoment
  verdict(): Promise<ProofVerdict>
}

/** A proof that a node gave: what it says, and whether that holds. */
type Proof = Claim & { reply: unknown }

const NAMES_PROOF =
  /^(.*)\/proof\/(block_proposer|validator_pubkey|validator_credentials|validator_balance)(?:\/([^/]*))?(?:\/(.*))?$/

/**
 * Refuses a path that means a proof and cannot be one: below another namespace than the network's, or without what
 * such a proof is asked by. Throws `usage.option`.
 */
export function refuseOddProof(path: string, { names, label }: Network): void {
  const [, namespace = '', kind = '', moment = '', index] = NAMES_PROOF.exec(path) ?? []
  if (kind === '') return
  const own = `/${names.proofNamespace}`
  const byIndex = kind !== 'block_proposer'
  const shape = `${own}/proof/${kind}/{head, a slot, or t and Unix seconds}${byIndex ? '/{index}' : ''}`
  const found = safeText(path, 120)
  if (namespace !== own) {
    const sentence = `The proofs of ${label} are not below ${safeText(namespace, 60) || '/'}.`
    throw badUsage({ sentence, found, next: `Write ${shape}, or name another network with --network.` })
  }
  if (moment === '' || (index !== undefined) !== byIndex || index === '')
    throw badUsage({ sentence: 'This is not how a proof is asked for.', found, next: `Write ${shape}.` })
}

/** Whether a path, which `refuseOddProof` has let through, is one of a proof. */
export const namesProof = (path: string): boolean => NAMES_PROOF.test(path)

/**
 * The proof that a path names, or undefined when the path names none; `absent` when the state knows no such
 * validator, for a node crashes over an index beyond its registry. Throws a `ClientError`, or `usage.option`.
 */
export async function askProof(client: NodeClient, path: string): Promise<Proof | 'absent' | undefined> {
  const [, , kind, at = '', index] = NAMES_PROOF.exec(path) ?? []
  if (kind === undefined) return undefined
  const moment = momentOf(at)
  if (index === undefined) return proposerProof(client, moment)
  const validatorIndex = indexOf(index)
  const known = await getValidator(client, { state: stateOf(moment), id: validatorIndex })
  if (known === undefined) return 'absent'
  const question = { moment, validatorIndex }
  if (kind === 'validator_pubkey') return pubkeyProof(client, question)
  return kind === 'validator_credentials'
    ? credentialsProof(client, question)
    : balanceProof(client, question)
}

type Question = { moment: ProofMoment; validatorIndex: number }

async function proposerProof(client: NodeClient, moment: ProofMoment): Promise<Proof> {
  const reply = await getBlockProposerProof(client, { moment })
  const { header, claimedRoot } = reply
  const index = header.proposerIndex
  const verdict = async (): Promise<ProofVerdict> => {
    const proposer = verifyProposer({ header, index, proof: reply.proposerIndexProof })
    return proposer.ok
      ? verifyValidatorPubkey({ header, index, value: reply.pubkey, proof: reply.pubkeyProof })
      : proposer
  }
  return { reply, header, claimedRoot, moment, verdict }
}

async function pubkeyProof(client: NodeClient, question: Question): Promise<Proof> {
  const reply = await getValidatorPubkeyProof(client, question)
  const { header, claimedRoot, pubkey: value, proof } = reply
  const index = BigInt(question.validatorIndex)
  const verdict = async () => verifyValidatorPubkey({ header, index, value, proof })
  return { reply, header, claimedRoot, moment: question.moment, verdict }
}

async function credentialsProof(client: NodeClient, question: Question): Promise<Proof> {
  const reply = await getValidatorCredentialsProof(client, question)
  const { header, claimedRoot, withdrawalCredentials: value, proof } = reply
  const index = BigInt(question.validatorIndex)
  const verdict = async () => verifyValidatorCredentials({ header, index, value, proof })
  return { reply, header, claimedRoot, moment: question.moment, verdict }
}

/** A balance leaf names no validator: it counts only with the key of the same index under the same header. */
async function balanceProof(client: NodeClient, question: Question): Promise<Proof> {
  const reply = await getValidatorBalanceProof(client, question)
  const { header, claimedRoot, balanceGwei, leaf, proof } = reply
  const index = BigInt(question.validatorIndex)
  const verdict = async (): Promise<ProofVerdict> => {
    const balance = verifyValidatorBalance({ header, index, balanceGwei, leaf, proof })
    if (!balance.ok) return balance
    const key = await getValidatorPubkeyProof(client, { ...question, moment: { slot: header.slot } })
    return verifyValidatorPubkey({ header, index, value: key.pubkey, proof: key.proof })
  }
  return { reply, header, claimedRoot, moment: question.moment, verdict }
}

function stateOf(moment: ProofMoment): StateId {
  return moment !== 'head' && 'slot' in moment ? moment.slot : 'head'
}
