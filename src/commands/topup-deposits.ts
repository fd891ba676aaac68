import { badUsage, programError } from '../core/base/errors/base.ts'
import { formatCount, formatGwei } from '../core/base/format/amount.ts'
import { cellsOf, padLeft } from '../core/base/format/drawable.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { safeText } from '../core/base/format/text.ts'
import {
  type EntryCost,
  NO_KEY_YET,
  type PlaceCost,
  type PlaceStep,
  placeCost,
} from '../core/chain/consensus/place-cost.ts'
import { type SetSnapshot, snapshotSource } from '../core/chain/consensus/snapshot.ts'
import type { NodeSetup, Setup } from '../core/chain/facts.ts'
import { unlessSilent } from '../core/clients/ask-as-service.ts'
import { getChainId } from '../core/clients/execution/chain.ts'
import { type DepositSums, readDepositSums } from '../core/clients/read-deposit-sums.ts'
import { clientsOf } from '../core/observe/context.ts'
import { PLACE_COST_TEXT as TEXT } from '../core/view/place-cost-text.ts'
import type { Call } from './command.ts'
import type { DepositsPlanFields, NewKeyPlanFields } from './documents/topup-plan.ts'
import { levelRows, type NamedValidator, proofOf, validatorOf } from './outlook-rows.ts'
import { PLACE_ROWS_TEXT } from './place-rows-text.ts'
import type { Report } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { endpointsText, ROWS_TEXT } from './rows-text.ts'
import { savedEndpoints } from './setup.ts'

/**
 * What deposit events say where no node API is named: never who has a place. Throws a `ClientError` where no execution
 * endpoint answers.
 */
export async function depositsReport({ effects, io }: Call, setup: NodeSetup): Promise<Report<SumFields>> {
  const { network } = setup
  const { execution, second } = clientsOf({ effects, setup })
  const places: ReportRow = {
    step: 'topup',
    id: 'places',
    label: PLACE_ROWS_TEXT.places,
    mark: 'unknown',
    value: 'not known: deposits do not say who is in the active set; a node API does',
    source: '',
    next: NEXT,
  }
  const report = (rows: readonly ReportRow[], sums: SumFields['deposits']): Report<SumFields> => ({
    document: 'topup-plan-deposits',
    network: network.id,
    rows: [places, ...rows],
    sentence: ({ is }) => (is === 'no' ? `These deposits are not of ${network.label}.` : SENTENCE),
    data: { deposits: sums },
  })
  const chainId =
    second === undefined
      ? await getChainId(execution)
      : ((await unlessSilent(getChainId(execution))) ?? (await getChainId(second)))
  if (chainId !== network.executionChainId) return report([otherChain(chainId, setup)], null)
  const sums = await readDepositSums({ execution, second }, network.spec, ({ block, questions }) => {
    if (questions < MANY) return
    io.err(`Reading all deposits up to block ${formatCount(block)}: ${formatCount(questions)} questions.`)
  })
  return report(sumRows(sums, setup), 'unknown' in sums ? 'unknown' : sumFields(sums))
}

type SumFields = DepositsPlanFields

function sumFields({ block, deposits, genesis, keys, sumGwei, keysAtThreshold, by }: DepositSums) {
  return {
    block,
    count: deposits,
    genesisCount: Number(genesis),
    keyCount: keys,
    sumGwei,
    keysAtThresholdCount: keysAtThreshold,
    endpointCount: by.length,
  }
}

const NEXT =
  'Add --node URL: the node API of anybody who runs a node. The execution endpoint proves what it says.'
const SENTENCE = 'What a place costs now is not known: add --node URL.'

function otherChain(chainId: number, { network, endpoints }: Setup): ReportRow {
  return {
    ...ROW,
    label: ROWS_TEXT.chain,
    id: 'chain',
    mark: 'refused',
    value: `chain id ${chainId}, not that of ${network.label} (${network.executionChainId})`,
    source: endpointName(endpoints.execution),
  }
}

/** So many questions take longer than one waits without a word. */
const MANY = 50n

const ROW = { step: 'topup', id: 'deposits', label: PLACE_ROWS_TEXT.deposits } as const

function sumRows(sums: DepositSums | { unknown: string }, { network, endpoints }: Setup): ReportRow[] {
  if ('unknown' in sums)
    return [{ ...ROW, mark: 'unknown', value: sums.unknown, source: endpointName(endpoints.execution) }]
  const { token } = network.names
  const { deposits, keys, sumGwei, keysAtThreshold, genesis, block, by, leftOut } = sums
  const [source = ''] = by
  const count = (value: number | bigint) => formatCount(BigInt(value))
  const row = (id: string, label: string, value: string): ReportRow => ({
    ...ROW,
    id,
    label,
    mark: 'unasked',
    value,
    source,
  })
  const threshold = `${formatGwei(network.spec.activationBalanceGwei)} ${token}`
  return [
    row(
      'deposits',
      PLACE_ROWS_TEXT.deposits,
      `${count(deposits)} for ${count(keys)} keys, ${formatGwei(sumGwei)} ${token} in all, up to block ${count(block)}; reported by ${endpointsText(by.length)}${leftOut === undefined ? '' : `. ${leftOut}`}`,
    ),
    row(
      'paid-in',
      PLACE_ROWS_TEXT.paidIn,
      `${count(keysAtThreshold)} of these keys were given ${threshold} or more; which of them left, or lost it, no event says`,
    ),
    row('genesis-deposits', PLACE_ROWS_TEXT.genesisDeposits, `${count(genesis)} more, without an event`),
  ]
}

/** Who a plan is for: a validator, a key that is still to be made, or nobody, where only deposits can be read. */
export type PlannedFor = NamedValidator | 'new-key' | 'deposits'

/**
 * The validator that is named, else that of the home. Who plans the money has neither: where a node is named it is planned for
 * a key that is still to be made; by execution endpoints alone only the deposits can be told. Throws as `validatorOf`.
 */
export async function plannedFor(call: Call, setup: NodeSetup): Promise<PlannedFor> {
  const { options, effects } = call
  const isNamed = options.validator !== undefined || options.pubkey !== undefined
  if (isNamed || (await effects.files.facts(setup.homePath)) !== undefined) return validatorOf(call, setup)
  const isRehearsal = options.devnet !== undefined || options.network === 'rehearsal'
  if (isRehearsal) return 'new-key'
  const saved = await savedEndpoints(call, setup.network)
  const node = options.node ?? saved.node
  const execution = options.execution ?? saved.execution
  if (execution !== undefined) return node === undefined ? 'deposits' : 'new-key'
  if (node !== undefined) throw noExecution(setup)
  throw programError('usage.no-home', safeText(setup.homePath, 500), [
    'Give the directory that the node runs with: --home DIR. Or name a validator with --validator.',
    'For what a place costs now, without either: --execution URL and --node URL.',
    'Of --execution URL alone comes what the deposits say, and not who has a place.',
    ...publicOne(setup),
  ])
}

/** A node alone proves nothing, and nobody is asked whom nobody named. */
function noExecution(setup: Setup) {
  const [instead = ''] = publicOne(setup)
  return badUsage({
    sentence: 'No execution endpoint is named: its chain is what proves the set of the node.',
    next: `Add --execution URL. ${instead}`.trimEnd(),
  })
}

const publicOne = ({ network: { label, publicExecution } }: Setup): string[] =>
  publicExecution === undefined ? [] : [`A public execution endpoint of ${label} is ${publicExecution}.`]

type NewKey = { amountGwei: bigint | undefined; setup: Setup }

/** What a key that does not exist yet needs for a place, and whether an amount, first deposit and top-up in one, is enough. */
export function newKeyReport(snapshot: SetSnapshot, { amountGwei, setup }: NewKey): Report<NewKeyPlanFields> {
  const cost = placeCost(snapshot, setup.network)
  const { entry, steps, now, waiting } = cost
  const { token } = setup.network.names
  const isEnough = entry !== undefined && (amountGwei === undefined || amountGwei >= entry.allGwei)
  const good = snapshot.proof === undefined ? 'unasked' : 'proven'
  const none: ReportRow = { ...ENTRY, mark: 'refused', value: NO_PLACE }
  const rows = entry === undefined ? [none] : entryRows(entry, setup)
  return {
    document: 'topup-plan-new-key',
    network: setup.network.id,
    rows: [
      ...placeRows(cost, { snapshot, setup }),
      ...rows.map((row): ReportRow => ({ ...row, mark: isEnough ? good : 'refused' })),
      ...levelRows(snapshot, NO_KEY_YET, setup),
    ],
    sentence: () => newKeySentence(entry, { isEnough, isProven: snapshot.proof !== undefined, token }),
    data: {
      proof: proofOf(snapshot.proof),
      slot: snapshot.consensus.slot,
      amountGwei,
      forecast: entry?.forecast,
      wholeWayGwei: entry?.allGwei,
      places: now,
      waiting: {
        count: waiting.count,
        sumGwei: waiting.sumGwei,
        wholeWayWithoutGwei: waiting.entry?.allGwei,
      },
      steps,
    },
    notes: stepLines(steps, token),
  }
}

function newKeySentence(
  entry: EntryCost | undefined,
  { isEnough, isProven, token }: { isEnough: boolean; isProven: boolean; token: string },
): string {
  if (entry === undefined) return `No: ${NO_PLACE}.`
  const all = amountWords(entry.allGwei, token)
  if (!isEnough) return `Not enough for a place with a margin: that needs ${all} in all now.`
  return isProven
    ? `A place needs ${all} in all now.`
    : `A place needs ${all} in all now: reported, not proven.`
}

/** How full the set is, what the last one has, and what waits: told as the set itself is. */
function placeRows(
  { now, entry, waiting }: PlaceCost,
  { snapshot, setup }: { snapshot: SetSnapshot; setup: Setup },
): ReportRow[] {
  const { token } = setup.network.names
  const source = snapshot.proof === undefined ? endpointName(setup.endpoints.node) : snapshotSource(snapshot)
  const mark = snapshot.proof === undefined ? 'unasked' : 'proven'
  const row = (id: string, label: string, value: string): ReportRow => ({
    step: 'topup',
    id,
    label,
    mark,
    value,
    source,
  })
  const { taken, places, last } = now
  const holder = last === undefined ? TEXT.noneActive : TEXT.last(last.stakeGwei, token)
  const amount = amountWords(waiting.sumGwei, token)
  const change = TEXT.change(waiting.entry?.allGwei, entry?.allGwei, token)
  return [
    row('places', PLACE_ROWS_TEXT.places, TEXT.taken(taken, places)),
    {
      ...row('last-place', PLACE_ROWS_TEXT.lastPlace, holder),
      ...(last === undefined ? {} : { long: last.pubkey }),
    },
    ...(waiting.count === 0
      ? []
      : [row('waiting', PLACE_ROWS_TEXT.waiting, `${TEXT.waiting(waiting.count, amount)}; ${change}`)]),
  ]
}

/** What steps around it buy: amounts below one another. */
function stepLines(steps: readonly PlaceStep[], token: string): string[] {
  const amounts = steps.map(({ allGwei }) => amountWords(allGwei, token))
  const widest = Math.max(0, ...amounts.map(cellsOf))
  const lines = steps.map((step, at) => `${padLeft(amounts[at] ?? '', widest)}  ${TEXT.step(step)}`)
  return lines.length === 0 ? [] : [TEXT.steps, ...lines]
}

/** Returns the whole way as a line of the report. */
export function entryRows(entry: EntryCost | undefined, setup: Setup): ReportRow[] {
  if (entry === undefined) return []
  const { minimumDepositGwei, names } = setup.network
  const parts = `a first deposit of ${amountWords(minimumDepositGwei, names.token)}, then a top-up of ${amountWords(entry.topUpGwei, names.token)}`
  const value = `${amountWords(entry.allGwei, names.token)} in all: ${parts}`
  return [{ ...ENTRY, mark: 'unasked', value }]
}

const NO_PLACE = 'no amount reaches a place in this set'
const ENTRY = { step: 'topup', id: 'entry', label: ROWS_TEXT.entry, source: 'computed here' } as const

/** Returns an amount with its token. */
export function amountWords(amountGwei: bigint, token: string): string {
  return `${formatGwei(amountGwei)} ${token}`
}
