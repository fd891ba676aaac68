import { bls12_381 } from '@noble/curves/bls12-381.js'
import { describe, expect, test } from 'vitest'
import { BLS_DOMAIN_TAG } from '../../../../src/core/chain/deposit/sign.ts'
import {
  type EngineHeader,
  type EngineValidator,
  encodeVote,
  engineAddressOf,
  hashHeader,
  hashSet,
} from '../../../../src/core/chain/light/encode.ts'
import {
  type SignedHeader,
  stepTo,
  type TrustedHeader,
} from '../../../../src/core/chain/light/light-client.ts'
import { verifyVotes } from '../../../../src/core/chain/light/verify-votes.ts'
import { claimsAt, RULES, trustIn } from './rows.ts'

const curve = bls12_381.longSignatures
const { Point: KeyPoint } = bls12_381.G1
const { BASE } = KeyPoint
type Point = typeof BASE

/** A secret that the attacker knows; nobody in the set has it. */
const SECRET = 0x1234_5678_9abc_def0n

const pointOf = ({ key }: EngineValidator): Point => KeyPoint.fromBytes(Buffer.from(key, 'base64'))
const keyOf = (point: Point): string => Buffer.from(point.toBytes(false)).toString('base64')

/** Returns the key that cancels all others out of a sum of keys: x · G - their sum. */
function cancelOut(set: readonly EngineValidator[]): string {
  const sum = set.map(pointOf).reduce((all, point) => all.add(point))
  return keyOf(BASE.multiply(SECRET).subtract(sum))
}

function sign(message: Uint8Array, secret: bigint): string {
  const point = curve.hash(message, new TextEncoder().encode(BLS_DOMAIN_TAG)).multiply(secret)
  return Buffer.from(curve.Signature.toBytes(point)).toString('base64')
}

/** Returns a header that names a set, and a commit in which all of it seems to have signed. */
function forge(real: EngineHeader, set: readonly EngineValidator[], height: bigint, secret = SECRET) {
  const validatorsHash = hashSet(set)
  const header = {
    ...real,
    height,
    validatorsHash,
    nextValidatorsHash: validatorsHash,
    appHash: 'EE'.repeat(32),
  }
  const blockId = { hash: hashHeader(header), parts: { total: 1, hash: 'AA'.repeat(32) } }
  const message = encodeVote({ chainId: header.chainId, height, round: 0, blockId })
  const signature = sign(message, secret)
  const signatures = set.map(({ key }, at) => ({
    flag: at === 0 ? 4 : 5,
    address: engineAddressOf(key),
    signature: at === 0 ? signature : undefined,
  }))
  const signed: SignedHeader = { header, commit: { height, round: 0, blockId, signatures } }
  return { claim: { signed, set }, message, signature }
}

async function attack(gap: bigint): Promise<{ trusted: TrustedHeader; forged: ReturnType<typeof forge> }> {
  const claims = await claimsAt(1226)
  const rogue = { key: cancelOut(claims.set), power: 10n ** 18n }
  const trusted = trustIn(claims)
  return { trusted, forged: forge(claims.signed.header, [...claims.set, rogue], claims.height + gap) }
}

describe('a made-up key that cancels the trusted ones out', () => {
  test('verifies as an aggregate of all keys, signed by one secret alone', async () => {
    const { forged } = await attack(10n)
    const keys = forged.claim.set.map(({ key }) => key)
    const { message, signature } = forged
    expect(verifyVotes({ keys, message, signature })).toBe(true)
    expect(verifyVotes({ keys: keys.slice(0, -1), message, signature })).toBe(false)
  })

  test('would be trusted by whoever trusted its set', async () => {
    const { trusted, forged } = await attack(10n)
    const { set } = forged.claim
    const convinced = { ...trusted, set, nextSetHash: hashSet(set) }
    expect(stepTo(convinced, forged.claim, RULES).is).toBe('trusted')
  })

  test('is never trusted over a gap, whatever power it claims', async () => {
    const { trusted, forged } = await attack(10n)
    expect(stepTo(trusted, forged.claim, RULES)).toEqual({ is: 'too-far' })
    const weak = [...trusted.set, { key: cancelOut(trusted.set), power: 1n }]
    const header = forged.claim.signed.header
    expect(stepTo(trusted, forge(header, weak, header.height).claim, RULES)).toEqual({ is: 'too-far' })
  })

  test('is never trusted in the next block', async () => {
    const { trusted, forged } = await attack(1n)
    expect(stepTo(trusted, forged.claim, RULES)).toEqual({ is: 'fault', fault: 'not-next-set' })
  })
})

describe('what no set of a real chain has', () => {
  const ownKey = keyOf(BASE.multiply(SECRET))
  const own = (power: bigint): EngineValidator => ({ key: ownKey, power })

  /** Trust in a set of the test's own key, and a later block of it and more members, signed by all of their secrets. */
  async function ownBlock(more: readonly EngineValidator[] = [], secrets = SECRET) {
    const { signed } = await claimsAt(1226)
    const set = [own(100n)]
    const trusted = { ...trustIn(await claimsAt(1226)), set, nextSetHash: hashSet(set) }
    return { trusted, ...forge(signed.header, [...set, ...more], 1236n, secrets) }
  }

  test('trusts the control: one own key that signs its own block', async () => {
    const { trusted, claim } = await ownBlock()
    expect(stepTo(trusted, claim, RULES).is).toBe('trusted')
  })

  test('counts no member twice', async () => {
    const { trusted, claim, message, signature } = await ownBlock([own(1n)], 2n * SECRET)
    expect(verifyVotes({ keys: [ownKey, ownKey], message, signature })).toBe(true)
    expect(stepTo(trusted, claim, RULES)).toEqual({ is: 'too-far' })
  })

  test('refuses a member without power', async () => {
    const other = keyOf(BASE.multiply(3n * SECRET))
    const { trusted, claim, message, signature } = await ownBlock([{ key: other, power: 0n }], 4n * SECRET)
    expect(verifyVotes({ keys: [ownKey, other], message, signature })).toBe(true)
    expect(stepTo(trusted, claim, RULES)).toEqual({ is: 'fault', fault: 'malformed' })
  })

  const bytes = (text: string) => Buffer.from(text, 'hex').toString('base64')
  test.each([
    ['at infinity', bytes(`c0${'00'.repeat(95)}`), 'signature'],
    ['outside the subgroup', bytes(`80${'00'.repeat(94)}04`), 'signature'],
    ['beside the curve', bytes(`80${'00'.repeat(94)}03`), 'signature'],
    ['of all zeros', bytes('00'.repeat(96)), 'signature'],
    ['of 95 bytes', bytes('80'.repeat(95)), 'malformed'],
    ['of 97 bytes', bytes('80'.repeat(97)), 'malformed'],
    ['of no bytes', '', 'malformed'],
  ] as const)('refuses a signature %s', async (_, signature, fault) => {
    const { trusted, claim } = await ownBlock()
    expect(stepTo(trusted, withSignature(claim, signature), RULES)).toEqual({ is: 'fault', fault })
  })

  test.each([
    ['with a line break', (text: string) => `${text}\n`],
    ['with blanks', (text: string) => ` ${text}`],
    ['with letters of URLs', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
    ['with more padding', (text: string) => `${text}====`],
  ])('refuses a signature in base64 %s, though it says the same bytes', async (_, rewrite) => {
    const { trusted, claim, signature } = await ownBlock()
    const rewritten = rewrite(signature)
    expect(rewritten).not.toBe(signature)
    expect(Buffer.from(rewritten, 'base64')).toEqual(Buffer.from(signature, 'base64'))
    const altered = withSignature(claim, rewritten)
    expect(stepTo(trusted, altered, RULES)).toEqual({ is: 'fault', fault: 'malformed' })
  })

  test('refuses a key in base64 that says the same bytes in another way', async () => {
    const { trusted, claim } = await ownBlock()
    const set = [{ key: `${ownKey}\n`, power: 100n }]
    expect(hashSet(set)).toBe(hashSet(claim.set))
    expect(stepTo(trusted, { ...claim, set }, RULES)).toEqual({ is: 'fault', fault: 'malformed' })
  })

  test('verifies no aggregate of keys that add up to infinity, nor of none', () => {
    const opposite = keyOf(BASE.multiply(SECRET).negate())
    const message = new Uint8Array(8)
    const signature = sign(message, SECRET)
    expect(verifyVotes({ keys: [ownKey], message, signature })).toBe(true)
    expect(verifyVotes({ keys: [ownKey, opposite], message, signature })).toBe(false)
    expect(verifyVotes({ keys: [], message, signature })).toBe(false)
    expect(verifyVotes({ keys: [ownKey], message: new Uint8Array(9), signature })).toBe(false)
  })
})

type Claim = { signed: SignedHeader; set: readonly EngineValidator[] }

function withSignature(claim: Claim, signature: string): Claim {
  const { header, commit } = claim.signed
  const signatures = commit.signatures.map((entry, at) => (at === 0 ? { ...entry, signature } : entry))
  return { ...claim, signed: { header, commit: { ...commit, signatures } } }
}
