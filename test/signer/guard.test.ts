import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as OxKeystore from 'ox/Keystore'
import { parseTransaction } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UnsignedTransaction } from '../../src/core/base/effects/effects.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { ladderOf } from '../../src/core/pay/guard/terms.ts'
import { checkSigned } from '../../src/core/pay/wallet/check-signed.ts'
import { guardLines } from '../../src/signer/sign-guard.ts'
import { buildSigner } from '../support/build-signer.ts'
import { MINE, terms } from '../support/guard-world.ts'

const PRIVATE_KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PASSWORD = 'play money 4 rehearsals'
const FROM = privateKeyToAddress(PRIVATE_KEY)
const CHAIN = 31337
const folder = mkdtempSync(join(tmpdir(), 'guard-signer-'))
const keystore = join(folder, 'funder.json')
const passwordDescriptor = join(folder, 'network.json')
const own = terms({ from: FROM.toLowerCase() as Hex, chain: { ...terms().chain, executionChainId: CHAIN } })
const members = ladderOf(own).map(({ transaction }) => transaction)
const dearest = members.length - 1

let signerPath: string
beforeAll(async () => {
  const [key, options] = OxKeystore.scrypt({ password: PASSWORD, n: 1024, r: 8, p: 1 })
  writeFileSync(keystore, JSON.stringify(OxKeystore.encrypt(PRIVATE_KEY, key, options)), { mode: 0o600 })
  const network = {
    urls: {},
    chainId: CHAIN,
    keystore: { path: keystore, password: PASSWORD },
    home: '/nowhere',
  }
  writeFileSync(passwordDescriptor, JSON.stringify(network), { mode: 0o600 })
  signerPath = (await buildSigner()).signerPath
})

const sign = (all: readonly UnsignedTransaction[], over: { pubkey?: Hex; from?: Hex } = {}) =>
  createNodeSigner({ signerPath }).signGuard({
    keystore,
    passwordDescriptor,
    from: own.from,
    pubkey: MINE,
    members: all,
    prompt: { network: 'Rehearsal', token: 'BERA' },
    ...over,
  })

const changed = (at: number, change: Partial<UnsignedTransaction>) =>
  members.map((member, place) => (place === at ? { ...member, ...change } : member))

describe('the members of a guard', () => {
  test('are signed with exactly the fields that were asked for, by one opening of the keystore', async () => {
    const { rawTransactions, from } = await sign(members)
    expect(from).toBe(FROM)
    expect(rawTransactions).toHaveLength(members.length)
    for (const [at, transaction] of members.entries()) {
      const raw = rawTransactions[at] ?? '0x'
      await expect(checkSigned(raw, { transaction, from: own.from })).resolves.toMatch(/^0x/)
      expect(parseTransaction(raw as `0x02${string}`).nonce).toBe(own.nonce)
    }
  })

  const otherKey = encodeTopUp({ pubkey: `0x${'66'.repeat(48)}` })
  const REFUSED: [what: string, all: readonly UnsignedTransaction[]][] = [
    ['another nonce', changed(2, { nonce: 6 })],
    ['another chain', changed(2, { chainId: 1 })],
    ['another receiver', changed(2, { to: `0x${'42'.repeat(19)}43` })],
    ['another validator', changed(2, { data: otherKey })],
    ['another gas limit', changed(2, { gasLimit: 160_000n })],
    ['an amount that does not rise', changed(2, { valueWei: members[1]?.valueWei ?? 0n })],
    ['fees that do not rise', changed(2, { maxFeePerGasWei: members[1]?.maxFeePerGasWei ?? 0n })],
    ['a tip that does not rise', changed(2, { maxPriorityFeePerGasWei: 1n })],
    ['no cancellation', members.slice(0, -1)],
    ['a cancellation to another account', changed(dearest, { to: `0x${'01'.repeat(20)}` })],
    ['a cancellation that pays', changed(dearest, { valueWei: 1n })],
    ['a cancellation in the middle', changed(1, { to: own.from, data: '0x', valueWei: 0n })],
    ['one member alone', members.slice(0, 1)],
    [
      'more than thirteen',
      [...Array.from({ length: 9 }, () => members[0]), ...members].flatMap((one) => one ?? []),
    ],
  ]

  test.each(REFUSED)('are refused with %s', async (_, all) => {
    await expect(sign(all)).rejects.toMatchObject({ code: 'signer.other-purpose' })
  })

  test('are refused for a validator that they are not for, and by another account', async () => {
    await expect(sign(members, { pubkey: `0x${'66'.repeat(48)}` })).rejects.toMatchObject({
      code: 'signer.other-purpose',
    })
    const other: Hex = `0x${'01'.repeat(20)}`
    const ofOther = members.map((one, at) => (at === dearest ? { ...one, to: other } : one))
    await expect(sign(ofOther, { from: other })).rejects.toMatchObject({ code: 'keystore.other-account' })
  })

  test('are asked for by count, nonce, cap and the most fee, in 80 columns', () => {
    const asked = members.map(
      ({ valueWei, gasLimit, maxFeePerGasWei, maxPriorityFeePerGasWei, ...rest }) => ({
        ...rest,
        type: 'eip1559' as const,
        value: valueWei,
        gas: gasLimit,
        maxFeePerGas: maxFeePerGasWei,
        maxPriorityFeePerGas: maxPriorityFeePerGasWei,
      }),
    )
    const lines = guardLines(asked, { network: 'Rehearsal', token: 'BERA', from: own.from, pubkey: MINE })
    const text = lines.join('\n')
    for (const part of ['6', '50,000 BERA', String(own.nonce)]) expect(text).toContain(part)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  })
})
