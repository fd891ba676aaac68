import { BaseError } from './base.ts'

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

/** The checksum does not fit: another password, or a damaged file. */
export function wrongPassword(): KeystoreError {
  return new KeystoreError('keystore.wrong-password', 'The password does not open this keystore.', {
    details: ['The checksum inside the keystore does not fit. Nothing was signed.'],
    nextSteps: ['Type the password again.', 'If it is surely right, the file is damaged: use its backup.'],
    retryable: true,
  })
}

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
