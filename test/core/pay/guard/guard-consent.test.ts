import { describe, expect, test } from 'vitest'

import { FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import { decideGuard } from '../../../../src/core/pay/guard/decide.ts'
import type { GuardState } from '../../../../src/core/pay/guard/guard.ts'
import {
  CANCELS_ONLY_IF,
  cancelledBy,
  keptBackBy,
  notAgainBy,
  SENDS_ONLY_IF,
  type SendRowId,
} from '../../../../src/core/pay/guard/guard-consent.ts'
import type { EndpointLook, GuardLook, GuardPicture } from '../../../../src/core/pay/guard/picture.ts'
import {
  armed,
  bySecond,
  EPOCH,
  endpoint,
  handed,
  inSet,
  MY_PAYOUT,
  NONCE,
  NOW_SECONDS,
  picture,
  provenSet,
  RIVAL,
  SLOT,
  setup,
  UNPROVEN,
  VALIDATORS,
  validator,
  withMine,
} from '../../../support/guard-world.ts'

const silent: Partial<GuardLook> = {
  endpoints: [endpoint('first'), { endpoint: 'second', unknown: 'no answer' }],
}
const LAST_BLOCK = EPOCH * 192n + 191n
const QUEUED = { activationEligibilityEpoch: EPOCH, activationEpoch: FAR_FUTURE_EPOCH }

type Case = readonly [what: string, picture: GuardPicture, held: 'no' | 'unknown']

/** What makes each row of the table say no, or not know. */
const AGAINST: Readonly<Record<SendRowId, readonly Case[]>> = {
  proven: [
    ['nothing is proven', picture(UNPROVEN), 'unknown'],
    ['one endpoint alone holds the root', picture(inSet({ anchors: 1 })), 'unknown'],
    ['the proven state is old', picture({ set: { snapshot: provenSet(), isRecent: false } }), 'unknown'],
    [
      'what waits is not known',
      picture(inSet({ uncounted: { unknown: 'other counts', perhaps: [] } })),
      'no',
    ],
  ],
  active: [
    ['it is not active yet', picture(withMine({ activationEpoch: EPOCH + 1n })), 'no'],
    ['it is leaving', picture(withMine({ exitEpoch: EPOCH + 1n })), 'no'],
    ['it was slashed', picture(withMine({ slashed: true })), 'no'],
    ['it is not in the state', picture(inSet({ validators: VALIDATORS.slice(0, 2) })), 'unknown'],
  ],
  'no-partial': [['a part waits', picture(inSet({ partial: true })), 'no']],
  credentials: [
    ['they are others', picture(withMine({ withdrawalCredentials: `0x01${'00'.repeat(31)}` })), 'no'],
    [
      'they are a pool’s',
      picture(
        withMine({
          withdrawalCredentials: `0x01${'00'.repeat(11)}${(setup.network.pools?.vault ?? '0x').slice(2)}`,
        }),
      ),
      'no',
    ],
  ],
  operator: [
    ['one endpoint names another', picture(bySecond({ operator: MY_PAYOUT })), 'no'],
    ['one is silent', picture(silent), 'unknown'],
  ],
  chain: [
    ['one has another id', picture(bySecond({ chainId: 1 })), 'no'],
    ['one has another first block', picture(bySecond({ genesisHash: `0x${'01'.repeat(32)}` })), 'no'],
    [
      'the set is of another genesis',
      picture(
        {},
        { own: { ...setup, network: { ...setup.network, genesisValidatorsRoot: `0x${'01'.repeat(32)}` } } },
      ),
      'no',
    ],
  ],
  contract: [['one has other code', picture(bySecond({ codeHash: `0x${'01'.repeat(32)}` })), 'no']],
  rules: [
    ['nobody tells the rules', picture({ forks: undefined }), 'unknown'],
    ['they are not known', picture({ forks: { isKnown: false, ahead: [] } }), 'no'],
    [
      'a fork comes before the boundary',
      picture({ forks: { isKnown: true, ahead: [{ label: 'x', atSeconds: NOW_SECONDS + 60n }] } }),
      'no',
    ],
  ],
  nonce: [
    ['one says that it is used', picture(bySecond({ nonce: { latest: 6, pending: 6, final: 5 } })), 'no'],
    ['a pool has another with it', picture(bySecond({ nonce: { latest: 5, pending: 6, final: 5 } })), 'no'],
    ['one is silent', picture(silent), 'unknown'],
  ],
  needed: [
    ['nothing is proven', picture(UNPROVEN), 'unknown'],
    ['the rival is not there', picture(inSet({ validators: VALIDATORS.slice(0, 3) })), 'no'],
  ],
  keeps: [
    [
      'the cap is below what is needed',
      picture(inSet({ validators: [...VALIDATORS.slice(0, 3), validator(RIVAL, 300_000n, QUEUED)] })),
      'no',
    ],
    ['no fee of it is enough', picture({ endpoints: bySecond({}).endpoints?.map(dear) ?? [] }), 'no'],
    [
      'the last block that counts is there at every endpoint, and not proven yet',
      picture({ endpoints: ['first', 'second'].map((name) => endpoint(name, { head: LAST_BLOCK })) }),
      'no',
    ],
  ],
  'own-validators': [
    [
      'the rival is paid out to the same address',
      picture(
        inSet({
          validators: [
            ...VALIDATORS.slice(0, 3),
            validator(RIVAL, 280_000n, { ...QUEUED, withdrawalCredentials: MY_PAYOUT }),
          ],
        }),
      ),
      'no',
    ],
  ],
  'in-term': [
    [
      'the last block is a second after the term',
      picture({}, { state: armed({ untilSeconds: NOW_SECONDS + 2n + 2n * 100n - 1n }) }),
      'no',
    ],
  ],
  due: [
    ['it was seen just now', picture({}, { since: SLOT + 1n }), 'no'],
    ['one block is left', picture({}, { since: SLOT + 1n - 59n }), 'no'],
  ],
  balance: [
    ['one says that it is short', picture(bySecond({ balanceWei: 40_000n * 10n ** 18n })), 'no'],
    ['one is silent', picture(silent), 'unknown'],
  ],
  alone: [
    ['another account pays', picture({ otherPayment: { from: MY_PAYOUT } }), 'no'],
    ['a journal cannot be read', picture({ otherPayment: 'unknown' }), 'unknown'],
  ],
  'not-over': [['the cancellation went out', picture({}, { state: handed(5) }), 'no']],
  'dry-run': [
    ['nobody was asked', picture({ dryRun: undefined }), 'unknown'],
    ['one refuses it', picture({ dryRun: { member: 3, results: ['done', 'refused'] } }), 'no'],
    ['one did not answer', picture({ dryRun: { member: 3, results: ['done', 'unknown'] } }), 'unknown'],
    ['another member was tried', picture({ dryRun: { member: 2, results: ['done', 'done'] } }), 'unknown'],
  ],
}

function dear(said: EndpointLook | { endpoint: string; unknown: string }) {
  return { ...said, baseFeeWei: 900n * 10n ** 9n }
}

describe('a rung', () => {
  test('is held back by every row that is not known, and by each for its own', () => {
    const rows = (over: Partial<GuardLook>) => keptBackBy(picture(over))
    const unknown = (...ids: SendRowId[]) => ids.map((id) => ({ id, held: 'unknown' }))
    expect(rows(UNPROVEN)).toEqual([
      ...unknown('proven', 'active', 'no-partial', 'credentials', 'rules', 'needed'),
      ...unknown('keeps', 'own-validators', 'in-term', 'due', 'balance', 'not-over', 'dry-run'),
    ])
    expect(rows({ endpoints: [] })).toEqual([
      ...unknown('operator', 'chain', 'contract', 'nonce'),
      { id: 'keeps', held: 'no' },
      ...unknown('own-validators', 'in-term', 'due', 'balance', 'not-over', 'dry-run'),
    ])
    const absent = rows(inSet({ validators: VALIDATORS.slice(0, 2) }))
    expect(absent.filter(({ id }) => ['active', 'no-partial', 'credentials'].includes(id))).toEqual(
      unknown('active', 'no-partial', 'credentials'),
    )
  })

  test('goes out to the very last second of its term, and with the very last wei', () => {
    const { choice } = picture()
    if (choice === undefined) throw new Error('an amount keeps the place')
    const lastSeconds = NOW_SECONDS + 2n + (choice.lastBlock - SLOT - 1n) * 2n
    const state = armed({ untilSeconds: lastSeconds })
    expect(keptBackBy(picture({}, { state }))).toEqual([])
    const short = armed({ untilSeconds: lastSeconds - 1n })
    expect(keptBackBy(picture({}, { state: short }))).toEqual([{ id: 'in-term', held: 'no' }])
    const { valueWei, gasLimit, maxFeePerGasWei } = choice.rung.transaction
    const balanceWei = valueWei + gasLimit * maxFeePerGasWei
    expect(keptBackBy(picture(bySecond({ balanceWei })))).toEqual([])
    expect(keptBackBy(picture(bySecond({ balanceWei: balanceWei - 1n })))).toEqual([
      { id: 'balance', held: 'no' },
    ])
  })

  test('is not held back by a part that waits of a validator that nobody knows', () => {
    const snapshot = provenSet()
    const [one] = provenSet({ partial: true }).consensus.pendingPartialWithdrawals
    if (one === undefined) throw new Error('a part waits')
    const pendingPartialWithdrawals = [{ ...one, validatorIndex: 99 }]
    const consensus = { ...snapshot.consensus, pendingPartialWithdrawals }
    const seen = picture({ set: { snapshot: { ...snapshot, consensus }, isRecent: true } })
    expect(keptBackBy(seen).map(({ id }) => id)).not.toContain('no-partial')
  })

  test('is held back by no head that one endpoint alone names', () => {
    const ahead = { endpoints: [endpoint('first', { head: LAST_BLOCK + 9n }), endpoint('second')] }
    expect(decideGuard(picture(ahead))).toMatchObject({ does: 'hand', member: 3 })
  })

  test('goes out where every row holds, and it is the least that keeps the place', () => {
    const all = picture()
    expect(keptBackBy(all)).toEqual([])
    expect(all.choice).toMatchObject({ member: 3, lastBlock: LAST_BLOCK })
    expect(decideGuard(all)).toEqual({
      does: 'hand',
      member: 3,
      target: { outAtEpoch: EPOCH + 1n, lastBlock: LAST_BLOCK, provenBlock: SLOT + 1n },
    })
  })

  describe.each(SENDS_ONLY_IF.map(({ id }) => id))('only if %s', (id) => {
    test.each(AGAINST[id])('%s', (_, against, held) => {
      expect(keptBackBy(against)).toContainEqual({ id, held })
      expect(decideGuard(against).does).not.toBe('hand')
    })
  })

  test('is asked for by a dry run once all else holds', () => {
    expect(decideGuard(picture({ dryRun: undefined }))).toEqual({ does: 'dry-run', member: 3 })
    expect(decideGuard(picture({ dryRun: undefined, ...silent })).does).toBe('wait')
  })

  test('goes out 40 blocks before the last one that counts at the latest, however many were left to the human', () => {
    const state = armed({ slotsToHuman: 10_000 })
    const at = (block: bigint) =>
      decideGuard(picture(inSet({ slot: block - 1n }), { state, since: SLOT })).does
    const latest = LAST_BLOCK - 40n
    expect(at(latest - 1n)).toBe('wait')
    expect(at(latest)).toBe('hand')
  })

  test('of which one waits is given out again while the table holds, whatever its dry run says', () => {
    const state = handed(3)
    expect(notAgainBy(picture({ dryRun: undefined }, { state }))).toBeUndefined()
    expect(notAgainBy(picture(UNPROVEN, { state }))).toBe('proven')
    expect(notAgainBy(picture(bySecond({ codeHash: `0x${'01'.repeat(32)}` }), { state }))).toBe('contract')
  })

  test('of which one waits is given out again as long as it is what keeps the place, whatever it was chosen by', () => {
    const state = handed(3)
    const again = (over: Partial<GuardLook>, more: { state?: GuardState; since?: bigint } = {}) =>
      notAgainBy(picture(over, { state, ...more }))
    expect(again({}, { since: SLOT + 1n })).toBeUndefined()
    expect(again(bySecond({ balanceWei: 0n }))).toBeUndefined()
    expect(again({}, { state: handed(3, armed({ untilSeconds: NOW_SECONDS })) })).toBeUndefined()
    const own = { ...QUEUED, withdrawalCredentials: MY_PAYOUT }
    const rival = inSet({ validators: [...VALIDATORS.slice(0, 3), validator(RIVAL, 280_000n, own)] })
    expect(again(rival)).toBeUndefined()
    const dearer = inSet({ validators: [...VALIDATORS.slice(0, 3), validator(RIVAL, 290_000n, QUEUED)] })
    expect(again(dearer)).toBe('keeps')
  })
})

describe('a rung that waits', () => {
  const raised = (slot: bigint, stake = 290_000n) =>
    inSet({ slot, validators: [...VALIDATORS.slice(0, 3), validator(RIVAL, stake, QUEUED)] })

  test('is climbed over by a newer proven block whose forecast needs more, and by no older one', () => {
    const state = handed(3)
    const dryRun = { member: 4, results: ['done', 'done'] as const }
    expect(decideGuard(picture({ ...raised(SLOT), dryRun }, { state })).does).toBe('wait')
    expect(decideGuard(picture({ ...raised(SLOT + 1n), dryRun }, { state }))).toMatchObject({
      does: 'hand',
      member: 4,
    })
  })

  test('stays where nothing more is needed', () => {
    const state = handed(3)
    expect(decideGuard(picture(inSet({ slot: SLOT + 5n }), { state }))).toEqual({
      does: 'wait',
      keptBack: [],
    })
    // A smaller one would do by now: the larger one waits all the same.
    expect(decideGuard(picture(raised(SLOT + 5n, 260_000n), { state }))).toEqual({
      does: 'wait',
      keptBack: [],
    })
  })

  test('is climbed over where its fee cap is below the base fee that every endpoint names', () => {
    const state = handed(3)
    const baseFeeWei = 640n * 10n ** 9n
    const all = { ...inSet({ slot: SLOT + 1n }), dryRun: { member: 4, results: ['done', 'done'] as const } }
    const one = { endpoints: [endpoint('first', { baseFeeWei }), endpoint('second')] }
    const two = { endpoints: [endpoint('first', { baseFeeWei }), endpoint('second', { baseFeeWei })] }
    expect(picture(all, { state }).members[3]?.transaction.maxFeePerGasWei).toBeLessThan(baseFeeWei)
    expect(decideGuard(picture({ ...all, ...one }, { state })).does).toBe('wait')
    expect(decideGuard(picture({ ...all, ...two }, { state }))).toMatchObject({ does: 'hand', member: 4 })
  })

  const late = LAST_BLOCK + 1n
  const gone = inSet({ slot: late, validators: VALIDATORS.slice(0, 3) })

  test('is cancelled by what two anchors prove, and by nothing else', () => {
    const state = handed(3)
    const why = (over: Partial<GuardLook>) => cancelledBy(picture(over, { state }))
    expect(why(withMine({ exitEpoch: EPOCH + 1n }))).toBe('leaving')
    expect(why(inSet({ validators: VALIDATORS.slice(0, 3) }))).toBe('saved')
    expect(why(raised(late, 400_000n))).toBe('too-late')
    expect(why({})).toBeUndefined()
    for (const over of [withMine({ exitEpoch: EPOCH + 1n }), gone, raised(late, 400_000n)]) {
      const snapshot = over.set !== undefined && 'snapshot' in over.set ? over.set.snapshot : provenSet()
      const one = { ...snapshot, proof: { ...snapshot.proof, anchors: 1 } }
      expect(why({ set: { snapshot: one, isRecent: true } })).toBeUndefined()
      expect(why({ set: { snapshot, isRecent: false } })).toBeUndefined()
      expect(why({ ...over, ...silent })).toBeUndefined()
      expect(
        why({ ...over, ...bySecond({ nonce: { latest: NONCE + 1, pending: NONCE + 1, final: NONCE } }) }),
      ).toBeUndefined()
    }
    expect(why(UNPROVEN)).toBeUndefined()
  })

  test('is cancelled while every pool has it, and not with the very last block that counts', () => {
    const state = handed(3)
    const why = (over: Partial<GuardLook>) => cancelledBy(picture(over, { state }))
    const pending = { nonce: { latest: NONCE, pending: NONCE + 1, final: NONCE } }
    const endpoints = [endpoint('first', pending), endpoint('second', pending)]
    expect(why({ ...withMine({ exitEpoch: EPOCH + 1n }), endpoints })).toBe('leaving')
    // One block after another: what is proven is a block behind its slot.
    expect(why(raised(LAST_BLOCK - 1n, 400_000n))).toBeUndefined()
    expect(why(raised(LAST_BLOCK, 400_000n))).toBe('too-late')
    const exit = { exitEpoch: EPOCH + 1n, withdrawalCredentials: MY_PAYOUT }
    const leaving = VALIDATORS.map((one, at) => (at === 2 ? { ...one, ...exit } : one))
    expect(why(inSet({ slot: late, validators: leaving }))).toBe('too-late')
  })

  test('is known to be for nothing by no row that does not know', () => {
    const held = (seen: GuardPicture) => CANCELS_ONLY_IF.map(({ holds }) => holds(seen))
    const uncounted = inSet({ uncounted: { unknown: 'other counts', perhaps: [] } })
    for (const seen of [picture(UNPROVEN, { state: handed(3) }), picture(uncounted, { state: handed(3) })])
      expect(held(seen)).toEqual(['unknown', 'unknown', 'unknown'])
    expect(held(picture({}, { state: handed(5) }))).toEqual(['unknown', 'no', 'no'])
    expect(held(picture({}, { state: handed(3) }))).toEqual(['no', 'no', 'no'])
  })

  test('is followed by no rung after its cancellation', () => {
    const state = handed(5, handed(3))
    expect(decideGuard(picture(inSet({ slot: SLOT + 1n }), { state }))).toEqual({
      does: 'wait',
      keptBack: [],
    })
    expect(cancelledBy(picture(gone, { state }))).toBeUndefined()
  })

  test('is not cancelled because the term has ended', () => {
    const state = handed(3, armed({ untilSeconds: NOW_SECONDS }))
    expect(decideGuard(picture(inSet({ slot: SLOT + 1n }), { state }))).toEqual({
      does: 'wait',
      keptBack: [],
    })
  })
})

test('every row of the tables has a case, and every case a row', () => {
  expect(Object.keys(AGAINST)).toEqual(SENDS_ONLY_IF.map(({ id }) => id))
  expect(CANCELS_ONLY_IF.map(({ id }) => id)).toEqual(['too-late', 'leaving', 'saved'])
  const names: string[] = [...SENDS_ONLY_IF, ...CANCELS_ONLY_IF].map(({ name }) => name)
  expect(new Set(names.filter((name) => name !== '')).size).toBe(
    SENDS_ONLY_IF.length + CANCELS_ONLY_IF.length,
  )
})
