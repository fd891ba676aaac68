import type { Hex } from '../../src/core/base/format/hex.ts'
import type { AgreedKeyState } from '../../src/core/pay/gate/consent.ts'
import { endedOf, initialPayment, liveOf } from '../../src/core/pay/payment/candidates.ts'
import type { Draft, PaymentState, RoundMemory } from '../../src/core/pay/payment/payment.ts'
import { ACCOUNT, OTHER, OWNER, SAFE, SLOT_MS, type Tx } from './chain.ts'
import type { DeskProgram } from './enumerate-desk.ts'
import { textOfEnd } from './judge.ts'
import type { Line } from './program.ts'
import { applied, type Inside } from './pure.ts'
import { dataOf } from './txs.ts'
import { type Computer, timeOf, type World } from './world.ts'

/** How the hash begins of what an endpoint makes up. */
const MADE_UP = '0xfa15e'
/** So many slots a clock is told apart: no threshold, doubled once, is longer. */
const OLDEST_SLOTS = 12
/** So many blocks before the head a block is told apart by its distance; before them only by which is older. */
const NEAR_BLOCKS = 6

/**
 * The state of a world by what it can still do, as a text: two worlds with one text behave alike from here on, but for names.
 * What that assumes:
 *  - hashes are names: they are compared for equality, and numbered here in the order in which they are met;
 *  - blocks are compared with each other and with the head of an endpoint, which lags 2 blocks at most: those more than
 *    six before the head count by their order alone;
 *  - the clock is read in slots and compared with thresholds: what is older than twelve slots is as old as that;
 *  - a journal is what a program makes of it that begins with it, and the hashes in it;
 *  - the newest block is replaced once in a run at most, on a chain whose blocks are final with the next one;
 *  - no endpoint here stands still for ten slots, so that the heads of the second one decide nothing;
 *  - what the gate and the screen knew of the key is read anew before it is agreed to anew;
 *  - sentences, rows, the ordinal of a payment and where its search stands decide nothing;
 *  - a transaction whose nonce is used, of which no program knows, is gone; so is an agreement only where nothing is
 *    judged by it any more, so that all of them stay.
 */
export function stateText(world: World): string {
  return createWriter(world).write()
}

const EMPTY: Pick<Inside, 'state' | 'finished'> = { state: initialPayment, finished: [] }
const folded = new WeakMap<Line, Pick<Inside, 'state' | 'finished'>>()

/** The payment after all lines of a journal; each line is applied once, to what those before it have made. */
function ofJournal(lines: readonly Line[], step: 'deposit' | 'topup'): Pick<Inside, 'state' | 'finished'> {
  let at = lines.length
  let made = EMPTY
  for (; at > 0; at -= 1) {
    const line = lines[at - 1]
    const known = line === undefined ? undefined : folded.get(line)
    if (known === undefined) continue
    made = known
    break
  }
  for (const line of lines.slice(at)) {
    made = applied(made, { step, ...(line.data as object) } as never)
    folded.set(line, made)
  }
  return made
}

const ACCOUNTS: Readonly<Record<string, string>> = { [ACCOUNT]: 'A', [OTHER]: 'O', [OWNER]: 'W', [SAFE]: 'S' }
const CALLS: Readonly<Record<string, string>> = {
  '0x': 'n',
  [dataOf('top-up')]: 't',
  [dataOf('first')]: 'f',
}

/** What of a world any state is written down by. */
export type Written = {
  chain: World['chain']
  endpoints: World['endpoints']
  sent: readonly Tx[]
  nowMs: number
}

/** Begins to write a state down. */
export function createStateWriter({ chain, endpoints, sent, nowMs }: Written) {
  const head = chain.head()
  const parts: (string | number)[] = []
  const names = new Map<string, number>()
  /** Places in `parts` of blocks that only their order tells apart. */
  const old: { at: number; block: number }[] = []

  const put = (...some: readonly (string | number | boolean | undefined)[]) => {
    for (const one of some) {
      if (one === undefined) parts.push('-')
      else if (typeof one === 'boolean') parts.push(one ? '1' : '0')
      else parts.push(one)
    }
  }
  const name = (hash: string | undefined): number | string => {
    if (hash === undefined) return -1
    // What a liar makes up is told apart by what it is: it may be made up again.
    if (hash.startsWith(MADE_UP)) return hash.slice(2, 8)
    const known = names.get(hash)
    if (known !== undefined) return known
    names.set(hash, names.size)
    return names.size - 1
  }
  const putBlock = (block: number | bigint | undefined) => {
    if (block === undefined) return put('-')
    const number = Number(block)
    if (head - number <= NEAR_BLOCKS) return put(number - head)
    old.push({ at: parts.length, block: number })
    put('old')
  }
  const age = (atMs: number | undefined): number =>
    atMs === undefined ? -1 : Math.min(OLDEST_SLOTS, Math.round((nowMs - atMs) / SLOT_MS))
  const putBlockHash = (block: bigint | undefined, hash: Hex | undefined) =>
    put(block === undefined || hash === undefined ? '-' : chain.blockHash(Number(block)) === hash)

  const putTx = ({ hash, from, to, nonce, call, amount, maxFeeWei, tipWei }: Tx) =>
    put('x', name(hash), ACCOUNTS[from], to === SAFE, nonce, call, amount, `${maxFeeWei}`, `${tipWei}`)

  function putChain(): void {
    for (const account of [ACCOUNT, OTHER, OWNER]) {
      put(account.slice(2, 4), chain.nonceAt(account, head))
      for (let nonce = 5; ; nonce += 1) {
        const used = chain.userOf(account, nonce)
        if (used === undefined) break
        put(name(used.tx.hash), used.tx.call, used.tx.amount, used.success)
        putBlock(used.block)
      }
    }
    put('deposits', chain.reorgs())
    for (const { tx } of chain.deposits(0, head)) put(name(tx.hash))
    put('pool')
    for (const tx of chain.pool) putTx(tx)
    put('sent')
    for (const tx of mayStill()) putTx(tx)
  }

  /** What was sent once, and may be sent again; each once. */
  function mayStill(): Set<Tx> {
    return new Set(sent.filter(({ from, nonce }) => nonce >= chain.nonceAt(from, chain.finalized())))
  }

  function putEndpoints(): void {
    for (const endpoint of endpoints) {
      const { pool, madeUp } = endpoint.own()
      const { lag, silent, bytes, lies } = endpoint.stance()
      put('E', lag, silent, bytes, lies.join(','))
      for (const tx of pool) putTx(tx)
      for (const [hash, block] of madeUp) {
        put('m', name(hash))
        putBlock(block)
      }
    }
  }

  function putWorld(agreed: AgreedKeyState | undefined) {
    if (agreed?.about !== 'validator') return put(agreed?.about)
    put(`${agreed.balanceGwei}`, `${agreed.stakeToBeGwei}`, agreed.outcome)
    putBlock(agreed.block)
  }

  function putDraft(draft: Draft | undefined) {
    if (draft === undefined) return put('-')
    const { agreement, signer, from, transaction, baseline } = draft
    put('D', signer, ACCOUNTS[from])
    putTransaction(transaction)
    putWorld(agreement.world)
    put(agreement.terms?.nonce, agreement.terms?.deposits.map(name).join(','))
    putBlock(baseline.blockNumber)
    if (baseline.seenSentAt !== undefined) putBlock(baseline.seenSentAt)
  }

  function putTransaction(tx: Draft['transaction']): void {
    put(tx.nonce, CALLS[tx.data], `${tx.valueWei}`, `${tx.maxFeePerGasWei}`, `${tx.maxPriorityFeePerGasWei}`)
  }

  function putPayment({ state, finished }: Pick<Inside, 'state' | 'finished'>): void {
    const { payment, abandoned, settled, quote, failure } = state
    put(payment.phase, failure !== undefined, quote?.kind)
    if (payment.phase === 'agreed') {
      putWorld(payment.agreement.world)
      put(payment.agreement.terms?.nonce, payment.agreement.terms?.deposits.map(name).join(','))
    }
    if ('draft' in payment) putDraft(payment.draft)
    if ('candidates' in payment) putTried(payment)
    put('aside')
    for (const draft of abandoned) putDraft(draft)
    put('settled', settled.map(name).join(','))
    for (const { nonce, hash } of finished) put(nonce, name(hash))
  }

  function putTried(payment: Extract<PaymentState['payment'], { candidates: unknown }>): void {
    for (const one of payment.candidates) {
      put(one.kind, name(one.hash))
      if (one.kind === 'found') put(one.nonce, `${one.valueWei}`)
      else putTransaction(one.transaction)
    }
    put('a', payment.attempts, payment.cancelAgreed)
    for (const { endpoint, hash, times, result } of payment.broadcasts)
      put(endpoint, name(hash), times, result)
    if (payment.phase === 'ended') {
      const { outcome, remembered } = payment
      put(outcome.is, remembered)
      if ('included' in outcome) putIncluded(outcome.included)
      return
    }
    putIncluded(payment.included)
    put(payment.heldBack !== undefined, payment.replacement?.kind)
    if (payment.replacement !== undefined) putTransaction(payment.replacement.transaction)
  }

  function putIncluded(
    included: { blockNumber: bigint; blockHash: Hex; hash: Hex; feeWei: bigint } | undefined,
  ) {
    if (included === undefined) return put('-')
    put('in', name(included.hash), `${included.feeWei}`)
    putBlock(included.blockNumber)
    putBlockHash(included.blockNumber, included.blockHash)
  }

  /** Where on the chain a block is, by its distance from the head. */
  function placeOf(hash: Hex | undefined): string {
    if (hash === undefined) return '-'
    for (let back = 0; back <= NEAR_BLOCKS; back += 1)
      if (chain.blockHash(head - back) === hash) return `${back}`
    return `gone${name(hash)}`
  }

  function putMemory(memory: RoundMemory): void {
    for (const [clock, atMs] of Object.entries(memory.since)) put(clock, age(atMs))
    put('m', memory.losses, memory.inMempool, memory.isStuck, memory.gapFrom, memory.shown !== undefined)
    put(age(memory.recheckedAtMs))
    put(placeOf(memory.blockHash))
    for (const [place, atMs] of Object.entries(memory.broadcastAtMs)) {
      const [endpoint, hash] = place.split(' ')
      put(endpoint, name(hash), age(atMs))
    }
    const own = memory.heads[endpoints[0].name]
    put(age(own?.sinceMs), age(own?.atMs), memory.doubt?.is)
    putBlock(own?.slot)
  }

  return {
    put,
    name,
    putBlock,
    age,
    putChain,
    putEndpoints,
    putWorld,
    putTransaction,
    putPayment,
    putMemory,
    text(): string {
      const order = [...new Set(old.map(({ block }) => block))].toSorted((a, b) => a - b)
      for (const { at, block } of old) parts[at] = `o${order.indexOf(block)}`
      return parts.join(' ')
    },
  }
}

function createWriter(world: World) {
  const { chain, endpoints, computers, judge, sent, setting } = world
  const step = setting.kind === 'first' ? 'deposit' : 'topup'
  const head = chain.head()
  const writer = createStateWriter({ chain, endpoints, sent, nowMs: timeOf(chain) })
  const { put, name, putBlock, age, putWorld, putTransaction, putPayment, putMemory } = writer

  function putInside(inside: Inside): void {
    putPayment(inside)
    putMemory(inside.state.memory)
    const { gate, shown, prompt, slots, isHolder } = inside
    put(prompt !== undefined, prompt?.replacement?.kind, slots % 2, isHolder)
    put('g', gate?.good === true ? age(gate.atMs) : '-')
    if (liveOf(inside.state) !== undefined || endedOf(inside.state) !== undefined) return
    put(gate?.good, gate?.unknown, gate?.nonce)
    put(gate?.deposits.map(({ hash }) => name(hash)).join(','))
    if (gate?.sent !== undefined) {
      put(name(gate.sent.hash), gate.sent.nonce)
      putBlock(gate.sent.blockNumber)
    }
    putWorld(shown)
  }

  function putDesk(program: DeskProgram): void {
    const opened = program.opened()
    put(opened?.about)
    if (opened === undefined) return
    const { offer } = opened.desk.opened
    put(opened.desk.refusal, opened.read.gate?.nonce, opened.read.gate?.good)
    put(opened.read.gate?.deposits.map(({ hash }) => name(hash)).join(','))
    putWorld(opened.read.shown)
    if (offer.kind === 'guard') return
    if (!('world' in offer)) {
      put(offer.isInBlock)
      return
    }
    putWorld(offer.world)
    put(offer.deposits?.map(({ hash }) => name(hash)).join(','))
    if ('transaction' in offer) putTransaction(offer.transaction)
    else put(offer.nonce, offer.checks.key)
  }

  function putComputer(computer: Computer, who: number): void {
    put('C', computer.crash?.at, computer.crash?.nth)
    const program = computer.program as DeskProgram | undefined
    const { lastTold } = judge.seen()
    if (program !== undefined) {
      putInside(program.inside())
      putDesk(program)
      put(lastTold[who] === textOfEnd(program.told()))
    }
    put('J')
    putPayment(ofJournal(computer.lines, step))
    const hashes = computer.lines.flatMap(({ hash }) => (hash === undefined ? [] : [name(hash)]))
    put(hashes.join(','))
  }

  function putJudge(): void {
    const { agreements, current, candidates, runs } = judge.seen()
    put('judge')
    for (const { computer, amount, counted, stakeToBe, block } of agreements) {
      put(computer, amount, counted, stakeToBe)
      putBlock(block)
    }
    put(...current.map((one) => (one === undefined ? -1 : agreements.indexOf(one))))
    for (const one of candidates) {
      put('of')
      for (const { tx, kind, agreement, isSigned, isOut } of one.values())
        put(name(tx.hash), kind, agreements.indexOf(agreement), isSigned, isOut)
    }
    for (const { asked, lookedAt, given } of runs) {
      put('r', asked, lookedAt === undefined ? -1 : Math.min(OLDEST_SLOTS, head - lookedAt))
      put([...given].map(name).join(','))
    }
  }

  return {
    write(): string {
      writer.putChain()
      writer.putEndpoints()
      for (const [who, computer] of computers.entries()) putComputer(computer, who)
      putJudge()
      return writer.text()
    },
  }
}
