import { BaseError, failureWords } from '../../core/base/errors/base.ts'
import { ClientError } from '../../core/base/errors/client.ts'
import { endpointName } from '../../core/base/format/endpoint-url.ts'
import { type LackedFork, lackedForks } from '../../core/chain/consensus/lacked-fork.ts'
import { type ForksOf, isFork, type NamedForks } from '../../core/chain/consensus/named-forks.ts'
import type { Setup } from '../../core/chain/facts.ts'
import { getEthConfig } from '../../core/clients/execution/chain.ts'
import type { ExecutionClient } from '../../core/clients/execution/client.ts'
import { clientsOf } from '../../core/observe/context.ts'
import { errorFacts } from '../../core/view/observation.ts'
import type { StepId } from '../../core/view/view.ts'
import type { Call } from '../command.ts'
import { nextOf, type ReportRow } from '../report-lines.ts'
import { DOCTOR_TEXT } from './text.ts'

/** The rows of the page that no step has. */
export type DoctorRowId = keyof typeof DOCTOR_TEXT.labels

/** Returns one line of the page. */
export function doctorRow(
  step: StepId,
  id: DoctorRowId,
  part: Pick<ReportRow, 'mark' | 'value' | 'source' | 'next' | 'numbers'>,
): ReportRow {
  return { step, id, label: DOCTOR_TEXT.labels[id], ...part }
}

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

const { forks: TEXT } = DOCTOR_TEXT
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
    value: worst === undefined ? TEXT.none(next) : TEXT.lacks(worst, nowMs),
    source: source.map(endpointName).join(', '),
    numbers: leftMs === undefined ? {} : { leftMs },
    next: worst?.isAgreed === true ? TEXT.upgrade(leftMs !== undefined && leftMs <= 0) : TEXT.look,
  })
}

/** The same for a command, asked of the own execution client first; no row where that one does not say which forks it has. */
export async function ownForkRows(step: StepId, { call, setup }: Asking): Promise<ReportRow[]> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  try {
    const { forks } = await getEthConfig(execution)
    return [await forkRow(step, forks, { call, setup })]
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    if (thrown.fault === 'not-offered') return []
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
