import { ACCOUNT } from './chain.ts'
import { HONEST, LIES, type Lie, type Stance } from './endpoint.ts'
import { CHANGES, isAboutBytes, mayMeet, nameOfTrouble, TROUBLES } from './enumerate-actions.ts'
import { RIVAL_FIRST } from './guard-chain.ts'
import { GUARD_LIES, type GuardKey, type GuardLie, type GuardModel } from './guard-model.ts'

type Who = 0 | 1

/** One thing that happens to a world with a guard. */
export type GuardDeed =
  | { do: 'slot'; block: 'full' | 'empty' | 'none' }
  | { do: 'key'; who: Who; key: GuardKey }
  | { do: 'end' | 'start'; who: Who }
  /** The rival adds so many steps of 10,000. */
  | { do: 'outbid'; steps: 1 | 2 }
  | { do: 'by-hand'; what: 'pay' | 'cancel' | 'others-add' | 'stolen' }
  | { do: 'leave' | 'fee' | 'other-payment' | 'forget' }
  | { do: 'reorg'; vanish: boolean }
  | { do: 'resend'; which: number }

type Death = { who: Who; at: 'before-line' | 'after-line' | 'after-bytes'; nth: number }

/** A step of the search: a deed, beside at most one trouble of each endpoint, one lie, or one death. */
export type GuardStep = {
  deed: GuardDeed
  stances: readonly [Stance, Stance]
  lie?: GuardLie
  death?: Death
}

/** What an endpoint is asked where one of these lies is told. */
const OWN_CHANGES: Readonly<Record<(typeof GUARD_LIES)[number], string>> = {
  poor: 'said',
  rich: 'said',
  dear: 'said',
  cheap: 'said',
  'other-chain': 'said',
  'other-code': 'said',
  'other-operator': 'said',
  'other-root': 'set',
  'head-ahead': 'set',
  need: 'set',
  'no-need': 'set',
  'refuses-dry-run': 'dry-run',
}

/** Of what a search tries only a part may be tried, and that deeper. */
export type GuardAlphabet = {
  /** Deeds, by their kind; all where none are named. */
  deeds?: readonly string[]
  /** Lies of the endpoint that may lie; all where none are named. */
  lies?: readonly GuardLie[]
  /** Troubles of any endpoint that are no lies; all where none are named. */
  troubles?: readonly ('refuses' | 'hangs' | 'lag' | 'keeps')[]
  deaths?: boolean
}

/** More than the cap by one step: no amount keeps the place then. */
const mostOfRival = ({ setting }: GuardModel) => RIVAL_FIRST + setting.cap + 20_000

export const wellStep = (deed: GuardDeed): GuardStep => ({ deed, stances: [HONEST, HONEST] })

/** Everything that can happen now, with all well meanwhile. */
export function deedsOf(model: GuardModel, { deeds }: GuardAlphabet = {}): GuardDeed[] {
  const all = everyDeed(model)
  return deeds === undefined ? all : all.filter((deed) => namesOf(deed).some((one) => deeds.includes(one)))
}

function namesOf(deed: GuardDeed): readonly string[] {
  if (deed.do === 'key') return ['key', deed.key]
  if (deed.do === 'by-hand') return ['by-hand', deed.what]
  return deed.do === 'slot' ? ['slot', deed.block] : [deed.do]
}

function everyDeed(model: GuardModel): GuardDeed[] {
  const { chain, endpoints, windows, stakes, sent } = model
  const head = chain.head()
  const pools = [chain.pool, ...endpoints.map((one) => one.own().pool)]
  const isWaiting = pools.some((pool) => pool.length > 0)
  const deeds: GuardDeed[] = [{ do: 'slot', block: 'full' }]
  if (isWaiting) deeds.push({ do: 'slot', block: 'empty' })
  if (model.haltedSlots < 3) deeds.push({ do: 'slot', block: 'none' })
  for (const [at, window] of windows.entries()) {
    const who = at === 0 ? 0 : 1
    if (!window.isOpen) deeds.push({ do: 'start', who })
    else {
      for (const key of model.keys(window)) deeds.push({ do: 'key', who, key })
      deeds.push({ do: 'end', who })
    }
  }
  const isBefore = head <= stakes.lastBlock
  if (isBefore && stakes.rivalAt(head + 1) < mostOfRival(model))
    for (const steps of [1, 2] as const) deeds.push({ do: 'outbid', steps })
  if (isBefore) deeds.push({ do: 'by-hand', what: 'others-add' }, { do: 'fee' }, { do: 'other-payment' })
  if (isBefore && !stakes.isLeavingAt(head + 1)) deeds.push({ do: 'leave' })
  const isUsed = chain.nonceAt(ACCOUNT, head) > model.terms.nonce
  if (!isUsed) {
    deeds.push({ do: 'by-hand', what: 'pay' }, { do: 'by-hand', what: 'cancel' })
    if (windows.some(({ computer }) => computer.lines.some(({ type }) => type === 'armed')))
      deeds.push({ do: 'by-hand', what: 'stolen' })
  }
  const isFresh = isUsed && chain.nonceAt(ACCOUNT, chain.finalized()) === model.terms.nonce
  const isDeposit = chain.deposits(head - 1, head).length > 0
  // What is final here counts slots, and with thresholds of two a second such block within them would be two too many.
  if ((isFresh || isDeposit) && chain.reorgs() === 0)
    deeds.push({ do: 'reorg', vanish: false }, { do: 'reorg', vanish: true })
  if (isWaiting) deeds.push({ do: 'forget' })
  const seen = new Set<string>()
  for (const [which, tx] of sent.entries()) {
    if (seen.has(tx.hash) || isUsed || chain.pool.some(({ hash }) => hash === tx.hash)) continue
    seen.add(tx.hash)
    deeds.push({ do: 'resend', which })
  }
  return deeds
}

/** What an endpoint was asked while something happened, and what was written and given by each window. */
export type GuardNoted = { asked: readonly ReadonlySet<string>[]; lines: readonly number[]; given: number }

/** The same deed with what may go wrong meanwhile. What nobody asked for, when all was well, changes nothing. */
export function troublesOf(
  { setting, endpoints, windows }: GuardModel,
  deed: GuardDeed,
  noted: GuardNoted,
  alphabet: GuardAlphabet = {},
): GuardStep[] {
  const byEndpoint = endpoints.map((_, at): { stance: Stance; lie?: GuardLie }[] => {
    const asked = noted.asked[at] ?? new Set()
    if (asked.size === 0) return [{ stance: HONEST }]
    const plain = TROUBLES.filter(
      (one) =>
        (!isAboutBytes(one) || asked.has('give')) &&
        (alphabet.troubles?.includes(nameOfTrouble(one)) ?? true),
    ).map((stance) => ({ stance }))
    if (at !== setting.liar) return [{ stance: HONEST }, ...plain]
    const known = LIES.filter((lie) => CHANGES[lie].some((what) => asked.has(what)))
    const own = GUARD_LIES.filter((lie) => asked.has(OWN_CHANGES[lie]))
    const told = [...known, ...own].filter((lie) => alphabet.lies?.includes(lie) ?? true)
    return [{ stance: HONEST }, ...plain, ...told.map((lie) => ({ stance: stanceOf(lie), lie }))]
  })
  const [first = [], second = []] = byEndpoint
  const steps: GuardStep[] = []
  for (const one of first)
    for (const other of second) {
      const lie = one.lie ?? other.lie
      const isWell = one.stance === HONEST && other.stance === HONEST && lie === undefined
      if (isWell || !mayMeet(one.stance, other.stance)) continue
      steps.push({ deed, stances: [one.stance, other.stance], ...(lie === undefined ? {} : { lie }) })
    }
  if (alphabet.deaths === false) return steps
  for (const [at] of windows.entries()) {
    const who = at === 0 ? 0 : 1
    for (let nth = 1; nth <= (noted.lines[at] ?? 0); nth += 1)
      for (const where of ['before-line', 'after-line'] as const)
        steps.push({ ...wellStep(deed), death: { who, at: where, nth } })
    for (let nth = 1; nth <= noted.given; nth += 1)
      steps.push({ ...wellStep(deed), death: { who, at: 'after-bytes', nth } })
  }
  return steps
}

const isKnown = (lie: GuardLie): lie is Lie => (LIES as readonly string[]).includes(lie)
const STANCES = new Map<GuardLie, Stance>(LIES.map((lie) => [lie, { ...HONEST, lies: [lie] }]))
const stanceOf = (lie: GuardLie): Stance => STANCES.get(lie) ?? HONEST

/** Takes a step; afterwards every endpoint is well again. */
export function take(model: GuardModel, { deed, stances, lie, death }: GuardStep): void {
  const { endpoints, windows } = model
  for (const [at, one] of endpoints.entries()) {
    const stance = stances[at === 0 ? 0 : 1]
    one.behave(stance, { stands: deed.do !== 'slot' || stance.lies.length > 0 })
  }
  model.lies = lie === undefined || isKnown(lie) ? [] : [lie]
  const dying = death === undefined ? undefined : windows[death.who]
  if (dying !== undefined && death !== undefined) dying.crash = { at: death.at, nth: death.nth }
  carryOut(model, deed)
  if (dying !== undefined) dying.crash = undefined
  model.lies = []
  for (const one of endpoints) one.behave(HONEST, { stands: true })
}

function carryOut(model: GuardModel, deed: GuardDeed): void {
  const { chain, endpoints, windows, stakes, sent } = model
  switch (deed.do) {
    case 'slot':
      model.slot(deed.block)
      return
    case 'outbid':
      stakes.raise(stakes.rivalAt(chain.head() + 1) + deed.steps * 10_000)
      return
    case 'by-hand':
      model.byHand(deed.what)
      return
    case 'leave':
      stakes.leave()
      return
    case 'fee':
      model.isDear = !model.isDear
      return
    case 'other-payment':
      model.isOtherPaymentOpen = !model.isOtherPaymentOpen
      return
    case 'forget':
      chain.forgetPool()
      for (const one of endpoints) one.forgetPool()
      return
    case 'reorg':
      chain.reorg(deed.vanish)
      return
    case 'resend': {
      const tx = sent[deed.which]
      if (tx !== undefined) chain.offer(tx)
      return
    }
    default: {
      const window = windows[deed.who]
      if (window === undefined) return
      if (deed.do === 'key') model.press(window, deed.key)
      else if (deed.do === 'start') model.open(window)
      else model.close(window)
    }
  }
}
