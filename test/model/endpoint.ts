import type { Hex } from '../../src/core/base/format/hex.ts'
import { ACCOUNT, type Call, type Chain, OTHER, offerTo, type Pooled, type Tx } from './chain.ts'

/** Ways of an endpoint to lie. */
export const LIES = [
  'receipt-success',
  'receipt-reverted',
  'hides-receipt',
  'nonce-high',
  'nonce-low',
  'pending-high',
  'pending-low',
  'withholds-deposits',
  'invents-own-deposit',
  'invents-other-deposit',
  'invents-nameless-deposit',
  'finalized-ahead',
  'finalized-behind',
  'knows',
  'knows-not',
  'drops-bytes',
  'refuses-and-takes',
] as const

export type Lie = (typeof LIES)[number]

/** How an endpoint behaves. All but the lies may happen to an honest one. */
export type Stance = {
  /** Blocks behind the head. */
  lag: number
  /** Its connection is refused, or it takes a question and never answers. */
  silent: 'no' | 'refuses' | 'hangs'
  /** What it does with signed bytes: gives them on, keeps them to itself, refuses them. */
  bytes: 'shares' | 'keeps' | 'refuses'
  lies: readonly Lie[]
}

export const HONEST: Stance = { lag: 0, silent: 'no', bytes: 'shares', lies: [] }

type SaidReceipt = { hash: Hex; block: number; success: boolean; from: Hex }

/** A deposit for the key by the word of an endpoint; `sender` is undefined where it does not find the transaction. */
export type SaidDeposit = {
  hash: Hex
  block: number
  call: Call
  amount: number
  to: Hex
  sender: { from: Hex; nonce: number } | undefined
}

/** One execution endpoint: what it says, as plain values, right now. */
export type Endpoint = {
  readonly name: string
  stance(): Stance
  /** `stands`: what it made up stands, though it tells no lie now. */
  behave(stance: Stance, how?: { stands: boolean }): void
  answers(): boolean
  head(): number
  finalized(): number
  nonce(account: Hex): number
  /** The same by the finalized block. */
  finalNonce(account: Hex): number
  pending(account: Hex): number
  receipt(hash: Hex): SaidReceipt | undefined
  /** A transaction in a block or in its pool. */
  transaction(hash: Hex): { tx: Tx; block: number | undefined } | undefined
  deposits(after: number): SaidDeposit[]
  hasOperator(): boolean
  /** Gives it signed bytes. An answer of `refused` proves nothing. */
  give(tx: Tx): Pooled | 'refused'
  /** Exchanges transactions with the block producers, who know `shared`. */
  gossip(): void
  forgetPool(): void
  /** What it has invented and where that is said to be, and what waits at it. */
  own(): { pool: readonly Tx[]; madeUp: ReadonlyMap<Hex, number> }
  /** Keeps this moment; what it returns brings it back. */
  keep(): () => void
}

export const DEPOSIT_CONTRACT: Hex = '0x4242424242424242424242424242424242424242'

const inventedHash = (kind: string): Hex => `0x${kind.padEnd(64, '0')}`
const INVENTED_OWN = inventedHash('fa15e0')
const INVENTED_OTHER = inventedHash('fa15e1')
const INVENTED_NAMELESS = inventedHash('fa15e2')

/** An endpoint on a chain; `amount` is what it invents a deposit of, in whole tokens. */
export function createEndpoint(
  chain: Chain,
  name: string,
  invented: { call: Call; amount: number },
): Endpoint {
  let stance = HONEST
  let pool: Tx[] = []
  /** At which block an invented thing is said to be: the same as long as the endpoint lies. */
  let madeUp = new Map<Hex, number>()

  const lies = (lie: Lie): boolean => stance.lies.includes(lie)
  const head = () => Math.max(0, chain.head() - stance.lag)
  const placeOf = (hash: Hex): number => {
    const place = madeUp.get(hash) ?? Math.max(1, head() - 1)
    madeUp.set(hash, place)
    return place
  }
  const latest = (account: Hex) => chain.nonceAt(account, head())
  const inPool = (hash: Hex) => pool.find((one) => one.hash === hash)
  const includedHere = (hash: Hex) => {
    const found = chain.find(hash)
    return found !== undefined && found.block <= head() ? found : undefined
  }
  const inventions = (): SaidDeposit[] => {
    const made: SaidDeposit[] = []
    const { call, amount } = invented
    const to = DEPOSIT_CONTRACT
    const add = (hash: Hex, sender: SaidDeposit['sender']) =>
      made.push({ hash, block: placeOf(hash), call, amount, to, sender })
    if (lies('invents-own-deposit')) add(INVENTED_OWN, { from: ACCOUNT, nonce: ownNonce() })
    if (lies('invents-other-deposit')) add(INVENTED_OTHER, { from: OTHER, nonce: 9 })
    if (lies('invents-nameless-deposit')) add(INVENTED_NAMELESS, undefined)
    return made
  }
  const finalized = () => {
    if (lies('finalized-ahead')) return head()
    return lies('finalized-behind') ? 0 : Math.max(0, head() - 1)
  }
  const untrue = (nonce: number) => {
    if (lies('nonce-high')) return nonce + 1
    return lies('nonce-low') ? nonce - 1 : nonce
  }
  const ownNonce = () => chain.nonceAt(ACCOUNT, placeOf(INVENTED_OWN))

  return {
    name,
    stance: () => stance,
    behave(now, how) {
      stance = now
      if (now.lies.length === 0 && how?.stands !== true) madeUp = new Map()
    },
    answers: () => stance.silent === 'no',
    head,
    finalized,
    nonce: (account) => untrue(latest(account)),
    finalNonce: (account) => untrue(chain.nonceAt(account, Math.min(head(), finalized()))),
    pending(account) {
      let real = latest(account)
      if (!lies('pending-low')) while (pool.some((tx) => tx.from === account && tx.nonce === real)) real += 1
      const told = lies('pending-high') || lies('nonce-high') ? real + 1 : real
      return lies('nonce-low') ? told - 1 : told
    },
    receipt(hash) {
      if (lies('receipt-success') || lies('receipt-reverted')) {
        const tx = chain.signed.get(hash)
        const success = lies('receipt-success')
        return { hash, block: placeOf(hash), success, from: tx?.from ?? ACCOUNT }
      }
      const invention = lies('hides-receipt') ? undefined : inventions().find((one) => one.hash === hash)
      if (invention !== undefined)
        return { hash, block: invention.block, success: true, from: invention.sender?.from ?? OTHER }
      const found = lies('hides-receipt') ? undefined : includedHere(hash)
      return found && { hash, block: found.block, success: found.success, from: found.tx.from }
    },
    transaction(hash) {
      if (lies('knows-not')) return undefined
      const invention = inventions().find((one) => one.hash === hash)
      if (invention !== undefined) {
        const { sender, block } = invention
        return sender && { tx: { ...invention, ...sender, maxFeeWei: 0n, tipWei: 0n }, block }
      }
      const found = includedHere(hash)
      if (found !== undefined) return { tx: found.tx, block: found.block }
      const waits = inPool(hash) ?? (lies('knows') ? chain.signed.get(hash) : undefined)
      return waits && { tx: waits, block: undefined }
    },
    deposits(after) {
      const made = inventions().filter(({ block }) => block > after && block <= head())
      if (lies('withholds-deposits')) return made
      const real = chain.deposits(after, head()).map(({ tx, block }) => {
        const { hash, call, amount, to, from, nonce } = tx
        return { hash, block, call, amount, to, sender: lies('knows-not') ? undefined : { from, nonce } }
      })
      return made.length === 0 ? real : [...real, ...made]
    },
    hasOperator: () => chain.operatorAt(head()),
    give(tx) {
      if (lies('drops-bytes')) return 'taken'
      if (stance.bytes === 'refuses') return 'refused'
      const answer = offerTo(pool, tx, latest(tx.from))
      return lies('refuses-and-takes') ? 'refused' : answer
    },
    gossip() {
      pool = pool.filter((tx) => tx.nonce >= latest(tx.from))
      if (stance.bytes === 'keeps') return
      for (const tx of pool) chain.offer(tx)
      for (const tx of chain.pool) offerTo(pool, tx, latest(tx.from))
    },
    forgetPool() {
      pool = []
    },
    own: () => ({ pool, madeUp }),
    keep() {
      const kept = { stance, pool: [...pool], madeUp: new Map(madeUp) }
      return () => {
        stance = kept.stance
        pool = [...kept.pool]
        madeUp = new Map(kept.madeUp)
      }
    },
  }
}
