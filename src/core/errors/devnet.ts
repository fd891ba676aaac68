import { BaseError } from './base.ts'

/** The network cannot decide about a first deposit, so it cannot go on truthfully. */
export function signatureUndecided(pubkey: string, words: string): BaseError {
  return new BaseError('devnet.signature-undecided', 'The rehearsal network could not check a deposit.', {
    details: [`public key: ${pubkey}`, words],
    nextSteps: ['Start the rehearsal network again.'],
    retryable: true,
  })
}

/** A genesis file, a spec file or an option does not let a rehearsal network start. */
export function devnetRefused(shortMessage: string, details: readonly string[] = []): BaseError {
  return new BaseError('devnet.refused', shortMessage, {
    details,
    nextSteps: ['Correct what is named above and start the rehearsal network again.'],
  })
}

/** A port is taken, or may not be opened. */
export function portUnavailable(port: number, cause: unknown): BaseError {
  return new BaseError('devnet.port', `Port ${port} on 127.0.0.1 cannot be opened.`, {
    cause,
    nextSteps: [
      'Choose another --port-base, or leave it out to take free ports.',
      'An older rehearsal network may still hold the port.',
    ],
    retryable: true,
  })
}

/** A reply of the rehearsal node that is not a success: an HTTP status with the message of its JSON body. */
export class NodeRefusal extends BaseError {
  readonly status: number

  constructor(status: number, message: string) {
    super('devnet.node-refusal', message)
    this.status = status
  }
}
