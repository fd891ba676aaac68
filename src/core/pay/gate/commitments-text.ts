import { formatCount, formatGwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { Network } from '../../chain/network/network.ts'
import type { Commitment, KeptGuard, NonceFault, OtherWindow } from './commitments.ts'

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
