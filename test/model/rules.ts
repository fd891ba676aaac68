import { type AgreedKeyState, stillAgreed } from '../../src/core/pay/gate/consent.ts'
import type { SentDeposit } from '../../src/core/pay/gate/facts.ts'
import type { Endpoint } from './endpoint.ts'
import type { Agreed, Host } from './program.ts'
import { planOf } from './txs.ts'

/** A deposit is counted in the stake from this many blocks after its own on, and until then it waits. */
const BLOCKS_WAITING = 3
/** Blocks that a head may be old. */
const OLDEST_HEAD = 15
const GWEI_OF_TOKEN = 1_000_000_000n
const gweiOf = (amount: number): bigint => BigInt(amount) * GWEI_OF_TOKEN

/** What a look says of the key. `unknown`: it could not be judged. */
export type Said = {
  good: boolean
  words: string
  unknown?: true
  sent?: SentDeposit
}

const unknown = (words: string): Said => ({ good: false, unknown: true, words })
const HELD: Said = { good: true, words: 'same chain, same operator' }
const NO_WORLD = { balanceGwei: 0n, stakeToBeGwei: 0n, outcome: 'keeps-place', arrived: [] } as const

/**
 * The stake of the key at the head of an endpoint: what is counted is proven, and cannot be invented; what waits is what it
 * says, and unknown where the other endpoint names another number of deposits in the same block.
 */
function stakeAt(host: Host, first: Endpoint, second: Endpoint | undefined) {
  const block = first.head()
  const counted = host.chain.countedAt(block)
  const deposits = first.deposits(0)
  const before = host.chain.deposits(0, block - BLOCKS_WAITING).length
  let waiting = 0
  if (before <= deposits.length)
    for (const one of deposits) if (one.block > block - BLOCKS_WAITING) waiting += one.amount
  const there = second?.answers() === true && second.head() >= block ? second : undefined
  const others = there?.deposits(0).filter((one) => one.block <= block) ?? deposits
  const isSame =
    others.length === deposits.length && others.every(({ hash }, at) => hash === deposits[at]?.hash)
  return { block, counted, toBe: counted + waiting, isSame }
}

/** What the screen shows of the validator now, and what an agreement to it is about. */
export function shownWorld(host: Host): AgreedKeyState | undefined {
  const [first, second] = host.endpoints
  if (!first.answers()) return undefined
  const { block, counted, toBe, isSame } = stakeAt(host, first, second)
  return {
    about: 'validator',
    block: BigInt(isSame ? block : block - BLOCKS_WAITING),
    balanceGwei: gweiOf(counted),
    stakeToBeGwei: isSame ? gweiOf(toBe) : undefined,
    outcome: 'keeps-place',
  }
}

/** With the deposits that an endpoint knows of since the agreement. */
function agreedBy(
  endpoint: Endpoint,
  agreed: AgreedKeyState | undefined,
  now?: { balanceGwei: bigint; stakeToBeGwei: bigint },
): Said {
  if (agreed?.about !== 'validator') return stillAgreed(agreed, NO_WORLD, 'BERA')
  if (endpoint.head() < Number(agreed.block)) return unknown('an endpoint is behind what was agreed after')
  const arrived = endpoint
    .deposits(Number(agreed.block))
    .map(({ block, amount }) => ({ block: BigInt(block), amountGwei: gweiOf(amount) }))
  const { outcome, balanceGwei } = agreed
  return stillAgreed(
    agreed,
    { outcome, ...(now ?? { balanceGwei, stakeToBeGwei: undefined }), arrived },
    'BERA',
  )
}

/** Whether the second endpoint, where there is one, holds the root of the first one's head. */
export function isHeld(second: Endpoint | undefined, block: number): boolean {
  return second === undefined || (second.answers() && second.head() >= block)
}

/** Whether a head is of now. */
export const isRecent = ({ chain }: Pick<Host, 'chain'>, block: number): boolean =>
  block >= chain.head() - OLDEST_HEAD

/** What the person agrees to, as the judge keeps it; a first deposit is for a key with no stake at all. */
export function agreedFacts(host: Host, world: AgreedKeyState | undefined): Agreed {
  const { amount, endpoints } = host
  if (world?.about !== 'validator') return { amount, counted: 0, stakeToBe: 0, block: endpoints[0].head() }
  const { balanceGwei, stakeToBeGwei, block } = world
  const tokens = (gwei: bigint) => Number(gwei / GWEI_OF_TOKEN)
  const stakeToBe = stakeToBeGwei === undefined ? undefined : tokens(stakeToBeGwei)
  return { amount, counted: tokens(balanceGwei), stakeToBe, block: Number(block) }
}

/** The key by the first endpoint, anchored in the second; `block` is what its look began with. `agreed`: what for, if for anything. */
export function askKey(
  host: Host,
  { first, second, block }: { first: Endpoint; second: Endpoint | undefined; block: number },
  agreement: { world: AgreedKeyState | undefined } | undefined,
): Said {
  host.looked()
  const isOld = !isRecent(host, block)
  if (host.kind === 'first') return lookAtUnused(host, first, second, isOld || !isHeld(second, block))
  if (!isHeld(second, block)) return unknown('the second endpoint does not hold the root')
  if (isOld) return unknown('the state is old')
  const { counted, toBe, isSame } = stakeAt(host, first, second)
  if (!isSame) return unknown('the endpoints name other deposits')
  if (agreement === undefined) return { good: true, words: `proven, staying, slot ${block}` }
  return agreedBy(first, agreement.world, { balanceGwei: gweiOf(counted), stakeToBeGwei: gweiOf(toBe) })
}

function lookAtUnused(host: Host, first: Endpoint, second: Endpoint | undefined, isUnproven: boolean): Said {
  if (first.hasOperator()) {
    const sent = sentAsSigned(host, first)
    if (sent === undefined) return { good: false, words: 'the contract has an operator' }
    return { good: false, words: 'sent, exactly as signed', sent }
  }
  if (isUnproven || second?.hasOperator() === true) return unknown('the endpoints disagree, or are old')
  return { good: true, words: 'unused, proven' }
}

function sentAsSigned(host: Host, endpoint: Endpoint): Said['sent'] {
  const made = endpoint.deposits(0).find(({ call }) => call === 'first')
  if (made?.sender === undefined) return undefined
  const { hash, block, sender, to } = made
  const at = { blockNumber: BigInt(block), seenSentAt: BigInt(endpoint.head()) }
  if (to === planOf('first', host.amount).to) return { hash, ...sender, ...at }
  return { hash, from: to, nonce: sender.nonce, ...at, contract: true }
}

/** The second endpoint's own word. */
export function lookAtSecond(
  host: Host,
  endpoint: Endpoint,
  agreement: { world: AgreedKeyState | undefined } | undefined,
): Said {
  if (host.kind === 'first')
    return endpoint.hasOperator() ? { good: false, words: 'the contract has an operator' } : HELD
  if (agreement?.world === undefined) return HELD
  const judged = agreedBy(endpoint, agreement.world)
  return judged.good ? HELD : judged
}
