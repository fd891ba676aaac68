import { decodeErrorResult } from 'viem/utils'
import { type Hex, isHex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'

const bytes = (name: string) => ({ name, type: 'bytes' }) as const
const address = (name: string) => ({ name, type: 'address' }) as const
const uint256 = (name: string) => ({ name, type: 'uint256' }) as const

/** How the owners of a Safe carry a call out. */
export const safeAbi = [
  {
    type: 'function',
    name: 'execTransaction',
    stateMutability: 'payable',
    inputs: [
      address('to'),
      uint256('value'),
      bytes('data'),
      { name: 'operation', type: 'uint8' },
      uint256('safeTxGas'),
      uint256('baseGas'),
      uint256('gasPrice'),
      address('gasToken'),
      address('refundReceiver'),
      bytes('signatures'),
    ],
    outputs: [{ name: 'success', type: 'bool' }],
  },
] as const

/** Several calls as one, run as the account's own code. */
export const multiSendAbi = [
  {
    type: 'function',
    name: 'multiSend',
    stateMutability: 'payable',
    inputs: [bytes('transactions')],
    outputs: [],
  },
] as const

/** What `deposit` is called with. */
export const DEPOSIT_ARGUMENTS = [
  bytes('pubkey'),
  bytes('credentials'),
  bytes('signature'),
  address('operator'),
] as const

/** First four bytes of `deposit` call data. */
export const DEPOSIT_SELECTOR: Hex = '0xe12cf4cb'
/** Topic of the Deposit event. */
export const DEPOSIT_TOPIC: Hex = '0x68af751683498a9f9be59fe8b0d52a64dd155255d85cdb29fea30b1e3f891d46'
/** Topic of the OperatorUpdated event. */
export const OPERATOR_UPDATED_TOPIC: Hex =
  '0x0adffd98d3072c48341843974dffd7a910bb849ba6ca04163d43bb26feb17403'

export type ContractError = { name: string; words: string }

const WORDS: ReadonlyMap<string, ContractError> = new Map([
  ['0x0e1eddda', named('InsufficientDeposit', 'The value is below the least that one deposit call takes.')],
  ['0x40567b38', named('DepositNotMultipleOfGwei', 'The value is not a whole number of gwei.')],
  ['0x2aa66734', named('DepositValueTooHigh', 'The value in gwei does not fit 64 bits.')],
  ['0x9f106472', named('InvalidPubKeyLength', 'The public key is not 48 bytes long.')],
  ['0xb39bca16', named('InvalidCredentialsLength', 'The withdrawal credentials are not 32 bytes long.')],
  ['0x4be6321b', named('InvalidSignatureLength', 'The signature is not 96 bytes long.')],
  [
    '0x51969a7a',
    named(
      'ZeroOperatorOnFirstDeposit',
      'Nobody has deposited for this key yet, so an operator must be named.',
    ),
  ],
  [
    '0xc4142b41',
    named('OperatorAlreadySet', 'Someone has deposited for this key before: it has an operator already.'),
  ],
])

/**
 * What the deposit contract says by revert data, in plain words. undefined for data that is not one of its
 * errors nor a standard revert reason: then only the raw data is known.
 */
export function decodeContractError(data: unknown): ContractError | undefined {
  if (!isHex(data) || data.length < 10) return undefined
  const known = WORDS.get(data.toLowerCase())
  if (known !== undefined) return known
  try {
    const { errorName, args } = decodeErrorResult({ data })
    return named(errorName, `The contract refused the call and said "${safeText(args?.[0] ?? '')}".`)
  } catch {
    return undefined
  }
}

function named(name: string, words: string): ContractError {
  return { name, words }
}
