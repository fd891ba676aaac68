import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Beside, NodeDoubt } from '../../src/core/chain/network/standstill.ts'
import { awaitedOf, chainSentence } from '../../src/core/observe/findings.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { SECOND } from '../support/adopting.ts'
import { answering } from '../support/answering.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { hardTest, one } from '../support/hard.ts'
import { keepingPool } from '../support/keeping-pool.ts'
import { pattern } from '../support/pattern.ts'
import { beginWithSecond, decided, sessionOfKind } from '../support/real-money.ts'
import { register } from '../support/register.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

const SLOT_MS = 1000
/** In no block for so many slots, a payment is stuck; without a new one for so many, the chain stands. */
const SLOTS = 10
const REPLACING = ['b', 'x']

/** What the page of the first deposit said while the payment was looked for. */
type Page = {
  atMs: number
  verdict: string
  notes: string
  /** The keys that replace the payment, in their order. */
  keys: readonly string[]
  waiting: { label: string; sinceMs: number | undefined } | undefined
}

/** Every page of the first deposit from the moment in which its bytes leave; then `onLeaving` is called once. */
function pagesOf(session: Session, onLeaving: () => void): readonly Page[] {
  const pages: Page[] = []
  let hasLeft = false
  session.subscribe((state, event) => {
    if (!hasLeft && event.step === 'deposit' && event.type === 'handed-over') {
      hasLeft = true
      onLeaving()
    }
    if (!hasLeft || state.step !== 'deposit') return
    const { verdict, notes, actions, waiting } = viewOf('deposit', state, session)
    const keys = actions.map(({ key }) => key).filter((key) => REPLACING.includes(key))
    const page = { verdict: verdict?.text ?? '', notes: notes.join(' '), keys, waiting }
    pages.push({ ...page, atMs: session.clock.monotonicMs() })
  })
  return pages
}

const head = (world: World): bigint => world.devnet.state().slot
const isStuck = ({ verdict, notes }: Page) => /stuck/i.test(`${verdict} ${notes}`)
const isOffered = ({ keys }: Page) => keys.length > 0
const doubtAt = (slot: bigint, beside: Beside): NodeDoubt => ({ is: 'still', slot, sinceMs: 0, beside })
const standsAt = (slot: bigint, beside: Beside) => PAYMENT_TEXT.verdict.noBlock(doubtAt(slot, beside))

/** Lets the rehearsal decide until the payment has left, and for so many slots more. */
async function until(session: Session, pages: readonly Page[], slots: number): Promise<void> {
  while (pages.length === 0) await session.clock.sleep(SLOT_MS)
  await session.clock.sleep(slots * SLOT_MS)
}

describe('a chain that makes no block while a payment is in the mempool', () => {
  test('is what the page says, before the keys that replace the payment; with its blocks the payment is in one', async () => {
    const world = await openWorld()
    const life = world.begin()
    await world.clock.flow(async () => {
      const session = await world.session(life)
      let last = 0n
      let haltedMs = 0
      const pages = pagesOf(session, () => {
        world.halt()
        last = head(world)
        haltedMs = session.clock.monotonicMs()
      })
      const ending = register(world, session)
      await until(session, pages, 4 * SLOTS)
      expect(pages.filter(isStuck)).toEqual([])
      const offered = pages.filter(isOffered)
      expect(new Set(offered.map(({ verdict }) => verdict))).toEqual(
        new Set([standsAt(last, { is: 'unknown' })]),
      )
      expect(offered.at(-1)).toMatchObject({
        keys: REPLACING,
        notes: expect.stringMatching(pattern`^${chainSentence({ is: 'unknown' })} .* b .*, x`),
        waiting: { label: awaitedOf(doubtAt(last, { is: 'unknown' })).label },
      })
      const sinceMs = offered.at(-1)?.waiting?.sinceMs ?? 0
      expect(Math.abs(sinceMs - haltedMs)).toBeLessThanOrEqual(SLOT_MS)
      world.goOn()
      expect(await ending).toEqual({ end: 'active' })
      expect(pages.filter(isStuck)).toEqual([])
    })
    expect(await ownDeposits(world)).toEqual([tokens(10_000n), tokens(270_000n)])
  })

  hardTest(
    'is borne out by another endpoint; with blocks again, a payment in none of them is stuck after its normal time',
    async () => {
      const world = await openWorld()
      const pool = keepingPool((place) => place === 0)
      const life = beginWithSecond(world, { mutate: pool.mutate })
      await world.clock.flow(async () => {
        const session = await sessionOfKind(world, life, 'test')
        let last = 0n
        const pages = pagesOf(session, () => {
          world.halt()
          last = head(world)
        })
        void register(world, decided(session))
        await until(session, pages, 4 * SLOTS)
        expect(pages.filter(isStuck)).toEqual([])
        const offered = pages.filter(isOffered)
        expect(new Set(offered.map(({ verdict }) => verdict))).toEqual(
          new Set([standsAt(last, { is: 'same', name: 'second.test' })]),
        )
        expect(offered.at(-1)?.notes).toMatch(pattern`^${chainSentence({ is: 'same', name: 'second.test' })}`)
        const again = pages.length
        world.goOn()
        const goesOnMs = session.clock.monotonicMs()
        await session.clock.sleep(3 * SLOTS * SLOT_MS)
        const stuck = pages.slice(again).filter(isStuck)
        expect(pages.at(-1)).toMatchObject({ keys: REPLACING, verdict: expect.stringMatching(/^Stuck: /) })
        const afterMs = (stuck[0]?.atMs ?? 0) - goesOnMs
        expect(afterMs).toBeGreaterThanOrEqual(SLOTS * SLOT_MS)
        expect(afterMs).toBeLessThanOrEqual((SLOTS + 2) * SLOT_MS)
      })
    },
  )

  test.each(
    one<[string, (newest: number) => number]>(
      [
        ['an old head, always the same', (newest) => newest],
        ['a head far ahead', (newest) => newest + 1000],
      ],
      1,
    ),
  )('is not what another endpoint makes it by %s: nothing is hidden', async (_, lie) => {
    const world = await openWorld()
    const pool = keepingPool((place) => place === 0)
    let told: number | undefined
    const life = beginWithSecond(world, {
      mutate: (effects) =>
        pool.mutate(
          answering(
            effects,
            ({ method }) =>
              method === 'eth_blockNumber' && told !== undefined
                ? Promise.resolve(numberToHex(told))
                : undefined,
            SECOND,
          ),
        ),
    })
    await world.clock.flow(async () => {
      const session = await sessionOfKind(world, life, 'test')
      let leftMs = 0
      const pages = pagesOf(session, () => {
        told = lie(Number(head(world)))
        leftMs = session.clock.monotonicMs()
      })
      void register(world, decided(session))
      await until(session, pages, 3 * SLOTS)
      expect(pages.filter(({ verdict }) => /No new block|makes no block/.test(verdict))).toEqual([])
      const first = pages.find(isOffered)
      expect(first).toMatchObject({ keys: REPLACING, verdict: expect.stringMatching(/^Stuck: /) })
      expect((first?.atMs ?? 0) - leftMs).toBeLessThanOrEqual((SLOTS + 2) * SLOT_MS)
    })
  })
})
