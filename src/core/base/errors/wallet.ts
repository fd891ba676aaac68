import { again, decides, KEY, type Next, parts } from '../format/next.ts'
import { BaseError, type ErrorOptions } from './base.ts'

export type WalletFault = 'unreadable' | 'not-as-prepared' | 'gate-closed' | 'in-use' | 'no-account'

/** A transaction that must not be sent. Nothing has left the wallet. */
export class WalletError extends BaseError {
  constructor(what: WalletFault, shortMessage: string, options: ErrorOptions = {}) {
    super(`wallet.${what}`, shortMessage, { money: 'untouched', ...options })
    this.name = 'WalletError'
  }
}

/** The bytes are no signed transaction of the kind that is sent. */
export function unreadableTransaction(cause: unknown): WalletError {
  return new WalletError('unreadable', 'The signed transaction cannot be read back.', {
    cause,
    nextSteps: ['sign again; nothing was sent'],
  })
}

/** One field of the signed bytes is another one. Texts must be safe to draw. */
export function notAsPrepared(field: string, found: string, expected: string): WalletError {
  return new WalletError(
    'not-as-prepared',
    `The signed transaction has another ${field} than was prepared.`,
    {
      details: [`found ${found}`, `expected ${expected}`],
      nextSteps: ['do not send these bytes', 'sign again with a wallet that changes nothing'],
    },
  )
}

/** An endpoint offers a nonce that would make a second payment of one that may still happen. */
export function nonceInUse(fault: string): WalletError {
  return new WalletError('gate-closed', 'An endpoint names a nonce that one of your payments uses.', {
    details: [fault],
    retryable: true,
    nextSteps: [again`${KEY} asks again`, 'if it stays so, set another execution endpoint'],
  })
}

/** An endpoint names a fee above the most that is ever offered; both in gwei per gas. */
export function feeTooHigh({ foundGwei, mostGwei }: { foundGwei: bigint; mostGwei: bigint }): WalletError {
  return new WalletError('gate-closed', 'The endpoint names a fee that no sound chain asks for.', {
    details: [`found ${foundGwei} gwei per gas`, `expected at most ${mostGwei}`],
    nextSteps: ['use another execution endpoint, or wait'],
  })
}

/** Another window pays from the account; `heldBy` says which one. */
export function accountInUse(heldBy: string): WalletError {
  return new WalletError('in-use', 'Another window of this program pays from the same account.', {
    details: [heldBy],
    nextSteps: ['finish there first, or close that window if nothing waits there'],
  })
}

/** Which account pays is not known, or it is one that no keystore can sign for. */
export function noAccount(why: string): WalletError {
  return new WalletError('no-account', why, { nextSteps: ['type the address of the paying account'] })
}

/** A wallet's keystore file is not usable. Never says anything of the key or the password. */
export class KeystoreError extends BaseError {
  override name = 'KeystoreError'
}

/** The text is not JSON. */
export function keystoreNotJson(characters: number): KeystoreError {
  return new KeystoreError('keystore.not-json', 'The keystore file is not complete JSON.', {
    details: [`found: ${characters} characters that do not parse`, 'expected: a version 3 keystore'],
    nextSteps: ['Name the keystore file itself, e.g. one below ~/.foundry/keystores.'],
  })
}

/** One field is missing, odd, or of a kind that is not read. */
export function badKeystoreField(problem: { field: string; found: string; expected: string }): KeystoreError {
  return new KeystoreError('keystore.bad-field', `The keystore has no usable ${problem.field}.`, {
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: ['Use a version 3 keystore, as cast wallet import or geth account import write it.'],
  })
}

/** Key derivation would take more memory or time than any honest keystore asks for. */
export function keystoreTooHeavy(problem: { found: string; expected: string }): KeystoreError {
  return new KeystoreError(
    'keystore.too-heavy',
    'Opening this keystore would take too much memory or time.',
    {
      details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
      nextSteps: ['Import the key again with the usual settings of cast or geth.'],
    },
  )
}

const TYPE_AGAIN: readonly Next[] = [
  parts`Type the password again${decides('return')`: ${KEY} and the word once more, then it is asked for`}.`,
  'If it is surely right, the file is damaged: use its backup.',
]

/** The checksum does not fit: another password, or a damaged file. */
export function wrongPassword(nextSteps: readonly Next[] = TYPE_AGAIN): KeystoreError {
  return new KeystoreError('keystore.wrong-password', 'The password does not open this keystore.', {
    details: ['The checksum inside the keystore does not fit. Nothing was signed.'],
    nextSteps,
    retryable: true,
  })
}

/** The same of the password that a rehearsal descriptor holds: nobody types it. */
export const wrongDescriptorPassword = (): KeystoreError =>
  wrongPassword(['Correct keystore.password in the descriptor, or begin a new rehearsal.'])

/** The key inside belongs to another account than the one that was asked for. Nothing was signed. */
export function otherAccount(problem: { found: string; expected: string }): KeystoreError {
  return new KeystoreError('keystore.other-account', 'This keystore belongs to another account.', {
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: [
      'If the account that was found is to pay: name it as the paying account, and all checks run for it.',
      'If the expected account is to pay: name its keystore.',
    ],
  })
}

/** The signer child refused or failed. Nothing was signed. */
export class SignerError extends BaseError {
  override name = 'SignerError'
}

/** A refusal that the child itself put into words. */
export function refusedBySigner(code: string, shortMessage: string, options: ErrorOptions): SignerError {
  return new SignerError(code, shortMessage, options)
}

/** The request line, or one field of it, is not what the child takes. */
export function badSignerRequest(problem: { field: string; found: string; expected: string }): SignerError {
  return new SignerError('signer.bad-request', 'The signer was asked for something that it does not do.', {
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: ['Install the program again: its parts do not fit together.'],
  })
}

/** A file with a secret that cannot be opened safely. `path` must be safe to draw. */
export function unsafeSecretFile(path: string, why: string, nextStep: string): SignerError {
  return new SignerError('signer.unsafe-file', 'A secret file cannot be read safely.', {
    details: [`file: ${path}`, why],
    nextSteps: [nextStep],
  })
}

/** The key file is not the one that was checked before. */
export function keyFileChanged(): SignerError {
  return new SignerError('signer.file-changed', 'The key file is not the one that was checked.', {
    details: ['Its contents differ from those that were inspected. Nothing was signed.'],
    nextSteps: ['Find out who changed it, then start again at the identity step.'],
  })
}

/** The private key in the file does not give the public key that was asked for. */
export function otherKey(found: string, expected: string): SignerError {
  return new SignerError('signer.other-key', 'The key file holds another validator key.', {
    details: [`found: ${found}`, `expected: ${expected}`],
    nextSteps: ["Start again at the identity step with this validator's own key file."],
  })
}

/** There is no terminal to read a password from. */
export function noTerminal(): SignerError {
  return new SignerError(
    'signer.no-terminal',
    'A password is needed and there is no terminal to read it from.',
    {
      details: ['Passwords are only ever typed, never taken from a variable, an option or a pipe.'],
      nextSteps: [
        'Run the program in a terminal.',
        'Or sign it with an external signer, and import the signed transaction.',
      ],
    },
  )
}

/** The user stopped it, most often while a password was to be typed. */
export function signingStopped(): SignerError {
  return new SignerError('signer.cancelled', 'Signing was stopped. Nothing was signed.', {
    nextSteps: ['Continue when ready: the same transaction is asked for again.'],
    retryable: true,
  })
}

/** The rehearsal password does not belong to this keystore and chain. */
export function descriptorRefused(why: string): SignerError {
  return new SignerError('signer.descriptor-refused', 'The rehearsal password may not be used here.', {
    details: [why],
    nextSteps: ['Only a rehearsal network has a password file. On any other network type the password.'],
  })
}

/** A transaction that is neither a deposit nor the emptying of its nonce. */
export function otherPurpose(why: string): SignerError {
  return new SignerError('signer.other-purpose', 'The signer only signs deposits, and this is none.', {
    details: [why],
    nextSteps: ['Do not sign it with another signer either, before it is clear where it came from.'],
  })
}

/** The child ended without a readable answer, or too late. */
export function signerFailed(why: string, cause?: unknown): SignerError {
  return new SignerError('signer.failed', 'The signer did not answer. Nothing was signed.', {
    details: [why],
    cause,
    nextSteps: ['Try again. If it stays so, run the checks of the doctor command.'],
    retryable: true,
  })
}
