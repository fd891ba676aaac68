import { type Hex, sameHex, ZERO_ADDRESS } from '../../src/core/base/format/hex.ts'
import { isFulu } from '../../src/core/chain/consensus/fork-outlook.ts'
import { type QueuedDeposit, takeDueDeposits } from '../../src/core/chain/consensus/process-epoch.ts'
import type { UncountedDeposit } from '../../src/core/chain/consensus/snapshot.ts'
import type { Validator } from '../../src/core/chain/consensus/state.ts'
import {
  type Counted,
  countByGrowth,
  type KeyState,
  type KeyVerdict,
  keyVerdict,
} from '../../src/core/chain/key-state/key-state.ts'
import type { CheckResult } from './epochs.ts'
import {
  depositQueue,
  genesisDeposits,
  operatorsOf,
  type Recording,
  type SlotRow,
  type ValidatorRow,
} from './slots.ts'

/** More deposits than one slot takes: then only growth tells which are counted. */
const MANY = 17
const PROVEN = { by: 'proof', anchors: 2 } as const
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`

type Known = {
  row: SlotRow
  /** Deposits of blocks up to the one after the slot, in order, and how many of them are in the state. */
  made: readonly UncountedDeposit[]
  counted: number
}

/**
 * Looks at every key of a recorded network at every slot: the verdict over it must be the one that the node's own record
 * and the contract give, and the deposits that its balance is said to hold must add up to that balance and all that was
 * paid out of it.
 */
export function check(recording: Recording): CheckResult {
  const result: CheckResult = { passed: 0, failures: [] }
  const operators = operatorsOf(recording)
  const atGenesis = new Map(
    genesisDeposits(recording.genesisText).map(({ pubkey, amountGwei }) => [pubkey, amountGwei]),
  )
  const keys = new Set([...atGenesis.keys(), ...depositQueue(recording).map(({ pubkey }) => pubkey)])
  const paid = new Map<string, bigint>()
  const before = new Map<Hex, { exact: Counted; grown: Counted }>()
  for (const known of slotsOf(recording)) {
    const { row, made } = known
    for (const [, index, , amountGwei] of row.withdrawals.slice(1))
      paid.set(index, (paid.get(index) ?? 0n) + BigInt(amountGwei))
    for (const pubkey of keys) {
      const record = row.validators.find(({ validator }) => sameHex(validator.pubkey, pubkey))
      const own = made.filter((deposit) => sameHex(deposit.pubkey, pubkey))
      const name = `slot ${row.slot}, ${pubkey.slice(0, 12)}`
      const state = keyState(known, { pubkey, record, own, operator: operators.get(pubkey) })
      compare(`${name}: verdict`, expectedVerdict(state, record), keyVerdict(state, recording.spec))
      if (record === undefined) continue
      const now = { slot: BigInt(row.slot), balanceGwei: BigInt(record.balance) }
      const fulu = isFulu(recording.spec, BigInt(row.timestamp))
      const last = before.get(pubkey)
      const exact = countByGrowth(last?.exact, { ...now, fulu }, { deposits: own, ofAll: own.length })
      const grown = countByGrowth(last?.grown, { ...now, fulu }, { deposits: own, ofAll: MANY })
      before.set(pubkey, { exact, grown })
      const held = now.balanceGwei + (paid.get(record.index) ?? 0n) - (atGenesis.get(pubkey) ?? 0n)
      compare(`${name}: counted`, `${held} ${held}`, `${sum(own, exact.least)} ${sum(own, exact.most)}`)
      const isWithin = sum(own, grown.least) <= held && held <= sum(own, grown.most)
      compare(`${name}: counted by growth alone`, true, isWithin)
    }
  }
  return result

  function compare(what: string, expected: string | boolean, found: string | boolean): void {
    if (expected === found) result.passed += 1
    else result.failures.push(`${what}: expected ${expected}, found ${found}`)
  }
}

/** What so many of the deposits came to: one that was refused before the first valid one was lost. */
function sum(own: readonly UncountedDeposit[], count: number): bigint {
  const first = own.findIndex(({ signatureValid }) => signatureValid)
  const isCredited = (place: number) => first === -1 || place >= first
  return own
    .slice(0, count)
    .reduce((total, { amountGwei }, place) => total + (isCredited(place) ? amountGwei : 0n), 0n)
}

function* slotsOf(recording: Recording): Generator<Known> {
  const all = depositQueue(recording).map(
    (deposit, index): UncountedDeposit => ({ ...deposit, index: BigInt(index), transactionHash: ZERO_HASH }),
  )
  let queue: readonly QueuedDeposit[] = all
  for (const line of recording.slotLines) {
    const row = JSON.parse(line) as SlotRow
    const slot = BigInt(row.slot)
    const fulu = isFulu(recording.spec, BigInt(row.timestamp))
    queue = takeDueDeposits(queue, { slot, fulu, spec: recording.spec }).rest
    const made = all.filter(({ blockSlot }) => blockSlot <= slot + 1n)
    yield { row, made, counted: all.length - queue.length }
  }
}

function keyState(
  { row, counted }: Known,
  {
    pubkey,
    record,
    own,
    operator,
  }: {
    pubkey: Hex
    record: ValidatorRow | undefined
    own: readonly UncountedDeposit[]
    operator: Hex | undefined
  },
): KeyState {
  const slot = BigInt(row.slot)
  const value = own.length > 0 && operator !== undefined ? operator : ZERO_ADDRESS
  return {
    pubkey,
    block: { number: slot + 1n, hash: ZERO_HASH, timestampSeconds: BigInt(row.timestamp) },
    slot,
    record: { value: record === undefined ? 'absent' : recordOf(record), level: PROVEN },
    operator: { value, saidBy: 2 },
    uncounted: { value: own.filter(({ index }) => index >= BigInt(counted)), level: PROVEN },
    set: { unknown: 'not recorded', outOfReach: true },
  }
}

function recordOf({ index, balance, validator }: ValidatorRow) {
  const record: Validator = {
    pubkey: validator.pubkey,
    withdrawalCredentials: validator.withdrawal_credentials,
    effectiveBalanceGwei: BigInt(validator.effective_balance),
    slashed: validator.slashed,
    activationEligibilityEpoch: BigInt(validator.activation_eligibility_epoch),
    activationEpoch: BigInt(validator.activation_epoch),
    exitEpoch: BigInt(validator.exit_epoch),
    withdrawableEpoch: BigInt(validator.withdrawable_epoch),
  }
  return { index: Number(index), validator: record, balanceGwei: BigInt(balance) }
}

/** The verdict by the node's own word for the status, and by the contract for a key that it does not know. */
function expectedVerdict({ operator, uncounted }: KeyState, record: ValidatorRow | undefined): KeyVerdict {
  if (record !== undefined) return verdictOfStatus(record)
  if ('unknown' in operator || 'unknown' in uncounted) return 'unknown'
  if (operator.value === ZERO_ADDRESS) return 'unused'
  return uncounted.value.length > 0 ? 'waiting' : 'lost'
}

function verdictOfStatus({ status, balance }: ValidatorRow): KeyVerdict {
  if (status === 'active_exiting') return 'exiting'
  if (status.startsWith('pending') || status === 'active_ongoing') return 'registered'
  const isPaid = balance === '0' && (status === 'withdrawal_possible' || status === 'withdrawal_done')
  return isPaid ? 'withdrawn' : 'exited'
}
