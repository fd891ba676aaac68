import { BaseError, type ErrorOptions } from './base.ts'

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
