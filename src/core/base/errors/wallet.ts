import { again, decides, KEY, type Next, parts } from '../format/next.ts'
import { BaseError, type ErrorParts, errorsOf, type OddField } from './base.ts'

const TYPE_AGAIN: readonly Next[] = [
  parts`Type the password again${decides('return')`: ${KEY} and the word once more, then it is asked for`}.`,
  'Check Caps Lock and the keyboard layout. Accents are tried in both ways that systems write them.',
  'If the keystore was made with a password file: a line break or a byte-order mark in that file may be part of the password.',
  'If it is surely right, the keystore file is damaged: use its backup.',
]

const DESCRIPTOR = ['Correct keystore.password in the descriptor, or begin a new rehearsal.']

/**
 * A transaction that must not be sent (`wallet`), a wallet's file that is not usable (`keystore`), or the process that reads
 * one secret for one request did not sign (`signer`). Nothing has left the wallet; neither key nor password is ever told.
 */
export const walletError = errorsOf(BaseError, {
  /** The bytes are no signed transaction of the kind that is sent. */
  'wallet.unreadable': (cause: unknown) => ({
    short: 'The signed transaction cannot be read back.',
    cause,
    next: ['sign again; nothing was sent'],
  }),
  /** The signed bytes are not what was prepared: a field is another one, or what `short` says. */
  'wallet.not-as-prepared': (why: OddField | { short: string }) =>
    'short' in why
      ? why
      : {
          short: `The signed transaction has another ${why.field} than was prepared.`,
          details: [`found ${why.found}`, `expected ${why.expected}`],
          next: ['do not send these bytes', 'sign again with a wallet that changes nothing'],
        },
  /**
   * The gate behind a payment is shut: nothing is made or sent. `nonceFault`: an endpoint offers a nonce that would make a
   * second payment of one that may still happen. `foundGwei`: it names a fee above the most that is ever offered.
   */
  'wallet.gate-closed': (
    why: { nonceFault: string } | { foundGwei: bigint; mostGwei: bigint } | ErrorParts,
  ) => {
    if ('nonceFault' in why)
      return {
        short: 'An endpoint names a nonce that one of your payments uses.',
        details: [why.nonceFault],
        retryable: true,
        next: [again`${KEY} asks again`, 'if it stays so, set another execution endpoint'],
      }
    if (!('foundGwei' in why)) return why
    return {
      short: 'The endpoint names a fee that no sound chain asks for.',
      details: [`found ${why.foundGwei} gwei per gas`, `expected at most ${why.mostGwei}`],
      next: ['use another execution endpoint, or wait'],
    }
  },
  /** Another window, which `heldBy` names, or a payment that may be on its way, uses the account. */
  'wallet.in-use': (why: { heldBy: string } | ErrorParts) =>
    'heldBy' in why
      ? {
          short: 'Another process of this program has the paying account.',
          details: [why.heldBy],
          next: [
            'finish there first, or end that process if nothing waits there',
            'to end it, close its window, or stop the watch or the service: kill and the number above',
          ],
        }
      : why,
  /** Which account pays is not known, or it is one that no keystore can sign for. */
  'wallet.no-account': (short: string) => ({
    short,
    next: ['type the address of the paying account'],
  }),
  /** The text is not JSON. */
  'keystore.not-json': (characters: number) => ({
    short: 'The keystore file is not complete JSON.',
    details: [`found: ${characters} characters that do not parse`, 'expected: a version 3 keystore'],
    next: ['Name the keystore file itself, e.g. one below ~/.foundry/keystores.'],
  }),
  /** One field is missing, odd, or of a kind that is not read. */
  'keystore.bad-field': (problem: OddField) => ({
    short: `The keystore has no usable ${problem.field}.`,
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    next: ['Use a version 3 keystore, as cast wallet import or geth account import write it.'],
  }),
  /** Key derivation would take more memory or time than any honest keystore asks for. */
  'keystore.too-heavy': (problem: { found: string; expected: string }) => ({
    short: 'Opening this keystore would take too much memory or time.',
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    next: ['Import the key again with the usual settings of cast or geth.'],
  }),
  /** The checksum does not fit: another password, or a damaged file. Nobody types that of a rehearsal's descriptor. */
  'keystore.wrong-password': (from: 'terminal' | 'descriptor' = 'terminal') => ({
    short: 'The password does not open this keystore.',
    details: ['The checksum inside the keystore does not fit. Nothing was signed.'],
    next: from === 'terminal' ? TYPE_AGAIN : DESCRIPTOR,
    retryable: true,
  }),
  /** The key inside belongs to another account than the one that was asked for. Nothing was signed. */
  'keystore.other-account': (problem: { found: string; expected: string }) => ({
    short: 'This keystore belongs to another account.',
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    next: [
      'If the account that was found is to pay: name it as the paying account, and all checks run for it.',
      'If the expected account is to pay: name its keystore.',
    ],
  }),
  /** The request line, or one field of it, is not what the child takes. */
  'signer.bad-request': (problem: OddField) => ({
    short: 'The signer was asked for something that it does not do.',
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    next: ['Install the program again: its parts do not fit together.'],
  }),
  /** A file with a secret that cannot be opened safely. `path` must be safe to draw. */
  'signer.unsafe-file': (path: string, why: string, nextStep: string) => ({
    short: 'A secret file cannot be read safely.',
    details: [`file: ${path}`, why],
    next: [nextStep],
  }),
  /** The key file is not the one that was checked before. */
  'signer.file-changed': {
    short: 'The key file is not the one that was checked.',
    details: ['Its contents differ from those that were inspected. Nothing was signed.'],
    next: ['Find out who changed it, then start again at the identity step.'],
  },
  /** The private key in the file does not give the public key that was asked for. */
  'signer.other-key': (found: string, expected: string) => ({
    short: 'The key file holds another validator key.',
    details: [`found: ${found}`, `expected: ${expected}`],
    next: ["Start again at the identity step with this validator's own key file."],
  }),
  /** There is no terminal to read a password from. */
  'signer.no-terminal': {
    short: 'A password is needed and there is no terminal to read it from.',
    details: ['Passwords are only ever typed, never taken from a variable, an option or a pipe.'],
    next: [
      'Run the program in a terminal.',
      'Or sign it with an external signer, and import the signed transaction.',
    ],
  },
  /** The user stopped it, most often while a password was to be typed. */
  'signer.cancelled': {
    short: 'Signing was stopped. Nothing was signed.',
    next: ['Continue when ready: the same transaction is asked for again.'],
    retryable: true,
  },
  /** The rehearsal password does not belong to this keystore and chain. */
  'signer.descriptor-refused': (why: string) => ({
    short: 'The rehearsal password may not be used here.',
    details: [why],
    next: ['Only a rehearsal network has a password file. On any other network type the password.'],
  }),
  /** A transaction that is neither a deposit nor the emptying of its nonce. */
  'signer.other-purpose': (why: string) => ({
    short: 'The signer only signs deposits, and this is none.',
    details: [why],
    next: ['Do not sign it with another signer either, before it is clear where it came from.'],
  }),
  /** The child ended without a readable answer, or too late. */
  'signer.failed': (why: string, cause?: unknown) => ({
    short: 'The signer did not answer. Nothing was signed.',
    details: [why],
    cause,
    next: ['Try again. If it stays so, run the checks of the doctor command.'],
    retryable: true,
  }),
})

/** A refusal that the signer child itself put into words. */
export const refusedBySigner = (code: string, words: ErrorParts): BaseError => new BaseError(code, words)
