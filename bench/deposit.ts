import { signDepositMessage } from '../src/core/chain/deposit/sign.ts'
import { verifyDeposit } from '../src/core/chain/deposit/verify.ts'
import { keyedDeposits } from '../test/support/signed-deposit.ts'
import { cpuRow, type Row, timeMs } from './measure.ts'

const RUNS = 30

/** Signing and verifying one deposit, in this process. */
export function deposit(): Row[] {
  const all = keyedDeposits()
  const [signed] = all
  if (signed === undefined) throw new Error('no deposit in the vectors')
  // What was accepted or read is remembered; another key over another amount is read and paired anew each time.
  let asked = 0
  const altered = () => {
    asked += 1
    const deposit = all[asked % all.length] ?? signed
    return { ...deposit, amountGwei: deposit.amountGwei + BigInt(asked) }
  }
  return [
    cpuRow(
      'sign a deposit',
      timeMs(() => signDepositMessage(signed.secretKey, signed, signed), RUNS),
    ),
    cpuRow(
      'verify a deposit',
      timeMs(() => verifyDeposit(altered()), RUNS),
    ),
  ]
}
