import { describe, expect, test } from 'vitest'
import { VALIDATOR_STATUSES } from '../../src/core/chain/consensus/state.ts'
import type { ValidatorPicture } from '../../src/core/observe/picture.ts'
import {
  METRICS,
  type MetricName,
  NOTHING_COUNTED,
  type Sample,
  tallyAfter,
} from '../../src/watch/metrics.ts'
import { pubkey } from '../core/chain/consensus/model.ts'
import { everySample, HEADS, look, START_MS, samplesAfter, seenValidator } from '../support/pictures.ts'

const valuesOf = (samples: readonly Sample[], metric: MetricName): number[] =>
  samples.filter((sample) => sample.metric === metric).map(({ value }) => value)

/** The metrics that have a sample with a name that begins so. */
const namesOf = (samples: readonly Sample[], start: string): string[] => [
  ...new Set(samples.map(({ metric }) => metric).filter((metric) => metric.startsWith(start))),
]

const signed = (...blocks: readonly (readonly [height: bigint, signed: boolean])[]) =>
  blocks.map(([height, did]) => ({ height, signed: did, othersMissed: 0, others: 68 }))

/** A validator of which only its blocks were seen, or nothing. */
const bare = (blocks?: ValidatorPicture['signed']): ValidatorPicture => ({
  pubkey: pubkey(7),
  ...(blocks === undefined ? {} : { signed: blocks }),
})

describe('what is counted', () => {
  test('has each block once, however often it is seen', () => {
    const first = look({ validators: [bare(signed([10n, true], [11n, false]))] })
    const second = look({ validators: [bare(signed([11n, false], [12n, false], [13n, true]))] })
    const tally = [first, first, second, second].reduce(tallyAfter, NOTHING_COUNTED)
    expect(tally.blocks.get(pubkey(7))).toEqual({ upTo: 13n, signed: 2, missed: 2, missedByMany: 0 })
  })

  test('tells blocks apart that many missed', () => {
    const blocks = [
      { height: 1n, signed: false, othersMissed: 22, others: 68 },
      { height: 2n, signed: false, othersMissed: 23, others: 68 },
    ]
    const tally = tallyAfter(NOTHING_COUNTED, look({ validators: [bare(blocks)] }))
    expect(tally.blocks.get(pubkey(7))).toEqual({ upTo: 2n, signed: 0, missed: 1, missedByMany: 1 })
  })

  test('stays while nothing new is seen, and holds nobody whose blocks were never seen', () => {
    const picture = look({ validators: [bare(signed([10n, true])), { pubkey: pubkey(8) }] })
    const unseen = look({ validators: [bare(), { pubkey: pubkey(8) }] })
    const tally = [picture, unseen].reduce(tallyAfter, NOTHING_COUNTED)
    expect([...tally.blocks]).toEqual([[pubkey(7), { upTo: 10n, signed: 1, missed: 0, missedByMany: 0 }]])
  })

  test('has each look in which an endpoint was silent, by its place', () => {
    const tally = [look(), look(), look({ heads: HEADS.slice(0, 1) })].reduce(tallyAfter, NOTHING_COUNTED)
    expect([...tally.silentLooks]).toEqual([
      ['node.0', 0],
      ['execution.1', 2],
    ])
  })
})

describe('the samples of a look', () => {
  test('are there for every metric when everything was seen', () => {
    expect(namesOf(everySample(), '').sort()).toEqual(Object.keys(METRICS).sort())
  })

  test('name the network, and are told apart by their labels', () => {
    const samples = everySample()
    expect(samples.filter(({ labels }) => labels.network !== 'mainnet')).toEqual([])
    const keys = samples.map(({ metric, labels }) => JSON.stringify([metric, labels]))
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('have amounts in tokens and times in seconds', () => {
    const samples = everySample()
    expect(valuesOf(samples, 'bearings_validator_balance_tokens')).toEqual([300_000.5])
    expect(valuesOf(samples, 'bearings_validator_effective_balance_tokens')).toEqual([300_000])
    expect(valuesOf(samples, 'bearings_validator_cutoff_tokens')).toEqual([290_000])
    expect(valuesOf(samples, 'bearings_validator_margin_tokens')).toEqual([15_000])
    expect(valuesOf(samples, 'bearings_last_look_timestamp_seconds')).toEqual([1_800_000_000])
    expect(valuesOf(samples, 'bearings_chain_slots_to_next_epoch')).toEqual([152])
  })

  test('have the present rank, the one at the tightest boundary, and the epochs of both', () => {
    const samples = everySample()
    expect(valuesOf(samples, 'bearings_validator_rank')).toEqual([60])
    expect(valuesOf(samples, 'bearings_validator_forecast_rank')).toEqual([65])
    expect(valuesOf(samples, 'bearings_chain_epoch')).toEqual([5])
    expect(valuesOf(samples, 'bearings_validator_forecast_epoch')).toEqual([7])
    expect(valuesOf(samples, 'bearings_validator_drops_out_epoch')).toEqual([8])
  })

  test('have 1 for one of the nine statuses', () => {
    const statuses = everySample().filter(({ metric }) => metric === 'bearings_validator_status')
    expect(statuses.map(({ labels }) => labels.status)).toEqual([...VALIDATOR_STATUSES])
    expect(statuses.filter(({ value }) => value === 1).map(({ labels }) => labels.status)).toEqual([
      'active_ongoing',
    ])
    expect(statuses.filter(({ value }) => value === 0)).toHaveLength(8)
  })

  test('have 0 anchors for a record that is only reported', () => {
    const samples = samplesAfter(look({ validators: [seenValidator({ level: { by: 'report' } })] }))
    expect(valuesOf(samples, 'bearings_validator_proof_anchors')).toEqual([0])
  })

  test('have 0 and nothing else for a validator that the beacon state does not hold', () => {
    const samples = samplesAfter(look({ validators: [{ pubkey: pubkey(7), name: 'new', record: 'absent' }] }))
    const own = samples.filter(({ metric }) => metric.startsWith('bearings_validator_'))
    expect(own).toEqual([
      {
        metric: 'bearings_validator_registered',
        labels: { network: 'mainnet', validator: pubkey(7), name: 'new' },
        value: 0,
      },
    ])
  })

  test('leave out what was not seen', () => {
    const samples = samplesAfter(look({ validators: [bare()], heads: [SILENT] }))
    expect(namesOf(samples, 'bearings_validator_')).toEqual([])
    expect(namesOf(samples, 'bearings_chain_')).toEqual([])
    expect(namesOf(samples, 'bearings_endpoint_head')).toEqual(['bearings_endpoint_head_age_seconds'])
    expect(valuesOf(samples, 'bearings_endpoint_up')).toEqual([0])
  })

  test('leave out the cutoff while there are free places, and the epoch while the place is kept', () => {
    const { ahead } = seenValidator()
    if (ahead?.place === undefined) throw new Error('the made-up validator has a place')
    const place = { ...ahead.place, cutoff: undefined }
    const kept = { ...ahead, place, dropsOutAtEpoch: undefined, rescue: undefined }
    const samples = samplesAfter(look({ validators: [seenValidator({ ahead: kept })] }))
    expect(namesOf(samples, 'bearings_validator_cutoff')).toEqual([])
    expect(namesOf(samples, 'bearings_validator_drops')).toEqual([])
    expect(valuesOf(samples, 'bearings_validator_margin_tokens')).toEqual([15_000])
  })

  test('say how many blocks were missed, since this watch began, in a row and of the last hundred', () => {
    const blocks = signed([1n, false], [2n, true], [3n, false], [4n, false])
    const samples = samplesAfter(look({ validators: [bare(blocks)] }), look({ validators: [bare()] }))
    expect(valuesOf(samples, 'bearings_validator_blocks_signed_total')).toEqual([1])
    expect(valuesOf(samples, 'bearings_validator_blocks_missed_total')).toEqual([3])
    expect(valuesOf(samples, 'bearings_validator_missed_in_row')).toEqual([2])
    expect(valuesOf(samples, 'bearings_validator_missed_of_last_hundred')).toEqual([3])
  })

  test('keep the head of an endpoint that is silent, and how old it is', () => {
    const later = look({
      atMs: START_MS + 8000,
      heads: HEADS.map(({ role, place, name }) => ({ role, place, name })),
    })
    const samples = samplesAfter(look(), later)
    expect(valuesOf(samples, 'bearings_endpoint_up')).toEqual([0, 0])
    expect(valuesOf(samples, 'bearings_endpoint_head')).toEqual([1000])
    expect(valuesOf(samples, 'bearings_endpoint_head_age_seconds')).toEqual([8, 8])
    expect(valuesOf(samples, 'bearings_endpoint_silent_looks_total')).toEqual([1, 2])
  })

  test('have 1 for each alarm that stands, and how many of each severity do', () => {
    const samples = everySample()
    const alarms = samples.filter(({ metric }) => metric === 'bearings_alarm_active')
    expect(
      alarms.map(({ labels, value }) => [labels.alarm, labels.severity, labels.validator, value]),
    ).toEqual([
      ['fork-unknown', 'warning', '', 1],
      ['drops-out', 'critical', pubkey(7), 1],
    ])
    const counts = samples.filter(({ metric }) => metric === 'bearings_alarms')
    expect(counts.map(({ labels, value }) => [labels.severity, value])).toEqual([
      ['critical', 1],
      ['warning', 1],
      ['info', 0],
    ])
  })
})

const SILENT = { role: 'node', place: 0, name: '127.0.0.1:3500' } as const
