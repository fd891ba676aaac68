import { type Static, type TSchema, Type } from 'typebox'
import { VERDICTS } from './document.ts'

/** A number that the chain has room for in 64 bits, as decimal text. */
const DECIMAL = '^(?:0|[1-9][0-9]{0,19})$'

/** An amount in gwei. */
export const Gwei = Type.Unsafe<bigint>(
  Type.String({ pattern: '^(?:0|[1-9][0-9]{0,29})$', description: 'gwei, decimal text' }),
)

/** An amount in gwei that may be below zero. */
export const SignedGwei = Type.Unsafe<bigint>(
  Type.String({ pattern: '^(?:0|-?[1-9][0-9]{0,29})$', description: 'gwei, decimal text' }),
)

/** An amount in wei. */
export const Wei = Type.Unsafe<bigint>(
  Type.String({ pattern: '^(?:0|[1-9][0-9]{0,77})$', description: 'wei, decimal text' }),
)

/** A slot, an index, a block number or a height. */
export const Place = Type.Unsafe<bigint | number>(
  Type.String({ pattern: DECIMAL, description: 'decimal text' }),
)

/** An epoch. One that never comes is `never`. */
export const Epoch = Type.Unsafe<bigint | number>(
  Type.String({ pattern: '^(?:never|0|[1-9][0-9]{0,19})$', description: 'decimal text, or never' }),
)

/** How many of something, or the rank of one. */
export const Count = Type.Integer({ minimum: 0 })

/** A moment, ISO 8601 in UTC with milliseconds. */
export const Time = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  description: 'ISO 8601, UTC',
})

export const Flag = Type.Boolean()

/** A sentence or a label, in the language of the program. Nothing is decided by it. */
export const Words = Type.String({ description: 'for a person, in the language of the program' })

/** An id, a name or a path: the same in every language. */
export const Name = Type.String()

/** So many bytes as hex. */
export const Bytes = (count?: number) =>
  Type.Unsafe<`0x${string}`>(
    Type.String({
      pattern: count === undefined ? '^0x(?:[0-9a-fA-F]{2})*$' : `^0x[0-9a-fA-F]{${2 * count}}$`,
    }),
  )

/** One of a few words. */
export const OneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] })

/** One of these words today; a later version may have more of them under the same number. */
export const AnyOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', pattern: '^[a-z]+(?:-[a-z]+)*$', examples: [...words] })

/** One of the words of a type: every one of them is a key, so that none can be left out. */
export const WordOf = <Word extends string>(words: Readonly<Record<Word, true>>) =>
  Type.Unsafe<Word>({ type: 'string', enum: Object.keys(words) })

/** A list. */
export const List = <Shape extends TSchema>(each: Shape) =>
  Type.Unsafe<readonly Static<Shape>[]>(Type.Array(each))

/** What need not be there: null where there is none, or where it was not asked for. */
export const Maybe = <Shape extends TSchema>(shape: Shape) =>
  Type.Unsafe<Static<Shape> | null | undefined>({ anyOf: [shape, { type: 'null' }] })

/** What may also not have been found out: then it is the text `unknown`, which is never good. */
export const Asked = <Shape extends TSchema>(shape: Shape) =>
  Type.Unsafe<Static<Shape> | 'unknown' | null | undefined>({
    anyOf: [shape, { const: 'unknown' }, { type: 'null' }],
  })

/** Any JSON value. */
export const Anything = Type.Unknown()

/** Fields that are always there. */
export const Fields = Type.Object

/** What every document begins with; see `DocumentHead`. */
export const HEAD = {
  schema: Name,
  command: Maybe(Name),
  network: Maybe(Name),
  verdict: OneOf(VERDICTS),
  at: Time,
}
