import { gzipSync } from 'node:zlib'
import { type Expected, type Lie, type Service, type Since, stops, type Telling, waits } from '../lie.ts'
import { textReply, type Wire } from '../wire.ts'

const KIB = 1024
const MIB = KIB * KIB

/** A page as a login or a hotel puts it in front of everything, with what a terminal must not be given. */
const PAGE = '<html><body>\u001b]0;verified\u0007\u001b[2J Please log in</body></html>'

/** `{"a":{"a":…` */
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const DRIVING = JSON.stringify({ code: 500, message: '\u001b[2J\u001b]52;c;AAAA\u0007 done \u202e' })

const PLAIN = { 'content-type': 'text/html' }

/** The truth with something in it made otherwise. */
const altered =
  (change: (text: string) => string): Telling =>
  async (_, truth) =>
    textReply(change(await truth.text()))

/** The same to every question, whatever the question is. */
const always =
  (wire: Wire): Telling =>
  () =>
    wire

const redirect = (status: number, location: string): Wire => textReply('', status, { location })

type WireLie = readonly [name: string, telling: Telling]

const JSON_TYPE = { 'content-type': 'application/json' }
const PACKED = { ...JSON_TYPE, 'content-encoding': 'gzip' }

/** What is wrong with the reply can be seen without knowing what it is about. */
const UNREADABLE: readonly WireLie[] = [
  ['answers with an empty body', always(textReply(''))],
  ['answers with an empty object', always(textReply('{}'))],
  ['answers with null', always(textReply('null'))],
  ['answers with a list, as if many things had been asked', altered((text) => `[${text}]`)],
  ['names a key twice', altered((text) => text.replace('{', '{"\u0061":1,"a":2,'))],
  ['nests a thousand objects', always(textReply(nested(1000)))],
  ['breaks the UTF-8', async (_, truth) => textReply(withBrokenText(await truth.text()))],
  ['begins with a byte order mark', altered((text) => `\ufeff${text}`)],
  ['ends with a second reply', altered((text) => `${text}{}`)],
  ['answers with a string of half a mebibyte', always(textReply(JSON.stringify('x'.repeat(MIB / 2))))],
  ['answers with a web page', always(textReply(PAGE, 200, PLAIN))],
  ['answers with a web page and calls it JSON', always(textReply(PAGE))],
  [
    'calls the truth plain text',
    async (_, truth) => textReply(await truth.text(), 200, { 'content-type': 'text/plain' }),
  ],
  [
    'packs the truth though nobody asked for it',
    async (_, truth) => textReply(gzipSync(await truth.text()), 200, PACKED),
  ],
  ['sends a bomb of gzip', always(textReply(gzipSync(Buffer.alloc(64 * MIB, ' ')), 200, PACKED))],
]

const UNWILLING: readonly WireLie[] = [
  ['answers 204', always(textReply('', 204))],
  ['answers 401', always(textReply('{"message":"no"}', 401))],
  ['answers 403', always(textReply('{"message":"no"}', 403))],
  ['answers 404', always(textReply('404 page not found', 404, PLAIN))],
  ['answers 429 and asks for one second', always(textReply('{}', 429, { 'retry-after': '1' }))],
  ['answers 429 and asks for a day', always(textReply('{}', 429, { 'retry-after': '86400' }))],
  ['answers 500 with words that drive a terminal', always(textReply(DRIVING, 500))],
  ['answers 502 with a web page', always(textReply(PAGE, 502, PLAIN))],
  ['answers 503', always(textReply('{}', 503))],
  ['redirects to another server (301)', (_, __, { elsewhere }) => redirect(301, elsewhere)],
  ['redirects to another server with the body (307)', (_, __, { elsewhere }) => redirect(307, elsewhere)],
  ['redirects to another server for good (308)', (_, __, { elsewhere }) => redirect(308, elsewhere)],
  ['redirects to a file', always(redirect(302, 'file:///etc/passwd'))],
  ['redirects to itself for ever', ({ path }) => redirect(302, path)],
]

const BROKEN: readonly WireLie[] = [
  ['drips one byte a second', always({ as: 'drip' })],
  [
    'cuts the truth in the middle',
    async (_, truth) => ({ as: 'cut', ...(await truth.reply()) }) satisfies Wire,
  ],
  ['floods', always({ as: 'flood' })],
  ['never answers', always({ as: 'silence' })],
  ['hangs up', always({ as: 'hang up' })],
  ['speaks TLS', always({ as: 'bytes', bytes: Buffer.from('15030300020228', 'hex') })],
  ['speaks another language', always({ as: 'bytes', bytes: Buffer.from('220 mail ready\r\n') })],
]

export const WIRE_LIES: readonly WireLie[] = [...UNREADABLE, ...UNWILLING, ...BROKEN]

const SERVICES: readonly Service[] = ['execution', 'node', 'engine']

/** Each of them, told by each service to every question, from the start. */
export const LIES_OF_ANY_SERVICE: readonly Lie[] = WIRE_LIES.flatMap(([name, telling]) =>
  SERVICES.map((service): Lie => {
    const expected: Expected = waits()
    return {
      name: `the ${service} ${name}`,
      service,
      since: 'always',
      payments: [1],
      tells: () => ({ '*': telling }),
      alone: expected,
      beside: expected,
      ...(service === 'execution' ? { asSecond: expected } : {}),
    }
  }),
)

/** Some of them, told by the execution endpoint from a moment of each payment on. */
const later = (since: Since, words: string, expected: Expected): readonly Lie[] =>
  WIRE_LIES.filter((_, at) => at % 4 === 0).map(
    ([name, telling]): Lie => ({
      name: `the execution ${name}, ${words}`,
      service: 'execution',
      since,
      payments: [1, 2],
      tells: () => ({ '*': telling }),
      alone: expected,
      beside: expected,
      asSecond: expected,
    }),
  )

/** What is signed is not in the journal before all has been looked at once more: nothing leaves. */
export const LIES_ON_SENDING = later('after signing', 'once a payment is signed', stops())

/** What has left is waited for, at every endpoint. */
export const LIES_AFTER_SENDING = later('after hand-over', 'once a payment has left', stops(1))

function withBrokenText(text: string): Buffer {
  const open = text.trim().slice(0, -1)
  return Buffer.concat([Buffer.from(`${open},"x":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
}
