import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { clockMs, type Search, type Source, slotsSince, words } from './search-track.ts'

/** Slots for which every endpoint must be behind the nonce of the payment; one that lags does for a moment. */
const SLOTS_UNTIL_GAP = 5

/**
 * The account is not at the nonce of the payment yet, by `nonces`, what the endpoints that answered say. One that lags
 * is waited for; where all of them say so for a while and no pool has anything in between, the nonce is too high: an
 * endpoint named it that was wrong, and the payment sleeps until the nonces before it are used.
 */
export async function waitBehind(
  search: Search,
  source: Source,
  { nonces, wanted }: { nonces: readonly number[]; wanted: number },
): Promise<void> {
  const { world, rules, sources, since, getState } = search
  const { prepared } = getState()
  const next = Math.max(...nonces)
  if (prepared === undefined || nonces.length < sources.length || next >= wanted) {
    delete since.behind
    return words(search, source, 'an endpoint lags behind: waiting')
  }
  since.behind ??= clockMs(search)
  const address = prepared.from
  const waiting = await Promise.all(
    sources.map(({ client }) => getTransactionCount(client, { address, block: 'pending' })),
  )
  if (Math.max(...waiting) > next) {
    delete since.behind
    return words(search, source, 'other transactions of the account wait before it: waiting')
  }
  await words(search, source, `the account is at nonce ${next}, the payment has ${wanted}: waiting`)
  if (!slotsSince(search, since.behind, SLOTS_UNTIL_GAP) || getState().gapFrom === next) return
  await world.dispatch({ step: rules.step, type: 'gapped', from: next })
}

/** The account is at the nonce of the payment, or after it. */
export async function noGap({ world, rules, since, getState }: Search): Promise<void> {
  delete since.behind
  if (getState().gapFrom === undefined) return
  await world.dispatch({ step: rules.step, type: 'gapped', from: undefined })
}
