import { concat, encodeFunctionData, encodePacked, size, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { multiSendAbi, safeAbi } from '../../../../src/core/chain/deposit/abi.ts'
import {
  decodeSentDeposit,
  encodeFirstDeposit,
  encodeRescueDeposit,
  encodeTopUp,
  readSafeExecution,
} from '../../../../src/core/chain/deposit/calldata.ts'
import { SAFE_ABI } from '../../../support/safe-contracts.ts'
import { address, credentials, pubkey } from '../consensus/model.ts'

const DEPOSIT = address(0x4242)
const MULTI_SEND = address(0x99)
const FIELDS = {
  pubkey: pubkey(1),
  withdrawalCredentials: credentials(1),
  signature: `0x${'0b'.repeat(96)}`,
} as const
const CALLS = [
  { to: DEPOSIT, valueWei: 10n ** 22n, data: encodeTopUp({ pubkey: pubkey(1) }) },
  { to: address(7), valueWei: 0n, data: '0x' as Hex },
  { to: DEPOSIT, valueWei: 2n ** 200n, data: encodeRescueDeposit(FIELDS) },
]

/** As the Safe's own contract has it, not as the program reads it. */
function executed(call: { to: Hex; valueWei: bigint; data: Hex }, operation: 0 | 1): Hex {
  return encodeFunctionData({
    abi: SAFE_ABI,
    functionName: 'execTransaction',
    args: [call.to, call.valueWei, call.data, operation, 0n, 0n, 0n, zeroAddress, zeroAddress, '0x'],
  })
}

const packed = (calls: typeof CALLS, kind = 0): Hex =>
  concat(
    calls.map(({ to, valueWei, data }) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [kind, to, valueWei, BigInt(size(data)), data],
      ),
    ),
  )
const batch = (bytes: Hex): Hex =>
  executed(
    {
      to: MULTI_SEND,
      valueWei: 0n,
      data: encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [bytes] }),
    },
    1,
  )

const callsIn = (data: Hex) => readSafeExecution(data)?.calls

describe('what a Safe carries out', () => {
  test.each(CALLS)('is one call, as it is: %o', (call) => {
    expect(callsIn(executed(call, 0))).toEqual([call])
  })

  test('is every call of a batch, in order', () => {
    const by = MULTI_SEND
    expect(callsIn(batch(packed(CALLS)))).toEqual(CALLS.map((call) => ({ ...call, by })))
    expect(callsIn(batch('0x'))).toEqual([])
  })

  test('is nothing known where the calldata is of something else', () => {
    expect(callsIn(encodeTopUp({ pubkey: pubkey(1) }))).toBeUndefined()
    expect(callsIn('0x')).toBeUndefined()
  })

  test.each<[string, Hex]>([
    ['a batch that ends too early', batch(packed(CALLS).slice(0, -2) as Hex)],
    ['a batch with a byte too many', batch(`${packed(CALLS)}00`)],
    ['a batch that runs other code as its own', batch(packed(CALLS, 1))],
    ['no batch', executed({ to: MULTI_SEND, valueWei: 0n, data: '0x8d80ff0a' }, 1)],
    ['nothing that can be read', `0x6a761202${'00'.repeat(8)}`],
  ])('is refused: %s', (_, data) => {
    expect(() => callsIn(data)).toThrow(expect.objectContaining({ code: 'deposit.bad-calldata' }))
  })

  test('is read by the contract’s own interface', () => {
    expect(safeAbi[0].inputs.map(({ type }) => type)).toEqual([
      'address',
      'uint256',
      'bytes',
      'uint8',
      'uint256',
      'uint256',
      'uint256',
      'address',
      'address',
      'bytes',
    ])
  })
})

describe('a deposit that somebody sent', () => {
  test.each([
    ['first', encodeFirstDeposit({ ...FIELDS, operator: address(3) })],
    ['rescue', encodeRescueDeposit(FIELDS)],
    ['top-up', encodeTopUp({ pubkey: pubkey(1) })],
  ] as const)('is a %s by its fields', (kind, data) => {
    expect(decodeSentDeposit(data)).toMatchObject({ kind, pubkey: pubkey(1) })
  })
})
