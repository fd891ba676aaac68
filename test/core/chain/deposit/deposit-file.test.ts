import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../../../src/core/base/errors/base.ts'
import {
  type DepositFile,
  parseDepositFile,
  writeDepositFile,
} from '../../../../src/core/chain/deposit/deposit-file.ts'
import { verifyDeposit } from '../../../../src/core/chain/deposit/verify.ts'
import { keyedDeposit, signedOnly } from '../../../support/signed-deposit.ts'

const file: DepositFile = {
  ...signedOnly(keyedDeposit()),
  network: 'mainnet',
  executionChainId: 80094,
  operator: '0x20f33ce90a13a4b5e7697e3544c3083b8f8a51d4',
}
type Json = { [key: string]: Json | string | number }
const parsed = (): Json => JSON.parse(writeDepositFile(file)) as Json

describe('a deposit file', () => {
  test('comes back as it was written, and still verifies', () => {
    const back = parseDepositFile(writeDepositFile(file))
    expect(back).toEqual(file)
    expect(verifyDeposit(back).verdict).toBe('accepted')
  })

  test('holds amounts of 64 bits exactly', () => {
    const run = fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amountGwei) => {
      expect(parseDepositFile(writeDepositFile({ ...file, amountGwei })).amountGwei).toBe(amountGwei)
    })
    fc.assert(run)
  })

  test('is refused with the field named when anything is missing, added or odd', () => {
    const message = parsed().message as Json
    const odd: [string, Json][] = [
      ['version', { ...parsed(), version: 2 }],
      ['format', { ...parsed(), format: 'something' }],
      ['signature', { ...parsed(), signature: `${file.signature}00` }],
      ['operator', { ...parsed(), operator: `0x${'00'.repeat(20)}` }],
      ['extra', { ...parsed(), extra: 'field' }],
      ['message.amountGwei', { ...parsed(), message: { ...message, amountGwei: 10_000 } }],
      ['message.amountGwei', { ...parsed(), message: { ...message, amountGwei: '1e4' } }],
      ['message.pubkey', { ...parsed(), message: { ...message, pubkey: 'nothing' } }],
      ['network', { ...parsed(), network: 'mainnet' }],
      ['network.extra', { ...parsed(), network: { ...(parsed().network as Json), extra: 'field' } }],
      ['message.extra', { ...parsed(), message: { ...message, extra: 'field' } }],
    ]
    for (const [field, content] of odd) {
      const named = expect.objectContaining({
        code: 'deposit.bad-file',
        details: expect.arrayContaining([`field: ${field}`]),
      })
      expect(() => parseDepositFile(JSON.stringify(content))).toThrow(named)
    }
  })

  test('is refused unread where it is too long, and the most is named', () => {
    const found = ' '.repeat(200_000)
    expect(() => parseDepositFile(found)).toThrow(
      expect.objectContaining({
        code: 'deposit.bad-file',
        details: expect.arrayContaining([expect.stringMatching(/^expected: at most \d+ characters$/)]),
      }),
    )
  })

  test('with credentials that name no address is refused', () => {
    const message = { ...(parsed().message as Json), withdrawalCredentials: `0x${'00'.repeat(32)}` }
    const content = JSON.stringify({ ...parsed(), message })
    expect(() => parseDepositFile(content)).toThrow(
      expect.objectContaining({ code: 'deposit.bad-credentials' }),
    )
  })

  test('cut or altered anywhere never makes the parser fail in another way', () => {
    const text = writeDepositFile(file)
    const run = fc.property(fc.nat(text.length), fc.string(), (at, inserted) => {
      for (const odd of [text.slice(0, at), text.slice(0, at) + inserted + text.slice(at)]) {
        try {
          parseDepositFile(odd)
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
        }
      }
    })
    fc.assert(run, { numRuns: 500 })
  })
})
