import { type GuardEvent, phaseOf } from '../../src/core/pay/guard/guard.ts'
import { ACCOUNT } from './chain.ts'
import { HONEST } from './endpoint.ts'
import { SHORT } from './enumerate.ts'
import { createGuardModel, type GuardModel, type GuardParts, type GuardSetting } from './guard-model.ts'
import { guardText } from './guard-state.ts'
import { deedsOf, type GuardAlphabet, type GuardStep, take, troublesOf, wellStep } from './guard-steps.ts'
import type { Objection } from './judge.ts'
import { type Going, keyOf, type Search, searchOf } from './search.ts'

export type GuardSearchOptions = {
  parts?: Partial<GuardParts>
  /** Everything where none is named. */
  alphabet?: GuardAlphabet
  /** What the judge is to see, by the beginning of its rules; all where none is named. */
  rule?: string
}

/** What differs between settings. */
export type Small = Pick<GuardSetting, 'liar' | 'holders' | 'signer'> & { term: 'whole' | 'short' }

/** Epochs of eight blocks, of which nearly two are left; two amounts and the cancellation. */
const CALENDAR = { slotsPerEpoch: 8n, blocksToLast: 14 } as const

/** Every setting of a guard in which one endpoint may lie. */
export function guardSettings(): Small[] {
  return ([0, 1] as const).flatMap((liar) => [
    { liar, holders: 'one', signer: 'keystore', term: 'whole' },
    { liar, holders: 'two windows', signer: 'keystore', term: 'whole' },
    { liar, holders: 'two computers', signer: 'keystore', term: 'whole' },
    { liar, holders: 'one', signer: 'external', term: 'whole' },
    { liar, holders: 'one', signer: 'keystore', term: 'short' },
  ])
}

export const nameOfGuardSetting = ({ liar, holders, signer, term }: Small): string =>
  `guard, ${signer}, ${liar === 0 ? 'first' : 'second'} endpoint may lie, held by ${holders}, ${term} term`

const settingOf = ({ term, ...small }: Small): GuardSetting => ({
  ...small,
  ...CALENDAR,
  cap: 20_000,
  slotsToHuman: 2,
  // The term ends one block before the last one that counts.
  termBlocks: term === 'whole' ? 100 : CALENDAR.blocksToLast - 1,
  limits: SHORT,
  slotsOfProof: 3,
})

/** A search through everything that can happen to a guard in a setting. */
export const searchGuard = (small: Small, options: GuardSearchOptions = {}): Search<GuardStep> =>
  searchOf(guardSubject(small, options))

/** Slots in which a way on must lead to an end. */
const SLOTS_TO_THE_END = 40
/** With so many blocks left a place that an amount can keep must be kept once all is well. */
const BLOCKS_TO_SAVE = 9

/** A guard in a setting, as it is searched. */
export function guardSubject(
  small: Small,
  { parts = {}, alphabet, rule }: GuardSearchOptions = {},
): Going<GuardStep> {
  const model = createGuardModel(settingOf(small), parts)
  const { chain, stakes, judge, windows, endpoints } = model
  const start = model.keep()
  const isJudged = (one: Objection) => rule === undefined || one.rule.startsWith(rule)
  const saved = new Map<string, boolean>()
  let before = countsOf(model)
  let rest = 2

  const objection = () => judge.objections.find(isJudged)

  function forget(): void {
    for (const one of model.asked) one.clear()
    judge.forget()
    before = countsOf(model)
  }

  /**
   * What keeps somebody from an end, once every endpoint is well and one program runs: the place is kept where an amount can
   * keep it, and then the owner takes the guard back, and it is over. Of two computers it is one that has given bytes out:
   * for the other one what waits in the pools is of somebody else.
   */
  function deadEnd(): Objection | undefined {
    const back = model.keep()
    try {
      const mustSave = canSave(model)
      const armed = windows.filter((one) => hasLine(one, 'armed'))
      const window = armed.find((one) => hasLine(one, 'handed-over')) ?? armed[0]
      if (window === undefined) return undefined
      for (const one of endpoints) one.behave(HONEST)
      for (const one of windows) if (one !== window) model.close(one)
      model.isOtherPaymentOpen = false
      if (!window.isOpen) model.open(window)
      const passed: string[] = []
      for (let count = 0; count < SLOTS_TO_THE_END; count += 1) {
        const key = keyOf(guardText(model))
        const isKnown = saved.get(key)
        const isAfter = chain.head() > stakes.lastBlock
        const { held } = window
        // Of a validator that left a guard ends without its nonce: that one stays taken.
        const isOver = held === undefined ? isUsed(model) : phaseOf(held.state) === 'given-up'
        if (isKnown !== undefined || (isAfter && isOver)) {
          const isSaved = isKnown ?? !stakes.isLostAt(chain.head())
          for (const one of passed) saved.set(one, isSaved)
          return mustSave && !isSaved
            ? { rule: 'g.lost', words: 'the place is lost, and could be kept' }
            : undefined
        }
        passed.push(key)
        if (isAfter && model.keys(window).includes('take-back')) model.press(window, 'take-back')
        model.slot('full')
        const odd = objection()
        if (odd !== undefined) return odd
      }
      const phase = window.held && phaseOf(window.held.state)
      return { rule: 'g.stuck', words: `the guard is ${phase} for ever` }
    } finally {
      back()
    }
  }

  return {
    back() {
      rest = 2
      start()
    },
    keep: () => model.keep(),
    take: (step) => take(model, step),
    undisturbed() {
      const [window] = windows
      if (window === undefined) return undefined
      const [key] = model.keys(window).filter((one) => one !== 'take-back')
      if (key !== undefined) return wellStep({ do: 'key', who: 0, key })
      if (stakes.rivalAt(chain.head() + 1) < stakes.mineAt(chain.head()))
        if (chain.nonceAt(ACCOUNT, chain.head()) === model.terms.nonce)
          return wellStep({ do: 'outbid', steps: 1 })
      if (chain.head() > stakes.lastBlock) rest -= 1
      return rest < 0 ? undefined : wellStep({ do: 'slot', block: 'full' })
    },
    steps: () => deedsOf(model, alphabet).map(wellStep),
    forget,
    troubles({ deed }) {
      const now = countsOf(model)
      const lines = windows.map(({ computer }) => computer.lines.length)
      const noted = {
        asked: model.asked.map((one) => new Set(one)),
        lines: lines.map((count, at) => count - (before.lines[at] ?? 0)),
        given: now.sent - before.sent,
      }
      return troublesOf(model, deed, noted, alphabet)
    },
    text: () => guardText(model),
    objection,
    deadEnd: () => (rule === undefined || isEndRule(rule) ? deadEnd() : undefined),
    told: () => tellings(model),
    nameOf: ({ deed }) => (deed.do === 'resend' ? { do: deed.do } : deed),
  }
}

const hasLine = ({ computer }: GuardModel['windows'][number], what: GuardEvent['type']): boolean =>
  computer.lines.some(({ type }) => type === what)

const isEndRule = (rule: string) => 'g.lost'.startsWith(rule) || 'g.stuck'.startsWith(rule)

const countsOf = ({ windows, sent }: GuardModel) => ({
  lines: windows.map(({ computer }) => computer.lines.length),
  sent: sent.length,
})

/** The nonce is used for good, and nobody looks any more. */
const isUsed = ({ chain, terms }: GuardModel): boolean =>
  chain.nonceAt(ACCOUNT, chain.finalized()) > terms.nonce

/** Whether an amount can keep the place that is lost without it, with time enough once all is well. */
function canSave(model: GuardModel): boolean {
  const { chain, stakes, terms, windows, setting, endpoints, members, baseFeeWei } = model
  const head = chain.head()
  const last = members.length - 1
  if (head + BLOCKS_TO_SAVE > stakes.lastBlock || stakes.isLeavingAt(head + 1)) return false
  if (stakes.secondsOf(stakes.lastBlock) > terms.untilSeconds) return false
  if (chain.nonceAt(ACCOUNT, head) > terms.nonce) return false
  const isCancelling = windows.some(
    ({ computer, held }) =>
      held?.isTakenBack === true ||
      computer.lines.some((line) => line.type === 'handing' && line.member === last),
  )
  if (isCancelling) return false
  // What waits and is dear enough is in the next block, and decides by itself: a guard pays once.
  const pools = [chain.pool, ...endpoints.map((one) => one.own().pool)].flat()
  const waiting = pools.filter(({ from, maxFeeWei }) => from === ACCOUNT && maxFeeWei >= baseFeeWei())
  const least = Math.min(setting.cap, ...waiting.map(({ amount }) => amount))
  return stakes.rivalAt(head + 1) < stakes.mineAt(head) + least
}

/** How far the guard of each window is, and what can be done about it. */
function tellings(model: GuardModel): string {
  return model.windows
    .map((window) => {
      const { held, isOpen } = window
      return [isOpen, held && phaseOf(held.state), model.keys(window).join(',')].join(' ')
    })
    .join('; ')
}
