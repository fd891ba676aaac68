import { depositError } from '../../base/errors/deposit.ts'
import { type Hex, isHex, sameHex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import type { SignedDeposit } from './credentials.ts'
import { parseDepositFile } from './deposit-file.ts'
import { BLS_DOMAIN_TAG, signingRoot } from './sign.ts'
import { publicKeyProblem, signatureProblem } from './strict-points.ts'
import { blsVerifies, verifyDeposit } from './verify.ts'

export type RefusalOrigin =
  | 'ethereum-tag'
  | 'ethereum-tool'
  | 'genesis-tooling'
  | 'other-fork-version'
  | 'other-network'

export type RefusalExplanation = { origin: RefusalOrigin; words: string }

const ETHEREUM_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const ZERO_ROOT: Hex = `0x${'00'.repeat(32)}`
const FORK_VERSIONS: readonly Hex[] = [0, 1, 2, 3, 4, 5, 6, 7].map((version): Hex => `0x0${version}000000`)

/** What is wrong with the signature of a tool for Ethereum. */
export const BY_ETHEREUM_TOOL: RefusalExplanation = {
  origin: 'ethereum-tool',
  words:
    'It was made by a deposit tool for Ethereum (such as ethdo or a deposit-cli): another domain tag and no genesis root. This chain burns such a deposit.',
}

/**
 * For a deposit that `verifyDeposit` refused: whether the signature would verify as another tool or another
 * network would have made it, so that the user learns what to change. undefined when it
 * verifies in none of these ways. Costs up to half a second. `otherNetworks` are roots worth trying, by name.
 */
export function explainRefusal(
  deposit: SignedDeposit,
  otherNetworks: readonly { label: string; genesisValidatorsRoot: Hex }[] = [],
): RefusalExplanation | undefined {
  if (publicKeyProblem(deposit.pubkey) !== undefined) return undefined
  if (signatureProblem(deposit.signature) !== undefined) return undefined
  return byTag(deposit) ?? byRoot(deposit) ?? byForkVersion(deposit) ?? byNetwork(deposit, otherNetworks)
}

function byTag(deposit: SignedDeposit): RefusalExplanation | undefined {
  if (verifies(deposit, ETHEREUM_TAG)) {
    const words =
      "It was signed with Ethereum's domain tag (POP), as Ethereum's libraries do. This chain signs with NUL."
    return { origin: 'ethereum-tag', words }
  }
  const found = forkVersionsOf(deposit).some((genesisForkVersion) =>
    verifies({ ...deposit, genesisForkVersion, genesisValidatorsRoot: ZERO_ROOT }, ETHEREUM_TAG),
  )
  return found ? BY_ETHEREUM_TOOL : undefined
}

function byRoot(deposit: SignedDeposit): RefusalExplanation | undefined {
  if (!verifies({ ...deposit, genesisValidatorsRoot: ZERO_ROOT }, BLS_DOMAIN_TAG)) return undefined
  const words =
    'It was signed over an all-zero genesis root, as deposits for a genesis file are. A live deposit needs the root of the network.'
  return { origin: 'genesis-tooling', words }
}

function byForkVersion(deposit: SignedDeposit): RefusalExplanation | undefined {
  const version = FORK_VERSIONS.find((genesisForkVersion) =>
    verifies({ ...deposit, genesisForkVersion }, BLS_DOMAIN_TAG),
  )
  if (version === undefined) return undefined
  const words = `It was signed with the fork version ${version}. Deposits use the genesis fork version ${deposit.genesisForkVersion}: look at chain-spec in app.toml.`
  return { origin: 'other-fork-version', words }
}

function byNetwork(
  deposit: SignedDeposit,
  networks: readonly { label: string; genesisValidatorsRoot: Hex }[],
): RefusalExplanation | undefined {
  const match = networks.find(({ genesisValidatorsRoot }) =>
    verifies({ ...deposit, genesisValidatorsRoot }, BLS_DOMAIN_TAG),
  )
  if (match === undefined) return undefined
  return { origin: 'other-network', words: `It was signed for another network: ${match.label}.` }
}

function forkVersionsOf(deposit: SignedDeposit): readonly Hex[] {
  return [...new Set<Hex>([deposit.genesisForkVersion, '0x00000000'])]
}

function verifies(deposit: SignedDeposit, tag: string): boolean {
  const { pubkey, signature } = deposit
  return blsVerifies({ pubkey, signature, message: signingRoot(deposit, deposit), tag })
}

/** The deposit that was planned here, and whose signature is brought from another machine. */
export type ExpectedDeposit = Omit<SignedDeposit, 'signature'> & { executionChainId: number; operator: Hex }

/** What a network is known by, for naming the one that a signature was made for. */
export type KnownNetwork = { label: string; genesisValidatorsRoot: Hex }

const SIGNATURE_BYTES = 96

/** Whether a text is meant as a signature itself, not as a deposit file. */
export function isSignatureText(text: string): boolean {
  return text.startsWith('0x')
}

/** Returns the 96 bytes of a pasted signature, lower case. Throws `deposit.not-taken`. */
export function readSignatureText(text: string): Hex {
  if (isHex(text, SIGNATURE_BYTES)) return text.toLowerCase() as Hex
  throw depositError('deposit.not-taken', [
    `found: ${safeText(text, 40)}, ${text.length} characters`,
    EXPECTED,
  ])
}

const EXPECTED = 'expected: 0x and 192 hex digits'

/**
 * Returns the signature of a deposit file whose every field is the planned one. Throws
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
  throw depositError('deposit.other-deposit', { field, found, expected: wanted })
}

/**
 * Refuses a signature from another machine that the chain would refuse, and says what made it where that can be told.
 * Throws `deposit.not-taken`. That it does not throw is one opinion; the others are still asked.
 */
export function requireTakes(deposit: SignedDeposit, otherNetworks: readonly KnownNetwork[]): void {
  const verdict = verifyDeposit(deposit)
  if (verdict.verdict === 'accepted') return
  const explanation = explainRefusal(deposit, otherNetworks)
  throw depositError('deposit.not-taken', [
    verdict.words,
    ...(explanation === undefined ? [] : [explanation.words]),
  ])
}
