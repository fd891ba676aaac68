import { type GuardEvent, type GuardState, guardTransition } from '../../src/core/pay/guard/guard.ts'
import { createStateWriter } from './enumerate-state.ts'
import type { GuardModel } from './guard-model.ts'

/** So many blocks back it counts how stakes stood: the human's slots and what an endpoint lags behind are fewer. */
const BLOCKS_BACK = 7
/** So many blocks behind the boundary the calendar counts. */
const BLOCKS_AFTER = 6

const folded = new WeakMap<GuardEvent, { before: GuardState | undefined; after: GuardState | undefined }>()

/** The guard after all lines of a journal; each line is applied once to what those before it have made. */
function ofJournal(lines: readonly GuardEvent[]): GuardState | undefined {
  let state: GuardState | undefined
  for (const line of lines) {
    const known = folded.get(line)
    const after = known !== undefined && known.before === state ? known.after : guardTransition(state, line)
    folded.set(line, { before: state, after })
    state = after
  }
  return state
}

/**
 * The state of a world with a guard by what it can still do, as a text. It assumes what `stateText` assumes of a payment, and:
 *  - the calendar is told by the distance from the last block that counts, up to six blocks behind it;
 *  - how stakes stood counts for seven blocks: longer than the slots of the human and what an endpoint lags behind;
 *  - a set that is proven anew with each look leaves nothing in who looked but since when the place is in danger.
 */
export function guardText(model: GuardModel): string {
  const { chain, endpoints, stakes, windows, members, sent } = model
  const nowMs = model.nowMs()
  const head = chain.head()
  const writer = createStateWriter({ chain, endpoints, sent, nowMs })
  const { put, name, putBlock, age, putPayment, putMemory } = writer
  // Each member has the same name in every state.
  for (const { hash } of members) name(hash)

  function putGuard(state: GuardState | undefined): void {
    if (state === undefined) {
      put('-')
      return
    }
    put('G', state.hashes.length, state.isVoid, `${state.target?.lastBlock}`)
    putSlot(state.target?.provenBlock)
    putPayment({ state: state.send, finished: [] })
  }

  /** A block of the chain, as a guard names it. */
  function putSlot(slot: bigint | undefined): void {
    if (slot === undefined) {
      put('-')
      return
    }
    putBlock(Number(slot - stakes.slotOf(0)))
  }

  put('at', Math.min(head - stakes.lastBlock, BLOCKS_AFTER), model.haltedSlots)
  put(model.isDear, model.isOtherPaymentOpen)
  for (let back = BLOCKS_BACK; back >= -1; back -= 1) {
    const block = head - back
    put(stakes.mineAt(block) - stakes.rivalAt(block), stakes.isLeavingAt(block), stakes.isLostAt(block))
  }
  put(stakes.mineAt(head), stakes.rivalAt(head + 1))
  writer.putChain()
  writer.putEndpoints()
  const computers = [...new Set(windows.map(({ computer }) => computer))]
  for (const window of windows) {
    const { isOpen, held, crash, computer } = window
    put('W', computers.indexOf(computer), isOpen, crash?.at, computer.holder === window)
    if (held === undefined) continue
    put(held.isTakenBack)
    putSlot(held.memory.since)
    put(age(held.memory.unprovenMs))
    putGuard(held.state)
    putMemory(held.state.send.memory)
  }
  for (const { lines } of computers) {
    put('J')
    putGuard(ofJournal(lines))
    for (const line of lines) if (line.type === 'handing') put(line.member)
  }
  return writer.text()
}
