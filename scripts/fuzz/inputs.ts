import fc from 'fast-check'

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

type Mutation = { kind: number; from: number; to: number; odd: number; text: string }

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.nat(8),
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  odd: fc.nat(ODD_TEXTS.length * ODD_VALUES.length),
  text: fc.string({ maxLength: 4, unit: 'binary' }),
})

/** A sample that was changed in up to four places, as text or as JSON; sometimes any text or any JSON at all. */
export function inputs(samples: readonly string[]): fc.Arbitrary<string> {
  const changed = fc
    .tuple(fc.nat(Math.max(0, samples.length - 1)), fc.array(mutation, { maxLength: 4 }))
    .map(([at, mutations]) => mutations.reduce(mutate, samples[at] ?? ''))
  return fc.oneof(
    { weight: 18, arbitrary: changed },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.json() },
  )
}

function mutate(text: string, { kind, from, to, odd, text: random }: Mutation): string {
  const [start, end] = [from, to].map((part) => Math.floor(part * text.length)).sort((a, b) => a - b)
  const piece = text.slice(start, end)
  const before = text.slice(0, start)
  switch (kind) {
    case 0:
      return before + text.slice(end)
    case 1:
      return before + (ODD_TEXTS[odd % ODD_TEXTS.length] ?? '') + text.slice(start)
    case 2:
      return before + random + text.slice((start ?? 0) + random.length)
    case 3:
      return before + piece + piece + text.slice(end)
    case 4:
      return before
    case 5:
      return before + (ODD_TEXTS[odd % ODD_TEXTS.length] ?? '') + text.slice(end)
    default:
      return mutateJson(text, { kind, at: from, odd })
  }
}

/** Changes one place of a JSON value: another value, no value, or a key of another name. */
function mutateJson(text: string, change: { kind: number; at: number; odd: number }): string {
  const value = parsed(text)
  const places = value === undefined ? [] : placesOf(value)
  const place = places[Math.floor(change.at * places.length)]
  if (place === undefined) return text
  const { holder, key } = place
  if (change.kind === 6) holder[key] = ODD_VALUES[change.odd % ODD_VALUES.length]
  if (change.kind === 7) delete holder[key]
  if (change.kind === 8) {
    holder[ODD_TEXTS[change.odd % ODD_TEXTS.length] ?? ''] = holder[key]
    delete holder[key]
  }
  return JSON.stringify(value)
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
