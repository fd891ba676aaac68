import { forecast } from '../../consensus/forecast.ts'
import { isFulu } from '../../consensus/fork-outlook.ts'
import type { Placing } from '../../consensus/placing.ts'
import { type SetSnapshot, waitingDeposits } from '../../consensus/snapshot.ts'
import type { Setup } from '../../facts.ts'
import { formatCount, formatGwei, ordinal } from '../../format/amount.ts'
import type { Hex } from '../../format/hex.ts'
import { offeredValue } from '../../network/offered.ts'
import { CATCHES_UP, isAlone, RESTART_NODE, standstillWords } from '../../network/standstill.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { headStillMs, type StatusAnswers, type StatusState } from './machine.ts'
import { isLost, type Own } from './own.ts'
import type { ExpectedEpochs } from './timeline.ts'

/** Whether the running node holds the key, lives, votes, and is heard. */
export function nodeRow(state: StatusState, setup: Setup): FactRow {
  const { doubt } = state
  const troubles = troublesOf(state, setup)
  const row = factRow({
    id: 'node',
    label: 'node',
    observation: state.seen.engine,
    ...(setup.endpoints.engine === undefined ? { unasked: 'not asked: no engine was given' } : {}),
    judge: (value) => isWell(value, { standsStill: doubt?.is === 'still', troubles }),
    say: (value) => [keyWords(value), syncWords(value), headWords(state), ...troubles].join(', '),
    explain: {
      what: 'Whether the running node holds this key, is up to date and has peers, so that it can sign and its votes reach others.',
      who: 'The consensus engine, and the node API where it says more. The age of the head (the newest block) is by the clock of this computer, because a node does not report that its chain stands still.',
      later: 'Yes.',
    },
  })
  // What it said before and does not say now is not known to be good.
  const silent =
    doubt?.is === 'silent' || state.seen.health.status === 'failed' || state.seen.peers.status === 'failed'
  return silent && row.mark === 'proven' ? { ...row, mark: 'unknown' } : row
}

/** undefined where it is not known: an engine that catches up says nothing of when it votes. */
function isWell(
  { sameKey, catchingUp }: StatusAnswers['engine'],
  { standsStill, troubles }: { standsStill: boolean; troubles: readonly string[] },
): boolean | undefined {
  if (!sameKey || standsStill || troubles.length > 0) return false
  return catchingUp ? undefined : true
}

function headWords(state: StatusState): string {
  const { doubt } = state
  const stillMs = headStillMs(state)
  if (doubt === undefined) return headAgeWords(stillMs)
  const { is, slot, beside } = doubt
  if (is === 'silent') return 'the node API does not answer'
  const words = standstillWords({ slot, stillMs, beside })
  return beside.is === 'ahead' ? `${words}: ${RESTART_NODE}` : words
}

const STEP_SECONDS = 10

/** In steps, so that a head that comes a little later than the last one is nothing new. */
function headAgeWords(stillMs: number): string {
  const steps = Math.floor(stillMs / 1000 / STEP_SECONDS)
  return steps === 0 ? 'head is new' : `head ${steps * STEP_SECONDS} s old`
}

function keyWords({ sameKey }: StatusAnswers['engine']): string {
  return sameKey ? 'this key' : 'another key'
}

function syncWords({ catchingUp }: StatusAnswers['engine']): string {
  return catchingUp ? CATCHES_UP : 'synced'
}

/** No power yet is not a refusal: it is what the step waits for, until the place is lost. */
export function powerRow(state: StatusState, own: Own | undefined, setup: Setup): FactRow {
  const row = factRow({
    id: 'power',
    label: 'power',
    observation: state.seen.engine,
    ...(setup.endpoints.engine === undefined ? { unasked: 'not asked: no engine was given' } : {}),
    judge: (value) => value.powerGwei > 0n,
    say: (value) =>
      `${formatGwei(value.powerGwei)} of ${formatGwei(value.totalGwei)}, ${value.members} members`,
    explain: {
      what: 'The weight with which the consensus engine (CometBFT) counts the validator’s votes. It is zero until the validator is in the engine’s set.',
      who: 'The consensus engine.',
      later: 'Yes, with every epoch.',
    },
  })
  if (row.mark !== 'refused') return row
  if (own !== undefined && isLost(own)) return { ...row, value: 'none any more' }
  return { ...row, mark: 'asking', value: 'none yet' }
}

/** What node and engine say of their own state that is no good, in words. */
export function troublesOf({ seen }: StatusState, { network }: Setup): string[] {
  const health = offeredValue(known(seen.health))
  const peers = offeredValue(known(seen.peers))
  return [
    ...(health === undefined || health === 'ready' ? [] : [health === 'syncing' ? 'syncing' : 'not ready']),
    ...(peers !== undefined && isAlone(peers, network) ? ['no peers'] : []),
  ]
}

/** What the model expects of the next boundaries, without any more stake from anybody. */
export function expectedEpochs(snapshot: SetSnapshot, pubkey: Hex, { network }: Setup): ExpectedEpochs {
  const { consensus: state, timestampSeconds } = snapshot
  const fulu = isFulu(network.spec, timestampSeconds)
  const uncounted = waitingDeposits(snapshot)
  return forecast({
    state,
    spec: network.spec,
    fulu,
    pubkey,
    addGwei: 0n,
    currentSlot: state.slot,
    uncounted,
  })
}

/** Whether a place is inside the set, a tie counted as lost. */
export function rankOk({ marginGwei }: Placing): boolean {
  return marginGwei === undefined || marginGwei > 0n
}

/** The place in words, with the epoch where its boundary is not the next one after `epoch`. */
export function rankWords(
  { rank, places, lastPlace, cutoff, marginGwei, stakeGwei, epoch: at }: Placing,
  epoch: bigint,
): string {
  const when = at > epoch + 1n ? ` · at epoch ${formatCount(at)}` : ''
  if (cutoff === undefined || marginGwei === undefined)
    return `${rank} of ${places} · ${lastPlace === undefined ? 'places are free' : 'no competitor'}${when}`
  const least = `cutoff ${formatGwei(cutoff.stakeGwei)}`
  return rank > places
    ? `${ordinal(rank)} for ${places} places · ${least} · you ${formatGwei(stakeGwei)}${when}`
    : `${rank} of ${places} · ${least} · margin ${formatGwei(marginGwei)}${when}`
}
