import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpReply, HttpRequest } from '../../../../src/core/base/effects/effects.ts'
import { failureWords } from '../../../../src/core/base/errors/base.ts'
import { depositError } from '../../../../src/core/base/errors/deposit.ts'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { SetSnapshot } from '../../../../src/core/chain/consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import { PROOF_FAULT_WORDS } from '../../../../src/core/chain/proofs/verify.ts'
import { readReportedSnapshot, readSnapshot } from '../../../../src/core/clients/prove-snapshot.ts'
import { GATE_TEXT } from '../../../../src/core/pay/gate/text.ts'
import { DEPOSIT_TEXT } from '../../../../src/core/steps/deposit/machine.ts'
import { TOPUP_CHECKS_TEXT } from '../../../../src/core/steps/topup/text.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import type { Devnet } from '../../../../src/devnet/devnet.ts'
import { clientWords } from '../../../support/client-words.ts'
import {
  depositGate,
  type GateInput,
  type Liar,
  type TopUpInput,
  topUpGate,
} from '../../../support/gate-world.ts'
import { one } from '../../../support/hard.ts'
import { networkOf } from '../../../support/network-of.ts'
import { anyNumbers, pattern } from '../../../support/pattern.ts'
import { jsonReply, lieThroughout, snapshotWorld } from '../../../support/snapshot-world.ts'
import { userOf } from '../../../support/user-of.ts'
import { pass, testDevnet } from '../../../support/with-devnet.ts'

const NODE_LIST = /^\/eth\/v1\/beacon\/states\/[^/]+\/validators$/
const DEBUG = '/eth/v2/debug/beacon/states/'
const ZERO = `0x${'00'.repeat(32)}`
const MISMATCH = depositError('proofs.state-mismatch', {
  node: '',
  slot: 0n,
  what: '',
  computed: '',
  holder: '',
  held: '',
}).shortMessage
const EPOCHS_DIFFER = `unknown ${TOPUP_CHECKS_TEXT.recordNotProven(PROOF_FAULT_WORDS['fields-not-in-proof'])}`

let devnet: Devnet
let directory: string
let end: () => Promise<void>
let user: Awaited<ReturnType<typeof userOf>>

beforeAll(async () => {
  const started = await testDevnet({ seed: 'gate' })
  devnet = started.devnet
  directory = started.directory
  end = started.end
  user = await userOf(devnet)
  await pass(devnet, 45)
})
afterAll(() => end())

const at = <T extends Partial<TopUpInput>>(input?: T) => ({ devnet, directory, ...input })
const pathOf = ({ url }: HttpRequest) => new URL(url).pathname
const textOf = ({ body }: HttpReply) => new TextDecoder().decode(body)
/** Two endpoints by the rules of real money, and an engine that serves what the validator set signed. */
const SIGNED = { kind: 'real', withSecond: true, isSigned: true } as const
const slotBeforeHead = () => devnet.state().slot - 1n

const topUpRows = async (input: TopUpInput) => (await topUpGate(input)).rows

/** Several liars in a row: the first that has something to say is heard. */
const together =
  (...liars: readonly Liar[]): Liar =>
  async (request, truth) => {
    for (const liar of liars) {
      const lie = await liar(request, truth)
      if (lie !== undefined) return lie
    }
    return undefined
  }

const hidesFromList: Liar = async (request) =>
  NODE_LIST.test(pathOf(request)) ? jsonReply(200, { data: [] }) : undefined

const noState =
  (status: number, value: unknown): Liar =>
  async (request) =>
    pathOf(request).startsWith(DEBUG) ? jsonReply(status, value) : undefined

const NOT_OFFERED = noState(500, { code: 500, message: 'endpoint x is not yet implemented' })

/** The execution endpoint says that the contract has no operator for any key. */
const operatorZero: Liar = async ({ body = '' }) => {
  const { id, params } = JSON.parse(body === '' ? '{}' : body) as { id: number; params?: [{ data?: string }] }
  return params?.[0]?.data?.startsWith('0x9eaffa96')
    ? jsonReply(200, { jsonrpc: '2.0', id, result: ZERO })
    : undefined
}

/** Another key in the place of this one, in the state and in a header that fits it. */
const hidesFromState = (pubkey: Hex): Liar => {
  const hide = (text: string) => text.replaceAll(pubkey, `0x${'a7'.repeat(48)}`)
  const lie = lieThroughout(hide, async () => {
    const url = `${devnet.descriptor.urls.node}${DEBUG}${slotBeforeHead()}`
    return (await fetch(url)).text()
  })
  return (request, truth) => lie(pathOf(request), truth)
}

/** Answers every question for a header or a state with that of a slot long ago. */
const givesStateOf =
  (slot: bigint): Liar =>
  async (request) => {
    const { pathname, origin } = new URL(request.url)
    const found = /^(\/eth\/v[12]\/(?:debug\/)?beacon\/(?:headers|states)\/)\d+$/.exec(pathname)
    if (found === null) return undefined
    const body = new Uint8Array(await (await fetch(`${origin}${found[1]}${slot}`)).arrayBuffer())
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  }

/** The first execution endpoint passes a block of long ago off as its latest, under its own number or the head's. */
const latestIs =
  (slot: bigint, numbered: 'truly' | 'as the head'): Liar =>
  async ({ url, body = '' }, truth) => {
    if (!url.startsWith(devnet.descriptor.urls.execution) || body === '') return undefined
    const call = JSON.parse(body) as { id: number; method: string; params: unknown[] }
    const reply = (result: unknown) => jsonReply(200, { jsonrpc: '2.0', id: call.id, result })
    if (call.method === 'eth_blockNumber' && numbered === 'truly') return reply(`0x${slot.toString(16)}`)
    if (call.method !== 'eth_getBlockByNumber' || call.params[0] === '0x0') return undefined
    const { result } = JSON.parse(textOf(truth)) as { result: { number: string } }
    const old = (await user.rpc('eth_getBlockByNumber', [`0x${slot.toString(16)}`, false])) as object
    return reply(numbered === 'truly' ? old : { ...old, number: result.number })
  }

describe('before the first deposit, that nothing knows the key', () => {
  const UNKNOWN_MISMATCH = `unknown ${MISMATCH}`
  const UNKNOWN = `unknown ${DEPOSIT_TEXT.checks.notProven}: `

  test('is proven by the whole state of this moment, in both endpoints where there are two', async () => {
    const words = `proven ${DEPOSIT_TEXT.checks.unusedProven(slotBeforeHead())}`
    expect((await depositGate(at())).key).toBe(words)
    expect((await depositGate(at({ kind: 'real', withSecond: true }))).key).toBe(words)
  })

  test.each(one(['real', 'test'] as const, 0))(
    'is said to be the node’s word where it does not offer its state (%s money)',
    async (kind) => {
      const { key } = await depositGate(at({ kind, withSecond: true, liar: NOT_OFFERED }))
      expect(key).toBe(`proven ${DEPOSIT_TEXT.checks.reported(DEPOSIT_TEXT.checks.unused)}`)
    },
  )

  test('is not the word of one node and one endpoint on real money', async () => {
    const { key } = await depositGate(at({ kind: 'real', liar: NOT_OFFERED }))
    expect(key).toBe(`unknown ${DEPOSIT_TEXT.checks.oneEndpoint}`)
  })

  test.each(one(['real', 'test', 'rehearsal'] as const, 0))(
    'is unknown where the state is offered and not to be had (%s money)',
    async (kind) => {
      const gone = noState(404, { code: 404, message: 'state not found' })
      expect((await depositGate(at({ kind, liar: gone }))).key).toBe(
        `${UNKNOWN}whole state: ${clientWords('not-found', 'node API', devnet.descriptor.urls.node)}`,
      )
    },
  )

  test('is unknown while the second endpoint does not hold the root', async () => {
    const silent: Liar = async ({ url }) =>
      url.includes('//localhost') ? jsonReply(500, { message: 'down' }) : undefined
    const { key } = await depositGate(at({ kind: 'real', withSecond: true, liar: silent }))
    expect(key).toMatch(pattern`^${UNKNOWN}${anyNumbers(STEP_TEXT.doubt.noRoot('http://localhost:1', 1n))}`)
  })

  test('is proven by the signed block alone, the second endpoint silent or missing', async () => {
    const silent: Liar = async ({ url }) =>
      url.includes('//localhost') ? jsonReply(500, { message: 'down' }) : undefined
    const words = `proven ${DEPOSIT_TEXT.checks.unusedProven(slotBeforeHead())}`
    expect((await depositGate(at({ ...SIGNED, liar: silent }))).key).toBe(words)
    expect((await depositGate(at({ ...SIGNED, withSecond: false }))).key).toBe(words)
  })

  test('is unknown beside a valid state of long ago that the signed block does not hold', async () => {
    expect((await depositGate(at({ ...SIGNED, liar: givesStateOf(5n) }))).key).toBe(UNKNOWN_MISMATCH)
  })

  test.each([
    ['truly', 'stays at block 5'],
    ['as the head', 'has another block \\d+'],
  ] as const)(
    'is proven without a first endpoint whose old block, numbered %s, the set did not sign',
    async (numbered, words) => {
      const liar = latestIs(5n, numbered)
      const { key } = await depositGate(at({ ...SIGNED, liar }))
      const { host } = new URL(devnet.descriptor.urls.execution)
      const proven = DEPOSIT_TEXT.checks.unusedProven(slotBeforeHead())
      expect(key).toMatch(pattern`^proven ${proven} .*${host} ${new RegExp(words)}`)
      const withState = together(liar, givesStateOf(4n))
      expect((await depositGate(at({ ...SIGNED, liar: withState }))).key).toBe(UNKNOWN_MISMATCH)
      const alone = await depositGate(at({ ...SIGNED, withSecond: false, liar: withState }))
      expect(alone.key).toMatch(new RegExp(`^${UNKNOWN}${host} ${words}\\.$`))
    },
  )

  test('is unknown beside a valid state of long ago', async () => {
    expect((await depositGate(at({ liar: givesStateOf(5n) }))).key).toBe(UNKNOWN_MISMATCH)
  })

  test.each([
    ['truly', 'is \\d+ blocks behind'],
    ['as the head', 'have another block \\d+ each'],
  ] as const)(
    'is unknown where the first endpoint is in it too, its old block numbered %s: the second one tells',
    async (numbered, words) => {
      const liar = together(latestIs(5n, numbered), givesStateOf(4n))
      const { key } = await depositGate(at({ kind: 'real', withSecond: true, liar }))
      expect(key).toMatch(new RegExp(`^${UNKNOWN}.*${words}`))
    },
  )

  test('is unknown where both are in it and there is no second one: our own clock tells', async () => {
    const now = (await user.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
    const wallMs = Number(now.timestamp) * 1000
    expect((await depositGate(at({ wallMs }))).key).toMatch(/^proven unused, proven/)
    const { key } = await depositGate(at({ wallMs, liar: latestIs(5n, 'truly') }))
    expect(key).toBe(`${UNKNOWN}${STEP_TEXT.doubt.old(4n)}.`)
  })

  test('is signed now: an endpoint that claims far newer blocks is blamed, and not the own node', async () => {
    const now = (await user.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
    const wallMs = Number(now.timestamp) * 1000
    const aheadBy30: Liar = async ({ body = '' }, truth) => {
      if (!body.includes('"eth_blockNumber"')) return undefined
      const { result, ...rest } = JSON.parse(textOf(truth)) as { result: string }
      return jsonReply(200, { ...rest, result: `0x${(Number(result) + 30).toString(16)}` })
    }
    const rows = await depositGate(at({ ...SIGNED, wallMs, liar: aheadBy30 }))
    const { host: name } = new URL(devnet.descriptor.urls.execution)
    expect(rows.node).toMatch(
      pattern`^refused ${anyNumbers(GATE_TEXT.node.outrun(1n, { is: 'ahead', name, block: 1n }))}$`,
    )
    expect(rows.key).toMatch(/^proven /)
  })

  test('is never true of a validator of the genesis file, whatever the node says', async () => {
    const [first] = devnet.state().validators
    const pubkey = first?.pubkey
    if (pubkey === undefined) throw new RangeError('the network has no validator')
    const liar = together(operatorZero, hidesFromList, NOT_OFFERED)
    expect((await depositGate(at({ pubkey, liar }))).key).toBe(`refused ${DEPOSIT_TEXT.checks.inGenesis}`)
  })
})

describe('a first deposit that asks for a place at once', () => {
  test.each([
    [250_000n, 'refused', anyNumbers(DEPOSIT_TEXT.checks.noPlace(10_000_000_000_000n, 'BERA'))],
    [300_000n, 'proven', /place \d+ of 12/],
    [249_999n, 'proven', anyNumbers(DEPOSIT_TEXT.checks.unusedProven(1n))],
  ])('of %i tokens is %s', async (signedTokens, mark, words) => {
    const { key } = await depositGate(at({ signedTokens }))
    expect(key).toMatch(pattern`^${mark} .*${words}`)
    expect(key?.includes('of 12')).toBe(signedTokens === 300_000n)
  })

  test('is forecast by the node’s word where it offers no state, and says so', async () => {
    const rows = await depositGate(at({ signedTokens: 300_000n, liar: NOT_OFFERED }))
    const { unused, reported, place } = DEPOSIT_TEXT.checks
    expect(rows.key).toMatch(pattern`^proven ${anyNumbers(reported(place(reported(unused), 1, 12)))}$`)
    const poor = await depositGate(at({ signedTokens: 250_000n, liar: NOT_OFFERED }))
    expect(poor.key).toMatch(/^refused /)
  })
})

describe('a key that the chain knows, behind a false zero of its operator', () => {
  beforeAll(async () => {
    await user.firstDeposit(10_000n)
    await pass(devnet, 4)
    expect(devnet.state().validators.map(({ pubkey }) => pubkey)).toContain(user.pubkey)
  })

  test('is refused by the list', async () => {
    expect((await depositGate(at())).key).toMatch(pattern`^refused ${DEPOSIT_TEXT.checks.hasOperator('0x')}`)
    expect((await depositGate(at({ liar: operatorZero }))).key).toMatch(
      pattern`^refused ${anyNumbers(DEPOSIT_TEXT.checks.registered(1))}$`,
    )
  })

  test('is refused by the storage of the contract at a signed block, whatever list and call say', async () => {
    const { key } = await depositGate(at({ ...SIGNED, liar: together(operatorZero, hidesFromList) }))
    expect(key).toBe(`refused ${DEPOSIT_TEXT.checks.hasOperator(user.address.toLowerCase() as Hex)}`)
  })

  test('is refused by the proven state where the list hides it', async () => {
    const { key } = await depositGate(at({ liar: together(operatorZero, hidesFromList) }))
    expect(key).toMatch(pattern`^refused ${anyNumbers(DEPOSIT_TEXT.checks.registered(1))}$`)
  })

  test('is unknown where list and state both hide it: that state is not the chain’s', async () => {
    const liar = together(operatorZero, hidesFromList, hidesFromState(user.pubkey))
    const { key } = await depositGate(at({ liar }))
    expect(key).toBe(`unknown ${MISMATCH}`)
  })
})

describe('before a burnt key is registered after all', () => {
  let burnt: { devnet: Devnet; directory: string; end: () => Promise<void> }
  const rescue = async (input: Partial<GateInput> = {}) => {
    const { key } = await depositGate({ ...burnt, rescue: true, ...input })
    return key
  }

  beforeAll(async () => {
    burnt = await testDevnet({ seed: 'gate-burnt', scenario: 'burnt-deposit' })
    await pass(burnt.devnet, 4)
  })
  afterAll(() => burnt.end())

  test('its absence must be proven; the node’s word alone does not do', async () => {
    expect(await rescue()).toBe(`proven ${DEPOSIT_TEXT.checks.rescuable}`)
    expect(await rescue({ liar: NOT_OFFERED })).toBe(`refused ${DEPOSIT_TEXT.checks.absenceReported}`)
    const gone = noState(404, { code: 404, message: 'state not found' })
    expect(await rescue({ liar: gone })).toMatch(pattern`^unknown ${DEPOSIT_TEXT.checks.notProven}`)
  })

  test('two servers must vouch for it on real money: one that is asked twice is one', async () => {
    const words = `unknown ${DEPOSIT_TEXT.checks.rescueNeedsSecond}`
    expect(await rescue({ kind: 'real' })).toBe(words)
    expect(await rescue({ kind: 'real', withSecond: true })).toBe(words)
  })
})

describe('before a top-up, that the validator is not leaving', () => {
  test('is proven by the hashes beside its key', async () => {
    const { key, second } = await topUpRows(at({ kind: 'real', withSecond: true }))
    expect(key).toBe(`proven ${TOPUP_CHECKS_TEXT.holds(slotBeforeHead())}`)
    expect(second).toBe(`proven ${TOPUP_CHECKS_TEXT.secondAgrees}`)
  })

  test('is not believed of another record than the proven one', async () => {
    const laterEpoch: Liar = async (request, truth) =>
      NODE_LIST.test(pathOf(request))
        ? {
            ...truth,
            body: Buffer.from(textOf(truth).replace(/"activation_epoch":"\d+"/, '"activation_epoch":"1"')),
          }
        : undefined
    const { key } = await topUpRows(at({ liar: together(laterEpoch, NOT_OFFERED) }))
    expect(key).toBe(EPOCHS_DIFFER)
  })

  test('takes the record of the proof’s own slot where the head has another one by now', async () => {
    const headDiffers: Liar = async (request, truth) =>
      pathOf(request) === '/eth/v1/beacon/states/head/validators'
        ? {
            ...truth,
            body: Buffer.from(textOf(truth).replace(/"activation_epoch":"\d+"/, '"activation_epoch":"1"')),
          }
        : undefined
    const { key } = await topUpRows(at({ liar: together(headDiffers, NOT_OFFERED) }))
    expect(key).toBe(`proven ${TOPUP_CHECKS_TEXT.reported(TOPUP_CHECKS_TEXT.holds(slotBeforeHead()))}`)
  })

  test.each([
    ['truly', 'is \\d+ blocks behind'],
    ['as the head', 'have another block \\d+ each'],
  ] as const)('is not taken from long ago, the old block numbered %s', async (numbered, words) => {
    const old = devnet.state().slot
    await pass(devnet, 10)
    const { key } = await topUpRows(at({ kind: 'real', withSecond: true, liar: latestIs(old, numbered) }))
    expect(key).toMatch(new RegExp(`^unknown .*${words}`))
  })

  test.each([
    ['truly', 'stays at block \\d+'],
    ['as the head', 'has another block \\d+'],
  ] as const)(
    'is proven without an endpoint that shows long ago, numbered %s, which is named',
    async (numbered, words) => {
      const old = devnet.state().slot
      await pass(devnet, 10)
      const liar = latestIs(old, numbered)
      const { rows, read } = await topUpGate(at({ ...SIGNED, amountTokens: 270_000n, liar }))
      const { host } = new URL(devnet.descriptor.urls.execution)
      const proven = TOPUP_CHECKS_TEXT.holds(slotBeforeHead())
      expect(rows.key).toMatch(pattern`^proven ${proven} .*${host} ${new RegExp(words)}`)
      expect(read?.proof?.signed?.leftOut).toEqual([expect.stringMatching(new RegExp(`^${host} ${words}$`))])
    },
  )

  test('is known of no endpoint that is behind what was agreed after', async () => {
    const head = devnet.state().slot
    const agreedAt = (block: bigint) =>
      topUpRows(
        at({
          kind: 'real',
          withSecond: true,
          world: {
            about: 'validator',
            block,
            balanceGwei: tokens(10_000n),
            stakeToBeGwei: tokens(10_000n),
            outcome: 'below-threshold',
          },
        }),
      )
    expect((await agreedAt(head - 1n)).second).toMatch(/^proven /)
    const { key, second } = await agreedAt(head + 2n)
    const words = `unknown ${TOPUP_CHECKS_TEXT.beforeAgreed(head + 2n)}`
    expect([key, second]).toEqual([words, words])
  })

  test('is a lie of a node that hides an exit', async () => {
    const exited = await testDevnet({ seed: 'gate-exited', scenario: 'exited-key' })
    const { clients } = snapshotWorld(exited.devnet)
    const asked = { network: networkOf(exited.devnet), keep: undefined, unproven: undefined }
    const { consensus, ...rest } = await readReportedSnapshot(clients, asked)
    const validators = consensus.validators.map((one) => ({ ...one, exitEpoch: FAR_FUTURE_EPOCH }))
    const shown = { ...rest, consensus: { ...consensus, validators } }
    const input = { devnet: exited.devnet, directory: exited.directory, shown }
    const hidesExit: Liar = async (request, truth) => {
      if (!NODE_LIST.test(pathOf(request))) return undefined
      const far = (name: string) =>
        [new RegExp(`"${name}":"\\d+"`, 'g'), `"${name}":"${2n ** 64n - 1n}"`] as const
      const body = textOf(truth)
        .replace(...far('exit_epoch'))
        .replace(...far('withdrawable_epoch'))
      return { ...truth, body: Buffer.from(body) }
    }
    try {
      expect((await topUpRows(input)).key).toBe(`refused ${GATE_TEXT.agreed.leaving}`)
      expect((await topUpRows({ ...input, liar: hidesExit })).key).toBe(`refused ${GATE_TEXT.agreed.leaving}`)
      const alone = together(hidesExit, NOT_OFFERED)
      expect((await topUpRows({ ...input, liar: alone })).key).toBe(EPOCHS_DIFFER)
    } finally {
      await exited.end()
    }
  })
})

describe('before a top-up, that the set has the place it is sent for', () => {
  const SEAT = 270_000n
  const THRESHOLD_ONLY = 240_000n
  const snapshot = () => {
    const { clients, effects } = snapshotWorld(devnet)
    return readSnapshot(clients, { network: networkOf(devnet), keep: user.pubkey, clock: effects.clock })
  }

  /** The set without anybody else, and with more of one's own: what a node may say. */
  const lonely = async (ownTokens: bigint): Promise<SetSnapshot> => {
    const { consensus, ...rest } = await snapshot()
    const own = consensus.validators.filter(({ pubkey }) => pubkey === user.pubkey)
    const balancesGwei = [tokens(ownTokens)]
    return { ...rest, proof: undefined, consensus: { ...consensus, validators: own, balancesGwei } }
  }

  /** How often the whole state was asked for. */
  const counting = () => {
    let times = 0
    const liar: Liar = async (request) => {
      if (pathOf(request).startsWith(DEBUG)) times += 1
      return undefined
    }
    return { liar, times: () => times }
  }

  test('is judged by the proven set, which takes the place of what the node had said', async () => {
    const shown = await lonely(10_000n)
    const taken = await topUpGate(at({ amountTokens: THRESHOLD_ONLY, shown }))
    expect(taken.rows.key).toBe(`refused ${TOPUP_CHECKS_TEXT.noPlace}`)
    expect(taken.read?.proof).toMatchObject({ slot: slotBeforeHead(), anchors: 1 })
    expect(taken.read?.consensus.validators).toHaveLength(devnet.state().validators.length)
    const kept = await topUpGate(at({ amountTokens: SEAT, shown }))
    expect(kept.rows.key).toBe(`proven ${TOPUP_CHECKS_TEXT.holds(slotBeforeHead())}`)
  })

  test('is not taken from a set in which the amount kept a place and now would not', async () => {
    const shown = await lonely(230_000n)
    const { rows } = await topUpGate(at({ amountTokens: 20_000n, shown }))
    expect(rows.key).toBe(`refused ${TOPUP_CHECKS_TEXT.losesPlace}`)
  })

  test('is one look with the registration: one state answers both', async () => {
    const asked = counting()
    const { read } = await topUpGate(at({ amountTokens: SEAT, shown: await snapshot(), liar: asked.liar }))
    expect(asked.times()).toBe(1)
    expect(read?.proof?.slot).toBe(slotBeforeHead())
  })

  test('asks again when only one of two endpoints vouched for it', async () => {
    const asked = counting()
    const input = { amountTokens: SEAT, shown: await snapshot(), liar: asked.liar, withSecond: true }
    const { read } = await topUpGate(at(input))
    expect(asked.times()).toBe(1)
    expect(read?.proof?.anchors).toBe(2)
  })

  test('asks no second endpoint where the set signed for it', async () => {
    const asked = counting()
    const input = { ...SIGNED, amountTokens: SEAT, shown: await snapshot(), liar: asked.liar }
    const { read } = await topUpGate(at(input))
    expect(asked.times()).toBe(1)
    expect(read?.proof).toMatchObject({ anchors: 0, signed: { percent: 100, leftOut: [] } })
  })

  test('is the node’s word, in words, where it does not offer its state', async () => {
    const { key } = await topUpRows(at({ kind: 'real', withSecond: true, liar: NOT_OFFERED }))
    expect(key).toBe(`proven ${TOPUP_CHECKS_TEXT.reported(TOPUP_CHECKS_TEXT.holds(slotBeforeHead()))}`)
  })

  test('is unknown where the state is offered and not to be had, or not the chain’s', async () => {
    const gone = noState(404, { code: 404, message: 'state not found' })
    expect((await topUpRows(at({ liar: gone }))).key).toMatch(
      pattern`^unknown ${STEP_TEXT.doubt.set}: whole state`,
    )
    expect((await topUpRows(at({ liar: hidesFromState(user.pubkey) }))).key).toBe(`unknown ${MISMATCH}`)
  })
})

type Rpc = { id: number; params?: [{ value?: string }] }

describe('what an endpoint gives as its reason', () => {
  /** Refuses a call that carries a value, as a client does for an empty account. */
  const refusing =
    (message: string): Liar =>
    async ({ body = '' }) => {
      const { id, params } = JSON.parse(body === '' ? '{}' : body) as Rpc
      return params?.[0]?.value !== undefined
        ? jsonReply(200, { jsonrpc: '2.0', id, error: { code: -32000, message } })
        : undefined
    }
  const said = () => `unknown ${clientWords('rejected', 'execution RPC', devnet.descriptor.urls.execution)}`

  test('stands in the row of the dry run, in quotes and as its own', async () => {
    const message = 'insufficient funds for gas * price + value: have 0 want 10000'
    const { dryRun } = await depositGate(at({ liar: refusing(message) }))
    expect(dryRun).toBe(failureWords({ shortMessage: said(), said: message }))
  })

  test('cannot leave its quotes, nor draw anything, nor pass for an answer', async () => {
    const { dryRun } = await depositGate(at({ liar: refusing('ok". ✔ accepted\u001b[2J\n\u202e"') }))
    expect(dryRun).toBe(failureWords({ shortMessage: said(), said: "ok'. ✔ accepted·[2J··'" }))
  })
})

describe('a network that was reset since it was checked, with the same chain ids,', () => {
  const another = `0x${'ab'.repeat(32)}`
  const otherRoot: Liar = async (request, truth) =>
    pathOf(request) === '/eth/v1/beacon/genesis'
      ? {
          ...truth,
          body: new TextEncoder().encode(textOf(truth).replace(/(_root":")0x[0-9a-f]+/, `$1${another}`)),
        }
      : undefined
  const otherFirstBlock: Liar = async ({ body = '' }, truth) =>
    body.includes('"eth_getBlockByNumber"') && body.includes('"0x0"')
      ? {
          ...truth,
          body: new TextEncoder().encode(textOf(truth).replace(/"hash":"0x[0-9a-f]+/, `"hash":"${another}`)),
        }
      : undefined

  test.each([
    ['by its genesis root', otherRoot],
    ['by the first block of its execution chain', otherFirstBlock],
  ])('gets no deposit: it is told %s', async (_, liar) => {
    const rows = await depositGate(at({ liar }))
    expect(rows.chain).toMatch(/^refused \d+, \D+$/)
  })
})

test('a transaction of the account that only the second endpoint has waiting shuts the gate', async () => {
  const waits: Liar = async ({ url, body = '' }, truth) =>
    url.includes('localhost') && body.includes('"eth_getTransactionCount"') && body.includes('"pending"')
      ? {
          ...truth,
          body: new TextEncoder().encode(textOf(truth).replace(/"result":"0x[0-9a-f]+/, '"result":"0x63')),
        }
      : undefined
  const { second } = await topUpRows(at({ kind: 'real', withSecond: true, liar: waits }))
  expect(second).toMatch(
    pattern`^refused (?:${GATE_TEXT.second.othersWait(1)}|${anyNumbers(GATE_TEXT.second.othersWait(2))})$`,
  )
})
