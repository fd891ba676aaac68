import fc from 'fast-check'
import { THRESHOLDS } from '../../src/core/pay/payment/payment-picture.ts'
import { HONEST, LIES, type Lie } from './endpoint.ts'
import {
  createGuardModel,
  GUARD_LIES,
  type GuardLie,
  type GuardParts,
  type GuardSetting,
} from './guard-model.ts'

/** What happens to a world with a guard. */
export type GuardAction =
  | { do: 'slots'; count: number; empty: boolean }
  /** The rival stands at so much from the next block on, in whole tokens. */
  | { do: 'raise'; to: number }
  /** Somebody else, or the owner from another account, adds to the guarded validator. */
  | { do: 'others-add'; amount: number }
  /** The account uses its nonce by hand. */
  | { do: 'by-hand'; what: 'pay' | 'cancel' }
  | { do: 'endpoint'; at: 0 | 1; lag: number; silent: boolean }
  | { do: 'lie'; lies: readonly GuardLie[] }
  | { do: 'reorg'; vanish: boolean }
  | { do: 'forget' }
  | { do: 'fee'; isDear: boolean }
  /** The owner asks to leave; whoever has the file sends its dearest amount; no block comes. */
  | { do: 'leave' | 'stolen' | 'halt' }
  | { do: 'take-back'; who: 0 | 1 }
  /** Ends the instance before or after its nth line from now, or once bytes have left; it is begun anew later. */
  | { do: 'crash'; who: 0 | 1; at: 'before-line' | 'after-line' | 'after-bytes'; nth: number }
  | { do: 'restart'; who: 0 | 1 }

export type GuardSchedule = Pick<GuardSetting, 'liar' | 'holders' | 'slotsToHuman' | 'termBlocks'> & {
  actions: readonly GuardAction[]
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const action: fc.Arbitrary<GuardAction> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('slots' as const),
      count: oneOf(1, 2, 3, 8, 20),
      empty: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: oneOf(240_000, 260_000, 270_000, 280_000, 290_000, 310_000).map((to) => ({
      do: 'raise' as const,
      to,
    })),
  },
  { weight: 2, arbitrary: oneOf(10_000, 40_000).map((amount) => ({ do: 'others-add' as const, amount })) },
  {
    weight: 2,
    arbitrary: oneOf('pay' as const, 'cancel' as const).map((what) => ({ do: 'by-hand' as const, what })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('endpoint' as const),
      at: oneOf(0 as const, 1 as const),
      lag: oneOf(0, 0, 1, 5),
      silent: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc
      .uniqueArray(oneOf<GuardLie>(...LIES, ...GUARD_LIES), { maxLength: 3 })
      .map((lies) => ({ do: 'lie' as const, lies })),
  },
  { weight: 4, arbitrary: fc.boolean().map((vanish) => ({ do: 'reorg' as const, vanish })) },
  { weight: 2, arbitrary: fc.constant({ do: 'forget' as const }) },
  { weight: 1, arbitrary: oneOf(0 as const, 1 as const).map((who) => ({ do: 'take-back' as const, who })) },
  { weight: 1, arbitrary: fc.boolean().map((isDear) => ({ do: 'fee' as const, isDear })) },
  {
    weight: 1,
    arbitrary: oneOf('leave' as const, 'stolen' as const, 'halt' as const).map((what) => ({ do: what })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      who: oneOf(0 as const, 1 as const),
      at: oneOf('before-line' as const, 'after-line' as const, 'after-bytes' as const),
      nth: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 4, arbitrary: oneOf(0 as const, 1 as const).map((who) => ({ do: 'restart' as const, who })) },
)

export const guardSchedules: fc.Arbitrary<GuardSchedule> = fc.record({
  liar: oneOf(undefined, 0 as const, 1 as const),
  holders: oneOf('one' as const, 'one' as const, 'two windows' as const, 'two computers' as const),
  slotsToHuman: oneOf(0, 3, 10),
  termBlocks: oneOf(30, 400, 400, 400),
  actions: fc.array(action, { minLength: 3, maxLength: 30 }),
})

/** An epoch as long as that of a real network is in minutes, and a cap of five steps. */
const WHOLE = {
  signer: 'keystore',
  cap: 50_000,
  slotsPerEpoch: 64n,
  blocksToLast: 53,
  limits: THRESHOLDS,
  slotsOfProof: 15,
} as const
/** Blocks behind the boundary until a play is over. */
const BLOCKS_AFTER = 20

export type GuardPlay = {
  /** What the judge objects to first. */
  objection: string | undefined
  /** Amounts of the rungs that are in blocks, in whole tokens. */
  paid: readonly number[]
  /** Whether the validator would be lost at the next boundary by what is in blocks now. */
  isLost: boolean
}

/** Plays a schedule with guards, and looks after each step for what must never be. */
export function playGuard(
  { actions, ...setting }: GuardSchedule,
  parts: Partial<GuardParts> = {},
): GuardPlay {
  const model = createGuardModel({ ...WHOLE, ...setting }, parts)
  const { chain, endpoints, stakes, judge, windows, members } = model

  function carryOut(one: GuardAction): void {
    switch (one.do) {
      case 'slots':
        for (let count = 0; count < one.count; count += 1) model.slot(one.empty ? 'empty' : 'full')
        return
      case 'halt':
        model.slot('none')
        return
      case 'raise':
        stakes.raise(one.to)
        return
      case 'others-add':
        model.byHand('others-add', one.amount)
        return
      case 'by-hand':
        model.byHand(one.what)
        return
      case 'stolen':
        model.byHand('stolen')
        return
      case 'leave':
        stakes.leave()
        return
      case 'fee':
        model.isDear = one.isDear
        return
      case 'endpoint': {
        const { lies } = endpoints[one.at].stance()
        endpoints[one.at].behave({
          ...HONEST,
          lag: one.lag,
          silent: one.silent ? 'refuses' : 'no',
          lies,
        })
        return
      }
      case 'lie': {
        const { liar } = setting
        model.lies = liar === undefined ? [] : one.lies
        if (liar === undefined) return
        const known = one.lies.filter((lie): lie is Lie => (LIES as readonly string[]).includes(lie))
        endpoints[liar].behave({ ...endpoints[liar].stance(), lies: known })
        return
      }
      case 'reorg':
        chain.reorg(one.vanish)
        return
      case 'forget':
        chain.forgetPool()
        for (const each of endpoints) each.forgetPool()
        return
      case 'take-back': {
        const window = windows[one.who]
        if (window !== undefined) model.press(window, 'take-back')
        return
      }
      case 'crash': {
        const window = windows[one.who]
        if (window !== undefined) window.crash = { at: one.at, nth: one.nth }
        return
      }
      case 'restart': {
        const window = windows[one.who]
        if (window === undefined) return
        model.close(window)
        model.open(window)
      }
    }
  }

  const [first] = windows
  if (first !== undefined) model.press(first, 'arm')
  for (const window of windows) model.open(window)
  for (const one of actions) {
    carryOut(one)
    if (judge.objections.length > 0 || chain.head() > stakes.lastBlock + BLOCKS_AFTER) break
  }
  const paid = members
    .filter(({ hash, kind }) => kind === 'rung' && chain.find(hash)?.success === true)
    .map(({ tx }) => tx.amount)
  const [objection] = judge.objections
  return {
    objection: objection && `${objection.rule} ${objection.words}`,
    paid,
    isLost: stakes.isLostAt(chain.head()),
  }
}
