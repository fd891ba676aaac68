import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { type IdentityState, lagSlots, MAX_LAG_SLOTS } from './machine.ts'

/** What a live node is made of besides a new head, each part with a verdict of its own. */
export function freshnessRows({ node }: IdentityState['seen']): FactRow[] {
  const later = 'It is asked again before anything is sent.'
  return [
    factRow({
      id: 'sync',
      label: 'node synced',
      observation: node,
      judge: (value) => !value.syncing,
      say: (value) => (value.syncing ? 'says that it is syncing' : 'says that it is'),
      explain: {
        what: 'What the node says of itself. It says so even when its chain stands still.',
        who: 'The node API.',
        later,
      },
    }),
    factRow({
      id: 'heads',
      label: 'same heads',
      observation: node,
      judge: ({ headSlot, executionBlock }) => lagSlots(headSlot, executionBlock) <= MAX_LAG_SLOTS,
      say: ({ headSlot, executionBlock }) => `slot ${headSlot}, block ${executionBlock}`,
      explain: {
        what: 'On this network the consensus slot and the execution block have one number: the two clients must be at the same place.',
        who: 'The node API and the execution endpoint.',
        later,
      },
    }),
  ]
}
