import type { Static } from 'typebox'
import { Fields, Flag, List, Maybe, Name, OneOf, Words } from '../../core/base/format/shapes.ts'

export const ErrorShape = Fields({
  error: Fields({ code: Name, money: OneOf(['untouched', 'unknown', 'moved']), retryable: Flag }),
  words: Fields({ sentence: Words, details: List(Words), next: List(Words), said: Maybe(Words) }),
})

export type ErrorFields = Static<typeof ErrorShape>
