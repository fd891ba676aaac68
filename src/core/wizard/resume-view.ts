import type { Facts, Setup } from '../chain/facts.ts'
import { endedOf, isPaid, liveOf } from '../pay/payment/candidates.ts'
import type { PaymentState } from '../pay/payment/payment.ts'
import { isBegun } from '../pay/payment/sign-again.ts'
import type { Adoption } from '../steps/identity/state.ts'
import { guardRow } from '../steps/topup/guard-view.ts'
import type { EarlyView } from '../view/early-view.ts'
import type { ErrorFacts } from '../view/observation.ts'
import { goTo } from '../view/step-view.ts'
import { STEP_NAMES_TEXT } from '../view/text.ts'
import { STEP_IDS, type WentEvent } from '../view/view.ts'
import { isDone } from './gates.ts'
import { lostView } from './launch/launch-view.ts'
import type { State } from './state.ts'
import { viewOf } from './view-of.ts'

/** What the welcome back says of what an earlier run left behind, in one language. */
export const RESUME_TEXT = {
  title: 'Welcome back.',
  titleOpen: 'Welcome back. One thing is open.',
  promise: 'This payment can only be charged once, whatever you press.',
  goOn: (step: string) => `go on to ${step}`,
  open: {
    topUp: 'A top-up was signed and may have been sent before the program ended.',
    deposit: 'The first deposit was signed and may have been sent before the program ended.',
    exported:
      'A transaction was exported to your wallet. It may have been signed and sent without this program.',
    remembered: {
      topUp: 'The journal says how the top-up ended. The chain is asked to confirm it.',
      deposit: 'The journal says how the first deposit ended. The chain is asked to confirm it.',
    },
    toppedUp:
      'Deposit and top-up are final. The next steps are to prove the registration again and to watch the validator.',
    toppedUpAdopted: (index: number) =>
      `The top-up of validator ${index}, adopted here, is final. The next steps are to prove it again and to watch it.`,
    deposited: 'The first deposit is final. The next step is to prove the registration.',
    adopted: (index: number) => `Validator ${index} was adopted here. The next step is to prove it again.`,
    failed: 'The first deposit came to nothing: the step "deposit" says why.',
    abandoned: 'A first deposit was abandoned. It is looked for before another one is made.',
    begun: 'A registration was started here. Nothing was sent.',
  },
}

/** What the keys of the welcome back do: on to the step where it goes on, or back to before the steps. */
export type ResumeSay = WentEvent | 'back'

/**
 * Draws what stands in the place of the steps: the way back into an unfinished registration until it is taken, or the end of
 * a session whose journal is lost; undefined where there is neither. `wayBack`: the label of the key that leads back from the
 * steps, where there is one.
 */
export function resumeView(
  state: State,
  session: { facts(): Facts; setup: Setup },
  wayBack: string | undefined,
): EarlyView<ResumeSay> | undefined {
  const { journal } = state
  if (journal.status === 'refused') return lostJournalView(journal.error, state)
  if (journal.status !== 'open' || !journal.resumed) return undefined
  const topup = state.topup.send
  const paysTopUp = isBegun(topup) || state.topup.finished.length > 0
  const pays = paysTopUp || isBegun(state.deposit)
  const unpaid = state.identity.adopted === undefined ? 'sign' : 'identity'
  const payment = paysTopUp ? 'topup' : 'deposit'
  const { facts, money } = viewOf(pays ? payment : unpaid, state, session)
  const step = STEP_IDS.find((one) => !isDone(state, one, session.setup)) ?? 'status'
  const isPaymentOpen = isOpen(state.deposit) || isOpen(topup)
  const { kind, label } = session.setup.network
  return {
    id: 'resume',
    title: isPaymentOpen ? RESUME_TEXT.titleOpen : RESUME_TEXT.title,
    badge: { kind, label },
    step,
    parts: [
      { is: 'sentences', id: 'open', sentences: [openText(state.deposit, topup, state.identity.adopted)] },
      {
        is: 'facts',
        rows: [...facts.filter(({ mark }) => mark !== 'unasked'), ...guardRow(state.topup, session.setup)],
      },
      {
        is: 'sentences',
        id: 'promise',
        sentences: isPaymentOpen ? [RESUME_TEXT.promise] : [],
        tone: 'strong',
      },
    ],
    // Until the chain has been asked nothing is known to be done, and it would go on at the beginning.
    ...(step === 'genesis' ? { isPending: true } : {}),
    money,
    keys: [
      {
        key: 'return',
        label: RESUME_TEXT.goOn(STEP_NAMES_TEXT.of[step].name),
        does: goTo(step),
      },
      ...(wayBack === undefined ? [] : [{ key: 'escape', label: wayBack, does: 'back' } as const]),
    ],
  }
}

/** The steps that need no journal still stand. */
const lostJournalView = (error: ErrorFacts, { step }: State): EarlyView<never> | undefined =>
  step === 'genesis' || step === 'identity' ? undefined : lostView(error)

const isOpen = (state: PaymentState) => liveOf(state)?.phase === 'under-way'
const isExported = (state: PaymentState) => liveOf(state)?.phase === 'exported'
const isRemembered = (state: PaymentState) => endedOf(state)?.remembered === true

function openText(deposit: PaymentState, topup: PaymentState, adopted: Adoption | undefined): string {
  const { open } = RESUME_TEXT
  if (isOpen(topup)) return open.topUp
  if (isOpen(deposit)) return open.deposit
  if (isExported(topup) || isExported(deposit)) return open.exported
  if (isRemembered(topup)) return open.remembered.topUp
  if (isRemembered(deposit)) return open.remembered.deposit
  if (isPaid(topup)) return adopted === undefined ? open.toppedUp : open.toppedUpAdopted(adopted.index)
  if (isPaid(deposit)) return open.deposited
  if (adopted !== undefined) return open.adopted(adopted.index)
  if (endedOf(deposit) !== undefined) return open.failed
  return deposit.abandoned.length > 0 ? open.abandoned : open.begun
}
