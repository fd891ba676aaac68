import type { ValidatorStatus } from '../../consensus/state.ts'
import { formatDuration, formatGwei } from '../../format/amount.ts'

/** Every sentence of the status that is not about one situation of the validator (`situation-words.ts`). */
export const STATUS_TEXT = {
  status: {
    pending_initialized: 'known, below the threshold',
    pending_queued: 'accepted, waits for the next epoch',
    active_ongoing: 'active',
    active_exiting: 'active, leaves at the next epoch boundary',
    active_slashed: 'active, slashed',
    exited_unslashed: 'left the set; the stake comes back later',
    exited_slashed: 'left the set, slashed',
    withdrawal_possible: 'left the set; the stake is being paid back',
    withdrawal_done: 'left the set; the stake is paid back',
  } satisfies Readonly<Record<ValidatorStatus, string>>,
  /** Of a balance that passed the threshold, or will count from the next epoch on. */
  pending: {
    passed: 'threshold passed, waits to be eligible',
    counts: 'known, stake counts from the next epoch',
  },
  keys: {
    checklist: 'checklist',
    finish: 'finish',
    topUp: (amount: string | undefined) => (amount === undefined ? 'top up' : `top up ${amount}`),
  },
  intro: {
    absent: 'The beacon state does not hold the validator.',
    silent: 'Nothing could be asked about the validator yet.',
    asking: 'Asking for the validator.',
    now: (slot: string, epoch: string) => `slot ${slot} · epoch ${epoch}`,
    epoch: (epoch: string) => `epoch ${epoch}`,
    noneSince: (now: string) => `${now}, and no newer answer since`,
  },
  alarm: {
    label: 'alarm',
    who: 'The rules of the command watch, from what the chain and the node say on this page.',
    later: 'Yes: it ends by itself when its cause does.',
  },
  /** What was seen in earlier epochs. `ms`: what the words compare; `drawnMs`: what is drawn. */
  chart: {
    rank: 'rank',
    margin: 'margin',
    cutoff: 'cutoff',
    ranks: (before: number, now: number, { ms, drawnMs }: { ms: number; drawnMs: number }) => {
      const drawn = drawnMs > ms ? ` · drawn: ${formatDuration(drawnMs)}` : ''
      const change =
        before === now
          ? `${now}, as ${formatDuration(ms)} ago`
          : `${before} → ${now} in ${formatDuration(ms)}`
      return `${change}${drawn}`
    },
    amounts: (beforeGwei: bigint | undefined, nowGwei: bigint | undefined) => {
      const [before, now] = [beforeGwei, nowGwei].map((gwei) =>
        gwei === undefined ? 'none' : formatGwei(gwei),
      )
      return before === now ? `${now}` : `${before} → ${now}`
    },
  },
  proof: {
    reported: (why: string | undefined) => `The node API. Not proven${why === undefined ? '' : ` (${why})`}.`,
    proven: (slot: bigint, anchors: number) =>
      `The chain: the whole state of slot ${slot} was hashed here, and ${anchors === 1 ? 'the execution endpoint' : 'both execution endpoints'} held its root.`,
    model: (proof: string) => `The consensus model on this computer. The set: ${proof}`,
  },
  rows: {
    status: {
      label: 'status',
      absent: 'not in the beacon state',
      what: 'Where the validator stands, from its epochs; the beacon API has a name of its own for each.',
    },
    balance: {
      label: 'balance',
      value: (balance: string, effective: string) => `${balance}, effective ${effective}`,
      what: 'What is staked, and how much of it counts (effective): in whole steps, updated at the epoch boundary.',
    },
    rank: {
      label: 'rank',
      none: 'none: it left the set',
      notYet: 'needs no place yet',
      what: 'The rank by stake among all validators that need a place in the active set, at the tightest of the next five epoch boundaries. A validator below the last place leaves the set for ever.',
      later: 'Yes: others can raise their stake at any time.',
    },
    later: 'Yes, with every epoch.',
  },
} as const
