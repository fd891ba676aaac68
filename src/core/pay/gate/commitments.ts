import type { NamedHolder } from '../../base/effects/effects.ts'
import { formatCount, formatGwei, type Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import type { Setup } from '../../chain/facts.ts'
import { recordIn } from '../../chain/key-state/key-state.ts'
import { isLost } from '../../chain/key-state/own.ts'
import type { Network } from '../../chain/network/network.ts'
import type { UnreadFile } from '../../observe/picture.ts'

/** Returns the name of the lock on a paying account. */
export const accountLock = ({ network }: Pick<Setup, 'network'>, from: Hex): string =>
  `funder-${network.executionChainId}-${from.toLowerCase()}`

const LOCK_FILE = /^funder-(\d+)-(0x[0-9a-f]{40})\.lock$/

/** Returns the account that a file is the lock of, undefined where it's another file or of another chain. */
export function accountOfLock({ network }: Pick<Setup, 'network'>, name: string): Hex | undefined {
  const [, chain, account] = LOCK_FILE.exec(name) ?? []
  return chain === String(network.executionChainId) ? (account as Hex | undefined) : undefined
}

/** A nonce of an account that something here may still use. */
export type AccountNonce = { from: Hex; nonce: number }

/** A payment of a journal here that may still happen, and the validator that it is for; `isCancelling`: a word canceled it. */
export type OpenPayment = AccountNonce & { pubkey: Hex; isContract: boolean; isCancelling?: true }

/**
 * A guard of this network by its journal. `given-up`: it never sends again, and its signed bytes stay valid. Of one that can't
 * be read (`unreadable`) only account and nonce are known.
 */
export type KeptGuard = AccountNonce & {
  pubkey: Hex | undefined
  stand: 'exported' | 'armed' | 'handed-over' | 'cancelling' | 'in-block' | 'given-up' | 'over' | 'unreadable'
  /** Of `unreadable`: the file that is at fault. */
  unread?: UnreadFile
}

/** An account that another process has: a window that pays from it, or a watch that holds its guard. */
export type OtherWindow = NamedHolder & { from: Hex }

/**
 * What the journals of this network hold, and who else has an account; `payments` are unknown where a journal can't be read,
 * which `unread` names.
 */
export type Kept = {
  guards: readonly KeptGuard[]
  payments: readonly OpenPayment[] | 'unknown'
  unread?: readonly UnreadFile[]
  windows: readonly OtherWindow[]
}

/** What whoever asks for commitments is given: what the journals of the network hold now. */
export type WithKept = { kept(): Promise<Kept> }

/** One thing that is committed for an account or a validator. */
export type Commitment =
  | { is: 'unread'; files: readonly UnreadFile[] }
  | ({ is: 'payment' | 'cancellation' } & Omit<OpenPayment, 'isCancelling'>)
  | ({ is: 'guard' | 'guard-cancellation' } & KeptGuard)
  | ({ is: 'window' } & OtherWindow)
  | { is: 'part'; amountGwei: Gwei; dueEpoch: bigint }
  | { is: 'exit'; exitEpoch: bigint }

/**
 * Whom commitments are asked for: an account, a validator, or both. `final`: the account's next nonce in the blocks that every
 * endpoint calls final: nothing with a lower one can happen any more. The set is the newest one that is known.
 */
type CommitmentsAsked = {
  from?: Hex | undefined
  final?: number | undefined
  pubkey?: Hex | undefined
  set?: SetSnapshot | undefined
}

/**
 * Returns all that is committed for an account or a validator: the one judge for whoever shows, prints, exports or signs a
 * nonce. Pure. What can't be read may be about any of them, and is in every answer.
 */
export function commitmentsFor(
  kept: Kept,
  { from, final = 0, pubkey, set }: CommitmentsAsked,
): readonly Commitment[] {
  const isUsed = (one: AccountNonce & { isContract?: boolean }) =>
    from !== undefined && sameHex(one.from, from) && one.isContract !== true && one.nonce < final
  const isAbout = (one: { from: Hex; pubkey: Hex | undefined }) =>
    (from !== undefined && sameHex(one.from, from)) ||
    (pubkey !== undefined && (one.pubkey === undefined || sameHex(one.pubkey, pubkey)))
  const payments = kept.payments === 'unknown' ? [] : kept.payments
  return [
    ...(kept.payments === 'unknown' ? [{ is: 'unread', files: kept.unread ?? [] } as const] : []),
    ...kept.guards
      .filter((guard) => guard.stand !== 'over' && isAbout(guard) && !isUsed(guard))
      .map(
        (guard) => ({ ...guard, is: guard.stand === 'cancelling' ? 'guard-cancellation' : 'guard' }) as const,
      ),
    ...payments
      .filter((one) => isAbout(one) && !isUsed(one))
      .map(
        ({ isCancelling, ...one }) =>
          ({ ...one, is: isCancelling === true ? 'cancellation' : 'payment' }) as const,
      ),
    ...kept.windows
      .filter((one) => from !== undefined && sameHex(one.from, from))
      .map((one) => ({ ...one, is: 'window' }) as const),
    ...(pubkey === undefined || set === undefined ? [] : commitmentsIn(set, pubkey)),
  ]
}

/** Returns what the chain has taken of a validator already: its exit, and the parts that wait to be paid. */
function commitmentsIn(set: SetSnapshot, pubkey: Hex): Commitment[] {
  const record = recordIn(set, pubkey)
  if (record === 'absent') return []
  const { validators, pendingPartialWithdrawals } = set.consensus
  return [
    ...(isLost(record) ? [{ is: 'exit', exitEpoch: record.validator.exitEpoch } as const] : []),
    ...pendingPartialWithdrawals
      .filter(({ validatorIndex }) => validators[validatorIndex] === record.validator)
      .map(({ amountGwei, withdrawableEpoch: dueEpoch }) => ({ is: 'part', amountGwei, dueEpoch }) as const),
  ]
}

/** Whether a guard may pay by itself, or has done so: a nonce that something else uses takes it away from its validator. */
const isInForce = ({ stand }: KeptGuard): boolean =>
  stand !== 'exported' && stand !== 'given-up' && stand !== 'over'

/** What speaks against a nonce for something new. */
export type NonceFault =
  /** The guard would lose its nonce, and its validator the guard. */
  | { is: 'guard'; guard: KeptGuard }
  /** A payment of a journal here has this nonce. */
  | { is: 'payment'; payment: AccountNonce }
  /** Both could happen: a guard has a higher nonce, or a lower one that isn't used in a final block yet. */
  | { is: 'below' | 'above'; guard: KeptGuard }

/**
 * Returns why a nonce may not be given to something new beside the guards of its account, undefined where it may. The nonce of
 * a guard may be taken, so that only one of the two can happen; no other one may until that is used for good. `final`: the
 * account's next nonce in the blocks that every endpoint calls final, undefined where one of them doesn't say.
 */
export function nonceFaultBesideGuards(
  { guards }: Pick<Kept, 'guards'>,
  { from, nonce }: AccountNonce,
  final: number | undefined,
): Extract<NonceFault, { is: 'below' | 'above' }> | undefined {
  const isOpen = (guard: KeptGuard) => final === undefined || guard.nonce >= final
  const other = guards.find(
    (guard) => sameHex(guard.from, from) && guard.nonce !== nonce && (nonce < guard.nonce || isOpen(guard)),
  )
  return other && { is: nonce < other.nonce ? 'below' : 'above', guard: other }
}

/** The same for what must not take the nonce of anything else: no guard may lose it, and no payment. */
export function nonceFaultOf(
  kept: Kept,
  about: AccountNonce,
  final: number | undefined,
): NonceFault | undefined {
  const isSame = (one: AccountNonce) => sameHex(one.from, about.from) && one.nonce === about.nonce
  const guard = kept.guards.find((one) => isSame(one) && isInForce(one))
  if (guard !== undefined) return { is: 'guard', guard }
  const payments = kept.payments === 'unknown' ? [] : kept.payments
  const payment = payments.find((one) => !one.isContract && isSame(one))
  if (payment !== undefined) return { is: 'payment', payment }
  return nonceFaultBesideGuards(kept, about, final)
}

/** Returns the process that surely has an account, so that nothing new is paid from it here. */
export const otherWindowOf = ({ windows }: Pick<Kept, 'windows'>, from: Hex): OtherWindow | undefined =>
  windows.find((one) => one.isSure && sameHex(one.from, from))

/**
 * Returns why no guard of an account may be armed beside a commitment, undefined where it may. A guard whose nonce is used for
 * good doesn't count: the caller asks that. What the chain has taken, and a payment from another account, are judged by whoever
 * looks at the chain.
 */
export function barsGuard(
  one: Commitment,
  { from, nonce }: AccountNonce,
): 'unread' | 'account' | 'validator' | undefined {
  if (one.is === 'unread') return 'unread'
  if (!('from' in one)) return undefined
  const isOfAccount = sameHex(one.from, from)
  if ('isContract' in one && !isOfAccount) return undefined
  // With the same nonce only one of the two can happen.
  const mayShare = 'stand' in one && (one.stand === 'unreadable' || one.stand === 'given-up')
  if (mayShare && isOfAccount && one.nonce === nonce) return undefined
  if (isOfAccount) return 'account'
  return 'stand' in one && one.pubkey === undefined ? 'unread' : 'validator'
}

/** Returns a payment for a validator from another account than its guard's; that is unknown where a journal can't be read. */
export function otherPaymentIn(
  commitments: readonly Commitment[],
  from: Hex,
): { from: Hex } | 'unknown' | undefined {
  if (commitments.some(({ is }) => is === 'unread')) return 'unknown'
  return commitments.flatMap((one) =>
    'isContract' in one && (one.isContract || !sameHex(one.from, from)) ? [one] : [],
  )[0]
}

/** A key by its first digits. */
const short = (pubkey: Hex): string => `${pubkey.slice(0, 10)}…`

/** Every sentence about what is committed. */
export const COMMITMENT_TEXT = {
  source: 'this computer',
  none: 'no guard and no payment of this account, and none for this validator',
  unread: 'a journal here can’t be read, so what is open in it isn’t known',
  /** `file`: which one; `why`: what is wrong with it, a sentence. */
  unreadFile: (file: string, why: string) =>
    `the journal ${file} can’t be read, so what is open in it isn’t known, and nothing is sent beside it (${why.replace(/\.$/, '')})`,
  /** A commitment by its name, without what follows from it. */
  name(one: Extract<Commitment, { from: Hex }>): string {
    switch (one.is) {
      case 'payment':
        return `a payment for ${short(one.pubkey)}, ${nonceOf(one)}`
      case 'cancellation':
        return `the cancellation of a payment for ${short(one.pubkey)}, ${nonceOf(one)}`
      case 'guard':
        return guardName(one)
      case 'guard-cancellation':
        return `the cancellation of ${guardName(one)}`
      case 'window':
        return windowName(one)
    }
  },
  /** Who has an account, as a sentence. */
  held: ({ pid, host }: OtherWindow): string => `Process ${pid}${placeOf(host)} has it.`,
  /** A commitment with what it means for its validator. */
  say(one: Commitment, { names: { token } }: Pick<Network, 'names'>): string {
    switch (one.is) {
      case 'unread':
        return one.files.length === 0
          ? COMMITMENT_TEXT.unread
          : one.files.map(({ path, why }) => COMMITMENT_TEXT.unreadFile(path, why)).join('; ')
      case 'part':
        return `${formatGwei(one.amountGwei)} ${token} wait to be paid out at epoch ${formatCount(one.dueEpoch)}: no guard can act until then`
      case 'exit':
        return `an exit was requested, and takes effect at epoch ${formatCount(one.exitEpoch)}: no guard acts any more`
      default:
        return COMMITMENT_TEXT.name(one)
    }
  },
  nonce: {
    below: (nonce: number, held: number) =>
      `the endpoint names nonce ${nonce}, but a guard of this account holds nonce ${held}: a payment with a lower one could happen beside it`,
    above: (nonce: number, held: number) =>
      `the endpoint names nonce ${nonce}, but a guard of this account holds nonce ${held}, and not every endpoint has that used in a final block`,
  },
  /** Why a wallet isn't given a nonce for something else. */
  fault(fault: NonceFault, nonce: number): string {
    switch (fault.is) {
      case 'guard':
        return `${guardName(fault.guard)} would end, and its validator be without it: cancel the guard first`
      case 'payment':
        return `a payment from this account has nonce ${nonce} already: let it end, or cancel it first`
      default:
        return COMMITMENT_TEXT.nonce[fault.is](nonce, fault.guard.nonce)
    }
  },
}

const placeOf = (host: string | undefined): string => (host === undefined ? '' : ` on ${host}`)

const windowName = ({ pid, isSure, host }: OtherWindow): string => {
  const where = placeOf(host)
  return isSure
    ? `process ${pid}${where} pays from this account or guards with it`
    : `process ${pid}${where} may pay from this account or guard with it`
}

const nonceOf = (one: { nonce: number; isContract: boolean }): string =>
  one.isContract ? 'from a contract account' : `nonce ${one.nonce}`

function guardName({ pubkey, nonce, unread }: KeptGuard): string {
  if (pubkey !== undefined) return `the guard of ${short(pubkey)}, nonce ${nonce}`
  return unread === undefined
    ? `a guard that can’t be read, nonce ${nonce}`
    : `a guard that can’t be read, nonce ${nonce} (${unread.path}: ${unread.why.replace(/\.$/, '')})`
}
