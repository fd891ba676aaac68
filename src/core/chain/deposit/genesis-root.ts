import { depositError } from '../../base/errors/deposit.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { bytesToHex, type Hex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import type { ChainSpec } from '../network/network.ts'
import { hashPairs } from './hash-pairs.ts'

export type GenesisDeposit = { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: Gwei }

export type GenesisLimits = Pick<
  ChainSpec,
  'effectiveBalanceIncrementGwei' | 'maxEffectiveBalanceGwei' | 'activationBalanceGwei'
>

const BATCH = 2048
const LIST_DEPTH = 40
const CHUNK = 32
/** pubkey, credentials, effective balance, slashed, eligibility, activation, exit, withdrawable. */
const VALIDATOR_BYTES = 8 * CHUNK
const FAR_FUTURE = 2n ** 64n - 1n

/**
 * Returns the genesis validators root: hash_tree_root(List[Validator, 2^40]) of the validators that a genesis file's
 * deposits make, in order. Works on flat buffers: a million validators take
 * under a second. Throws `deposit.bad-field` naming the first deposit that is not hex of its length.
 */
export function genesisValidatorsRoot(deposits: readonly GenesisDeposit[], limits: GenesisLimits): Hex {
  const roots = genesisRoots(limits)
  for (const deposit of deposits) roots.add(deposit)
  return roots.root()
}

/** A genesis validators root in the making: 32 bytes are kept of each validator. */
export type GenesisRoots = {
  /** The next deposit in order. Throws `deposit.bad-field`. */
  add(deposit: GenesisDeposit): void
  /** The root of all that were added; nothing may be added after it. */
  root(): Hex
}

/** Begins the root of a list whose deposits come one by one; see `genesisValidatorsRoot`. */
export function genesisRoots(limits: GenesisLimits): GenesisRoots {
  const batch = newBatch()
  const balances = effectiveBalances(limits)
  const done: Buffer[] = []
  let row = 0
  const flush = () => {
    const roots = Buffer.allocUnsafe(row * CHUNK)
    hashBatch(batch, row, roots)
    done.push(roots)
    row = 0
  }
  return {
    add(deposit) {
      writeKeys(batch, { row, deposit, position: done.length * BATCH + row })
      writeBalance(batch, { row, ...balances(deposit.amountGwei) })
      row += 1
      if (row === BATCH) flush()
    },
    root() {
      if (row > 0) flush()
      const roots = Buffer.concat(done)
      return listRoot(roots, roots.length / CHUNK)
    },
  }
}

/** Buffers for `BATCH` validators. The fields that no genesis validator differs in are written once. */
type Batch = { keys: Buffer; keyRoots: Buffer; records: Buffer; numbers: DataView; layers: [Buffer, Buffer] }

function newBatch(): Batch {
  const records = Buffer.alloc(BATCH * VALIDATOR_BYTES)
  const numbers = new DataView(records.buffer, records.byteOffset, records.byteLength)
  for (let at = 0; at < records.length; at += VALIDATOR_BYTES) {
    numbers.setBigUint64(at + 6 * CHUNK, FAR_FUTURE, true)
    numbers.setBigUint64(at + 7 * CHUNK, FAR_FUTURE, true)
  }
  const layers: [Buffer, Buffer] = [Buffer.alloc(records.length / 2), Buffer.alloc(records.length / 4)]
  const keys = Buffer.alloc(BATCH * 2 * CHUNK)
  return { keys, keyRoots: Buffer.alloc(BATCH * CHUNK), records, numbers, layers }
}

function writeKeys(batch: Batch, entry: { row: number; deposit: GenesisDeposit; position: number }): void {
  const { row, deposit, position } = entry
  const key = { at: row * 2 * CHUNK, byteLength: 48, position, field: 'pubkey' }
  writeHex(batch.keys, deposit.pubkey, key)
  const at = row * VALIDATOR_BYTES + CHUNK
  writeHex(batch.records, deposit.withdrawalCredentials, {
    at,
    byteLength: 32,
    position,
    field: 'credentials',
  })
}

type Balance = { effectiveGwei: Gwei; activationEpoch: bigint }

function writeBalance(batch: Batch, entry: Balance & { row: number }): void {
  const at = entry.row * VALIDATOR_BYTES
  batch.numbers.setBigUint64(at + 2 * CHUNK, entry.effectiveGwei, true)
  batch.numbers.setBigUint64(at + 4 * CHUNK, entry.activationEpoch, true)
  batch.numbers.setBigUint64(at + 5 * CHUNK, entry.activationEpoch, true)
}

/** Effective balance and activation epoch for an amount; the same amount again costs nothing. */
function effectiveBalances(limits: GenesisLimits): (amountGwei: Gwei) => Balance {
  let lastAmount = -1n
  let last: Balance = { effectiveGwei: 0n, activationEpoch: FAR_FUTURE }
  return (amountGwei) => {
    if (amountGwei === lastAmount) return last
    if (amountGwei < 0n || amountGwei > FAR_FUTURE) throw amountOutOfRange(amountGwei)
    const floored = amountGwei - (amountGwei % limits.effectiveBalanceIncrementGwei)
    const maximum: bigint = limits.maxEffectiveBalanceGwei
    const effectiveGwei = floored < maximum ? floored : maximum
    lastAmount = amountGwei
    last = { effectiveGwei, activationEpoch: effectiveGwei >= limits.activationBalanceGwei ? 0n : FAR_FUTURE }
    return last
  }
}

function amountOutOfRange(amountGwei: Gwei): Error {
  const found = safeText(amountGwei)
  return depositError('deposit.bad-field', {
    field: 'amount of a genesis deposit',
    found,
    expected: 'gwei of 64 bits',
  })
}

function writeHex(
  target: Buffer,
  hex: Hex,
  place: { at: number; byteLength: number; position: number; field: string },
): void {
  const written = target.write(hex.slice(2), place.at, place.byteLength, 'hex')
  if (written === place.byteLength && hex.length === 2 + 2 * place.byteLength) return
  throw depositError('deposit.bad-field', {
    field: `${place.field} of genesis deposit ${place.position}`,
    found: safeText(hex),
    expected: `0x and ${2 * place.byteLength} hex digits`,
  })
}

/** Eight chunks of each validator down to one root, all validators of the batch at once. */
function hashBatch(batch: Batch, count: number, roots: Buffer): void {
  const { keys, keyRoots, records, layers } = batch
  hashPairs(keys.subarray(0, count * 2 * CHUNK), keyRoots.subarray(0, count * CHUNK))
  for (let row = 0; row < count; row++) {
    keyRoots.copy(records, row * VALIDATOR_BYTES, row * CHUNK, row * CHUNK + CHUNK)
  }
  const quarters = layers[0].subarray(0, count * 4 * CHUNK)
  const halves = layers[1].subarray(0, count * 2 * CHUNK)
  hashPairs(records.subarray(0, count * VALIDATOR_BYTES), quarters)
  hashPairs(quarters, halves)
  hashPairs(halves, roots.subarray(0, count * CHUNK))
}

function listRoot(leaves: Buffer, count: number): Hex {
  let layer = leaves
  let zero = Buffer.alloc(CHUNK)
  for (let depth = 0; depth < LIST_DEPTH; depth++) {
    layer = parentLayer(layer, zero)
    zero = hashOf(Buffer.concat([zero, zero]))
  }
  const length = Buffer.alloc(CHUNK)
  length.writeBigUInt64LE(BigInt(count))
  return bytesToHex(hashOf(Buffer.concat([count === 0 ? zero : layer, length])))
}

function parentLayer(layer: Buffer, zero: Buffer): Buffer {
  const pairs = Math.floor(layer.length / (2 * CHUNK))
  const rest = layer.subarray(pairs * 2 * CHUNK)
  const parents = Buffer.allocUnsafe(pairs * CHUNK + rest.length)
  if (pairs > 0) hashPairs(layer.subarray(0, pairs * 2 * CHUNK), parents.subarray(0, pairs * CHUNK))
  if (rest.length > 0) hashOf(Buffer.concat([rest, zero])).copy(parents, pairs * CHUNK)
  return parents
}

function hashOf(pair: Buffer): Buffer<ArrayBuffer> {
  const digest = Buffer.alloc(CHUNK)
  hashPairs(pair, digest)
  return digest
}
