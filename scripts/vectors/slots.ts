import type { Hex } from '../../src/core/base/format/hex.ts'
import { isFulu } from '../../src/core/chain/consensus/fork-outlook.ts'
import {
  genesisState,
  type QueuedDeposit,
  takeDueDeposits,
} from '../../src/core/chain/consensus/process-epoch.ts'
import { processSlot } from '../../src/core/chain/consensus/process-slot.ts'
import {
  activeSet,
  type ConsensusState,
  type EngineUpdate,
  epochOfSlot,
  type SlotResult,
  validatorStatus,
} from '../../src/core/chain/consensus/state.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import type { ChainSpec } from '../../src/core/chain/network/network.ts'
import type { CheckResult } from './epochs.ts'

/** Heights between an epoch turn and the engine's set that shows it (facts). */
const ENGINE_DELAY_SLOTS = 2n

/** One validator as the node API gave it, numbers as decimal texts. */
export type ValidatorRow = {
  index: string
  balance: string
  status: string
  validator: {
    pubkey: Hex
    withdrawal_credentials: Hex
    effective_balance: string
    slashed: boolean
    activation_eligibility_epoch: string
    activation_epoch: string
    exit_epoch: string
    withdrawable_epoch: string
  }
}

/** One recorded slot. */
export type SlotRow = {
  slot: number
  timestamp: number
  validators: ValidatorRow[]
  engineSet: { pub_key: string; voting_power: string }[]
  withdrawals: [string, string, string, string][]
}
/** A deposit that was sent on the recorded network, with the block of its event. */
type RecordedDeposit = {
  kind: string
  pubkey: Hex
  credentials: Hex
  amountGwei: string
  signature: Hex
  block: number
}
type GenesisFile = {
  app_state: { beacon: { deposits: { pubkey: Hex; credentials: Hex; amount: string }[] } }
}

export type Recording = {
  genesisText: string
  spec: ChainSpec
  contractLines: readonly string[]
  slotLines: readonly string[]
  /** Whether the node would accept a deposit's signature as that of a first deposit on the recorded network. */
  signatureValid: (deposit: RecordedDeposit) => boolean
}

/**
 * Replays a recorded network from its genesis file and its deposits, and compares registry, balances, statuses,
 * payments and the engine's set of each slot.
 */
export function check(recording: Recording): CheckResult {
  const { spec } = recording
  const failures: string[] = []
  let passed = 0
  let queue: readonly QueuedDeposit[] = depositQueue(recording)
  let state = genesisState(genesisDeposits(recording.genesisText), spec)
  let powers = new Map(activeSet(state, 0n).map((v) => [v.pubkey, v.effectiveBalanceGwei]))
  const told: { slot: bigint; updates: readonly EngineUpdate[] }[] = []
  for (const line of recording.slotLines) {
    const row = JSON.parse(line) as SlotRow
    const slot = BigInt(row.slot)
    const fulu = isFulu(spec, BigInt(row.timestamp))
    const { due, rest } = takeDueDeposits(queue, { slot, fulu, spec })
    queue = rest
    const result = processSlot(state, spec, { slot, fulu, deposits: due, withdrawalRequests: [] })
    state = result.state
    told.push({ slot, updates: result.engineUpdates })
    powers = nextPowers(powers, told.find((entry) => entry.slot === slot - ENGINE_DELAY_SLOTS)?.updates ?? [])
    const failure = slotDiffers(row, result, powers, spec)
    if (failure === undefined) passed += 1
    else failures.push(`slot ${row.slot}: ${failure}`)
  }
  return { passed, failures }
}

function slotDiffers(
  row: SlotRow,
  result: SlotResult,
  powers: ReadonlyMap<Hex, bigint>,
  spec: ChainSpec,
): string | undefined {
  const { state } = result
  return (
    differs('validators', row.validators, validatorRows(state, epochOfSlot(state.slot, spec))) ??
    differs(
      'withdrawals',
      row.withdrawals.slice(1),
      result.withdrawals.map((paid) => [
        String(paid.index),
        String(paid.validatorIndex),
        paid.address,
        String(paid.amountGwei),
      ]),
    ) ??
    differs(
      'engine sets',
      row.engineSet.map((member) => `${member.pub_key} ${member.voting_power}`).sort(),
      [...powers].map(([pubkey, power]) => `${engineKey(pubkey)} ${power}`).sort(),
    )
  )
}

function differs(what: string, expected: unknown, found: unknown): string | undefined {
  const wanted = JSON.stringify(expected)
  const got = JSON.stringify(found)
  return wanted === got ? undefined : `${what} differ\n  expected ${wanted}\n  found    ${got}`
}

function validatorRows(state: ConsensusState, epoch: bigint): ValidatorRow[] {
  return state.validators.map((validator, index) => ({
    index: String(index),
    balance: String(state.balancesGwei[index]),
    status: validatorStatus(validator, epoch),
    validator: {
      pubkey: validator.pubkey,
      withdrawal_credentials: validator.withdrawalCredentials,
      effective_balance: String(validator.effectiveBalanceGwei),
      slashed: validator.slashed,
      activation_eligibility_epoch: String(validator.activationEligibilityEpoch),
      activation_epoch: String(validator.activationEpoch),
      exit_epoch: String(validator.exitEpoch),
      withdrawable_epoch: String(validator.withdrawableEpoch),
    },
  }))
}

function nextPowers(powers: ReadonlyMap<Hex, bigint>, updates: readonly EngineUpdate[]): Map<Hex, bigint> {
  const next = new Map(powers)
  for (const { pubkey, powerGwei } of updates) {
    if (powerGwei === 0n) next.delete(pubkey)
    else next.set(pubkey, powerGwei)
  }
  return next
}

/** The deposits that were sent, in the order of their events. */
export function depositQueue(recording: Recording): QueuedDeposit[] {
  return recording.contractLines
    .map((line) => JSON.parse(line) as RecordedDeposit)
    .filter((row) => row.kind === 'deposit')
    .map((row) => ({
      pubkey: row.pubkey,
      withdrawalCredentials: row.credentials,
      amountGwei: BigInt(row.amountGwei),
      signatureValid: recording.signatureValid(row),
      blockSlot: BigInt(row.block),
    }))
}

/** The deposits of the genesis file. */
export function genesisDeposits(text: string): Parameters<typeof genesisState>[0] {
  const file = JSON.parse(text) as GenesisFile
  return file.app_state.beacon.deposits.map((deposit) => ({
    pubkey: deposit.pubkey,
    withdrawalCredentials: deposit.credentials,
    amountGwei: BigInt(deposit.amount),
  }))
}

/** The operator that each key's first deposit set. */
export function operatorsOf(recording: Recording): Map<Hex, Hex> {
  const operators = new Map<Hex, Hex>()
  for (const line of recording.contractLines) {
    const { kind, pubkey, operator } = JSON.parse(line) as RecordedDeposit & { operator: Hex }
    if (kind === 'deposit' && !operators.has(pubkey)) operators.set(pubkey, operator)
  }
  return operators
}
