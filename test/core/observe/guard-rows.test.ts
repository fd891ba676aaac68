import { describe, expect, test } from 'vitest'
import { tokens } from '../../../src/core/base/format/amount.ts'
import { FAR_FUTURE_EPOCH, type Validator } from '../../../src/core/chain/consensus/state.ts'
import type { Facts } from '../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../src/core/chain/network/presets.ts'
import { guardRows, guardStands } from '../../../src/core/observe/guard-rows.ts'
import type { GuardStanding } from '../../../src/core/observe/picture.ts'
import { type GuardEvent, guardTransition } from '../../../src/core/pay/guard/guard.ts'
import { toldGuard } from '../../../src/core/pay/guard/standing.ts'
import { initialStatus } from '../../../src/core/steps/status/machine.ts'
import { statusView } from '../../../src/core/steps/status/view.ts'
import { initialTopUp } from '../../../src/core/steps/topup/machine.ts'
import { topUpView } from '../../../src/core/steps/topup/view.ts'
import type { AnyView } from '../../../src/core/wizard/state.ts'
import { stepKeys } from '../../../src/hooks/step-keys.ts'
import { PANEL_START } from '../../../src/hooks/step-panel.ts'
import { stepTurn } from '../../../src/plain/step-turn.ts'
import {
  armed,
  EPOCH,
  handed,
  hashOf,
  MINE,
  provenSet,
  REGISTRATION,
  setup,
  VALIDATORS,
} from '../../support/guard-world.ts'

const POOL = MAINNET.pools?.vault ?? '0x'
/** The place of the cancellation. */
const CANCELLATION = 5

/** The set with the guarded validator changed. */
const withOwn = (over: Partial<Validator>) =>
  provenSet({ validators: VALIDATORS.map((one) => (one.pubkey === MINE ? { ...one, ...over } : one)) })

const REGISTERED: Facts = {
  identity: { pubkey: MINE, uncompressedPubkey: '0x', address: '', key: { kind: 'elsewhere' } },
  registration: REGISTRATION,
}
const { registration: _, ...UNPROVEN } = REGISTERED

type Case = {
  facts?: Facts
  snapshot?: ReturnType<typeof provenSet> | undefined
  guard?: GuardStanding
}

const isHere = toldGuard(armed(), 'nobody')
const isOver = toldGuard(guardTransition(armed(), { type: 'void' }) ?? armed(), 'nobody')
const leaving = withOwn({ exitEpoch: EPOCH + 1n, withdrawableEpoch: EPOCH + 257n })

const OFFERED: readonly (readonly [what: string, about: Case])[] = [
  ['for a validator that is proven to be registered, and active', {}],
  ['where one is over', { guard: isOver }],
  [
    'for a validator that is leaving, where one is here and can be cancelled',
    { snapshot: leaving, guard: isHere },
  ],
]

const NOT_OFFERED: readonly (readonly [what: string, about: Case])[] = [
  ['while its registration is not proven', { facts: UNPROVEN }],
  ['while its registration is not proven, where one is here', { facts: UNPROVEN, guard: isHere }],
  ['while no set was heard of', { snapshot: undefined }],
  ['while the set does not hold it', { snapshot: provenSet({ validators: VALIDATORS.slice(0, 2) }) }],
  ['while it is queued', { snapshot: withOwn({ activationEpoch: FAR_FUTURE_EPOCH }) }],
  ['while its epoch is still to come', { snapshot: withOwn({ activationEpoch: EPOCH + 1n }) }],
  ['for one that is leaving', { snapshot: leaving }],
  ['for one that is leaving, where one is over', { snapshot: leaving, guard: isOver }],
  ['for one that was slashed', { snapshot: withOwn({ slashed: true }) }],
  [
    'for a pool’s',
    { snapshot: withOwn({ withdrawalCredentials: `0x01${'00'.repeat(11)}${POOL.slice(2)}` }) },
  ],
]

/** The pages of both steps that have the key. */
function viewsOf(about: Case): readonly AnyView[] {
  const facts = about.facts ?? REGISTERED
  const snapshot = 'snapshot' in about ? about.snapshot : provenSet()
  const guard = about.guard
  const observation =
    snapshot === undefined
      ? ({ status: 'unasked' } as const)
      : ({ status: 'known', value: snapshot, source: 'node', atMs: 0 } as const)
  const topup = {
    ...initialTopUp,
    snapshot: observation,
    guard: { ...initialTopUp.guard, here: guard ?? ('none' as const) },
  }
  return [
    statusView({ ...initialStatus, lastSnapshot: snapshot, guard }, facts, setup, { isPaidUp: false }),
    topUpView(topup, facts, setup),
  ] as readonly AnyView[]
}

/** The keys of a page on a screen, and those that its lines name. */
function keysOf(view: AnyView): { onScreen: boolean; inLines: boolean } {
  const nothing = () => undefined
  const bindings = stepKeys({
    view,
    dispatch: nothing,
    shell: { clock: { monotonicMs: () => 0 }, quit: nothing },
    panel: PANEL_START,
    tell: nothing,
    text: '',
    wipe: nothing,
    scroll: { top: 0, maxTop: 0, pageRows: 0 },
    roomToConfirm: true,
  })
  const { page } = stepTurn({
    view,
    now: () => view,
    offerNow: nothing,
    badge: { kind: 'real', label: 'Berachain' },
    panel: PANEL_START,
    tell: nothing,
    dispatch: async () => true,
    quit: nothing,
    wayBack: undefined,
  })
  const help = page.ask.kind === 'keys' ? page.ask.help : ''
  return { onScreen: bindings.some(({ key }) => key === 'g'), inLines: /\bg guard\b/.test(help) }
}

describe('the page of a guard', () => {
  test.each(OFFERED)('is open %s: in both steps, on screens and in lines', (_, about) => {
    for (const view of viewsOf(about)) expect(keysOf(view)).toEqual({ onScreen: true, inLines: true })
  })

  test.each(NOT_OFFERED)('is shut %s: in both steps, on screens and in lines', (_, about) => {
    for (const view of viewsOf(about)) expect(keysOf(view)).toEqual({ onScreen: false, inLines: false })
  })
})

describe('the row of a guard', () => {
  const baseline = { blockNumber: 12_345n, blockHash: `0x${'cc'.repeat(32)}`, feeWei: 1n } as const
  const included = (member: number): GuardEvent => ({
    type: 'included',
    hash: hashOf(member),
    blockNumber: baseline.blockNumber,
    blockHash: baseline.blockHash,
    feeWei: baseline.feeWei,
  })
  const told = (from: ReturnType<typeof armed>, ...events: readonly GuardEvent[]) =>
    toldGuard(
      events.reduce((state, event) => guardTransition(state, event) ?? state, from),
      'nobody',
    )
  const said = (guard: GuardStanding) => guardRows(guard, setup)[0]?.value

  test('names what it has paid, and the block, before and after that is final', () => {
    const inBlock = told(handed(3), included(3))
    const paid = told(handed(3), included(3), { type: 'ended', outcome: { is: 'paid' } })
    expect(inBlock).toMatchObject({ stand: 'in-block', block: 12_345n, amountGwei: tokens(40_000n) })
    expect(paid).toMatchObject({ stand: 'over', end: 'paid', block: 12_345n, amountGwei: tokens(40_000n) })
    for (const guard of [inBlock, paid])
      for (const part of ['40,000 BERA', '12,345']) expect(said(guard)).toContain(part)
    expect(guardStands(inBlock, setup).mark).toBe('asking')
    expect(guardStands(paid, setup).mark).toBe('given')
  })

  test('says that it is over by its cancellation, with no amount, and names the amount that may still be first', () => {
    const waits = toldGuard(handed(CANCELLATION, handed(3)), 'here')
    expect(waits).toMatchObject({
      stand: 'cancelling',
      amountGwei: tokens(40_000n),
      hash: hashOf(CANCELLATION),
    })
    const inBlock = told(handed(CANCELLATION, handed(3)), included(CANCELLATION))
    expect(inBlock).toMatchObject({ stand: 'in-block', block: 12_345n })
    expect(inBlock.amountGwei).toBeUndefined()
    const ended = told(handed(CANCELLATION, handed(3)), included(CANCELLATION), {
      type: 'ended',
      outcome: { is: 'cancelled' },
    })
    expect(ended).toMatchObject({ stand: 'over', end: 'cancelled', block: 12_345n })
    expect(ended.amountGwei).toBeUndefined()
    expect(said(ended)).toContain('12,345')
    expect(said(ended)).not.toContain('BERA')
  })

  test('is good where another process holds it, says what that one has sent, and is bad where it has the account alone', () => {
    const heldElsewhere = { heldBy: 'Process 7.' }
    const isHeld = guardStands(toldGuard(armed(), heldElsewhere), setup)
    expect(isHeld).toEqual({ mark: 'given', value: expect.stringContaining('Process 7.') })
    const hasSent = guardStands(toldGuard(handed(1), heldElsewhere), setup)
    expect(hasSent).toEqual({ mark: 'asking', value: expect.stringContaining('20,000 BERA') })
    const isBarred = guardStands(toldGuard(armed(), { barredBy: 'Process 7.' }), setup)
    expect(isBarred).toEqual({ mark: 'refused', value: expect.stringContaining('Process 7.') })
    for (const state of [armed(), handed(1), handed(CANCELLATION, handed(3))])
      for (const holder of ['nobody', { barredBy: 'Process 7.' }] as const)
        expect(guardStands(toldGuard(state, holder), setup).mark).toBe('refused')
  })

  test('says that another transaction has used its nonce', () => {
    expect(isOver).toMatchObject({ stand: 'over', end: 'void' })
    expect(isOver.block).toBeUndefined()
  })
})
