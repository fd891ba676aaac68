import { signDepositMessage } from '../src/core/deposit/sign.ts'
import { verifyDeposit } from '../src/core/deposit/verify.ts'
import { keyedDeposit } from '../test/support/signed-deposit.ts'
import { cpuRow, type Row, timeMs } from './measure.ts'

const RUNS = 30

/** Signing and verifying one deposit, in this process. */
export function deposit(): Row[] {
  const signed = keyedDeposit()
  return [
    cpuRow(
      'sign a deposit',
      timeMs(() => signDepositMessage(signed.secretKey, signed, signed), RUNS),
    ),
    cpuRow(
      'verify a deposit',
      timeMs(() => verifyDeposit(signed), RUNS),
    ),
  ]
}
