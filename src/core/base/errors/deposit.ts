import { decides, KEY } from '../format/next.ts'
import { BaseError, errorsOf, type OddField } from './base.ts'

/** Where a whole state that was given parts from what is held elsewhere. */
export type StateMismatch = {
  /** scheme://host:port of the node that gave the state. */
  node: string
  slot: bigint
  /** What was compared, e.g. its state root; both roots in 0x hex. */
  what: string
  computed: string
  /** Who holds the other root: a header of the node's own, or an execution endpoint. */
  holder: string
  held: string
  /** An execution endpoint that holds what was computed here: then it is not the node that is doubted first. */
  confirmedBy?: string
}

/** A deposit, its file, its data or its signature is wrong, the chain's rules do not allow it, or it was not proven. */
export const depositError = errorsOf(BaseError, {
  /** One field has a wrong value. Texts must already be safe to draw. */
  'deposit.bad-field': (problem: OddField) => ({
    short: `The ${problem.field} of the deposit is not usable.`,
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    next: [`Correct the ${problem.field} and try again. Nothing was sent.`],
  }),
  /** A withdrawal or operator address was mistyped or is no address. */
  'deposit.bad-address': (problem: { found: string; expected: string }) => ({
    short: 'This is not a usable address.',
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    next: ['Copy the whole address again from the wallet that owns it.'],
  }),
  /** Credentials that do not lead to an address: a validator with them can never be paid out. */
  'deposit.bad-credentials': (found: string) => ({
    short: 'These withdrawal credentials do not name an address.',
    details: [
      `found: ${found}`,
      'expected: 0x01, 22 zeros and the 40 hex digits of an address other than zero',
    ],
    next: [
      'Make a new deposit from the withdrawal address. With these credentials the stake is locked for ever.',
    ],
  }),
  /** Call data that is not exactly a deposit in one of the accepted shapes. */
  'deposit.bad-calldata': (why: string) => ({
    short: 'This call data is not a deposit that may be sent.',
    details: [why],
    next: ['Do not send it. Create the call data again and compare it again.'],
  }),
  /** A log that claims to be of the deposit contract and is not in its form. */
  'deposit.bad-log': (why: string) => ({
    short: 'A log of the deposit contract cannot be read.',
    details: [why],
    next: ['Ask another execution endpoint for the same receipt.'],
    money: 'unknown',
  }),
  /** A deposit file that is not one, or not of this version. */
  'deposit.bad-file': (problem: OddField) => ({
    short: `The deposit file is not usable: ${problem.field}.`,
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    next: ['Write the deposit file again on the machine that holds the key, and copy it whole.'],
  }),
  /** A deposit file is of another deposit than the planned one. Texts must already be safe to draw. */
  'deposit.other-deposit': (problem: OddField) => ({
    short: `This deposit file is another one: ${problem.field}.`,
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    next: [
      'sign on the key machine with exactly the values above',
      decides('e')`or ${KEY}, and plan what the file says`,
    ],
  }),
  /** A signature from another machine that is none, or that the chain would refuse. */
  'deposit.not-taken': (details: readonly string[]) => ({
    short: 'This signature is refused: the chain would burn the deposit.',
    details,
    next: ['run the command below on the key machine, copy the whole signature, import it here'],
  }),
  /** The signature code of this program does not agree with real deposits: nothing may be signed or sent. */
  'deposit.self-test-failed': (why: string) => ({
    short: 'This copy of the program fails its own signature test.',
    details: [why, 'Three real deposits that the chain accepted must verify, and an altered one must not.'],
    next: ['Install the program again from its source. Do not sign or send anything with this copy.'],
  }),
  /** A block whose slot is not the one after the state's; this chain misses no slot. */
  'consensus.slot_order': (found: bigint, expected: bigint) => ({
    short: `Block slot ${found} does not follow the state.`,
    details: [`slot: found ${found}, expected ${expected}; consensus on this chain never skips a slot`],
    next: ['Apply the blocks in order, one for each slot, from the slot of the state.'],
  }),
  /** A validator that the state does not hold: money added for it would be burnt. */
  'consensus.unknown_validator': (pubkey: string, slot: bigint) => ({
    short: 'The beacon state does not hold this validator.',
    details: [
      `pubkey: found ${pubkey}, expected a validator of the state of slot ${slot}`,
      'A top-up for a validator that the state does not hold is burnt.',
    ],
    next: [
      'Send nothing. Wait until the first deposit shows in the beacon state, then plan the top-up again.',
    ],
    retryable: true,
  }),
  /** An amount that no deposit can carry. */
  'consensus.amount': (field: string, found: bigint, expected: string) => ({
    short: `The amount in ${field} cannot be used.`,
    details: [`${field}: found ${found} gwei, expected ${expected}`],
    next: [`Give ${field} again as ${expected}.`],
  }),
  /** A proof was asked for something that is not in the state. */
  'proofs.no-such-validator': (index: number, validatorCount: number) => ({
    short: 'There is no validator at this index.',
    details: [`index: ${index}`, `validators in this state: ${validatorCount}`],
    next: ['Look the index up by public key first.'],
  }),
  /** A node gave a whole state that is not the one which its header, or the execution chain, holds. */
  'proofs.state-mismatch': ({ confirmedBy, ...parts }: StateMismatch) => ({
    short:
      confirmedBy === undefined
        ? 'The node’s state is not the one that the chain holds.'
        : 'Two execution endpoints hold different roots for the same block.',
    details: [
      `node: ${parts.node}`,
      `slot: ${parts.slot}`,
      `${parts.what} computed here: ${parts.computed}`,
      ...(confirmedBy === undefined ? [] : [`the same held by ${confirmedBy}`]),
      `held by ${parts.holder}: ${parts.held}`,
    ],
    next:
      confirmedBy === undefined
        ? [
            'Do not trust what this node reports about balances and ranks, and send nothing because of it.',
            'Check that the node and the execution endpoints are on the same network, then ask another node.',
          ]
        : [
            'One of the two is wrong: compare with a third one, and send nothing until they agree.',
            'Name another endpoint in the place of the one that is wrong, then ask again.',
          ],
  }),
  /**
   * Something that only the whole state can prove was not proven, though the node offers its state. `what` is a clause of
   * its own, `why` words that are safe to draw.
   */
  'proofs.state-unproven': (what: string, why: string) => ({
    short: `${what}: ${why.replace(/[.。]$/, '')}.`,
    details: ['The node serves its whole state, so what it only reports does not count.'],
    next: [
      'Ask again: the endpoints may be a block apart for a moment.',
      'Check that node and execution endpoints are on the same network and have the same head.',
    ],
    retryable: true,
  }),
  /** Two execution endpoints tell the first deposit's event differently: what the contract wrote is not known. */
  'proofs.receipts-differ': (receipts: readonly { endpoint: string; words: string }[]) => ({
    short: 'The two execution endpoints give different receipts.',
    details: receipts.map(({ endpoint, words }) => `${endpoint}: ${words}`),
    next: ['one of them is wrong: compare with a third endpoint', 'do not top up until they agree'],
    retryable: true,
    money: 'moved',
  }),
  /** The execution client gave no verdict on a signature. `words` say why, and are safe to draw. */
  'sign.no-precompile': (words: string) => ({
    short: words,
    next: ['Ask again. If it stays so, use an execution client that knows the Prague rules (EIP-2537).'],
    retryable: true,
  }),
  /** The execution endpoint has no transaction of this hash. `endpoint` is scheme://host:port only. */
  'verify.not-found': (endpoint: string, hash: string) => ({
    short: `${endpoint} knows no transaction of this hash.`,
    details: [`hash: ${hash}`, 'that does not mean that nobody does'],
    next: ['Ask another endpoint with --execution, or look whether the hash is of this network.'],
    money: 'unknown',
  }),
})
