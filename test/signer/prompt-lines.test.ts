import fc from 'fast-check'
import { getAddress } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import { readFields } from '../../src/core/base/format/fields.ts'
import { groupHex, type Hex } from '../../src/core/base/format/hex.ts'
import {
  encodeFirstDeposit,
  encodeRescueDeposit,
  encodeTopUp,
} from '../../src/core/chain/deposit/calldata.ts'
import { transactionLines } from '../../src/signer/password-line.ts'
import { guardLines } from '../../src/signer/sign-guard.ts'
import { readPromptWords } from '../../src/signer/sign-transaction.ts'

const PUBKEY: Hex = `0x${'a7'.repeat(48)}`
const FROM: Hex = `0x${'5A'.repeat(20)}`
const SIGNED = {
  pubkey: PUBKEY,
  withdrawalCredentials: `0x01${'00'.repeat(11)}${'5a'.repeat(20)}`,
  signature: `0x${'9b'.repeat(96)}`,
} as const
const TRANSACTION = {
  type: 'eip1559',
  chainId: 80094,
  nonce: 7,
  to: `0x${'42'.repeat(20)}`,
  value: 10_000n * 10n ** 18n,
  data: encodeTopUp({ pubkey: PUBKEY }),
  gas: 150_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
} as const
const WORDS = { network: 'Berachain', token: 'BERA', speedsUp: false, arrived: '' }

const first = { ...TRANSACTION, data: encodeFirstDeposit({ ...SIGNED, operator: FROM.toLowerCase() as Hex }) }
const rescue = { ...TRANSACTION, data: encodeRescueDeposit(SIGNED) }
const cancel = { ...TRANSACTION, to: FROM, value: 0n, data: '0x', gas: 21_000n } as const
const wordsOf = (words: unknown) =>
  readPromptWords(
    readFields(words, { path: '', fail: (problem) => walletError('signer.bad-request', problem) }),
  )

describe('the prompt for the password of a guard', () => {
  const rungs = [1n, 2n].map((steps) => ({ ...TRANSACTION, value: steps * TRANSACTION.value }))
  const from = FROM.toLowerCase() as Hex

  test('names all that its members may do, and its account with the checksum', () => {
    const about = { network: 'Berachain', token: 'BERA', from, pubkey: PUBKEY }
    const text = guardLines([...rungs, cancel], about).join('\n')
    expect(text).toContain('Sign a guard of 3 transactions')
    expect(text).toContain('2 of 10,000 to 20,000 BERA')
    expect(text).toContain('20,000 BERA and 0.00045 BERA fee, in all')
    expect(text).toContain(groupHex(getAddress(from)))
    expect(text).toContain('nonce           7, the same for all')
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(guardLines([cancel], about)).toEqual([])
  })
})

describe('the prompt for a password', () => {
  test.each([
    ['a first deposit', first, 'payment         first deposit of 10,000 BERA'],
    ['a rescue', rescue, 'payment         first deposit of a burnt key of 10,000 BERA'],
    ['a top-up', TRANSACTION, 'payment         top-up of 10,000 BERA'],
    ['a cancellation', cancel, 'payment         cancellation: 0 BERA to the account itself'],
  ])('names %s, who pays, on which chain, and what it may cost', (_, transaction, payment) => {
    const text = transactionLines(transaction, FROM, WORDS).join('\n')
    expect(text).toContain(payment)
    expect(text).toContain('network         Berachain, chain 80094')
    expect(text).toContain(groupHex(FROM))
    expect(text).toMatch(/nonce, cost {5}7 · costs at most 0\.000\d+ BERA/)
    expect(text.replaceAll(/[\s]/g, '').includes(PUBKEY)).toBe(transaction !== cancel)
    const labels = text.split('\n').flatMap((line) => /^ {3}(\S.*?) {2,}/.exec(line)?.[1] ?? [])
    const ofDeposit = transaction === cancel ? [] : ['validator', 'contract']
    expect(labels).toEqual(['network', 'payment', ...ofDeposit, 'paying account', 'nonce, cost'])
  })

  test('says so when the transaction takes the place of another one', () => {
    const words = { ...WORDS, speedsUp: true }
    expect(transactionLines(first, FROM, words).join('\n')).toContain('speeds up the payment: same nonce')
    expect(transactionLines(first, FROM, WORDS).join('\n')).not.toContain('speeds up')
  })

  test('names what others have paid since, and that the payment comes on top of it', () => {
    const row = 'others paid     10,000 BERA, not by this program; this comes on top'
    expect(transactionLines(TRANSACTION, FROM, { ...WORDS, arrived: '10,000' })).toContain(`   ${row}`)
    expect(transactionLines(TRANSACTION, FROM, WORDS).join('\n')).not.toContain('others paid')
  })

  test('fits into 80 columns and drives no terminal, whatever the network is called', () => {
    const run = fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (network, token) => {
        const words = wordsOf({ network, token, speedsUp: true, arrived: '' })
        for (const line of transactionLines(cancel, FROM, words).concat(
          transactionLines(first, FROM, words),
        )) {
          expect([...line].length).toBeLessThanOrEqual(80)
          expect(line).not.toMatch(/\p{Cc}|\p{Cf}/u)
        }
      },
    )
    fc.assert(run, { numRuns: 300 })
  })
})
