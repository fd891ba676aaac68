import { HttpError, httpClosed, httpNotHttp, httpTls, httpUnreachable } from '../errors/http.ts'
import { safeText } from '../format/text.ts'

const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])
const TLS =
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|INVALID_CA|PATH_LENGTH|EPROTO$)/

/**
 * Turns what node:http throws into an `HttpError`. `answered` tells whether a status line had arrived, which tells
 * a connection that never came about from one that was closed in the middle.
 */
export function toHttpError(
  thrown: unknown,
  endpoint: string,
  state: { received: number; answered: boolean },
): HttpError {
  if (thrown instanceof HttpError) return thrown
  const code = faultCode(thrown)
  if (code.startsWith('HPE_')) return httpNotHttp(endpoint, code)
  if (TLS.test(code)) return httpTls(endpoint, code)
  if (state.answered || CLOSED.has(code)) return httpClosed(endpoint, code, state.received)
  return httpUnreachable(endpoint, code)
}

function faultCode(thrown: unknown): string {
  const inner: unknown =
    thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown
  const code = typeof inner === 'object' && inner !== null && 'code' in inner ? inner.code : undefined
  return typeof code === 'string' ? safeText(code, 60) : 'unknown'
}
