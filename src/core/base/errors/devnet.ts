import { again, back, decides, KEY } from '../format/next.ts'
import { BaseError } from './base.ts'

const AN_ANSWER = 'Correct the question: this is the answer that a real node gives to it.'

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
    super('devnet.node-refusal', message, { nextSteps: [AN_ANSWER] })
    this.status = status
  }
}

/** The rehearsal network of a registration does not answer. */
export function rehearsalEnded(folder: string): BaseError {
  return new BaseError(
    'rehearsal.ended',
    'Your rehearsal network does not answer: it has ended, or it hangs.',
    {
      details: [
        `folder: ${folder}`,
        'It ends by itself after ten minutes without a question, and with this computer; its play money with it.',
        'Its key is worth nothing on any other network. A new network has another key.',
      ],
      nextSteps: [
        again`${KEY} tries again, where this computer was busy or asleep`,
        decides('n')`${KEY} begins a new rehearsal: new key, new play money`,
        back`${KEY} goes back and begins nothing`,
      ],
    },
  )
}

/** A rehearsal as on mainnet runs, and its form was left before its addresses were accepted. */
export function rehearsalNotTyped(folder: string): BaseError {
  return new BaseError('rehearsal.not-typed', 'The addresses of this rehearsal were never typed.', {
    details: [`folder: ${folder}`, 'They were shown once, to be written down: it cannot be gone on with.'],
    nextSteps: ['begin another rehearsal as on mainnet'],
  })
}

/** Nothing listens any more at the addresses of the rehearsal network that a wizard is attached to. */
export function rehearsalGone(): BaseError {
  return new BaseError('rehearsal.gone', 'The rehearsal network has ended.', {
    details: [
      'Nothing listens at its addresses any more.',
      'Its play money and its key end with it: nothing of value is lost.',
    ],
    nextSteps: [decides('q')`${KEY} quits; start Bearings again and begin a new rehearsal with n`],
  })
}

/** A rehearsal network does not do what its user wishes of it: another key, another pace. */
export function wishRefused(why: string): BaseError {
  return new BaseError('rehearsal.wish', 'The rehearsal network does not do that.', {
    details: [`its reply: ${why}`],
    nextSteps: ['begin a new rehearsal'],
  })
}

/** The rehearsal network that runs is not the one that was asked for. */
export function otherScenario(found: string, asked: string): BaseError {
  return new BaseError('rehearsal.other-scenario', 'Another rehearsal network runs already.', {
    details: [`its scenario: ${found}`, `asked for: ${asked}`],
    nextSteps: [
      decides('g')`${KEY} goes on with the network that runs`,
      decides('n')`${KEY} begins a new network with ${asked}, beside it`,
    ],
  })
}

/** The process of a rehearsal network ended, or did not say that it is ready. `why` must be safe to draw. */
export function rehearsalNotStarted(why: readonly string[], logPath: string, cause: unknown): BaseError {
  return new BaseError('rehearsal.not-started', 'The rehearsal network did not start.', {
    cause,
    details: why,
    nextSteps: [`read ${logPath}`, 'try again'],
  })
}

/** A reply of the rehearsal network's engine with an `error` in place of a `result`. */
export class EngineFault extends BaseError {
  readonly body: { code: number; message: string; data: string }

  constructor(body: { code: number; message: string; data: string }) {
    super('devnet.engine-fault', body.message, { details: [body.data], nextSteps: [AN_ANSWER] })
    this.body = body
  }
}
