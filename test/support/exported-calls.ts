import { readFileSync } from 'node:fs'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { agreedPlan } from '../../src/core/pay/payment/candidates.ts'
import type { PayingStep } from '../../src/core/pay/payment/payment.ts'
import { PAYMENT_ROWS_TEXT } from '../../src/core/pay/payment-view/rows-text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import type { Call } from './contract-account.ts'
import { type Ending, register } from './register.ts'
import { standOf } from './stand-of.ts'
import { sessionWithoutKeystore } from './wallet-machine.ts'
import type { World } from './world.ts'

/** A file that was saved for the Transaction Builder, with the one call that the builder reads from it. */
export type SavedCall = {
  step: PayingStep
  path: string
  call: Call
  session: Session
  gate: AnyView | undefined
}

/** The payment of a step as far as owners of a contract account meet it. */
export function paymentIn(session: Session, step: PayingStep) {
  const { deposit, topup } = session.getState()
  const payment = step === 'deposit' ? deposit : topup.send
  const { ordinal, savedPath, tracking, memory } = payment
  const stand = standOf(payment)
  return {
    ordinal,
    savedPath,
    /** What each endpoint says of it. */
    said: tracking.status === 'known' ? PAYMENT_ROWS_TEXT.status(tracking.value) : '',
    isExported: stand === 'exported',
    /** It is exported, and a look at the chain has found nothing that speaks against it. */
    isShown: stand === 'exported' && memory.shown !== undefined,
    isEnded: stand === 'paid',
    valueWei: agreedPlan(payment)?.valueWei,
    data: agreedPlan(payment)?.data,
    abandonedWei: payment.abandoned.map(({ transaction }) => transaction.valueWei),
    finishedWei: topup.finished.map(({ valueWei }) => valueWei),
  }
}

/**
 * A registration paid by a contract account. Each payment is saved as a file once, and each file is given to the owners
 * once, while time stands still; `gate` is what the screen showed before the payment was prepared.
 */
export async function registerByOwners(
  world: World,
  payer: Hex,
  owners: (saved: SavedCall) => Promise<unknown>,
): Promise<{ session: Session; ending: Ending }> {
  const done = new Set<string>()
  const once = (name: string, does: () => void) => {
    if (done.has(name)) return
    done.add(name)
    does()
  }
  return world.clock.flow(async () => {
    const session = await sessionWithoutKeystore(world, world.begin())
    const gates = new Map<PayingStep, AnyView>()
    session.subscribe((state) => {
      for (const step of ['deposit', 'topup'] as const) {
        if (state.step === step) {
          const view = viewOf(step, state, session)
          if (view.activeField === 'sender') void session.dispatch({ step, type: 'senderTyped', text: payer })
          if (view.actions.some(({ typed }) => typed?.startsWith('prepare') === true)) gates.set(step, view)
        }
        const { ordinal, isShown, savedPath } = paymentIn(session, step)
        if (isShown) once(`${step} ${ordinal}`, () => void session.dispatch({ step, type: 'saveAsked' }))
        if (savedPath === undefined) continue
        once(savedPath, () => {
          const call = readCall(savedPath)
          void world.clock.during(() =>
            owners({ step, path: savedPath, call, session, gate: gates.get(step) }),
          )
        })
      }
    })
    return { session, ending: await register(world, session) }
  })
}

/** The call of a file as the builder takes it: plain, by value and calldata, all of it in strings. */
function readCall(path: string): Call {
  const { transactions } = JSON.parse(readFileSync(path, 'utf8')) as { transactions: unknown[] }
  const [only, ...more] = transactions as { [field in keyof Call]: unknown }[]
  const { to, value, data } = only ?? {}
  if (typeof to !== 'string' || typeof value !== 'string' || typeof data !== 'string' || more.length > 0)
    throw new Error(`${path} is not one call in strings`)
  return { to: to as Hex, value: BigInt(value), data: data as Hex }
}
