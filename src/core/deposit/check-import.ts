import { otherDeposit, signatureNotTaken } from '../errors/deposit.ts'
import { type Hex, isHex, sameHex } from '../format/hex.ts'
import { safeText } from '../format/text.ts'
import type { SignedDeposit } from './deposit.ts'
import { parseDepositFile } from './deposit-file.ts'
import { explainRefusal } from './explain-refusal.ts'
import { verifyDeposit } from './verify.ts'

/** The deposit that was planned here, and whose signature is brought from another machine. */
export type ExpectedDeposit = Omit<SignedDeposit, 'signature'> & { executionChainId: number; operator: Hex }

/** What a network is known by, for naming the one that a signature was made for. */
export type KnownNetwork = { label: string; genesisValidatorsRoot: Hex }

const SIGNATURE_BYTES = 96

/** Whether a text is meant as a signature itself, not as a deposit file. */
export function isSignatureText(text: string): boolean {
  return text.startsWith('0x')
}

/** The 96 bytes of a pasted signature, lower case. Throws `deposit.not-taken`. */
export function readSignatureText(text: string): Hex {
  if (isHex(text, SIGNATURE_BYTES)) return text.toLowerCase() as Hex
  throw signatureNotTaken([`found: ${safeText(text, 40)}, ${text.length} characters`, EXPECTED])
}

const EXPECTED = 'expected: 0x and 192 hex digits'

/**
 * The signature of a deposit file whose every field is the planned one. Throws
 * `deposit.other-deposit` with the field, or what `parseDepositFile` throws.
 */
export function signatureOfFile(text: string, expected: ExpectedDeposit): Hex {
  const file = parseDepositFile(text)
  const fields: readonly [field: string, found: string, wanted: string][] = [
    ['network.executionChainId', String(file.executionChainId), String(expected.executionChainId)],
    ['network.genesisValidatorsRoot', file.genesisValidatorsRoot, expected.genesisValidatorsRoot],
    ['network.genesisForkVersion', file.genesisForkVersion, expected.genesisForkVersion],
    ['message.pubkey', file.pubkey, expected.pubkey],
    ['message.withdrawalCredentials', file.withdrawalCredentials, expected.withdrawalCredentials],
    ['message.amountGwei', String(file.amountGwei), String(expected.amountGwei)],
    ['operator', file.operator, expected.operator],
  ]
  const other = fields.find(([, found, wanted]) => !sameHex(found, wanted))
  if (other === undefined) return file.signature
  const [field, found, wanted] = other
  throw otherDeposit({ field, found, expected: wanted })
}

/**
 * Refuses a signature from another machine that the chain would refuse, and says what made it where that can be told.
 * Throws `deposit.not-taken`. That it does not throw is one opinion; the others are still asked.
 */
export function requireTakes(deposit: SignedDeposit, otherNetworks: readonly KnownNetwork[]): void {
  const verdict = verifyDeposit(deposit)
  if (verdict.verdict === 'accepted') return
  const explanation = explainRefusal(deposit, otherNetworks)
  throw signatureNotTaken([verdict.words, ...(explanation === undefined ? [] : [explanation.words])])
}
