import { depositError } from '../../base/errors/deposit.ts'
import type { SignedDeposit } from './credentials.ts'
import { signingRoot } from './sign.ts'
import { verifyBeside, verifyTogether } from './verify.ts'

const MAINNET = {
  genesisForkVersion: '0x04000000',
  genesisValidatorsRoot: '0xdf609e3b062842c6425ff716aec2d2092c46455d9b2e1a2c9e32c6ba63ff0bda',
} as const

/** First deposits of Berachain mainnet that created validators: numbers 39, 119 and 452 of its contract. */
export const REAL_DEPOSITS: readonly [SignedDeposit, SignedDeposit, SignedDeposit] = [
  {
    ...MAINNET,
    pubkey:
      '0xa1147c6c5938ba7f34423f9dd473bf7b1bb8836ed47ed3ff258146c94d6f10aed73cba3b4668adbe32ca0b53a99034f3',
    withdrawalCredentials: '0x010000000000000000000000d6203b0f558b01a678745a6085f6ae6332393d04',
    amountGwei: 10_000_000_000_000n,
    signature:
      '0xab361875af84ba3d2c37b42f4666d2c75be6a068f89ac3a2f049f1db59dae24c98c824733d1ef5ebf614e0828e7bff4804dcedcd1481f18ffbb653098096d6678ec635d3e2146233168eea73487f79319765cde04649b82d1c1aec41c290a239',
  },
  {
    ...MAINNET,
    pubkey:
      '0xa0c673180d97213c1c35fe3bf4e684dd3534baab235a106d1f71b9c8a37e4d37a056d47546964fd075501dff7f76aeaf',
    withdrawalCredentials: '0x010000000000000000000000e6644e0b941a03af8ff10bdb185d5e74d520270e',
    amountGwei: 10_000_000_000_000n,
    signature:
      '0x8745d230f46740f538bde21e618d9c7e458eeca32eb226c6a3624e23808f13de474f24641da28cc69927836a52611f6713127247cf5ee9d37360eebcaa94bdd90d446bae50287f14507dc29666f0363c37a69b5d3d867ff55c2e5dc685d1ea43',
  },
  {
    ...MAINNET,
    pubkey:
      '0x82ba04ebb0d7544e0a1737873d6f161b3292732735a2b224c3a7de6eff0a82631dd80b50c59991f43bc2a3a4032bc34d',
    withdrawalCredentials: '0x0100000000000000000000000b2261d5b8748aaf43e138c0a4a556659150a11a',
    amountGwei: 10_000_000_000_000n,
    signature:
      '0x80cdf24491c9a34edb7295da3db8f9f9471d08e71bdfba12057df53a640e0661b8b3e736bef7d2e84c0627a47edc329b0400a5b4aab145ece79fe06274de7ca0a4c70625116612243a00371953389b7902b66d3926d847a8d33ceb32882c0f73',
  },
]

/** Whether this program's own verification has passed. A failure is never remembered. */
let ownPassed = false

/**
 * Checks the signature code of this very copy: three real deposits verify, one of them with the signature of another one
 * does not, and its signing root is another one over another amount. Takes some 70 ms, once in the life of a process.
 * Throws `deposit.self-test-failed`: then nothing may be signed or sent. `verify` is the function under test; only of
 * the program's own is it remembered that it passed.
 */
export function depositSelfTest(verify: typeof verifyTogether = verifyTogether): void {
  const own = verify === verifyTogether
  if (own && ownPassed) return
  if (verify(REAL_DEPOSITS).verdict !== 'accepted')
    throw depositError('deposit.self-test-failed', 'Three real deposits are refused.')
  const [one, { signature }] = REAL_DEPOSITS
  if (verify([{ ...one, signature }]).verdict !== 'refused')
    throw depositError('deposit.self-test-failed', 'A deposit with the signature of another one is accepted.')
  if (signingRoot({ ...one, amountGwei: one.amountGwei + 1n }, one) === signingRoot(one, one))
    throw depositError('deposit.self-test-failed', 'The same is signed for another amount.')
  if (own) ownPassed = true
}

/**
 * The self-test before a deposit is judged by `verifyDeposit`: where that one verifies too, it takes one product of
 * pairings together with the three real ones, and is remembered. Throws as the self-test, whatever the deposit is.
 */
export function depositSelfTestBeside(deposit: SignedDeposit): void {
  if (!ownPassed) verifyBeside(deposit, REAL_DEPOSITS)
  depositSelfTest()
}

/** A deposit that is known to be right, after the self-test. Throws as that. */
export function realDeposit(): SignedDeposit {
  depositSelfTest()
  return REAL_DEPOSITS[0]
}
