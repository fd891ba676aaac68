import { BaseError, type ErrorParts, errorsOf } from './base.ts'
import type { NoRoom } from './room.ts'

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
  | 'needs-tls'
  | 'not-http'

type HttpParts = ErrorParts & { endpoint: string; nothingSent?: boolean; proxy?: string | undefined }

/** An HTTP exchange that gave no whole reply. Names the endpoint as scheme://host:port only. */
export class HttpError extends BaseError {
  readonly fault: HttpFault
  readonly endpoint: string
  /** Whether it is certain that not one byte of the request left this computer for the endpoint. */
  readonly nothingSent: boolean
  /** The variable that names a proxy, where that may be why nobody answers. */
  readonly proxy: string | undefined

  constructor(code: string, parts: HttpParts) {
    super(code, parts)
    this.name = 'HttpError'
    this.fault = code.slice('http.'.length) as HttpFault
    this.endpoint = parts.endpoint
    this.nothingSent = parts.nothingSent ?? false
    this.proxy = parts.proxy
  }
}

/** What the system answers only while a connection is made or a name looked up, never later. */
const BEFORE_ANY_BYTE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** What is said where a proxy is set and an endpoint does not answer. */
export const notByProxy = (variable: string): string =>
  `${variable} is set and not used: this program asks every endpoint directly. Allow that in the firewall.`

/** What Node says of a certificate whose authority it does not know. */
const UNKNOWN_AUTHORITY = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/

const RUNNING = 'Check that the service runs and listens at this address.'

const TIMED_OUT = {
  late: (endpoint: string, seconds: number) => `${endpoint} did not finish its answer within ${seconds} s.`,
  silent: (endpoint: string, seconds: number) =>
    `${endpoint} fell silent in the middle of its answer for ${seconds} s.`,
  over: (endpoint: string, seconds: number) =>
    `${endpoint} answered nothing within ${seconds} s, and was not asked again.`,
}

/** An HTTP exchange gave no whole reply. An endpoint is scheme://host:port only; `reason` is the system's code. */
export const httpError = errorsOf(HttpError, {
  /** The address is no http or https URL. */
  'http.bad-url': {
    endpoint: '(not a URL)',
    short: 'The endpoint is not an http or https address.',
    next: ['Give an address such as http://127.0.0.1:8545.'],
  },
  /**
   * No connection came about. `reason` is the system's code, e.g. ECONNREFUSED; `proxy` the variable that names one, which
   * is not used.
   */
  'http.unreachable': (endpoint: string, reason: string, proxy?: string) => ({
    endpoint,
    short: `Nothing answers at ${endpoint}.`,
    details: [`reason: ${reason}`],
    nothingSent: BEFORE_ANY_BYTE.has(reason),
    proxy,
    next: [RUNNING, 'Check the address and the port.', ...(proxy === undefined ? [] : [notByProxy(proxy)])],
    retryable: true,
  }),
  /** This computer has no room for another connection, so the endpoint was not asked. */
  'http.local': (endpoint: string, room: NoRoom) => ({ endpoint, ...room, retryable: true }),
  /** The whole reply did not come in time: `late` within its deadline, `silent` in the middle, `over` where nothing more is asked. */
  'http.timeout': (
    endpoint: string,
    afterMs: number,
    how: keyof typeof TIMED_OUT = 'late',
    proxy?: string,
  ) => ({
    endpoint,
    proxy,
    short: TIMED_OUT[how](endpoint, afterMs / 1000),
    next: [
      'Try again.',
      how === 'over' ? 'If it stays so, use another endpoint.' : 'If it stays slow, use another endpoint.',
      ...(proxy === undefined ? [] : [notByProxy(proxy)]),
    ],
    retryable: how !== 'over',
  }),
  /** The connection ended before a whole reply. `receivedBytes` counts the body. */
  'http.closed': (endpoint: string, reason: string, receivedBytes: number) => ({
    endpoint,
    short:
      receivedBytes > 0
        ? `${endpoint} closed the connection in the middle of its answer (${receivedBytes} bytes received).`
        : `${endpoint} closed the connection without an answer.`,
    details: [`reason: ${reason}`, `received: ${receivedBytes} bytes`],
    next: [
      'Try again. A cut answer counts as no answer.',
      ...(receivedBytes === 0 && endpoint.startsWith('http:')
        ? ['If the service uses TLS, begin the address with https://.']
        : []),
    ],
    retryable: true,
  }),
  /** The reply points elsewhere; it is never followed. `target` is scheme://host:port only. */
  'http.redirect': (endpoint: string, status: number, target: string) => ({
    endpoint,
    short: `${endpoint} redirects to another address (${target}). A redirect is not followed.`,
    details: [`status: ${status}`, `points to: ${target}`],
    next: [`If you trust ${target}, give that address yourself.`],
  }),
  /** The body grew beyond the cap and was cut off. */
  'http.too-large': (endpoint: string, maxBytes: number) => ({
    endpoint,
    short: `${endpoint} sent a response over the size limit of ${maxBytes} bytes and was cut off.`,
    next: ['Check that the address is the service you mean.', 'Use another endpoint.'],
  }),
  /** The other side could not prove who it is. There is no way to skip this. */
  'http.tls': (endpoint: string, reason: string) => ({
    endpoint,
    short: `${endpoint} could not prove that it is who it says.`,
    details: [`reason: ${reason}`],
    next: UNKNOWN_AUTHORITY.test(reason)
      ? [
          'If the certificate is of your own authority, start this program with NODE_EXTRA_CA_CERTS=FILE.pem (docs/faq.md).',
          'Else use another endpoint.',
        ]
      : ['Check the host name and the clock of this computer.', 'Use another endpoint.'],
  }),
  /** The address says https, and what listens there speaks no TLS. */
  'http.no-tls': (endpoint: string, reason: string) => ({
    endpoint,
    short: `${endpoint} says https, and no TLS is spoken there.`,
    details: [`reason: ${reason}`],
    next: [`Try ${endpoint.replace(/^https:/, 'http:')}.`],
  }),
  /** The address says http, and what came back is TLS. */
  'http.needs-tls': (endpoint: string) => ({
    endpoint,
    short: `${endpoint} expects TLS, and this address begins with http.`,
    next: [`Try ${endpoint.replace(/^http:/, 'https:')}.`],
  }),
  /** What came back is no HTTP. */
  'http.not-http': (endpoint: string, reason: string) => ({
    endpoint,
    short: `${endpoint} does not speak HTTP.`,
    details: [`reason: ${reason}`],
    next: ['Check the port: another service may listen there.'],
  }),
})

/** A description of a network (spec file, network file, rehearsal descriptor) cannot be used. `source` names it for people. */
export const networkError = errorsOf(BaseError, {
  /** The text is not even TOML or JSON. `source` names the file for people, `reason` is safe to draw. */
  'network.unreadable': (source: string, format: 'TOML' | 'JSON', reason: string) => ({
    short: `The ${source} is not ${format}.`,
    details: [reason],
    next: [`Give a whole ${source}: fetch it again from where it is published.`],
  }),
  /** One field is missing or odd. All parts are safe to draw. */
  'network.field': (source: string, fault: { path: string; expected: string; found: string }) => ({
    short: `The ${source} has a field that cannot be used: ${fault.path}.`,
    details: [`field: ${fault.path}`, `found: ${fault.found}`, `expected: ${fault.expected}`],
    next: [`Correct ${fault.path} in the ${source}, or fetch the file again from where it is published.`],
  }),
  /** The description takes the name or the numbers of a network that is built in. */
  'network.clash': (source: string, what: string) => ({
    short: `The ${source} uses the name or the numbers of a built-in network, but describes another one.`,
    details: [what],
    next: ['Choose the built-in network by its name, or correct the file.'],
  }),
})
