import type { Static } from 'typebox'
import { Count, Fields, Flag, List, Maybe, Name, Words } from '../../core/base/format/shapes.ts'

export const ConfigShape = Fields({
  places: List(
    Fields({
      id: Name,
      path: Name,
      exists: Flag,
      bytes: Count,
      files: Count,
      fault: Maybe(Name),
      mayBeDeleted: Flag,
      words: Fields({ label: Words, what: Words, because: Words }),
    }),
  ),
  words: Fields({ notKept: List(Words) }),
})

export type ConfigFields = Static<typeof ConfigShape>
