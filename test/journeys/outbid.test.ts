import { describe, expect, test } from 'vitest'
import { status } from '../../src/commands/status.ts'
import { receiptOf } from '../../src/compose/receipt-file.ts'
import { summaryOf } from '../../src/compose/summary.ts'
import type { Effects, HttpReply } from '../../src/core/base/effects/effects.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { STANDING_TEXT } from '../../src/core/chain/key-state/standing-text.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import { validatorIsActive } from '../../src/core/steps/status/machine.ts'
import { TOPUP_TEXT } from '../../src/core/steps/topup/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { hardTest } from '../support/hard.ts'
import { pattern } from '../support/pattern.ts'
import { press } from '../support/press.ts'
import { journey } from '../support/register.ts'
import { runCommandWith } from '../support/run-command.ts'
import { saidNext } from '../support/said.ts'
import { standOf } from '../support/stand-of.ts'
import { standing } from '../support/standing.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'

const statusOf = (session: Session) => viewOf('status', session.getState(), session)

const problemIs = (session: Session, words: RegExp) => () =>
  words.test(statusOf(session).problem?.title ?? '')

/** What `t` and the typed word do. */
async function topUpAsShown(session: Session): Promise<void> {
  const { setup } = session
  await press(session, 'status', 't')
  const ready = ({ topup }: State) => standOf(topup.send) === 'open' && gateIsOpen(topup.send.observed, setup)
  await until(session, ready)
  await press(session, 'topup', 'return')
  await until(session, (state) => standOf(state.topup.send) === 'paid')
  await session.dispatch({ step: 'session', type: 'went', to: 'status' })
}

/** The head when somebody's deposit takes the place away, and the one at which the screen tells it. */
async function untilTold(world: World, session: Session) {
  const rival = validatorKey(world.devnet.descriptor.seed, 'rival').pubkey
  const hasPaid = () => {
    const { validators, balancesGwei } = world.devnet.state()
    return (balancesGwei[validators.findIndex(({ pubkey }) => pubkey === rival)] ?? 0n) > tokens(10_000n)
  }
  await world.clock.flow(() => until(session, hasPaid))
  const paidSlot = world.devnet.state().slot
  await world.clock.flow(() =>
    until(session, problemIs(session, /^Your validator drops out of the active set at epoch/)),
  )
  return { paidSlot, toldSlot: world.devnet.state().slot }
}

async function ownRecord(world: World) {
  const { pubkey } = await userOf(world.devnet)
  return world.devnet.state().validators.find((each) => each.pubkey === pubkey)
}

describe('an active validator that is outbid', () => {
  test('is told when it drops out, what keeps its place and until when, and is saved by that', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session, ending }) => {
      expect(ending).toEqual({ end: 'active' })
      expect(statusOf(session).problem).toBeUndefined()
      // Whatever page is read, the alarm comes in front of it.
      await press(session, 'status', 'l')
      expect(statusOf(session).title).toBe('After activation')
      const { paidSlot, toldSlot } = await untilTold(world, session)
      expect(toldSlot - paidSlot).toBeLessThanOrEqual(1n)
      const { problem, money, actions, done, facts } = statusOf(session)
      expect(standing(session).is).toBe('dropping')
      const outEpoch = paidSlot / 8n + 3n
      const left = outEpoch * 8n - toldSlot + 1n
      expect(problem?.id).toBe(`status.drops-out.${outEpoch}`)
      expect(problem?.title).toContain(` ${outEpoch}: in ${left} slots, ${left} s.`)
      const sendBy = outEpoch * 8n - 1n - 6n
      const within = sendBy - toldSlot + 1n
      expect(problem?.lines).toEqual([
        expect.stringMatching(
          pattern`^${STANDING_TEXT.keepsPlace('20,000 BERA')} .* ${String(sendBy)}: .* ${String(within)} slots, ${String(within)} s\.$`,
        ),
        STANDING_TEXT.withoutIt(STANDING_TEXT.isLost('32 s')),
      ])
      expect(facts.find(({ id }) => id === 'rank')?.value).toBe(
        `13th for 12 places · cutoff 290,000 · you 280,000 · at epoch ${outEpoch}`,
      )
      expect(money.line).toMatch(/^staked 280,000 BERA .* 20,000 BERA /)
      expect(actions).toContainEqual(expect.objectContaining({ key: 't', label: 'top up 20,000' }))
      expect(done).toBe(false)
      // Where no key can be pressed, the command stands that leads to the amount, whole on one line.
      const { effects } = world.begin({})
      const { pubkey } = await userOf(world.devnet)
      const argv = ['--devnet', JSON.stringify(world.devnet.descriptor), '--validator', pubkey]
      const looked = await world.clock.flow(() => runCommandWith(status, argv, effects))
      expect(looked.out).toContain(`\n  next:\nbearings --validator ${pubkey} --topup 20000\n`)
      const alarms = new Set<string>()
      session.subscribe((_, event) => {
        if (event.step !== 'status' || event.type !== 'alarmed') return
        for (const { alarm } of event.alarms) alarms.add(alarm)
      })
      await world.clock.flow(() => topUpAsShown(session))
      await world.clock.flow(() => session.clock.sleep(40_000))
      expect((await ownRecord(world))?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
      expect(world.devnet.state().slot / 8n).toBeGreaterThan(outEpoch + 1n)
      expect(statusOf(session)).toMatchObject({ done: true })
      expect(statusOf(session).problem).toBeUndefined()
      // The own top-up is no deposit of somebody, and its problem was all that there was to tell.
      expect([...alarms]).toEqual([])
    }))

  hardTest(
    'finds the amount of an alarm ready beside the top-up that ended, and no word that its stake is enough',
    () =>
      journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
        await untilTold(world, session)
        const topUp = () => viewOf('topup', session.getState(), session)
        // As the command of the alarm does: the step, and the amount as if it had been typed there.
        await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
        await session.dispatch({ step: 'topup', type: 'chosen', text: '20000' })
        await world.clock.flow(() => until(session, ({ topup }) => standOf(topup.send) === 'paid'))
        expect(topUp().verdict?.next).toEqual(TOPUP_TEXT.verdict.proposed('20,000 BERA'))
        expect(topUp().actions).toContainEqual(expect.objectContaining({ key: 'o', label: 'top up 20,000' }))
        await press(session, 'topup', 'o')
        await world.clock.flow(() =>
          until(session, ({ topup }) => gateIsOpen(topup.send.observed, session.setup)),
        )
        expect(topUp().verdict?.text).toMatch(/^11th of 12 places: .* 10,000; /)
        expect(topUp().actions[0]).toMatchObject({ key: 'return', typed: 'send 20000' })
      }),
  )

  hardTest('is not told that its stake is enough where another top-up is begun without an amount', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
      await untilTold(world, session)
      const topUp = () => viewOf('topup', session.getState(), session)
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await press(session, 'topup', 'o')
      // The set that was seen before says nothing of what is needed now.
      expect(topUp().verdict?.text).not.toBe(TOPUP_TEXT.verdict.enough)
      await world.clock.flow(() =>
        until(session, ({ topup }) => gateIsOpen(topup.send.observed, session.setup)),
      )
      expect(topUp().done).toBe(false)
      expect(topUp().fields.find(({ id }) => id === 'amount')?.value).toBe('20,000')
      expect(topUp().actions[0]).toMatchObject({ key: 'return', typed: 'send 20000' })
    }),
  )

  test('is lost where nothing is done, at the epoch that was told', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
      await untilTold(world, session)
      const told = /epoch (\d+)/.exec(statusOf(session).problem?.title ?? '')?.[1]
      await world.clock.flow(() => session.clock.sleep(40_000))
      expect(String((await ownRecord(world))?.exitEpoch)).toBe(told)
      expect(standing(session).is).toMatch(/^(?:left|paid)$/)
      const { done, receipt } = summaryOf(session)
      expect(done).toBe(false)
      expect(receipt.next).toHaveLength(1)
    }))

  hardTest('is called active no more at the end where only the step of the top-up saw it drop out', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
      await untilTold(world, session)
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await press(session, 'topup', 'o')
      await world.clock.flow(() => session.clock.sleep(40_000))
      expect(viewOf('topup', session.getState(), session).problem?.id).toBe('topup.leaving')
      // The last step was not looked at since, and counts the validator still.
      expect(validatorIsActive(session.getState().status)).toBe(true)
      const { done, receipt } = summaryOf(session)
      expect(done).toBe(false)
      expect(receipt.next).toHaveLength(1)
      expect(receiptOf(session, { nowMs: 0 })).toMatchObject({ active: false })
    }),
  )

  hardTest(
    'is told how the time runs out while the own node hangs, and past the last block proposes no payment',
    async () => {
      const hung = new Map<string, HttpReply>()
      let hangs = false
      /** The node and its engine say again and again what they said of the head when they began to hang. */
      const withNode = (effects: Effects): Effects => ({
        ...effects,
        http: {
          async request(asked) {
            const isHead = /\/(?:head(?:\/.*|\?.*)?|status)$/.test(asked.url)
            const about = `${asked.url} ${asked.body ?? ''}`
            const before = isHead && hangs ? hung.get(about) : undefined
            if (before !== undefined) return before
            const reply = await effects.http.request(asked)
            if (isHead) hung.set(about, reply)
            return reply
          },
        },
      })
      await journey(
        { scenario: 'outbid-while-active', life: { mutate: withNode } },
        async ({ world, session }) => {
          await untilTold(world, session)
          const slots = () => /within (\d+) slots/.exec(statusOf(session).problem?.lines[0] ?? '')?.[1]
          await world.clock.flow(() => session.clock.sleep(2_000))
          hangs = true
          const lastBlock =
            BigInt(/epoch (\d+)/.exec(statusOf(session).problem?.title ?? '')?.[1] ?? 0) * 8n - 1n
          const before = Number(slots())
          await world.clock.flow(() => session.clock.sleep(4_000))
          // The head of the own node is no measure of the time that is left.
          expect(Number(slots())).toBeLessThanOrEqual(before - 3)
          const wrong: string[] = []
          let seen = 0
          let pointedElsewhere = 0
          while (world.devnet.state().slot < lastBlock + 12n) {
            await world.clock.flow(() => session.clock.sleep(1_000))
            const { slot } = world.devnet.state()
            const { problem, actions, money, title } = statusOf(session)
            const ways = saidNext(problem?.next ?? []).join(' ')
            if (/t tops up .* --validator \d+, .* a node that follows the chain/.test(ways))
              pointedElsewhere += 1
            // A look or two may be under way.
            if (slot < lastBlock + 2n) continue
            seen += 1
            const text = [
              title,
              problem?.title,
              ...(problem?.lines ?? []),
              ...saidNext(problem?.next ?? []),
              money.line,
            ].join(' ')
            if (/A top-up of|is needed|that is close|t tops up/.test(text)) wrong.push(`${slot} ${text}`)
            if (actions.some(({ key }) => key === 't')) wrong.push(`${slot} t`)
            if (!/too late for a top-up|not known/.test(text)) wrong.push(`${slot} ${text}`)
          }
          expect(seen).toBeGreaterThan(0)
          expect(pointedElsewhere).toBeGreaterThan(0)
          expect(wrong).toEqual([])
        },
      )
    },
  )
})
