import { fromRlp, toRlp } from 'viem'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { type Entry, encodeEntry, FIRST_PREV, sealEntry } from '../../src/core/wizard/journal/entry.ts'
import type { Random } from '../../test/simulation/random.ts'

/** How the texts of a parser are built: a change that knows it comes past the first check. */
export type Structure = 'json' | 'toml' | 'rlp' | 'words' | 'journal'

/** Pieces that parsers stumble over. */
const ODD_TEXTS = [
  '',
  'null',
  'true',
  '-1',
  '-0',
  '1e999',
  '0x',
  '0X1',
  '18446744073709551616',
  '9007199254740993',
  '١٢٣',
  '__proto__',
  'constructor',
  '\u0000',
  '\r\n',
  '\u001b[2J',
  '\u202e',
  '\u200b',
  '\ud800',
  '\ufeff',
  '💥',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '=',
  "'''",
  '"""',
  '['.repeat(2_000),
  '{"a":'.repeat(500),
  'a'.repeat(5_000),
  '9'.repeat(5_000),
  `0x${'f'.repeat(5_000)}`,
] as const

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  '0x',
  '0x0',
  '0x00',
  '18446744073709551616',
  [],
  [[]],
  {},
  { ['__proto__']: 1 },
  { toString: null },
  '\u001b[31mred',
  '\u202eabc',
  '\ud800',
  'x'.repeat(2_000),
]

const ODD_BYTES: readonly Hex[] = [
  '0x',
  '0x00',
  '0x0001',
  '0x80',
  '0xff',
  `0x${'ff'.repeat(8)}`,
  `0x${'ff'.repeat(32)}`,
  `0x${'00'.repeat(96)}`,
]

const ODD_WORDS: readonly string[] = [
  '0',
  '1',
  '1f',
  '20',
  '21',
  '40',
  '60',
  'ffffffff',
  'f'.repeat(16),
  'f'.repeat(64),
  `8${'0'.repeat(63)}`,
]

const ODD_TOML = [
  '1',
  '-1',
  '1e400',
  '"text"',
  "'text'",
  'true',
  '[]',
  '[[]]',
  '{}',
  '{ a = 1, a = 2 }',
  '1979-05-27T07:32:00Z',
  'nan',
  '9223372036854775808',
  '"""\n"""',
  '0x1F',
  '"\\u0000"',
] as const

const MOST_CHANGES = 4

/** A sample that was changed in up to four places, mostly as it is built; sometimes any text at all. */
export function inputOf(samples: readonly string[], structure: Structure, random: Random): string {
  if (random.chance(0.04)) return anyText(random)
  let text = random.pick(samples)
  for (let left = random.below(MOST_CHANGES + 1); left > 0; left -= 1)
    text = random.chance(0.5) ? CHANGES[structure](text, random) : changedText(text, random)
  return text
}

function anyText(random: Random): string {
  const length = random.below(200)
  return String.fromCodePoint(
    ...Array.from({ length }, () => random.below(random.pick([0x80, 0x250, 0x11_0000]))),
  )
}

/** Changes a text whatever it is of. */
function changedText(text: string, random: Random): string {
  const [one, other] = [random.below(text.length + 1), random.below(text.length + 1)]
  const [start, end] = [Math.min(one, other), Math.max(one, other)]
  const piece = text.slice(start, end)
  const before = text.slice(0, start)
  switch (random.below(6)) {
    case 0:
      return before + text.slice(end)
    case 1:
      return before + random.pick(ODD_TEXTS) + text.slice(start)
    case 2: {
      const few = anyText(random).slice(0, 1 + random.below(4))
      return before + few + text.slice(start + few.length)
    }
    case 3:
      return before + piece + piece + text.slice(end)
    case 4:
      return before
    default:
      return before + random.pick(ODD_TEXTS) + text.slice(end)
  }
}

const CHANGES: Readonly<Record<Structure, (text: string, random: Random) => string>> = {
  json: changedJson,
  toml: changedToml,
  rlp: changedRlp,
  words: changedWords,
  journal: changedJournal,
}

/** Changes one place of a JSON value: another value, no value, a key of another name, or a digit more or less. */
function changedJson(text: string, random: Random): string {
  const value = parsed(text)
  const places = value === undefined ? [] : placesOf(value)
  if (places.length === 0) return text
  change(random.pick(places), random)
  return JSON.stringify(value)
}

function change({ holder, key }: { holder: Holder; key: string }, random: Random): void {
  const value = holder[key]
  switch (random.below(4)) {
    case 0:
      holder[key] = random.pick(ODD_VALUES)
      return
    case 1:
      delete holder[key]
      return
    case 2:
      holder[random.pick(ODD_TEXTS)] = value
      delete holder[key]
      return
    default:
      holder[key] = typeof value === 'string' ? changedText(value, random) : [value]
  }
}

/** Changes one line: another value, another key, the same twice, a table before it, or away with it. */
function changedToml(text: string, random: Random): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const line = lines[at] ?? ''
  const [key = '', ...value] = line.split('=')
  const changed = [
    () => [`${key}= ${random.pick(ODD_TOML)}`],
    () => [`${random.pick(ODD_TEXTS)} =${value.join('=')}`],
    () => [line, line],
    () => [`[${random.pick(['a', 'a.b', '"', '', key.trim()])}]`, line],
    () => [`[[${key.trim()}]]`, line],
    () => [`${key.trim()}.${key.trim()} =${value.join('=')}`],
    () => [],
  ]
  return lines.toSpliced(at, 1, ...random.pick(changed)()).join('\n')
}

type Rlp = Hex | readonly Rlp[]

/** Changes one part of a typed transaction: other bytes, a zero before it, a list in its place, twice, or none. */
function changedRlp(text: string, random: Random): string {
  const read = tried(() => fromRlp(`0x${text.slice(4)}`, 'hex') as Rlp)
  if (read === undefined || typeof read === 'string') return text
  const change = (list: readonly Rlp[]): readonly Rlp[] => {
    const at = random.below(Math.max(1, list.length))
    const part = list[at]
    if (Array.isArray(part) && random.chance(0.5))
      return list.toSpliced(at, 1, change(part as readonly Rlp[]))
    const bytes = typeof part === 'string' ? part.slice(2) : ''
    const changed: readonly (readonly Rlp[])[] = [
      [random.pick(ODD_BYTES)],
      [`0x00${bytes}`],
      [[part ?? '0x']],
      [part ?? '0x', part ?? '0x'],
      [`0x${bytes.slice(0, 2 * random.below(bytes.length / 2 + 1))}`],
      [],
    ]
    return list.toSpliced(at, 1, ...random.pick(changed))
  }
  const changed = change(read)
  return tried(() => `${text.slice(0, 4)}${toRlp(changed as Hex[]).slice(2)}`) ?? text
}

/** Changes one word of 32 bytes of what a contract is called with or writes. */
function changedWords(text: string, random: Random): string {
  const from = (text.length - 2) % 64 === 8 ? 10 : 2
  const count = Math.floor((text.length - from) / 64)
  if (count < 1) return text
  const at = from + 64 * random.below(count)
  return `${text.slice(0, at)}${random.pick(ODD_WORDS).padStart(64, '0')}${text.slice(at + 64)}`
}

/** Changes one entry and seals it and all behind it anew, so that no checksum says so. */
function changedJournal(text: string, random: Random): string {
  const entries = text.split('\n').flatMap((line) => (parsed(line) as Entry | undefined) ?? [])
  const entry = random.pick([...entries, undefined])
  const places =
    entry === undefined ? [] : placesOf({ data: entry.data, v: entry.v, seq: entry.seq, type: entry.type })
  if (entry === undefined || places.length === 0) return text
  const changed = { ...entry, data: structuredClone(entry.data) }
  const place = random.pick(placesOf(changed))
  if (place.key === 'sum' || place.key === 'prev') return text
  change(place, random)
  let prev = FIRST_PREV
  const lines = entries.map((each) => {
    const { sum: _, ...rest } = each === entry ? changed : each
    const line = tried(() => encodeEntry(sealEntry({ ...rest, prev })))
    prev = (parsed(line ?? '') as Entry | undefined)?.sum ?? prev
    return line ?? JSON.stringify(rest)
  })
  return `${lines.join('\n')}\n`
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

type Holder = { [key: string]: unknown }

function placesOf(value: object): { holder: Holder; key: string }[] {
  const holder = value as Holder
  return Object.keys(holder).flatMap((key) => {
    const inner = holder[key]
    const here = { holder, key }
    return typeof inner === 'object' && inner !== null ? [here, ...placesOf(inner)] : [here]
  })
}
