import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../../../src/core/base/errors/base.ts'
import { formatClock, tokens } from '../../../../src/core/base/format/amount.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import type {
  SetSnapshot,
  Uncounted,
  UncountedDeposit,
} from '../../../../src/core/chain/consensus/snapshot.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import type { Facts, Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { toldGuard } from '../../../../src/core/pay/guard/standing.ts'
import {
  initialStatus,
  type StatusEvent,
  statusTransition,
} from '../../../../src/core/steps/status/machine.ts'
import { situationOf } from '../../../../src/core/steps/status/situation.ts'
import type { StatusAnswers } from '../../../../src/core/steps/status/values.ts'
import { statusView } from '../../../../src/core/steps/status/view.ts'
import { errorFacts } from '../../../../src/core/view/observation.ts'
import { handed } from '../../../support/guard-world.ts'
import { blockAt, credentials, genesisOf, pubkey, runEmpty, shortSpec } from '../../chain/consensus/model.ts'

const spec = shortSpec()
const OWN = 9
const setup: Setup = {
  network: { ...MAINNET, spec, slotMs: 2000 },
  homePath: '/home/ann/.beacond',
  endpoints: {
    execution: 'http://127.0.0.1:8545',
    node: 'http://127.0.0.1:3500',
    engine: 'http://127.0.0.1:26657',
  },
  journalDirectory: '/state/mainnet',
  lockDirectories: [],
  outputDirectory: '/home/ann',
}

const factsOf = (own: number): Facts => ({
  identity: { pubkey: pubkey(own), uncompressedPubkey: '0x', address: '', key: { kind: 'elsewhere' } },
})

function deposit(number: number, amount: bigint, parts: Partial<UncountedDeposit> = {}): UncountedDeposit {
  return {
    index: 0n,
    transactionHash: `0x${'ab'.repeat(32)}`,
    blockSlot: 1n,
    pubkey: pubkey(number),
    withdrawalCredentials: credentials(number),
    amountGwei: tokens(amount),
    signatureValid: true,
    ...parts,
  }
}

const ENGINE: StatusAnswers['engine'] = {
  powerGwei: 0n,
  totalGwei: tokens(1_000_000n),
  members: 3,
  height: 10n,
  catchingUp: false,
  sameKey: true,
}
const COUNTED = { ...ENGINE, powerGwei: tokens(270_000n) }
const NO_ANSWER = errorFacts(new BaseError('client.refused', { short: 'The node does not answer.' }))

type Case = {
  own?: number
  state?: ConsensusState
  uncounted?: Uncounted
  engine?: StatusAnswers['engine']
  timestampSeconds?: bigint
  /** Whether an engine was given to ask. */
  hasEngine?: boolean
  /** What waits for the own key where its record alone is proven. */
  ownUncounted?: Uncounted
  after?: readonly StatusEvent[]
}

/** What is known after one answer of each service, and what came then. */
function stateOf({
  state,
  uncounted = [],
  engine = ENGINE,
  after = [],
  timestampSeconds = 400n,
  ownUncounted,
}: Case) {
  const told = { source: 'here', atMs: 1000 }
  const snapshot: SetSnapshot | undefined = state && {
    consensus: state,
    indexes: state.validators.map((_, place) => place),
    timestampSeconds,
    uncounted,
    proof: undefined,
    unproven: undefined,
    ...(ownUncounted === undefined ? {} : { own: { anchors: 1, block: 2n, uncounted: ownUncounted } }),
  }
  const events: StatusEvent[] = [
    ...(snapshot === undefined
      ? []
      : [{ key: 'snapshot' as const, observation: { status: 'known' as const, value: snapshot, ...told } }]),
    { key: 'engine' as const, observation: { status: 'known' as const, value: engine, ...told } },
  ].map((entry) => ({ step: 'status', type: 'observed', ...entry }))
  return [...events, ...after].reduce((before, event) => statusTransition(before, event)[0], initialStatus)
}

/** The screen of that. */
function shown({ own = OWN, hasEngine = true, ...given }: Case) {
  const { engine: _, ...endpoints } = setup.endpoints
  return statusView(stateOf(given), factsOf(own), hasEngine ? setup : { ...setup, endpoints }, {
    isPaidUp: false,
  })
}

const unheard = (key: 'snapshot' | 'engine'): StatusEvent => ({
  step: 'status',
  type: 'observed',
  key,
  observation: { status: 'failed', error: NO_ANSWER, source: 'here', atMs: 2000 },
})

/** Three places and a newcomer of so many tokens, who is 9, in slot 1. */
function withOwn(stakes: readonly bigint[], own: bigint, slot = 1n): ConsensusState {
  const first = processSlot(genesisOf(stakes, spec), spec, blockAt(1n, { deposits: [deposit(OWN, own)] }))
  return runEmpty(first.state, spec, slot)
}

const FULL = [300_000n, 290_000n, 270_000n]
/** The validator 3 of a full set: active from the start, 10,000 above whoever comes with 260,000. */
const full = runEmpty(genesisOf(FULL, spec), spec, 1n)
const crowded = genesisOf([300_000n, 290_000n, 280_000n, 270_000n], spec)
const free = runEmpty(genesisOf([280_000n, 100_000n, 270_000n], spec), spec, 1n)
const wide = runEmpty(genesisOf([300_000n, 290_000n, 270_000n, 100_000n], spec), spec, 1n)
const thin = processSlot(full, spec, blockAt(2n, { deposits: [deposit(8, 260_000n)] })).state
const unknown = { unknown: 'only a proven state says which deposits it has counted', perhaps: [] }
const OUTBID = {
  own: 3,
  state: full,
  uncounted: [deposit(8, 280_000n, { blockSlot: 2n })],
  engine: COUNTED,
} satisfies Case
/** The guard of the validator, which has sent an amount that waits for a block. */
const guarded = (amount: bigint): StatusEvent => ({
  step: 'status',
  type: 'guarded',
  guard: { ...toldGuard(handed(1), 'here'), pubkey: pubkey(3), amountGwei: tokens(amount) },
})
const QUIET = /nothing to do|safe to close/

const TABLE: readonly (readonly [
  name: string,
  given: Case,
  title: string | RegExp,
  money: string | RegExp,
])[] = [
  ['nothing is heard yet', {}, 'Asking for the validator', 'asking what is staked'],
  [
    'the node has never answered',
    { after: [unheard('snapshot')] },
    'Your node does not answer',
    'what is staked is not known · your node does not answer: start it',
  ],
  [
    'the state does not hold the key',
    { state: full },
    'The chain does not hold this validator',
    'nothing is staked yet · no deposit waits to be counted',
  ],
  [
    'the state does not hold the key, and what waits is not known',
    { state: full, uncounted: unknown },
    'The chain does not hold this validator',
    'nothing is staked yet · deposits not counted yet are not known',
  ],
  [
    'the first deposit waits to be counted',
    { state: full, uncounted: [deposit(OWN, 10_000n)] },
    'Waiting for the first deposit to be counted',
    'sent 10,000 BERA, in block 1, not counted yet · look again in a few slots',
  ],
  [
    'the first deposit that waits has a signature that the chain refuses',
    { state: full, uncounted: [deposit(OWN, 10_000n, { signatureValid: false })] },
    'The first deposit will not be counted',
    'sent 10,000 BERA, in block 1 · its signature is not valid',
  ],
  [
    'below the threshold',
    { state: withOwn(FULL, 10_000n) },
    'Below the threshold: 240,000 BERA are missing',
    'staked 10,000 BERA · 240,000 BERA are missing to become active',
  ],
  [
    'below the threshold by an odd amount',
    { state: withOwn(FULL, 12_345n), uncounted: [deposit(OWN, 10_001n)] },
    'Below the threshold: 227,654 BERA are missing',
    'staked 12,345 BERA, 10,001 not counted yet · 227,654 BERA are missing',
  ],
  [
    'below the threshold, as far as is known',
    { state: withOwn(FULL, 10_000n), uncounted: unknown },
    'Below the threshold: 240,000 BERA are missing',
    'staked 10,000 BERA · 240,000 missing · deposits not counted yet are not known',
  ],
  [
    'below the threshold, where the own record alone is proven',
    { state: withOwn(FULL, 10_000n), uncounted: unknown, ownUncounted: [deposit(OWN, 20_000n)] },
    'Below the threshold: 220,000 BERA are missing',
    'staked 10,000 BERA, 20,000 not counted yet · 220,000 BERA are missing',
  ],
  [
    'below the threshold, and a deposit may be counted already',
    {
      state: withOwn(FULL, 10_000n),
      uncounted: { ...unknown, perhaps: [deposit(OWN, 20_000n)] },
      ownUncounted: { ...unknown, perhaps: [deposit(OWN, 20_000n)] },
    },
    'Below the threshold: 240,000 BERA are missing',
    'staked 10,000 BERA · 240,000 missing · deposits not counted yet are not known',
  ],
  [
    'a top-up over the threshold waits to be counted',
    { state: withOwn(FULL.slice(1), 10_000n), uncounted: [deposit(OWN, 290_000n)] },
    'You join the active set at epoch 3: in 11 slots, 22 s',
    /^staked 10,000 BERA, 290,000 not counted yet · nothing to do · safe to close this window$/,
  ],
  [
    'the stake counts from the next epoch boundary',
    { state: withOwn(FULL.slice(1), 300_000n) },
    'You join the active set at epoch 2: in 7 slots, 14 s',
    'staked 300,000 BERA · nothing to do · safe to close this window',
  ],
  [
    'waiting for a boundary by a thin margin',
    { state: withOwn([300_000n, 290_000n, 270_000n], 280_000n) },
    'You join the active set at epoch 2: in 7 slots, 14 s',
    'staked 280,000 BERA · you may drop out if others add 10,000 BERA or more',
  ],
  [
    'waiting for a boundary that sends it away at once',
    { state: withOwn(FULL, 260_000n) },
    'Your validator drops out of the active set if nothing is done',
    'staked 260,000 BERA · a top-up of 20,000 BERA is needed',
  ],
  [
    'active by the chain, not by the engine',
    { own: 3, state: wide },
    'Active, but the consensus engine does not count it yet',
    'staked 270,000 BERA · the engine counts it 2 slots after the epoch boundary',
  ],
  [
    'active, in the last place, where only somebody below the threshold waits',
    { own: 3, state: wide, engine: COUNTED },
    'Your validator is active',
    'staked 270,000 BERA · last place: keep a watch running',
  ],
  [
    'active, with things to see to that nobody has looked at',
    { own: 3, state: free, engine: COUNTED },
    'Your validator is active',
    'staked 270,000 BERA · nothing to do now · 3 things to see to: l',
  ],
  [
    'active by a thin margin',
    { own: 3, state: thin, engine: COUNTED },
    'Your validator is active, by a thin margin',
    'staked 270,000 BERA · you may drop out if others add 10,000 BERA or more',
  ],
  [
    'active by a thin margin over somebody who is not counted yet',
    { own: 3, state: full, uncounted: [deposit(8, 260_000n, { blockSlot: 2n })], engine: COUNTED },
    'Your validator is active, by a thin margin',
    'staked 270,000 BERA · you may drop out if others add 10,000 BERA or more',
  ],
  [
    'active, and what waits is not known',
    { own: 3, state: wide, uncounted: unknown, engine: COUNTED },
    'Your validator is active',
    'staked 270,000 BERA · deposits not counted yet are not known',
  ],
  [
    'active and outbid',
    OUTBID,
    'Your validator drops out of the active set if nothing is done',
    'staked 270,000 BERA · a top-up of 20,000 BERA is needed',
  ],
  [
    'active and outbid, while what the guard has sent is enough and waits',
    { ...OUTBID, after: [guarded(20_000n)] },
    'Your guard has sent a top-up for the place: wait',
    'staked 270,000 BERA · your guard has sent 20,000 BERA',
  ],
  [
    'active and outbid, while what the guard has sent is not enough',
    { ...OUTBID, after: [guarded(10_000n)] },
    'Your validator drops out of the active set if nothing is done',
    'staked 270,000 BERA · a top-up of 10,000 BERA is needed',
  ],
  [
    'active and outbid, and it is too late',
    { own: 4, state: runEmpty(crowded, spec, 3n), engine: COUNTED },
    'Your validator drops out of the active set, and no top-up helps',
    'staked 270,000 BERA · no top-up helps any more: the stake comes back',
  ],
  [
    'out of the set',
    { own: 4, state: runEmpty(crowded, spec, 5n) },
    'Your validator left the active set at epoch 1',
    'staked 270,000 BERA, coming back · safe to close this window',
  ],
  [
    'paid back',
    { own: 4, state: runEmpty(crowded, spec, 14n) },
    'The stake was paid back',
    'staked nothing any more · the stake was paid back · safe to close this window',
  ],
  [
    'active, and the engine does not answer',
    { own: 3, state: wide, engine: COUNTED, after: [unheard('engine')] },
    'Your node’s engine does not answer',
    'staked 270,000 BERA at the last answer · your node answers only in part: look at it',
  ],
  [
    'active, and the engine catches up',
    { own: 3, state: wide, engine: { ...COUNTED, catchingUp: true } },
    'Your node is catching up and does not vote until then',
    'staked 270,000 BERA · your engine is catching up and does not vote until then',
  ],
  [
    'active, and the node runs with another key',
    { own: 3, state: wide, engine: { ...COUNTED, sameKey: false } },
    'The node that answers runs with another key',
    'staked 270,000 BERA · the node that answers runs with another key',
  ],
  [
    'active by the state, where no engine was given',
    {
      own: 3,
      state: wide,
      hasEngine: false,
      after: [{ step: 'status', type: 'counted', isActive: true }],
    },
    'Your validator is active',
    'staked 270,000 BERA · whether your node signs is not known: no engine was given',
  ],
  [
    'active by a thin margin, where no engine was given',
    { own: 3, state: thin, hasEngine: false, after: [{ step: 'status', type: 'counted', isActive: true }] },
    'Your validator is active, by a thin margin',
    'staked 270,000 BERA · you may drop out if others add 10,000 BERA or more',
  ],
  [
    'active, and the node is silent',
    { own: 3, state: wide, engine: COUNTED, after: [unheard('snapshot')] },
    'Your node does not answer',
    'staked 270,000 BERA at the last answer · your node does not answer: start it again',
  ],
]

describe('one state behind title and timeline', () => {
  test('says what is asked only once while nothing is heard', () => {
    expect(shown({})).toMatchObject({ title: 'Asking for the validator', intro: '' })
  })

  test('refuses no rank to a validator that needs no place yet', () => {
    const rank = shown({ state: withOwn(FULL, 10_000n) }).facts.find(({ id }) => id === 'rank')
    expect(rank).toMatchObject({ mark: 'unasked', value: 'needs no place yet' })
    expect(rankMark(shown({ own: 4, state: runEmpty(crowded, spec, 5n) }))).toBe('refused')
  })

  test('an engine that counts the validator a slot before the state has it changes neither', () => {
    const view = shown({ state: withOwn(FULL.slice(1), 300_000n, 7n), engine: COUNTED })
    expect(view.title).toBe('You join the active set at epoch 2: in 1 slot, 2 s')
    expect(view.timeline.map(({ id, state }) => `${id} ${state}`)).toEqual(
      expect.arrayContaining(['active now', 'engine ahead']),
    )
    expect(view.done).toBe(false)
  })
})

const rankMark = ({ facts }: ReturnType<typeof shown>) => facts.find(({ id }) => id === 'rank')?.mark

describe('title and money band follow from what the chain says', () => {
  test.each(TABLE)('%s', (_, given, title, money) => {
    const view = shown(given)
    expect({ title: view.title, money: view.money.line }).toEqual({
      title: typeof title === 'string' ? title : expect.stringMatching(title),
      money: typeof money === 'string' ? money : expect.stringMatching(money),
    })
  })

  test('a state from before the slot of the proof does not say that the validator is not there', () => {
    const state = stateOf({ state: full })
    const proven = { validatorIndex: 4, blockRoot: '0x', balanceGwei: tokens(10_000n), anchors: 1 } as const
    const at = (slot: bigint) =>
      situationOf(state, { ...factsOf(OWN), registration: { ...proven, slot } }, setup)
    expect([at(full.slot + 1n), at(full.slot)]).toEqual([{ is: 'unheard' }, { is: 'absent', isWhole: true }])
  })

  test('nothing to do is told of five situations and of no other', () => {
    const quiet = TABLE.filter(([, given]) => QUIET.test(shown(given).money.line)).map(([name]) => name)
    expect(quiet).toEqual([
      'a top-up over the threshold waits to be counted',
      'the stake counts from the next epoch boundary',
      'active, with things to see to that nobody has looked at',
      'out of the set',
      'paid back',
    ])
  })
})

describe('what is missing to the threshold', () => {
  test.each([
    ['before Fulu', 200n, false],
    ['from Fulu on', 400n, true],
  ] as const)('is enough to be accepted, and a gwei less is not, %s', (_, timestampSeconds, fulu) => {
    const anyOwn = fc.record({
      first: fc.bigInt({ min: tokens(10_000n), max: tokens(249_999n) }),
      later: fc.bigInt({ min: 0n, max: tokens(14_000n) }),
      waits: fc.bigInt({ min: 0n, max: tokens(5_000n) }),
    })
    const run = fc.property(anyOwn, ({ first, later, waits }) => {
      const paid = [deposit(OWN, 0n, { amountGwei: first }), deposit(OWN, 0n, { amountGwei: later })]
      const genesis = genesisOf(FULL, spec)
      const state = processSlot(genesis, spec, blockAt(1n, { fulu, deposits: paid })).state
      const uncounted = [deposit(OWN, 0n, { amountGwei: waits })]
      const situation = situationOf(stateOf({ state, uncounted, timestampSeconds }), factsOf(OWN), setup)
      const isAccepted = (addGwei: bigint) => {
        const more = [...uncounted, deposit(OWN, 0n, { amountGwei: addGwei })]
        let course = processSlot(state, spec, blockAt(2n, { fulu, deposits: more })).state
        for (let slot = 3n; slot <= 12n; slot += 1n)
          course = processSlot(course, spec, blockAt(slot, { fulu })).state
        const own = course.validators.find((each) => each.pubkey === pubkey(OWN))
        return own?.activationEligibilityEpoch !== FAR_FUTURE_EPOCH
      }
      const missingGwei = situation.is === 'below' ? situation.missingGwei : 0n
      expect(isAccepted(missingGwei)).toBe(true)
      if (missingGwei > 0n) expect(isAccepted(missingGwei - 1n)).toBe(false)
    })
    fc.assert(run, { numRuns: 200 })
  })
})

describe('how much more others must add', () => {
  test('is told as a tie where a tie is what keeps the place', () => {
    const tied = withOwn([300_000n, 290_000n], 270_000n)
    const same = processSlot(tied, spec, blockAt(2n, { deposits: [deposit(8, 270_000n)] })).state
    expect(shown({ state: same }).money.line).toBe(
      'staked 270,000 BERA · you hold the last place by a tie: you may drop out if others add any stake',
    )
  })

  test('is thin up to what one least deposit can lift, by the rules of the fork', () => {
    const money = (own: bigint, timestampSeconds: bigint) =>
      shown({ state: withOwn([400_000n, 390_000n, 270_000n], own), timestampSeconds }).money.line
    expect(money(280_000n, 400n)).toMatch(/you may drop out if others add 10,000 BERA or more$/)
    expect(money(290_000n, 400n)).toMatch(/last place: keep a watch running$/)
    expect(money(290_000n, 200n)).toMatch(/you may drop out if others add 20,000 BERA or more$/)
    expect(money(300_000n, 200n)).toMatch(/last place: keep a watch running$/)
  })
})

describe('a wait of more than ten minutes', () => {
  const SLOT_MS = 200_000
  const NOW_SECONDS = 1_790_000_000n
  const slow = (kind: 'real' | 'rehearsal'): Setup => ({
    ...setup,
    network: { ...setup.network, kind, slotMs: SLOT_MS },
  })
  const viewOf = (given: Case, kind: 'real' | 'rehearsal') =>
    statusView(stateOf({ timestampSeconds: NOW_SECONDS, ...given }), factsOf(OWN), slow(kind), {
      isPaidUp: false,
    })
  const clock = (slots: number) => {
    const nowMs = Number(NOW_SECONDS) * 1000
    return formatClock(nowMs + slots * SLOT_MS, nowMs)
  }

  test('is told by the minute, with the clock time of its end', () => {
    const joins = { state: withOwn(FULL.slice(1), 300_000n) }
    expect(viewOf(joins, 'real').title).toBe(`You join the active set at epoch 2: in 23 min, at ${clock(7)}`)
  })

  test('has no clock time where the chain has a clock of its own', () => {
    const joins = { state: withOwn(FULL.slice(1), 300_000n) }
    expect(viewOf(joins, 'rehearsal').title).toBe('You join the active set at epoch 2: in 23 min')
  })

  test('of an alarm names both the boundary and the block to send by', () => {
    const { problem } = viewOf({ state: withOwn(FULL, 260_000n) }, 'real')
    expect(problem?.title).toMatch(
      /^Your validator drops out of the active set at epoch \d+: in [\d hmin]+, at \d\d:\d\d UTC/,
    )
    expect(problem?.lines[0]).toBe(
      'A top-up of 20,000 BERA keeps the place. Send it now: it must be in block 7 at the latest.',
    )
  })
})
