import { isFulu } from '../core/consensus/fork-outlook.ts'
import { EPOCHS_AHEAD, type Outlook, outlook } from '../core/consensus/outlook.ts'
import type { QueuedDeposit } from '../core/consensus/process-epoch.ts'
import { FAR_FUTURE_EPOCH, isActive } from '../core/consensus/state.ts'
import { type Survey, surveySource, waitingDeposits } from '../core/consensus/survey.ts'
import type { Setup } from '../core/facts.ts'
import { formatGwei } from '../core/format/amount.ts'
import { endpointName } from '../core/format/endpoint-url.ts'
import type { Hex } from '../core/format/hex.ts'
import { ownRecord, slotsWords } from '../core/steps/status/own.ts'
import type { Mark } from '../core/steps/view.ts'
import type { ReportRow } from './report-lines.ts'

/** An outlook, and whether the validator is active as it is. */
export type Prospect = Outlook & { isActive: boolean }

/**
 * What happens to a validator of the set if nothing else happens, or only `topUp` does; undefined where the set does not
 * hold it, or it is leaving.
 */
export function outlookIn(
  survey: Survey,
  pubkey: Hex,
  { setup, topUp }: { setup: Setup; topUp?: QueuedDeposit },
): Prospect | undefined {
  const own = ownRecord(survey, pubkey, setup)
  if (own === undefined || own.validator.exitEpoch !== FAR_FUTURE_EPOCH) return undefined
  const { spec, minimumDepositGwei } = setup.network
  const waiting = waitingDeposits(survey)
  const uncounted = topUp === undefined ? waiting : [...waiting, topUp]
  const fulu = isFulu(spec, survey.timestampSeconds)
  const seen = outlook({ state: survey.consensus, uncounted, spec, fulu, pubkey, minimumDepositGwei })
  return { ...seen, isActive: isActive(own.validator, own.epoch) }
}

/** Which validator a report is about, and when, as data. */
export function dataOf(survey: Survey, pubkey: Hex, setup: Setup): Readonly<Record<string, unknown>> {
  const index = ownRecord(survey, pubkey, setup)?.index ?? null
  return { pubkey, slot: survey.consensus.slot, index }
}

/** Who vouches for the set, and for the record of the validator in it. */
export function levelRows(survey: Survey, pubkey: Hex, setup: Setup): ReportRow[] {
  const { proof, unproven, uncounted, own } = survey
  const source = endpointName(setup.endpoints.node)
  const row = (id: string, label: string, said: Pick<ReportRow, 'mark' | 'value'>): ReportRow => ({
    step: 'status',
    id,
    label,
    source,
    ...said,
  })
  const waits = 'unknown' in uncounted ? `; which deposits wait is not known: ${uncounted.unknown}` : ''
  const reported = `reported, not proven${unproven === undefined ? '' : ` (${unproven})`}`
  const whole = proof && `${surveySource(survey)}, its root held by ${endpoints(proof.anchors)}`
  const set = row('set', 'set', {
    mark: whole === undefined ? 'unasked' : 'proven',
    value: `${whole ?? reported}${waits}`,
  })
  if (ownRecord(survey, pubkey, setup) === undefined) return [set]
  const alone = own && `proven on its own, the root held by ${endpoints(own.anchors)}`
  const value = whole === undefined ? alone : 'in the proven state'
  const record = row('record', 'own record', {
    mark: value === undefined ? 'unasked' : 'proven',
    value: value ?? 'reported, not proven',
  })
  return [record, set]
}

function endpoints(count: number): string {
  return count === 1 ? '1 endpoint' : `${count} endpoints`
}

/**
 * The outlook as lines. `atRisk` is how a validator that drops out is marked: it is a verdict only where that was the
 * question. Nothing for a validator without an outlook.
 */
export function outlookRows(
  seen: Prospect | undefined,
  { survey, setup, atRisk }: { survey: Survey; setup: Setup; atRisk: Mark },
): ReportRow[] {
  if (seen === undefined) return []
  const shape = { step: 'status', id: 'outlook', label: 'outlook', source: 'model' } as const
  const { dropsOutAtEpoch: outAt, rescue } = seen
  if (outAt === undefined) {
    const isProven = survey.proof !== undefined && !('unknown' in survey.uncounted)
    const isIn = seen.isActive || seen.activeAtEpoch !== undefined
    return [{ ...shape, mark: isProven && isIn ? 'proven' : 'unasked', value: staysWords(seen) }]
  }
  const slots = outAt * setup.network.spec.slotsPerEpoch - survey.consensus.slot
  const value = `drops out of the active set at epoch ${outAt}, in ${slotsWords(slots, setup, survey)}, if nothing else happens`
  return [
    { ...shape, mark: atRisk, value },
    {
      ...shape,
      id: 'rescue',
      label: 'least top-up',
      mark: 'unasked',
      value: rescueWords(rescue, survey, setup),
    },
  ]
}

function staysWords({ activeAtEpoch, isActive: isIn }: Prospect): string {
  const boundaries = `at the next ${EPOCHS_AHEAD} epoch boundaries, if nothing else happens`
  if (activeAtEpoch !== undefined)
    return `active from epoch ${activeAtEpoch} on, and keeps its place ${boundaries}`
  return isIn
    ? `keeps its place ${boundaries}`
    : `joins the active set at none of the next ${EPOCHS_AHEAD} epoch boundaries, if nothing else happens`
}

function rescueWords(rescue: Outlook['rescue'], survey: Survey, setup: Setup): string {
  if (rescue === undefined) return 'none keeps the place: no amount is enough, or no block is left'
  const { leastTopUpGwei, lastGoodBlock, sendByBlock } = rescue
  const left = sendByBlock - survey.consensus.slot
  const sendBy =
    left > 0n
      ? `send by block ${sendByBlock}, within ${slotsWords(left, setup, survey, 'by')}`
      : 'send at once'
  const amount = `${formatGwei(leastTopUpGwei)} ${setup.network.names.token}`
  return `${amount} keeps the place; ${sendBy}; the last good block is ${lastGoodBlock}`
}
