import { endpointHosts, endpointLabel, isLoopbackUrl, parseEndpointUrl } from '../core/format/endpoint-url.ts'
import { isSmallNumber } from '../core/format/url-secrets.ts'
import { secretsOf } from '../core/notify/redact.ts'
import { coveredHosts } from './cover-hosts.ts'

/** What of this computer and its user is not to be told. */
export type Hidden = {
  /** The user's own directory, and the names of user and computer. */
  home: string
  user: string
  computer: string
  /** Words that open a door wherever they stand, such as the key in the path of an endpoint. */
  secrets: readonly string[]
  /** Names of hosts that stand without a URL around them. */
  hosts: readonly string[]
  /** Words with a dot that are this program's own and no host, such as the code of an error. */
  ours?: readonly string[]
  /** Whether keys, addresses, hashes and hosts stay as they are. */
  addresses: boolean
}

const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>|)\]}、。「」（），：；！？]+/gi
const HEX = /\b0x[0-9a-f]{16,}\b|\b[0-9a-f]{64,}\b/gi
/** In groups of four digits, as people compare it. */
const GROUPED_HEX = /\b0x[0-9a-f]{4}(?: [0-9a-f]{4}){3,}\b/gi
const SHORTENED_HEX = /\b0x[0-9a-f]+(?:…|\.{3})[0-9a-f]+/gi
/** The first digits of two roots and a public key. */
const JOURNAL = /\b[0-9a-f]{12}-[0-9a-f]{12}-[0-9a-f]{12}\b/g
/** What stands before the index of a validator in the texts of this program; other programs say it in English. */
const BEFORE_INDEX = 'validator '
const VALIDATOR = new RegExp(String.raw`(?:\bvalidator |${BEFORE_INDEX})\d+\b`, 'g')
/** The beginning of a key in the name of a file. */
const KEY_IN_NAME = /(?<=[-/\\])[0-9a-f]{12}(?=[-./\\]|\s|$)/g
/** Long enough for a key of the engine, a key file or a token. */
const LONG_WORD = /[A-Za-z0-9+/_-]{32,}={0,2}/g
/** What stands between the signs of a path or of the name of a file. */
const PART_OF_PATH = /^(?:[A-Za-z]?[a-z]*\d{0,4}|[0-9a-f]{1,12})$/
const KINDS: Readonly<Record<number, string>> = { 20: 'address', 32: 'hash', 48: 'key' }
/** A name of one letter or two would be found in every word. */
const SHORTEST_NAME = 3
const COVER = '(covered)'

/**
 * A function that makes texts fit to be shown to strangers: URLs become scheme, host and port; what opens a door is
 * covered, and so is every word long enough to be a secret; hexadecimal longer than a public key, such as signatures and
 * signed transactions, becomes its length. Without `addresses` hosts, public keys, addresses and hashes get names, the
 * same name for the same one in all texts of one function.
 */
export function createCover(hidden: Hidden): (text: string) => string {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const nameOf = (kind: string, what: string): string => {
    const key = `${kind} ${sameOf(kind, what.toLowerCase())}`
    const known = names.get(key)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(key, `${kind}-${count}`)
    return `${kind}-${count}`
  }
  const url = (text: string): string => {
    const label = endpointLabel(text)
    if (hidden.addresses || isLoopbackUrl(text) || label.startsWith('(')) return label
    const { protocol, hostname, port } = new URL(label)
    return `${protocol}//${nameOf('host', hostname)}${port === '' ? '' : `:${port}`}`
  }
  const hex = (text: string): string => {
    const digits = text.replace(/^0x/i, '')
    const kind = text.length === digits.length ? undefined : KINDS[digits.length / 2]
    if (kind === undefined) return `(${Math.ceil(digits.length / 2)} bytes)`
    return hidden.addresses ? text : nameOf(kind, text)
  }
  const { home, user, computer } = hidden
  const places = [[home, '~'] as const, [user, 'USER'] as const, [computer, 'COMPUTER'] as const]
  const known = places.filter(([text]) => text.length >= SHORTEST_NAME && text !== 'root')
  const secrets = hidden.secrets.filter((text) => text.length > 0)
  const hosts = hidden.addresses
    ? []
    : [...new Set(hidden.hosts)].filter((host) => !isLoopbackUrl(`http://${host}`))
  const bySecret = secrets.map((secret) => [secret, COVER] as const)
  const byHost = hosts.map((host) => [host, nameOf('host', host.replace(/:\d+$/, ''))] as const)
  const ours = new Set(hidden.ours)
  const named = (shown: string): string =>
    coveredHosts(shown, ours, (host) => nameOf('host', host))
      .replace(JOURNAL, (name) => nameOf('journal', name))
      .replace(KEY_IN_NAME, (digits) => nameOf('key', digits))
      .replace(SHORTENED_HEX, COVER)
      .replace(VALIDATOR, (name) => nameOf('validator', name))
  return (text) => {
    const opened = [...bySecret, ...byHost].reduce(replaced, text.replace(URL_IN_TEXT, url))
    const short = opened.replace(GROUPED_HEX, (found) => hex(found.replaceAll(' ', ''))).replace(HEX, hex)
    return known
      .reduce(replaced, hidden.addresses ? short : named(short))
      .replace(LONG_WORD, (word) =>
        (hidden.addresses && HEX_WORD.test(word)) || isPath(word) ? word : COVER,
      )
  }
}

/** One name for one thing, however it is written: a key goes by the digits that names of files have of it. */
function sameOf(kind: string, what: string): string {
  return kind === 'key' ? what.replace(/^0x/, '').slice(0, 12) : what
}

const HEX_WORD = /^0x[0-9a-f]+$/i

function isPath(word: string): boolean {
  return word.split(/[/_-]/).every((part) => PART_OF_PATH.test(part))
}

/** Every occurrence between the ends of words, in any case. */
function replaced(text: string, [what, by]: readonly [string, string]): string {
  const literal = what.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return text.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'gi'), () => by)
}

/** What opens an endpoint, in each form that it may be written in, and the names of hosts: of every text that is a URL. */
export function knownAddresses(
  texts: readonly (string | undefined)[],
  sources: readonly string[],
): Pick<Hidden, 'secrets' | 'hosts'> {
  const urls = texts
    .flatMap((text) => (text ?? '').split(','))
    .filter((text) => parseEndpointUrl(text) !== undefined)
  const secrets = urls.flatMap((url) => secretsOf({ type: 'ping', url, everyMs: 0 }))
  return {
    // The report holds no address by its whole text, so a small number in it is always something else.
    secrets: secrets.filter((text) => parseEndpointUrl(text) === undefined && !isSmallNumber(text)),
    hosts: [...urls.flatMap(endpointHosts), ...sources],
  }
}
