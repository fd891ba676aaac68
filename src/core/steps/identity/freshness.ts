import type { Setup } from '../../facts.ts'
import { CATCHES_UP, MOST_SLOTS_APART } from '../../network/standstill.ts'
import { healthWords, isAlone, peersWords } from '../../network/vitals.ts'
import type { Seen } from '../observation.ts'
import { factRow, optionalRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { type LivenessAnswers, lagSlots, livenessJudges } from './liveness.ts'

const LATER = 'Yes. It is checked again before anything is sent.'

const SYNC_WORDS = {
  false: 'reports that it is synced',
  once: 'catches up; asking again',
  twice: `${CATCHES_UP}. Wait until it has, or restart the node`,
} as const

/** What a live node is made of besides a new head, each part with a verdict of its own. */
export function freshnessRows({ node, engine }: Pick<Seen<LivenessAnswers>, 'node' | 'engine'>): FactRow[] {
  return [
    factRow({
      id: 'sync',
      label: 'node synced',
      observation: node,
      judge: (value) => !value.syncing,
      say: (value) => (value.syncing ? 'reports that it is syncing' : 'reports that it is synced'),
      explain: {
        what: 'What the node reports about itself. It reports the same even when its chain stands still.',
        who: 'The node API.',
        later: LATER,
      },
    }),
    factRow({
      id: 'engineSync',
      label: 'engine synced',
      observation: engine,
      judge: livenessJudges.engine,
      say: ({ catchingUp }) => SYNC_WORDS[`${catchingUp}`],
      explain: {
        what: 'Whether the consensus engine (CometBFT) votes on the blocks that it follows. Right after a start it may catch up for a moment. While it catches up it does not vote, and nothing is sent.',
        who: 'The consensus engine, asked a second time if it catches up.',
        later: LATER,
      },
    }),
    factRow({
      id: 'heads',
      label: 'same heads',
      observation: node,
      judge: ({ headSlot, executionBlock }) => lagSlots(headSlot, executionBlock) <= MOST_SLOTS_APART,
      say: ({ headSlot, executionBlock }) => `slot ${headSlot}, block ${executionBlock}`,
      explain: {
        what: 'On this network the slot of the node and the block of the execution client have the same number, so both must be at the same place.',
        who: 'The node API and the execution endpoint.',
        later: LATER,
      },
    }),
  ]
}

/** What node and engine say of their own state, where they say anything. */
export function vitalRows(
  { health, finality, peers }: Pick<Seen<LivenessAnswers>, 'health' | 'finality' | 'peers'>,
  { network }: Setup,
): FactRow[] {
  const later = 'Yes, at any moment. It is asked again with this step.'
  return [
    optionalRow({
      id: 'peers',
      label: 'peers',
      observation: peers,
      judge: (value) => !isAlone(value, network),
      say: (value) => peersWords(value, network),
      explain: {
        what: 'How many other nodes this node is connected to. Without any, its blocks and votes reach nobody.',
        who: 'The engine, and the node API where it counts them.',
        later,
      },
    }),
    optionalRow({
      id: 'health',
      label: 'node health',
      observation: health,
      judge: livenessJudges.health,
      say: healthWords,
      explain: {
        what: 'Whether the node reports that it is ready. It does not report that its chain stands still.',
        who: 'The node API, if it has this answer; many nodes do not.',
        later,
      },
    }),
    optionalRow({
      id: 'finality',
      label: 'finality',
      observation: finality,
      judge: livenessJudges.finality,
      say: ({ finalizedEpoch, headEpoch }) => `final to epoch ${finalizedEpoch}, head in epoch ${headEpoch}`,
      explain: {
        what: 'On this chain every block is final at once, so the last final epoch must be the epoch of the head (the newest block).',
        who: 'The node API, if it has this answer; many nodes do not.',
        later,
      },
    }),
  ]
}
