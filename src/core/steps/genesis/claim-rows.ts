import { forkLabel, forkWords, type ScheduledFork } from '../../consensus/fork-outlook.ts'
import type { Setup } from '../../facts.ts'
import { known } from '../observation.ts'
import { factRow, optionalRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { claimFits, claimWords } from './claims.ts'
import { type GenesisState, genesisJudges, namesDeposits, scheduleAgrees } from './machine.ts'

const CONTRACT = {
  what: 'The deposit contract that the node reads, and its chain. The node never counts a deposit into another contract.',
  later: 'Only by starting the node for another network.',
}
const FORK = {
  what: 'The rules that the chain follows at present. They decide how stake is counted. With unknown rules nothing can be forecast, so nothing is sent.',
  later: 'At the next upgrade of the network.',
}

/** What the node itself says of the chain it is made for; the last two it need not say. */
export function claimRows(state: GenesisState, setup: Setup): FactRow[] {
  const { seen } = state
  const { network } = setup
  return [
    configRow(state, setup),
    factRow({
      id: 'fork',
      label: 'present fork',
      observation: seen.fork,
      judge: (value) => genesisJudges.fork(value, setup),
      say: (value) => forkWords(value, network.spec),
      explain: { ...FORK, who: 'The node API, for its head; the time of that fork is the network’s.' },
    }),
    optionalRow({
      id: 'deposits',
      label: 'node’s contract',
      observation: seen.deposits,
      judge: (value) => claimFits(value, network),
      say: (value) => claimWords(value, network),
      explain: { ...CONTRACT, who: 'The node API, if it has this answer; many nodes do not.' },
    }),
    scheduleRow(state, setup),
  ]
}

/** A node that names no contract has refused nothing, but nothing is known either. */
function configRow(state: GenesisState, setup: Setup): FactRow {
  const { network } = setup
  const row = factRow({
    id: 'config',
    label: 'node’s settings',
    observation: state.seen.config,
    judge: (value) => claimFits(value, network),
    say: (value) => claimWords(value, network),
    explain: { ...CONTRACT, who: 'The node API, from the settings the node was started with.' },
  })
  const silent = row.mark === 'proven' && !namesDeposits(state)
  if (!silent) return row
  return { ...row, mark: state.seen.deposits.status === 'asking' ? 'asking' : 'unknown' }
}

/** Without the fork of the head there is nothing to compare a schedule with. */
function scheduleRow(state: GenesisState, setup: Setup): FactRow {
  const row = optionalRow({
    id: 'schedule',
    label: 'node’s forks',
    observation: state.seen.schedule,
    judge: (value) => scheduleAgrees(state, value, setup),
    say: (value) => scheduleWords(state, value, setup),
    explain: { ...FORK, who: 'The node API, if it gives its whole schedule; many nodes do not.' },
  })
  const alone = row.mark === 'refused' && known(state.seen.fork) === undefined
  return alone ? { ...row, mark: 'unknown' } : row
}

function scheduleWords(state: GenesisState, schedule: readonly ScheduledFork[], setup: Setup): string {
  const fork = known(state.seen.fork)
  if (fork === undefined) return 'cannot be compared yet'
  if (!scheduleAgrees(state, schedule, setup)) return 'another history than the network’s'
  const epoch = fork.slot / setup.network.spec.slotsPerEpoch
  const ahead = schedule.filter((each) => each.epoch > epoch).map(({ version }) => forkLabel(version))
  return `agrees, ahead: ${ahead.length === 0 ? 'none' : ahead.join(', ')}`
}
