import fc from 'fast-check'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { bytesToHex, type Hex } from '../../../../src/core/base/format/hex.ts'
import { verifyAccount, verifyStorage } from '../../../../src/core/chain/proofs/execution-proof.ts'
import { buildTrie, encodeItem, encodeNumber, encodePath, type Item, type SimpleTrie } from './simple-trie.ts'

const pathOf = (key: Hex): string => keccak256(key).slice(2)
const hashOf = (bytes: Buffer): Buffer => Buffer.from(keccak256(bytes).slice(2), 'hex')
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
const storageValue = (value: bigint): Buffer => encodeItem(encodeNumber(value))
const EMPTY_ROOT = keccak256('0x80')
const NO_CODE = keccak256('0x')

test('the simple trie has the root of a published example', () => {
  const pairs = [
    ['do', 'verb'],
    ['dog', 'puppy'],
    ['doge', 'coin'],
    ['horse', 'stallion'],
  ] as const
  const { root } = buildTrie(
    new Map(pairs.map(([key, value]) => [Buffer.from(key).toString('hex'), Buffer.from(value)])),
  )
  expect(root).toBe('0x5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84')
})

/** A key of the trie beside the one that is looked for: alike for so many nibbles, so that the trie gets deep. */
type Neighbor = { shared: number; turn: number; tail: number; value: bigint }

const neighbor: fc.Arbitrary<Neighbor> = fc.record({
  shared: fc.nat({ max: 63 }),
  turn: fc.integer({ min: 1, max: 15 }),
  tail: fc.nat(),
  // Small values make nodes that are embedded in their parents.
  value: fc.oneof(fc.bigInt({ min: 1n, max: 127n }), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })),
})

function neighborPath(path: string, { shared, turn, tail }: Neighbor): string {
  const nibble = (Number.parseInt(path.charAt(shared), 16) + turn) % 16
  return `${path.slice(0, shared)}${nibble.toString(16)}${pathOf(word(tail)).slice(shared + 1)}`
}

type Storage = { slot: Hex; own: bigint; trie: SimpleTrie }

const storage: fc.Arbitrary<Storage> = fc
  .record({
    slot: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex),
    own: fc.oneof(
      fc.constant(0n),
      neighbor.map(({ value }) => value),
    ),
    others: fc.array(neighbor, { maxLength: 12 }),
  })
  .map(({ slot, own, others }) => {
    const path = pathOf(slot)
    const entries = new Map(others.map((one) => [neighborPath(path, one), storageValue(one.value)]))
    if (own > 0n) entries.set(path, storageValue(own))
    return { slot, own, trie: buildTrie(entries) }
  })

type Change = { kind: 'byte' | 'left out' | 'doubled' | 'cut' | 'swapped' | 'longer'; at: number; by: number }

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('byte', 'left out', 'doubled', 'cut', 'swapped', 'longer'),
  at: fc.nat(),
  by: fc.integer({ min: 1, max: 255 }),
})

function changeProof(proof: readonly Hex[], { kind, at, by }: Change): Hex[] {
  const place = at % proof.length
  const node = Buffer.from((proof[place] ?? '0x').slice(2), 'hex')
  const where = at % node.length
  const flipped = Buffer.from(node)
  flipped.writeUInt8(node.readUInt8(where) ^ by, where)
  if (kind === 'byte') return proof.with(place, bytesToHex(flipped))
  if (kind === 'left out') return proof.toSpliced(place, 1)
  if (kind === 'doubled') return proof.toSpliced(place, 0, bytesToHex(node))
  if (kind === 'cut') return proof.with(place, bytesToHex(node.subarray(0, where)))
  if (kind === 'longer') return proof.with(place, bytesToHex(Buffer.concat([node, Buffer.of(by)])))
  return proof.toReversed()
}

describe('the proof of a storage slot', () => {
  test('gives the value, and 0 where the trie has none', () => {
    fc.assert(
      fc.property(storage, ({ slot, own, trie }) => {
        const proof = trie.proofOf(pathOf(slot))
        expect(verifyStorage({ storageRoot: trie.root, slot, proof })).toBe(own)
      }),
      { numRuns: 400 },
    )
  })

  test('proves nothing once anything in it is changed', () => {
    fc.assert(
      fc.property(storage, change, ({ slot, trie }, how) => {
        const proof = trie.proofOf(pathOf(slot))
        fc.pre(proof.length > 0)
        const changed = changeProof(proof, how)
        fc.pre(JSON.stringify(changed) !== JSON.stringify(proof))
        expect(verifyStorage({ storageRoot: trie.root, slot, proof: changed })).toHaveProperty('fault')
      }),
      { numRuns: 1000 },
    )
  })

  test('proves nothing under another root', () => {
    fc.assert(
      fc.property(storage, storage, ({ slot, trie }, other) => {
        fc.pre(trie.root !== other.trie.root)
        const proof = trie.proofOf(pathOf(slot))
        expect(verifyStorage({ storageRoot: other.trie.root, slot, proof })).toHaveProperty('fault')
      }),
      { numRuns: 200 },
    )
  })

  test('never gives a wrong value, whatever nodes of the trie it has, in whatever order', () => {
    const drawn = storage.chain((one) =>
      fc.record({
        one: fc.constant(one),
        proof: fc.shuffledSubarray([...one.trie.nodes, '0x80', '0xc0', '0x']),
      }),
    )
    fc.assert(
      fc.property(drawn, ({ one: { slot, own, trie }, proof }) => {
        const found = verifyStorage({ storageRoot: trie.root, slot, proof })
        if (typeof found === 'bigint') expect(found).toBe(own)
        else expect(found).toHaveProperty('fault')
      }),
      { numRuns: 1000 },
    )
  })

  test('is never taken from text that is no proof, and never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.uint8Array({ maxLength: 80 }), (texts, bytes) => {
        // The root of an empty trie proves that nothing is there.
        fc.pre(keccak256(bytes) !== EMPTY_ROOT)
        const claim = { storageRoot: keccak256(bytes), slot: word(1) }
        const faults = [texts, [bytesToHex(bytes)]].map((proof) => verifyStorage({ ...claim, proof }))
        for (const [at, fault] of faults.entries())
          if (at === 1 || texts.length > 0) expect(fault).toHaveProperty('fault')
      }),
    )
  })

  test('of an empty trie is no node, or its root', () => {
    const asked = { storageRoot: EMPTY_ROOT, slot: word(0) }
    expect(verifyStorage({ ...asked, proof: [] })).toBe(0n)
    expect(verifyStorage({ ...asked, proof: ['0x80'] })).toBe(0n)
    for (const proof of [['0x'], ['0x80', '0x80'], ['0x8180'], ['0x', '0x80']])
      expect(verifyStorage({ ...asked, proof })).toHaveProperty('fault')
  })
})

/** Nodes that no client makes: the hash that leads to each of them is right, and it still proves nothing. */
describe('a proof of malformed nodes', () => {
  const slot = word(0)
  const path = pathOf(slot)
  const nothing = Buffer.alloc(0)
  const value = storageValue(5n)
  const leaf = (nibbles: string, held: Item = value): Item => [encodePath(nibbles, { isLeaf: true }), held]
  const flagged = (prefix: string, child: Item): Item => [Buffer.from(prefix, 'hex'), child]
  const branchTo = (child: Item, own: Item = nothing): Item => {
    const children: Item[] = Array.from({ length: 16 }, () => nothing)
    return [...children.with(Number.parseInt(path.charAt(0), 16), child), own]
  }
  const verify = (...nodes: readonly (Item | Buffer)[]) => {
    const bytes = nodes.map((node) => (Buffer.isBuffer(node) ? node : encodeItem(node)))
    const storageRoot = keccak256(bytes[0] ?? nothing)
    return verifyStorage({ storageRoot, slot, proof: bytes.map((one) => bytesToHex(one)) })
  }
  const wholeLeaf = encodeItem(leaf(path))
  const belowBranch = leaf(path.slice(1))

  test('differs from one of good nodes', () => {
    expect(verify(wholeLeaf)).toBe(5n)
    expect(verify(branchTo(hashOf(encodeItem(belowBranch))), belowBranch)).toBe(5n)
    expect(verify(branchTo(nothing))).toBe(0n)
  })

  test.each<[string, (Item | Buffer)[]]>([
    ['a leaf with a flag that there is not', [flagged(`60${path}`, value)]],
    ['a leaf with padding that is not zero', [flagged(`21${path}`, value)]],
    ['a leaf without a path', [flagged('', value)]],
    ['a leaf whose path is too short', [leaf(path.slice(2))]],
    ['a leaf whose path is too long', [leaf(`${path}00`)]],
    ['a leaf without a value', [leaf(path, nothing)]],
    ['a leaf with a list as its value', [leaf(path, [value])]],
    ['a value with leading zeros', [leaf(path, encodeItem(Buffer.from('0005', 'hex')))]],
    ['a value of 33 bytes', [leaf(path, encodeItem(Buffer.alloc(33, 1)))]],
    ['a value that is a list', [leaf(path, encodeItem([Buffer.of(5)]))]],
    ['a value with a byte in two', [leaf(path, Buffer.from('8105', 'hex'))]],
    ['a value with bytes behind it', [leaf(path, Buffer.from('0505', 'hex'))]],
    ['an extension by nothing', [flagged('00', hashOf(wholeLeaf)), wholeLeaf]],
    ['an extension to the end of the path', [flagged(`00${path}`, hashOf(wholeLeaf)), wholeLeaf]],
    ['a branch with a value of its own', [branchTo(nothing, value)]],
    ['a branch with a list as its value', [branchTo(nothing, [])]],
    ['a branch with 16 entries', [(branchTo(nothing) as Item[]).slice(1)]],
    ['a node with 3 entries', [[...(leaf(path) as Item[]), nothing]]],
    ['a node with no entry', [[]]],
    ['a node that is no list', [encodeItem(wholeLeaf)]],
    ['a child that is neither a hash nor a node', [branchTo(Buffer.alloc(5, 1)), belowBranch]],
    ['a long child that is embedded', [branchTo(belowBranch)]],
    ['a short child behind a hash', shortBehindHash()],
    ['a length in a longer form than it needs', [longForm(wholeLeaf)]],
    ['a value of 1025 bytes', [leaf(path, encodeItem(Buffer.alloc(1025, 1)))]],
  ])('is refused: %s', (_, nodes) => {
    expect(verify(...nodes)).toHaveProperty('fault')
  })

  /** Branches down to the last nibble, where a leaf is so short that it belongs into its parent. */
  function shortBehindHash(): Buffer[] {
    const short = encodeItem(leaf(''))
    const last: Item[] = Array.from({ length: 17 }, () => nothing)
    const branch = encodeItem(last.with(Number.parseInt(path.charAt(63), 16), hashOf(short)))
    const extension = encodeItem([encodePath(path.slice(0, 63), { isLeaf: false }), hashOf(branch)])
    return [extension, branch, short]
  }

  /** The same list with its length in a byte of its own. */
  function longForm(bytes: Buffer): Buffer {
    return Buffer.concat([Buffer.of(0xf8, bytes.length - 1), bytes.subarray(1)])
  }
})

type Account = { nonce: bigint; balanceWei: bigint; storageRoot: Hex; codeHash: Hex }

const encodeAccount = ({ nonce, balanceWei, storageRoot, codeHash }: Account): Buffer =>
  encodeItem([
    encodeNumber(nonce),
    encodeNumber(balanceWei),
    Buffer.from(storageRoot.slice(2), 'hex'),
    Buffer.from(codeHash.slice(2), 'hex'),
  ])

const account: fc.Arbitrary<Account> = fc.record({
  nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  balanceWei: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  storageRoot: fc.nat().map((seed) => keccak256(word(seed))),
  codeHash: fc.nat().map((seed) => keccak256(word(seed))),
})
const address: fc.Arbitrary<Hex> = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex)
const state = fc.uniqueArray(fc.tuple(address, account), {
  minLength: 1,
  maxLength: 40,
  selector: ([of]) => of,
})

describe('the proof of an account', () => {
  test('gives each account of a state, and that there is no other', () => {
    fc.assert(
      fc.property(state, address, (accounts, stranger) => {
        const trie = buildTrie(new Map(accounts.map(([of, held]) => [pathOf(of), encodeAccount(held)])))
        const verify = (of: Hex) =>
          verifyAccount({ stateRoot: trie.root, address: of, proof: trie.proofOf(pathOf(of)) })
        for (const [of, held] of accounts) expect(verify(of)).toEqual(held)
        const isKnown = accounts.some(([of]) => of === stranger)
        const absent = { nonce: 0n, balanceWei: 0n, storageRoot: EMPTY_ROOT, codeHash: NO_CODE }
        if (!isKnown) expect(verify(stranger)).toEqual(absent)
      }),
      { numRuns: 50 },
    )
  })

  test('is of no other account', () => {
    fc.assert(
      fc.property(state, change, (accounts, how) => {
        const trie = buildTrie(new Map(accounts.map(([of, held]) => [pathOf(of), encodeAccount(held)])))
        const [[of] = ['0x' as Hex], [other] = ['0x' as Hex]] = accounts
        const proof = trie.proofOf(pathOf(of))
        const found = verifyAccount({ stateRoot: trie.root, address: other, proof })
        if (accounts.length > 1) expect(found).toHaveProperty('fault')
        const changed = changeProof(proof, how)
        fc.pre(JSON.stringify(changed) !== JSON.stringify(proof))
        const altered = verifyAccount({ stateRoot: trie.root, address: of, proof: changed })
        expect(altered).toHaveProperty('fault')
      }),
      { numRuns: 200 },
    )
  })

  test.each<[string, Item]>([
    ['three fields', [Buffer.of(1), Buffer.of(1), Buffer.alloc(32, 1)]],
    ['five fields', [Buffer.of(1), Buffer.of(1), Buffer.alloc(32, 1), Buffer.alloc(32, 1), Buffer.of(1)]],
    ['a nonce of 9 bytes', [Buffer.alloc(9, 1), Buffer.of(1), Buffer.alloc(32, 1), Buffer.alloc(32, 1)]],
    ['a balance of 33 bytes', [Buffer.of(1), Buffer.alloc(33, 1), Buffer.alloc(32, 1), Buffer.alloc(32, 1)]],
    [
      'a nonce with zeros before it',
      [Buffer.alloc(2), Buffer.of(1), Buffer.alloc(32, 1), Buffer.alloc(32, 1)],
    ],
    ['a short storage root', [Buffer.of(1), Buffer.of(1), Buffer.alloc(31, 1), Buffer.alloc(32, 1)]],
    ['a short code hash', [Buffer.of(1), Buffer.of(1), Buffer.alloc(32, 1), Buffer.alloc(31, 1)]],
    ['a list as its balance', [Buffer.of(1), [], Buffer.alloc(32, 1), Buffer.alloc(32, 1)]],
  ])('is refused for an account with %s', (_, fields) => {
    const of: Hex = `0x${'42'.repeat(20)}`
    const trie = buildTrie(new Map([[pathOf(of), encodeItem(fields)]]))
    const proof = trie.proofOf(pathOf(of))
    expect(verifyAccount({ stateRoot: trie.root, address: of, proof })).toHaveProperty('fault')
  })
})
