import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { sameHex } from '../../format/hex.ts'
import { signingDigest } from '../../wallet/signing-digest.ts'
import { depositsSince, isAsPrepared, isBy, isCallOf, type MadeDeposit } from './deposits-commands.ts'
import { holdsStill } from './last-look-track.ts'
import { hashesOf } from './phases.ts'
import { clockMs, holdAccount, type Search, type Source, slotsSince, words } from './search-track.ts'
import type { Prepared } from './state.ts'

/** Slots for which all endpoints must agree before a nonce counts as taken by somebody else. */
const SLOTS_UNTIL_FOREIGN = 5

/** The deposits for the key by each endpoint that answered. `complete`: every one of them did. */
type Deposits = { byEach: readonly (readonly MadeDeposit[])[]; complete: boolean }

/**
 * The number is used, and no hash that is known here is found. A deposit for the key from the same account with the same
 * number is the payment, sent by the wallet itself. Else, when all endpoints agree for a while (`settled`), the payment
 * itself can never happen any more: a deposit of the account with a later number then takes its place, and where every
 * deposit for the key is known to be another one's, somebody took the number.
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
  const deposits = await depositsForKey(search)
  if (prepared === undefined) return
  const sent = heldByAll(deposits, (made) => isBy(made, prepared))
  if (sent !== undefined) return follow(search, sent)
  const { gone } = since
  const isLost = deposits.complete && gone !== undefined && slotsSince(search, gone, SLOTS_UNTIL_FOREIGN)
  const moved = isLost ? heldByAll(deposits, (made) => isLater(made, prepared)) : undefined
  if (moved !== undefined) return follow(search, moved)
  const made = deposits.byEach.flat()
  const unclear = made.find((one) => mayBeOurs(one, prepared))
  if (unclear !== undefined)
    return holdBack(search, source, { other: unclear, told: 'a deposit for this key is there: waiting' })
  if (!isLost) return
  const [other] = made
  const noted = other === undefined ? {} : { otherDeposit: { hash: other.hash } }
  await world.dispatch({ step: rules.step, type: 'foreign', hash: undefined, ...noted })
}

/** Whether the account of the payment made a deposit, with a number after the payment's. */
function isLater({ sender }: MadeDeposit, { from, transaction }: Prepared): boolean {
  return sender !== undefined && sameHex(sender.from, from) && sender.nonce > transaction.nonce
}

/** Whether a deposit may have been made in the place of the payment: from its account, with its fields, or by nobody knows whom. */
export function mayBeOurs(made: MadeDeposit, prepared: Prepared): boolean {
  const { sender } = made
  return sender === undefined || sameHex(sender.from, prepared.from) || isAsPrepared(made, prepared)
}

/** A deposit of a kind that every endpoint has that answered: one alone may have made it up. */
function heldByAll({ byEach }: Deposits, isOfKind: (made: MadeDeposit) => boolean): MadeDeposit | undefined {
  const [first = []] = byEach
  return first.find(
    ({ hash }) =>
      hash !== undefined && byEach.every((some) => some.some((one) => one.hash === hash && isOfKind(one))),
  )
}

/** From now on the payment is looked for by the hash of this deposit, too. */
async function follow({ world, rules, getState }: Search, made: MadeDeposit): Promise<void> {
  const { prepared, released } = getState()
  const { hash, valueWei, sender } = made
  if (prepared === undefined || hash === undefined) return
  if (hashesOf(getState()).some((one) => sameHex(one, hash))) return
  const { from, transaction, contract } = prepared
  const nonce = contract === true ? transaction.nonce : (sender?.nonce ?? transaction.nonce)
  const old = released.find((one) => !isCallOf(made, prepared) && isCallOf(made, one.prepared))
  const data = old?.plan.data
  await world.dispatch({
    step: rules.step,
    type: 'found',
    from,
    nonce,
    hash,
    valueWei,
    ...(data === undefined ? {} : { data }),
  })
}

/** Takes what was handed out off the screen: there is a deposit for the key that is not known to be it. */
async function holdBack(
  search: Search,
  source: Source,
  { other, told }: { other: MadeDeposit; told: string },
): Promise<void> {
  const { world, rules } = search
  const otherDeposit = { hash: other.hash }
  await world.dispatch({ step: rules.step, type: 'cleared', digest: undefined, otherDeposit })
  await words(search, source, told)
}

/**
 * A contract account has no number to look at: only the deposits for the key tell (safety #74). One with every field as
 * prepared is the payment; any other stops what is shown.
 */
export async function watchContract(search: Search, source: Source): Promise<void> {
  const { prepared } = search.getState()
  if (prepared === undefined) return
  const deposits = await depositsForKey(search)
  const own = heldByAll(deposits, (made) => isAsPrepared(made, prepared))
  const isNew = own?.hash !== undefined && !hashesOf(search.getState()).includes(own.hash)
  return isNew ? follow(search, own) : showUnlessPaid(search, source, deposits)
}

/** What the endpoints know of deposits for the key, without those that are settled. */
async function depositsForKey({ world, sources, getState }: Search): Promise<Deposits> {
  const { prepared, settled } = getState()
  const pubkey = world.facts().identity?.pubkey
  if (prepared === undefined || pubkey === undefined) return { byEach: [], complete: false }
  const answers = await Promise.allSettled(
    sources.map(({ client }) => depositsSince(client, { prepared, pubkey })),
  )
  const isOpen = ({ hash }: MadeDeposit) => hash === undefined || !settled.includes(hash)
  const byEach = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? [answer.value.filter(isOpen)] : [],
  )
  return { byEach, complete: byEach.length === sources.length }
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
 * the key since it was prepared, and only as long as there is none: somebody may have paid in another way (safety K30).
 */
export async function clearToShow(search: Search, source: Source): Promise<void> {
  return showUnlessPaid(search, source, await depositsForKey(search))
}

async function showUnlessPaid(search: Search, source: Source, deposits: Deposits): Promise<void> {
  const { world, rules, getState } = search
  const { prepared, replacement, clear } = getState()
  if (prepared === undefined) return
  const made = deposits.byEach.flat()
  if (made.some((one) => isBy(one, prepared))) return words(search, source, 'in a block: looking again')
  const [other] = made
  if (other !== undefined) return holdBack(search, source, { other, told: toldOf(prepared) })
  if (replacement?.kind !== 'cancel' && !(await mayBeShown(search, source))) return
  if (clear === undefined) {
    if (!(await holdAccount(search)))
      return words(search, source, 'another window of this program pays from the account: finish there')
    if (await waitsInPool(search))
      return words(search, source, 'something with its number waits for a block: looking again')
    if (!deposits.complete) return words(search, source, 'waits for a look at the deposits for this key')
    const digest = signingDigest(replacement?.transaction ?? prepared.transaction)
    await world.dispatch({ step: rules.step, type: 'cleared', digest })
  }
  await words(search, source, prepared.contract === true ? 'not there' : 'not there; its number is unused')
}

/** What was agreed to must hold as long as it is shown; while that is not known, what is shown stays. */
async function mayBeShown(search: Search, source: Source): Promise<boolean> {
  const { clear, withheld } = search.getState()
  if (withheld !== undefined) return false
  const holds = await holdsStill(search, source, { isFirst: false })
  return holds || (clear !== undefined && search.getState().withheld === undefined)
}

const toldOf = ({ contract }: Prepared): string =>
  contract === true
    ? 'a deposit for this key is there, not as it was handed out: stop'
    : 'a deposit for this key is on the chain, from another account: stop'
