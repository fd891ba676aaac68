import { BaseError, failureWords } from '../../core/base/errors/base.ts'
import { ClientError } from '../../core/base/errors/client.ts'
import { formatDuration, formatMinute } from '../../core/base/format/amount.ts'
import { endpointName } from '../../core/base/format/endpoint-url.ts'
import {
  type ForksOf,
  isFork,
  type LackedFork,
  lackedForks,
  type NamedForks,
} from '../../core/chain/consensus/fork-outlook.ts'
import type { Setup } from '../../core/chain/facts.ts'
import { getEthConfig } from '../../core/clients/execution/chain.ts'
import type { ExecutionClient } from '../../core/clients/execution/client.ts'
import { clientsOf } from '../../core/observe/context.ts'
import { SAME_HEADS } from '../../core/observe/findings.ts'
import { errorFacts } from '../../core/view/observation.ts'
import type { StepId } from '../../core/view/view.ts'
import type { Call } from '../command.ts'
import { nextOf, type ReportRow } from '../report-lines.ts'

/** What each row of the page is called that no step has. */
const labels = {
  homeVerdict: 'key of the home',
  'standby-key': 'key',
  standby: 'key elsewhere',
  signed: 'set’s signature',
  'key-state': 'state of the key',
  'execution-peers': 'execution peers',
  'few-peers': 'few peers',
  'tool-version': 'node tool version',
  'execution-contract': 'contract by execution',
  'execution-forks': 'forks by execution',
  'execution-client': 'execution client',
  precompiles: 'precompiles',
  proofs: 'proof endpoints',
  anchor: 'anchor',
  'second-anchor': 'second anchor',
  head: 'head',
  sync: 'sync',
  age: 'age of the head',
  advance: 'head advances',
  'same-block': SAME_HEADS,
  interval: 'block interval',
  clock: 'clock',
  proxy: 'proxy',
} as const

type DoctorRowId = keyof typeof labels

/** What a row of the page says. */
export type DoctorPart = Pick<ReportRow, 'mark' | 'value' | 'long' | 'next' | 'numbers'>

/** Returns one line of the page. */
export function doctorRow(
  step: StepId,
  id: DoctorRowId,
  part: DoctorPart & Pick<ReportRow, 'source'>,
): ReportRow {
  return { ...part, step, id, label: labels[id] }
}

/** Returns one line of what `ask` finds out, or why it could not; `isOptional`: one that does not offer it is no fault. */
export async function askedRow(
  step: StepId,
  id: DoctorRowId,
  asked: { source: string; isOptional?: true; ask: () => Promise<DoctorPart> },
): Promise<ReportRow> {
  const { source, isOptional = false, ask } = asked
  try {
    return doctorRow(step, id, { ...(await ask()), source })
  } catch (thrown) {
    return isOptional && isNotOffered(thrown)
      ? doctorRow(step, id, { mark: 'unasked', value: 'it does not say', source })
      : unknownRow(step, id, { thrown, source })
  }
}

const isNotOffered = (thrown: unknown) => thrown instanceof ClientError && thrown.fault === 'not-offered'

/** Returns a line that could not be found out: the failure in words, and what may help. */
export function unknownRow(
  step: StepId,
  id: DoctorRowId,
  failed: { thrown: unknown; source: string },
): ReportRow {
  const error = errorFacts(failed.thrown)
  const part = { mark: 'unknown', value: failureWords(error), source: failed.source } as const
  return doctorRow(step, id, { ...part, ...nextOf(error) })
}

type Asking = { call: Call; setup: Setup }

/**
 * Whether the own execution client lacks a fork that the network's own times or the second endpoint name. What the second one alone
 * names is no fault: it is not known.
 */
export async function forkRow(step: StepId, own: NamedForks, { call, setup }: Asking): Promise<ReportRow> {
  const { second } = clientsOf({ effects: call.effects, setup })
  const others = second === undefined ? [] : await forksNamedBy(second)
  const nowMs = call.effects.clock.nowMs()
  const nowSeconds = BigInt(Math.floor(nowMs / 1000))
  const lacked = lackedForks(own, others, { network: setup.network, nowSeconds })
  const [worst] = lacked.toSorted((a, b) => Number(b.isAgreed) - Number(a.isAgreed))
  const source = [setup.endpoints.execution, ...(second === undefined ? [] : [second.label])]
  const next = isFork(own.next) ? own.next.atSeconds : undefined
  const leftMs = worst && Number(worst.atSeconds) * 1000 - nowMs
  return doctorRow(step, 'execution-forks', {
    mark: markOf(worst),
    value: worst === undefined ? noneLacked(next) : lackedWords(worst, nowMs),
    source: source.map(endpointName).join(', '),
    numbers: leftMs === undefined ? {} : { leftMs },
    next:
      worst?.isAgreed === true
        ? upgradeWords(leftMs !== undefined && leftMs <= 0)
        : 'look at the announcements of the network; a second endpoint of another host would settle it',
  })
}

function noneLacked(nextSeconds: bigint | undefined): string {
  return nextSeconds === undefined
    ? 'no fork is named that it lacks'
    : `no fork is named that it lacks; its next one is on ${formatMinute(Number(nextSeconds) * 1000)}`
}

function lackedWords({ atSeconds, by, isAgreed }: LackedFork, nowMs: number): string {
  const atMs = Number(atSeconds) * 1000
  const when = atMs > nowMs ? `in ${formatDuration(atMs - nowMs)}` : `${formatDuration(nowMs - atMs)} ago`
  const fork = `the fork of ${formatMinute(atMs)}, ${when}`
  return isAgreed
    ? `lacks ${fork}, named by ${by.join(' and ')}`
    : `${by.join(' and ')} alone names ${fork}; this client does not`
}

function upgradeWords(isBegun: boolean): string {
  return isBegun
    ? 'install the release of the execution client that knows it, and that of the node software if there is one, and restart them now'
    : 'install the release of the execution client that knows it, and that of the node software if there is one, and restart them before it begins'
}

/** The same for a command, asked of the own execution client first; no row where that one does not say which forks it has. */
export async function ownForkRows(step: StepId, { call, setup }: Asking): Promise<ReportRow[]> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  try {
    const { forks } = await getEthConfig(execution)
    return [await forkRow(step, forks, { call, setup })]
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    if (isNotOffered(thrown)) return []
    return [unknownRow(step, 'execution-forks', { thrown, source: endpointName(setup.endpoints.execution) })]
  }
}

const markOf = (lacked: LackedFork | undefined) => {
  if (lacked === undefined) return 'proven'
  return lacked.isAgreed ? 'refused' : 'unknown'
}

/** Nothing where that endpoint does not say it. */
async function forksNamedBy(client: ExecutionClient): Promise<ForksOf[]> {
  try {
    const { forks } = await getEthConfig(client)
    return [{ name: endpointName(client.label), forks }]
  } catch (thrown) {
    if (thrown instanceof BaseError) return []
    throw thrown
  }
}
