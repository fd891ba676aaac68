import { formatCount, formatWei, weiToGwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import {
  GUARD_TROUBLES,
  type GuardStanding,
  type GuardsHere,
  type GuardTroubleId,
} from '../../observe/picture.ts'
import type { AccountNonce, KeptGuard } from '../gate/commitments.ts'
import { endedOf, foundInBlock, includedOf } from '../payment/candidates.ts'
import type { GuardFiles, KnownGuard } from './book.ts'
import { type GuardDecision, ruledOutTroubles, unableBy } from './decide.ts'
import { type GuardState, handedMember, isCancelling, isOver, phaseOf } from './guard.ts'
import type { SendRowId } from './guard-consent.ts'
import type { GuardSaid, Lacking } from './hold.ts'
import { isBelowCap, missingGwei } from './judged.ts'
import type { EndpointLook, GuardPicture } from './picture.ts'
import { capOf, type GuardMember, ladderOf } from './terms.ts'
import { GUARD_TEXT } from './text.ts'

/** Returns a guard as alarms and rows tell it, while nobody looks at the world of it. */
export function toldGuard(state: GuardState, holder: GuardStanding['holder']): GuardStanding {
  const { terms } = state
  const { from, nonce, untilSeconds, validator } = terms
  const included = includedOf(state.send)
  const member = included === undefined ? handedMember(state) : memberOf(state, included.hash)
  // With the guard's nonce, signed by another hand.
  const found = foundInBlock(state.send)
  const hash = found?.hash ?? (member === undefined ? undefined : state.hashes[member])
  const paidWei = found?.valueWei ?? rungOf(state, member)?.transaction.valueWei
  return {
    pubkey: validator.pubkey,
    from,
    nonce,
    capGwei: capOf(terms),
    untilSeconds,
    stand: standOf(state),
    holder,
    ...(paidWei === undefined ? {} : { amountGwei: weiToGwei(paidWei) }),
    ...(hash === undefined ? {} : { hash }),
    ...(included === undefined ? {} : { block: included.blockNumber }),
    ...endOf(state),
    hashes: state.hashes,
    troubles: [],
  }
}

/** The member with a hash; where none has it, the one that was handed over last. */
function memberOf(state: GuardState, hash: Hex): number | undefined {
  const place = state.hashes.indexOf(hash)
  return place === -1 ? handedMember(state) : place
}

/** The rung that a member is; of a cancellation that is in no block the one that waits beside it, if one does. */
function rungOf(state: GuardState, member: number | undefined): GuardMember | undefined {
  const isOpen = includedOf(state.send) === undefined
  const at = isOpen && isCancelling(state) ? handedMember(state, { kind: 'rung' }) : member
  const made = at === undefined ? undefined : ladderOf(state.terms)[at]
  return made?.kind === 'rung' ? made : undefined
}

/** How its nonce was used for good; nothing while it was not. */
function endOf({ send, isVoid, isGivenUp }: GuardState): Pick<GuardStanding, 'end'> {
  if (isVoid) return { end: 'void' }
  if (isGivenUp) return { end: 'given-up' }
  const outcome = endedOf(send)?.outcome
  if (outcome === undefined) return {}
  return { end: outcome.is === 'nonce-taken' ? 'void' : outcome.is }
}

function standOf(state: GuardState): GuardStanding['stand'] {
  const phase = phaseOf(state)
  if (phase === 'given-up') return 'over'
  return phase === 'handed-over' && isCancelling(state) ? 'cancelling' : phase
}

/** The same after a look of whoever holds it. */
export function toldWhileHeld(said: GuardSaid): GuardStanding {
  const { picture, lacking } = said
  const isOpen = !isOver(picture.state)
  const isUnable = (id: GuardTroubleId) => isOpen && id === 'unproven' && lacking !== undefined
  const troubles = GUARD_TROUBLES.filter((id) => isUnable(id) || said.troubles.includes(id))
  const missing = missingGwei(picture)
  const { facts } = picture.look
  // Whose transaction it was isn't known here, only that its nonce is used up to that block.
  const usedBy = picture.state.isVoid && facts !== undefined ? { block: facts.block } : {}
  const causes = causesOf({ ...said, troubles })
  return {
    ...toldGuard(picture.state, 'here'),
    ...usedBy,
    troubles,
    ruledOut: ruledOutTroubles(picture, troubles),
    ...(Object.keys(causes).length === 0 ? {} : { causes }),
    ...(picture.leftOut.length === 0
      ? {}
      : { leftOut: picture.leftOut.map(({ endpoint, why }) => `${endpoint}: ${why}`) }),
    ...(typeof missing === 'bigint' ? { missingGwei: missing } : {}),
  }
}

const CAUSES = GUARD_TEXT.causes
const NOTHING_LACKS: Lacking = { causes: [], isNodeSilent: false }

/** Who makes which trouble. */
function causesOf({
  picture,
  decision,
  troubles,
  lacking = NOTHING_LACKS,
}: GuardSaid): GuardStanding['causes'] & object {
  const { replies, state, setup, look } = picture
  const { nonce } = state.terms
  const { token } = setup.network.names
  const by = (words: (said: EndpointLook) => readonly string[]) =>
    replies.flatMap((said) => words(said).map((one) => `${said.endpoint}: ${one}`))
  const dryRun = (look.dryRun?.results ?? []).flatMap((result, at) => {
    const endpoint = look.endpoints[at]?.endpoint
    return result !== 'refused' || endpoint === undefined ? [] : [`${endpoint}: ${CAUSES.dryRun}`]
  })
  const found: Partial<Record<GuardTroubleId, readonly string[]>> = {
    nonce: by(({ nonce: { latest, pending } }) => {
      if (latest > nonce) return [CAUSES.next(latest)]
      return pending > nonce ? [CAUSES.pending] : []
    }),
    balance: by(({ balanceWei }) =>
      isBelowCap(picture, balanceWei) ? [CAUSES.balance(`${formatWei(balanceWei)} ${token}`)] : [],
    ),
    fee: by(({ baseFeeWei }) => [CAUSES.fee(formatCount(weiToGwei(baseFeeWei)))]),
    unproven: unableWords(picture, lacking),
    'cannot-send':
      decision.does === 'wait' ? [...keptBackWords(decision), ...contradictions(picture), ...dryRun] : [],
  }
  return Object.fromEntries(
    troubles.flatMap((id) => (found[id]?.length ? [[id, [...new Set(found[id])]] as const] : [])),
  )
}

/** What an endpoint says that is not what was agreed to. */
function contradictions({ replies, state, setup }: GuardPicture): readonly string[] {
  const { chain, validator } = state.terms
  return replies.flatMap(({ endpoint, chainId, genesisHash, operator, codeHash }) =>
    [
      chainId === chain.executionChainId ? undefined : CAUSES.chainId(chainId),
      sameHex(genesisHash, chain.executionGenesisHash) ? undefined : CAUSES.genesis,
      sameHex(operator, validator.operator) ? undefined : CAUSES.operator,
      sameHex(codeHash, setup.network.depositContractCodeHash) ? undefined : CAUSES.code,
    ].flatMap((one) => (one === undefined ? [] : [`${endpoint}: ${one}`])),
  )
}

/** The rows that no endpoint makes. */
const OF_VALIDATOR: readonly SendRowId[] = ['no-partial', 'credentials']

/** Why a guard could not act: by its endpoints, by what they say, and by the validator. */
function unableWords(picture: GuardPicture, { causes, isNodeSilent }: Lacking): readonly string[] {
  const { look, proven } = picture
  const rows = unableBy(picture)
  const { set, endpoints, facts } = look
  const uncounted = proven?.uncounted
  const silent = facts === undefined ? endpoints.flatMap((one) => ('unknown' in one ? [one] : [])) : []
  return [
    ...causes,
    ...('unknown' in set && set.unknown !== 'silent' && !(isNodeSilent && set.isOfNode) ? [set.unknown] : []),
    ...(uncounted !== undefined && 'unknown' in uncounted ? [uncounted.unknown] : []),
    ...silent
      .filter(({ endpoint }) => !causes.some((one) => one.includes(endpoint)))
      .map(({ endpoint, unknown }) => `${endpoint}: ${unknown}`),
    ...contradictions(picture),
    ...rows.flatMap(({ id, held }) =>
      held === 'no' && OF_VALIDATOR.includes(id) ? [GUARD_TEXT.rows[id]] : [],
    ),
    ...(proven !== undefined && rows.some(({ id }) => id === 'rules') ? [CAUSES.rules] : []),
  ].map((one) => one.replace(/\.$/, ''))
}

/** The first row that keeps the rung back. */
function keptBackWords({ keptBack: [first] }: GuardDecision & { does: 'wait' }): readonly string[] {
  return first === undefined ? [] : [GUARD_TEXT.rows[first.id]]
}

const standKept = (state: GuardState): KeptGuard['stand'] =>
  phaseOf(state) === 'given-up' ? 'given-up' : standOf(state)

/** Returns a guard as the judge of what is committed takes it. */
export const keptGuard = ({ from, nonce, ...read }: KnownGuard): KeptGuard =>
  read.state === undefined
    ? { from, nonce, pubkey: undefined, stand: 'unreadable', unread: read.unread }
    : { from, nonce, pubkey: read.state.terms.validator.pubkey, stand: standKept(read.state) }

/**
 * Returns which of the guards here is told for a validator: its own that isn't over, else one that can't be read and may be
 * its own. `asked`: the validators that are asked about. What can't be read is told for those of them that it names, and for
 * each where it names any other one or none, as the damage may be in the name.
 */
export function guardFor(
  guards: readonly KnownGuard[],
  pubkey: Hex,
  asked: readonly Hex[] = [pubkey],
): KnownGuard | undefined {
  const own = guards.find(({ state }) => state !== undefined && !isOver(state) && isOf(state, pubkey))
  return own ?? guards.find((guard) => guard.state === undefined && mayBeOf(guard, pubkey, asked))
}

const isOf = ({ terms }: GuardState, pubkey: Hex): boolean => sameHex(terms.validator.pubkey, pubkey)

function mayBeOf({ named }: KnownGuard & { state: undefined }, pubkey: Hex, asked: readonly Hex[]): boolean {
  const isAmong = (keys: readonly Hex[], one: Hex) => keys.some((key) => sameHex(key, one))
  const isSure = named.length > 0 && named.every((one) => isAmong(asked, one))
  return !isSure || isAmong(named, pubkey)
}

/** Returns a guard as alarms and rows tell it for a validator, also one that can't be read. */
export function toldKnown(
  { from, nonce, ...read }: AccountNonce & GuardFiles,
  pubkey: Hex,
  holder: GuardStanding['holder'],
): GuardStanding {
  if (read.unread === undefined) return toldGuard(read.state, holder)
  const { state, unread, heldBy } = read
  const unreadable = {
    stand: 'unreadable',
    unread,
    holder: heldBy === undefined ? 'nobody' : { heldBy },
  } as const
  if (state !== undefined) return { ...toldGuard(state, 'nobody'), ...unreadable }
  const unknown = { capGwei: 0n, untilSeconds: 0n, hashes: [], troubles: [], hasNoTerms: true } as const
  return { pubkey, from, nonce, ...unknown, ...unreadable }
}

/**
 * Returns the guard here of a validator that isn't over, else one that can't be read and may be its own, else the one that ended
 * last. One whose arming was cut off is none: it's armed anew with its nonce.
 */
export function guardOrLast(guards: readonly KnownGuard[], pubkey: Hex): KnownGuard | undefined {
  const begun = guards.filter((guard) => guard.state !== undefined || guard.isUnfinished !== true)
  return guardFor(begun, pubkey) ?? lastOf(begun, pubkey)
}

/** Returns how the last guard here of a validator ended, also for whoever comes later; undefined where there was none. */
export function lastGuard(guards: readonly KnownGuard[], pubkey: Hex): GuardStanding | undefined {
  const state = lastOf(guards, pubkey)?.state
  return state && toldGuard(state, 'nobody')
}

/** The guard of a validator whose journal was written last. */
function lastOf(guards: readonly KnownGuard[], pubkey: Hex) {
  const own = guards.flatMap((one) => (one.state !== undefined && isOf(one.state, pubkey) ? [one] : []))
  return own.toSorted((a, b) => (a.writtenMs ?? 0) - (b.writtenMs ?? 0)).at(-1)
}

/** Returns the guards here of a validator, those that are over among them, while nobody looks at the world of them. */
export function ownGuards(guards: readonly KnownGuard[], pubkey: Hex): GuardsHere {
  const own = guards.flatMap(({ state }) =>
    state !== undefined && isOf(state, pubkey) ? [toldGuard(state, 'nobody')] : [],
  )
  return { guards: own, isWhole: guards.every(({ state }) => state !== undefined) }
}
