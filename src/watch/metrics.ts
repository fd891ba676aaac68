import type { Hex } from '../core/base/format/hex.ts'
import { epochOfSlot, VALIDATOR_STATUSES, validatorStatus } from '../core/chain/consensus/state.ts'
import type { Network } from '../core/chain/network/network.ts'
import { isShared, recalled, type WatchMemory } from '../core/observe/memory.ts'
import { headOf, type NetworkPicture, type ValidatorPicture } from '../core/observe/picture.ts'
import { validatorName } from './words.ts'

type Metric = { help: string; type: 'gauge' | 'counter' }

const gauge = (help: string): Metric => ({ type: 'gauge', help })
const counter = (help: string): Metric => ({ type: 'counter', help })

/** Every metric of a watch. The unit is in the name (OpenMetrics 1.0); what is not known has no sample. */
export const METRICS = {
  bearings_build_info: gauge('The program that watches; always 1.'),
  bearings_last_look_timestamp_seconds: gauge('When the last look was finished.'),
  bearings_chain_slot: gauge('The newest slot that any endpoint told.'),
  bearings_chain_epoch: gauge('The epoch of that slot.'),
  bearings_chain_slots_to_next_epoch: gauge('Slots until the next epoch begins.'),
  bearings_node_peers: gauge('How many peers each part of the own node has, of those that say.'),
  bearings_node_catching_up: gauge('1 if its engine follows blocks and does not sign them, else 0.'),
  bearings_clock_ahead_seconds: gauge(
    'How far the clock of this computer is ahead of the chain; below zero behind it.',
  ),
  bearings_validator_info: gauge('Its index in the beacon state; always 1.'),
  bearings_validator_registered: gauge('1 if the beacon state holds the key, else 0.'),
  bearings_validator_status: gauge('1 for the status that the validator has, else 0.'),
  bearings_validator_proof_anchors: gauge(
    'Execution endpoints that held the root its record was proven with; 0: only reported.',
  ),
  bearings_validator_proof_signed_percent: gauge(
    'Share of the validator set that signed the block its record was proven from; 0: not signed.',
  ),
  bearings_validator_balance_tokens: gauge('Its whole balance.'),
  bearings_validator_effective_balance_tokens: gauge('What of it counts as stake.'),
  bearings_validator_rank: gauge('Its place by stake in the present epoch; 1 is the highest.'),
  bearings_validator_places: gauge('Places in the active set.'),
  bearings_validator_forecast_rank: gauge(
    'Its place at the tightest of the next five epoch boundaries, if nothing else happens.',
  ),
  bearings_validator_forecast_epoch: gauge('The epoch that begins at that boundary.'),
  bearings_validator_cutoff_tokens: gauge(
    'The stake that it has to pass there; no sample while there are free places.',
  ),
  bearings_validator_margin_tokens: gauge(
    'What others need at least to take its place there, ties counted against it.',
  ),
  bearings_validator_drops_out_epoch: gauge(
    'The epoch at whose boundary it drops out if nothing else happens; no sample if it does not.',
  ),
  bearings_validator_blocks_signed_total: counter('Blocks that it signed, since this watch began.'),
  bearings_validator_blocks_missed_total: counter(
    'Blocks that it did not sign and most others did, since this watch began.',
  ),
  bearings_validator_blocks_missed_by_many_total: counter(
    'Blocks that neither it nor a third of the others signed, since this watch began.',
  ),
  bearings_validator_missed_in_row: gauge(
    'Blocks that it did not sign, and most others did, since the last that it signed.',
  ),
  bearings_validator_missed_of_last_hundred: gauge(
    'Of the last hundred blocks, those that it did not sign and most others did.',
  ),
  bearings_endpoint_up: gauge('1 if the endpoint answered in the last look and its head counts, else 0.'),
  bearings_endpoint_head: gauge('Its newest slot, block or height.'),
  bearings_endpoint_head_age_seconds: gauge('How long it has told of nothing newer.'),
  bearings_endpoint_silent_looks_total: counter('Looks in which it gave no answer, since this watch began.'),
  bearings_channel_up: gauge(
    '1 if the channel took the last event, 0 if not; no sample before the first one.',
  ),
  bearings_alarm_active: gauge('1 for each alarm that stands; no sample for one that does not.'),
  bearings_alarms: gauge('How many alarms of a severity stand.'),
} satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS

export type Sample = { metric: MetricName; labels: Readonly<Record<string, string>>; value: number }

/** What has been counted since the watch began. */
export type Tally = {
  blocks: ReadonlyMap<Hex, { upTo: bigint; signed: number; missed: number; missedByMany: number }>
  silentLooks: ReadonlyMap<string, number>
}

export const NOTHING_COUNTED: Tally = { blocks: new Map(), silentLooks: new Map() }

/** Adds one look to the counts. Each block is counted once; a validator of which no block was seen has no counts. */
export function tallyAfter(before: Tally, { validators, heads }: NetworkPicture): Tally {
  const blocks = new Map(before.blocks)
  for (const { pubkey, signed } of validators) {
    if (signed === undefined) continue
    const known = blocks.get(pubkey) ?? { upTo: -1n, signed: 0, missed: 0, missedByMany: 0 }
    const isNews = signed.filter(({ height }) => height > known.upTo)
    const did = isNews.filter((each) => each.signed).length
    const shared = isNews.filter((each) => !each.signed && isShared(each)).length
    blocks.set(pubkey, {
      upTo: isNews.at(-1)?.height ?? known.upTo,
      signed: known.signed + did,
      missed: known.missed + isNews.length - did - shared,
      missedByMany: known.missedByMany + shared,
    })
  }
  const silentLooks = new Map(before.silentLooks)
  for (const head of heads) {
    const place = placeOf(head)
    silentLooks.set(place, (silentLooks.get(place) ?? 0) + (head.slot === undefined ? 1 : 0))
  }
  return { blocks, silentLooks }
}

/** Makes the metric samples of everything that a watch knows after a look. */
export function samplesOf(
  { memory, picture, tally }: { memory: WatchMemory; picture: NetworkPicture; tally: Tally },
  { network, version }: { network: Network; version: string },
): Sample[] {
  const ofNetwork = { network: network.id }
  const sample = (metric: MetricName, value: number, labels: Sample['labels'] = {}): Sample => ({
    metric,
    labels: { ...ofNetwork, ...labels },
    value,
  })
  return [
    sample('bearings_build_info', 1, { version }),
    sample('bearings_last_look_timestamp_seconds', picture.atMs / 1000),
    ...chainSamples(picture, network, sample),
    ...nodeSamples(picture, sample),
    ...picture.validators.flatMap((watched) => validatorSamples(watched, { memory, tally, sample })),
    ...endpointSamples({ memory, picture, tally, sample }),
    ...channelSamples(picture, sample),
    ...alarmSamples(memory, sample),
  ]
}

type Make = (metric: MetricName, value: number, labels?: Sample['labels']) => Sample

function chainSamples(picture: NetworkPicture, { spec }: Network, sample: Make): Sample[] {
  const slot = headOf(picture)
  if (slot === undefined) return []
  return [
    sample('bearings_chain_slot', Number(slot)),
    sample('bearings_chain_epoch', Number(epochOfSlot(slot, spec))),
    sample('bearings_chain_slots_to_next_epoch', Number(spec.slotsPerEpoch - (slot % spec.slotsPerEpoch))),
  ]
}

function nodeSamples({ node = {} }: NetworkPicture, sample: Make): Sample[] {
  const { peers, catchesUp, clockAheadMs } = node
  const of = (metric: MetricName, value: number | undefined, labels?: Sample['labels']): Sample[] =>
    value === undefined ? [] : [sample(metric, value, labels)]
  return [
    ...Object.entries(peers ?? {}).flatMap(([role, count]) => of('bearings_node_peers', count, { role })),
    ...of('bearings_node_catching_up', catchesUp === undefined ? undefined : Number(catchesUp)),
    ...of('bearings_clock_ahead_seconds', clockAheadMs === undefined ? undefined : clockAheadMs / 1000),
  ]
}

function validatorSamples(
  watched: ValidatorPicture,
  { memory, tally, sample }: { memory: WatchMemory; tally: Tally; sample: Make },
): Sample[] {
  const { pubkey, record, level, ahead } = watched
  const labels = { validator: pubkey, name: validatorName(watched) }
  const of = (metric: MetricName, value: number | undefined, more: Sample['labels'] = {}): Sample[] =>
    value === undefined ? [] : [sample(metric, value, { ...labels, ...more })]
  const blocks = tally.blocks.get(pubkey)
  const marks = recalled(memory, pubkey).signed.replaceAll('s', '')
  const recent =
    marks === ''
      ? []
      : [
          ...of('bearings_validator_missed_in_row', marks.length - 1 - marks.lastIndexOf('1')),
          ...of('bearings_validator_missed_of_last_hundred', marks.replaceAll('1', '').length),
        ]
  const signing = [
    ...of('bearings_validator_blocks_signed_total', blocks?.signed),
    ...of('bearings_validator_blocks_missed_total', blocks?.missed),
    ...of('bearings_validator_blocks_missed_by_many_total', blocks?.missedByMany),
    ...recent,
  ]
  if (record === undefined) return signing
  if (record === 'absent') return [...of('bearings_validator_registered', 0), ...signing]
  const status = validatorStatus(record.validator, record.epoch)
  const { place, now } = ahead ?? {}
  return [
    ...of('bearings_validator_info', 1, { index: String(record.index) }),
    ...of('bearings_validator_registered', 1),
    ...VALIDATOR_STATUSES.flatMap((each) =>
      of('bearings_validator_status', each === status ? 1 : 0, { status: each }),
    ),
    ...of('bearings_validator_proof_anchors', level?.by === 'proof' ? level.anchors : 0),
    ...of(
      'bearings_validator_proof_signed_percent',
      level?.by === 'proof' ? (level.signed?.percent ?? 0) : 0,
    ),
    ...of('bearings_validator_balance_tokens', tokensOf(record.balanceGwei)),
    ...of('bearings_validator_effective_balance_tokens', tokensOf(record.validator.effectiveBalanceGwei)),
    ...of('bearings_validator_rank', now?.rank),
    ...of('bearings_validator_places', (place ?? now)?.places),
    ...of('bearings_validator_forecast_rank', place?.rank),
    ...of('bearings_validator_forecast_epoch', place && Number(place.epoch)),
    ...of('bearings_validator_cutoff_tokens', place?.cutoff && tokensOf(place.cutoff.stakeGwei)),
    ...of('bearings_validator_margin_tokens', place && tokensOf(place.othersNeedGwei)),
    ...of(
      'bearings_validator_drops_out_epoch',
      ahead?.dropsOutAtEpoch === undefined ? undefined : Number(ahead.dropsOutAtEpoch),
    ),
    ...signing,
  ]
}

function endpointSamples(given: {
  memory: WatchMemory
  picture: NetworkPicture
  tally: Tally
  sample: Make
}): Sample[] {
  const { memory, picture, tally, sample } = given
  return picture.heads.flatMap((head) => {
    const { role, name, slot } = head
    const labels = { role, endpoint: name, place: String(head.place) }
    const known = memory.heads.find((each) => each.role === role && each.name === name)
    const newest = slot ?? known?.slot
    return [
      sample('bearings_endpoint_up', slot === undefined ? 0 : 1, labels),
      sample('bearings_endpoint_silent_looks_total', tally.silentLooks.get(placeOf(head)) ?? 0, labels),
      ...(newest === undefined ? [] : [sample('bearings_endpoint_head', Number(newest), labels)]),
      ...(known === undefined
        ? []
        : [sample('bearings_endpoint_head_age_seconds', (picture.atMs - known.sinceMs) / 1000, labels)]),
    ]
  })
}

function channelSamples({ channels = [] }: NetworkPicture, sample: Make): Sample[] {
  return channels.flatMap(({ name, isWorking }) =>
    isWorking === undefined ? [] : [sample('bearings_channel_up', Number(isWorking), { channel: name })],
  )
}

function alarmSamples({ alarms }: WatchMemory, sample: Make): Sample[] {
  const active = alarms.map(({ alarm, severity, validator, subject, acknowledged }) =>
    sample('bearings_alarm_active', 1, {
      alarm,
      severity,
      validator: validator?.pubkey ?? '',
      subject,
      acknowledged: String(acknowledged),
    }),
  )
  const severities = ['critical', 'warning', 'info'] as const
  const counts = severities.map((severity) =>
    sample('bearings_alarms', alarms.filter((alarm) => alarm.severity === severity).length, { severity }),
  )
  return [...active, ...counts]
}

const placeOf = ({ role, place }: { role: string; place: number }): string => `${role}.${place}`

/** As a number of tokens: a metric is a double, which holds ten million tokens to a gwei or two. */
function tokensOf(amountGwei: bigint): number {
  return Number(amountGwei) / 1e9
}
