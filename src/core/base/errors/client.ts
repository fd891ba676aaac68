import { BaseError } from './base.ts'

export type Service = 'execution RPC' | 'node API' | 'engine RPC'

/** A service as it is called in texts. */
export const SERVICE_WORDS: Readonly<Record<Service, string>> = {
  'execution RPC': 'execution RPC',
  'node API': 'node API',
  'engine RPC': 'engine RPC',
}

/**
 * What an endpoint did instead of answering. `says-nothing` is a reply that carries no statement at all (empty, or
 * the connection was closed), `unusable` an endpoint that is refused for what it is (redirect, certificate),
 * `wrong-service` one that lacks what every service of its kind answers.
 */
export type ClientFault =
  | 'unreachable'
  | 'timeout'
  | 'says-nothing'
  | 'malformed'
  | 'too-large'
  | 'unusable'
  | 'wrong-service'
  | 'unauthorized'
  | 'rate-limited'
  | 'not-offered'
  | 'not-found'
  | 'not-ready'
  | 'bad-request'
  | 'reverted'
  | 'rejected'
  | 'failed'

export type ClientErrorParts = {
  service: Service
  /** scheme://host:port only. */
  endpoint: string
  /** The call, e.g. eth_getBalance or states/head/validators. Free of secrets. */
  what: string
  /** HTTP status, where one arrived. */
  status?: number
  /** What answers at the address instead, for `wrong-service`. */
  answersLike?: Service
  /** Why the exchange failed, where that says more than the fault: its sentence, which begins with the endpoint, and its advice. */
  exchange?: Pick<BaseError, 'shortMessage' | 'nextSteps'> | undefined
  /** What the reply shows of who sent it, where that says more than the fault. */
  shows?: Shown | undefined
  /** What more is to be done, where it may be no fault of the endpoint. */
  alsoNext?: readonly string[]
  /** What this computer lacks, so that the endpoint was not asked, for `unreachable`; with what to do. */
  local?: Pick<BaseError, 'nextSteps'>
  /** At which block a client is that still syncs, for `not-ready`, as it is shown. */
  progress?: { current: string; highest: string }
  /** Revert data, for `reverted`. */
  data?: `0x${string}`
  /** How long the endpoint asked us to wait, for `rate-limited`. */
  retryAfterMs?: number | undefined
  /** Already made safe to draw. */
  details?: readonly string[]
  /** The endpoint's own reason, already safe to draw in quotes. */
  said?: string | undefined
  cause?: unknown
}

/** Faults that say all there is to say: the endpoint's own words would only repeat them. */
const SELF_EXPLAINING: ReadonlySet<ClientFault> = new Set(['not-found', 'not-offered', 'not-ready'])

/** A question to an endpoint that got no usable answer. `fault` tells what kind, never the endpoint's own text. */
export class ClientError extends BaseError {
  readonly fault: ClientFault
  readonly service: Service
  readonly endpoint: string
  readonly status: number | undefined
  readonly data: `0x${string}` | undefined
  readonly retryAfterMs: number | undefined

  constructor(fault: ClientFault, parts: ClientErrorParts) {
    const words = WORDS[fault]
    const { said, exchange } = parts
    const service = SERVICE_WORDS[parts.service]
    super(`client.${fault}`, {
      short:
        exchange === undefined
          ? `The ${service} at ${parts.endpoint} ${didOf(fault, parts)}.`
          : `The ${service} gave no answer: ${exchange.shortMessage}`,
      details: [
        `asked: ${parts.what}`,
        ...(parts.details ?? []),
        ...(said === undefined ? [] : [`it said: "${said}"`]),
      ],
      said: SELF_EXPLAINING.has(fault) ? undefined : said,
      next: (exchange ?? parts.local)?.nextSteps ?? [
        nextOf(parts) ?? words.next ?? RUNNING[parts.service],
        ...(parts.alsoNext ?? []),
      ],
      retryable: words.retryable,
      cause: parts.cause,
    })
    this.name = 'ClientError'
    this.fault = fault
    this.service = parts.service
    this.endpoint = parts.endpoint
    this.status = parts.status
    this.data = parts.data
    this.retryAfterMs = parts.retryAfterMs
  }
}

const SILENCE: ReadonlySet<ClientFault> = new Set(['unreachable', 'timeout', 'says-nothing'])

/** Whether an endpoint gave no answer at all: then nothing is known of what it can do. */
export function isSilence(thrown: unknown): thrown is ClientError {
  return thrown instanceof ClientError && SILENCE.has(thrown.fault)
}

/** The one sentence that names what was found instead. */
function didOf(fault: ClientFault, parts: ClientErrorParts): string {
  const { answersLike, local, progress, shows, retryAfterMs } = parts
  if (shows !== undefined) return SHOWN[shows].did
  if (progress !== undefined)
    return `has no state yet: it syncs, and is at block ${progress.current} of ${progress.highest}`
  if (local !== undefined) return 'was not asked: too many files are open here for another connection'
  if (retryAfterMs !== undefined)
    return `limits how often it is asked, and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`
  return answersLike === undefined
    ? WORDS[fault].did
    : `answers like an address of the ${SERVICE_WORDS[answersLike]}`
}

function nextOf({ progress, shows }: ClientErrorParts): string | undefined {
  if (shows !== undefined) return SHOWN[shows].next
  return progress === undefined ? undefined : 'Wait until the client has synced, or use another endpoint.'
}

type Shown = 'refused-host' | 'tls-port' | 'engine-port' | 'web-page' | 'gateway'

const SHOWN: Readonly<Record<Shown, { did: string; next: string }>> = {
  'refused-host': {
    did: 'refuses the host name in this address',
    next: 'Add the name to --http.vhosts of the execution client, or give its IP address instead of the name.',
  },
  'tls-port': {
    did: 'expects TLS, and this address begins with http',
    next: 'Begin the address with https:// instead.',
  },
  'engine-port': {
    did: 'is the Engine API, which is for the consensus client alone',
    next: 'Give the port of its JSON-RPC, often 8545.',
  },
  'web-page': {
    did: 'returned a web page instead of JSON',
    next: 'Check the address: a website, a login page or a proxy may answer there.',
  },
  gateway: {
    did: 'did not answer the gateway in front of it',
    next: 'Try again. If it stays so, use another endpoint.',
  },
}

type Words = { did: string; retryable: boolean; next?: string }

const RUNNING: Readonly<Record<Service, string>> = {
  'execution RPC':
    'Check that the execution client runs and that its HTTP RPC listens at this address, or give another address.',
  'node API': 'Check that the node runs and that its node API is enabled in app.toml.',
  'engine RPC': 'Check that the node runs and that [rpc] laddr in config.toml is this address.',
}

const WORDS: Readonly<Record<ClientFault, Words>> = {
  unreachable: { did: 'does not answer', retryable: true },
  timeout: { did: 'did not answer in time', retryable: true },
  'says-nothing': { did: 'returned an empty response', retryable: true },
  malformed: {
    did: 'returned a response that does not fit the question',
    retryable: false,
    next: 'Check that the address is the right service. A broken response counts as no answer.',
  },
  'too-large': {
    did: 'sent a response over the size limit',
    retryable: false,
    next: 'Check that the address is the right service.',
  },
  unusable: { did: 'cannot be used', retryable: false, next: 'Give another address for it.' },
  'wrong-service': {
    did: 'answers like another service',
    retryable: false,
    next: 'Give each service its own address: execution RPC (often port 8545), node API (3500), engine RPC (26657).',
  },
  unauthorized: {
    did: 'requires a key or a permission',
    retryable: false,
    next: 'Check the address: a key in it may be missing or expired.',
  },
  'rate-limited': {
    did: 'limits how often it is asked',
    retryable: true,
    next: 'Wait a little, or use another endpoint.',
  },
  'not-offered': {
    did: 'does not offer this',
    retryable: false,
    next: 'What depends on this stays unknown. If it lacks more than this, check that the address is the right service.',
  },
  'not-found': {
    did: 'does not know what was asked for',
    retryable: false,
    next: 'It may not be there yet. Ask again later.',
  },
  'not-ready': {
    did: 'waits for its first block',
    retryable: true,
    next: 'Wait until the node has its first block. Check that its execution client runs.',
  },
  'bad-request': {
    did: 'rejected the question as malformed',
    retryable: false,
    next: 'Check the value that was asked for.',
  },
  reverted: {
    did: 'says that the contract refuses this call',
    retryable: false,
    next: 'Look at the reason.',
  },
  rejected: { did: 'answered with an error', retryable: true, next: 'Try again, or use another endpoint.' },
  failed: {
    did: 'failed while answering',
    retryable: true,
    next: 'Try again. What it could not answer stays unknown.',
  },
}
