import { type Hex, keccak256 } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import type { Step } from '../../src/core/chain/light/light-client.ts'
import { verifyVotes } from '../../src/core/chain/light/verify-votes.ts'
import { headerRoot } from '../../src/core/chain/proofs/merkle.ts'
import { STALE_HEIGHT } from '../../src/devnet/build-chain.ts'
import type { Devnet, DevnetInput } from '../../src/devnet/devnet.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { CHEAP_CURVE } from '../support/cheap-curve.ts'
import { signedHeaders } from '../support/signed-headers.ts'
import { userOf } from '../support/user-of.ts'
import { vectorLines } from '../support/vector-lines.ts'
import { getJson, pass, testDevnet } from '../support/with-devnet.ts'

const SEED = 'signed-blocks'
const MEMBER = validatorKey(SEED, 'genesis/3').pubkey

async function network(input: Partial<DevnetInput> = {}): Promise<Devnet> {
  const { devnet, end } = await testDevnet({ seed: SEED, realCurve: true, ...input })
  onTestFinished(end)
  return devnet
}

const heights = (from: bigint, to: bigint): bigint[] =>
  Array.from({ length: Number(to - from) + 1 }, (_, at) => from + BigInt(at))

describe('a rehearsal whose set changes while a member is absent', () => {
  test('signs every block, and names in it what its other endpoints say', async () => {
    const devnet = await network()
    const user = await userOf(devnet)
    await user.firstDeposit(10_000n)
    await pass(devnet, 1)
    await user.topUp(280_000n)
    devnet.chain.withhold([MEMBER])
    await pass(devnet, 9)
    devnet.chain.withhold([])
    await pass(devnet, 22)
    const headers = signedHeaders(devnet)
    const { head } = devnet.chain.history
    const sets = new Set<string>()
    let transactions = 0
    for (const height of heights(1n, head.header.slot)) {
      expect([height, await headers.step(height)]).toMatchObject([height, { is: 'trusted' }])
      const { signed } = await headers.claimAt(height)
      sets.add(signed.header.validatorsHash)
      const { stateRoot, parentRoot, payload } = await headers.blockAt(signed.header)
      expect([stateRoot, parentRoot]).toEqual([
        await stateRootAt(devnet, height),
        await rootAt(devnet, height - 1n),
      ])
      const block = await user.rpc('eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
      expect(block).toMatchObject({
        hash: payload.hash,
        parentHash: payload.parentHash,
        stateRoot: payload.stateRoot,
        receiptsRoot: payload.receiptsRoot,
        logsBloom: payload.logsBloom,
        timestamp: `0x${payload.timestampSeconds.toString(16)}`,
        transactions: payload.transactions.map((raw) => keccak256(raw)),
      })
      transactions += payload.transactions.length
    }
    expect([sets.size, transactions]).toEqual([2, 2])
  })

  test('says the same through the node API', async () => {
    const devnet = await network()
    const { urls } = devnet.descriptor
    const { body: engine } = await getJson(urls.engine, '/block?height=2')
    const { block } = (engine as { result: { block: { data: unknown } } }).result
    const { body: node } = await getJson(urls.node, '/cometbft/v1/block/2')
    expect(node).toMatchObject({ data: { data: block.data } })
    const { signed } = await signedHeaders(devnet).claimAt(2n)
    const { body: header } = await getJson(urls.node, '/cometbft/v1/signed_header/2')
    expect(header).toMatchObject({ data: { commit: { block_id: signed.commit.blockId } } })
  })
})

async function stateRootAt(devnet: Devnet, slot: bigint): Promise<unknown> {
  const { body } = await getJson(devnet.descriptor.urls.node, `/eth/v1/beacon/states/${slot}/root`)
  return (body as { data: { root: string } }).data.root
}

/** The root of a header, whose fields the node API names. */
async function rootAt(devnet: Devnet, slot: bigint): Promise<Hex> {
  const { body } = await getJson(devnet.descriptor.urls.node, `/eth/v1/beacon/headers/${slot}`)
  const { message } = (body as { data: { header: { message: Record<string, string> } } }).data.header
  return headerRoot({
    slot,
    proposerIndex: BigInt(message.proposer_index ?? ''),
    parentRoot: message.parent_root as Hex,
    stateRoot: message.state_root as Hex,
    bodyRoot: message.body_root as Hex,
  })
}

describe('signing', () => {
  test('happens once for each commit that is asked for, and never before', async () => {
    const signed: number[] = []
    const devnet = await network({
      chain: {
        ...CHEAP_CURVE,
        signVotes: ({ keys }) => {
          signed.push(keys.length)
          return Buffer.alloc(96).toString('base64')
        },
      },
    })
    const { urls } = devnet.descriptor
    await pass(devnet, 10)
    for (const path of ['/status', '/validators', '/block?height=1']) await getJson(urls.engine, path)
    await getJson(urls.node, '/eth/v1/beacon/headers/head')
    expect(signed).toEqual([])
    for (const path of ['/commit?height=4', '/commit?height=4', '/block?height=5'])
      await getJson(urls.engine, path)
    expect(signed).toEqual([12])
  })

  test('leaves out members whose secret is not held', async () => {
    const devnet = await network({ chain: { holdsKey: (key) => key !== engineKey(MEMBER) } })
    const { commit } = (await signedHeaders(devnet).claimAt(1n)).signed
    const flags = commit.signatures.map(({ flag }) => flag).toSorted((a, b) => a - b)
    expect(flags).toEqual([1, 4, ...Array<number>(10).fill(5)])
    expect(await signedHeaders(devnet).step(1n)).toMatchObject({ is: 'trusted' })
  })

  test('for no block holds a signature of its own, which counts for nothing', async () => {
    const devnet = await network({ chain: { votesNil: (height) => (height === 2n ? MEMBER : undefined) } })
    const headers = signedHeaders(devnet)
    const before = await headers.step(1n)
    const step = await headers.step(2n)
    const { signed, set } = await headers.claimAt(2n)
    const at = set.findIndex(({ key }) => key === engineKey(MEMBER))
    const { flag, signature = '' } = signed.commit.signatures[at] ?? {}
    const { power = 0n } = set[at] ?? {}
    expect(flag).toBe(6)
    expect(signedPower(step)).toBe(signedPower(before) - power)
    const { chainId, height } = signed.header
    expect(verifyVotes({ keys: [engineKey(MEMBER)], message: nilVote(chainId, height), signature })).toBe(
      true,
    )
  })

  test('for no block was recorded so', () => {
    const [, ...rows] = vectorLines('commits.jsonl').map((line) => JSON.parse(line) as RecordedRow)
    const found = rows.flatMap(({ height, commit: { commit, header }, validators }) =>
      commit.signatures.flatMap(({ block_id_flag: flag, signature }, at) =>
        flag === 6 && commit.round === 0
          ? [
              {
                keys: [validators[at]?.pub_key.value ?? ''],
                message: nilVote(header.chain_id, BigInt(height)),
                signature: signature ?? '',
              },
            ]
          : [],
      ),
    )
    expect(found.length).toBeGreaterThan(0)
    expect(found.slice(0, 3).map((claim) => verifyVotes(claim))).toEqual(found.slice(0, 3).map(() => true))
  })
})

type RecordedRow = {
  height: number
  commit: {
    header: { chain_id: string }
    commit: { round: number; signatures: { block_id_flag: number; signature: string | null }[] }
  }
  validators: { pub_key: { value: string } }[]
}

const signedPower = (step: Step): bigint => (step.is === 'trusted' ? step.share.signed : 0n)

/** A precommit for no block in round 0: its type, its height, the chain. */
function nilVote(chainId: string, height: bigint): Uint8Array {
  const at = Buffer.alloc(8)
  at.writeBigInt64LE(height)
  const body = [0x08, 2, 0x11, ...at, 0x32, chainId.length, ...Buffer.from(chainId)]
  return Uint8Array.of(body.length, ...body)
}

describe('a forger', () => {
  test.each([
    ['other-keys', 1n, { is: 'fault', fault: 'signature' }],
    ['unsigned', 1n, { is: 'fault', fault: 'signature' }],
    ['own-set', 1n, { is: 'fault', fault: 'not-next-set' }],
    ['other-data', 2n, { is: 'fault', fault: 'header-hash' }],
  ] as const)('with %s fails at height %d', async (forger, height, fault) => {
    const devnet = await network({ forger })
    const headers = signedHeaders(devnet)
    for (const before of heights(1n, height - 1n))
      expect(await headers.step(before)).toMatchObject({ is: 'trusted' })
    expect(await headers.step(height)).toEqual(fault)
  })

  test('with an own set is too far from a true header', async () => {
    const input = { genesisTimeSeconds: 1_800_000_000 }
    const headers = signedHeaders(await network(input))
    await headers.step(1n)
    const forged = await network({ ...input, forger: 'own-set' })
    await pass(forged, 1)
    expect(await headers.step(3n, signedHeaders(forged))).toEqual({ is: 'too-far' })
  })

  test('with a stale engine is true up to its last height, and shows no block after it', async () => {
    const devnet = await network({ forger: 'stale' })
    await pass(devnet, Number(STALE_HEIGHT))
    const headers = signedHeaders(devnet)
    for (const height of heights(1n, STALE_HEIGHT))
      expect(await headers.step(height)).toMatchObject({ is: 'trusted' })
    await expect(headers.step(STALE_HEIGHT + 1n)).rejects.toThrow()
    const { urls } = devnet.descriptor
    expect((await getJson(urls.engine, '/status')).body).toMatchObject({
      result: { sync_info: { latest_block_height: String(STALE_HEIGHT) } },
    })
    expect((await getJson(urls.node, '/eth/v1/node/syncing')).body).toMatchObject({
      data: { head_slot: String(STALE_HEIGHT + 2n) },
    })
  })

  test('begins with the genesis of the true network', async () => {
    const input = { genesisTimeSeconds: 1_800_000_000 }
    const [honest, forged] = [await network(input), await network({ ...input, forger: 'own-set' })]
    const genesis = async ({ descriptor }: Devnet) => (await getJson(descriptor.urls.engine, '/genesis')).body
    expect(await genesis(forged)).toEqual(await genesis(honest))
    const { genesisRoot, chainId, engineChainId } = honest.descriptor
    expect(forged.descriptor).toMatchObject({ genesisRoot, chainId, engineChainId })
  })
})
