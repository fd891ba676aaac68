import { parseEndpointUrl } from '../format/endpoint-url.ts'

/**
 * The URL of `path` below an endpoint: the endpoint's own path and query (they may hold an access key) are kept,
 * each part of `path` is escaped, `query` pairs are added in order, the same name as often as given. An endpoint
 * that is no URL is given back as it is; the exchange then refuses it.
 */
export function joinUrl(
  endpoint: string,
  path: readonly string[],
  query: readonly (readonly [string, string])[] = [],
): string {
  const url = parseEndpointUrl(endpoint)
  if (url === undefined) return endpoint
  const below = path.map((part) => encodeURIComponent(part)).join('/')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${below}`
  for (const [name, value] of query) url.searchParams.append(name, value)
  url.hash = ''
  return url.href
}
