import type { Hex } from '../../src/core/base/format/hex.ts'

/** Between two blocks. The block of slot n has number n. */
export const SLOT_MS = 2000
/** Chain time of block 0, in milliseconds. */
export const GENESIS_MS = 1_790_000_000_000
/** A deposit is counted in the stake from this many blocks after its own on. */
const BLOCKS_UNTIL_COUNTED = 3
/** What the key has at the beginning where it is registered, in whole tokens. */
const FIRST_STAKE = 10_000

/** The account that pays, the account of another person, the owner of the contract account, and that account. */
export const ACCOUNT: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const OTHER: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
export const OWNER: Hex = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
export const SAFE: Hex = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe'
/** Nonces at the beginning: none is 0, so that an endpoint can name a lower one. */
const FIRST_NONCE = 5

/**
 * What a transaction does: a deposit as it is signed here (`first`), one for the same key with another operator
 * (`front-run`), one for a registered key (`top-up`), or nothing at all.
 */
export type Call = 'first' | 'front-run' | 'top-up' | 'nothing'

export type Tx = {
  hash: Hex
  from: Hex
  /** The Safe, where its owner carries a call of it out. */
  to: Hex
  nonce: number
  call: Call
  /** In whole tokens. */
  amount: number
  maxFeeWei: bigint
  tipWei: bigint
}

/** A transaction in a block. */
export type Included = { tx: Tx; block: number; success: boolean }

type Block = { hash: Hex; included: Included[] }

/** What became of a transaction that was given to a pool. */
export type Pooled = 'taken' | 'known' | 'nonce-low' | 'underpriced'

export type Chain = {
  /** Number of the newest block. */
  head(): number
  /** The newest block that stays: the parent of the head. */
  finalized(): number
  blockHash(block: number): Hex
  find(hash: Hex): Included | undefined
  /** The next nonce of an account as of a block. */
  nonceAt(account: Hex, block: number): number
  /** What used a nonce of an account. */
  userOf(account: Hex, nonce: number): Included | undefined
  /** Deposits that were carried out in blocks after one, up to another. */
  deposits(after: number, upTo: number): Included[]
  /** Stake of the key that is counted as of a block, in whole tokens. */
  countedAt(block: number): number
  /** The same with what waits to be counted; without deposits that `isOwn` names. */
  stakeToBeAt(block: number, isOwn?: (hash: Hex) => boolean): number
  /** Whether the contract has an operator for the key as of a block. */
  operatorAt(block: number): boolean
  /** Transactions that block producers know. */
  readonly pool: readonly Tx[]
  /** Everything that anybody has signed, by its hash. */
  readonly signed: Map<Hex, Tx>
  offer(tx: Tx): Pooled
  /** Makes the next block, of everything that can be carried out and offers the base fee, or of nothing. */
  makeBlock(isEmpty: boolean, baseFeeWei?: bigint): void
  /** Replaces the newest block by an empty one; what was in it waits again, or is forgotten. */
  reorg(vanish: boolean): void
  /** How often the newest block was replaced. */
  reorgs(): number
  forgetPool(): void
  /** Keeps this moment; what it returns brings it back. */
  keep(): () => void
}

const hashOf = (block: number, fork: number): Hex =>
  `0x${(block * 64 + fork).toString(16).padStart(64, 'b10c0')}`

/** Both fees must be an eighth above those of the transaction that is replaced. */
const outbids = (tx: Tx, old: Tx): boolean =>
  tx.maxFeeWei * 8n >= old.maxFeeWei * 9n && tx.tipWei * 8n >= old.tipWei * 9n

/** Offers a transaction to a pool, by the rules of pools. `next` is the account's next nonce. */
export function offerTo(pool: Tx[], tx: Tx, next: number): Pooled {
  if (tx.nonce < next) return 'nonce-low'
  const at = pool.findIndex((one) => one.nonce === tx.nonce && one.from === tx.from)
  const old = pool[at]
  if (old === undefined) {
    pool.push(tx)
    return 'taken'
  }
  if (old.hash === tx.hash) return 'known'
  if (!outbids(tx, old)) return 'underpriced'
  pool[at] = tx
  return 'taken'
}

/** A chain with one key: registered at the beginning, or not. Nothing on it happens by itself. */
export function createChain(kind: 'first' | 'top-up'): Chain {
  const isRegistered = kind === 'top-up'
  const blocks: Block[] = []
  const uses = new Map<Hex, Included[]>()
  const deposits: Included[] = []
  const pool: Tx[] = []
  const signed = new Map<Hex, Tx>()
  let forks = 0
  for (let block = 0; block <= 10; block += 1) blocks.push({ hash: hashOf(block, 0), included: [] })

  const usesOf = (account: Hex): Included[] => {
    const known = uses.get(account)
    if (known !== undefined) return known
    const none: Included[] = []
    uses.set(account, none)
    return none
  }
  const next = (account: Hex): number => FIRST_NONCE + (uses.get(account)?.length ?? 0)
  const opened = (): Included | undefined => deposits[0]
  const succeeds = ({ call }: Tx): boolean => {
    const hasOperator = isRegistered || opened() !== undefined
    return call === 'nothing' || (call === 'top-up') === hasOperator
  }
  const include = (tx: Tx, block: number): Included => {
    const included = { tx, block, success: succeeds(tx) }
    usesOf(tx.from).push(included)
    if (included.success && tx.call !== 'nothing') deposits.push(included)
    return included
  }
  const prune = () => {
    for (let at = pool.length - 1; at >= 0; at -= 1) {
      const tx = pool[at]
      if (tx !== undefined && tx.nonce < next(tx.from)) pool.splice(at, 1)
    }
  }

  const chain: Chain = {
    pool,
    signed,
    head: () => blocks.length - 1,
    finalized: () => blocks.length - 2,
    blockHash: (block) => blocks[block]?.hash ?? hashOf(block, 63),
    find(hash) {
      for (const list of uses.values()) {
        const found = list.find(({ tx }) => tx.hash === hash)
        if (found !== undefined) return found
      }
      return undefined
    },
    nonceAt(account, block) {
      const list = uses.get(account) ?? []
      let count = 0
      for (const one of list) if (one.block <= block) count += 1
      return FIRST_NONCE + count
    },
    userOf: (account, nonce) => uses.get(account)?.[nonce - FIRST_NONCE],
    deposits: (after, upTo) => deposits.filter(({ block }) => block > after && block <= upTo),
    countedAt: (block) => chain.stakeToBeAt(block - BLOCKS_UNTIL_COUNTED),
    stakeToBeAt(block, isOwn) {
      let sum = isRegistered ? FIRST_STAKE : 0
      for (const { tx, block: at } of deposits) if (at <= block && isOwn?.(tx.hash) !== true) sum += tx.amount
      return sum
    },
    operatorAt: (block) => isRegistered || (opened()?.block ?? Number.POSITIVE_INFINITY) <= block,
    offer: (tx) => offerTo(pool, tx, next(tx.from)),
    makeBlock(isEmpty, baseFeeWei = 0n) {
      const number = blocks.length
      const included: Included[] = []
      blocks.push({ hash: hashOf(number, 0), included })
      for (let went = !isEmpty; went; ) {
        const at = pool.findIndex((one) => one.nonce === next(one.from) && one.maxFeeWei >= baseFeeWei)
        const tx = pool[at]
        went = tx !== undefined
        if (tx === undefined) break
        pool.splice(at, 1)
        included.push(include(tx, number))
      }
      prune()
    },
    reorg(vanish) {
      const head = blocks.length - 1
      const gone = blocks.pop()
      forks = (forks % 62) + 1
      blocks.push({ hash: hashOf(head, forks), included: [] })
      for (const { tx } of gone?.included.toReversed() ?? []) {
        usesOf(tx.from).pop()
        if (deposits.at(-1)?.tx === tx) deposits.pop()
        if (!vanish) offerTo(pool, tx, next(tx.from))
      }
    },
    reorgs: () => forks,
    forgetPool() {
      pool.length = 0
    },
    keep() {
      const kept = {
        blocks: [...blocks],
        deposits: [...deposits],
        pool: [...pool],
        signed: [...signed],
        forks,
      }
      const used = [...uses].map(([account, list]) => [account, [...list]] as const)
      return () => {
        blocks.splice(0, blocks.length, ...kept.blocks)
        deposits.splice(0, deposits.length, ...kept.deposits)
        pool.splice(0, pool.length, ...kept.pool)
        forks = kept.forks
        signed.clear()
        for (const [hash, tx] of kept.signed) signed.set(hash, tx)
        uses.clear()
        for (const [account, list] of used) uses.set(account, [...list])
      }
    },
  }
  return chain
}
