import {
  formatCount,
  formatDuration,
  formatGwei,
  GWEI_PER_TOKEN,
  ordinal,
} from '../core/base/format/amount.ts'
import { shellCommand } from '../core/base/format/text.ts'
import { validatorStatus } from '../core/chain/consensus/state.ts'
import { queuedCommands } from '../core/chain/deposit/operator-command.ts'
import { wayOut } from '../core/chain/key-state/own.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import { alarmView, placeOf, worstFirst } from '../core/observe/alarms.ts'
import { type Alarm, type KnownValidator, recalled, type WatchMemory } from '../core/observe/memory.ts'
import {
  type AheadPicture,
  headOf,
  type NetworkPicture,
  type OwnRecord,
  type ValidatorPicture,
  type WatchContext,
} from '../core/observe/picture.ts'
import type { AlarmView, Detail } from '../core/view/alarm-view.ts'
import { EVIDENCE_TEXT } from '../core/view/text.ts'
import type { WatchRow, WatchView } from './screen.ts'
import { TABLE_TEXT } from './table-text.ts'
import { presentPlace, validatorName } from './words.ts'

const STEP_MS = 10_000

/** Makes the view of a watch after a look. */
export function watchView(
  memory: WatchMemory,
  picture: NetworkPicture,
  { context, last }: { context: WatchContext; last: { slot: bigint; atMs: number } | undefined },
): WatchView {
  const { network } = context
  const alarms = worstFirst(memory.alarms)
  const now = { nowMs: picture.atMs }
  const rows = picture.validators
    .map((watched) =>
      rowOf(
        watched,
        { alarms: alarms.filter(({ validator }) => validator?.pubkey === watched.pubkey), memory, ...now },
        context,
      ),
    )
    .toSorted((a, b) => worstOf(b.alarms) - worstOf(a.alarms))
  const count = rows.length
  return {
    network: { kind: network.kind, label: network.label },
    title: `Watching ${count} ${count === 1 ? 'validator' : 'validators'}`,
    verdict: watchVerdict(alarms, picture),
    rows,
    others: alarms.filter(({ validator }) => validator === undefined).map((alarm) => alarmView(alarm, now)),
    head: headWords(picture, last),
  }
}

function worstOf(alarms: readonly AlarmView[]): number {
  return Math.max(0, ...alarms.map(placeOf))
}

function watchVerdict(alarms: readonly Alarm[], picture: NetworkPicture): WatchView['verdict'] {
  const [worst] = alarms
  if (worst !== undefined) return { text: worst.title, is: worst.severity }
  if (headOf(picture) === undefined) return { text: 'Nobody answers yet.', is: 'unknown' }
  const allKnown = picture.validators.every(({ record, ahead }) => ahead !== undefined || hasLeft(record))
  if (!allKnown) return { text: 'Not everything is known of every validator.', is: 'unknown' }
  return { text: wellText(picture.validators), is: 'well' }
}

/** What has no place yet, or has one no more, keeps none. */
function wellText(validators: readonly ValidatorPicture[]): string {
  if (!validators.every(({ ahead }) => ahead?.now !== undefined)) return TABLE_TEXT.well.now
  return validators.length === 1 ? TABLE_TEXT.well.one : TABLE_TEXT.well.all
}

/** Whoever has left has no place to be asked for. */
function hasLeft(record: ValidatorPicture['record']): boolean {
  const way = record === undefined || record === 'absent' ? undefined : wayOut(record)
  return way === 'left' || way === 'paid'
}

function rowOf(
  watched: ValidatorPicture,
  { alarms, memory, nowMs }: { alarms: readonly Alarm[]; memory: WatchMemory; nowMs: number },
  context: WatchContext,
): WatchRow {
  const { network } = context
  const { record, ahead, level } = watched
  const place = ahead?.place
  const details = detailsOf(watched, recalled(memory, watched.pubkey), context)
  const shown = alarms.map((alarm) => alarmView(alarm, { nowMs }))
  const base = { pubkey: watched.pubkey, name: validatorName(watched), alarms: shown, details }
  const unknown = { status: '?', rank: '?', stake: '?', margin: '?', source: 'not seen' }
  if (record === undefined) return { ...base, ...unknown }
  if (record === 'absent')
    return {
      ...base,
      ...unknown,
      status: 'not registered',
      rank: '–',
      stake: '0',
      margin: '–',
      source: 'reported',
    }
  const status = STANDING_TEXT.status[validatorStatus(record.validator, record.epoch)].short
  return {
    ...base,
    status,
    rank: place === undefined ? '–' : `${place.rank} of ${place.places}`,
    stake: formatGwei(record.balanceGwei - (record.balanceGwei % GWEI_PER_TOKEN)),
    margin: place === undefined ? '–' : signed(place.marginGwei ?? place.othersNeedGwei),
    source: level?.by === 'proof' && network.id !== '' ? 'proven' : 'reported',
  }
}

function signed(amountGwei: bigint): string {
  return amountGwei > 0n ? `+${formatGwei(amountGwei)}` : formatGwei(amountGwei)
}

function headWords(picture: NetworkPicture, last: { slot: bigint; atMs: number } | undefined): string {
  if (last === undefined) return 'no answer yet'
  const ageMs = Math.floor((picture.atMs - last.atMs) / STEP_MS) * STEP_MS
  const age = ageMs <= 0 ? '' : `, ${formatDuration(ageMs)} ago`
  const named = (heads: NetworkPicture['heads']) => [...new Set(heads.map(({ name }) => name))].join(', ')
  const silent = named(picture.heads.filter(({ slot, farOff }) => slot === undefined && farOff === undefined))
  const far = named(picture.heads.filter(({ farOff }) => farOff !== undefined))
  const who = `${silent === '' ? '' : ` · silent: ${silent}`}${far === '' ? '' : ` · left out: ${far}`}`
  return ageMs <= 0 ? `the chain goes on${who}` : `last new slot ${formatCount(last.slot)}${age}${who}`
}

/** Everything a watch knows of one validator, in words; what was not seen is said to be so. */
function detailsOf(
  watched: ValidatorPicture,
  known: KnownValidator,
  { network, wizardOptions }: WatchContext,
): Detail[] {
  const { pubkey, record, level, ahead, operator } = watched
  const { token } = network.names
  const key = { label: 'public key', whole: pubkey }
  const command = shellCommand('bearings', '--validator', pubkey, ...wizardOptions)
  const wizard = { label: 'in the wizard', command }
  if (record === undefined) return [key, { label: 'record', value: 'not seen yet' }, wizard]
  if (record === 'absent')
    return [key, { label: 'record', value: 'the beacon state does not hold this key' }, wizard]
  const manager = operator?.operator ?? known.operator
  return [
    ...recordDetails(record, token),
    ...(ahead === undefined ? [{ label: 'place', value: noPlaceText(record) }] : placeDetails(ahead, token)),
    { label: 'blocks', value: blocksText(known) },
    ...(manager === undefined ? [] : [{ label: 'rewards operator', whole: manager }]),
    ...(operator?.queued === undefined
      ? []
      : [{ label: 'queued operator', whole: operator.queued.operator }]),
    ...queuedCommands(operator, { pubkey, contract: network.spec.depositContract }).map((each) => ({
      ...each,
      by: 'wallet' as const,
    })),
    {
      label: 'known by',
      value:
        level?.by === 'proof'
          ? `proof, ${EVIDENCE_TEXT.root(level, anchorsText)}`
          : 'the word of the node (not proven)',
    },
    wizard,
    key,
  ]
}

function noPlaceText(record: OwnRecord): string {
  return hasLeft(record) ? STANDING_TEXT.noPlace.left : 'not seen yet'
}

/** Blocks that many missed say little of one validator: they are told apart. */
function blocksText({ signed }: KnownValidator): string {
  if (signed === '') return 'none counted yet'
  const of = (mark: string) => signed.split(mark).length - 1
  const shared = of('s') === 0 ? '' : `, ${of('s')} not, as many others`
  return `signed ${of('1')} of the last ${signed.length}${shared}`
}

function recordDetails({ validator, balanceGwei, index, epoch }: OwnRecord, token: string): Detail[] {
  const status = STANDING_TEXT.status[validatorStatus(validator, epoch)].short
  return [
    { label: 'status', value: `validator ${index}, ${status}` },
    {
      label: 'stake',
      value: `${formatGwei(balanceGwei)} ${token}, of which ${formatGwei(validator.effectiveBalanceGwei)} counts`,
    },
  ]
}

function placeDetails({ now, place, dropsOutAtEpoch }: AheadPicture, token: string): Detail[] {
  const present = now === undefined ? 'none' : presentPlace(now)
  const rows: Detail[] = [{ label: 'place now', value: present }]
  if (place !== undefined) {
    const { epoch, rank, places, cutoff, othersNeedGwei } = place
    const least =
      cutoff === undefined ? 'nobody else needs one' : `cutoff ${formatGwei(cutoff.stakeGwei)} ${token}`
    rows.push({
      label: `at epoch ${formatCount(epoch)}`,
      value: `${ordinal(rank)} ${rank > places ? 'for' : 'of'} ${places}, ${least}`,
    })
    if (othersNeedGwei > 0n)
      rows.push({
        label: 'margin',
        value: STANDING_TEXT.mayDropOut.it(`${formatGwei(othersNeedGwei)} ${token}`),
      })
  }
  const out = dropsOutAtEpoch
  return out === undefined ? rows : [...rows, { label: 'drops out', value: `at epoch ${formatCount(out)}` }]
}

function anchorsText(anchors: number): string {
  return anchors === 1 ? 'held by one execution endpoint' : `held by ${anchors} execution endpoints`
}
