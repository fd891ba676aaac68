import { BaseError, failureWords } from '../core/base/errors/base.ts'
import { formatCount, formatGwei } from '../core/base/format/amount.ts'
import { isoTime } from '../core/base/format/document.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { sameHex, ZERO_ADDRESS } from '../core/base/format/hex.ts'
import { validatorStatus } from '../core/chain/consensus/state.ts'
import { payoutOf } from '../core/chain/deposit/credentials.ts'
import type { Setup } from '../core/chain/facts.ts'
import {
  type KeyState,
  type KeyVerdict,
  keyVerdict,
  type Level,
  registeredRecord,
} from '../core/chain/key-state/key-state.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import { readKeyState } from '../core/clients/read-key-state.ts'
import { clientsOf } from '../core/observe/context.ts'
import { EVIDENCE_TEXT } from '../core/view/text.ts'
import type { Mark } from '../core/view/view.ts'
import type { Call } from './command.ts'
import type { KeysFields } from './documents/keys.ts'
import { indexRows, type NamedValidator, proofOf } from './outlook-rows.ts'
import type { ReportEnding } from './report.ts'
import { nextOf, type ReportRow } from './report-lines.ts'
import { endpointsText, ROWS_TEXT, rootHeldBy, STORAGE_PROVES } from './rows-text.ts'

/** What the chain knows of a key, as lines and as data. */
export type KeyReport = {
  verdict: KeyVerdict
  /** Undefined where nobody answered. */
  key: KeyState | undefined
  rows: readonly ReportRow[]
  data: OnChain
}

/**
 * Asks the chain what it knows of a key: the verdict first, then what it rests on, each part with who vouches for it.
 * Where nobody answers, that is the line. Throws only what is no fault of an endpoint.
 */
export async function keyReport(
  call: Call,
  setup: Setup,
  named: Pick<NamedValidator, 'pubkey' | 'by'>,
): Promise<KeyReport> {
  const { node, execution, second, signed } = clientsOf({ effects: call.effects, setup })
  const { pubkey } = named
  const asked = { network: setup.network, pubkey, clock: call.effects.clock }
  try {
    const key = await readKeyState({ node, execution, second, signed }, asked)
    const verdict = keyVerdict(key, setup.network.spec)
    const index = 'unknown' in key.set ? [] : indexRows(named, key.set, setup)
    const rows = [...index, ...keyRows(key, verdict, setup)].map((row) => ({ ...row, step: VERDICT.step }))
    return { verdict, key, rows, data: { onChain: verdict, keyState: keyStateOf(key) } }
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    // A state is proven by what both say: the one that is not so may be of either.
    const source = `${endpointName(setup.endpoints.node)}, ${endpointName(setup.endpoints.execution)}`
    const row = { ...VERDICT, mark: 'unknown', value: failureWords(thrown), source } as const
    const rows = [{ ...row, ...nextOf(thrown) }]
    return { verdict: 'unknown', key: undefined, rows, data: { onChain: 'unknown', keyState: 'unknown' } }
  }
}

/** Where the verdict over a key stands in a report. */
export const VERDICT = { step: 'identity', id: 'verdict', label: ROWS_TEXT.verdict } as const

/** Where nobody was named whom to ask of a key. */
export const notAskedRow = (why: string): ReportRow => ({
  ...VERDICT,
  mark: 'unasked',
  value: `not asked: ${why}`,
  source: '',
})

function keyRows(key: KeyState, verdict: KeyVerdict, setup: Setup): ReportRow[] {
  return [
    verdictRow(key, verdict, setup),
    operatorRow(key, setup),
    ...recordRows(key, setup),
    ...depositRows(key, setup),
  ]
}

const WORDS: Readonly<Record<KeyVerdict, string>> = {
  unknown: 'not known',
  unused: 'unused: nothing was ever deposited for it',
  waiting: 'not counted yet: a deposit for it is in a block, and the beacon state does not hold it',
  lost: 'lost: its deposits were counted, and the beacon state does not hold it; the chain kept the money',
  registered: 'registered',
  exiting: `exiting: it ${STANDING_TEXT.dropsOut} at an epoch that is set already`,
  exited: 'exited, for ever; the stake comes back to the withdrawal address',
  withdrawn: 'withdrawn: it left for ever, and the stake was paid back',
}

const IS_GOOD: Readonly<Record<KeyVerdict, boolean>> = {
  unknown: false,
  unused: true,
  waiting: true,
  lost: false,
  registered: true,
  exiting: false,
  exited: false,
  withdrawn: false,
}

const SENTENCES: Readonly<Record<KeyVerdict, string>> = {
  unknown: 'What the chain knows of this key could not be found out: send nothing.',
  unused: 'The key is unused: nothing was ever deposited for it.',
  waiting: 'A deposit for this key is in a block and is not counted yet: wait.',
  lost: 'The deposits of this key are lost: the chain counted them and kept the money.',
  registered: 'The key is registered: the beacon state holds this validator.',
  exiting: `The validator ${STANDING_TEXT.isLeaving}: what is added comes back.`,
  exited: `The validator ${STANDING_TEXT.hasLeftForEver}: what is added comes back.`,
  withdrawn: `The validator ${STANDING_TEXT.hasLeftForEver}, and its stake was paid back.`,
}

/** Returns what the chain knows of a key as one sentence; a refusal that is none of the chain's comes first. */
export function verdictSentence(verdict: KeyVerdict, { is, which }: ReportEnding): string {
  if (is === 'no' && IS_GOOD[verdict]) return `Something does not fit: see "${which}". Send nothing.`
  if (is === 'unknown' && verdict !== 'unknown') return `${SENTENCES[verdict]} Not known: "${which}".`
  return SENTENCES[verdict]
}

function verdictRow(key: KeyState, verdict: KeyVerdict, setup: Setup): ReportRow {
  const { record } = key
  const source = endpointName(setup.endpoints.node)
  if (verdict === 'unknown' || 'unknown' in record)
    return { ...VERDICT, mark: 'unknown', value: `${WORDS.unknown}: ${whyUnknown(key)}`, source }
  const good: Mark = record.level.by === 'proof' ? 'proven' : 'unasked'
  const value = `${WORDS[verdict]}; ${levelWords(record.level)}`
  return { ...VERDICT, mark: IS_GOOD[verdict] ? good : 'refused', value, source }
}

function whyUnknown({ record, operator, uncounted }: KeyState): string {
  if ('unknown' in record) return record.unknown
  if ('unknown' in operator) return operator.unknown
  if ('unknown' in uncounted) return uncounted.unknown
  return 'the operator does not fit the deposits that wait'
}

function levelWords(level: Level): string {
  if (level.by === 'report') return 'reported, not proven'
  return `proven, ${EVIDENCE_TEXT.root(level, rootHeldBy)}`
}

function operatorRow({ operator, block }: KeyState, setup: Setup): ReportRow {
  const { execution, secondExecution } = setup.endpoints
  const shape = {
    step: 'identity',
    id: 'operator',
    label: ROWS_TEXT.operator,
    source: endpointName(execution),
  } as const
  if ('unknown' in operator) return { ...shape, mark: 'unknown', value: operator.unknown }
  const isProven = operator.isProven === true
  const by = isProven ? STORAGE_PROVES : `said by ${endpointsText(operator.saidBy)}`
  const source = `${by}, block ${formatCount(block.number)}`
  const isSilent = secondExecution !== undefined && !isProven && operator.saidBy < 2
  const value = isSilent ? `${source}; ${endpointName(secondExecution)} does not say` : source
  const mark = isSilent ? 'unknown' : 'proven'
  const numbers = { block: block.number, endpointCount: operator.saidBy }
  return sameHex(operator.value, ZERO_ADDRESS)
    ? { ...shape, mark, value: `none; ${value}`, numbers }
    : { ...shape, mark, value, long: operator.value, numbers }
}

function recordRows(key: KeyState, { network, endpoints: at }: Setup): ReportRow[] {
  const held = registeredRecord(key)
  if (held === undefined || 'unknown' in key.record) return []
  const { index, validator, balanceGwei } = held
  const { token } = network.names
  const mark = key.record.level.by === 'proof' ? 'proven' : 'unasked'
  const status = validatorStatus(validator, key.slot / network.spec.slotsPerEpoch)
  const payout = payoutOf(validator.withdrawalCredentials)
  const shape = { step: 'identity', mark, source: endpointName(at.node) } as const
  const stake = `${formatGwei(balanceGwei)} ${token}, effective ${formatGwei(validator.effectiveBalanceGwei)}`
  return [
    {
      ...shape,
      id: 'record',
      label: ROWS_TEXT.record,
      value: `validator ${index}, ${status}, ${stake}, slot ${formatCount(key.slot)}`,
      numbers: {
        index,
        balanceGwei,
        effectiveBalanceGwei: validator.effectiveBalanceGwei,
        slot: key.slot,
      },
    },
    { ...shape, id: 'withdrawal', label: ROWS_TEXT.withdrawal, value: payout.label, long: payout.value },
  ]
}

function depositRows({ uncounted, block }: KeyState, { network, endpoints: at }: Setup): ReportRow[] {
  const { token } = network.names
  const shape = { step: 'identity', id: 'uncounted', label: ROWS_TEXT.uncounted } as const
  const source = endpointName(at.execution)
  const isKnown = !('unknown' in uncounted)
  const isProven = isKnown && uncounted.level.by === 'proof'
  const mark = isProven ? 'proven' : 'unasked'
  /** Where it is proven the mark says so. */
  const level = isKnown && !isProven ? `; ${levelWords(uncounted.level)}` : ''
  const deposits = isKnown ? uncounted.value : uncounted.perhaps
  const rows = deposits.map((deposit): ReportRow => {
    const { amountGwei, blockSlot, index, transactionHash } = deposit
    const value = `${isKnown ? '' : 'perhaps '}${formatGwei(amountGwei)} ${token}, block ${formatCount(blockSlot)}, deposit ${index}${level}`
    const numbers = { amountGwei, block: blockSlot, index }
    return { ...shape, mark, value, long: transactionHash, numbers, source }
  })
  if (!isKnown) return [{ ...shape, mark: 'unknown', value: uncounted.unknown, source }, ...rows]
  return rows.length > 0
    ? rows
    : [{ ...shape, mark, value: `no deposit, up to block ${formatCount(block.number)}${level}`, source }]
}

/** What the chain knows of a key, as fields of a document. */
export type OnChain = Pick<KeysFields, 'onChain' | 'keyState'>

/** Where the chain was not asked. */
export const NOTHING_ON_CHAIN: OnChain = { onChain: null, keyState: null }

/** Returns what is known of a key as fields of a document, each part with who vouches for it. */
function keyStateOf({ slot, block, record, operator, uncounted, set }: KeyState): OnChain['keyState'] {
  return {
    slot,
    block: block.number,
    blockHash: block.hash,
    blockAt: isoTime(Number(block.timestampSeconds) * 1000),
    record: recordOf(record),
    operator: operatorOf(operator),
    uncounted: uncountedOf(uncounted),
    set: 'unknown' in set ? 'unknown' : proofOf(set.proof),
  }
}

function levelOf(level: Level) {
  const { anchors, signed } = level.by === 'proof' ? level : { anchors: 0, signed: undefined }
  return { by: level.by, anchors, signedPercent: signed?.percent ?? 0 }
}

function recordOf(record: KeyState['record']) {
  if ('unknown' in record) return 'unknown'
  const { value, level } = record
  return value === 'absent' ? null : { ...levelOf(level), ...value }
}

function operatorOf(operator: KeyState['operator']) {
  if ('unknown' in operator) return 'unknown'
  return operator.value === ZERO_ADDRESS ? null : { address: operator.value, saidBy: operator.saidBy }
}

function uncountedOf(uncounted: KeyState['uncounted']) {
  if ('unknown' in uncounted) return 'unknown'
  const deposits = uncounted.value.map(({ blockSlot: block, ...deposit }) => ({ ...deposit, block }))
  return { ...levelOf(uncounted.level), deposits }
}
