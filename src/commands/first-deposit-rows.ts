import { type Hex, sameHex, ZERO_ADDRESS } from '../core/base/format/hex.ts'
import type { Setup } from '../core/chain/facts.ts'
import { type FirstDepositVerdict, firstDepositVerdict } from '../core/chain/key-state/first-deposit.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import { unlessSilent } from '../core/clients/ask-as-service.ts'
import { getOperator } from '../core/clients/execution/call.ts'
import { clientsOf } from '../core/observe/context.ts'
import type { Call } from './command.ts'
import { type KeyReport, keyReport, VERDICT } from './key-chain-rows.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'

/** What the chain knows of a key, and what a first deposit for it comes to. */
export type FirstDepositReport = KeyReport & { first: FirstDepositVerdict }

/**
 * What the chain knows of a key, for who is about to make a first deposit for it; `operator` is the one that the deposit is
 * to name, where that is known. A key that is good to look at is refused here unless it is unused. Throws as `keyReport`.
 */
export async function firstDepositReport(
  call: Call,
  setup: Setup,
  { pubkey, operator }: { pubkey: Hex; operator: Hex | undefined },
): Promise<FirstDepositReport> {
  const report = await keyReport(call, setup, { pubkey, by: undefined })
  const { key, verdict } = report
  if (key === undefined) return operatorAlone(call, setup, { pubkey, report })
  const first = firstDepositVerdict(key, verdict, operator)
  const rows = report.rows.map((row): ReportRow => {
    if (row.id !== VERDICT.id || first === 'unknown' || first === 'free') return row
    return { ...row, ...FIRST_DEPOSITS[first] }
  })
  return { ...report, rows, first }
}

/** Without a state the contract still says whether a first deposit was ever made; that none was, it cannot say. */
export async function operatorAlone(
  call: Call,
  setup: Setup,
  { pubkey, report }: { pubkey: Hex; report: KeyReport },
): Promise<FirstDepositReport> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const { depositContract } = setup.network.spec
  const operator = await unlessSilent(getOperator(execution, { depositContract, pubkey }))
  if (operator === undefined) return { ...report, first: 'unknown' }
  const shape = {
    step: VERDICT.step,
    id: 'operator',
    label: ROWS_TEXT.operator,
    source: execution.label,
  } as const
  if (sameHex(operator, ZERO_ADDRESS))
    return {
      ...report,
      rows: [...report.rows, { ...shape, mark: 'unasked', value: 'none' }],
      first: 'unknown',
    }
  const row: ReportRow = { ...shape, ...FIRST_DEPOSITS.used, long: operator }
  return { ...report, rows: [...report.rows, row], first: 'used' }
}

/** A key that is not unused, as who is about to make a first deposit must see it. */
const FIRST_DEPOSITS: Readonly<
  Record<Exclude<FirstDepositVerdict, 'free' | 'unknown'>, Pick<ReportRow, 'mark' | 'value'>>
> = {
  rescue: {
    mark: 'unasked',
    value: 'lost, and its operator is the one that is named here: the wizard can still register it',
  },
  used: { mark: 'refused', value: 'used: its operator is set already, and a first deposit reverts' },
  waits: { mark: 'refused', value: 'a deposit for it is in a block already, and not counted yet' },
  registered: { mark: 'refused', value: 'registered already: this can be no first deposit' },
  left: { mark: 'refused', value: `it ${STANDING_TEXT.hasLeftForEver}: no deposit makes it active again` },
}
