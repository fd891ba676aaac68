import { expect, test } from 'vitest'
import type { HttpReply, HttpRequest } from '../../../src/core/base/effects/effects.ts'
import { FAR_FUTURE_EPOCH } from '../../../src/core/chain/consensus/state.ts'
import { MAINNET } from '../../../src/core/chain/network/presets.ts'
import { createLooker } from '../../../src/core/observe/ask-network.ts'
import { emptyMemory, rememberPicture } from '../../../src/core/observe/memory.ts'
import { LIMITS } from '../../../src/core/observe/picture.ts'
import { engineSignerOf } from '../../../src/devnet/consensus/engine.ts'
import { validatorKey } from '../../../src/devnet/keys.ts'
import { clockAt } from '../../support/look-clock.ts'

/** One that is in the set of the engine, and one that the beacon state calls active and the engine does not know. */
const KEYS = ['own', 'not in the set'].map((name) => validatorKey('look-signed', name).pubkey)
const [OWN = '0x'] = KEYS
const ZEROS = `0x${'00'.repeat(32)}`
const HASH = '0'.repeat(64)
const START_MS = 1_800_000_000_000

const record = (index: number) => ({
  index: String(index),
  balance: '250000000000000',
  status: 'active_ongoing',
  validator: {
    pubkey: KEYS[index],
    withdrawal_credentials: ZEROS,
    effective_balance: '250000000000000',
    slashed: false,
    activation_eligibility_epoch: '0',
    activation_epoch: '0',
    exit_epoch: String(FAR_FUTURE_EPOCH),
    withdrawable_epoch: String(FAR_FUTURE_EPOCH),
  },
})

const own = engineSignerOf(OWN)
const MEMBER = {
  address: own.address,
  pub_key: { type: 'cometbft/PubKeyBls12_381', value: own.uncompressedBase64 },
  voting_power: '250000000000000',
}

const OTHER = engineSignerOf(validatorKey('look-signed', 'other').pubkey)

/** A place whose validator does not run. */
const GONE = {
  ...MEMBER,
  address: '0'.repeat(40),
  pub_key: {
    ...MEMBER.pub_key,
    value: engineSignerOf(validatorKey('look-signed', 'gone').pubkey).uncompressedBase64,
  },
}

/** Who of the set has signed a block; `nil` is a vote for no block. */
type Signs = (height: number) => readonly (boolean | 'nil')[]

function signedHeader(height: string, signs: Signs) {
  const header = {
    version: { block: '11' },
    chain_id: 'x',
    height,
    last_block_id: { hash: HASH, parts: { total: 1, hash: HASH } },
    last_commit_hash: HASH,
    data_hash: HASH,
    consensus_hash: HASH,
    last_results_hash: HASH,
    evidence_hash: HASH,
    time: new Date(START_MS).toISOString(),
    validators_hash: HASH,
    next_validators_hash: HASH,
    app_hash: HASH,
    proposer_address: own.address,
  }
  const signatures = signs(Number(height)).map((did) => ({
    block_id_flag: did === 'nil' ? 6 : 1 + Number(did),
    validator_address: did === false ? '' : own.address,
    signature: null,
  }))
  const commit = { height, round: 0, block_id: { hash: HASH, parts: { total: 1, hash: HASH } }, signatures }
  return { signed_header: { header, commit } }
}

/** The commits that were asked for in each look, and the blocks that were then known of; `latest` are the heights. */
async function looks(
  latest: readonly number[],
  silent: (height: string, look: number) => boolean,
  {
    signs = () => [true],
    members = [MEMBER],
    nodeAnswers = () => true,
  }: { signs?: Signs; members?: readonly unknown[]; nodeAnswers?: (look: number) => boolean } = {},
) {
  let nowMs = START_MS
  let look = 0
  let asked: string[] = []
  const engine: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/status': () => ({
      node_info: { network: 'x', moniker: 'x', version: '1' },
      sync_info: {
        latest_block_height: String(latest[look]),
        latest_block_time: new Date(nowMs).toISOString(),
        catching_up: false,
      },
      validator_info: MEMBER,
    }),
    '/commit': (query) => {
      const height = query.get('height') ?? 'newest'
      asked.push(height)
      return silent(height, look)
        ? undefined
        : signedHeader(height === 'newest' ? String(latest[look]) : height, signs)
    },
    '/validators': (query) => ({
      block_height: query.get('height'),
      validators: members,
      total: String(members.length),
    }),
  }
  const message = {
    slot: '1000',
    proposer_index: '0',
    parent_root: ZEROS,
    state_root: ZEROS,
    body_root: ZEROS,
  }
  const node: Readonly<Record<string, unknown>> = {
    '/eth/v1/beacon/headers/head': { data: { header: { message } } },
    '/eth/v1/beacon/states/1000/validators': { data: KEYS.map((_, index) => record(index)) },
  }
  const request = async ({ url }: HttpRequest): Promise<HttpReply> => {
    const { hostname, pathname, searchParams } = new URL(url)
    const ofNode = nodeAnswers(look) ? node[pathname] : undefined
    const result = hostname === 'engine' ? engine[pathname]?.(searchParams) : ofNode
    const said = hostname === 'engine' ? { jsonrpc: '2.0', id: -1, result } : result
    return {
      status: result === undefined ? 500 : 200,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(
        JSON.stringify(
          result === undefined ? { code: 500, message: 'endpoint x is not yet implemented' } : said,
        ),
      ),
    }
  }
  const clock = clockAt(() => nowMs)
  const looker = createLooker({
    effects: { http: { request }, clock } as Parameters<typeof createLooker>[0]['effects'],
    network: MAINNET,
    endpoints: { node: ['http://node'], execution: [], engine: ['http://engine'] },
    validators: KEYS.map((pubkey) => ({ pubkey })),
    isOwnTransaction: () => false,
  })
  let memory = emptyMemory(MAINNET)
  const found: { asked: string[]; blocks: string }[] = []
  for (; look < latest.length; look += 1) {
    asked = []
    nowMs += MAINNET.slotMs
    const picture = await looker.look(memory)
    memory = rememberPicture(memory, picture, { network: MAINNET, limits: LIMITS })
    found.push({ asked, blocks: memory.validators[0]?.signed ?? '' })
  }
  return found
}

test('the commit of each block is asked for once, when the next block is there', async () => {
  expect(await looks([100, 100, 101, 104, 104], () => false)).toEqual([
    { asked: ['99'], blocks: '1' },
    { asked: [], blocks: '1' },
    { asked: ['100'], blocks: '11' },
    { asked: ['101', '102', '103'], blocks: '11111' },
    { asked: [], blocks: '11111' },
  ])
})

test('while no node says what becomes of the validator its blocks are counted all the same', async () => {
  const signs: Signs = (height) => [height < 102]
  const found = await looks([100, 103, 106, 109], () => false, { signs, nodeAnswers: (look) => look === 0 })
  expect(found.at(-1)?.blocks).toBe('1110000000')
})

test('what was read before an engine fell silent is not asked for again', async () => {
  const found = await looks([100, 103, 103], (height, look) => height === '101' && look === 1)
  expect(found.map(({ blocks }) => blocks)).toEqual(['1', '11', '1111'])
  expect(found.map(({ asked }) => asked.filter((height) => height !== '101'))).toEqual([
    ['99'],
    ['100'],
    ['102'],
  ])
})

test('after a long time without a look the blocks before are left out', async () => {
  const [, second] = await looks([100, 200], () => false)
  expect(second?.asked).toHaveLength(16)
  expect(second?.asked.at(-1)).toBe('199')
})

test('a place whose validator does not run says nothing of a block, once it has signed none for long', async () => {
  const latest = Array.from({ length: 45 }, (_, look) => 101 + look)
  const signs: Signs = (height) => [height < 130, true, false]
  const running = { ...GONE, pub_key: { ...GONE.pub_key, value: OTHER.uncompressedBase64 } }
  const found = await looks(latest, () => false, { signs, members: [MEMBER, running, GONE] })
  const { blocks = '' } = found.at(-1) ?? {}
  // One of two others misses the first of them as well, and counts as gone from the next one on.
  expect(blocks).toBe(`${'1'.repeat(30)}s${'0'.repeat(14)}`)
})

test.each([
  { power: '250000000000000', blocks: '0000' },
  { power: '900000000000000', blocks: '1111' },
])('a vote for no block is none, but beside one that waits for nobody: %o', async ({ power, blocks }) => {
  const other = { ...GONE, voting_power: power }
  const found = await looks([101, 102, 103, 104], () => false, {
    signs: () => ['nil', true],
    members: [MEMBER, other],
  })
  expect(found.at(-1)?.blocks).toBe(blocks)
})
