import { BaseError, type ErrorOptions } from './base.ts'

/** A transaction that must not be sent. Nothing has left the wallet. */
export class WalletError extends BaseError {
  constructor(
    what: 'unreadable' | 'not-as-prepared' | 'gate-closed' | 'in-use' | 'no-account',
    shortMessage: string,
    options: ErrorOptions = {},
  ) {
    super(`wallet.${what}`, shortMessage, { money: 'untouched', ...options })
    this.name = 'WalletError'
  }
}
