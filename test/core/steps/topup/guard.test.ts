import { describe, expect, test } from 'vitest'
import { guardError } from '../../../../src/core/base/errors/guard.ts'
import { gweiToWei, tokens } from '../../../../src/core/base/format/amount.ts'
import type { Facts } from '../../../../src/core/chain/facts.ts'
import { toldGuard } from '../../../../src/core/pay/guard/standing.ts'
import { GUARD_TEXT } from '../../../../src/core/pay/guard/text.ts'
import { guardOffer } from '../../../../src/core/steps/topup/guard-offer.ts'
import {
  initialTopUp,
  type TopUpEvent,
  type TopUpState,
  topUpTransition,
} from '../../../../src/core/steps/topup/machine.ts'
import { topUpView } from '../../../../src/core/steps/topup/view.ts'
import { errorFacts } from '../../../../src/core/view/observation.ts'
import {
  armed,
  MINE,
  MY_PAYOUT,
  NOW_SECONDS,
  PAYER,
  provenSet,
  REGISTRATION,
  setup,
} from '../../../support/guard-world.ts'

const FACTS: Facts = {
  genesis: {
    executionGenesisHash: `0x${'9e'.repeat(32)}`,
    genesisValidatorsRoot: setup.network.genesisValidatorsRoot,
    genesisForkVersion: '0x04000000',
    forksAhead: [],
  },
  identity: { pubkey: MINE, uncompressedPubkey: '0x', address: '', key: { kind: 'elsewhere' } },
  validator: {
    withdrawalCredentials: MY_PAYOUT,
    operator: PAYER,
    leastBalanceGwei: 0n,
    origin: 'adopted',
  },
  registration: REGISTRATION,
}
const told = <T>(value: T) => ({ status: 'known', value, source: 'node', atMs: 0 }) as const

/** The page of the guard after what was typed. */
function pageAfter(...events: TopUpEvent[]): TopUpState {
  const opened: TopUpState = { ...initialTopUp, snapshot: told(provenSet()) }
  const all: TopUpEvent[] = [
    { step: 'topup', type: 'guardTurned', open: true },
    { step: 'topup', type: 'guardTold', here: 'none', isOver: false },
    ...events,
  ]
  return all.reduce((state, event) => topUpTransition(state, event, setup)[0], opened)
}
const cap = (text: string): TopUpEvent => ({ step: 'topup', type: 'chosen', text })
const day = (text: string): TopUpEvent => ({ step: 'topup', type: 'guardUntilTyped', text })
const errorOf = (view: ReturnType<typeof topUpView>, id: string) =>
  view.fields.find((field) => field.id === id)?.error

describe('the page of a guard', () => {
  test('says of a cap that is no multiple of the least step which one it must be', () => {
    const view = topUpView(pageAfter(cap('12345'), day('2040-03-01')), FACTS, setup)
    expect(view.verdict).toMatchObject({ mark: 'refused', text: expect.stringContaining('10,000 BERA') })
    expect(errorOf(view, 'amount')).toContain('10,000 BERA')
    expect(topUpView(pageAfter(cap('20000'), day('2040-03-01')), FACTS, setup).verdict?.mark).toBe('asking')
  })

  test('offers no cap that lifts nothing of the stake before Fulu', () => {
    const electra: typeof setup = {
      ...setup,
      network: { ...setup.network, spec: { ...setup.network.spec, fuluTimeSeconds: NOW_SECONDS + 1_000n } },
    }
    for (const [where, least] of [
      [setup, '10000'],
      [electra, '20000'],
    ] as const) {
      const marks = ['10000', '20000'].map((text) => {
        const state = pageAfter(cap(text), day('2040-03-01'))
        expect(
          guardOffer(state, { capGwei: tokens(BigInt(text)), facts: FACTS, setup: where }) === undefined,
        ).toBe(Number(text) < Number(least))
        return topUpView(state, FACTS, where).verdict?.mark
      })
      expect(marks).toEqual(least === '10000' ? ['asking', 'asking'] : ['refused', 'asking'])
    }
  })

  test('asks anew for the checks and for the guard that is here, and lets go of what failed', () => {
    const standing = { type: 'guardTold', here: toldGuard(armed(), 'nobody'), isOver: false } as const
    const failure = errorFacts(guardError('guard.refused', GUARD_TEXT.refused.node))
    const failed = { type: 'guardTold', here: 'none', isOver: true, failure } as const
    for (const told of [undefined, standing, failed] as const) {
      const state = pageAfter(
        day('2040-03-01'),
        ...(told === undefined ? [] : [{ step: 'topup', ...told } as const]),
      )
      const does = topUpView(state, FACTS, setup).actions.find(({ key }) => key === 'r')?.does
      const asked: string[] = []
      let after = state
      for (const event of Array.isArray(does) ? (does as TopUpEvent[]) : []) {
        const [next, commands] = topUpTransition(after, event, setup)
        asked.push(...commands.map(({ type }) => type))
        after = next
      }
      expect(asked).toEqual(expect.arrayContaining(['readGuard', 'snapshot', 'check']))
      expect(after.guard).toMatchObject({ isOpen: true, untilText: '2040-03-01', failure: undefined })
    }
  })

  test('takes no day that is over by the time of the chain', () => {
    const today = new Date(Number(NOW_SECONDS) * 1000).toISOString().slice(0, 10)
    for (const [text, isPast] of [
      ['2020-01-01', true],
      [today, false],
    ] as const) {
      const view = topUpView(pageAfter(cap('20000'), day(text)), FACTS, setup)
      expect(view.verdict?.mark).toBe(isPast ? 'refused' : 'asking')
      expect(errorOf(view, 'until')).toBe(isPast ? GUARD_TEXT.fields.until.fault : undefined)
    }
  })

  test('says what is short where the account holds the cap and not its fee', () => {
    const state = pageAfter(cap('20000'), day('2040-03-01'))
    const valueWei = gweiToWei(tokens(20_000n))
    const price = { gasLimit: 150_000n, maxFeePerGasWei: 1n, maxPriorityFeePerGasWei: 1n }
    const withBalance = (balanceWei: bigint) => {
      const observed = {
        ...state.send.observed,
        balance: told({ balanceWei, neededWei: valueWei + 1n, price }),
      }
      return topUpView({ ...state, send: { ...state.send, observed } }, FACTS, setup).verdict
    }
    expect(withBalance(valueWei + 2n)).toMatchObject({
      mark: 'refused',
      text: expect.stringContaining('20,000.000000000000000002 BERA'),
    })
    expect(withBalance(valueWei)).toMatchObject({ mark: 'refused' })
    expect(withBalance(2n * valueWei)?.mark).toBe('asking')
  })
})
