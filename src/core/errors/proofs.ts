import { BaseError } from './base.ts'

/** A proof was asked for something that is not in the state. */
export class ProofTargetError extends BaseError {
  constructor(index: number, validatorCount: number) {
    super('proofs.no-such-validator', 'There is no validator at this index.', {
      details: [`index: ${index}`, `validators in this state: ${validatorCount}`],
      nextSteps: ['Look the index up by public key first.'],
    })
  }
}

/** Where a whole state that was given parts from what is held elsewhere. */
export type StateMismatchParts = {
  /** scheme://host:port of the node that gave the state. */
  node: string
  slot: bigint
  /** What was compared, e.g. its state root; both roots in 0x hex. */
  what: string
  computed: string
  /** Who holds the other root: a header of the node's own, or an execution endpoint. */
  holder: string
  held: string
}

/** A node gave a whole state that is not the one which its header, or the execution chain, holds. */
export class StateMismatchError extends BaseError {
  constructor(parts: StateMismatchParts) {
    super('proofs.state-mismatch', 'The node’s state is not the one that the chain holds.', {
      details: [
        `node: ${parts.node}`,
        `slot: ${parts.slot}`,
        `${parts.what} computed here: ${parts.computed}`,
        `held by ${parts.holder}: ${parts.held}`,
      ],
      nextSteps: [
        'Do not trust what this node reports about balances and ranks, and send nothing because of it.',
        'Check that the node and the execution endpoints are on the same network, then ask another node.',
      ],
    })
  }
}

/** Something that only the whole state can prove was not proven, though the node offers its state. */
export class StateUnprovenError extends BaseError {
  /** `what` is a clause of its own, `why` words that are safe to draw. */
  constructor(what: string, why: string) {
    super('proofs.state-unproven', `${what}: ${why.replace(/\.$/, '')}.`, {
      details: ['The node serves its whole state, so what it only reports does not count.'],
      nextSteps: [
        'Ask again: the endpoints may be a block apart for a moment.',
        'Check that node and execution endpoints are on the same network and have the same head.',
      ],
      retryable: true,
    })
  }
}

/** Two execution endpoints tell the first deposit's event differently: what the contract wrote is not known. */
export function receiptsDiffer(said: readonly { endpoint: string; words: string }[]): BaseError {
  return new BaseError('proofs.receipts-differ', 'The two execution endpoints give different receipts.', {
    details: said.map(({ endpoint, words }) => `${endpoint}: ${words}`),
    nextSteps: ['one of them is wrong: compare with a third endpoint', 'do not top up until they agree'],
    retryable: true,
    money: 'moved',
  })
}
