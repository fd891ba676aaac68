import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import { openGuardBook } from '../../src/core/wizard/journal/guard-file.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { acknowledgeOnDisk } from '../../src/watch/keep.ts'
import { openRows } from '../support/early-words.ts'
import {
  arm,
  guardOf,
  isOutbid,
  over,
  ownLines,
  ownRecord,
  pageOf,
  sentByGuard,
  TOKENS,
  topUpOf,
  typeTerms,
} from '../support/guarded.ts'
import { hardTest, one } from '../support/hard.ts'
import { keepingPool } from '../support/keeping-pool.ts'
import { press } from '../support/press.ts'
import { journey, register } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { unsigned } from '../support/unsigned.ts'
import { userOf } from '../support/user-of.ts'
import { beginWatch } from '../support/watch-run.ts'
import { withSecond } from '../support/with-second.ts'
import { startWorld, type World } from '../support/world.ts'

/** The guards of a session that has ended. */
const book = (session: Session) =>
  openGuardBook({
    effects: { store: createNodeStore(), clock: createNodeClock() },
    setup: session.setup,
    executionGenesisHash: session.facts().genesis?.executionGenesisHash ?? '0x',
    borrow: async () => ({ release: async () => undefined }),
  })

/** Somebody else adds stake to a validator. */
async function strangerAdds(world: World, pubkey: Hex, amountTokens: bigint): Promise<void> {
  const { rpc } = world.devnet.execution
  const from = `0x${'57'.repeat(20)}`
  await rpc('hardhat_setBalance', [from, '0xd3c21bcecceda10000000'])
  await rpc('hardhat_impersonateAccount', [from])
  const value = `0x${(amountTokens * 10n ** 18n).toString(16)}`
  const { depositContract } = world.devnet.chain.input.spec
  await rpc('eth_sendTransaction', [{ from, to: depositContract, value, data: encodeTopUp({ pubkey }) }])
}

const handedOver = (session: Session) =>
  until(session, ({ status }) => status.guard?.stand === 'handed-over' || status.guard?.stand === 'in-block')

const handsOver = (session: Session, amountGwei: bigint) =>
  until(session, ({ status }) => status.guard?.amountGwei === amountGwei * TOKENS)

describe('a guard on the rehearsal network', () => {
  test('saves a validator that is outbid while nobody does anything, once and by the least amount', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session, ending }) => {
      expect(ending).toEqual({ end: 'active' })
      const before = (await ownRecord(world)).balanceGwei
      await world.clock.flow(() => arm(session, '50000'))
      await world.clock.flow(() => handedOver(session))
      expect(isOutbid(world)).toBe(true)
      await world.clock.flow(() => over(session))
      await world.clock.flow(() => session.clock.sleep(40_000))
      const { validator, balanceGwei } = await ownRecord(world)
      expect(validator?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
      expect(balanceGwei - before).toBe(20_000n * TOKENS)
      const { block = 0n, ...told } = guardOf(session) ?? {}
      expect(told).toMatchObject({ stand: 'over', end: 'paid', amountGwei: 20_000n * TOKENS, troubles: [] })
      const handed = world.guardJournal().filter(({ type }) => type === 'guard.handing')
      // Its bytes leave in the slot in which that was decided.
      expect(handed).toMatchObject([{ data: { baseline: { blockNumber: String(block - 1n) } } }])
      // It has paid once: its nonce is used, and the next payment takes another one.
      await world.clock.flow(() => typeTerms(session, '30000'))
      expect(topUpOf(session).actions[0]).toMatchObject({ key: 'return', typed: 'guard 30000' })
    }))

  hardTest(
    'climbs each time that others raise while an amount waits: of three one is paid, and keeps the place',
    () => {
      const pool = keepingPool((place) => place === 2 || place === 3)
      return journey(
        { scenario: 'outbid-while-active', life: { mutate: pool.mutate } },
        async ({ world, session }) => {
          const before = (await ownRecord(world)).balanceGwei
          await world.clock.flow(() => arm(session, '50000'))
          await world.clock.flow(() => handedOver(session))
          expect(guardOf(session)?.amountGwei).toBe(20_000n * TOKENS)
          // Who would have dropped out in our place goes beyond the rival.
          const { seed } = world.devnet.descriptor
          await strangerAdds(world, validatorKey(seed, 'genesis/10').pubkey, 20_000n)
          await world.clock.flow(() => handsOver(session, 30_000n))
          // And the rival raises again, beyond what the larger amount reaches.
          await strangerAdds(world, validatorKey(seed, 'rival').pubkey, 20_000n)
          await world.clock.flow(() => handsOver(session, 40_000n))
          await world.clock.flow(() => over(session))
          await world.clock.flow(() => session.clock.sleep(40_000))
          const { validator, balanceGwei } = await ownRecord(world)
          expect(validator?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
          expect(balanceGwei - before).toBe(40_000n * TOKENS)
          expect(guardOf(session)).toMatchObject({ end: 'paid', amountGwei: 40_000n * TOKENS })
          expect(world.guardLines().filter((type) => type === 'guard.handing')).toHaveLength(3)
          expect(pool.kept).toHaveLength(2)
          expect(sentByGuard(world)).toHaveLength(1)
        },
      )
    },
  )

  hardTest('climbs by no slot that has no block: after a standstill of twenty the same amount is paid', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
      const before = (await ownRecord(world)).balanceGwei
      await world.clock.flow(() => arm(session, '50000'))
      await world.clock.flow(() =>
        until(session, ({ status }) => {
          const isHanded = status.guard?.stand === 'handed-over'
          if (isHanded) world.halt()
          return isHanded
        }),
      )
      const { hash } = guardOf(session) ?? {}
      const { slot } = world.devnet.state()
      await world.clock.flow(() => session.clock.sleep(20_000))
      expect(world.devnet.state().slot - slot).toBeLessThan(2n)
      expect(guardOf(session)).toMatchObject({ stand: 'handed-over', hash })
      expect(world.guardLines().filter((type) => type === 'guard.handing')).toHaveLength(1)
      world.goOn()
      await world.clock.flow(() => over(session))
      expect((await ownRecord(world)).balanceGwei - before).toBe(20_000n * TOKENS)
    }),
  )

  hardTest('is told to be too small where its cap does not keep the place, and sends nothing', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
      const before = (await ownRecord(world)).balanceGwei
      await world.clock.flow(() => arm(session, '10000'))
      await world.clock.flow(() =>
        until(session, ({ status }) => status.guard?.troubles.includes('cap') === true),
      )
      expect(guardOf(session)).toMatchObject({ stand: 'armed', missingGwei: 20_000n * TOKENS })
      await world.clock.flow(() => session.clock.sleep(40_000))
      const { validator, balanceGwei } = await ownRecord(world)
      expect(validator?.exitEpoch).not.toBe(FAR_FUTURE_EPOCH)
      expect(balanceGwei).toBeLessThanOrEqual(before)
    }),
  )

  hardTest(
    'is cancelled by its owner: the nonce is used up, and nothing is paid when the place is lost',
    () =>
      journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
        await world.clock.flow(() => arm(session, '50000'))
        await press(session, 'status', 'g')
        await world.clock.flow(() => until(session, ({ topup }) => typeof topup.guard.here === 'object'))
        expect(topUpOf(session).actions[0]).toMatchObject({ key: 'x', typed: 'void' })
        await press(session, 'topup', 'x')
        await world.clock.flow(() =>
          until(
            session,
            ({ topup }) => topup.guard.work === undefined && typeof topup.guard.here === 'object',
          ),
        )
        expect(pageOf(session)).toMatchObject({
          failure: undefined,
          here: { stand: 'over', end: 'cancelled' },
        })
        // The page says so, and offers no word before the terms of another one are typed.
        const { verdict, facts, actions } = topUpOf(session)
        expect(verdict?.mark).toBe('proven')
        expect(facts.map(({ id }) => id)).toContain('guard.last')
        expect(actions.map(({ key }) => key)).not.toContain('return')
        await session.dispatch({ step: 'session', type: 'went', to: 'status' })
        await world.clock.flow(() => session.clock.sleep(60_000))
        expect(isOutbid(world)).toBe(true)
        expect((await ownRecord(world)).validator?.exitEpoch).not.toBe(FAR_FUTURE_EPOCH)
      }),
  )

  test('is voided by another payment with its nonce, which is told, and sends nothing any more', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
      await world.clock.flow(() => arm(session, '50000'))
      const armed = guardOf(session)?.nonce ?? (pageOf(session).here as { nonce: number }).nonce
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await session.dispatch({ step: 'topup', type: 'guardTurned', open: false })
      await session.dispatch({ step: 'topup', type: 'chosen', text: '10000' })
      await world.clock.flow(() =>
        until(session, ({ topup }) => gateIsOpen(topup.send.observed, session.setup)),
      )
      await press(session, 'topup', 'return')
      await world.clock.flow(() => until(session, ({ topup }) => topup.finished.length === 2))
      expect(session.getState().topup.finished.at(-1)?.nonce).toBe(armed)
      await session.dispatch({ step: 'session', type: 'went', to: 'status' })
      await world.clock.flow(() => over(session))
      expect(guardOf(session)).toMatchObject({ nonce: armed, end: 'void' })
      expect(guardOf(session)?.amountGwei).toBeUndefined()
      expect(ownLines(world)).toEqual(['guard.armed', 'guard.void'])
      const lost = ({ status }: State) => status.alarms.find(({ alarm }) => alarm === 'guard-nonce')
      await world.clock.flow(() => until(session, (state) => lost(state) !== undefined))
      const id = lost(session.getState())?.id ?? 'none'
      await session.stop()
      // It stands in the next run too, until its owner says that he knows of it.
      const again = await world.clock.flow(() => world.session(world.begin({})))
      await world.clock.flow(async () => {
        await register(world, again)
        await until(again, (state) => lost(state) !== undefined)
        expect(lost(again.getState())).toMatchObject({ id, acknowledged: false })
        expect(guardOf(again)).toMatchObject({ nonce: armed, end: 'void' })
        await again.dispatch({ step: 'status', type: 'acknowledged', ids: [id] })
        await again.clock.sleep(5_000)
        expect(lost(again.getState())).toMatchObject({ id, acknowledged: true })
        await again.stop()
      })
    }))

  test('that was lost before a watch began is told by it, once, until that is acknowledged', () =>
    journey({}, async ({ world, session }) => {
      const { pubkey } = await userOf(world.devnet)
      await world.clock.flow(() => arm(session, '50000'))
      const { journalDirectory, network } = session.setup
      await session.stop()
      // Another window writes down how it ended, and no watch runs.
      const [guard] = await book(session).here()
      if (guard === undefined) throw new Error('no guard')
      await book(session).end(guard, 'void')
      const watchOnce = async () => {
        let heard = 0
        const { effects } = world.begin({})
        const counting: Effects = {
          ...effects,
          http: {
            request(asked) {
              heard += 1
              return effects.http.request(asked)
            },
          },
        }
        const argv = ['--devnet', join(world.directory, 'descriptor.json'), '--lang', 'en', `${pubkey}=mine`]
        const watch = beginWatch(argv, {
          effects: counting,
          directory: world.directory,
        })
        // A busy computer takes its time to begin a watch.
        while (heard < 50) await world.clock.resting.sleep(100)
        await world.clock.resting.sleep(10 * network.slotMs)
        await watch.stop()
        return watch.told.filter(({ alarm }) => alarm === 'guard-nonce').map(({ change }) => change)
      }
      await world.clock.flow(async () => {
        expect(await watchOnce()).toEqual(['fired'])
        expect(await watchOnce()).toEqual([])
        const memory = () => readFileSync(join(journalDirectory, 'watch.json'), 'utf8')
        expect(JSON.parse(memory()).alarms).toMatchObject([{ alarm: 'guard-nonce', acknowledged: false }])
        const now = { directory: journalDirectory, network, nowMs: world.clock.nowMs() }
        await acknowledgeOnDisk(createNodeStore(), now, 'all')
        expect(await watchOnce()).toEqual([])
        expect(JSON.parse(memory()).alarms).toMatchObject([{ alarm: 'guard-nonce', acknowledged: true }])
      })
    }))

  hardTest('is armed by the word once more where the password prompt was left before', () => {
    let isLeft = false
    const mutate = (effects: Effects): Effects => ({
      ...effects,
      signer: {
        ...effects.signer,
        async signGuard(request) {
          if (isLeft) return effects.signer.signGuard(request)
          isLeft = true
          throw walletError('signer.cancelled')
        },
      },
    })
    return journey({ scenario: 'outbid-while-active', life: { mutate } }, async ({ world, session }) => {
      const word = async () => {
        await press(session, 'topup', 'return')
        await until(session, ({ topup }) => topup.guard.work === undefined)
      }
      await world.clock.flow(async () => {
        await typeTerms(session, '50000')
        await word()
        expect(pageOf(session).failure?.code).toBe('signer.cancelled')
        await word()
      })
      expect(pageOf(session)).toMatchObject({ failure: undefined, here: { stand: 'armed' } })
    })
  })

  hardTest('leaves its bytes in one file alone, and is held again after the program was begun anew', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
      await world.clock.flow(() => arm(session, '50000'))
      const { journalDirectory } = session.setup
      const name = readdirSync(journalDirectory).find(
        (each) => each.startsWith('guard-') && !each.includes('.lock'),
      )
      const { raws } = JSON.parse(
        readFileSync(join(journalDirectory, name ?? '', 'members.json'), 'utf8'),
      ) as {
        raws: string[]
      }
      expect(raws).toHaveLength(6)
      await session.stop()
      const again = await world.clock.flow(async () => {
        const next = await world.session(world.begin({}))
        await next.start()
        return next
      })
      await world.clock.flow(() =>
        until(again, () => openRows(again.getState(), again).some(({ id }) => id === 'guard')),
      )
      expect(pageOf(again).here).toMatchObject({ stand: 'armed', holder: 'nobody' })
      await again.dispatch({ step: 'session', type: 'went', to: 'status' })
      await world.clock.flow(() => over(again))
      const { validator } = await ownRecord(world)
      expect(validator?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
    }),
  )

  /** What one of two endpoints does once it lies: says that each nonce is used, or alters its proofs. */
  const LIES = {
    nonce: {
      method: 'eth_getTransactionCount',
      alter: (text: string) =>
        text.replace(
          /"result":"(0x\w+)"/,
          (_, used: string) => `"result":"0x${(BigInt(used) + 1n).toString(16)}"`,
        ),
    },
    proof: {
      method: 'eth_getProof',
      alter: (text: string) => text.replace(/"accountProof":\["0x\w{8}/, '"accountProof":["0x00000000'),
    },
  } as const

  /** A world in which one of two endpoints may lie. */
  async function worldOfLies(kind: keyof typeof LIES) {
    const { method, alter } = LIES[kind]
    let lies = false
    const world = await startWorld({ scenario: 'outbid-while-active' })
    const { execution } = world.devnet.descriptor.urls
    const withLie = (effects: Effects): Effects => ({
      ...effects,
      http: {
        async request(asked) {
          const reply = await effects.http.request(asked)
          const isAsked = asked.url === execution && asked.body?.includes(method) === true
          if (!lies || !isAsked) return reply
          return { ...reply, body: new TextEncoder().encode(alter(new TextDecoder().decode(reply.body))) }
        },
      },
    })
    return {
      world,
      withLie,
      lie(now: boolean) {
        lies = now
      },
    }
  }

  test('is not sent while one of two endpoints says that its nonce is used and nothing is signed', async () => {
    const { world, withLie, lie } = await worldOfLies('nonce')
    try {
      const life = world.begin({ mutate: (effects) => unsigned(withLie(effects)) })
      await world.clock.flow(async () => {
        const session = await withSecond(life, world.session(life))
        expect(await register(world, session)).toEqual({ end: 'active' })
        await arm(session, '50000')
        const before = (await ownRecord(world)).balanceGwei
        await until(session, ({ status }) => status.guard?.holder === 'here')
        lie(true)
        await until(session, ({ status }) => status.guard?.troubles.includes('nonce') === true)
        // The status screen shows the alarm that a watch sends, and takes it back by what a look shows.
        await until(session, ({ status }) => status.alarms.some(({ alarm }) => alarm === 'guard-nonce'))
        const [row] = viewOf('status', session.getState(), session).facts.filter(
          ({ label }) => label === 'alarm',
        )
        expect(row?.mark).toBe('refused')
        while (!isOutbid(world)) await session.clock.sleep(1_000)
        await session.clock.sleep(5_000)
        expect((await ownRecord(world)).balanceGwei).toBe(before)
        expect(guardOf(session)?.stand).toBe('armed')
        lie(false)
        await over(session)
        expect((await ownRecord(world)).validator?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
      })
    } finally {
      await world.end()
    }
  })

  test.each(one(['nonce', 'proof'] as const, 0))(
    'is sent by a proven nonce whatever one endpoint says of it (%s), and names that endpoint',
    async (kind) => {
      const { world, withLie, lie } = await worldOfLies(kind)
      try {
        const life = world.begin({ mutate: withLie })
        await world.clock.flow(async () => {
          const session = await withSecond(life, world.session(life))
          expect(await register(world, session)).toEqual({ end: 'active' })
          await arm(session, '50000')
          await until(session, ({ status }) => status.guard?.holder === 'here')
          lie(true)
          await until(session, ({ status }) => (status.guard?.leftOut ?? []).length > 0)
          expect(guardOf(session)?.leftOut?.join()).toMatch(/^127\.0\.0\.1:\d+: /)
          await over(session)
          expect((await ownRecord(world)).validator?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
          expect(sentByGuard(world)).toHaveLength(1)
        })
      } finally {
        await world.end()
      }
    },
  )

  /** What an endpoint does from the moment on in which the watch begins; undefined: it answers as ever. */
  type Trouble = (asked: HttpRequest, world: World, effects: Effects) => Promise<HttpReply> | undefined

  /** It takes every question and answers none. */
  async function hang(asked: HttpRequest, effects: Effects): Promise<HttpReply> {
    await effects.clock.sleep(asked.deadlineMs, asked.signal)
    throw httpError('http.timeout', asked.url, asked.deadlineMs)
  }

  const nodeHangs: Trouble = (asked, { devnet }, effects) =>
    asked.url.startsWith(devnet.descriptor.urls.node) ? hang(asked, effects) : undefined

  /** A guard that is armed in the wizard, and a watch that holds it while an endpoint is in trouble. */
  async function heldByWatch(
    endpoints: (urls: World['devnet']['descriptor']['urls']) => readonly string[],
    { trouble = nodeHangs, beginsLater = false }: { trouble?: Trouble; beginsLater?: boolean } = {},
  ): Promise<{ told: string[]; isSaved: boolean; sent: number }> {
    const world = await startWorld({ scenario: 'outbid-while-active' })
    let isHung = false
    let isHeard = false
    const withTrouble = (effects: Effects): Effects => ({
      ...effects,
      http: {
        async request(asked) {
          isHeard = true
          const answer = isHung ? trouble(asked, world, effects) : undefined
          return answer ?? effects.http.request(asked)
        },
      },
    })
    try {
      return await world.clock.flow(async () => {
        const session = await world.session(world.begin({}))
        expect(await register(world, session)).toEqual({ end: 'active' })
        await arm(session, '50000')
        await session.stop()
        const { pubkey } = await userOf(world.devnet)
        isHung = !beginsLater
        // A busy computer takes its time to begin a watch, and the rival does not wait for it.
        world.halt()
        isHeard = false
        const watch = beginWatch(
          [
            '--devnet',
            join(world.directory, 'descriptor.json'),
            '--lang',
            'en',
            '--guard',
            ...endpoints(world.devnet.descriptor.urls),
            `${pubkey}=mine`,
          ],
          { effects: withTrouble(world.begin({}).effects), directory: world.directory },
        )
        while (!isHeard) await world.clock.resting.sleep(100)
        if (beginsLater) {
          // The first looks are over before the trouble begins.
          await world.clock.resting.sleep(10_000)
          isHung = true
        }
        world.goOn()
        while (!isOutbid(world)) await world.clock.resting.sleep(1_000)
        await world.clock.resting.sleep(60_000)
        await watch.stop()
        const { validator } = await ownRecord(world)
        return {
          told: watch.told.filter(({ change }) => change === 'fired').map(({ alarm }) => alarm),
          isSaved: validator?.exitEpoch === FAR_FUTURE_EPOCH,
          sent: sentByGuard(world).length,
        }
      })
    } finally {
      await world.end()
    }
  }

  hardTest('is held by a watch, and saves by another node API while the own one hangs', async () => {
    const { told, isSaved } = await heldByWatch(({ node }) => ['--node', withOther(node)])
    expect(isSaved).toBe(true)
    expect(told).toContain('guard-sent')
    expect(told).toContain('drops-out')
    expect(told.filter((alarm) => alarm === 'guard-blind' || alarm === 'deposit-unexpected')).toEqual([])
  })

  hardTest(
    'is told to be blind where the node hangs and no other node API is set, and sends nothing',
    async () => {
      const { told, isSaved } = await heldByWatch(({ node }) => ['--node', node])
      expect(isSaved).toBe(false)
      expect(told).toContain('guard-blind')
      expect(told).not.toContain('guard-sent')
    },
  )

  /** The same endpoint under another name stands for that of somebody else. */
  const other = (url: string) => url.replace('127.0.0.1', 'localhost')
  const withOther = (url: string) => `${url},${other(url)}`
  const withOthers = ({ node, execution, engine }: World['devnet']['descriptor']['urls']) =>
    [
      ['--node', withOther(node)],
      ['--execution', withOther(execution)],
      ['--engine', withOther(engine)],
    ].flat()

  test('saves the place while the own node is stopped and its execution client stays at one block', async () => {
    let frozen: string | undefined
    const { told, isSaved, sent } = await heldByWatch(withOthers, {
      beginsLater: true,
      trouble: (asked, { devnet }, effects) => {
        const { node, execution, engine } = devnet.descriptor.urls
        if (asked.url.startsWith(node) || asked.url.startsWith(engine)) return hang(asked, effects)
        if (!asked.url.startsWith(execution)) return undefined
        frozen ??= `0x${devnet.chain.history.head.header.slot.toString(16)}`
        const { method, id } = JSON.parse(asked.body ?? '') as { method: string; id: number }
        const answer = { jsonrpc: '2.0', id, result: frozen }
        const body = new TextEncoder().encode(JSON.stringify(answer))
        if (method === 'eth_blockNumber')
          return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body })
        const then = asked.body?.replace(/"(?:latest|pending|finalized)"/g, `"${frozen}"`)
        return effects.http.request(then === undefined ? asked : { ...asked, body: then })
      },
    })
    expect({ isSaved, sent }).toEqual({ isSaved: true, sent: 1 })
    expect(told).toContain('guard-sent')
  })

  const TROUBLES: [string, Trouble][] = [
    [
      'is dead',
      (asked, _, effects) => (asked.url.includes('//localhost') ? hang(asked, effects) : undefined),
    ],
    [
      'is late',
      (asked, _, effects) =>
        asked.url.includes('//localhost')
          ? effects.clock.sleep(1_500, asked.signal).then(() => effects.http.request(asked))
          : undefined,
    ],
  ]

  test.each(one(TROUBLES, 1))(
    'saves the place, and the watch tells of it, while every other endpoint %s',
    async (_what, trouble) => {
      const { told, isSaved, sent } = await heldByWatch(withOthers, { trouble, beginsLater: true })
      expect({ isSaved, sent }).toEqual({ isSaved: true, sent: 1 })
      expect(told).toContain('drops-out')
      expect(told).toContain('guard-sent')
      expect(told).not.toContain('exit-begun')
      expect(told).not.toContain('dropped-out')
    },
  )
})
