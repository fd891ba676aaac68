import { endpointHosts, endpointLabel, isLoopbackUrl, parseEndpointUrl } from '../core/format/endpoint-url.ts'
import type { KeptScreen } from '../core/format/kept-screen.ts'
import { LANGUAGE } from '../core/format/language.ts'
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

/** Hexadecimal in groups at the end of a line, and a line of nothing else, which goes on with it. */
const GROUPS_BEGIN = /\b0x[0-9a-f]{4}(?: [0-9a-f]{4})*$/i
const GROUPS_GO_ON = /^\s*[0-9a-f]{4}(?: [0-9a-f]{4})*$/i
const GROUPS = /\b(?:0x)?[0-9a-f]{4}(?: [0-9a-f]{4})+\b/gi
/** As many digits in groups as a cover knows by their `0x`. */
const WHOLE_GROUPS = /^0x[0-9a-f]{4}(?: [0-9a-f]{4}){3,}$/i
/** What a line of a narrow column may hold of the name of a host, perhaps cut off. */
const PART_OF_HOST = /[A-Za-z0-9.:[\]-]{6,}/g
/** So long a piece of a name is no word. */
const LONG_PART = 15

/**
 * The screen that stood on the terminal last as lines for a cover: what a row had no room for is put together again, and
 * what cannot be is covered here. The cover must know the hosts of the screen.
 */
export function screenLines(screen: KeptScreen | undefined, flags: ReadonlySet<string>): string[] {
  if (screen === undefined) return ['none yet: the last one is kept when the wizard ends']
  const { atMs, language, columns, rows, lines, hosts } = screen
  if (language !== LANGUAGE) return [`in another language: bearings report --lang ${language} shows it`]
  const when = Math.abs(atMs) < 8e15 ? new Date(atMs).toISOString() : 'at no time'
  const size = columns === undefined ? '' : `, ${columns} x ${rows}`
  const far = flags.has('addresses') ? [] : hosts.filter((host) => !isLoopbackUrl(`http://${host}`))
  const known = new Set(far)
  const part = (text: string): string => {
    const name = text.toLowerCase().replace(/^[.:-]+|[.:-]+$/g, '')
    const isWord = /^[a-z]*$/.test(name) && name.length < LONG_PART
    return !isWord && !known.has(name) && far.some((host) => host.includes(name)) ? COVER : text
  }
  const groups = (text: string) => (WHOLE_GROUPS.test(text) ? text : COVER)
  return [
    `the last one, ${when}${size}`,
    ...joinedGroups(lines).map((line) => line.replace(GROUPS, groups).replace(PART_OF_HOST, part)),
  ]
}

/** Hexadecimal over several lines as one line. */
function joinedGroups(lines: readonly string[]): string[] {
  const joined: string[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last !== undefined && GROUPS_BEGIN.test(last) && GROUPS_GO_ON.test(line))
      joined[joined.length - 1] = `${last} ${line.trim()}`
    else joined.push(line)
  }
  return joined
}
