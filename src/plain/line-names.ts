import type { Names } from '../core/base/format/next-text.ts'
import type { AnyView } from '../core/wizard/any-step.ts'

/** How the keys of the screens are typed as lines. */
export type LineNames = Pick<Names, 'keys'>

/** Where no step has keys of its own. */
export const LINE_NAMES: LineNames = { keys: { escape: 'b', return: 'Enter' } }

/** In a step; `b` goes back where that is no key of its own. */
export function namesOf({ actions }: Pick<AnyView, 'actions'>): LineNames {
  const hasOwnB = actions.some(({ key }) => key === 'b')
  return hasOwnB ? { keys: { ...LINE_NAMES.keys, escape: 'back' } } : LINE_NAMES
}
