import { keccak256 } from 'viem'
import { bytesToHex, type Hex } from '../../../../src/core/base/format/hex.ts'

/** What RLP encodes: bytes, or a list of such. */
export type Item = Buffer | readonly Item[]

/** Encodes an item (Yellow Paper, appendix B), from its definition. */
export function encodeItem(item: Item): Buffer {
  if (!Buffer.isBuffer(item)) return prefixed(0xc0, Buffer.concat(item.map(encodeItem)))
  return item.length === 1 && item.readUInt8(0) < 0x80 ? item : prefixed(0x80, item)
}

function prefixed(base: number, body: Buffer): Buffer {
  if (body.length < 56) return Buffer.concat([Buffer.of(base + body.length), body])
  const length = encodeNumber(BigInt(body.length))
  return Buffer.concat([Buffer.of(base + 55 + length.length), length, body])
}

/** Returns a number in as few bytes as it has: none for 0. */
export function encodeNumber(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0)
  const digits = value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
}

/** Encodes a path in hex-prefix form (Yellow Paper, appendix C). */
export function encodePath(nibbles: string, { isLeaf }: { isLeaf: boolean }): Buffer {
  const isOdd = nibbles.length % 2 === 1
  return Buffer.from(`${(isLeaf ? 2 : 0) + (isOdd ? 1 : 0)}${isOdd ? '' : '0'}${nibbles}`, 'hex')
}

export type SimpleTrie = {
  root: Hex
  /** All nodes that aren't embedded. */
  nodes: readonly Hex[]
  /** Returns the nodes from the root down to where a path ends, without those that are embedded. */
  proofOf: (path: string) => Hex[]
}

type Tree = { children: Map<string, Tree>; value: Buffer }
type Placed = { at: string; bytes: Buffer }

/**
 * Builds a Merkle-Patricia trie of values by their paths, in nibbles (Yellow Paper, appendix D). It goes another way than
 * the program: a tree with one level a nibble, of which single children are joined while it is encoded.
 */
export function buildTrie(entries: ReadonlyMap<string, Buffer>): SimpleTrie {
  const tree = emptyTree()
  for (const [path, value] of entries) insert(tree, { path, value })
  const nodes: Placed[] = []
  const whole = entries.size === 0 ? Buffer.alloc(0) : encodeTree(tree, { at: '', nodes })
  const named = nodes.filter(({ at, bytes }) => at === '' || bytes.length >= 32)
  return {
    root: keccak256(encodeItem(whole)),
    nodes: named.map(({ bytes }) => bytesToHex(bytes)),
    proofOf: (path) =>
      named
        .filter(({ at }) => path.startsWith(at))
        .toSorted((a, b) => a.at.length - b.at.length)
        .map(({ bytes }) => bytesToHex(bytes)),
  }
}

const emptyTree = (): Tree => ({ children: new Map(), value: Buffer.alloc(0) })

function insert(tree: Tree, { path, value }: { path: string; value: Buffer }): void {
  let below = tree
  for (const nibble of path) {
    const next = below.children.get(nibble) ?? emptyTree()
    below.children.set(nibble, next)
    below = next
  }
  below.value = value
}

function encodeTree(tree: Tree, place: { at: string; nodes: Placed[] }): Item {
  const { nodes } = place
  let below = tree
  let shared = ''
  while (below.children.size === 1 && below.value.length === 0) {
    const [[nibble, only] = ['', below]] = below.children
    shared += nibble
    below = only
  }
  const at = place.at + shared
  if (below.children.size === 0)
    return placed([encodePath(shared, { isLeaf: true }), below.value], { at: place.at, nodes })
  const children = Array.from('0123456789abcdef', (nibble) => {
    const child = below.children.get(nibble)
    return child === undefined ? Buffer.alloc(0) : referenceTo(encodeTree(child, { at: at + nibble, nodes }))
  })
  const branch = placed([...children, below.value], { at, nodes })
  if (shared === '') return branch
  return placed([encodePath(shared, { isLeaf: false }), referenceTo(branch)], { at: place.at, nodes })
}

function placed(item: Item, { at, nodes }: { at: string; nodes: Placed[] }): Item {
  nodes.push({ at, bytes: encodeItem(item) })
  return item
}

function referenceTo(item: Item): Item {
  const bytes = encodeItem(item)
  return bytes.length < 32 ? item : Buffer.from(keccak256(bytes).slice(2), 'hex')
}
