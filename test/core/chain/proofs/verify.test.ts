import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'

import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { BeaconStateType } from '../../../../src/core/chain/proofs/beacon-state.ts'
import {
  type BeaconBlockHeader,
  type ProvableState,
  proveProposer,
  proveValidatorBalance,
  proveValidatorCredentials,
  proveValidatorPubkey,
  stateRoot,
} from '../../../../src/core/chain/proofs/merkle.ts'
import {
  type ValidatorFacts,
  type ValidatorFields,
  verifyProposer,
  verifyValidator,
  verifyValidatorBalance,
  verifyValidatorCredentials,
  verifyValidatorFields,
  verifyValidatorPubkey,
} from '../../../../src/core/chain/proofs/verify.ts'
import { readState } from '../../../support/read-state.ts'

const rows = readFileSync(new URL('../../../vectors/recorded/http.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { path: string; body?: string })

const textOf = (path: string): string => rows.find((row) => row.path === path)?.body ?? '{}'
const reply = (path: string) => JSON.parse(textOf(path)) as Record<string, unknown>

const stateText = textOf('/eth/v2/debug/beacon/states/head')
const headReply = reply('/bkit/v1/proof/validator_pubkey/head/0')

let from: ProvableState
let facts: ValidatorFacts

beforeAll(() => {
  const given = headReply.beacon_block_header as Record<string, string>
  const header: BeaconBlockHeader = {
    slot: BigInt(given.slot ?? ''),
    proposerIndex: BigInt(given.proposer_index ?? ''),
    parentRoot: given.parent_block_root as Hex,
    stateRoot: given.state_root as Hex,
    bodyRoot: given.body_root as Hex,
  }
  from = { header, state: BeaconStateType.toViewDU(readState(stateText)) }
  facts = factsOf(2)
})

function factsOf(index: number): ValidatorFacts {
  const validator = from.state.validators.get(index)
  const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
  return {
    header: from.header,
    index: BigInt(index),
    pubkey: { value: hex(validator.pubkey), proof: proveValidatorPubkey(from, index) },
    credentials: {
      value: hex(validator.withdrawalCredentials),
      proof: proveValidatorCredentials(from, index),
    },
    balance: { balanceGwei: from.state.balances.get(index), ...proveValidatorBalance(from, index) },
  }
}

describe('a recorded state', () => {
  test('has the root that stands in the header of its slot', async () => {
    expect(await stateRoot(readState(stateText), async () => undefined)).toBe(from.header.stateRoot)
  })

  test('gives the very proofs that the node gave', () => {
    const balance = reply('/bkit/v1/proof/validator_balance/head/2')
    expect(proveValidatorPubkey(from, 0)).toEqual(headReply.validator_pubkey_proof)
    expect(proveValidatorCredentials(from, 1)).toEqual(
      reply('/bkit/v1/proof/validator_credentials/head/1').withdrawal_credentials_proof,
    )
    expect(proveValidatorBalance(from, 2)).toEqual({
      leaf: balance.balance_leaf,
      proof: balance.balance_proof,
    })
    expect(proveProposer(from.header)).toEqual(
      reply('/bkit/v1/proof/block_proposer/head').proposer_index_proof,
    )
  })

  test('names the field that cannot be read', () => {
    const spoilt = (field: string, value: unknown) => {
      const { data } = JSON.parse(stateText) as { data: object }
      return () => readState(JSON.stringify({ data: { ...data, [field]: value } }))
    }
    expect(spoilt('balances', ['1', 2, 3])).toThrow('data.balances[0]')
    expect(spoilt('slot', '12')).toThrow('data.slot')
  })

  test('has no proof for an index beyond its registry', () => {
    expect(() => proveValidatorPubkey(from, 3)).toThrow(
      expect.objectContaining({ code: 'proofs.no-such-validator' }),
    )
  })
})

describe('the further fields of a validator', () => {
  const FIELDS = [
    'effectiveBalanceGwei',
    'activationEligibilityEpoch',
    'activationEpoch',
    'exitEpoch',
    'withdrawableEpoch',
  ] as const
  const fieldsOf = (index: number): ValidatorFields => {
    const { effectiveBalance, ...rest } = from.state.validators.get(index).toValue()
    return { ...rest, effectiveBalanceGwei: effectiveBalance }
  }
  const verdictOn = (fields: ValidatorFields, index = 2) =>
    verifyValidatorFields({ fields, pubkeyProof: proveValidatorPubkey(from, index) })

  test('are bound by the proof of its key, in every proof that the node gave', () => {
    for (const index of [0, 1, 2]) expect(verdictOn(fieldsOf(index), index)).toEqual({ ok: true })
    const pubkeyProof = headReply.validator_pubkey_proof as string[]
    expect(verifyValidatorFields({ fields: fieldsOf(0), pubkeyProof })).toEqual({ ok: true })
  })

  test('are refused when any one of them is another, the exit epoch first of all', () => {
    const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), uint64, (name, value) => {
        const fields = fieldsOf(2)
        fc.pre(fields[name] !== value)
        expect(verdictOn({ ...fields, [name]: value })).toEqual({ ok: false, reason: 'fields-not-in-proof' })
      }),
    )
    expect(verdictOn({ ...fieldsOf(2), slashed: true }).ok).toBe(false)
  })

  test('are refused when a number is one only modulo 2^64, or a proof is cut', () => {
    const fields = fieldsOf(2)
    const wrapped = { ...fields, exitEpoch: fields.exitEpoch + 2n ** 64n }
    expect(verdictOn(wrapped)).toEqual({ ok: false, reason: 'value-malformed' })
    expect(verifyValidatorFields({ fields, pubkeyProof: [] }).ok).toBe(false)
  })
})

describe('a proof', () => {
  test('holds for every validator of the state', () => {
    for (const index of [0, 1, 2]) expect(verifyValidator(factsOf(index))).toEqual({ ok: true })
    expect(verifyProposer({ header: from.header, index: 0n, proof: proveProposer(from.header) })).toEqual({
      ok: true,
    })
  })

  test('is refused for another index, even with the same leaf', () => {
    const claim = { header: facts.header, ...facts.balance }
    expect(verifyValidatorBalance({ ...claim, index: 1n })).toEqual({
      ok: false,
      reason: 'balance-not-in-leaf',
    })
    expect(verifyValidatorPubkey({ header: facts.header, index: 1n, ...facts.pubkey }).ok).toBe(false)
    expect(verifyProposer({ header: from.header, index: 1n, proof: proveProposer(from.header) })).toEqual({
      ok: false,
      reason: 'proposer-not-in-header',
    })
  })

  test('is refused for an index beyond the registry limit', () => {
    const claim = { header: facts.header, ...facts.credentials }
    expect(verifyValidatorCredentials({ ...claim, index: 1n << 40n })).toEqual({
      ok: false,
      reason: 'index-out-of-range',
    })
    expect(verifyValidatorCredentials({ ...claim, index: -1n }).ok).toBe(false)
  })

  test('is refused when a hash is missing, added or not a hash', () => {
    const { value, proof } = facts.pubkey
    const claim = { header: facts.header, index: 2n, value }
    const length = { ok: false, reason: 'wrong-number-of-hashes' }
    expect(verifyValidatorPubkey({ ...claim, proof: proof.slice(0, 51) })).toEqual(length)
    expect(verifyValidatorPubkey({ ...claim, proof: [...proof, `0x${'00'.repeat(32)}`] })).toEqual(length)
    expect(verifyValidatorPubkey({ ...claim, proof: proof.with(3, '0x00') })).toEqual({
      ok: false,
      reason: 'hash-malformed',
    })
  })

  test('is refused for a value of the wrong length', () => {
    const claim = { header: facts.header, index: 2n, proof: facts.pubkey.proof }
    expect(verifyValidatorPubkey({ ...claim, value: '0x00' })).toEqual({
      ok: false,
      reason: 'value-malformed',
    })
  })

  test('is refused when any field of the header differs', () => {
    const changes: Partial<BeaconBlockHeader>[] = [
      { slot: facts.header.slot + 1n },
      { proposerIndex: 1n },
      { parentRoot: `0x${'11'.repeat(32)}` },
      { stateRoot: `0x${'11'.repeat(32)}` },
      { bodyRoot: `0x${'11'.repeat(32)}` },
      { slot: 1n << 64n },
      { bodyRoot: '0x' },
    ]
    for (const change of changes) {
      expect(verifyValidator({ ...facts, header: { ...facts.header, ...change } }).ok).toBe(false)
    }
  })
})
