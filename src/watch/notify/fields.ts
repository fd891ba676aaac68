import { type Decoder, refuse, text } from '../../core/base/format/decode.ts'
import { isDrawable } from '../../core/base/format/drawable.ts'
import { endpointFault, isLoopbackUrl } from '../../core/base/format/endpoint-url.ts'
import { listOf, matching } from './collect.ts'

const URL_WORDS = {
  'no-address': 'an https URL',
  credentials: 'a URL without a user name or password; give them in headers or token',
}

/** What is sent over plain http can be read by everybody on the way, the secret included. */
export function safeOnTheWay({ url, allow_http }: Readonly<Record<string, unknown>>, path: string): void {
  const isPlain = typeof url === 'string' && endpointFault(url) === undefined && /^http:/i.test(url)
  if (isPlain && !isLoopbackUrl(url) && allow_http !== true)
    refuse(`${path}.url`, 'https, or allow_http = true beside it', url)
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}$/
const HEADER_VALUE = /^[\x20-\x7e]{1,4000}$/
/** What the exchange itself decides. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'content-type',
  'expect',
])

/** A name for people: it can be drawn, and is at most 40 characters long. */
export const drawableName: Decoder<string> = (value, path) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 40 && [...value].every(isDrawable)
    ? value
    : refuse(path, 'a name of 1 to 40 letters, digits and signs', value)

/** The address of a service of the user: https, or http where it is this computer. It may hold a secret. */
export const serviceUrl: Decoder<string> = (value, path) => {
  const read = text(value, path)
  const fault = endpointFault(read)
  return fault === undefined ? read : refuse(path, URL_WORDS[fault], value)
}

/** Headers of a webhook. Their values may be secrets, so a fault names the header alone. */
export const headers: Decoder<Readonly<Record<string, string>>> = (value = {}, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(path, 'a table', value)
  for (const [name, content] of Object.entries(value) as [string, unknown][]) {
    if (!HEADER_NAME.test(name)) return refuse(path, 'names of HTTP headers', value)
    if (OWN_HEADERS.has(name.toLowerCase()))
      return refuse(`${path}.${name}`, 'no header of this name', content)
    if (typeof content !== 'string' || !HEADER_VALUE.test(content))
      return refuse(`${path}.${name}`, 'a text of printable ASCII characters', content)
  }
  return { ...(value as Record<string, string>) }
}

/** The number of a chat, or the name of a channel. */
export const chatId: Decoder<string> = (value, path) =>
  matching(/^(?:-?\d{1,20}|@\w{4,40})$/, 'the number of a chat, or @name of a channel')(
    typeof value === 'bigint' ? String(value) : value,
    path,
  )

const words = listOf(matching(/^[^\0]{1,4000}$/, 'a text'), 50)
/** A program by its whole path, and its fixed arguments. */
export const channelCommand: Decoder<readonly [string, ...string[]]> = (value, path) => {
  const [program, ...rest] = words(value, path)
  const isWhole = program !== undefined && (/^\/[^\0]+$/.test(program) || /^[A-Za-z]:[\\/]/.test(program))
  return isWhole
    ? [program, ...rest]
    : refuse(path, 'a list that begins with the whole path of a program', value)
}
