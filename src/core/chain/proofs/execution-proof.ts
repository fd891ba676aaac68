import { fromRlp, keccak256, toRlp } from 'viem/utils'
import { concatHex, type Hex, isHex, sameHex } from '../../base/format/hex.ts'

/** An account as the state of an execution block has it. One that doesn't exist has no nonce, no balance and no code. */
export type ProvenAccount = { nonce: bigint; balanceWei: bigint; storageRoot: Hex; codeHash: Hex }

/** What a Merkle-Patricia proof gave: a value, that there is none, or that it isn't a proof of this root. */
type Found = { value: Hex } | { absent: true } | { fault: string }

/** The RLP of nothing, the root of an empty trie, and the hash of no code. */
const EMPTY: Hex = '0x80'
const EMPTY_ROOT = keccak256(EMPTY)
const NO_CODE = keccak256('0x')

/**
 * Verifies the account proof of `eth_getProof` (EIP-1186) against a state root. Returns a reason for anything that doesn't
 * lead from that root to the account, or to the proof that there is none. Never throws.
 */
export function verifyAccount(claim: {
  stateRoot: Hex
  address: Hex
  proof: readonly string[]
}): ProvenAccount | { fault: string } {
  const found = lookUp(claim.stateRoot, claim.address, claim.proof)
  if ('fault' in found) return found
  if ('absent' in found) return { nonce: 0n, balanceWei: 0n, storageRoot: EMPTY_ROOT, codeHash: NO_CODE }
  const [nonce, balance, storageRoot, codeHash, ...more] = listOf(found.value) ?? []
  const areNumbers = isNumber(nonce, 8) && isNumber(balance, 32)
  const areHashes = isHex(storageRoot, 32) && isHex(codeHash, 32)
  if (!areNumbers || !areHashes || more.length > 0) return { fault: 'the account is malformed' }
  return { nonce: numberOf(nonce), balanceWei: numberOf(balance), storageRoot, codeHash }
}

/**
 * Verifies a storage proof of `eth_getProof` (EIP-1186) against an account's storage root. `slot` is 32 bytes. Returns
 * the value, 0 where the proof shows that there is none, or a reason. Never throws.
 */
export function verifyStorage(claim: {
  storageRoot: Hex
  slot: Hex
  proof: readonly string[]
}): bigint | { fault: string } {
  const found = lookUp(claim.storageRoot, claim.slot, claim.proof)
  if ('fault' in found) return found
  if ('absent' in found) return 0n
  const value = decode(found.value)
  return isNumber(value, 32) ? numberOf(value) : { fault: 'the value is malformed' }
}

type Node = Hex | readonly Node[]

const isText = (node: Node | undefined): node is Hex => typeof node === 'string'
const isList = (node: Node | undefined): node is readonly Node[] => typeof node === 'object'
const isNumber = (node: Node | undefined, mostBytes: number): node is Hex =>
  isText(node) && byteLength(node) <= mostBytes && !node.startsWith('0x00')

/** Walks from the root along the hash of a key, one nibble a branch (Yellow Paper, appendix D). */
function lookUp(root: Hex, key: Hex, proof: readonly string[]): Found {
  if (!isHex(root, 32) || !proof.every((node) => isHex(node))) return { fault: 'the proof is malformed' }
  // go-ethereum proves that an empty trie holds nothing by no node, EDR by the root.
  if (sameHex(root, EMPTY_ROOT) && ['', EMPTY].includes(proof.join())) return { absent: true }
  let path = keccak256(key).slice(2)
  let next: Node = root
  let used = 0
  for (;;) {
    const bytes: Hex = isList(next) ? toRlp(next) : (proof[used] ?? '0x')
    if (isText(next) && !sameHex(keccak256(bytes), next))
      return { fault: 'a node doesn’t hash to what its parent names' }
    // A node of 32 bytes or more is named by its hash, and so is the root; a smaller one stands in its parent.
    const isInPlace = next === root || isList(next) === byteLength(bytes) < 32
    const node = isInPlace ? listOf(bytes) : undefined
    if (node === undefined) return { fault: 'a node is malformed' }
    if (isText(next)) used += 1
    const step = follow(node, path)
    if ('fault' in step) return step
    if (!('next' in step)) return used === proof.length ? step : { fault: 'the proof has nodes left over' }
    path = step.path
    next = step.next
  }
}

/** One step down: to another node, the value or nothing. All keys are equally long, so values stand in leaves alone. */
function follow(node: readonly Node[], path: string): { next: Node; path: string } | Found {
  if (node.length === 17) {
    const child = node[Number.parseInt(path.slice(0, 1), 16)]
    if (child === undefined || node[16] !== '0x') return { fault: 'a branch is malformed' }
    return child === '0x' ? { absent: true } : { next: child, path: path.slice(1) }
  }
  const [prefix, child] = node
  if (node.length !== 2 || !isText(prefix) || child === undefined) return { fault: 'a node is malformed' }
  const flag = Number.parseInt(prefix.slice(2, 3), 16)
  const isOdd = (flag & 1) === 1
  const nibbles = prefix.slice(isOdd ? 3 : 4)
  if (!(flag < 4) || (!isOdd && prefix.slice(3, 4) !== '0')) return { fault: 'a path is malformed' }
  const isLeaf = (flag & 2) === 2
  const fits = isLeaf ? nibbles.length === path.length : nibbles !== '' && nibbles.length < path.length
  if (!fits) return { fault: 'a path is malformed' }
  if (isLeaf) return nibbles === path ? readValue(child) : { absent: true }
  return path.startsWith(nibbles) ? { next: child, path: path.slice(nibbles.length) } : { absent: true }
}

const readValue = (node: Node): Found =>
  isText(node) ? { value: node } : { fault: 'the value is malformed' }

/** Decodes canonical RLP (Yellow Paper, appendix B); the decoder takes lengths and bytes in longer forms too. */
function decode(bytes: Hex): Node | undefined {
  try {
    const node = fromRlp(bytes, 'hex') as Node
    return sameHex(toRlp(node), bytes) ? node : undefined
  } catch {
    return undefined
  }
}

function listOf(bytes: Hex): readonly Node[] | undefined {
  const node = decode(bytes)
  return isList(node) ? node : undefined
}

const numberOf = (text: Hex): bigint => (text === '0x' ? 0n : BigInt(text))
const byteLength = (text: Hex): number => text.length / 2 - 1

const COUNT_SLOT = 0n
const OPERATORS_SLOT = 2n
const QUEUE_SLOT = 3n

/** Storage of the deposit contract (public source; the rehearsal's has the same): where each value is kept. */
export const DEPOSIT_SLOTS = {
  /** `depositCount`: alone in its slot. */
  count: word(COUNT_SLOT),
  /** `getOperator`: an address. */
  operatorOf: (pubkey: Hex): Hex => keccak256(concatHex(pubkey, word(OPERATORS_SLOT))),
  /** `queuedOperator`: the time in the low 96 bits, the address above it. */
  queuedOf: (pubkey: Hex): Hex => keccak256(concatHex(pubkey, word(QUEUE_SLOT))),
}

function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** A number as RLP has it: no leading zeros, and nothing for 0. */
function shortest(value: bigint): Hex {
  const digits = value.toString(16)
  return value === 0n ? '0x' : `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

/** Returns the address in the low 160 bits of a storage value. */
export const addressIn = (value: bigint): Hex =>
  `0x${BigInt.asUintN(160, value).toString(16).padStart(40, '0')}`

/** A receipt as a block's receipts root holds it (EIP-2718), with the logs in order. */
export type BlockReceipt = {
  type: number
  /** 1: carried out; 0: reverted. */
  status: number
  cumulativeGasUsed: bigint
  logsBloom: Hex
  logs: readonly ReceiptLog[]
}

export type ReceiptLog = { address: Hex; topics: readonly Hex[]; data: Hex }

/** Checks that these are all receipts of a block, in order: they must hash to its receipts root (EIP-2718). */
export function areAllReceipts(receiptsRoot: Hex, receipts: readonly BlockReceipt[]): boolean {
  // A larger type than EIP-2718 has could be the beginning of another receipt.
  return receipts.every(({ type }) => type <= 0x7f) && sameHex(receiptsRootOf(receipts), receiptsRoot)
}

/** Returns the receipts root of a block with these receipts. */
export function receiptsRootOf(receipts: readonly BlockReceipt[]): Hex {
  const entries = receipts.map((receipt, index) => ({
    path: toRlp(shortest(BigInt(index))).slice(2),
    value: encodeReceipt(receipt),
  }))
  return entries.length === 0 ? EMPTY_ROOT : keccak256(toRlp(trieNode(entries, 0)))
}

function encodeReceipt({ type, status, cumulativeGasUsed, logsBloom, logs }: BlockReceipt): Hex {
  const fields = [
    shortest(BigInt(status)),
    shortest(cumulativeGasUsed),
    logsBloom,
    logs.map(({ address, topics, data }) => [address, topics, data]),
  ]
  const body = toRlp(fields as Parameters<typeof toRlp>[0])
  return type === 0 ? body : concatHex(shortest(BigInt(type)), body)
}

type Entry = { path: string; value: Hex }

/** The node above these entries, whose paths are alike up to `depth` nibbles; no path is the beginning of another. */
function trieNode(entries: readonly Entry[], depth: number): Node {
  const [first] = entries
  if (first === undefined) return '0x'
  if (entries.length === 1) return [packPath(first.path.slice(depth), { isLeaf: true }), first.value]
  const shared = sharedLength(entries, depth)
  if (shared > depth)
    return [
      packPath(first.path.slice(depth, shared), { isLeaf: false }),
      referenceTo(trieNode(entries, shared)),
    ]
  const children = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter(({ path }) => Number.parseInt(path.slice(depth, depth + 1), 16) === nibble)
    return below.length === 0 ? '0x' : referenceTo(trieNode(below, depth + 1))
  })
  return [...children, '0x']
}

function sharedLength(entries: readonly Entry[], depth: number): number {
  let length = depth
  const at = (entry: Entry) => entry.path.slice(length, length + 1)
  const [first] = entries
  while (first !== undefined && at(first) !== '' && entries.every((entry) => at(entry) === at(first)))
    length += 1
  return length
}

/** How a parent names a node: by its hash, or by itself where it's shorter than one. */
function referenceTo(node: Node): Node {
  const bytes = toRlp(node)
  return byteLength(bytes) < 32 ? node : keccak256(bytes)
}

/** Hex-prefix encoding of a path (Yellow Paper, appendix C). */
function packPath(nibbles: string, { isLeaf }: { isLeaf: boolean }): Hex {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2)
  return `0x${flag}${nibbles.length % 2 === 0 ? '0' : ''}${nibbles}`
}

/**
 * Decides whether a block may hold a log of this address with these topics, by the bloom of its header (Yellow Paper,
 * "Transaction Receipt"). No is final; yes isn't: other logs may have set the same bits.
 */
export function mayHoldLog(logsBloom: Hex, { address, topics }: Omit<ReceiptLog, 'data'>): boolean {
  const bloom = BigInt(logsBloom)
  return [address, ...topics].every((entry) => {
    const digest = keccak256(entry).slice(2)
    return [0, 4, 8].every((from) => {
      const bit = Number.parseInt(digest.slice(from, from + 4), 16) & 2047
      return ((bloom >> BigInt(bit)) & 1n) === 1n
    })
  })
}
