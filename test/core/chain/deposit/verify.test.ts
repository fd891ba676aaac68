import { SecretKey } from '@chainsafe/blst'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes } from '../../../../src/core/base/format/hex.ts'
import type { SignedDeposit } from '../../../../src/core/chain/deposit/credentials.ts'
import { explainRefusal } from '../../../../src/core/chain/deposit/explain-refusal.ts'
import {
  depositSelfTest,
  depositSelfTestBeside,
  realDeposit,
} from '../../../../src/core/chain/deposit/self-test.ts'
import { BLS_DOMAIN_TAG, signDepositMessage, signingRoot } from '../../../../src/core/chain/deposit/sign.ts'
import {
  type BlsClaim,
  blsVerifies,
  type DepositVerdict,
  verifyBeside,
  verifyDeposit,
  verifyTogether,
} from '../../../../src/core/chain/deposit/verify.ts'
import { runsOf, sampled } from '../../../support/hard.ts'
import { keyedDeposit, keyedDeposits, signedOnly } from '../../../support/signed-deposit.ts'
import { vectorText } from '../../../support/vector-lines.ts'

const ZERO_ROOT: Hex = `0x${'00'.repeat(32)}`
const keyed = keyedDeposit()
const deposit = signedOnly(keyed)

function signedByEthereumLibrary(over: SignedDeposit): SignedDeposit {
  const signature = SecretKey.fromBytes(keyed.secretKey).sign(hexToBytes(signingRoot(over, over)))
  return { ...over, signature: bytesToHex(signature.toBytes()) }
}

function flipBit(hex: Hex, bit: number): Hex {
  const bytes = hexToBytes(hex)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return bytesToHex(bytes)
}

/** The point on the other side of the axis: its encoding has the other sign. */
function negative(signature: Hex): Hex {
  return flipBit(signature, 5)
}

function genesisDeposits(network: string): SignedDeposit[] {
  const file = JSON.parse(vectorText(`networks/${network}/genesis.json`)) as {
    app_state: { beacon: { deposits: { pubkey: Hex; credentials: Hex; amount: string; signature: Hex }[] } }
  }
  return file.app_state.beacon.deposits.map((entry) => ({
    pubkey: entry.pubkey,
    withdrawalCredentials: entry.credentials,
    amountGwei: BigInt(entry.amount),
    signature: entry.signature,
    genesisForkVersion: '0x04000000',
    genesisValidatorsRoot: ZERO_ROOT,
  }))
}

describe('a deposit is accepted', () => {
  test('as signed', () => {
    expect(verifyDeposit(deposit)).toEqual({ verdict: 'accepted' })
  })

  test('when this program signed it, for any amount of 64 bits and any address', () => {
    const run = fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      (amountGwei, address) => {
        const withdrawalCredentials: Hex = `0x01${'00'.repeat(11)}${bytesToHex(address).slice(2)}`
        const message = { pubkey: deposit.pubkey, withdrawalCredentials, amountGwei }
        const signature = signDepositMessage(keyed.secretKey, message, deposit)
        expect(verifyDeposit({ ...deposit, ...message, signature }).verdict).toBe('accepted')
      },
    )
    fc.assert(run, { numRuns: 15 })
  })

  test('for all 49 genesis deposits of two real networks, over the empty root', () => {
    const all = [...genesisDeposits('mainnet'), ...genesisDeposits('bepolia')]
    expect(all).toHaveLength(49)
    const some = sampled(all, 4)
    expect(some.map((entry) => verifyDeposit(entry).verdict)).toEqual(some.map(() => 'accepted'))
  })
})

describe('a deposit is refused', () => {
  test('when any one bit of the signature is flipped', () => {
    const run = fc.property(fc.integer({ min: 0, max: 767 }), (bit) => {
      const altered = { ...deposit, signature: flipBit(deposit.signature, bit) }
      expect(verifyDeposit(altered).verdict).toBe('refused')
    })
    fc.assert(run, { numRuns: runsOf({ suite: 12, hard: 80 }) })
  })

  test('when any one bit of the key, the credentials, the root or the fork version is flipped', () => {
    const fields = ['pubkey', 'withdrawalCredentials', 'genesisValidatorsRoot', 'genesisForkVersion'] as const
    const run = fc.property(fc.constantFrom(...fields), fc.nat(), (field, seed) => {
      const bits = (deposit[field].length - 2) * 4
      const altered = { ...deposit, [field]: flipBit(deposit[field], seed % bits) }
      expect(verifyDeposit(altered).verdict).toBe('refused')
    })
    fc.assert(run, { numRuns: runsOf({ suite: 10, hard: 60 }) })
  })

  test('over one gwei more or less, and over an amount that does not fit', () => {
    for (const amountGwei of [deposit.amountGwei + 1n, deposit.amountGwei - 1n]) {
      expect(reason(verifyDeposit({ ...deposit, amountGwei }))).toBe('signature-does-not-verify')
    }
    expect(reason(verifyDeposit({ ...deposit, amountGwei: 2n ** 64n }))).toBe('amount-out-of-range')
    expect(reason(verifyDeposit({ ...deposit, amountGwei: -1n }))).toBe('amount-out-of-range')
  })

  test('when a field has another length, with the field named', () => {
    const long = { ...deposit, pubkey: `${deposit.pubkey}00` as Hex }
    expect(verifyDeposit(long)).toMatchObject({
      reason: 'malformed-field',
      words: expect.stringContaining('pubkey'),
    })
    expect(reason(verifyDeposit({ ...deposit, signature: '0x' }))).toBe('malformed-field')
  })

  test('when the key or the signature is at infinity', () => {
    const pubkey: Hex = `0xc0${'00'.repeat(47)}`
    const signature: Hex = `0xc0${'00'.repeat(95)}`
    expect(reason(verifyDeposit({ ...deposit, pubkey }))).toBe('pubkey-infinity')
    expect(reason(verifyDeposit({ ...deposit, signature }))).toBe('signature-infinity')
    expect(verifyDeposit({ ...deposit, pubkey, signature }).verdict).toBe('refused')
  })

  test('for the genesis deposits of a real network as live ones, with the reason found', () => {
    const live = sampled(genesisDeposits('mainnet'), 4).map((entry) => ({
      ...entry,
      genesisValidatorsRoot: deposit.genesisValidatorsRoot,
    }))
    expect(live.map((entry) => verifyDeposit(entry).verdict)).toEqual(live.map(() => 'refused'))
    for (const entry of live.slice(0, 3)) expect(explainRefusal(entry)?.origin).toBe('genesis-tooling')
  })
})

describe('a refusal is explained', () => {
  test('as Ethereum’s tag, though that library’s own check says yes', () => {
    const burnt = signedByEthereumLibrary(deposit)
    expect(verifyDeposit(burnt).verdict).toBe('refused')
    expect(explainRefusal(burnt)?.origin).toBe('ethereum-tag')
  })

  test('as an Ethereum tool: its tag and no genesis root', () => {
    const empty = { ...deposit, genesisValidatorsRoot: ZERO_ROOT }
    for (const genesisForkVersion of [deposit.genesisForkVersion, '0x00000000'] as const) {
      const { signature } = signedByEthereumLibrary({ ...empty, genesisForkVersion })
      expect(explainRefusal({ ...deposit, signature })?.origin).toBe('ethereum-tool')
    }
  })

  test('as another fork version, with both versions named', () => {
    const chain = { ...deposit, genesisForkVersion: '0x06000000' } as const
    const signature = signDepositMessage(keyed.secretKey, deposit, chain)
    const explained = explainRefusal({ ...deposit, genesisForkVersion: '0x04000000', signature })
    expect(explained?.origin).toBe('other-fork-version')
    expect(explained?.words).toMatch(/0x06000000.*0x04000000/)
  })

  test('as another network, by its name', () => {
    const root: Hex = `0x${'5e'.repeat(32)}`
    const signature = signDepositMessage(keyed.secretKey, deposit, {
      ...deposit,
      genesisValidatorsRoot: root,
    })
    const networks = [{ label: 'Elsewhere', genesisValidatorsRoot: root }]
    expect(explainRefusal({ ...deposit, signature }, networks)?.words).toContain('Elsewhere')
    expect(explainRefusal({ ...deposit, signature })).toBeUndefined()
  })
})

describe('several at once', () => {
  const all = keyedDeposits().map(signedOnly)
  const [one = deposit, other = deposit, third = deposit] = all

  test('are accepted when each of them is, and the same one twice too', () => {
    expect(verifyTogether([one, other, third])).toEqual({ verdict: 'accepted' })
    expect(verifyTogether([one, one])).toEqual({ verdict: 'accepted' })
  })

  test('are refused when any one of them is, wherever it stands; and none at all are', () => {
    for (const place of [0, 1, 2]) {
      const some = [one, other, third].map((each, at) =>
        at === place ? { ...each, amountGwei: each.amountGwei + 1n } : each,
      )
      expect(reason(verifyTogether(some))).toBe('signature-does-not-verify')
    }
    expect(reason(verifyTogether([one, { ...other, signature: '0x' }]))).toBe('malformed-field')
    expect(reason(verifyTogether([]))).toBe('signature-does-not-verify')
  })

  test('could make up for each other, so that each is judged alone where somebody else chose them', () => {
    const swapped = [
      { ...one, signature: other.signature },
      { ...other, signature: one.signature },
    ]
    expect(verifyTogether(swapped)).toEqual({ verdict: 'accepted' })
    expect(swapped.map((each) => verifyDeposit(each).verdict)).toEqual(['refused', 'refused'])
  })

  test('and what was read before changes no verdict', () => {
    const mixed = { ...one, signature: other.signature }
    const asked = [one, mixed, other, { ...other, pubkey: one.pubkey }, one, mixed]
    const verdicts = asked.map((each) => verifyDeposit(each).verdict)
    expect(verdicts).toEqual(['accepted', 'refused', 'accepted', 'refused', 'accepted', 'refused'])
  })
})

describe('beside deposits that are known to verify', () => {
  const [one = deposit, other = deposit, third = deposit] = keyedDeposits().map(signedOnly)

  test('a deposit that does so too is accepted, and each side by itself afterwards', () => {
    expect(verifyBeside(one, [other, third])).toBe(true)
    expect(verifyDeposit(one)).toEqual({ verdict: 'accepted' })
    expect(verifyTogether([other, third])).toEqual({ verdict: 'accepted' })
  })

  test('nothing is said of one that does not, and it is refused by itself with its reason', () => {
    const wrong = { ...one, amountGwei: one.amountGwei + 1n }
    expect(verifyBeside(wrong, [other, third])).toBe(false)
    expect(reason(verifyDeposit(wrong))).toBe('signature-does-not-verify')
    const cut = { ...one, signature: '0x' } as const
    expect(verifyBeside(cut, [other, third])).toBe(false)
    expect(reason(verifyDeposit(cut))).toBe('malformed-field')
    expect(verifyTogether([other, third])).toEqual({ verdict: 'accepted' })
  })

  test('the signature of another deposit, or the negative of one, does not pass for its own', () => {
    for (const signature of [other.signature, negative(one.signature), negative(other.signature)]) {
      expect(verifyBeside({ ...one, signature }, [other, third])).toBe(false)
      expect(reason(verifyDeposit({ ...one, signature }))).toBe('signature-does-not-verify')
    }
    // The signatures cancel each other out: their sum is infinity.
    expect(verifyBeside({ ...one, signature: negative(other.signature) }, [other])).toBe(false)
  })
})

describe('the self-test', () => {
  const failure = expect.objectContaining({ code: 'deposit.self-test-failed', money: 'untouched' })
  const ACCEPTED: DepositVerdict = { verdict: 'accepted' }
  const REFUSED: DepositVerdict = { verdict: 'refused', reason: 'malformed-field', words: '' }

  test('passes with this program’s own verification', () => {
    expect(() => depositSelfTest()).not.toThrow()
    expect(verifyDeposit(realDeposit())).toEqual({ verdict: 'accepted' })
  })

  test('passes beside any deposit, and leaves the verdict on that one as it is', () => {
    const wrong = { ...deposit, amountGwei: deposit.amountGwei + 2n }
    for (const each of [wrong, { ...deposit, signature: '0x' } as const, deposit])
      expect(() => depositSelfTestBeside(each)).not.toThrow()
    expect(verifyDeposit(wrong).verdict).toBe('refused')
    expect(verifyDeposit(deposit).verdict).toBe('accepted')
  })

  test('takes its time once only: a hundred more are done at once', () => {
    for (let run = 0; run < 100; run += 1) depositSelfTest()
  })

  test('judges three real deposits, and one of them altered; it remembers nothing of another function', () => {
    const asked: number[] = []
    const counted = (deposits: readonly SignedDeposit[]): DepositVerdict => {
      asked.push(deposits.length)
      return verifyTogether(deposits)
    }
    depositSelfTest(counted)
    depositSelfTest(counted)
    expect(asked).toEqual([3, 1, 3, 1])
  })

  test('fails closed when real deposits are refused, or altered ones accepted', () => {
    expect(() => depositSelfTest(() => REFUSED)).toThrow(failure)
    expect(() => depositSelfTest(() => ACCEPTED)).toThrow(failure)
  })

  test('fails with another domain tag, and where the signature or the message is not looked at', () => {
    const judge = (claim: (deposit: SignedDeposit) => BlsClaim) => (all: readonly SignedDeposit[]) =>
      all.every((each) => blsVerifies(claim(each))) ? ACCEPTED : REFUSED
    const tagged = (tag: string) => judge((each) => ({ ...each, message: signingRoot(each, each), tag: tag }))
    expect(() => depositSelfTest(tagged(BLS_DOMAIN_TAG))).not.toThrow()
    expect(() => depositSelfTest(tagged('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'))).toThrow(failure)
    const known = new Map<Hex, Hex>()
    const bySignature = judge((each) => {
      const signature = known.get(each.pubkey) ?? each.signature
      known.set(each.pubkey, signature)
      return { ...each, signature, message: signingRoot(each, each), tag: BLS_DOMAIN_TAG }
    })
    expect(() => depositSelfTest(bySignature)).toThrow(failure)
    const first = realDeposit()
    const oneMessage = judge((each) => ({ ...each, message: signingRoot(first, first), tag: BLS_DOMAIN_TAG }))
    expect(() => depositSelfTest(oneMessage)).toThrow(failure)
  })
})

test('signing is deterministic: the same 96 bytes as the node made, every time', () => {
  for (const { secretKey, ...signed } of keyedDeposits()) {
    expect(signDepositMessage(secretKey, signed, signed)).toBe(signed.signature)
  }
})

function reason(verdict: DepositVerdict): string {
  return verdict.verdict === 'refused' ? verdict.reason : 'accepted'
}
