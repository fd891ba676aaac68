import { formatCount, formatGwei } from '../core/base/format/amount.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import type { NodeSetup, Setup } from '../core/chain/facts.ts'
import { getChainId } from '../core/clients/execution/chain.ts'
import { type DepositSums, readDepositSums } from '../core/clients/read-deposit-sums.ts'
import { clientsOf } from '../core/observe/context.ts'
import type { Call } from './command.ts'
import type { DepositsPlanFields } from './documents/topup-plan.ts'
import { PLACE_ROWS_TEXT } from './place-rows-text.ts'
import type { Report } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { endpointsText, ROWS_TEXT } from './rows-text.ts'

/**
 * What deposit events say where no node API is named: never who has a place. Throws a `ClientError` where the first
 * execution endpoint does not answer.
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
  const chainId = await getChainId(execution)
  if (chainId !== network.executionChainId) return report([otherChain(chainId, setup)], null)
  const sums = await readDepositSums({ execution, second }, network.spec, ({ block, questions }) => {
    if (questions < MANY) return
    io.err(`Reading all deposits up to block ${formatCount(block)}: ${formatCount(questions)} questions.`)
  })
  return report(sumRows(sums, setup), 'unknown' in sums ? 'unknown' : sumFields(sums))
}

type SumFields = DepositsPlanFields

function sumFields({ block, deposits, genesis, keys, sumGwei, keysAtThreshold, endpoints }: DepositSums) {
  return {
    block,
    count: deposits,
    genesisCount: Number(genesis),
    keyCount: keys,
    sumGwei,
    keysAtThresholdCount: keysAtThreshold,
    endpointCount: endpoints,
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
  const source = endpointName(endpoints.execution)
  if ('unknown' in sums) return [{ ...ROW, mark: 'unknown', value: sums.unknown, source }]
  const { token } = network.names
  const { deposits, keys, sumGwei, keysAtThreshold, genesis, block, endpoints: by } = sums
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
      `${count(deposits)} for ${count(keys)} keys, ${formatGwei(sumGwei)} ${token} in all, up to block ${count(block)}; reported by ${endpointsText(by)}`,
    ),
    row(
      'paid-in',
      PLACE_ROWS_TEXT.paidIn,
      `${count(keysAtThreshold)} of these keys were given ${threshold} or more; which of them left, or lost it, no event says`,
    ),
    row('genesis-deposits', PLACE_ROWS_TEXT.genesisDeposits, `${count(genesis)} more, without an event`),
  ]
}
