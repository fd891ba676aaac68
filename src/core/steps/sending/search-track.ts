import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getTransactionReceipt, type Receipt } from '../../clients/execution/get-transaction-receipt.ts'
import { ClientError } from '../../errors/client.ts'
import type { Setup } from '../../facts.ts'
import type { Hex } from '../../format/hex.ts'
import type { World } from '../world.ts'
import type { PaymentRules } from './rules.ts'
import type { SendEvent, SendState } from './state.ts'
import { waitOf } from './waiting.ts'

export type Source = { client: ExecutionClient; label: string }

/** One search for a payment, for as long as it is watched. */
export type Search = {
  world: World<SendEvent>
  getState: () => SendState
  rules: PaymentRules
  sources: readonly Source[]
  /** When things began, on our own clock. */
  since: {
    gone?: number
    behind?: number
    lagging?: number
    lost?: number
    contradicted?: number
    waiting?: number
    mined?: { blockHash: Hex; atMs: number }
  }
  /** When bytes were last given to an endpoint, by its name and their hash. */
  attempts: Map<string, number>
  /** Those that did not answer in this look. */
  silent: readonly Source[]
  /** When all that was agreed to was last seen to hold. */
  lookedAtMs?: number
  /** How often a block was taken back. */
  losses: number
}

/** Milliseconds on our own clock. */
export const clockMs = ({ world }: Search): number => world.effects.clock.monotonicMs()

/** Whether `slots` have passed since a moment. */
export function slotsSince(search: Search, sinceMs: number, slots: number): boolean {
  return clockMs(search) - sinceMs >= slots * search.world.setup.network.slotMs
}

/** The receipt of whichever of the hashes has one; of transactions with one nonce only one can. */
export async function receiptOf(
  client: ExecutionClient,
  hashes: readonly Hex[],
): Promise<Receipt | undefined> {
  for (const hash of hashes.toReversed()) {
    const receipt = await getTransactionReceipt(client, { hash })
    if (receipt !== undefined) return receipt
  }
  return undefined
}

/** Takes the paying account for this program: its next number is promised to the payment that is looked for. */
export async function holdAccount({ world, getState }: Search): Promise<boolean> {
  const { prepared } = getState()
  if (prepared === undefined) return false
  return (await world.lock(accountLock(world.setup, prepared.from))) === undefined
}

/** The name of the lock on a paying account. */
export function accountLock({ network }: Setup, from: Hex): string {
  return `funder-${network.executionChainId}-${from.toLowerCase()}`
}

/** Tells since when is waited for what is waited for now; nothing where that is known. */
export async function noteWait(
  world: World<SendEvent>,
  state: SendState,
  { step }: PaymentRules,
): Promise<void> {
  const what = waitOf(state)
  if (what === undefined || state.wait?.what === what) return
  await world.dispatch({ step, type: 'waiting', what, sinceMs: world.effects.clock.monotonicMs() })
}

/** Tells where the search stands, in words. */
export async function words(search: Search, source: Source, value: string): Promise<void> {
  await tell(search, { status: 'known', value, source: source.label, atMs: clockMs(search) })
}

/** Tells where the search stands. */
export async function tell({ world, rules }: Search, tracking: SendState['tracking']): Promise<void> {
  await world.dispatch({ step: rules.step, type: 'tracked', tracking })
}

/** An endpoint answered about something else than it was asked. */
export function oddReply({ label }: Source, what: string): ClientError {
  const details = ['it speaks of another transaction than the one that was asked for']
  return new ClientError('malformed', { service: 'execution RPC', endpoint: label, what, details })
}
