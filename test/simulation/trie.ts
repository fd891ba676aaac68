import { keccak256, toRlp } from 'viem/utils'
import type { Hex } from '../../src/core/base/format/hex.ts'

type Rlp = Hex | readonly Rlp[]
type Leaf = { path: string; value: Hex }
type Node = { node: Rlp; bytes: Hex; next(path: string): { node: Node; path: string } | undefined }

/** A Merkle-Patricia trie whose keys are hashed (Yellow Paper, appendix D). */
export type Trie = { root: Hex; prove(key: Hex): Hex[] }

/** Returns the trie of some values in RLP, by key. */
export function createTrie(entries: ReadonlyMap<Hex, Hex>): Trie {
  const top = nodeOf([...entries].map(([key, value]) => ({ path: keccak256(key).slice(2), value })))
  return {
    root: keccak256(top.bytes),
    prove(key) {
      const proof: Hex[] = []
      let at: { node: Node; path: string } | undefined = { node: top, path: keccak256(key).slice(2) }
      while (at !== undefined) {
        if (at.node === top || isLong(at.node)) proof.push(at.node.bytes)
        at = at.node.next(at.path)
      }
      return proof
    },
  }
}

/** Whether a node is named by its hash; a shorter one stands in its parent. */
const isLong = ({ bytes }: Node): boolean => bytes.length >= 2 + 2 * 32

const referTo = (node: Node): Rlp => (isLong(node) ? keccak256(node.bytes) : node.node)

function nodeOf(leaves: readonly Leaf[]): Node {
  const [first, ...others] = leaves
  if (first === undefined) return made('0x')
  if (others.length === 0) return made([compact(first.path, 2), first.value])
  let shared = 0
  while (others.every(({ path }) => path[shared] === first.path[shared])) shared += 1
  if (shared > 0) {
    const child = nodeOf(leaves.map(({ path, value }) => ({ path: path.slice(shared), value })))
    const prefix = first.path.slice(0, shared)
    return made([compact(prefix, 0), referTo(child)], (path) =>
      path.startsWith(prefix) ? { node: child, path: path.slice(shared) } : undefined,
    )
  }
  const children = [...'0123456789abcdef'].map((nibble) => {
    const below = leaves.filter(({ path }) => path.startsWith(nibble))
    return below.length === 0
      ? undefined
      : nodeOf(below.map(({ path, value }) => ({ path: path.slice(1), value })))
  })
  return made([...children.map((child) => (child === undefined ? '0x' : referTo(child))), '0x'], (path) => {
    const node = children[Number.parseInt(path.slice(0, 1), 16)]
    return node && { node, path: path.slice(1) }
  })
}

const made = (node: Rlp, next: Node['next'] = () => undefined): Node => ({ node, bytes: toRlp(node), next })

/** Nibbles with the flag of a leaf (2) or an extension (0). */
function compact(nibbles: string, flag: number): Hex {
  return nibbles.length % 2 === 0 ? `0x${flag}0${nibbles}` : `0x${flag + 1}${nibbles}`
}
