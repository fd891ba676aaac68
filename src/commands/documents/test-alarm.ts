import type { Static } from 'typebox'
import { Count, Fields, List, Name, OneOf, Words } from '../../core/base/format/shapes.ts'

const TEST_ALARM = {
  channels: List(
    Fields({
      name: Name,
      type: Name,
      result: OneOf(['delivered', 'failed', 'refused']),
      afterMs: Count,
      words: Words,
    }),
  ),
}

export const TestAlarmShape = Fields(TEST_ALARM)
export type TestAlarmFields = Static<typeof TestAlarmShape>
