import { describe, expect, test } from 'vitest'
import { gweiToWei, tokens } from '../../../../src/core/base/format/amount.ts'
import { GUARD_TROUBLES, type GuardTroubleId } from '../../../../src/core/observe/picture.ts'
import type { KnownGuard } from '../../../../src/core/pay/guard/book.ts'
import type { GuardDecision } from '../../../../src/core/pay/guard/decide.ts'
import type { GuardState } from '../../../../src/core/pay/guard/guard.ts'
import type { GuardLook } from '../../../../src/core/pay/guard/picture.ts'
import { guardFor, lastGuard, toldGuard, toldWhileHeld } from '../../../../src/core/pay/guard/standing.ts'
import { GUARD_TEXT } from '../../../../src/core/pay/guard/text.ts'
import {
  armed,
  bySecond,
  endpoint,
  guardAfter,
  handed,
  hashOf,
  includedIn,
  MINE,
  NONCE,
  PAYER,
  picture,
  provenSet,
  RIVAL,
  SLOT,
  terms,
  UNPROVEN,
  VALIDATORS,
  validator,
} from '../../../support/guard-world.ts'

const CANCELLATION = 5
const WAITS: GuardDecision = { does: 'wait', keptBack: [] }
const ELSEWHERE = hashOf(77)
const ALWAYS = {
  pubkey: MINE,
  from: PAYER,
  nonce: NONCE,
  capGwei: tokens(50_000n),
  untilSeconds: terms().untilSeconds,
  holder: 'nobody',
  troubles: [],
}

describe('a guard as it is told', () => {
  test.each<[string, GuardState, object]>([
    ['armed', armed(), { stand: 'armed' }],
    [
      'with an amount that waits',
      handed(3),
      { stand: 'handed-over', amountGwei: tokens(40_000n), hash: hashOf(3) },
    ],
    [
      'with its cancellation beside an amount',
      handed(CANCELLATION, handed(3, handed(1))),
      { stand: 'cancelling', amountGwei: tokens(40_000n), hash: hashOf(CANCELLATION) },
    ],
    [
      'with its cancellation alone',
      handed(CANCELLATION),
      { stand: 'cancelling', hash: hashOf(CANCELLATION) },
    ],
    [
      'with the smaller of two amounts in a block, and a cancellation out',
      guardAfter(handed(CANCELLATION, handed(3, handed(1))), includedIn(hashOf(1))),
      { stand: 'in-block', amountGwei: tokens(20_000n), hash: hashOf(1), block: SLOT + 3n },
    ],
    [
      'with its cancellation in a block',
      guardAfter(handed(CANCELLATION, handed(3)), includedIn(hashOf(CANCELLATION))),
      { stand: 'in-block', hash: hashOf(CANCELLATION), block: SLOT + 3n },
    ],
    [
      'with a hash of somebody else in a block',
      guardAfter(handed(3), includedIn(ELSEWHERE)),
      { stand: 'in-block', amountGwei: tokens(40_000n), hash: hashOf(3), block: SLOT + 3n },
    ],
    [
      'paid',
      guardAfter(handed(3), includedIn(hashOf(3)), { type: 'ended', outcome: { is: 'paid' } }),
      { stand: 'over', end: 'paid', amountGwei: tokens(40_000n), hash: hashOf(3), block: SLOT + 3n },
    ],
    [
      'paid by another hand with its nonce, beside its cancellation',
      guardAfter(
        handed(CANCELLATION),
        {
          type: 'found',
          from: PAYER,
          nonce: NONCE,
          hash: ELSEWHERE,
          valueWei: gweiToWei(tokens(12_345n)),
          data: undefined,
        },
        includedIn(ELSEWHERE),
        { type: 'ended', outcome: { is: 'paid' } },
      ),
      { stand: 'over', end: 'paid', amountGwei: tokens(12_345n), hash: ELSEWHERE, block: SLOT + 3n },
    ],
    [
      'cancelled',
      guardAfter(handed(CANCELLATION), includedIn(hashOf(CANCELLATION)), {
        type: 'ended',
        outcome: { is: 'cancelled' },
      }),
      { stand: 'over', end: 'cancelled', hash: hashOf(CANCELLATION), block: SLOT + 3n },
    ],
    [
      'with its nonce taken',
      guardAfter(handed(3), { type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } }),
      { stand: 'over', end: 'void', amountGwei: tokens(40_000n), hash: hashOf(3) },
    ],
    ['void', guardAfter(armed(), { type: 'void' }), { stand: 'over', end: 'void' }],
  ])('%s', (_, state, told) => {
    expect(toldGuard(state, 'nobody')).toStrictEqual({ ...ALWAYS, hashes: state.hashes, ...told })
  })
})

describe('a guard as whoever holds it tells it', () => {
  const heard = (decision: GuardDecision, seen = picture()) =>
    toldWhileHeld({ picture: seen, decision, troubles: ['term'] })
  const told = (...given: Parameters<typeof heard>) => {
    const { ruledOut: _, ...rest } = heard(...given)
    return rest
  }
  const HERE = { ...ALWAYS, hashes: armed().hashes, holder: 'here', stand: 'armed', troubles: ['term'] }

  test('names what keeps the amount back, the first of it', () => {
    const keptBack = [
      { id: 'operator', held: 'no' },
      { id: 'alone', held: 'unknown' },
    ] as const
    const by = (decision: GuardDecision) =>
      toldWhileHeld({ picture: picture(), decision, troubles: ['cannot-send'] }).causes?.['cannot-send']
    expect(by({ does: 'wait', keptBack })).toEqual([GUARD_TEXT.rows.operator])
    expect(by({ does: 'wait', keptBack: [] })).toBeUndefined()
    expect(by({ does: 'dry-run', member: 3 })).toBeUndefined()
    expect(told({ does: 'wait', keptBack })).toStrictEqual(HERE)
  })

  test('rules out every trouble that all endpoints and the proven set show not to be', () => {
    const others = GUARD_TROUBLES.filter((id) => id !== 'term')
    expect(heard(WAITS).ruledOut).toEqual(others)
  })

  test('rules nothing out by a silent endpoint, or by a set that is not proven', () => {
    const silent = { endpoint: 'second', unknown: 'silent' }
    expect(heard(WAITS, picture({ endpoints: [endpoint('first'), silent] })).ruledOut).toEqual([
      'cap',
      'unproven',
      'blind',
      'fork',
      'other-payment',
      'cannot-send',
    ])
    const unproven = picture({ ...UNPROVEN, forks: undefined })
    expect(heard(WAITS, unproven).ruledOut).toEqual(['nonce', 'balance', 'fee', 'other-payment'])
  })

  test('names the block by which something else has used its nonce', () => {
    const { codeHash, operator } = endpoint('first')
    const facts = { block: 871n, nonce: NONCE + 1, balanceWei: 0n, codeHash, operator }
    const state = guardAfter(armed(), { type: 'void' })
    expect(heard(WAITS, picture({ facts }, { state }))).toMatchObject({ end: 'void', block: 871n })
    expect(heard(WAITS, picture({ facts })).block).toBeUndefined()
  })

  test('names the amount that the cap lacks', () => {
    const queued = { activationEligibilityEpoch: 1n, activationEpoch: 2n }
    const validators = [...VALIDATORS.slice(0, 3), validator(RIVAL, 310_000n, queued)]
    const seen = picture({ set: { snapshot: provenSet({ validators }), isRecent: true } })
    const missingGwei = tokens(60_000n)
    expect(told({ does: 'wait', keptBack: [] }, seen)).toStrictEqual({ ...HERE, missingGwei })
    const hopeless = { ...seen, need: { is: 'out', outAtEpoch: 1n, rescue: undefined } } as const
    expect(told({ does: 'wait', keptBack: [] }, hopeless)).toStrictEqual(HERE)
  })
})

describe('who makes a trouble is named', () => {
  const told = (id: GuardTroubleId, over: Partial<GuardLook>, causes?: readonly string[]) =>
    toldWhileHeld({
      picture: picture(over),
      decision: { does: 'wait', keptBack: [] },
      troubles: causes === undefined ? [id] : [],
      lacking: causes && { causes, isNodeSilent: true },
    }).causes?.[id]?.map((one) => one.split(':')[0])

  test.each<[GuardTroubleId, Partial<GuardLook>]>([
    ['nonce', bySecond({ nonce: { latest: NONCE + 1, pending: NONCE + 1, final: NONCE } })],
    ['nonce', bySecond({ nonce: { latest: NONCE, pending: NONCE + 1, final: NONCE } })],
    ['balance', bySecond({ balanceWei: 0n })],
    ['unproven', bySecond({ chainId: 1 })],
    ['unproven', bySecond({ genesisHash: hashOf(1) })],
    ['unproven', bySecond({ codeHash: hashOf(1) })],
    ['unproven', bySecond({ operator: PAYER })],
    ['unproven', { endpoints: [endpoint('first'), { endpoint: 'second', unknown: 'no answer' }] }],
    ['cannot-send', bySecond({ codeHash: hashOf(1) })],
    ['cannot-send', { dryRun: { member: 3, results: ['done', 'refused'] } }],
  ])('%s: the second endpoint alone', (id, over) => {
    expect(told(id, over)).toEqual(['second'])
  })

  test('fee: every endpoint, as the least of them counts', () => {
    expect(told('fee', {})).toEqual(['first', 'second'])
  })

  test('unproven: whoever was found missing beside the looks, once', () => {
    const silent = { endpoints: [endpoint('first'), { endpoint: 'second', unknown: 'no answer' }] }
    expect(told('unproven', silent, ['second: no answer for 9 s'])).toEqual(['second'])
    expect(told('unproven', {}, ['node: no answer for 9 s'])).toEqual(['node'])
    const unstated = { set: { unknown: 'whole state: it is late', isOfNode: true } } as const
    expect(told('unproven', unstated, ['node: no answer for 9 s'])).toEqual(['node'])
  })

  test('nobody, where nothing is wrong', () => {
    expect(told('term', {})).toBeUndefined()
  })

  test('and a guard that is over lacks nothing', () => {
    const state = guardAfter(armed(), { type: 'void' })
    const said = {
      picture: picture({}, { state }),
      decision: WAITS,
      troubles: [],
      lacking: { causes: ['node: silent'], isNodeSilent: true },
    }
    expect(toldWhileHeld(said)).toMatchObject({ troubles: [] })
  })
})

describe('the guard of a validator', () => {
  const known = (nonce: number, state: GuardState | undefined): KnownGuard => ({
    from: PAYER,
    nonce,
    path: `guard-${nonce}`,
    ...(state === undefined ? { state, unread: UNREAD, named: [] } : { state }),
  })
  const UNREAD = { path: 'journal.jsonl', why: 'The journal is damaged at line 2.' }
  const over = guardAfter(armed(), { type: 'void' })
  const other = armed({ validator: { ...terms().validator, pubkey: RIVAL } })

  test('is the one here that is its own and not over', () => {
    const state = armed()
    const here = [known(1, undefined), known(2, over), known(3, other), known(4, state), known(5, armed())]
    expect(guardFor(here, MINE)).toMatchObject({ from: PAYER, nonce: 4, state })
    expect(guardFor(here, RIVAL)).toMatchObject({ from: PAYER, nonce: 3, state: other })
    expect(guardFor(here.slice(1, 3), MINE)).toBeUndefined()
    expect(guardFor([], MINE)).toBeUndefined()
  })

  test('is the one that ended last where all are over, whatever account it is of', () => {
    const paid = guardAfter(handed(1), includedIn(hashOf(1)), {
      type: 'ended',
      outcome: { is: 'paid' },
    })
    const here = [
      { ...known(9, over), writtenMs: 1 },
      { ...known(4, paid), writtenMs: 3 },
      { ...known(5, over), writtenMs: 2 },
      known(6, undefined),
      known(7, other),
    ]
    expect(lastGuard(here, MINE)).toMatchObject({ stand: 'over', end: 'paid' })
    expect(lastGuard([known(6, undefined)], MINE)).toBeUndefined()
  })

  test('is found by its key in any case', () => {
    const upper = armed({ validator: { ...terms().validator, pubkey: `0x${'AB'.repeat(48)}` } })
    expect(guardFor([known(1, upper)], `0x${'ab'.repeat(48)}`)?.nonce).toBe(1)
    expect(guardFor([known(1, upper)], `0x${'aB'.repeat(48)}`)?.nonce).toBe(1)
  })
})
