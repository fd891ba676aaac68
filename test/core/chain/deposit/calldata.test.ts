import fc from 'fast-check'
import { toEventSelector, toFunctionSelector } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { bytesToHex, type Hex } from '../../../../src/core/base/format/hex.ts'
import {
  DEPOSIT_SELECTOR,
  DEPOSIT_TOPIC,
  decodeContractError,
  OPERATOR_UPDATED_TOPIC,
} from '../../../../src/core/chain/deposit/abi.ts'
import {
  decodeDepositCalldata,
  encodeFirstDeposit,
  encodeRescueDeposit,
  encodeTopUp,
} from '../../../../src/core/chain/deposit/calldata.ts'
import { addressOf, credentialsOf, parseAddress } from '../../../../src/core/chain/deposit/credentials.ts'
import { vectorLines } from '../../../support/vector-lines.ts'

type Recorded = {
  kind: string
  note: string
  input?: Hex
  pubkey: Hex
  credentials: Hex
  signature: Hex
  operator: Hex
  reply?: { error?: { data?: Hex } }
}
const recorded = vectorLines('recorded/contract.jsonl').map((line) => JSON.parse(line) as Recorded)
/** A top-up's shape with an operator: what burnt a stake before its key was registered. */
const BURNT = 'top-up before registration: burnt'
const OPERATOR = '0x20f33ce90a13a4b5e7697e3544c3083b8f8a51d4'
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value) => {
    value[0] = (value[0] ?? 0) | 1
    return bytesToHex(value)
  })
const first = fc.record({
  pubkey: bytes(48),
  withdrawalCredentials: bytes(20).map(credentialsOf),
  signature: bytes(96),
  operator: bytes(20),
})

describe('call data', () => {
  test('selector and topics are those of the contract', () => {
    const signature = 'deposit(bytes,bytes,bytes,address)'
    expect(toFunctionSelector(signature)).toBe(DEPOSIT_SELECTOR)
    expect(toEventSelector('Deposit(bytes,bytes,uint64,bytes,uint64)')).toBe(DEPOSIT_TOPIC)
    expect(toEventSelector('OperatorUpdated(bytes,address,address)')).toBe(OPERATOR_UPDATED_TOPIC)
  })

  test('equals what was really sent, byte for byte', () => {
    const sent = recorded.filter(
      ({ kind, input, note }) => kind === 'deposit' && input !== undefined && note !== BURNT,
    )
    expect(sent.length).toBeGreaterThanOrEqual(9)
    for (const { input = '0x', pubkey, credentials, signature, operator } of sent) {
      const { kind } = decodeDepositCalldata(input)
      const fields = { pubkey, withdrawalCredentials: credentials, signature }
      const again = {
        first: () => encodeFirstDeposit({ ...fields, operator }),
        'top-up': () => encodeTopUp({ pubkey }),
        rescue: () => encodeRescueDeposit(fields),
      }
      expect(again[kind]()).toBe(input)
    }
  })

  test('of a top-up with an operator, which once burnt a stake, is refused', () => {
    const burnt = recorded.find(({ note }) => note === BURNT)?.input
    expect(burnt).toBeDefined()
    expect(() => decodeDepositCalldata(burnt)).toThrow(
      expect.objectContaining({ code: 'deposit.bad-calldata' }),
    )
  })

  test('comes back as it went in', () => {
    const run = fc.property(first, (fields) => {
      expect(decodeDepositCalldata(encodeFirstDeposit(fields))).toEqual({ kind: 'first', ...fields })
      expect(decodeDepositCalldata(encodeRescueDeposit(fields)).kind).toBe('rescue')
      const topUp = decodeDepositCalldata(encodeTopUp(fields))
      expect(topUp).toMatchObject({ kind: 'top-up', pubkey: fields.pubkey, operator: `0x${'00'.repeat(20)}` })
    })
    fc.assert(run, { numRuns: 200 })
  })

  test('is refused with any byte cut, added, or changed in its frame', () => {
    const run = fc.property(first, fc.nat(), fc.integer({ min: 1, max: 255 }), (fields, seed, mask) => {
      const data = encodeFirstDeposit(fields)
      const raw = Buffer.from(data.slice(2), 'hex')
      const frame = seed % 4
      raw[frame] = (raw[frame] ?? 0) ^ mask
      for (const odd of [bytesToHex(raw), data.slice(0, -2), `${data}00`]) {
        expect(() => decodeDepositCalldata(odd)).toThrow(
          expect.objectContaining({ code: 'deposit.bad-calldata' }),
        )
      }
    })
    fc.assert(run, { numRuns: 100 })
  })

  test('in the shape of neither step is refused: half a top-up, or credentials that name no address', () => {
    const fields = {
      pubkey: `0x${'11'.repeat(48)}`,
      withdrawalCredentials: credentialsOf(OPERATOR),
      signature: `0x${'22'.repeat(96)}`,
      operator: OPERATOR,
    } as const
    const data = encodeFirstDeposit(fields)
    const noSignature = data.replace('22'.repeat(96), '00'.repeat(96))
    const otherPrefix = data.replace(
      fields.withdrawalCredentials.slice(2),
      `02${fields.withdrawalCredentials.slice(4)}`,
    )
    for (const odd of [noSignature, otherPrefix, '0x', undefined]) {
      expect(() => decodeDepositCalldata(odd)).toThrow(
        expect.objectContaining({ code: 'deposit.bad-calldata' }),
      )
    }
  })

  test('cannot be made with an empty key, signature or operator', () => {
    const fields = {
      pubkey: `0x${'11'.repeat(48)}`,
      withdrawalCredentials: credentialsOf(OPERATOR),
      signature: `0x${'22'.repeat(96)}`,
      operator: OPERATOR,
    } as const
    const empty = { pubkey: 48, signature: 96, operator: 20 }
    for (const [field, length] of Object.entries(empty)) {
      const odd = { ...fields, [field]: `0x${'00'.repeat(length)}` }
      const named = expect.objectContaining({ shortMessage: expect.stringContaining(field) })
      expect(() => encodeFirstDeposit(odd)).toThrow(named)
    }
  })
})

describe('contract errors', () => {
  test('every recorded revert has plain words', () => {
    const reverts = recorded.flatMap(({ reply }) => reply?.error?.data ?? [])
    expect(reverts.length).toBeGreaterThan(5)
    for (const data of reverts) expect(decodeContractError(data)?.words).toMatch(/\.$/)
  })

  test('each of the eight selectors is the contract’s', () => {
    const errors = [
      'InsufficientDeposit',
      'DepositNotMultipleOfGwei',
      'DepositValueTooHigh',
      'InvalidPubKeyLength',
      'InvalidCredentialsLength',
      'InvalidSignatureLength',
      'ZeroOperatorOnFirstDeposit',
      'OperatorAlreadySet',
    ]
    const selectors = errors.map((name) => toFunctionSelector(`function ${name}()`))
    expect(selectors.map((selector) => decodeContractError(selector)?.name)).toEqual(errors)
  })

  test('a reason in text is quoted safely, and anything else is not guessed', () => {
    const reason =
      '0x08c379a000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000005686f1b5b31000000000000000000000000000000000000000000000000000000'
    expect(decodeContractError(reason)?.words).not.toContain('\u001b')
    expect(decodeContractError(reason)?.words).toContain('ho')
    expect(decodeContractError('0x12345678')).toBeUndefined()
    expect(decodeContractError('0x')).toBeUndefined()
    expect(decodeContractError(undefined)).toBeUndefined()
  })
})

describe('credentials', () => {
  test('are 0x01, eleven zero bytes and the address, and nothing else is read', () => {
    const run = fc.property(
      bytes(20),
      fc.integer({ min: 0, max: 11 }),
      fc.integer({ min: 1, max: 255 }),
      (address, at, mask) => {
        const credentials = credentialsOf(address)
        expect(addressOf(credentials)).toBe(address)
        const raw = Buffer.from(credentials.slice(2), 'hex')
        raw[at] = (raw[at] ?? 0) ^ mask
        expect(() => addressOf(bytesToHex(raw))).toThrow(
          expect.objectContaining({ code: 'deposit.bad-credentials' }),
        )
      },
    )
    fc.assert(run, { numRuns: 300 })
  })

  test('take an address in lower case or with a right checksum only', () => {
    const checksummed = '0x20f33CE90A13a4b5E7697E3544c3083B8F8A51D4'
    expect(parseAddress(checksummed)).toBe(OPERATOR)
    expect(parseAddress(OPERATOR)).toBe(OPERATOR)
    const odd = [
      checksummed.replace('CE', 'Ce'),
      OPERATOR.toUpperCase(),
      OPERATOR.slice(2),
      `${OPERATOR}00`,
      OPERATOR.slice(0, -2),
      `0x${'00'.repeat(20)}`,
      ` ${OPERATOR}`,
    ]
    for (const text of odd) {
      expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'deposit.bad-address' }))
    }
  })
})
