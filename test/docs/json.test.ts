import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  breaksOf,
  DOCUMENT_NAMES,
  requireCompatible,
  type Schema,
  schemaFor,
  schemaText,
} from '../../scripts/docs/schemas.ts'
import { asGiven, documentOf, encoded } from '../../src/core/base/format/document.ts'
import { SCHEMAS } from '../support/documents.ts'
import { ROOT } from '../support/markdown.ts'

const keptText = (name: string) => readFileSync(join(ROOT, `docs/json/${name}.json`), 'utf8')

/** Every schema inside a schema, with the names that lead to it. */
function* partsOf(schema: Schema, path: readonly string[] = []): Generator<[readonly string[], Schema]> {
  yield [path, schema]
  for (const each of (schema.anyOf as Schema[] | undefined) ?? []) yield* partsOf(each, path)
  if (schema.items !== undefined) yield* partsOf(schema.items as Schema, path)
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, Schema>))
    yield* partsOf(inner, [...path, name])
}

const ALL = DOCUMENT_NAMES.flatMap((name) => [...partsOf(schemaFor(name))])

describe('the schemas in docs/json', () => {
  test.each(DOCUMENT_NAMES)('are made from the program, and break nobody: %s', (name) => {
    requireCompatible(name, JSON.parse(keptText(name)) as Schema, schemaFor(name))
    expect(keptText(name), 'run `npm run docs`').toBe(schemaText(schemaFor(name)))
  })

  test('are those of the documents, and no other', () => {
    expect(new Set(SCHEMAS.keys())).toEqual(new Set(DOCUMENT_NAMES.map((name) => schemaFor(name).$id)))
  })

  const named = (pattern: RegExp) =>
    ALL.filter(
      ([path, { anyOf, type }]) => anyOf === undefined && type !== 'null' && pattern.test(path.at(-1) ?? ''),
    )

  test.each([
    ['amounts are decimal text', /(?:Gwei|Wei)$/],
    [
      'slots, epochs, indices, blocks and heights are decimal text',
      /(?:[sS]lot|[eE]poch|[iI]ndex|[bB]lock|[hH]eight)$/,
    ],
    ['times are ISO 8601', /^(?:at|since)$|At$/],
  ])('%s', (_what, pattern) => {
    const parts = named(pattern).filter(([, schema]) => schema.const !== 'unknown')
    expect(parts.length).toBeGreaterThan(3)
    expect(parts.filter(([, { type, pattern: form }]) => type !== 'string' || form === undefined)).toEqual([])
  })

  test('numbers are whole', () => {
    expect(ALL.filter(([, { type }]) => type === 'number')).toEqual([])
  })

  test('have every field always, and prose in words alone', () => {
    const records = ALL.filter(([, { properties }]) => properties !== undefined)
    const loose = records.filter(
      ([, { properties, required }]) =>
        JSON.stringify(Object.keys(properties as object)) !== JSON.stringify(required),
    )
    expect(loose).toEqual([])
    const prose = ALL.filter(
      ([, { description }]) => description === 'for a person, in the language of the program',
    )
    expect(prose.length).toBeGreaterThan(30)
    expect(prose.filter(([path]) => !path.includes('words'))).toEqual([])
  })
})

describe('a change of a schema', () => {
  const before: Schema = {
    $id: 'bearings.status/1',
    type: 'object',
    required: ['slot', 'rank'],
    properties: {
      slot: { type: 'string', pattern: '^[0-9]+$', description: 'decimal text' },
      rank: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      level: { type: 'string', enum: ['proven', 'unknown'] },
      rows: {
        type: 'array',
        items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      },
    },
  }
  const withField = (name: string, schema: Schema): Schema => ({
    ...before,
    properties: { ...(before.properties as object), [name]: schema },
  })
  const { rank: _, ...lacking } = before.properties as Record<string, Schema>

  test.each([
    ['a field that goes', { ...before, properties: lacking }, 'rank is gone'],
    ['another type', withField('slot', { type: 'integer' }), 'slot was'],
    ['another form', withField('slot', { type: 'string', pattern: '^0x' }), 'slot was'],
    [
      'one more thing that it may be',
      withField('slot', { anyOf: [{ type: 'string', pattern: '^[0-9]+$' }, { type: 'null' }] }),
      'slot may now be {"type":"null"}',
    ],
    [
      'one more word',
      withField('level', { type: 'string', enum: ['proven', 'unknown', 'told'] }),
      'level may now be "told"',
    ],
    ['a word that is any text', withField('level', { type: 'string' }), 'level may now be {"type":"string"}'],
    [
      'a list of something else',
      withField('rows', { type: 'array', items: { type: 'string' } }),
      'rows[] was',
    ],
  ])('fails with the version to raise to: %s', (_what, after, found) => {
    expect(() => requireCompatible('status', before, after)).toThrow(`Raise 'status' to 2`)
    expect(() => requireCompatible('status', before, after)).toThrow(found)
    requireCompatible('status', before, { ...after, $id: 'bearings.status/2' })
  })

  test.each([
    ['a field more', withField('places', { type: 'integer' })],
    ['a word less', withField('level', { type: 'string', enum: ['proven'] })],
    ['never null any more', withField('rank', { type: 'integer' })],
    [
      'another description',
      withField('slot', { type: 'string', pattern: '^[0-9]+$', description: 'a slot' }),
    ],
  ])('breaks nobody: %s', (_what, after) => {
    expect(breaksOf(before, after)).toEqual([])
    requireCompatible('status', before, after)
  })
})

describe('what a document is written like', () => {
  const far = 2n ** 64n - 1n

  test('by the names of its fields', () => {
    const value = {
      index: 3,
      exitEpoch: far,
      indexes: [1, 2],
      count: 4,
      balanceGwei: far,
      at: undefined,
      blockNumber: 7,
    }
    expect(encoded(value)).toEqual({
      index: '3',
      exitEpoch: 'never',
      indexes: ['1', '2'],
      count: 4,
      balanceGwei: String(far),
      at: null,
      blockNumber: '7',
    })
  })

  test('but not what nobody here has read', () => {
    expect(encoded({ answer: asGiven({ index: 3, epoch: [1], text: 'a\u202eb' }) })).toEqual({
      answer: { index: 3, epoch: [1], text: 'a·b' },
    })
  })

  test('head first', () => {
    const head = { document: 'config', command: 'config', network: null, verdict: 'yes', atMs: 0 } as const
    expect(Object.entries(documentOf(head, { places: [] }))).toEqual([
      ['schema', 'bearings.config/1'],
      ['command', 'config'],
      ['network', null],
      ['verdict', 'yes'],
      ['at', '1970-01-01T00:00:00.000Z'],
      ['places', []],
    ])
  })
})
