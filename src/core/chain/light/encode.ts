import { createHash } from 'node:crypto'

/** Identifies a block of the engine: the hash of its header and of its parts. Hashes are upper-case hex without 0x. */
export type BlockId = { hash: string; parts: { total: number; hash: string } }

/** A moment of the engine with its full precision. */
export type EngineTime = { seconds: bigint; nanos: number }

/** All 14 fields of a header of the engine (CometBFT `Header`). Hashes and addresses are upper-case hex without 0x. */
export type EngineHeader = {
  version: { block: bigint; app: bigint }
  chainId: string
  height: bigint
  time: EngineTime
  lastBlockId: BlockId
  lastCommitHash: string
  dataHash: string
  validatorsHash: string
  nextValidatorsHash: string
  consensusHash: string
  appHash: string
  lastResultsHash: string
  evidenceHash: string
  proposerAddress: string
}

/** A member of the engine's set: its uncompressed key (96 bytes in base64) and its voting power. */
export type EngineValidator = { key: string; power: bigint }

/** Returns the hash of a header, upper-case hex: the Merkle root over its 14 encoded fields (CometBFT `Header.Hash`). */
export function hashHeader(header: EngineHeader): string {
  return merkleRoot([
    concat(varintField(1, header.version.block), varintField(2, header.version.app)),
    wrapText(header.chainId),
    varintField(1, header.height),
    concat(varintField(1, header.time.seconds), varintField(2, BigInt(header.time.nanos))),
    encodeBlockId(header.lastBlockId),
    ...[
      header.lastCommitHash,
      header.dataHash,
      header.validatorsHash,
      header.nextValidatorsHash,
      header.consensusHash,
      header.appHash,
      header.lastResultsHash,
      header.evidenceHash,
      header.proposerAddress,
    ].map((hex) => bytesField(1, Buffer.from(hex, 'hex'))),
  ])
}

/** Returns the hash of a set in the engine's order, upper-case hex (CometBFT `ValidatorSet.Hash`, BLS12-381 keys). */
export function hashSet(set: readonly EngineValidator[]): string {
  return merkleRoot(
    set.map(({ key, power }) =>
      concat(messageField(1, bytesField(3, Buffer.from(key, 'base64'))), varintField(2, power)),
    ),
  )
}

/** Returns the hash of a block's transactions, upper-case hex (CometBFT `Txs.Hash`). */
export function hashTransactions(transactions: readonly Uint8Array[]): string {
  return merkleRoot(transactions.map((transaction) => sha256(transaction)))
}

/** Returns the address of a key: the first 20 bytes of SHA-256 of its 96 bytes, upper-case hex. */
export function engineAddressOf(key: string): string {
  return sha256(Buffer.from(key, 'base64')).subarray(0, 20).toString('hex').toUpperCase()
}

const PRECOMMIT = 2n

/** Returns the bytes that a precommit signs: the length-delimited `CanonicalVote`, here without a time. */
export function encodeVote(vote: {
  chainId: string
  height: bigint
  round: number
  blockId: BlockId
}): Uint8Array {
  const body = concat(
    varintField(1, PRECOMMIT),
    fixed64Field(2, vote.height),
    fixed64Field(3, BigInt(vote.round)),
    messageField(4, encodeBlockId(vote.blockId)),
    bytesField(6, Buffer.from(vote.chainId, 'utf8')),
  )
  return concat(varint(BigInt(body.length)), body)
}

/** The parts are a message that is written even where it is empty. */
function encodeBlockId({ hash, parts }: BlockId): Uint8Array {
  const partsBytes = concat(
    varintField(1, BigInt(parts.total)),
    bytesField(2, Buffer.from(parts.hash, 'hex')),
  )
  return concat(bytesField(1, Buffer.from(hash, 'hex')), messageField(2, partsBytes))
}

const wrapText = (text: string): Uint8Array => bytesField(1, Buffer.from(text, 'utf8'))

/** Returns the Merkle root of RFC 6962, upper-case hex: leaves and nodes are told apart by their first byte. */
function merkleRoot(leaves: readonly Uint8Array[]): string {
  return nodeOf(leaves).toString('hex').toUpperCase()
}

const LEAF = Buffer.of(0)
const INNER = Buffer.of(1)

function nodeOf(leaves: readonly Uint8Array[]): Buffer {
  const [first] = leaves
  if (first === undefined) return sha256()
  if (leaves.length === 1) return sha256(LEAF, first)
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return sha256(INNER, nodeOf(leaves.slice(0, half)), nodeOf(leaves.slice(half)))
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2

const tag = (field: number, wire: number): Uint8Array => Buffer.of((field << 3) | wire)

/** Protocol Buffers leave out what is zero or empty, except messages that must be there. */
function varintField(field: number, value: bigint): Uint8Array {
  return value === 0n ? NOTHING : concat(tag(field, VARINT), varint(BigInt.asUintN(64, value)))
}

function fixed64Field(field: number, value: bigint): Uint8Array {
  if (value === 0n) return NOTHING
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt.asIntN(64, value))
  return concat(tag(field, FIXED64), bytes)
}

function bytesField(field: number, bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? NOTHING : messageField(field, bytes)
}

function messageField(field: number, bytes: Uint8Array): Uint8Array {
  return concat(tag(field, BYTES), varint(BigInt(bytes.length)), bytes)
}

const NOTHING = new Uint8Array(0)

function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.of(...bytes, Number(rest))
}

const concat = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts)
