import type { ExecutionClient } from '../../clients/execution/client.ts'
import type { Setup } from '../../facts.ts'
import type { Payer, PaymentPlan } from '../payment/payment.ts'
import type { GateAnswers, SentDeposit } from './answers.ts'

/**
 * Whether a condition of a payment holds, and how to say it; `claimed` where that is in part the node's word, `unknown`
 * where it could not be judged: not good, but not proven bad either. `sent` where what is asked for is there already.
 */
export type Judgement = { good: boolean; words: string; claimed?: true; unknown?: true; sent?: SentDeposit }

/** What differs between the first deposit and a top-up. A `setup` given to a question names the endpoints to ask. */
export type PaymentRules = {
  step: Payer
  /** The one plan that the proven facts make; undefined while a fact is missing. */
  plan(): PaymentPlan | undefined
  /** What contract and beacon state say of the key, right now. */
  key(setup?: Setup): Promise<Judgement>
  /** Whether calldata and signature are what they must be. */
  rule(plan: PaymentPlan): Promise<Judgement>
  /** The same facts from the second endpoint. */
  second(client: ExecutionClient, setup?: Setup): Promise<Judgement>
  /** What is still to be paid after this payment, by the present set. It closes nothing, and is asked before the agreement. */
  way?(): Promise<GateAnswers['way']>
}
