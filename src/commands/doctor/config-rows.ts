import { BaseError } from '../../core/base/errors/base.ts'
import { ClientError } from '../../core/base/errors/client.ts'
import { endpointName } from '../../core/base/format/endpoint-url.ts'
import { safeText } from '../../core/base/format/text.ts'
import { type LackedFork, lackedForks } from '../../core/chain/consensus/lacked-fork.ts'
import { type ForksOf, isFork, type NamedForks } from '../../core/chain/consensus/named-forks.ts'
import type { Setup } from '../../core/chain/facts.ts'
import { PRESETS } from '../../core/chain/network/presets.ts'
import { getClientVersion, getEthConfig } from '../../core/clients/execution/chain.ts'
import { createExecutionClient, type ExecutionClient } from '../../core/clients/execution/client.ts'
import { clientsOf } from '../../core/observe/context.ts'
import { claimFits, type DepositClaim } from '../../core/steps/genesis/facts.ts'
import { GENESIS_TEXT } from '../../core/steps/genesis/text.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, unknownRow } from './row.ts'
import { DOCTOR_TEXT } from './text.ts'

const { forks: TEXT, contract: CONTRACT, notSaid: NOT_SAID, client: CLIENT } = DOCTOR_TEXT

/**
 * What the execution client is configured for, where it says so: which deposit contract, on which chain, it takes deposits from
 * (`safety.md` #48), and whether it lacks a fork. What the node says is a row of the first step.
 */
export async function configRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const shape = ['genesis', 'execution-contract'] as const
  const source = endpointName(endpoints.execution)
  const notSaid = doctorRow(...shape, { mark: 'unasked', value: NOT_SAID, source })
  try {
    const { chainId, depositContract, forks } = await getEthConfig(execution)
    const claim: DepositClaim = {
      chainIds: [chainId],
      contracts: depositContract === undefined ? [] : [depositContract],
    }
    const mark = claimFits(claim, network) ? 'proven' : 'refused'
    const next = CONTRACT.change(network)
    const value = GENESIS_TEXT.claim(claim, network)
    return [doctorRow(...shape, { mark, value, source, next }), await forkRow(call, setup, forks)]
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'not-offered') return [notSaid]
    return [unknownRow(...shape, { thrown, source })]
  }
}

/**
 * Whether the own execution client lacks a fork that the network's own times or the second endpoint name. What the second one alone
 * names is no fault: it is not known.
 */
async function forkRow(call: Call, setup: Setup, own: NamedForks): Promise<ReportRow> {
  const { second } = clientsOf({ effects: call.effects, setup })
  const others = second === undefined ? [] : await forksNamedBy(second)
  const nowMs = call.effects.clock.nowMs()
  const nowSeconds = BigInt(Math.floor(nowMs / 1000))
  const lacked = lackedForks(own, others, { network: setup.network, nowSeconds })
  const [worst] = lacked.toSorted((a, b) => Number(b.isAgreed) - Number(a.isAgreed))
  const source = [setup.endpoints.execution, ...(second === undefined ? [] : [second.label])]
  const next = isFork(own.next) ? own.next.atSeconds : undefined
  return doctorRow('genesis', 'execution-forks', {
    mark: markOf(worst),
    value: worst === undefined ? TEXT.none(next) : TEXT.lacks(worst, nowMs),
    source: source.map(endpointName).join(', '),
    next: worst?.isAgreed === true ? TEXT.upgrade : TEXT.look,
  })
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

/** What a client of the kind that the built-in networks have given up calls itself. */
const RETIRED = /^(?:bera-?)?geth\b/i

/**
 * Returns the name and version of the execution client, by its own public answer: the script of the network's support asks for the
 * same with the JWT secret. On a built-in network one that follows the chain no more is refused.
 */
export async function clientRow(call: Call, { endpoints, network }: Setup): Promise<ReportRow> {
  const shape = ['status', 'execution-client'] as const
  const source = endpointName(endpoints.execution)
  try {
    const version = await getClientVersion(createExecutionClient(call.effects, endpoints.execution))
    const isRetired = PRESETS.some(({ id }) => id === network.id) && RETIRED.test(version)
    const value = isRetired ? CLIENT.retired(safeText(version, 60)) : safeText(version, 60)
    return doctorRow(...shape, { mark: isRetired ? 'refused' : 'given', value, source, next: CLIENT.change })
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'not-offered')
      return unknownRow(...shape, { thrown, source })
    return doctorRow(...shape, { mark: 'unasked', value: NOT_SAID, source })
  }
}
