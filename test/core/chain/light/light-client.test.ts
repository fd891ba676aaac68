import { beforeAll, describe, expect, test } from 'vitest'
import { type Claims, check, readClaims } from '../../../../scripts/vectors/commits.ts'
import { readBeaconBlock, SignedBeaconBlockType } from '../../../../src/core/chain/light/beacon-block.ts'
import { hashHeader, hashSet, hashTransactions } from '../../../../src/core/chain/light/encode.ts'
import {
  type CommitSignature,
  LIGHT_FAULT_WORDS,
  type LightFault,
  readSignedBlock,
  stepTo,
  trustGenesis,
} from '../../../../src/core/chain/light/light-client.ts'
import { vectorLines } from '../../../support/vector-lines.ts'
import { claimsAt, ROWS, RULES, rowAt, trustIn } from './rows.ts'

const fault = (name: LightFault) => ({ is: 'fault', fault: name })

let first: Claims
let before: Claims
let next: Claims
beforeAll(async () => {
  first = await claimsAt(1)
  before = await claimsAt(553)
  // The first block of a new set, and one in which several members signed.
  next = await claimsAt(554)
})

type Change = { commit?: object; header?: object; signatures?: readonly CommitSignature[] }

/** A claim with something else in its header or commit; the block id is made to fit, unless it's what is changed. */
function alter(claims: Claims, { header: other = {}, commit = {}, signatures }: Change): Claims {
  const header = { ...claims.signed.header, ...other }
  const blockId = { ...claims.signed.commit.blockId, hash: hashHeader(header) }
  const made = { ...claims.signed.commit, blockId, ...commit }
  return { ...claims, signed: { header, commit: signatures === undefined ? made : { ...made, signatures } } }
}

describe('trustGenesis', () => {
  test('trusts the first block that the genesis set signed', () => {
    expect(trustGenesis(first.set, first, RULES)).toEqual({
      is: 'trusted',
      trusted: trustIn(first),
      share: { signed: 5_000_000_000_000_000n, total: 5_810_000_000_000_000n },
    })
  })

  test('refuses the set of another genesis', () => {
    const [strongest, ...others] = first.set
    if (strongest === undefined) throw new RangeError('an empty set')
    const stronger = [{ ...strongest, power: strongest.power + 1n }, ...others]
    expect(trustGenesis(stronger, first, RULES)).toEqual(fault('not-next-set'))
  })

  test('begins with no later block, though the genesis set signed it', async () => {
    expect(trustGenesis(first.set, await claimsAt(2), RULES)).toEqual({ is: 'too-far' })
  })
})

describe('stepTo', () => {
  test('steps to the next block with the set that the block before names', () => {
    expect(stepTo(trustIn(before), next, RULES)).toMatchObject({ is: 'trusted', trusted: trustIn(next) })
  })

  test('steps over a change of the set that the trusted members signed', async () => {
    const [from, to] = [await claimsAt(1), await claimsAt(2641)]
    expect(to.set).not.toEqual(from.set)
    expect(stepTo(trustIn(from), to, RULES)).toMatchObject({ is: 'trusted', trusted: trustIn(to) })
  })

  test('steps back over the same distance', async () => {
    const [from, to] = [await claimsAt(2641), await claimsAt(1)]
    expect(stepTo(trustIn(from), to, RULES)).toMatchObject({ is: 'trusted', trusted: trustIn(to) })
  })

  test('is too far where a member signed whom the trusted set does not hold', async () => {
    const to = await claimsAt(1226)
    expect(to.signed.commit.signatures.map(({ flag }) => flag)).toEqual([4, 1, 1, 5])
    expect(stepTo(trustIn(first), to, RULES)).toEqual({ is: 'too-far' })
  })

  test('is too far where the signers hold no more than two thirds of the trusted set', async () => {
    const to = await claimsAt(2641)
    const [strongest, ...others] = first.set
    if (strongest === undefined) throw new RangeError('an empty set')
    const rest = others.reduce((sum, { power }) => sum + power, 0n)
    const trustWith = (power: bigint) => ({ ...trustIn(first), set: [{ ...strongest, power }, ...others] })
    expect(stepTo(trustWith(2n * rest), to, RULES)).toEqual({ is: 'too-far' })
    expect(stepTo(trustWith(2n * rest + 1n), to, RULES).is).toBe('trusted')
  })

  test('trusts the same header whatever is claimed of members who did not vote for the block', () => {
    const { signatures } = next.signed.commit
    const expected = stepTo(trustIn(before), next, RULES)
    const [holder, ...others] = signatures
    if (holder === undefined) throw new RangeError('no signatures')
    expect(others.every(({ flag }) => flag === 1)).toBe(true)
    const instead = (entry: Partial<CommitSignature>) =>
      signatures.map((one, at) => (at === 2 ? { ...one, address: next.addresses[2] ?? '', ...entry } : one))
    const claimed = [
      instead({ flag: 7 }),
      instead({ flag: 6, signature: holder.signature }),
      instead({ flag: 3, signature: 'A'.repeat(128) }),
      [{ ...holder, flag: 2 }, ...others],
    ]
    for (const each of claimed)
      expect(stepTo(trustIn(before), alter(next, { signatures: each }), RULES)).toEqual(expected)
  })

  test('refuses a header of another chain', () => {
    expect(stepTo(trustIn(before), next, { ...RULES, chainId: 'beacond-80094' })).toEqual(
      fault('other-chain'),
    )
  })

  test('refuses a commit of another height', () => {
    const altered = alter(next, { commit: { height: 555n } })
    expect(stepTo(trustIn(before), altered, RULES)).toEqual(fault('other-height'))
    const none = alter(next, { header: { height: 0n }, commit: { height: 0n } })
    expect(stepTo(trustIn(before), none, RULES)).toEqual(fault('other-height'))
  })

  test('refuses a header that hashes to something else than was signed', () => {
    const { blockId } = next.signed.commit
    const altered = alter(next, { header: { appHash: 'AA' }, commit: { blockId } })
    expect(stepTo(trustIn(before), altered, RULES)).toEqual(fault('header-hash'))
  })

  test.each([
    ['of fewer members than the set', (all: readonly CommitSignature[]) => all.slice(1)],
    ['of more members than the set', (all: readonly CommitSignature[]) => [...all, ...all.slice(1, 2)]],
    [
      'with a flag that is unknown',
      (all: readonly CommitSignature[]) => all.map((one) => ({ ...one, flag: 8 })),
    ],
    [
      'of another member',
      (all: readonly CommitSignature[]) => all.map((one) => ({ ...one, address: 'AA'.repeat(20) })),
    ],
    ['of nobody', (all: readonly CommitSignature[]) => all.map((one) => ({ ...one, address: '' }))],
    [
      'with a signature where none belongs',
      (all: readonly CommitSignature[]) => all.map((one) => ({ ...one, signature: all[0]?.signature })),
    ],
    [
      'without any signature',
      (all: readonly CommitSignature[]) => all.map((one) => ({ ...one, signature: undefined })),
    ],
  ])('refuses votes %s', (_, change) => {
    const altered = alter(next, { signatures: change(next.signed.commit.signatures) })
    expect(stepTo(trustIn(before), altered, RULES)).toEqual(fault('malformed'))
  })

  test('refuses an empty set', () => {
    const altered = alter({ ...next, set: [] }, { header: { validatorsHash: hashSet([]) }, signatures: [] })
    expect(stepTo(trustIn(before), altered, RULES)).toEqual(fault('malformed'))
  })

  test('refuses a set that the header does not name', () => {
    const set = next.set.map((member, at) => (at === 1 ? { ...member, power: member.power + 1n } : member))
    expect(stepTo(trustIn(before), { ...next, set }, RULES)).toEqual(fault('set-hash'))
  })

  test('refuses a next block of a set that the block before does not name', () => {
    const { set } = before
    const altered = alter(
      { ...next, set: set.toReversed() },
      { header: { validatorsHash: hashSet(set.toReversed()) } },
    )
    const reordered = altered.set.map(({ key }) => next.set.findIndex((member) => member.key === key))
    const signatures = reordered
      .map((at) => next.signed.commit.signatures[at])
      .filter((one) => one !== undefined)
    expect(stepTo(trustIn(before), alter(altered, { signatures }), RULES)).toEqual(fault('not-next-set'))
  })

  test('refuses a next block of the old set where the block before names another one', async () => {
    const trusted = { ...trustIn(await claimsAt(2)), nextSetHash: hashSet(next.set) }
    expect(stepTo(trusted, await claimsAt(3), RULES)).toEqual(fault('not-next-set'))
  })

  test('refuses heights and powers that no 64 bits hold, though they hash to the same', async () => {
    const [trusted, claims] = [trustIn(await claimsAt(2)), await claimsAt(3)]
    const height = claims.height + 2n ** 64n
    const later = alter(claims, { header: { height }, commit: { height } })
    expect(later.signed.commit.blockId).toEqual(claims.signed.commit.blockId)
    expect(stepTo(trusted, later, RULES)).toEqual(fault('other-height'))
    const set = claims.set.map((member) => ({ ...member, power: member.power + 2n ** 64n }))
    expect(hashSet(set)).toBe(claims.signed.header.validatorsHash)
    expect(stepTo(trusted, { ...claims, set }, RULES)).toEqual(fault('malformed'))
  })

  test('refuses two thirds of the power, and looks at the signature of a little more', async () => {
    const to = await claimsAt(242)
    const rest = to.set.slice(1).reduce((sum, { power }) => sum + power, 0n)
    const claimWith = (power: bigint) => {
      const set = to.set.map((member, at) => (at === 0 ? { ...member, power } : member))
      return alter(
        { ...to, set },
        { header: { validatorsHash: hashSet(set), nextValidatorsHash: hashSet(set) } },
      )
    }
    const stepIn = (claim: Claims) =>
      stepTo({ ...trustIn(to), set: claim.set, nextSetHash: hashSet(claim.set) }, claim, RULES)
    expect(stepIn(claimWith(2n * rest))).toEqual(fault('too-little-power'))
    // Nobody signed a block of such a set: the signature is what is looked at next.
    expect(stepIn(claimWith(2n * rest + 1n))).toEqual(fault('signature'))
  })

  test('refuses a signature of another block', async () => {
    const other = await claimsAt(555)
    const signatures = next.signed.commit.signatures.map((entry, at) =>
      at === 0 ? { ...entry, signature: other.signed.commit.signatures[0]?.signature } : entry,
    )
    expect(stepTo(trustIn(before), alter(next, { signatures }), RULES)).toEqual(fault('signature'))
    expect(stepTo(trustIn(before), alter(next, { commit: { round: 1 } }), RULES)).toEqual(fault('signature'))
  })

  test('refuses two aggregates, and one that nobody holds', async () => {
    const both = await claimsAt(556)
    const [holder, second, ...others] = both.signed.commit.signatures
    if (holder === undefined || second === undefined) throw new RangeError('no signatures')
    expect([holder.flag, second.flag]).toEqual([4, 5])
    const { address } = second
    const twice = [holder, { ...holder, address }, ...others]
    const none = [{ ...holder, flag: 5, signature: undefined }, second, ...others]
    for (const signatures of [twice, none])
      expect(stepTo(trustIn(next), alter(both, { signatures }), RULES)).toEqual(fault('signature'))
  })
})

describe('readSignedBlock', () => {
  test('reads the state root that the node gives, of each recorded block', async () => {
    for (const claims of await Promise.all(ROWS.map(readClaims))) {
      const read = readSignedBlock(claims.signed.header, claims.transactions)
      expect(read).toMatchObject({ block: { slot: claims.height, stateRoot: claims.stateRoot } })
    }
  })

  test('refuses transactions that the header does not name', async () => {
    const { header } = next.signed
    const [block = Buffer.alloc(0), ...others] = next.transactions
    for (const transactions of [[], [block], [...others, block], (await claimsAt(555)).transactions])
      expect(readSignedBlock(header, transactions)).toEqual({ fault: 'data-hash' })
  })

  test('refuses a block of another slot or layout, or none, though the header names it', () => {
    const [block = Buffer.alloc(0)] = next.transactions
    const read = (transactions: readonly Uint8Array[], height = next.height) =>
      readSignedBlock(
        { ...next.signed.header, height, dataHash: hashTransactions(transactions) },
        transactions,
      )
    expect(read([block])).toMatchObject({ block: { slot: next.height } })
    for (const transactions of [[], [block.subarray(1)], [Buffer.concat([block, block])], [Buffer.alloc(0)]])
      expect(read(transactions)).toEqual({ fault: 'beacon-block' })
    expect(read([block], 555n)).toEqual({ fault: 'beacon-block' })
  })

  test('writes each recorded beacon block as it was read', async () => {
    for (const { transactions } of await Promise.all(ROWS.map(readClaims))) {
      const [block = Buffer.alloc(0)] = transactions
      const written = SignedBeaconBlockType.serialize(SignedBeaconBlockType.deserialize(block))
      expect(Buffer.from(written)).toEqual(Buffer.from(block))
      expect(readBeaconBlock(block)).toBeDefined()
    }
  })
})

test('each fault has its words', () => {
  const words = Object.values(LIGHT_FAULT_WORDS)
  expect(new Set(words).size).toBe(words.length)
})

describe('the check of recorded rows', () => {
  const lines = vectorLines('commits.jsonl')
  const [description = ''] = lines

  test('passes every row, from genesis to the last', async () => {
    const { passed, failures, notes } = await check(lines)
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(14 * ROWS.length)
    expect(notes).toEqual(['from block 1: 48 of 48 rows reached, 8 of them in several steps'])
  })

  const digit = (text: string): string => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const spoil: readonly (readonly [string, (row: ReturnType<typeof rowAt>) => void, readonly string[]])[] = [
    [
      'a state root',
      (row) => {
        row.stateRoot = digit(row.stateRoot)
      },
      ['the beacon block has another state root'],
    ],
    [
      'an address',
      (row) => {
        const [member] = row.validators
        if (member !== undefined) member.address = digit(member.address)
      },
      ['validator 0 has another address'],
    ],
    [
      'a header',
      (row) => {
        row.commit.header.app_hash = digit(row.commit.header.app_hash)
      },
      ['the header has another hash', 'not trusted: header-hash'],
    ],
    [
      'a set',
      (row) => {
        const [member] = row.validators
        if (member !== undefined) member.voting_power = digit(member.voting_power)
      },
      ['the set has another hash', 'not trusted: set-hash'],
    ],
    [
      'the transactions',
      (row) => {
        row.txs.reverse()
      },
      [
        'the transactions have another hash',
        'the first transaction is no beacon block of this height',
        'the beacon block has another state root',
        'the execution block has another parent',
        'the execution block has another number',
      ],
    ],
    [
      'a round',
      (row) => {
        row.commit.commit.round += 1
      },
      ['the signature does not verify', 'not trusted: signature'],
    ],
    [
      'a vote',
      (row) => {
        const [entry] = row.commit.commit.signatures
        if (entry !== undefined) entry.block_id_flag = 6
      },
      ['no more than two thirds signed', 'not trusted: too-little-power'],
    ],
    [
      'a height',
      (row) => {
        row.commit.commit.height = '3'
      },
      ['FieldFault: commit.signed_header.commit.height: expected 2, found "3"'],
    ],
  ]

  test.each(spoil)('fails a row in which %s was altered', async (_, alterRow, expected) => {
    const altered = structuredClone(rowAt(2))
    alterRow(altered)
    const { failures } = await check([description, JSON.stringify(rowAt(1)), JSON.stringify(altered)])
    const found = failures.map((failure) => failure.replace(/^line 3, height 2: /, ''))
    expect(found.filter((failure) => !failure.startsWith('from block 1'))).toEqual(expected)
  })

  test('says where trust begins anew, since no row leads there', async () => {
    const rows = [first.height, 1226n].map((height) => JSON.stringify(rowAt(Number(height))))
    const { failures, notes } = await check([description, ...rows])
    expect(failures).toEqual([])
    expect(notes).toEqual([
      'from block 1: 1 of 2 rows reached, 0 of them in several steps',
      'trust began anew at 1226: too far from the row before',
    ])
  })

  test('reads no file without its description', async () => {
    await expect(check(lines.slice(1))).rejects.toThrow('the first line names no network')
  })
})
