const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Returns the URL, when the text is an http or https one with a host; otherwise undefined. */
export function parseEndpointUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null) return undefined
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  return web && url.hostname !== '' ? url : undefined
}

/**
 * Why a text is not taken as the address of an endpoint, or undefined when it is. A user name or password in it is
 * refused: what is taken may be kept in a settings file or a network file. A key in the path or query is part of the
 * address and is taken.
 */
export function endpointFault(text: string): 'no-address' | 'credentials' | undefined {
  const url = parseEndpointUrl(text)
  if (url === undefined) return 'no-address'
  return url.username === '' && url.password === '' ? undefined : 'credentials'
}

/** Whether the text is an http or https URL of this very computer. */
export function isLoopbackUrl(text: string): boolean {
  const url = parseEndpointUrl(text)
  return url !== undefined && LOOPBACK.has(url.hostname)
}

/**
 * The form in which an endpoint stands in errors, commands to copy and everything else that leaves the form it was
 * typed into: `scheme://host:port`, without credentials, path keys and queries. The whole address
 * is kept only in the settings file, which this user alone can read. Anything that is no http(s) URL becomes
 * `(not a URL)`.
 */
export function endpointLabel(text: string): string {
  const url = parseEndpointUrl(text)
  if (url === undefined) return '(not a URL)'
  const port = url.port === '' ? String(url.protocol === 'https:' ? 443 : 80) : url.port
  return `${url.protocol}//${url.hostname}:${port}`
}

/** Whether two addresses lead to the same server: what answers there counts as one endpoint, whatever the path. */
export function isSameServer(a: string, b: string): boolean {
  return placeOf(a) === placeOf(b)
}

function placeOf(text: string): string {
  const url = parseEndpointUrl(text)
  if (url === undefined) return text
  const host = LOOPBACK.has(url.hostname) ? 'localhost' : url.hostname.replace(/\.$/, '')
  return url.port === '' ? host : `${host}:${url.port}`
}

/** Returns who said it, in a row of facts: host and port, without the scheme. */
export function endpointName(text: string): string {
  const url = parseEndpointUrl(text)
  return url === undefined ? '(not a URL)' : url.host
}

/**
 * The URL of `path` below an endpoint: the endpoint's own path and query (they may hold an access key) are kept,
 * each part of `path` is escaped, `query` pairs are added in order, the same name as often as given. An endpoint
 * that is no URL is given back as it is; the exchange then refuses it.
 */
export function joinUrl(endpoint: string, path: readonly string[], query: Query = []): string {
  return urlsBelow(endpoint)(path, query)
}

type Query = readonly (readonly [string, string])[]

/** Returns the same for who asks one endpoint again and again: it is read once. */
export function urlsBelow(endpoint: string): (path: readonly string[], query?: Query) => string {
  const url = parseEndpointUrl(endpoint)
  if (url === undefined) return () => endpoint
  const { search } = url
  url.hash = ''
  url.search = ''
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`
  const base = url.href
  return (path, query = []) => {
    const below = path.map((part) => encodeURIComponent(part)).join('/')
    return `${base}${below}${query.length === 0 ? search : `?${queryText(search, query)}`}`
  }
}

/** What every way of escaping leaves as it is. */
const PLAIN = /^[A-Za-z0-9_.-]*$/

function queryText(own: string, query: Query): string {
  if (own === '' && query.every((pair) => pair.every((part) => PLAIN.test(part))))
    return query.map(([name, value]) => `${name}=${value}`).join('&')
  const all = new URLSearchParams(own)
  for (const [name, value] of query) all.append(name, value)
  return all.toString()
}

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']

/** Returns the name of a variable that names a proxy, which is never used here; undefined where none is set. */
export function proxyVariable(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = PROXIES.flatMap((name) => [name, name.toLowerCase()])
  return names.find((name) => (environment[name] ?? '') !== '')
}
