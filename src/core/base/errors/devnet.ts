import { BaseError, errorsOf } from './base.ts'

const AN_ANSWER = 'Correct the question: this is the answer that a real node gives to it.'

const LEFT_OUT =
  'npm leaves it out with `--omit=optional`, and without a word where npm itself runs on an older Node than the package wants, whichever Node runs this program.'

const REAL = 'Everything but the rehearsal network works without it.'

/** A rehearsal network or its execution client refuses something, or is not there. It is play money. */
export const devnetError = errorsOf(BaseError, {
  /** The network cannot decide about a first deposit, so it cannot go on truthfully. */
  'devnet.signature-undecided': (pubkey: string, words: string) => ({
    short: 'The rehearsal network could not check a deposit.',
    details: [`public key: ${pubkey}`, words],
    next: ['Start the rehearsal network again.'],
    retryable: true,
  }),
  /**
   * The library of the client is not installed. `machine` is the system and the processor; `wanted` the package for them
   * with its version, if there is one.
   */
  'devnet.client-missing': ({ machine, wanted }: { machine: string; wanted: string | undefined }) => ({
    short: 'The rehearsal network needs an execution client, and none is installed.',
    ...(wanted === undefined
      ? { details: [`No package brings one for ${machine}.`], next: [REAL] }
      : {
          details: [
            `Looked for the package ${wanted}.`,
            LEFT_OUT,
            'On Linux it needs glibc 2.30 or later: there is none for musl systems such as Alpine.',
          ],
          next: [
            `Install it beside the program: \`npm install ${wanted}\` in the directory where you installed the program, or with \`-g\` where you installed it so. In a checkout: \`npm ci\`.`,
            'Beside a single executable put the file of that package that ends in `.node`.',
            REAL,
          ],
        }),
  }),
  /** The client ended, or was not ready in time, before it served anything. `output` must be safe text. */
  'devnet.client-not-started': (reason: string, output: string) => ({
    short: 'The execution client of the rehearsal network did not start.',
    details: [reason, `It said: "${output}"`],
    next: ['Start the rehearsal again.'],
    retryable: true,
  }),
  /** The client ended in the middle, without having been told to. `output` must be safe text. */
  'devnet.client-ended': (how: string, output: string) => ({
    short: 'The execution client of the rehearsal network ended by itself.',
    details: [how, `Its last words: "${output}"`],
    next: ['Start the rehearsal network again; it goes on from its own record.'],
    retryable: true,
  }),
  /** The channel to the client broke, or its reply is not JSON-RPC. */
  'devnet.client-silent': (method: string, cause: unknown) => ({
    short: 'The execution client of the rehearsal network does not answer.',
    details: [`Call: ${method}`],
    next: ['Wait for the next look. If it stays so, start the rehearsal network again.'],
    retryable: true,
    cause,
  }),
  /** A block was asked for that time or the order of blocks does not allow. */
  'devnet.slot-refused': (field: string, found: string, expected: string) => ({
    short: 'The rehearsal network cannot make this block.',
    details: [`${field}: found ${found}, expected ${expected}`],
    next: ['Start the rehearsal network again.'],
  }),
  /** A port is taken, or may not be opened. */
  'devnet.port': (port: number, cause: unknown) => ({
    short: `Port ${port} on 127.0.0.1 cannot be opened.`,
    cause,
    next: [
      'Choose another --port-base, or leave it out to take free ports.',
      'An older rehearsal network may still hold the port.',
    ],
    retryable: true,
  }),
})

/** A reply of the rehearsal node that is not a success: an HTTP status with the message of its JSON body. */
export class NodeRefusal extends BaseError {
  readonly status: number

  constructor(status: number, message: string) {
    super('devnet.node-refusal', { short: message, next: [AN_ANSWER] })
    this.status = status
  }
}

/** A reply of the rehearsal network's engine with an `error` in place of a `result`. */
export class EngineFault extends BaseError {
  readonly body: { code: number; message: string; data: string }

  constructor(body: { code: number; message: string; data: string }) {
    super('devnet.engine-fault', { short: body.message, details: [body.data], next: [AN_ANSWER] })
    this.body = body
  }
}

/** An error reply of the network's execution client, with its code and data. */
export class RpcFailure extends BaseError {
  readonly rpcCode: number
  readonly data: unknown

  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    super('devnet.rpc', {
      short: 'The execution client of the rehearsal network refused a call.',
      details: [`Call: ${method}`, `It said: "${error.message}" (${error.code})`],
      next: ['Look at the reason that it gives. It is the reason that a real client would give.'],
    })
    this.rpcCode = error.code
    this.data = error.data
  }
}
