import type { Setup } from '../../facts.ts'
import { offeredValue } from '../../network/offered.ts'
import { isAlone } from '../../network/vitals.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { headStillMs, type StatusAnswers, type StatusState } from './machine.ts'

/** After so many slots without a new head the chain stands still. */
const SLOTS_TO_WAIT = 10

/** Whether the running node holds the key, lives, and is heard. */
export function nodeRow(state: StatusState, setup: Setup): FactRow {
  const stillMs = headStillMs(state)
  const standsStill = stillMs > SLOTS_TO_WAIT * setup.network.slotMs
  const seconds = Math.floor(stillMs / 1000)
  const head = standsStill ? `no new head for ${seconds} s` : `head ${seconds} s old`
  const troubles = troublesOf(state, setup)
  const row = factRow({
    id: 'node',
    label: 'node',
    observation: state.seen.engine,
    judge: (value) => value.sameKey && !value.catchingUp && !standsStill && troubles.length === 0,
    say: (value) => [keyWords(value), syncWords(value), head, ...troubles].join(', '),
    explain: {
      what: 'Whether the running node holds this key, is up to date and has peers, so that it signs when its turn comes and is heard.',
      who: 'The consensus engine, and the node API where it says more; the age of the head is by our own clock, because nothing a node says reveals that its chain stands still.',
      later: 'Yes.',
    },
  })
  // What it said before and does not say now is not known to be good.
  const silent = state.seen.health.status === 'failed' || state.seen.peers.status === 'failed'
  return silent && row.mark === 'proven' ? { ...row, mark: 'unknown' } : row
}

function keyWords({ sameKey }: StatusAnswers['engine']): string {
  return sameKey ? 'this key' : 'another key'
}

function syncWords({ catchingUp }: StatusAnswers['engine']): string {
  return catchingUp ? 'catching up' : 'synced'
}

function troublesOf({ seen }: StatusState, { network }: Setup): string[] {
  const health = offeredValue(known(seen.health))
  const peers = offeredValue(known(seen.peers))
  return [
    ...(health === undefined || health === 'ready' ? [] : [health === 'syncing' ? 'syncing' : 'not ready']),
    ...(peers !== undefined && isAlone(peers, network) ? ['no peers'] : []),
  ]
}
