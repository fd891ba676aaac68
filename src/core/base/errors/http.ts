import { BaseError } from './base.ts'
import { type Known, openFileDetails, tooManyOpen } from './too-many-open.ts'

export type HttpFault =
  | 'bad-url'
  | 'unreachable'
  | 'local'
  | 'timeout'
  | 'closed'
  | 'redirect'
  | 'too-large'
  | 'tls'
  | 'no-tls'
  | 'not-http'

/** An HTTP exchange that gave no whole reply. Names the endpoint as scheme://host:port only. */
export class HttpError extends BaseError {
  readonly fault: HttpFault
  readonly endpoint: string
  /** Whether it is certain that not one byte of the request left this computer for the endpoint. */
  readonly nothingSent: boolean

  constructor(fault: HttpFault, endpoint: string, parts: Parts) {
    super(`http.${fault}`, parts.sentence, {
      details: parts.details ?? [],
      nextSteps: parts.next,
      retryable: RETRYABLE.has(fault) && parts.isOver !== true,
      ...(parts.cause === undefined ? {} : { cause: parts.cause }),
    })
    this.name = 'HttpError'
    this.fault = fault
    this.endpoint = endpoint
    this.nothingSent = parts.nothingSent ?? false
  }
}

type Parts = {
  sentence: string
  details?: readonly string[]
  next: readonly string[]
  cause?: unknown
  nothingSent?: boolean
  /** Nothing more is asked of the endpoint. */
  isOver?: true
}

const RETRYABLE: ReadonlySet<HttpFault> = new Set(['unreachable', 'local', 'timeout', 'closed'])
/** What the system answers only while a connection is made or a name looked up, never later. */
const BEFORE_ANY_BYTE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
const RUNNING = 'Check that the service runs and listens at this address.'

/** The address is no http or https URL. */
export function httpBadUrl(): HttpError {
  return new HttpError('bad-url', '(not a URL)', {
    sentence: 'The endpoint is not an http or https address.',
    next: ['Give an address such as http://127.0.0.1:8545.'],
  })
}

/** No connection came about. `reason` is the system's code, e.g. ECONNREFUSED. */
export function httpUnreachable(endpoint: string, reason: string): HttpError {
  return new HttpError('unreachable', endpoint, {
    sentence: `Nothing answers at ${endpoint}.`,
    details: [`reason: ${reason}`],
    nothingSent: BEFORE_ANY_BYTE.has(reason),
    next: [RUNNING, 'Check the address and the port.'],
  })
}

const NO_CONNECTION: Readonly<Record<string, Known>> = tooManyOpen('connection')

/**
 * This computer has no room for another connection, so the endpoint was not asked; undefined where `reason`, the system's
 * code, says something else. `openFileLimit` tells how many files may be open at once, where that is known.
 */
export function httpNoRoom(
  endpoint: string,
  reason: string,
  openFileLimit: () => number | undefined = () => undefined,
): HttpError | undefined {
  const known = NO_CONNECTION[reason]
  if (known === undefined) return undefined
  const details = openFileDetails(reason, openFileLimit)
  return new HttpError('local', endpoint, { sentence: known.sentence, details, next: [known.next] })
}

/** The deadline passed before the whole reply was there. */
export function httpTimeout(endpoint: string, deadlineMs: number): HttpError {
  return new HttpError('timeout', endpoint, {
    sentence: `${endpoint} did not finish its answer within ${deadlineMs / 1000} s.`,
    next: ['Try again.', 'If it stays slow, use another endpoint.'],
  })
}

/** The same of an endpoint that is not asked any more: it let a question run out, and answered nothing else meanwhile. */
export function httpGivenUp(endpoint: string, deadlineMs: number): HttpError {
  return new HttpError('timeout', endpoint, {
    sentence: `${endpoint} answered nothing within ${deadlineMs / 1000} s, and was not asked again.`,
    next: ['Try again.', 'If it stays so, use another endpoint.'],
    isOver: true,
  })
}

/** Nothing more came for too long, though the reply was not complete. */
export function httpSilent(endpoint: string, idleMs: number): HttpError {
  return new HttpError('timeout', endpoint, {
    sentence: `${endpoint} fell silent in the middle of its answer for ${idleMs / 1000} s.`,
    next: ['Try again.', 'If it stays slow, use another endpoint.'],
  })
}

/** The connection ended before a whole reply. `receivedBytes` counts the body. */
export function httpClosed(endpoint: string, reason: string, receivedBytes: number): HttpError {
  return new HttpError('closed', endpoint, {
    sentence: `${endpoint} closed the connection without a whole answer.`,
    details: [`reason: ${reason}`, `received: ${receivedBytes} bytes`],
    next: ['A cut answer counts as no answer. Try again.'],
  })
}

/** The reply points elsewhere; it is never followed. `target` is scheme://host:port only. */
export function httpRedirect(endpoint: string, status: number, target: string): HttpError {
  return new HttpError('redirect', endpoint, {
    sentence: `${endpoint} redirects to another address (${target}). A redirect is not followed.`,
    details: [`status: ${status}`, `points to: ${target}`],
    next: ['If you trust the other address, enter it as the endpoint yourself.'],
  })
}

/** The body grew beyond the cap and was cut off. */
export function httpTooLarge(endpoint: string, maxBytes: number): HttpError {
  return new HttpError('too-large', endpoint, {
    sentence: `${endpoint} sent a response over the size limit of ${maxBytes} bytes and was cut off.`,
    next: ['Check that the address is the service you mean.', 'Use another endpoint.'],
  })
}

/** The other side could not prove who it is. There is no way to skip this. */
export function httpTls(endpoint: string, reason: string): HttpError {
  return new HttpError('tls', endpoint, {
    sentence: `${endpoint} could not prove that it is who it says.`,
    details: [`reason: ${reason}`],
    next: ['Check the host name and the clock of this computer.', 'Use another endpoint.'],
  })
}

/** The address says https, and what listens there speaks no TLS. */
export function httpNoTls(endpoint: string, reason: string): HttpError {
  return new HttpError('no-tls', endpoint, {
    sentence: `${endpoint} says https, and no TLS is spoken there.`,
    details: [`reason: ${reason}`],
    next: [`Try ${endpoint.replace(/^https:/, 'http:')}.`],
  })
}

/** What came back is no HTTP. */
export function httpNotHttp(endpoint: string, reason: string): HttpError {
  return new HttpError('not-http', endpoint, {
    sentence: `${endpoint} does not speak HTTP.`,
    details: [`reason: ${reason}`],
    next: ['Check the port: another service may listen there.'],
  })
}

/** A description of a network (spec file, network file, rehearsal descriptor) that cannot be used. */
export class NetworkError extends BaseError {
  constructor(code: string, shortMessage: string, options: ConstructorParameters<typeof BaseError>[2]) {
    super(`network.${code}`, shortMessage, options)
    this.name = 'NetworkError'
  }
}

/** The text is not even TOML or JSON. `source` names the file for people, `reason` is safe to draw. */
export function networkUnreadable(source: string, format: 'TOML' | 'JSON', reason: string): NetworkError {
  return new NetworkError('unreadable', `The ${source} is not ${format}.`, {
    details: [reason],
    nextSteps: [`Give a whole ${source}: fetch it again from where it is published.`],
  })
}

/** One field is missing or odd. All parts are safe to draw. */
export function networkField(
  source: string,
  fault: { path: string; expected: string; found: string },
): NetworkError {
  return new NetworkError('field', `The ${source} has a field that cannot be used: ${fault.path}.`, {
    details: [`field: ${fault.path}`, `found: ${fault.found}`, `expected: ${fault.expected}`],
    nextSteps: [
      `Correct ${fault.path} in the ${source}, or fetch the file again from where it is published.`,
    ],
  })
}

/** The description takes the name or the numbers of a network that is built in. */
export function networkClash(source: string, what: string): NetworkError {
  return new NetworkError(
    'clash',
    `The ${source} uses the name or the numbers of a built-in network, but describes another one.`,
    {
      details: [what],
      nextSteps: ['Choose the built-in network by its name, or correct the file.'],
    },
  )
}
