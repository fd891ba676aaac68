import { formatCount, formatGwei } from '../core/base/format/amount.ts'
import { isoTime } from '../core/base/format/document.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { type Next, namesKey, parts } from '../core/base/format/next.ts'
import { EPOCHS_AHEAD } from '../core/chain/consensus/outlook.ts'
import type { SetSnapshot } from '../core/chain/consensus/snapshot.ts'
import { queuedCommands } from '../core/chain/deposit/operator-command.ts'
import type { Facts, Setup } from '../core/chain/facts.ts'
import { describeStanding, type Standing } from '../core/chain/key-state/standing.ts'
import { guardRows } from '../core/observe/guard-rows.ts'
import { GUARD_SENT_TEXT } from '../core/observe/guard-text.ts'
import { besideGuard, type GuardStanding, type UnreadFile } from '../core/observe/picture.ts'
import { COMMITMENT_TEXT, commitmentsFor } from '../core/pay/gate/commitments.ts'
import {
  initialStatus,
  type StatusEvent,
  type StatusState,
  statusTransition,
} from '../core/steps/status/machine.ts'
import { askStatus } from '../core/steps/status/observe-commands.ts'
import { statusView } from '../core/steps/status/view.ts'
import type { AlarmView } from '../core/view/alarm-view.ts'
import { answerOf, known } from '../core/view/observation.ts'
import type { Problem } from '../core/view/view.ts'
import type { ExitCode } from '../output/io.ts'
import { openAlarms } from '../watch/keep-alarms.ts'
import { topUpCommand } from '../watch/words.ts'
import { type Call, commandOf } from './command.ts'
import { ownForkRows } from './doctor/doctor-row.ts'
import type { StatusFields } from './documents/status.ts'
import {
  ageRows,
  indexRows,
  levelRows,
  outlookRows,
  rescueWords,
  subjectOf,
  validatorOf,
} from './outlook-rows.ts'
import { problemNotes, type Report, type ReportEnding, reportRows, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT, UNREAD_TEXT } from './rows-text.ts'
import { readOnlyContext, setupOf } from './setup.ts'
import { guardsOf } from './watch-guards.ts'

/** The command `status`. */
export const status = commandOf('status', run)

async function run(call: Call): Promise<ExitCode> {
  const setup = await setupOf(call)
  const validator = await validatorOf(call, setup)
  const { pubkey, isOwn } = validator
  const facts = factsOf(pubkey)
  const [state, forks, { lying, unread }] = await Promise.all([
    observeStatus(call, setup, facts, pubkey),
    isOwn ? ownForkRows('status', { call, setup }) : [],
    keptHere(call, setup, pubkey),
  ])
  const snapshot = known(state.observed.snapshot)
  const guard = lying && besideParts(lying, snapshot, setup)
  const view = statusView({ ...state, guard }, facts, setup, { isPaidUp: false })
  const age = snapshot === undefined ? [] : ageRows(snapshot, { effects: call.effects, setup })
  const standing = snapshot && describeStanding(snapshot, pubkey, setup)
  const danger =
    snapshot &&
    standing?.deadline &&
    besideGuard(standing.deadline, guard, { slot: snapshot.consensus.slot, network: setup.network })
  const lacksFork = forks.some(({ mark }) => mark === 'refused')
  // Which key the node runs with is a question about one's own home only.
  const ids = ['status', 'balance', 'rank', 'power', 'pool', ...(isOwn ? ['tool', 'node'] : [])]
  const rows = reportRows('status', view.facts, ids)
    .filter(({ value, long }) => value !== '' || long !== undefined)
    .map(atLast)
  const wallets = queuedCommands(state.operator, { pubkey, contract: setup.network.spec.depositContract })
  const guards = reportRows('status', guardRows(guard, setup)).map(asGiven)
  const unreads = unreadRows(unread)
  const isUnheld = guards.some(({ mark }) => mark === 'refused')
  const report: Report<StatusFields> = {
    document: 'status',
    network: setup.network.id,
    rows:
      snapshot === undefined
        ? [...rows, ...forks, ...guards, ...unreads]
        : [
            ...indexRows(validator, snapshot, setup),
            ...rows,
            ...forks,
            ...guards,
            ...unreads,
            ...outlookRows(standing?.numbers.outlook, { snapshot, setup, atRisk: 'refused' }),
            ...levelRows(snapshot, pubkey, setup),
            ...age,
          ],
    data: {
      ...subjectOf(snapshot, pubkey, setup),
      ...numbersOf(standing, setup),
      engine: answerOf(state.observed.engine),
      tool: isOwn ? answerOf(state.observed.tool) : null,
      timeline: (view.timeline ?? []).map(({ id, state, ...words }) => ({ id, state, words })),
      alarms: state.alarms.map(alarmFields),
      operatorCommands: state.operator === undefined ? 'unknown' : wallets.map(({ command }) => command),
    },
    notes: [
      ...problemNotes(withCommand(view.problem, danger, { pubkey, setup })),
      ...state.fileFaults,
      ...alarmNotes(state),
      ...wallets.map(({ label, command }) => parts`  ${label}: ${{ command }}`),
    ],
    sentence: (outcome: ReportEnding) =>
      sentenceOf(outcome, snapshot, standing, {
        setup,
        lacksFork,
        isUnheld,
        isUnread: unreads.length > 0,
        isOld: age.length > 0,
        danger,
      }),
  }
  return tellReport(report, call)
}

/** Returns a guard as it is told beside a set: while a part of the stake waits to be paid out no amount of it may go out. */
export function besideParts(guard: GuardStanding, set: SetSnapshot | undefined, setup: Setup): GuardStanding {
  const parts = commitmentsFor(NOTHING_KEPT, { pubkey: guard.pubkey, set }).filter(({ is }) => is === 'part')
  if (parts.length === 0 || guard.stand !== 'armed') return guard
  const causes = { 'cannot-send': parts.map((part) => COMMITMENT_TEXT.say(part, setup.network)) }
  return { ...guard, troubles: ['cannot-send'], causes }
}

/** There is no key to press here: what a key of the step leads to is named by its command. */
function withCommand(
  problem: Problem | undefined,
  danger: DangerBeside | undefined,
  { pubkey, setup }: { pubkey: Hex; setup: Setup },
): Problem | undefined {
  const amountGwei = danger?.danger.rescue?.leastTopUpGwei
  const leads = problem?.next.some((next) => namesKey(next, 't')) === true
  if (problem === undefined || amountGwei === undefined || !leads) return problem
  const { network, own } = setup
  return {
    ...problem,
    next: [{ command: topUpCommand({ pubkey }, amountGwei, { network, wizardOptions: own?.wizard ?? [] }) }],
  }
}

type DangerBeside = ReturnType<typeof besideGuard>

type Subject = {
  setup: Setup
  lacksFork: boolean
  isUnheld: boolean
  isUnread: boolean
  isOld: boolean
  danger: DangerBeside | undefined
}

function sentenceOf(
  { is, which, bad }: ReportEnding,
  snapshot: SetSnapshot | undefined,
  standing: Standing | undefined,
  { setup, lacksFork, isUnheld, isUnread, isOld, danger }: Subject,
): string {
  if (is === 'unknown' || snapshot === undefined || standing === undefined)
    return `Not certain: see "${which}".`
  const { numbers, sentences } = standing
  if (numbers.own === undefined) return 'Not registered: the beacon state does not hold this key.'
  // What is still to come of an old set may have come.
  if (danger !== undefined)
    return isOld
      ? `Not certain: see "${ROWS_TEXT.age}".`
      : `It ${sentences.place}. ${besideWords(danger, snapshot, setup)}`
  if (sentences.stake !== undefined) return `It ${sentences.place}, for ever. ${sentences.stake}`
  const from = numbers.outlook?.activeAtEpoch
  // Nothing is wrong with one that waits for its turn.
  if (is === 'no' && bad === 1 && from !== undefined)
    return `Not active yet: from epoch ${formatCount(from)} on, if nothing else happens.`
  if (is === 'yes') return `Active; it keeps its place at the next ${EPOCHS_AHEAD} epoch boundaries.`
  if (bad === 1 && lacksFork) return `Its execution client lacks a fork that is named: see "${which}".`
  if (bad === 1 && isUnheld) return `Its guard does nothing: see "${which}".`
  if (bad === 1 && isUnread) return `A journal here can’t be read: see "${which}".`
  return `Not active as it should be: see "${which}".`
}

/** Where the validator stands, in the names of the node API and in numbers; null where the set does not hold it. */
function numbersOf(standing: Standing | undefined, { network }: Setup) {
  const [places, unknown] = [network.spec.validatorSetCap, 'unknown' as const]
  if (standing === undefined)
    return { status: unknown, rank: unknown, places, balanceGwei: unknown, validator: unknown }
  const { own, status, place } = standing.numbers
  return { status, rank: place?.rank, places, balanceGwei: own?.balanceGwei, validator: own?.validator }
}

/** An alarm under the names that an event of a watch has. */
function alarmFields({ id, alarm, severity, acknowledged, title, what, ...rest }: AlarmView) {
  const { next, command: nextCommand, sinceMs, last } = rest
  const until = last && { epoch: last.epoch, slot: last.slot, at: isoTime(last.atMs) }
  const words = { title, what, next: nextCommand ?? next }
  return { id, alarm, severity, acknowledged, since: isoTime(sinceMs), until, words }
}

/** A single look does not wait: what is awaited is not so now. */
function atLast(row: ReportRow): ReportRow {
  return row.mark === 'asking' ? { ...row, mark: 'refused' } : row
}

/** What a guard has sent is on its way: nothing is uncertain of it. */
function asGiven(row: ReportRow): ReportRow {
  return row.mark === 'asking' ? { ...row, mark: 'given' } : row
}

/** A row for each journal here that can't be read: what is open in it isn't known, of whichever validator it is. */
function unreadRows(unread: readonly UnreadFile[] = []): ReportRow[] {
  return unread.map(
    ({ path, why }, at): ReportRow => ({
      step: 'status',
      id: `journal.${at}`,
      label: UNREAD_TEXT.label,
      mark: 'refused',
      value: UNREAD_TEXT.value,
      long: UNREAD_TEXT.file(path, why),
      source: COMMITMENT_TEXT.source,
      next: UNREAD_TEXT.next,
    }),
  )
}

/** What a step knows of a key when nothing else of a registration is known. */
function factsOf(pubkey: Hex): Facts {
  return { identity: { pubkey, uncompressedPubkey: '0x', address: '', key: { kind: 'elsewhere' } } }
}

/** What keeps the place: what the guard has sent, or an amount and until when. */
function besideWords(
  { danger, sentGwei, isEnough }: DangerBeside,
  snapshot: SetSnapshot,
  setup: Setup,
): string {
  const { rescue } = danger
  const sent = `${formatGwei(sentGwei)} ${setup.network.names.token}`
  if (isEnough && rescue !== undefined)
    return GUARD_SENT_TEXT.isEnough(sent, formatCount(rescue.lastGoodBlock))
  return rescueWords(rescue, snapshot, setup)
}

/** What the rules of a watch find in one look, in its words. A look cannot tell for how long it is so. */
function alarmNotes({ alarms }: StatusState): Next[] {
  return alarms.flatMap(({ severity, title, what, next, command }) => {
    const todo: Next | undefined = command === undefined ? next : { command }
    return [`${severity}: ${title}`, `  ${what}`, ...(todo === undefined ? [] : [parts`  next: ${todo}`])]
  })
}

type KeptHere = { lying: GuardStanding | undefined; unread: readonly UnreadFile[] | undefined }

/** The guard of the validator as it lies here, and the journals that can't be read: journals and locks are only read. */
async function keptHere(call: Call, setup: Setup, pubkey: Hex): Promise<KeptHere> {
  const { node, execution, secondExecution } = setup.endpoints
  const executions = secondExecution === undefined ? [execution] : [execution, secondExecution]
  const endpoints = { node: [node], execution: executions, engine: [] }
  const guards = await guardsOf(call, { setup, endpoints, validators: [{ pubkey }] })
  try {
    await guards?.looked()
    const { guards: [lying] = [], unread } = guards?.pictures() ?? {}
    return { lying, unread }
  } finally {
    await guards?.close()
  }
}

/** This command asks for no request, so that the journals need not be read. */
const NOTHING_KEPT = { guards: [], payments: 'unknown', windows: [] } as const

async function observeStatus(call: Call, setup: Setup, facts: Facts, pubkey: Hex): Promise<StatusState> {
  let state = initialStatus
  const context = readOnlyContext(call, setup, (event: StatusEvent) => {
    const [next] = statusTransition(state, event)
    state = next
  })
  await askStatus(
    {
      ...context,
      openAlarms,
      keepGuard: async () => undefined,
      guardsSeen: () => [],
      kept: async () => NOTHING_KEPT,
      facts: () => facts,
    },
    () => state,
    pubkey,
  )
  return state
}
