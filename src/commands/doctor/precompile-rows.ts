import { call as ethCall } from '../../core/clients/execution/call.ts'
import type { SignedDeposit } from '../../core/deposit/deposit.ts'
import { verifyByPrecompile } from '../../core/deposit/precompile.ts'
import { depositSelfTest } from '../../core/deposit/self-test.ts'
import { verifyDeposit } from '../../core/deposit/verify.ts'
import type { Setup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import { clientsOf } from '../../core/steps/clients-of.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, unknownRow } from './row.ts'

/** Whether the execution client's curve precompiles accept a real deposit and refuse the same over another amount. */
export async function precompileRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const source = endpointName(setup.endpoints.execution)
  const shape = ['sign', 'precompiles', 'precompiles'] as const
  const fix = 'use an execution client with the rules of Prague or later (EIP-2537)'
  try {
    const deposit = realDeposit()
    const ask = (each: SignedDeposit) =>
      verifyByPrecompile(each, (to, data) => ethCall(execution, { to, data }))
    const good = await ask(deposit)
    const altered = await ask({ ...deposit, amountGwei: deposit.amountGwei + 1n })
    if (good.verdict === 'unknown')
      return [doctorRow(...shape, { mark: 'unknown', value: good.words, source, fix })]
    const right = good.verdict === 'accepted' && altered.verdict === 'refused'
    const value = right ? 'accept a real deposit, refuse an altered one' : 'judge a real deposit wrongly'
    return [doctorRow(...shape, { mark: right ? 'proven' : 'refused', value, source, fix })]
  } catch (thrown) {
    return [unknownRow(...shape, { thrown, source })]
  }
}

/** The first of the deposits that the self-test knows to be right; the self-test runs on the way. */
function realDeposit(): SignedDeposit {
  const seen: SignedDeposit[] = []
  depositSelfTest((deposit) => {
    seen.push(deposit)
    return verifyDeposit(deposit)
  })
  const [first] = seen
  if (first === undefined) throw new RangeError('the self-test knows no deposit')
  return first
}
