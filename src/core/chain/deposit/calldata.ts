import { decodeAbiParameters, decodeFunctionData, encodeAbiParameters, encodeFunctionData } from 'viem/utils'
import { depositError } from '../../base/errors/deposit.ts'
import type { Wei } from '../../base/format/amount.ts'
import { type Hex, isHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import { DEPOSIT_ARGUMENTS, DEPOSIT_SELECTOR, multiSendAbi, safeAbi } from './abi.ts'
import { addressOf } from './credentials.ts'

/**
 * What call data of the deposit contract asks for. `first` creates a validator, `top-up` adds to one, `rescue` is
 * a signed deposit for a key whose operator is set already.
 */
export type DepositCall = {
  kind: 'first' | 'top-up' | 'rescue'
  pubkey: Hex
  withdrawalCredentials: Hex
  signature: Hex
  operator: Hex
}

export type SignedFields = { pubkey: Hex; withdrawalCredentials: Hex; signature: Hex }

const zeros = (byteLength: number): Hex => `0x${'00'.repeat(byteLength)}`
const ZERO_CREDENTIALS = zeros(32)
const ZERO_SIGNATURE = zeros(96)

/**
 * Call data of a first deposit. Throws `deposit.bad-field` on a wrong length, an all-zero key, signature or
 * operator, and `deposit.bad-credentials` on credentials that name no address.
 */
export function encodeFirstDeposit(fields: SignedFields & { operator: Hex }): Hex {
  if (!isHex(fields.operator, 20) || isZero(fields.operator)) {
    throw badField('operator', fields.operator, '20 bytes of hex, not all zero')
  }
  return encode(checkedSigned(fields), fields.operator)
}

/** Call data of a signed deposit with operator zero. Throws as `encodeFirstDeposit`. */
export function encodeRescueDeposit(fields: SignedFields): Hex {
  return encode(checkedSigned(fields), ZERO_ADDRESS)
}

/** Call data of a top-up: zero credentials, zero signature, zero operator. Throws `deposit.bad-field`. */
export function encodeTopUp(fields: { pubkey: Hex }): Hex {
  checkPubkey(fields.pubkey)
  const empty = { withdrawalCredentials: ZERO_CREDENTIALS, signature: ZERO_SIGNATURE }
  return encode({ pubkey: fields.pubkey, ...empty }, ZERO_ADDRESS)
}

/**
 * Reads call data back, strictly: the one selector, canonical ABI encoding, the contract's lengths, and one of the
 * three shapes above with nothing in between. Lower case in the answer. Throws `deposit.bad-calldata`.
 */
export function decodeDepositCalldata(data: unknown): DepositCall {
  const fields = fieldsOf(data)
  const kind = kindOf(fields)
  if (kind === undefined) throw depositError('deposit.bad-calldata', UNFIT)
  return { kind, ...fields }
}

const UNFIT = 'Its fields fit neither a first deposit nor a top-up.'

function fieldsOf(data: unknown): Omit<DepositCall, 'kind'> {
  if (isHex(data) && data.toLowerCase().startsWith(DEPOSIT_SELECTOR)) return decodeArguments(lowerCase(data))
  throw depositError('deposit.bad-calldata', `It does not begin with ${DEPOSIT_SELECTOR}.`)
}

/**
 * Reads the call data of a transaction that somebody sent, by any tool: canonical, and with the contract's lengths, which
 * is all that the contract asks for. Whether the chain counts it is for the signature and the beacon state to say. What
 * has no operator and no signature is a top-up, whatever credentials it names. Throws `deposit.bad-calldata`.
 */
export function decodeSentDeposit(data: unknown): DepositCall {
  const fields = fieldsOf(data)
  if (!lengthsFit(fields)) throw depositError('deposit.bad-calldata', UNFIT)
  if (!isZero(fields.operator)) return { kind: 'first', ...fields }
  return { kind: isZero(fields.signature) ? 'top-up' : 'rescue', ...fields }
}

/** A call that a contract account makes; `by`: the contract whose code the account runs as its own to make it. */
export type AccountCall = { to: Hex; valueWei: Wei; data: Hex; by?: Hex }

/** The selector of a Safe's `execTransaction`, by which its owners carry a call out. */
export const SAFE_EXECUTION_SELECTOR: Hex = '0x6a761202'

/** What a Safe does when its owners carry a calldata out. */
export type SafeExecution = {
  calls: readonly AccountCall[]
  /** What the account pays to whoever sends it: nothing, where the price is 0. A zero address stands for the sender, or for BERA. */
  refund: { baseGas: bigint; gasPrice: bigint; gasToken: Hex; receiver: Hex }
  /** Whether nothing is hidden in it: its fields, written anew, are its bytes, up to what stands behind them. */
  isCanonical: boolean
}

/**
 * Reads what a Safe does when its owners carry this calldata out: one call, or those of a batch (`multiSend`). undefined for
 * any other calldata. Whether the owners have signed it is not looked at. Throws `deposit.bad-calldata` for a call that
 * cannot be read, or one that runs other code as the account's own.
 */
export function readSafeExecution(data: Hex): SafeExecution | undefined {
  if (!data.toLowerCase().startsWith(SAFE_EXECUTION_SELECTOR)) return undefined
  const args = decodeCall(safeAbi, data) as SafeArguments
  const [to, valueWei, inner, operation, , baseGas, gasPrice, gasToken, receiver] = args
  const refund = { baseGas, gasPrice, gasToken: lowerCase(gasToken), receiver: lowerCase(receiver) }
  const whole = encodeFunctionData({ abi: safeAbi, args })
  const isCanonical = lowerCase(data).startsWith(whole)
  if (operation === 0)
    return { calls: [{ to: lowerCase(to), valueWei, data: lowerCase(inner) }], refund, isCanonical }
  const [packed] = decodeCall(multiSendAbi, inner) as readonly [Hex]
  const isBatch = encodeFunctionData({ abi: multiSendAbi, args: [packed] }) === lowerCase(inner)
  const calls = callsOfBatch(lowerCase(packed), lowerCase(to))
  return { calls, refund, isCanonical: isCanonical && isBatch }
}

type SafeArguments = readonly [Hex, bigint, Hex, number, bigint, bigint, bigint, Hex, Hex, Hex]

function decodeCall(abi: typeof safeAbi | typeof multiSendAbi, data: Hex): readonly unknown[] {
  try {
    return decodeFunctionData({ abi, data }).args
  } catch {
    throw depositError(
      'deposit.bad-calldata',
      'What the contract account carries out is neither one call nor a batch of calls.',
    )
  }
}

const CALL_HEAD_BYTES = 1 + 20 + 32 + 32

/** One after another: kind, receiver, value, length, calldata. */
function callsOfBatch(packed: Hex, by: Hex): readonly AccountCall[] {
  const calls: AccountCall[] = []
  const bytes = packed.slice(2)
  for (let at = 0; at < bytes.length; ) {
    const part = (from: number, byteLength: number): Hex =>
      `0x${bytes.slice(at + 2 * from, at + 2 * (from + byteLength))}`
    const size = Number(BigInt(part(53, 32).padEnd(3, '0')))
    const end = at + 2 * (CALL_HEAD_BYTES + size)
    if (!(end <= bytes.length) || part(0, 1) !== '0x00')
      throw depositError('deposit.bad-calldata', 'The batch cannot be read.')
    calls.push({ to: part(1, 20), valueWei: BigInt(part(21, 32)), data: part(CALL_HEAD_BYTES, size), by })
    at = end
  }
  return calls
}

const lowerCase = (hex: Hex): Hex => hex.toLowerCase() as Hex

function decodeArguments(data: Hex): Omit<DepositCall, 'kind'> {
  const args = tryDecode(data)
  if (args === undefined) throw depositError('deposit.bad-calldata', 'Its arguments cannot be decoded.')
  const [pubkey, credentials, signature, operator] = args
  const fields = {
    pubkey,
    withdrawalCredentials: credentials,
    signature,
    operator: operator.toLowerCase() as Hex,
  }
  if (encode(fields, fields.operator) !== data)
    throw depositError('deposit.bad-calldata', 'It is not the canonical encoding of its fields.')
  return fields
}

function tryDecode(data: Hex): readonly [Hex, Hex, Hex, Hex] | undefined {
  try {
    return decodeAbiParameters(DEPOSIT_ARGUMENTS, `0x${data.slice(DEPOSIT_SELECTOR.length)}`)
  } catch {
    return undefined
  }
}

function kindOf(call: Omit<DepositCall, 'kind'>): DepositCall['kind'] | undefined {
  if (!lengthsFit(call) || isZero(call.pubkey)) return undefined
  if (isZero(call.withdrawalCredentials) && isZero(call.signature) && isZero(call.operator)) return 'top-up'
  if (isZero(call.signature) || !namesAddress(call.withdrawalCredentials)) return undefined
  return isZero(call.operator) ? 'rescue' : 'first'
}

function lengthsFit({ pubkey, withdrawalCredentials, signature }: Omit<DepositCall, 'kind'>): boolean {
  return isHex(pubkey, 48) && isHex(withdrawalCredentials, 32) && isHex(signature, 96)
}

function namesAddress(credentials: Hex): boolean {
  try {
    addressOf(credentials)
    return true
  } catch {
    return false
  }
}

function checkedSigned(fields: SignedFields): SignedFields {
  checkPubkey(fields.pubkey)
  addressOf(fields.withdrawalCredentials)
  if (!isHex(fields.signature, 96) || isZero(fields.signature)) {
    throw badField('signature', fields.signature, '96 bytes of hex, not all zero')
  }
  return fields
}

function checkPubkey(pubkey: Hex): void {
  if (!isHex(pubkey, 48) || isZero(pubkey)) throw badField('pubkey', pubkey, '48 bytes of hex, not all zero')
}

function encode(fields: SignedFields, operator: Hex): Hex {
  const { pubkey, withdrawalCredentials, signature } = fields
  const args = [pubkey, withdrawalCredentials, signature, operator] as const
  return lowerCase(`${DEPOSIT_SELECTOR}${encodeAbiParameters(DEPOSIT_ARGUMENTS, args).slice(2)}`)
}

function badField(field: string, found: unknown, expected: string): Error {
  return depositError('deposit.bad-field', { field, found: safeText(found), expected })
}

function isZero(hex: Hex): boolean {
  return /^0x0*$/.test(hex)
}
