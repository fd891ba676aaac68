import type { Static } from 'typebox'
import { Count, Fields, List, Name, OneOf, Words } from '../../core/base/format/shapes.ts'

export const TestAlarmShape = Fields({
  channels: List(
    Fields({
      name: Name,
      type: Name,
      result: OneOf(['delivered', 'failed', 'refused']),
      afterMs: Count,
      words: Words,
    }),
  ),
})

export type TestAlarmFields = Static<typeof TestAlarmShape>
