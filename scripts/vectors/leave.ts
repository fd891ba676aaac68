import {
  type LeaveQuestion,
  type QueuedRequest,
  requestAt,
} from '../../src/core/chain/consensus/leave-outlook.ts'
import { processSlot } from '../../src/core/chain/consensus/process-slot.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import type { RequestVerdict } from '../../src/core/chain/consensus/withdrawal-request.ts'
import type { ChainSpec } from '../../src/core/chain/network/network.ts'
import { chainSpec } from './chain-rows.ts'
import { blockOf, type CheckResult, type History } from './epochs.ts'
import { statesOf } from './history.ts'

/** Slots between the state that a forecast begins with and the block of its request. */
const AHEAD = 2

/**
 * Forecasts each withdrawal request of histories in the format of `epochs.jsonl` two slots before its block, with what
 * was made until then, and compares it with what happened: the parts that waited after the block as the node recorded
 * them, and the exits. Every request counts one.
 */
export function check(lines: readonly string[]): CheckResult {
  const result: CheckResult = { passed: 0, failures: [] }
  for (const line of lines) {
    const history = JSON.parse(line) as History
    const spec = chainSpec(history.spec)
    const states = statesOf(history, spec)
    for (const row of history.blocks) {
      const requests = blockOf(row).withdrawalRequests
      if (requests.length === 0) continue
      const failure = blockDiffers(history, row, { states, spec })
      if (failure === undefined) result.passed += requests.length
      else result.failures.push(`history ${history.seed}, block ${row.slot}: ${failure}`)
    }
  }
  return result
}

type Row = History['blocks'][number]

function blockDiffers(
  history: History,
  row: Row,
  { states, spec }: { states: readonly ConsensusState[]; spec: ChainSpec },
): string | undefined {
  const from = Math.max(0, row.slot - AHEAD)
  const [start, before, after] = [states[from], states[row.slot - 1], states[row.slot]]
  if (start === undefined || before === undefined || after === undefined) return 'there is no such state'
  const verdicts = verdictsOf(history, row, { start, spec })
  // What would be there without the requests is no word of theirs.
  const without = processSlot(before, spec, { ...blockOf(row), withdrawalRequests: [] }).state
  const parts = verdicts.flatMap((verdict) =>
    verdict.is === 'part' ? [partOf({ ...verdict, validatorIndex: verdict.index })] : [],
  )
  const exits = verdicts.flatMap((verdict) => (verdict.is === 'exit' ? [exitOf(verdict, verdict.index)] : []))
  const recorded = (row.pendingPartialWithdrawalsAfter ?? []).map(String)
  const left = exitsIn(after).filter((exit) => !exitsIn(without).includes(exit))
  return (
    differs('parts', recorded, [...without.pendingPartialWithdrawals.map(partOf), ...parts]) ??
    differs('exits', left.sort(), exits.sort())
  )
}

type Part = ConsensusState['pendingPartialWithdrawals'][number]
type Exit = { exitEpoch: bigint; withdrawableEpoch: bigint }

const partOf = ({ validatorIndex, amountGwei, withdrawableEpoch }: Part): string =>
  [validatorIndex, amountGwei, withdrawableEpoch].join()

const exitOf = ({ exitEpoch, withdrawableEpoch }: Exit, index: number): string =>
  [index, exitEpoch, withdrawableEpoch].join()

const exitsIn = ({ validators }: ConsensusState): string[] =>
  validators.flatMap((validator, index) =>
    validator.exitEpoch === FAR_FUTURE_EPOCH ? [] : [exitOf(validator, index)],
  )

/** What is forecast of each request of a block, each behind the ones before it. */
function verdictsOf(
  history: History,
  row: Row,
  { start, spec }: { start: ConsensusState; spec: ChainSpec },
): RequestVerdict[] {
  const on = history.blocks.filter(({ slot }) => BigInt(slot) > start.slot && slot <= row.slot).map(blockOf)
  const uncounted = on.flatMap(({ slot, deposits }) => deposits.map((each) => ({ ...each, blockSlot: slot })))
  const made: QueuedRequest[] = on.flatMap(({ slot, withdrawalRequests }) =>
    withdrawalRequests.map((each) => ({ ...each, blockSlot: slot })),
  )
  const slot = BigInt(row.slot)
  return made.flatMap((request, at) => {
    if (request.blockSlot !== slot) return []
    const { pubkey, amountGwei, sourceAddress } = request
    const asked: LeaveQuestion = {
      state: start,
      spec,
      fulu: true,
      pubkey,
      amountGwei,
      sourceAddress,
      uncounted,
      requests: made.slice(0, at),
    }
    return [requestAt(asked, slot).verdict]
  })
}

function differs(what: string, happened: unknown, forecast: unknown): string | undefined {
  const [is, said] = [JSON.stringify(happened), JSON.stringify(forecast)]
  return is === said ? undefined : `${what}: happened ${is}, forecast ${said}`
}
