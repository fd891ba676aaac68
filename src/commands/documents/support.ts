import type { Static } from 'typebox'
import { Count, Fields, Flag, List, Maybe, Name, OneOf } from '../../core/base/format/shapes.ts'
import { MARKS } from '../../core/view/marks.ts'
import { type Mark, STEP_IDS } from '../../core/view/view.ts'

/** What `report` tells: versions and words of this program; `other` for what this version has no word for. */
export const SupportShape = Fields({
  program: Fields({
    version: Maybe(Name),
    language: Name,
    node: Name,
    openssl: Name,
    platform: Name,
    processor: Name,
    system: Name,
  }),
  terminal: Fields({
    columns: Count,
    rows: Count,
    colourBits: Count,
    utf8: Flag,
    tmux: Flag,
    ssh: Flag,
    screenReader: Flag,
  }),
  fault: Maybe(Name),
  endpoints: List(
    Fields({
      role: Name,
      place: Name,
      client: Maybe(Name),
      version: Maybe(Name),
      fault: Maybe(Name),
    }),
  ),
  checks: List(Fields({ step: OneOf(STEP_IDS), check: Name, level: OneOf(Object.keys(MARKS) as Mark[]) })),
})

export type SupportFields = Static<typeof SupportShape>
