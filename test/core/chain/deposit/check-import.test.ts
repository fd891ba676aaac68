import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { writeDepositFile } from '../../../../src/core/chain/deposit/deposit-file.ts'
import {
  type ExpectedDeposit,
  readSignatureText,
  requireTakes,
  signatureOfFile,
} from '../../../../src/core/chain/deposit/explain-refusal.ts'
import { signDepositMessage } from '../../../../src/core/chain/deposit/sign.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import { signWithPop } from '../../../support/burn.ts'
import { keyedDeposit, signedOnly } from '../../../support/signed-deposit.ts'

const { secretKey, ...keyed } = keyedDeposit()
const { signature, ...deposit } = signedOnly({ secretKey, ...keyed })
const expected: ExpectedDeposit = {
  ...deposit,
  executionChainId: 80094,
  operator: '0x20f33ce90a13a4b5e7697e3544c3083b8f8a51d4',
}
const file = { ...expected, signature, network: 'mainnet' }
const ZERO_ROOT: Hex = `0x${'00'.repeat(32)}`

describe('a deposit file from the key machine', () => {
  test('of exactly the plan gives its signature', () => {
    expect(signatureOfFile(writeDepositFile(file), expected)).toBe(signature)
    const operator: Hex = `0x${expected.operator.slice(2).toUpperCase()}`
    const withCapitals = { ...expected, operator }
    expect(signatureOfFile(writeDepositFile(file), withCapitals)).toBe(signature)
  })

  test.each<[string, Partial<typeof file>]>([
    ['message.pubkey', { pubkey: `0x${'ab'.repeat(48)}` }],
    ['message.amountGwei', { amountGwei: expected.amountGwei + 1n }],
    ['message.withdrawalCredentials', { withdrawalCredentials: `0x01${'00'.repeat(11)}${'ab'.repeat(20)}` }],
    ['operator', { operator: `0x${'ab'.repeat(20)}` }],
    ['network.executionChainId', { executionChainId: 80069 }],
    ['network.genesisValidatorsRoot', { genesisValidatorsRoot: BEPOLIA.genesisValidatorsRoot }],
    ['network.genesisForkVersion', { genesisForkVersion: '0x06000000' }],
  ])('of another %s is refused with the field named', (field, other) => {
    expect(() => signatureOfFile(writeDepositFile({ ...file, ...other }), expected)).toThrow(
      expect.objectContaining({
        code: 'deposit.other-deposit',
        shortMessage: expect.stringContaining(field),
        money: 'untouched',
      }),
    )
  })
})

describe('a signature from the key machine', () => {
  test('is taken when the chain takes it', () => {
    expect(readSignatureText(`0x${signature.slice(2).toUpperCase()}`)).toBe(signature)
    expect(() => requireTakes({ ...deposit, signature }, [])).not.toThrow()
  })

  test.each(['0x', '0x1234', `${signature}00`, signature.slice(0, -1), `0x${'zz'.repeat(96)}`])(
    'is refused when it is none: %s',
    (text) => {
      expect(() => readSignatureText(text)).toThrow(expect.objectContaining({ code: 'deposit.not-taken' }))
    },
  )

  const secretBase64 = Buffer.from(secretKey).toString('base64')
  const signedOver = (over: Partial<typeof deposit>) =>
    signDepositMessage(secretKey, { ...deposit, ...over }, { ...deposit, ...over })
  test.each<[string, Hex, RegExp]>([
    ['the tag of Ethereum', signWithPop(secretBase64, deposit, deposit), /tag \(POP\)/],
    [
      'a deposit tool for Ethereum',
      signWithPop(secretBase64, deposit, { ...deposit, genesisValidatorsRoot: ZERO_ROOT }),
      /ethdo/,
    ],
    ['a zero root', signedOver({ genesisValidatorsRoot: ZERO_ROOT }), /all-zero genesis root/],
    ['another fork version', signedOver({ genesisForkVersion: '0x06000000' }), /0x06000000/],
    ['another network', signedOver({ genesisValidatorsRoot: BEPOLIA.genesisValidatorsRoot }), /Bepolia/],
    [
      'another amount',
      signedOver({ amountGwei: deposit.amountGwei + 1n }),
      /not of this key over this amount/,
    ],
  ])('made with %s is refused, and what made it is named', (_, odd, words) => {
    expect(() => requireTakes({ ...deposit, signature: odd }, [BEPOLIA])).toThrow(
      expect.objectContaining({ code: 'deposit.not-taken', message: expect.stringMatching(words) }),
    )
  })
})
