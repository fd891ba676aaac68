import {
  formatClock,
  formatCount,
  formatCountdown,
  formatDuration,
  formatGwei,
  type Gwei,
  isLongCountdown,
} from '../../base/format/amount.ts'
import type { Setup } from '../../chain/facts.ts'
import type { Own } from '../../chain/key-state/own.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { POOLS_TEXT } from '../../chain/network/pools.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'

/**
 * How long it is until an epoch begins, in slots and time; `now` once it has. Where the node is in doubt its own slot
 * is none to count from: then it is counted from the head of an endpoint that goes on, or not at all.
 */
function countdown(epoch: bigint, own: Own, setup: Setup): string {
  const { slot, doubt } = own
  const begins = epoch * setup.network.spec.slotsPerEpoch
  if (doubt === undefined) return begins <= slot ? 'now' : `in ${slotsWords(begins - slot, setup, own)}`
  const { beside } = doubt
  if (beside.is !== 'ahead') return 'not known'
  return begins <= beside.block
    ? `${beside.name} is past that epoch; what changed is not known`
    : `in ${slotsWords(begins - beside.block, setup)} by ${beside.name}`
}

/** When a number of slots begins to count, by chain time; in doubt of the own node that is not known. */
type Since = { timestampSeconds: bigint; doubt?: NodeDoubt | undefined }

/**
 * A number of slots with the time they take: `171 slots, 5 min 42 s`; of more than ten minutes `31 min, at 16:05 UTC`, or
 * `31 min, by 16:05 UTC` where that is a limit. The
 * chain time of a rehearsal runs by its own clock, so there is no clock time there.
 */
function slotsWords(slots: bigint, { network }: Setup, since?: Since, limit?: 'by'): string {
  const ms = Number(slots) * network.slotMs
  if (!isLongCountdown(ms))
    return `${formatCount(slots)} ${slots === 1n ? 'slot' : 'slots'}, ${formatDuration(ms)}`
  const left = formatCountdown(ms)
  if (since === undefined || since.doubt !== undefined || network.kind === 'rehearsal') return left
  const nowMs = Number(since.timestampSeconds) * 1000
  return `${left}, ${limit === undefined ? 'at' : 'by'} ${formatClock(nowMs + ms, nowMs)}`
}

function leavingWords({ network }: Setup): string {
  const { spec, names } = network
  const delay = spec.withdrawabilityDelayEpochs
  const part = `${formatGwei(spec.activationBalanceGwei)} ${names.token}`
  return `To leave, the withdrawal address sends the request (EIP-7002). ${delay} epochs after the exit (${STANDING_TEXT.backAfter(network)}) it gets the stake by itself. The validator is out for ever (this key cannot return). A part above ${part} can be asked for without leaving.`
}

/** Every sentence of the step but those of its rows (`facts-text.ts`) and of its standing (`standing.ts`). */
export const STATUS_TEXT = {
  pool: {
    label: 'no top-up',
    value: '',
    long: POOLS_TEXT.onlyItsDoor,
    explain: {
      what: 'The withdrawal credentials of this validator name the vault that all staking pools share. Step 6 is closed for it, and no guard is armed.',
      who: 'The record of the validator in the beacon state.',
      later: 'Never: the credentials of a validator stand.',
    },
  },
  countdown,
  slots: slotsWords,
  keys: {
    checklist: 'checklist',
    finish: 'finish',
    know: 'I know of it',
    topUp: (amount: string | undefined) => (amount === undefined ? 'top up' : `top up ${amount}`),
  },
  intro: {
    absent: 'The beacon state does not hold the validator.',
    silent: 'Nothing could be asked about the validator yet.',
    now: (slot: string, epoch: string) => `slot ${slot} · epoch ${epoch}`,
    epoch: (epoch: string) => `epoch ${epoch}`,
    noneSince: (now: string) => `${now}, and no newer answer since`,
  },
  alarm: {
    label: 'alarm',
    about: 'your validator',
    who: 'The rules of the command watch, from what chain, node and engine say, slot by slot.',
    later: (times: string) => `Yes: it ends by itself when its cause does. ${times}`,
    times: (since: string, until: string | undefined, isKnown: boolean) =>
      `Since ${since}${until === undefined ? '' : `, until ${until}`}${isKnown ? ' · known' : ''}.`,
    /** In the place of the command that would open this wizard. */
    topUp: 't tops up, after all checks.',
    limitsFault: (why: string, path: string) =>
      `Alarms here follow the usual limits, not those of ${path}: ${why}`,
    memoryUnread: ({ path, why }: { path: string; why: string }) =>
      `What this screen told of alarms before can’t be read (${path}). ${why} It tells them once more, and keeps nothing: move the file away.`,
    past: (title: string, at: string) => `Alarm over since ${at}: ${title}`,
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
    amounts: (beforeGwei: Gwei | undefined, nowGwei: Gwei | undefined) => {
      const [before, now] = [beforeGwei, nowGwei].map((gwei) =>
        gwei === undefined ? 'nobody waits behind' : formatGwei(gwei),
      )
      return before === now ? `${now}` : `${before} → ${now}`
    },
  },
  /** The way to the active set, and out of it. */
  timeline: {
    registered: 'registered',
    validator: (index: number) => `validator ${index}`,
    threshold: (isPassed: boolean) => (isPassed ? 'threshold passed' : 'threshold'),
    topUp: 'needs a top-up',
    effective: (effectiveGwei: Gwei) => `effective ${formatGwei(effectiveGwei)}`,
    eligible: 'eligible',
    active: 'active',
    engine: 'in the engine’s set',
    slotsLater: (slots: bigint) => `${slots} slots later`,
    genesis: 'since genesis',
    block: 'a block of its own',
    chosen: 'when it is chosen to make one',
    notFirst: 'the first that was seen',
    lastBlock: (slot: bigint) => `the last one: slot ${formatCount(slot)}`,
    left: STANDING_TEXT.leftTheSet,
    paid: 'stake paid back',
    from: (when: string) => `from ${when}`,
    sweep: 'at the next sweep',
    /** Of a first time that neither the chain nor an earlier run tells. */
    notSeen: 'not seen by this program',
    epoch: (epoch: bigint) => `epoch ${formatCount(epoch)}`,
    slot: (slot: bigint) => `slot ${formatCount(slot)}`,
  },
  /** The page behind it: what is to be seen to once the validator is active. */
  checklist: {
    title: 'After activation',
    keys: { backup: 'backup', again: 'ask again', status: 'status' },
    leaving: leavingWords,
    open: (open: number) =>
      open === 0
        ? 'nothing to do · safe to close this window'
        : `nothing to do now · ${open === 1 ? '1 thing' : `${open} things`} to see to: l`,
    impostors:
      'Nobody needs your key, password or recovery phrase. Whoever asks for one, in a chat or on a page, is a thief. Tokens that arrive unasked are bait.',
    note: (label: string, value: string) => `${label}: ${value} (l shows it)`,
    verdict: (count: Readonly<Record<'rows' | 'proven' | 'refused' | 'asking', number>>) => {
      const { rows, proven, refused, asking } = count
      const rest = rows - proven - refused - asking
      const parts = [
        `${proven} of ${rows} hold`,
        ...(refused === 0 ? [] : [`${refused} ${refused === 1 ? 'refuses' : 'refuse'}`]),
        ...(asking === 0 ? [] : [`${asking} not answered yet`]),
        ...(rest === 0 ? [] : [`${rest} not known: what was not checked does not count as good`]),
      ]
      return `${parts.join(', ')}.`
    },
    fees: {
      label: 'fee recipient',
      burnt: (slot: bigint) => `zero: block ${formatCount(slot)} burnt its fees`,
      zero: 'zero in app.toml: the fees of every block are burnt',
      unknown: 'not known: no home was read, no block seen',
      isYours: (slot: bigint) => `block ${formatCount(slot)} paid this address: is it yours?`,
      noBlock: 'in app.toml, no block yet',
      same: (slot: bigint) => `as in app.toml and block ${formatCount(slot)}`,
      other: (slot: bigint) => `block ${formatCount(slot)} paid another address than app.toml has`,
      explain: {
        what: 'The address that receives the fees of the blocks that your node makes: suggested-fee-recipient in app.toml. It is zero in a new home, and then the fees are burnt. It is neither the withdrawal address nor the operator.',
        who: 'app.toml of the node home, and the last block of the validator as the execution endpoint shows it. A block proves what the running node uses.',
        later: 'Yes: change app.toml, then restart the node.',
      },
    },
    backup: { label: 'backup file', hint: 'the path of a copy of priv_validator_key.json' },
    /** Nobody here can see these. */
    monitoring: {
      label: 'monitoring',
      value: 'not seen from here: c has the commands',
      explain: {
        what: 'Whether somebody is called when the node stops, when its head stands still, or when others add so much stake that the validator drops out. From a deposit of another validator to the drop-out there are one to two epochs. The command watch runs beside the node for as long as you like and tells of all three, also to a phone. c has its commands: the first writes a configuration in which you name where alarms go, the second sends a test alarm there, the third begins the watch.',
        who: 'Nobody here: whether a watch runs, and whether you see its alarms, only you know.',
        later: 'Yes: in that file, at any time (docs/notifications.md).',
      },
    },
    metadata: {
      label: 'metadata',
      value: 'cannot be checked here',
      explain: {
        what: 'Name, logo and links that others show for your validator. The chain holds keys, addresses and stake, and no names: such lists are kept elsewhere, and anybody may publish one.',
        who: 'Nobody. Look up in the guide of the network how its list is kept.',
        later: 'Yes.',
      },
    },
  },
}
