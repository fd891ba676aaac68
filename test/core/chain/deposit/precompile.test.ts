import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../../../scripts/vectors/deposits.ts'
import { startPrecompiles } from '../../../../scripts/vectors/precompiles.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../../../src/core/base/format/hex.ts'
import {
  type PrecompileCall,
  plainSigningRoot,
  verifyByPrecompile,
} from '../../../../src/core/chain/deposit/precompile.ts'
import { signingRoot } from '../../../../src/core/chain/deposit/sign.ts'
import { runsOf, sampled } from '../../../support/hard.ts'
import { keyedDeposit, keyedDeposits, signedOnly } from '../../../support/signed-deposit.ts'
import { vectorLines } from '../../../support/vector-lines.ts'

const deposit = signedOnly(keyedDeposit())
const PAIRING = /0f$/

let client: Awaited<ReturnType<typeof startPrecompiles>>
beforeAll(async () => {
  client = await startPrecompiles()
})
afterAll(() => client.stop())

/** A variant that lies outside the subgroup: the pairing call itself fails for it. */
function outsideSubgroup() {
  type Variant = { what: string; pubkey: Hex; signature: Hex }
  const row = JSON.parse(vectorLines('deposits/deposits.jsonl')[0] ?? '') as { checks: Variant[] }
  const variant = row.checks.find(({ what }) => what === 'signature on the curve, not in the subgroup')
  if (variant === undefined) throw new Error('no such variant in the vectors')
  return { ...deposit, signature: variant.signature }
}

test('agrees with the node on every variant of the vectors', async () => {
  const lines = sampled(vectorLines('deposits/deposits.jsonl'), 8)
  const { failures, passed } = await check(lines, { call: client.call })
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(runsOf({ suite: 60, hard: 450 }))
})

test('its signing root, made with SHA-256 alone, is that of the SSZ library', () => {
  for (const signed of keyedDeposits()) {
    const plain = {
      pubkey: hexToBytes(signed.pubkey),
      withdrawalCredentials: hexToBytes(signed.withdrawalCredentials),
      amountGwei: signed.amountGwei,
      signature: hexToBytes(signed.signature),
      genesisForkVersion: hexToBytes(signed.genesisForkVersion),
      genesisValidatorsRoot: hexToBytes(signed.genesisValidatorsRoot),
    }
    expect(bytesToHex(plainSigningRoot(plain))).toBe(signingRoot(signed, signed))
  }
})

describe('is unknown', () => {
  test('when the client has no such precompiles', async () => {
    const absent: PrecompileCall = async () => '0x'
    expect((await verifyByPrecompile(deposit, absent)).verdict).toBe('unknown')
  })

  test('when the call fails for good', async () => {
    const dead: PrecompileCall = () => Promise.reject(new Error('socket hang up'))
    expect((await verifyByPrecompile(deposit, dead)).verdict).toBe('unknown')
  })

  test('when only the pairing fails, known question included', async () => {
    const broken: PrecompileCall = (to, data) =>
      PAIRING.test(to) ? Promise.reject(new Error('PrecompileError')) : client.call(to, data)
    expect((await verifyByPrecompile(deposit, broken)).verdict).toBe('unknown')
    expect((await verifyByPrecompile(outsideSubgroup(), broken)).verdict).toBe('unknown')
  })

  test('when a reply is not an answer of the precompile', async () => {
    const odd: PrecompileCall = (to, data) =>
      PAIRING.test(to) ? Promise.resolve('0x02') : client.call(to, data)
    expect((await verifyByPrecompile(deposit, odd)).verdict).toBe('unknown')
  })

  test('when a field has a wrong length', async () => {
    const long = { ...deposit, genesisForkVersion: '0x0400000000' } as const
    expect((await verifyByPrecompile(long, client.call)).verdict).toBe('unknown')
  })

  test('when the amount does not fit into the eight bytes that are signed', async () => {
    const verdictOf = async (amountGwei: bigint) =>
      (await verifyByPrecompile({ ...deposit, amountGwei }, client.call)).verdict
    expect(await verdictOf(2n ** 64n)).toBe('unknown')
    expect(await verdictOf(-1n)).toBe('unknown')
    expect(await verdictOf(2n ** 64n - 1n)).toBe('refused')
  })
})

test('one lost call does not make a good deposit a refused one', async () => {
  let lost = 0
  const flaky: PrecompileCall = (to, data) => {
    if (!PAIRING.test(to) || lost > 0) return client.call(to, data)
    lost += 1
    return Promise.reject(new Error('timeout'))
  }
  expect(await verifyByPrecompile(deposit, flaky)).toEqual({ verdict: 'accepted' })
})

test('a point outside the subgroup is refused once the precompile has shown that it works', async () => {
  const verdict = await verifyByPrecompile(outsideSubgroup(), client.call)
  expect(verdict).toEqual({ verdict: 'refused', reason: 'not-in-subgroup' })
})

test('infinity for both key and signature is refused, though the pairing alone says yes', async () => {
  const infinite = {
    ...deposit,
    pubkey: `0xc0${'00'.repeat(47)}`,
    signature: `0xc0${'00'.repeat(95)}`,
  } as const
  expect(await verifyByPrecompile(infinite, client.call)).toEqual({
    verdict: 'refused',
    reason: 'pubkey-encoding',
  })
})
