import { keccak256, numberToHex, parseTransaction, recoverTransactionAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { httpError } from '../../src/core/base/errors/http.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { OwnNonce } from '../../src/core/chain/facts.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { type Answer, answering } from '../support/answering.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest, one } from '../support/hard.ts'
import { atLine, dieWhileRegistering, expectOnePaymentEach } from '../support/kills.ts'
import { type Ending, register } from '../support/register.ts'
import { saidProblem } from '../support/said.ts'
import { userOf } from '../support/user-of.ts'
import { withSecond } from '../support/with-second.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const STEPS = ['deposit', 'topup'] as const
type Step = (typeof STEPS)[number]

const openWorld = worldsOfTests()

/** A registration alone with an endpoint that lies once the step is signed; the process dies when it believes the lie. */
async function believes(step: Step, outcome: string, lie: (world: World) => Answer): Promise<World> {
  const world = await openWorld()
  const isSigned = () => world.journal().some(({ type }) => type === `${step}.signed`)
  const liar = lie(world)
  await dieWhileRegistering(world, {
    mutate: (effects) => answering(effects, (call, truth) => (isSigned() ? liar(call, truth) : undefined)),
    dies: (moment) => (moment.act === 'append' && moment.type === `${step}.${outcome}` ? 'after' : undefined),
  })
  return world
}

/** The next start, with two honest endpoints; `isSilent` says when the second one does not answer. */
async function startAgain(
  world: World,
  isSilent = () => false,
): Promise<{ session: Session; ending: Promise<Ending> }> {
  const life = world.begin({
    request({ url }) {
      if (isSilent() && url.includes('localhost')) throw httpError('http.unreachable', url, 'ECONNREFUSED')
    },
  })
  return world.clock.flow(async () => {
    const session = await withSecond(life, world.session(life))
    return { session, ending: register(world, session) }
  })
}

async function goesOn(world: World): Promise<Ending> {
  const { ending } = await startAgain(world)
  return world.clock.flow(() => ending)
}

/** What is in a block is told as refused there. */
const refused = (): Answer => {
  return ({ method }, truth) => {
    if (method !== 'eth_getTransactionReceipt') return undefined
    return truth().then((receipt) =>
      receipt === null ? null : { ...(receipt as object), status: '0x0', logs: [] },
    )
  }
}

/** What is in a block is told as lost to another transaction with the nonce. */
const taken = (): Answer => {
  return ({ method, params }, truth) => {
    if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash')
      return Promise.resolve(null)
    if (method === 'eth_getLogs') return Promise.resolve([])
    if (method !== 'eth_getTransactionCount' || params[1] !== 'latest') return undefined
    return truth()
  }
}

/** What is in a block is told as in another one. */
const elsewhere = (): Answer => {
  return ({ method }, truth) => {
    if (method !== 'eth_getTransactionReceipt') return undefined
    return truth().then((receipt) =>
      receipt === null ? null : { ...(receipt as object), blockHash: `0x${'ab'.repeat(32)}` },
    )
  }
}

/** What never left is told as in a block. */
const madeUp = (): Answer => {
  const kept = new Map<string, Hex>()
  return ({ method, params: [subject] }, truth) => {
    if (method === 'eth_sendRawTransaction') {
      const hash = keccak256(subject as Hex)
      kept.set(hash, subject as Hex)
      return Promise.resolve(hash)
    }
    const raw = kept.get(String(subject))
    if (raw === undefined || method !== 'eth_getTransactionReceipt') return undefined
    return truth().then((receipt) => receipt ?? falseReceipt(raw))
  }
}

async function falseReceipt(raw: Hex) {
  const { to } = parseTransaction(raw as `0x02${string}`)
  return {
    transactionHash: keccak256(raw),
    status: '0x1',
    blockNumber: '0x1',
    blockHash: `0x${'ab'.repeat(32)}`,
    transactionIndex: '0x0',
    from: await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` }),
    to,
    gasUsed: numberToHex(50_000),
    effectiveGasPrice: numberToHex(10 ** 9),
    logs: [],
  }
}

describe('what a session alone with a liar believed, the next one asks two honest endpoints:', () => {
  const LIES: readonly [Step, string, string, () => Answer][] = [
    ['deposit', 'in a block and counted, told as refused', 'ended', refused],
    ['deposit', 'in a block and counted, told as lost to another transaction', 'ended', taken],
    ['deposit', 'never sent, told as final', 'ended', madeUp],
    ['deposit', 'in a block and counted, told as in another block', 'ended', elsewhere],
    ['topup', 'in a block and counted, told as refused', 'ended', refused],
    ['topup', 'never sent, told as final', 'ended', madeUp],
  ]

  test.each(one(LIES, 5))('a %s %s goes on, and is paid once', async (step, _, outcome, lie) => {
    const world = await believes(step, outcome, lie)
    expect(await goesOn(world)).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })
})

describe('an endpoint that names too low a nonce', () => {
  test('gets no top-up with the nonce of the first deposit', async () => {
    const world = await openWorld()
    const isDone = () => world.journal().some(({ type }) => type === 'deposit.ended')
    const liar: Answer = ({ method }) =>
      method === 'eth_getTransactionCount' && isDone() ? Promise.resolve('0x0') : undefined
    const life = world.begin({ mutate: (effects) => answering(effects, liar) })
    const told: string[] = []
    const ending = await world.clock.flow(async () => {
      const session = await world.session(life)
      session.subscribe(({ topup }) => {
        const { nonce } = topup.send.observed
        if (nonce.status === 'failed') told.push(nonce.error.details.join(' '))
      })
      return register(world, session, { patienceSeconds: 60 })
    })
    expect(world.journal().filter(({ type }) => type === 'topup.prepared')).toEqual([])
    expect(ending).toMatchObject({ step: 'topup' })
    const signed = world.journal().find(({ type }) => type === 'deposit.signed')
    expect(told).toContain(
      GATE_TEXT.nonceTaken(0, {
        step: 'deposit',
        hash: String(signed?.data.hash),
        use: 'used',
        nonce: 0,
      } as OwnNonce),
    )
  })
})

describe('a payment that a liar had made with too high a nonce', () => {
  hardTest('is told as that, with what to do, and is paid once the nonces before it are used', async () => {
    const world = await openWorld()
    const liar: Answer = ({ method }, truth) =>
      method === 'eth_getTransactionCount'
        ? truth().then((nonce) => numberToHex(BigInt(nonce as string) + 2n))
        : undefined
    await dieWhileRegistering(world, {
      mutate: (effects) => answering(effects, liar),
      dies: atLine('deposit.handed-over', 'after'),
    })
    const { session, ending } = await startAgain(world)
    await world.clock.flow(() => world.clock.sleep(15_000))
    const { problem, commands, actions } = viewOf('deposit', session.getState(), session)
    expect(problem?.id).toBe('payment.nonce-too-high')
    expect(problem?.title).toMatch(/ 2,.* 0:/)
    expect(saidProblem(problem)?.next[0]).toMatch(/nonce 0/)
    expect(commands.join()).toMatch(/^cast mktx .*--nonce 0 .*--value 0 /)
    expect(actions.map(({ key }) => key)).toContain('x')
    expect(world.journal().filter(({ type }) => type === 'deposit.prepared')).toHaveLength(1)
    const user = await userOf(world.devnet)
    await world.clock.during(async () => {
      for (const _ of [0, 1]) await user.send(user.address, '0x', 0n)
    })
    expect(await world.clock.flow(() => ending)).toEqual({ end: 'active' })
    const paid = await depositsOf(world.devnet.descriptor.urls.execution, user.pubkey)
    expect(paid).toEqual([tokens(10_000n), tokens(270_000n)])
  })
})
