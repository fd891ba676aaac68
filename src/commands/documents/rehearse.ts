import type { Static } from 'typebox'
import {
  AnyOf,
  Count,
  Fields,
  Gwei,
  List,
  Maybe,
  Name,
  Place,
  WordOf,
} from '../../core/base/format/shapes.ts'
import { CHRONICLE_EVENTS } from '../../core/chain/network/chronicle.ts'
import type { StoryEnd } from '../../core/wizard/story/stories-text.ts'
import { REPORT } from './parts.ts'

export const RehearseShape = Fields({
  ...REPORT,
  end: Name,
  story: Maybe(
    Fields({
      end: WordOf<StoryEnd>({ kept: true, out: true, open: true }),
      events: List(
        Fields({
          id: AnyOf(CHRONICLE_EVENTS),
          slot: Place,
          amountGwei: Maybe(Gwei),
          shortGwei: Maybe(Gwei),
          index: Maybe(Place),
          blocks: Maybe(Count),
        }),
      ),
    }),
  ),
})

export type RehearseFields = Static<typeof RehearseShape>
