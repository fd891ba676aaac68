import type { ExecutionClient } from '../../clients/execution/client.ts'
import { ClientError } from '../../errors/client.ts'
import { accountInUse, WalletError } from '../../errors/wallet.ts'
import type { Setup } from '../../facts.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import type { Hex } from '../../format/hex.ts'
import type { Draft, PayingStep, PaymentEvent, PaymentPlan, PaymentState } from '../payment/payment.ts'
import { clientsOf, type World } from '../world.ts'
import type { CheckResult, GateAnswers } from './facts.ts'
import { GATE_TEXT } from './text.ts'

/** What differs between the first deposit and a top-up. A `setup` given to a question names the endpoints to ask. */
export type PaymentKind = {
  step: PayingStep
  /** The one plan that the proven facts make; undefined while a fact is missing. */
  plan(): PaymentPlan | undefined
  /** What contract and beacon state say of the key, right now. */
  key(setup?: Setup): Promise<CheckResult>
  /** Whether calldata and signature are what they must be. */
  calldata(plan: PaymentPlan): Promise<CheckResult>
  /** The same facts from the second endpoint. */
  second(client: ExecutionClient, setup?: Setup): Promise<CheckResult>
  /** What is still to be paid after this payment, by the present set. It closes nothing, and is asked before the agreement. */
  way?(): Promise<GateAnswers['way']>
}

/** What a payment is followed with. */
export type Following = {
  world: World<PaymentEvent>
  getState: () => PaymentState
  kind: PaymentKind
}

export type Source = { client: ExecutionClient; label: string }

/** The execution endpoints, in the order of the setup. */
export function sourcesOf({ world }: Pick<Following, 'world'>): Source[] {
  const { execution, second } = clientsOf(world)
  const { endpoints } = world.setup
  const first = { client: execution, label: endpointName(endpoints.execution) }
  if (second === undefined) return [first]
  return [first, { client: second, label: endpointName(endpoints.secondExecution ?? '') }]
}

/** An endpoint answered about something else than it was asked. */
export function oddReply({ label: endpoint }: ExecutionClient, what: string): ClientError {
  const details = GATE_TEXT.oddReply
  return new ClientError('malformed', { service: 'execution RPC', endpoint, what, details })
}

/** Takes the paying account for this program: its next nonce is promised to the payment that is followed. */
export async function holdAccount(world: Following['world'], { from }: Draft): Promise<boolean> {
  return (await world.lock(accountLock(world.setup, from))) === undefined
}

/** The same for a new payment. Throws a `WalletError` while another window of this program pays from the account. */
export async function requireAccount(world: Following['world'], from: Hex): Promise<void> {
  const heldBy = await world.lock(accountLock(world.setup, from))
  if (heldBy !== undefined) throw notMade(GATE_TEXT.inUse(heldBy), { what: 'in-use' })
}

/** The name of the lock on a paying account. */
function accountLock({ network }: Setup, from: Hex): string {
  return `funder-${network.executionChainId}-${from.toLowerCase()}`
}

/** Why nothing is made or sent, in words. */
export type Refusal = { shortMessage: string; details?: readonly string[]; nextSteps?: readonly string[] }

/** The same as an error. */
export function notMade(
  { shortMessage, ...why }: Refusal,
  { what, ...more }: { what: 'gate-closed' | 'in-use' | 'no-account'; retryable?: true; money?: 'moved' },
): WalletError {
  return new WalletError(what, shortMessage, { ...why, ...more })
}

/** Why nothing was made or sent; it may be asked again. */
export const gateClosed = (why: Refusal): WalletError =>
  notMade(why, { what: 'gate-closed', retryable: true })
