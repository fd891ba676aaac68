import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { sameHex } from '../../format/hex.ts'
import { signingDigest } from '../../wallet/signing-digest.ts'
import { depositsSince, isAsPrepared, isBy, type MadeDeposit } from './deposits-commands.ts'
import { hashesOf } from './phases.ts'
import { clockMs, holdAccount, type Search, type Source, slotsSince, words } from './search-track.ts'

/** Slots for which all endpoints must agree before a nonce counts as taken by somebody else. */
const SLOTS_UNTIL_FOREIGN = 5

/**
 * The number is used, and no hash that is known here is found. A deposit for the key from the same account with the same
 * number is the payment, sent by the wallet itself. Else, when all endpoints agree for a while (`settled`) and every
 * deposit for the key is known to be somebody else's, another transaction took the number.
 */
export async function takenBySomebody(
  search: Search,
  source: Source,
  { settled }: { settled: boolean },
): Promise<void> {
  const { world, rules, since, getState } = search
  const { prepared } = getState()
  if (settled) since.gone ??= clockMs(search)
  else delete since.gone
  const told = settled
    ? 'its number is used, and ours is not found: looking again'
    : 'the endpoints disagree, or one is silent: waiting'
  await words(search, source, told)
  const { made, complete } = await depositsForKey(search)
  if (prepared === undefined) return
  const own = made.find((deposit) => isBy(deposit, prepared) && deposit.hash !== undefined)
  if (own?.hash !== undefined) {
    const { hash, valueWei } = own
    if (hashesOf(getState()).some((one) => sameHex(one, hash))) return
    const { from, transaction } = prepared
    await world.dispatch({ step: rules.step, type: 'found', from, nonce: transaction.nonce, hash, valueWei })
    return
  }
  if (made.some(({ sender }) => sender === undefined))
    return words(search, source, 'a deposit for this key is on the chain, not under our hash: waiting')
  if (!complete || since.gone === undefined || !slotsSince(search, since.gone, SLOTS_UNTIL_FOREIGN)) return
  await world.dispatch({ step: rules.step, type: 'foreign', hash: undefined })
}

/**
 * A contract account has no number to look at: only the deposits for the key tell (safety #74). One with every field as
 * prepared is the payment; any other stops what is shown.
 */
export async function watchContract(search: Search, source: Source): Promise<void> {
  const { world, rules, getState } = search
  const { prepared } = getState()
  if (prepared === undefined) return
  const { made } = await depositsForKey(search)
  const own = made.find((deposit) => isAsPrepared(deposit, prepared) && deposit.hash !== undefined)
  if (own === undefined && made.length > 0) {
    await world.dispatch({ step: rules.step, type: 'cleared', digest: undefined })
    return words(search, source, 'a deposit for this key is there, not as it was handed out: stop')
  }
  if (own?.hash === undefined || hashesOf(getState()).includes(own.hash)) return clearToShow(search, source)
  const { hash, valueWei } = own
  const { from, transaction } = prepared
  await world.dispatch({ step: rules.step, type: 'found', from, nonce: transaction.nonce, hash, valueWei })
}

/** What the endpoints know of deposits for the key. `complete`: every one of them answered. */
async function depositsForKey({
  world,
  sources,
  getState,
}: Search): Promise<{ made: MadeDeposit[]; complete: boolean }> {
  const { prepared } = getState()
  const pubkey = world.facts().identity?.pubkey
  if (prepared === undefined || pubkey === undefined) return { made: [], complete: false }
  const answers = await Promise.allSettled(
    sources.map(({ client }) => depositsSince(client, { prepared, pubkey })),
  )
  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  return { made, complete: answers.every((answer) => answer.status === 'fulfilled') }
}

/** Whether any endpoint has a transaction of the account with this number in its pool; its hash cannot be asked for. */
async function waitsInPool({ sources, getState }: Search): Promise<boolean> {
  const { prepared, phase } = getState()
  if (prepared === undefined || phase !== 'external' || prepared.contract === true) return false
  const { from, transaction } = prepared
  const counts = await Promise.all(
    sources.map(({ client }) => getTransactionCount(client, { address: from, block: 'pending' })),
  )
  return counts.some((count) => count > transaction.nonce)
}

/**
 * All endpoints say that the number is unused. A handed-out transaction is shown only after a look at the deposits for
 * the key since it was prepared: somebody may have paid in another way (safety K30).
 */
export async function clearToShow(search: Search, source: Source): Promise<void> {
  const { world, rules, getState } = search
  const { prepared, replacement, clear } = getState()
  if (prepared === undefined) return
  if (clear === undefined) {
    if (!(await holdAccount(search)))
      return words(search, source, 'another window of this program pays from the account: finish there')
    if (await waitsInPool(search))
      return words(search, source, 'something with its number waits for a block: looking again')
    const { made, complete } = await depositsForKey(search)
    if (!complete) return words(search, source, 'waits for a look at the deposits for this key')
    if (made.length > 0)
      return words(search, source, 'a deposit for this key is on the chain, from another account: stop')
    const digest = signingDigest(replacement?.transaction ?? prepared.transaction)
    await world.dispatch({ step: rules.step, type: 'cleared', digest })
  }
  await words(search, source, prepared.contract === true ? 'not there' : 'not there; its number is unused')
}
