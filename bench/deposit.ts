import { signDepositMessage } from '../src/core/deposit/sign.ts'
import { verifyDeposit } from '../src/core/deposit/verify.ts'
import { keyedDeposit } from '../test/support/signed-deposit.ts'
import { cpuRow, type Row, timeMs } from './measure.ts'

const RUNS = 30

/** Signing and verifying one deposit, in this process. */
export function deposit(): Row[] {
  const signed = keyedDeposit()
  // What was accepted is remembered; what is refused is paired anew each time.
  const altered = { ...signed, amountGwei: signed.amountGwei + 1n }
  return [
    cpuRow(
      'sign a deposit',
      timeMs(() => signDepositMessage(signed.secretKey, signed, signed), RUNS),
    ),
    cpuRow(
      'verify a deposit',
      timeMs(() => verifyDeposit(altered), RUNS),
    ),
  ]
}
