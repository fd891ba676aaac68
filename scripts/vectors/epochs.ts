import type { Hex } from '../../src/core/base/format/hex.ts'
import { genesisState } from '../../src/core/chain/consensus/process-epoch.ts'
import { advanceSlot, processSlot } from '../../src/core/chain/consensus/process-slot.ts'
import {
  activeSet,
  type ConsensusBlock,
  type ConsensusDeposit,
  type ConsensusState,
  type EngineUpdate,
  engineUpdates,
  type SlotResult,
} from '../../src/core/chain/consensus/state.ts'
import { chainSpec, type DepositRow, depositOf, type SpecRow } from './chain-rows.ts'

type RequestRow = { pubkey: Hex; sourceAddress: Hex; amountGwei: string }
type BlockRow = {
  slot: number
  deposits?: DepositRow[]
  withdrawalRequests?: RequestRow[]
  withdrawals?: [number, number, string, string][]
  pendingPartialWithdrawalsAfter?: (string | number)[][]
}
type TurnRow = {
  slot: number
  changed: [number, string, string, ...string[]][]
  engineUpdates: [string, string][]
}
/** One history of a chain, as a line of `epochs.jsonl` has it. */
export type History = {
  spec: SpecRow
  seed: number
  lastSlot: number
  genesisDeposits: DepositRow[]
  blocks: BlockRow[]
  epochTurns: TurnRow[]
}

/** What a check of vectors found; each failure is one sentence. */
export type CheckResult = { passed: number; failures: string[] }

/**
 * Replays histories, one JSON text a line in the format of `epochs.jsonl`, through the consensus model. Every turn and
 * every payment counts one; a history ends at its first difference.
 */
export function check(lines: readonly string[]): CheckResult {
  const failures: string[] = []
  let passed = 0
  for (const line of lines) {
    const history = JSON.parse(line) as History
    const { agreed, failure } = replay(history)
    passed += agreed
    if (failure !== undefined) failures.push(`history ${history.seed}: ${failure}`)
  }
  return { passed, failures }
}

function replay(history: History): { agreed: number; failure?: string } {
  const spec = chainSpec(history.spec)
  const blocks = new Map(history.blocks.map((row) => [row.slot, row]))
  const turns = new Map(history.epochTurns.map((row) => [row.slot, row]))
  const registry = new Map<number, readonly string[]>()
  let state = genesisState(genesisOf(history), spec)
  const genesisTurn = turns.get(0)
  const first =
    genesisTurn && turnDiffers(genesisTurn, registry, state, engineUpdates([], activeSet(state, 0n)))
  if (first !== undefined) return { agreed: 0, failure: `genesis: ${first}` }
  let agreed = genesisTurn === undefined ? 0 : 1
  for (let slot = 1; slot <= history.lastSlot; slot += 1) {
    const turn = turns.get(slot)
    const turned = advanceSlot(state, spec, { fulu: true })
    const failure = turn && turnDiffers(turn, registry, turned.state, turned.engineUpdates)
    if (failure !== undefined) return { agreed, failure: `turn at slot ${slot}: ${failure}` }
    if (turn !== undefined) agreed += 1
    const row = blocks.get(slot) ?? { slot }
    const result = processSlot(state, spec, blockOf(row))
    const blockFailure = blockDiffers(row, result)
    if (blockFailure !== undefined) return { agreed, failure: `block ${slot}: ${blockFailure}` }
    agreed += result.withdrawals.length
    state = result.state
  }
  return { agreed }
}

function turnDiffers(
  turn: TurnRow,
  registry: Map<number, readonly string[]>,
  state: ConsensusState,
  updates: readonly EngineUpdate[],
): string | undefined {
  for (const [index, pubkey, credentials, ...rest] of turn.changed) {
    const known = registry.get(index)
    registry.set(index, [pubkey || (known?.[0] ?? ''), credentials || (known?.[1] ?? ''), ...rest])
  }
  const expected = JSON.stringify([...registry].sort((a, b) => a[0] - b[0]).map(([, row]) => row))
  const found = JSON.stringify(registryRows(state))
  if (expected !== found) return `registry differs\n  expected ${expected}\n  found    ${found}`
  const wanted = JSON.stringify(turn.engineUpdates.map(String).sort())
  const told = JSON.stringify(updates.map((update) => `${update.pubkey},${update.powerGwei}`).sort())
  return wanted === told ? undefined : `engine updates differ\n  expected ${wanted}\n  found    ${told}`
}

function registryRows(state: ConsensusState): string[][] {
  return state.validators.map((validator, index) => [
    validator.pubkey,
    validator.withdrawalCredentials,
    String(state.balancesGwei[index]),
    String(validator.effectiveBalanceGwei),
    String(validator.activationEligibilityEpoch),
    String(validator.activationEpoch),
    String(validator.exitEpoch),
    String(validator.withdrawableEpoch),
  ])
}

function blockDiffers(row: BlockRow, result: SlotResult): string | undefined {
  const wanted = JSON.stringify(row.withdrawals ?? [])
  const paid = JSON.stringify(
    result.withdrawals.map((paid) => [
      Number(paid.index),
      paid.validatorIndex,
      paid.address,
      String(paid.amountGwei),
    ]),
  )
  if (wanted !== paid) return `withdrawals differ: expected ${wanted}, found ${paid}`
  const listed = row.deposits ?? row.withdrawalRequests ?? row.withdrawals
  const pending = result.state.pendingPartialWithdrawals.map((pending) => [
    String(pending.validatorIndex),
    String(pending.amountGwei),
    String(pending.withdrawableEpoch),
  ])
  const wantedPending = (row.pendingPartialWithdrawalsAfter ?? []).map((entry) => entry.map(String))
  if (listed === undefined && row.pendingPartialWithdrawalsAfter === undefined) return undefined
  if (JSON.stringify(pending) === JSON.stringify(wantedPending)) return undefined
  return `pending differ: expected ${JSON.stringify(wantedPending)}, found ${JSON.stringify(pending)}`
}

/** The deposits that a history begins with. */
export function genesisOf({ genesisDeposits }: History): ConsensusDeposit[] {
  return genesisDeposits.map(depositOf)
}

/** What a block of a history brings. */
export function blockOf(row: BlockRow): ConsensusBlock {
  return {
    slot: BigInt(row.slot),
    fulu: true,
    deposits: (row.deposits ?? []).map(depositOf),
    withdrawalRequests: (row.withdrawalRequests ?? []).map((request) => ({
      sourceAddress: request.sourceAddress,
      pubkey: request.pubkey,
      amountGwei: BigInt(request.amountGwei),
    })),
  }
}
