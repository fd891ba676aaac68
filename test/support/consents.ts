import { type Gwei, tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Facts, Setup } from '../../src/core/chain/facts.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import { dearest, draftOf, raised, replacementOf } from '../../src/core/pay/payment/candidates.ts'
import { paymentTransition } from '../../src/core/pay/payment/machine.ts'
import type {
  PaymentEvent,
  PaymentState,
  Replacement,
  SignerKind,
} from '../../src/core/pay/payment/payment.ts'
import { depositPlan } from '../../src/core/steps/deposit/machine.ts'
import { depositView } from '../../src/core/steps/deposit/view.ts'
import { topUpView } from '../../src/core/steps/topup/view.ts'
import { collectFacts } from '../../src/core/wizard/gates.ts'
import type { AnyView, Event, State } from '../../src/core/wizard/state.ts'
import { momentsOf } from './moments.ts'
import { traceOfRegistration } from './trace.ts'

const FROM: Hex = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

/** A view that asks for a word, as a real registration shows it or as it may become. */
export type ConsentView = { name: string; view: AnyView }

const isOpenAt =
  (step: 'deposit' | 'topup', setup: Setup) =>
  (_: Event, state: State): boolean => {
    const send = step === 'deposit' ? state.deposit : state.topup.send
    return state.step === step && gateIsOpen(send.observed, setup)
  }

/** Every kind of view that asks for a word before money moves. */
export async function consentViews(): Promise<ConsentView[]> {
  const trace = await traceOfRegistration()
  const { setup } = trace
  const [deposit, topUp] = momentsOf(trace, [
    ['deposit', isOpenAt('deposit', setup)],
    [
      'topup',
      (event, state) => isOpenAt('topup', setup)(event, state) && state.topup.snapshot.status === 'known',
    ],
  ])
  if (deposit === undefined || topUp === undefined) throw new Error('the gate was never open')
  return [...depositViews(deposit.state, setup), ...topUpViews(topUp.state, setup)].filter(({ view }) =>
    view.actions.some(({ typed }) => typed !== undefined),
  )
}

function depositViews(state: State, setup: Setup): ConsentView[] {
  const facts = collectFacts(state, setup)
  const { signature } = facts
  if (signature === undefined) throw new Error('nothing is signed')
  const of = (amountGwei: Gwei, rescue = false): Facts => ({
    ...facts,
    signature: { ...signature, amountGwei, rescue },
  })
  const view = (name: string, send: PaymentState, about = facts): ConsentView => ({
    name,
    view: depositView(send, about, setup),
  })
  const { deposit } = state
  const external = { ...deposit, external: true, sender: FROM }
  const risky = (tokensOfIt: bigint | string) => ({ ...deposit, riskText: `risk ${tokensOfIt}` })
  return [
    view('first deposit', deposit),
    view('first deposit with a place at once', risky(250_000n), of(tokens(250_000n))),
    view('first deposit that is no step', risky('285000.123456789'), of(285_000_123_456_789n)),
    view('rescue', deposit, of(signature.amountGwei, true)),
    view('export of a first deposit', external),
    view(
      'export of a first deposit with a place at once',
      { ...external, riskText: 'risk 10000000' },
      of(tokens(10_000_000n)),
    ),
    ...underWay(deposit, facts, setup).map(([name, send]) => view(name, send)),
  ]
}

/** What may be asked of a payment that is under way. */
function underWay(open: PaymentState, facts: Facts, setup: Setup): [string, PaymentState][] {
  const step = 'deposit'
  const happens = (state: PaymentState, ...events: PaymentEvent[]) =>
    events.reduce((before, event) => paymentTransition(before, event)[0], state)
  const plan = depositPlan(facts, setup)
  if (plan === undefined) throw new Error('there is nothing to pay')
  const draft = (signer: SignerKind) =>
    ({
      signer,
      from: FROM,
      transaction: {
        ...plan,
        chainId: 80094,
        nonce: 3,
        gasLimit: 150_000n,
        maxFeePerGasWei: 3_000_000_000n,
        maxPriorityFeePerGasWei: 1_000_000_000n,
      },
      baseline: { blockNumber: 7n, blockHash: `0x${'07'.repeat(32)}`, balanceWei: 10n ** 24n },
    }) as const
  const prepared = (signer: SignerKind) =>
    happens(
      open,
      { step, type: 'agreed', plan, world: { about: 'unused-key' } },
      { step, type: 'prepared', draft: draft(signer) },
    )
  const watched = (state: PaymentState, change: Partial<PaymentState['memory']>): PaymentState => {
    const now = draftOf(state)
    if (now === undefined) throw new Error('nothing is watched')
    const tracking = { status: 'known', value: { is: 'in-mempool' }, source: 'x', atMs: 0 } as const
    return happens(state, {
      step,
      type: 'watched',
      draft: now,
      memory: { ...state.memory, ...change },
      tracking,
    })
  }
  const hash = `0x${'09'.repeat(32)}` as const
  const stuck = watched(
    happens(
      prepared('keystore'),
      { step, type: 'signed', raw: '0x02', hash },
      { step, type: 'handed-over', attempt: 1, endpoint: '127.0.0.1:8545' },
    ),
    { inMempool: true, isStuck: true },
  )
  const offered = (kind: Replacement['kind']): PaymentState => {
    const fees = dearest(stuck)
    const transaction = replacementOf(stuck, kind, {
      maxFeePerGasWei: raised(fees.maxFeePerGasWei),
      maxPriorityFeePerGasWei: raised(fees.maxPriorityFeePerGasWei),
    })
    if (transaction === undefined) throw new Error('nothing to replace')
    const value = { transaction, limitWei: transaction.gasLimit * 10n ** 12n }
    const price = { status: 'known', value, source: 'x', atMs: 0 } as const
    return happens(stuck, { step, type: 'quoteAsked', kind }, { step, type: 'quoted', kind, price })
  }
  const exported = (signer: SignerKind) => watched(prepared(signer), { shown: { digest: hash } })
  return [
    ['speed-up', offered('speed-up')],
    ['cancel', offered('cancellation')],
    ['abandoned export', exported('external')],
    ['abandoned call of a contract account', exported('contract')],
  ]
}

const TOP_UPS = [240_000n, 250_000n, 260_000n, 265_000n, 270_000n, 290_000n, 10_000n]

function topUpViews(state: State, setup: Setup): ConsentView[] {
  const facts = collectFacts(state, setup)
  const { topup } = state
  return TOP_UPS.flatMap((amount) =>
    [false, true].map((external): ConsentView => {
      const send = { ...topup.send, external }
      const now = { ...topup, send, chosenGwei: tokens(amount) }
      return {
        name: `${external ? 'export of a ' : ''}top-up of ${amount}`,
        view: topUpView(now, facts, setup),
      }
    }),
  )
}
