import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { outlook } from '../../src/core/chain/consensus/outlook.ts'
import type { ConsensusState } from '../../src/core/chain/consensus/state.ts'
import { chainSpec, type DepositRow, depositOf, type SpecRow } from './chain-rows.ts'
import type { CheckResult } from './playback.ts'

type ValidatorRow = [number, Hex, Hex, string, string, string, string, string, string]
type Row = {
  fork: 'electra' | 'fulu'
  spec: SpecRow
  slot: number
  nextWithdrawalValidatorIndex: number
  validators: ValidatorRow[]
  uncounted: (DepositRow & { block: number })[]
  pubkey: Hex
  expected: {
    dropsOutAtEpoch: number | null
    activeAtEpoch: number | null
    leastTopUpGwei: string | null
    lastGoodBlock: number | null
  }
}

/**
 * Asks the model what happens to one validator, one JSON text a line in the format of `outlook.jsonl`, and compares
 * drop-out, activation, least amount and last good block.
 */
export async function check(lines: AsyncIterable<string>): Promise<CheckResult> {
  const result: CheckResult = { passed: 0, failures: [] }
  let place = 0
  for await (const line of lines) {
    if (line.trim() === '') continue
    place += 1
    const row = JSON.parse(line) as Row
    const expected = JSON.stringify(row.expected)
    const found = JSON.stringify(answerOf(row))
    if (expected === found) result.passed += 1
    else result.failures.push(`row ${place}: expected ${expected}, found ${found}`)
  }
  return result
}

function answerOf(row: Row): Row['expected'] {
  const ahead = outlook({
    state: stateOf(row),
    uncounted: row.uncounted.map((each) => ({ ...depositOf(each), blockSlot: BigInt(each.block) })),
    spec: chainSpec(row.spec),
    fulu: row.fork === 'fulu',
    pubkey: row.pubkey,
    minimumDepositGwei: tokens(10_000n),
  })
  return {
    dropsOutAtEpoch: numberOrNull(ahead.dropsOutAtEpoch),
    activeAtEpoch: numberOrNull(ahead.activeAtEpoch),
    leastTopUpGwei: ahead.rescue === undefined ? null : String(ahead.rescue.leastTopUpGwei),
    lastGoodBlock: numberOrNull(ahead.rescue?.lastGoodBlock),
  }
}

function stateOf(row: Row): ConsensusState {
  return {
    slot: BigInt(row.slot),
    validators: row.validators.map(
      ([, pubkey, withdrawalCredentials, , effective, eligibility, active, exit, withdrawable]) => ({
        pubkey,
        withdrawalCredentials,
        effectiveBalanceGwei: BigInt(effective),
        slashed: false,
        activationEligibilityEpoch: BigInt(eligibility),
        activationEpoch: BigInt(active),
        exitEpoch: BigInt(exit),
        withdrawableEpoch: BigInt(withdrawable),
      }),
    ),
    balancesGwei: row.validators.map(([, , , balance]) => BigInt(balance)),
    pendingPartialWithdrawals: [],
    nextWithdrawalIndex: 0n,
    nextWithdrawalValidatorIndex: row.nextWithdrawalValidatorIndex,
  }
}

function numberOrNull(value: bigint | undefined): number | null {
  return value === undefined ? null : Number(value)
}
