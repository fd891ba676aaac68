import type { Gwei } from '../core/base/format/amount.ts'
import { compareStake } from '../core/chain/consensus/process-epoch.ts'
import {
  activeSet,
  type ConsensusState,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  isActive,
  type Validator,
} from '../core/chain/consensus/state.ts'
import {
  type Chronicle,
  type ChronicleEvent,
  type ChronicleEventId,
  type StoryPhase,
  writtenChronicle,
} from '../core/chain/network/chronicle.ts'
import type { ChainSpec } from '../core/chain/network/network.ts'
import type { ScenarioName } from '../core/chain/network/scenario-names.ts'
import { BEHAVIOR_NAMES, type BehaviorName, type Place, type SetBehavior, suits } from './behaviors.ts'
import type { Chain, SlotReport } from './consensus/chain.ts'
import type { JudgedDeposit } from './consensus/deposits.ts'
import { replaceKey, writeWhole } from './home.ts'
import { validatorKey } from './keys.ts'
import type { LoopbackHandler, LoopbackReply } from './loopback-server.ts'
import type { Plan } from './scenarios.ts'

/** What is told to the story of a network; its slot is that of the block in which it happens. */
export type Note = (event: ChronicleEvent) => void

/** Milliseconds a slot while it happens, where one must read and act before it is over. */
const SLOW_MS: Readonly<Partial<Record<ScenarioName, number>>> = {
  'outbid-while-active': 6000,
  'troubles-while-active': 2000,
}

/**
 * Keeps the story of a network in the file at `path`, written whenever something has happened. `paced`: slots are longer
 * while there is something to do.
 */
export function createChronicle(
  plan: Plan,
  { scenario, path, slotMs, paced }: { scenario: ScenarioName; path: string; slotMs: number; paced: boolean },
) {
  const events: ChronicleEvent[] = []
  let feesWei = 0n
  let hastened = false
  let arrivedAt: bigint | undefined
  let written: string | undefined
  const chronicle = (): Chronicle => {
    const phase = phaseOf(scenario, events, { hasArrived: arrivedAt !== undefined })
    const slowMs = paced && phase === 'under-way' ? SLOW_MS[scenario] : undefined
    const told = { scenario, phase, events, feesWei }
    if (slowMs === undefined) return { ...told, slotMs, pace: 'plain' }
    return hastened ? { ...told, slotMs, pace: 'hastened' } : { ...told, slotMs: slowMs, pace: 'slow' }
  }
  return {
    /** The time to the next slot, in milliseconds. */
    slotMs: () => chronicle().slotMs,
    note: (event: ChronicleEvent) => void events.push(event),
    hasten(wish: boolean) {
      hastened = wish
    },
    /** The user has come to the last step, in this slot; the first time counts. */
    arrive(slot: bigint) {
      arrivedAt ??= slot
    },
    arrivedAt: () => arrivedAt,
    /** Adds what the user's account has paid in fees, in wei. */
    addFees(paidWei: bigint) {
      feesWei += paidWei
    },
    /** Adds what a slot has changed. */
    add(report: SlotReport, { before, after }: { before: ConsensusState; after: ConsensusState }) {
      const { slot } = report
      events.push(
        ...report.deposits.flatMap((deposit) => depositEvent(plan, deposit, { slot, after, events })),
      )
      events.push(...placeEvents(plan, before, after))
    },
    /** Writes the file where it would be another one. */
    async save(): Promise<void> {
      const text = writtenChronicle(chronicle())
      if (text === written) return
      await writeWhole(path, text)
      written = text
    },
  }
}

const OUTCOMES = {
  registered: 'registered',
  'top-up': 'topped-up',
  burnt: 'burnt',
} as const satisfies Record<JudgedDeposit['outcome'], ChronicleEventId>

function depositEvent(
  { fresh, rival, lostDeposit }: Plan,
  { pubkey, amountGwei, outcome }: JudgedDeposit,
  { slot, after, events }: { slot: bigint; after: ConsensusState; events: readonly ChronicleEvent[] },
): ChronicleEvent[] {
  const index = after.validators.findIndex((validator) => validator.pubkey === pubkey)
  if (pubkey === rival?.pubkey)
    return [{ id: pubkey === fresh.pubkey ? 'gift-added' : 'rival-added', slot, amountGwei, index }]
  if (pubkey !== fresh.pubkey) return []
  const isStrangers = lostDeposit?.sender === 'stranger' && events.length === 0
  if (outcome === 'burnt' && isStrangers) return [{ id: 'burnt-by-stranger', slot, amountGwei }]
  return [{ id: OUTCOMES[outcome], slot, amountGwei, ...(index === -1 ? {} : { index }) }]
}

/** Who came into the active set of the user, who dropped out of it, and what was paid back, between two states. */
function placeEvents({ spec, fresh }: Plan, before: ConsensusState, after: ConsensusState): ChronicleEvent[] {
  const [epochBefore, epoch] = [epochOfSlot(before.slot, spec), epochOfSlot(after.slot, spec)]
  const { slot } = after
  return after.validators.flatMap((validator, index): ChronicleEvent[] => {
    const was = before.validators[index]
    const mine = validator.pubkey === fresh.pubkey
    const amountGwei = validator.effectiveBalanceGwei
    if (was?.exitEpoch === FAR_FUTURE_EPOCH && validator.exitEpoch !== FAR_FUTURE_EPOCH) {
      const lost = { slot, amountGwei: was.effectiveBalanceGwei, index }
      if (!mine) return [{ id: 'other-dropped-out', ...lost }]
      const shortGwei = shortOf(was, activeSet(after, validator.exitEpoch), spec)
      return [{ id: 'dropped-out', ...lost, ...(shortGwei === undefined ? {} : { shortGwei }) }]
    }
    const heldGwei = before.balancesGwei[index] ?? 0n
    if (mine && validator.exitEpoch <= epoch && heldGwei > 0n && after.balancesGwei[index] === 0n)
      return [{ id: 'paid-back', slot, amountGwei: heldGwei, index }]
    const wasActive = was !== undefined && isActive(was, epochBefore)
    return mine && !wasActive && isActive(validator, epoch) ? [{ id: 'active', slot, amountGwei, index }] : []
  })
}

/**
 * How much more effective balance would have kept a validator in the set that it dropped out of, in gwei: at equal stake the
 * larger key stays. undefined where a place is free, and it left otherwise.
 */
function shortOf(out: Validator, staying: Validator[], spec: ChainSpec): Gwei | undefined {
  const [last] = staying.sort(compareStake)
  if (last === undefined || staying.length < spec.validatorSetCap) return undefined
  const behindGwei = last.effectiveBalanceGwei - out.effectiveBalanceGwei
  const level = { ...out, effectiveBalanceGwei: last.effectiveBalanceGwei }
  return compareStake(level, last) > 0 ? behindGwei : behindGwei + spec.effectiveBalanceIncrementGwei
}

/** How far a story is, by what has happened in it. */
function phaseOf(
  scenario: ScenarioName,
  events: readonly ChronicleEvent[],
  { hasArrived }: { hasArrived: boolean },
): StoryPhase {
  // What an earlier key of the home went through is where the story begins.
  const own = events.slice(events.findLastIndex(({ id }) => id === 'new-key') + 1)
  const count = (id: ChronicleEventId) => own.filter((event) => event.id === id).length
  const isActiveNow = count('active') > 0
  const isOut = count('dropped-out') > 0
  switch (scenario) {
    case 'exited-key':
      return own.length < events.length && (isActiveNow || isOut) ? 'over' : 'before'
    case 'pool-validator':
      return count('gift-added') > 0 ? 'over' : waitsFor(hasArrived)
    case 'outbid-while-active':
    case 'outbid-at-night': {
      const added = own.findIndex(({ id }) => id === 'rival-added')
      const isDecided = own.slice(added + 1).some(({ id }) => id === 'other-dropped-out')
      if (isOut || (added !== -1 && isDecided)) return 'over'
      return added !== -1 ? 'under-way' : waitsFor(isActiveNow)
    }
    case 'node-stops':
      if (isOut || count('node-back') > 0) return 'over'
      return count('node-stopped') > 0 ? 'under-way' : waitsFor(isActiveNow)
    case 'troubles-while-active': {
      const isQueued = count('operator-queued') > count('operator-cancelled')
      if (isOut || (count('missed') >= MISSED_SPELLS && !isQueued)) return 'over'
      return count('missed') > 0 || isQueued ? 'under-way' : waitsFor(isActiveNow)
    }
    default:
      return isActiveNow || isOut ? 'over' : 'before'
  }
}

/** Spells of missed blocks in the story of troubles. */
const MISSED_SPELLS = 2

const waitsFor = (isThere: boolean): StoryPhase => (isThere ? 'soon' : 'before')

type Controlled = {
  plan: Plan
  chain: Pick<Chain, 'history'>
  directory: string
  /** The endpoints and nodes that there are. */
  places: readonly Place[]
  setBehavior: SetBehavior
  story: {
    note(event: { id: 'new-key'; slot: bigint }): void
    hasten(wish: boolean): void
    arrive(slot: bigint): void
    save(): Promise<void>
  }
}

const reply = (status: number, value: unknown): LoopbackReply => ({
  status,
  contentType: 'application/json',
  body: `${JSON.stringify(value)}\n`,
})

/**
 * Hears what the user of a rehearsal wishes: `POST /key` gives the node another validator key, as somebody does who makes
 * one and restarts it; `POST /pace` with `{"hasten": true}` makes slots no longer than usual while there is something to do;
 * `POST /arrived` says that the last step is read; `POST /behave` with `{"endpoint": "execution", "behavior": "hangs"}` makes
 * an endpoint or a whole node behave so (docs/behaviors.md), with `null` truly again.
 */
export function controlOf({
  plan,
  chain,
  directory,
  places,
  setBehavior,
  story,
}: Controlled): LoopbackHandler {
  let keys = 1
  return async ({ method, path, body }) => {
    if (method === 'POST' && path === '/key') {
      const oldName = `priv_validator_key.old-${keys}.json`
      keys += 1
      const key = validatorKey(plan.seed, `fresh/${keys}`)
      await replaceKey(directory, key, oldName)
      plan.fresh = key
      plan.keys.set(key.uncompressedBase64, key)
      story.note({ id: 'new-key', slot: chain.history.head.header.slot })
      await story.save()
      return reply(200, { pubkey: key.pubkey })
    }
    if (method === 'POST' && path === '/arrived') {
      const { slot } = chain.history.head.header
      story.arrive(slot)
      await story.save()
      return reply(200, { slot: String(slot) })
    }
    if (method === 'POST' && path === '/pace') {
      const hasten = /"hasten"\s*:\s*(true|false)/.exec(body)?.[1]
      if (hasten === undefined)
        return reply(400, { message: 'expected {"hasten": true} or {"hasten": false}' })
      story.hasten(hasten === 'true')
      await story.save()
      return reply(200, { hasten: hasten === 'true' })
    }
    if (method === 'POST' && path === '/behave') {
      const wish = readBehavior(body, places)
      if (wish === undefined) {
        const message = `expected {"endpoint": …, "behavior": …}, with one of ${places.join(', ')} and null or one that it can have of ${BEHAVIOR_NAMES.join(', ')}`
        return reply(400, { message })
      }
      setBehavior(wish.endpoint, wish.behavior)
      return reply(200, { endpoint: wish.endpoint, behavior: wish.behavior ?? null })
    }
    return reply(404, { code: 404 })
  }
}

function readBehavior(
  body: string,
  places: readonly Place[],
): { endpoint: Place; behavior: BehaviorName | undefined } | undefined {
  const endpoint = places.find((place) => new RegExp(`"endpoint"\\s*:\\s*"${place}"`).test(body))
  const [, named] = /"behavior"\s*:\s*(?:"([^"]*)"|null)/.exec(body) ?? ['', '']
  if (endpoint === undefined || named === '') return undefined
  if (named === undefined) return { endpoint, behavior: undefined }
  const behavior = BEHAVIOR_NAMES.find((name) => name === named && suits(endpoint, name))
  return behavior === undefined ? undefined : { endpoint, behavior }
}
