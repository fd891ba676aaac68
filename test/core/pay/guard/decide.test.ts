import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import { GUARD_TROUBLES, type GuardTroubleId } from '../../../../src/core/observe/picture.ts'
import {
  decideGuard,
  type GuardDecision,
  guardTroubles,
  notArmedBy,
  unableBy,
} from '../../../../src/core/pay/guard/decide.ts'
import { type GuardState, guardTransition } from '../../../../src/core/pay/guard/guard.ts'
import type { SendRowId } from '../../../../src/core/pay/guard/guard-consent.ts'
import type { GuardPicture } from '../../../../src/core/pay/guard/picture.ts'
import { mostFeeWei } from '../../../../src/core/pay/guard/terms.ts'
import {
  armed,
  bySecond,
  EPOCH,
  endpoint,
  guardAfter,
  handed,
  hashOf,
  includedIn,
  inSet,
  MY_PAYOUT,
  NONCE,
  NOW_SECONDS,
  picture,
  RIVAL,
  SLOT,
  setup,
  terms,
  UNPROVEN,
  VALIDATORS,
  validator,
  withMine,
} from '../../../support/guard-world.ts'

const WAITS: GuardDecision = { does: 'wait', keptBack: [] }

function exported(): GuardState {
  const state = guardTransition(undefined, { type: 'exported', terms: terms() })
  if (state === undefined) throw new Error('it was not exported')
  return state
}

const INCLUDED = includedIn(hashOf(3))
const PAID = { type: 'ended', outcome: { is: 'paid' } } as const

describe('a guard does nothing by itself', () => {
  test.each<[string, GuardState]>([
    ['before it is signed', exported()],
    ['once its amount is in a block', guardAfter(handed(3), INCLUDED)],
    ['once that is for good', guardAfter(handed(3), INCLUDED, PAID)],
    ['once its nonce is void', guardAfter(armed(), { type: 'void' })],
    ['once its cancellation is out', handed(5, handed(3))],
  ])('%s', (_, state) => {
    expect(decideGuard(picture(inSet({ slot: SLOT + 5n }), { state }))).toEqual(WAITS)
  })
})

test('the amount that waits is cancelled by the last member, for the reason that is told', () => {
  const leaving = picture(withMine({ exitEpoch: EPOCH + 1n }), { state: handed(3) })
  expect(decideGuard(leaving)).toEqual({ does: 'cancel', member: 5, why: 'leaving' })
})

/** What a guard that waits is in trouble by. */
const troublesOf = (
  seen: GuardPicture,
  {
    decision = WAITS,
    unprovenMs,
    unheardMs,
  }: { decision?: GuardDecision; unprovenMs?: number; unheardMs?: number } = {},
) => guardTroubles(seen, decision, { unprovenMs, unheardMs })

describe('the troubles of a guard', () => {
  test('are none where all is well', () => {
    expect(troublesOf(picture())).toEqual([])
  })

  test('are none of one that is over', () => {
    const wrong = { ...bySecond({ balanceWei: 0n }), otherPayment: 'unknown' } as const
    for (const state of [guardAfter(armed(), { type: 'void' }), guardAfter(handed(3), INCLUDED, PAID)])
      expect(troublesOf(picture(wrong, { state }))).toEqual([])
  })

  test('are told in one order', () => {
    const all = picture(
      {
        ...UNPROVEN,
        ...bySecond({ balanceWei: 0n, nonce: { latest: NONCE + 1, pending: NONCE + 1, final: NONCE } }),
        otherPayment: 'unknown',
        forks: { isKnown: false, ahead: [] },
      },
      {},
    )
    const decision: GuardDecision = { does: 'wait', keptBack: [{ id: 'proven', held: 'unknown' }] }
    const told = troublesOf(all, { decision, unprovenMs: 0, unheardMs: 0 })
    expect(told).toEqual(
      GUARD_TROUBLES.filter((id) => !['cap', 'term', 'fee'].includes(id)) satisfies GuardTroubleId[],
    )
  })

  test.each([{ latest: NONCE + 1 }, { pending: NONCE + 1 }])('nonce: one endpoint says %j', (over) => {
    const seen = bySecond({ nonce: { latest: NONCE, pending: NONCE, final: NONCE, ...over } })
    expect(troublesOf(picture(seen))).toEqual(['nonce'])
    expect(troublesOf(picture(seen, { state: handed(3) }))).toEqual([])
    expect(troublesOf(picture(seen, { state: exported() }))).toEqual([])
  })

  test('balance: one endpoint says that the cap with the most fee is not there, to the wei', () => {
    const enough = tokens(50_000n) * 10n ** 9n + mostFeeWei(terms())
    expect(troublesOf(picture(bySecond({ balanceWei: enough })))).toEqual([])
    const short = bySecond({ balanceWei: enough - 1n })
    expect(troublesOf(picture(short))).toEqual(['balance'])
    expect(troublesOf(picture(short, { state: handed(3) }))).toEqual([])
    expect(troublesOf(picture(bySecond({ balanceWei: 0n }), { state: armed({ rungsGwei: [] }) }))).toEqual([
      'cap',
    ])
  })

  test('cap: no amount keeps the place', () => {
    const higher = [...VALIDATORS.slice(0, 3), validator(RIVAL, 300_000n, QUEUED)]
    expect(troublesOf(picture(inSet({ validators: higher })))).toEqual(['cap'])
  })

  test('cannot-send, and not cap: the last block is over, whatever the cap', () => {
    const late = picture({
      endpoints: [endpoint('first', { head: LAST }), endpoint('second', { head: LAST })],
    })
    expect(late.choice).toBeUndefined()
    expect(troublesOf(late, { decision: decideGuard(late) })).toEqual(['cannot-send'])
    const hopeless = { ...late, need: { is: 'out', outAtEpoch: 1n, rescue: undefined } } as const
    expect(troublesOf(hopeless, { decision: decideGuard(hopeless) })).toEqual(['cannot-send'])
  })

  test('term: it ends in less than seven days, by the time of the chain', () => {
    const untilSeconds = NOW_SECONDS + 7n * 86_400n
    expect(troublesOf(picture({}, { state: armed({ untilSeconds }) }))).toEqual([])
    const near = armed({ untilSeconds: untilSeconds - 1n })
    expect(troublesOf(picture({}, { state: near }))).toEqual(['term'])
    expect(troublesOf(picture(UNPROVEN, { state: near }))).toEqual([])
  })

  test('fee: twice the base fee is more than the least amount offers', () => {
    const most = picture().members[0]?.transaction.maxFeePerGasWei ?? 0n
    const at = (baseFeeWei: bigint) =>
      picture({ endpoints: ['first', 'second'].map((name) => endpoint(name, { baseFeeWei })) })
    expect(troublesOf(at(most / 2n))).toEqual([])
    expect(troublesOf(at(most / 2n + 1n))).toEqual(['fee'])
  })

  test('unproven after four slots, and blind after ten', () => {
    const { slotMs } = setup.network
    const earlier = (slots: number) => picture().look.atMs - slots * slotMs
    expect(troublesOf(picture(), { unprovenMs: earlier(4) + 1 })).toEqual([])
    expect(troublesOf(picture(), { unprovenMs: earlier(4) })).toEqual(['unproven'])
    expect(troublesOf(picture(), { unheardMs: earlier(10) + 1 })).toEqual([])
    expect(troublesOf(picture(), { unheardMs: earlier(10) })).toEqual(['blind'])
  })

  test('fork: the rules in force are not known, which is not that nobody tells them', () => {
    expect(troublesOf(picture({ forks: { isKnown: false, ahead: [] } }))).toEqual(['fork'])
    expect(troublesOf(picture({ forks: undefined }))).toEqual([])
  })

  test('other-payment: one is open, or cannot be read', () => {
    expect(troublesOf(picture({ otherPayment: { from: MY_PAYOUT } }))).toEqual(['other-payment'])
    expect(troublesOf(picture({ otherPayment: 'unknown' }))).toEqual(['other-payment'])
  })

  test('cannot-send: a part of the stake waits to be paid out, whether or not the place is in danger', () => {
    const safe = VALIDATORS.slice(0, 3)
    for (const seen of [inSet({ partial: true }), inSet({ partial: true, validators: safe })])
      expect(troublesOf(picture(seen))).toEqual(['cannot-send'])
    expect(troublesOf(picture(inSet({ validators: safe })))).toEqual([])
  })

  test('none once an exit is proven: there is no place to guard', () => {
    const wrong = { ...withMine({ exitEpoch: EPOCH + 1n }), otherPayment: 'unknown' } as const
    expect(troublesOf(picture(wrong))).toEqual([])
  })

  test('cannot-send: an amount is due and needed, and something else keeps it back', () => {
    const keptBack = (...ids: SendRowId[]): GuardDecision => ({
      does: 'wait',
      keptBack: ids.map((id) => ({ id, held: 'no' })),
    })
    const told = (decision: GuardDecision) => troublesOf(picture(), { decision })
    expect(told(keptBack('operator'))).toEqual(['cannot-send'])
    expect(told(keptBack('operator', 'due'))).toEqual([])
    expect(told(keptBack('operator', 'needed'))).toEqual([])
    expect(told({ does: 'wait', keptBack: [{ id: 'due', held: 'unknown' }] })).toEqual(['cannot-send'])
    expect(told(keptBack())).toEqual([])
    expect(told({ does: 'dry-run', member: 3 })).toEqual([])
  })
})

/** No block after this one counts for the boundary. */
const LAST = EPOCH * 192n + 191n

const SILENT = { endpoint: 'second', unknown: 'no answer' } as const
const PROVEN = {
  block: SLOT + 1n,
  nonce: NONCE,
  balanceWei: endpoint('first').balanceWei,
  codeHash: endpoint('first').codeHash,
  operator: endpoint('first').operator,
}

describe('a guard could act', () => {
  test('also where nothing is in danger, and where an endpoint is silent beside proven facts', () => {
    for (const seen of [
      picture(),
      picture(inSet({ validators: VALIDATORS.slice(0, 3) })),
      picture({ endpoints: [endpoint('first'), SILENT], facts: PROVEN }),
      // What is told as a trouble of its own.
      picture(bySecond({ nonce: { latest: NONCE + 1, pending: NONCE + 1, final: NONCE } })),
      picture(bySecond({ balanceWei: 0n })),
    ])
      expect(unableBy(seen)).toEqual([])
  })

  test.each<[SendRowId, GuardPicture]>([
    ['proven', picture(UNPROVEN)],
    ['credentials', picture(withMine({ withdrawalCredentials: `0x01${'00'.repeat(31)}` }))],
    ['operator', picture(bySecond({ operator: MY_PAYOUT }))],
    ['chain', picture(bySecond({ chainId: 1 }))],
    ['contract', picture(bySecond({ codeHash: hashOf(1) }))],
    ['nonce', picture({ endpoints: [endpoint('first'), SILENT] })],
    ['rules', picture({ forks: undefined })],
  ])('but not against %s', (id, seen) => {
    expect(unableBy(seen).map((row) => row.id)).toContain(id)
  })

  test('once an amount was handed over, as long as the set is proven', () => {
    const seen = picture({ endpoints: [endpoint('first'), SILENT] }, { state: handed(3) })
    expect(unableBy(seen)).toEqual([])
    expect(unableBy(picture(UNPROVEN, { state: handed(3) })).map(({ id }) => id)).toEqual(['proven'])
  })
})

describe('a proven nonce', () => {
  const latestBeside = (nonce: number, over: { head: bigint; latest: number }) => {
    const { head, latest } = over
    const said = endpoint('second', { head, nonce: { latest, pending: latest, final: NONCE } })
    return picture({ endpoints: [said], facts: { ...PROVEN, nonce } }).replies.map((one) => one.nonce.latest)
  }

  test('that is used stays so, whatever an endpoint says of a newer block', () => {
    expect(latestBeside(NONCE + 1, { head: SLOT + 5n, latest: NONCE })).toEqual([NONCE + 1])
  })

  test('that is unused outweighs the word of a block that is not newer, which is left out, and of no other', () => {
    expect(latestBeside(NONCE, { head: SLOT + 1n, latest: NONCE + 1 })).toEqual([])
    expect(latestBeside(NONCE, { head: SLOT + 1n, latest: NONCE })).toEqual([NONCE])
    expect(latestBeside(NONCE, { head: SLOT + 2n, latest: NONCE + 1 })).toEqual([NONCE + 1])
  })
})

const QUEUED = { activationEligibilityEpoch: EPOCH, activationEpoch: FAR_FUTURE_EPOCH }

describe('a guard is not armed', () => {
  test.each<[SendRowId, GuardPicture]>([
    ['proven', picture(UNPROVEN)],
    ['active', picture(withMine({ slashed: true }))],
    ['no-partial', picture(inSet({ partial: true }))],
    ['credentials', picture(withMine({ withdrawalCredentials: `0x01${'00'.repeat(31)}` }))],
    ['operator', picture(bySecond({ operator: MY_PAYOUT }))],
    ['chain', picture(bySecond({ chainId: 1 }))],
    ['contract', picture(bySecond({ codeHash: hashOf(1) }))],
    ['nonce', picture(bySecond({ nonce: { latest: NONCE, pending: NONCE + 1, final: NONCE } }))],
    ['alone', picture({ otherPayment: 'unknown' })],
  ])('against %s', (id, seen) => {
    expect(notArmedBy(seen)).toBe(id)
  })

  test('and is where only a danger of now is missing, or what is asked when it sends', () => {
    for (const seen of [
      picture(),
      picture(inSet({ validators: VALIDATORS.slice(0, 3) })),
      picture(bySecond({ balanceWei: 0n })),
      picture({ dryRun: undefined }),
      picture({ forks: undefined }),
    ])
      expect(notArmedBy(seen)).toBeUndefined()
  })
})
