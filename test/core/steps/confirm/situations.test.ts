import { describe, expect } from 'vitest'
import { awaitedOf } from '../../../../src/core/observe/findings.ts'
import { CONFIRM_TEXT, eventText } from '../../../../src/core/steps/confirm/facts.ts'
import { registrationFact } from '../../../../src/core/steps/confirm/machine.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import { faultCode } from '../../../support/fault-code.ts'
import type { Replay } from '../../../support/replay.ts'
import type { Tamper } from '../../../support/replay-servers.ts'
import { KEYS, rows, sentAs, situation, toConfirm, untilSlot } from '../../../support/situation.ts'

const sent = { deposit: sentAs('first deposit, the minimum') }
const key = KEYS.registered
const RECORDED = 'deposit of block 196, receipt, registry, proofs of slots 200 and 218, EIP-4788 roots'
const LOST = CONFIRM_TEXT.worst.open

/** What the recorded network cannot be made to prove stays unproven, and the way to the top-up stays shut. */
async function notProven(it: Replay): Promise<void> {
  expect(it.view('confirm').done).toBe(false)
  expect(it.view('confirm').money.line).toBe(STEP_TEXT.sendsNothing(STEP_TEXT.left.paid('10,000 BERA')))
  expect(await it.session.dispatch({ step: 'session', type: 'went', to: 'topup' })).toBe(false)
}

/** What the account holds from the block of the deposit on, by so many wei more than was recorded. */
const richer =
  (byWei: bigint): Tamper =>
  ({ body }, reply) => {
    const asked = body.includes('"eth_getBalance"') && body.includes('"0xc4"')
    if (reply === 'close' || !asked) return undefined
    const told = /"result":"(0x\w+)"/
    const after = (_: string, wei: string) => `"result":"0x${(BigInt(wei) + byWei).toString(16)}"`
    return { ...reply, body: reply.body.replace(told, after) }
  }

let forgotten = false

/** As a client in full mode answers for a block of which it keeps no state. */
const forgets =
  (isGone: () => boolean): Tamper =>
  ({ body }, reply) => {
    if (reply === 'close' || !isGone() || !body.includes('"eth_getBalance"')) return undefined
    const { id } = JSON.parse(body) as { id: number }
    const error = { code: -32_000, message: 'missing trie node' }
    return { ...reply, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
  }

const AMOUNT = eventText({ is: 'not-as-signed', fields: ['amount'] })

describe('a registration counts only once it is proven and anchored', () => {
  situation(
    'first the state does not know the key, then it is proven at the first slot with proofs',
    { slot: 196, key, sent, recorded: RECORDED },
    async (it) => {
      expect(await toConfirm(it)).toBe(true)
      const early = it.view('confirm')
      expect(early.money.worst).toBe(LOST)
      await it.until(() => it.view('confirm').done)
      expect(it.slot()).toBe(201)
      expect(rows(it.view('confirm'))).toEqual({
        event: `proven ${eventText({ is: 'as-signed', index: 3n })}`,
        balance: 'proven fell by 10,000.000093025 BERA',
        beacon: 'proven validator 3, 10,000 BERA',
        proofs: 'proven valid, slot 200',
        signed: expect.stringMatching(/^unasked /),
        anchor: 'proven confirms the root',
      })
      expect(it.view('confirm').money).toEqual({
        line: STEP_TEXT.sendsNothing(`${STEP_TEXT.left.paid('10,000 BERA')} (proven)`),
        worst: CONFIRM_TEXT.worst.none,
      })
    },
  )

  situation(
    'what the wallet fell by is told, and decides nothing: anybody can pay into it in the same block',
    {
      slot: 199,
      key,
      sent,
      execution: richer(1n),
      recorded: RECORDED,
      madeUp: 'one wei more in the account after the block of the deposit',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(() => it.view('confirm').done)
      expect(rows(it.view('confirm')).balance).toMatch(/^proven .* 0\.000000000000000001 BERA /)
      expect(it.view('confirm').money.worst).toBe(CONFIRM_TEXT.worst.none)
    },
  )

  situation(
    'more left the wallet in that block than was paid: the row says so, and the proof stands',
    {
      slot: 199,
      key,
      sent,
      execution: richer(-2_000_000_000_000_000_000n),
      recorded: RECORDED,
      madeUp: 'two tokens less in the account after the block of the deposit',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(() => it.view('confirm').done)
      expect(rows(it.view('confirm')).balance).toMatch(/^refused .* 2 BERA /)
    },
  )

  situation(
    'the block of the deposit is older than what the endpoint keeps: the row says so, and nothing is shown as good',
    {
      slot: 324,
      key,
      sent,
      execution: forgets(() => true),
      recorded: RECORDED,
      madeUp: 'no state of old blocks',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(({ confirm }) => confirm.observed.balance.status === 'known')
      expect(rows(it.view('confirm')).balance).toMatch(/^unasked .* block 196 .* 128 blocks$/)
      const { facts } = it.view('confirm')
      expect(facts.find(({ id }) => id === 'balance')?.explain.what).toMatch(/\b128\b/)
    },
  )

  situation(
    'what the wallet fell by stays as it was seen when the rest is asked again',
    {
      slot: 199,
      key,
      sent,
      execution: forgets(() => forgotten),
      recorded: RECORDED,
      madeUp: 'after the first look no state of old blocks',
    },
    async (it) => {
      forgotten = false
      await toConfirm(it)
      await it.until(() => it.view('confirm').done)
      forgotten = true
      await it.session.dispatch({ step: 'confirm', type: 'retried' })
      await it.until(() => it.view('confirm').done)
      expect(rows(it.view('confirm')).balance).toBe('proven fell by 10,000.000093025 BERA')
    },
  )

  situation(
    'an endpoint that gives no balance of a young block is not excused',
    { slot: 199, key, sent, execution: forgets(() => true), recorded: RECORDED, madeUp: 'no balances' },
    async (it) => {
      await toConfirm(it)
      await it.until(() => it.view('confirm').done)
      expect(rows(it.view('confirm')).balance).toMatch(/^unknown /)
      expect(faultCode(it.session.getState().confirm.observed.balance)).toBe('client.rejected')
    },
  )

  situation(
    'the deposit is in a block and the chain stands still before the state has it',
    { slot: 196, key, sent, stopsAt: 197, recorded: 'block 196, the registry of slot 197, again and again' },
    async (it) => {
      await toConfirm(it)
      await it.pass(20)
      const view = it.view('confirm')
      expect(rows(view)).toMatchObject({
        event: expect.stringMatching(/^proven /),
        beacon: expect.stringMatching(/^unknown .* slot 197$/),
        proofs: `unasked ${STEP_TEXT.row.unasked}`,
      })
      expect(view.problem).toBeUndefined()
      expect(view.waiting?.label).toBe(
        awaitedOf({ is: 'still', slot: 197n, sinceMs: 0, beside: { is: 'unknown' } }).label,
      )
      expect(view.money.worst).toBe(LOST)
      await notProven(it)
    },
  )

  situation(
    'our own deposit carried another amount than was signed: burnt',
    {
      slot: 204,
      key: KEYS.burnt,
      sent: { deposit: sentAs('first deposit with another amount'), signedGwei: 10_000_000_000_000n },
      recorded: 'the deposit of block 203, its event, registries without it',
    },
    async (it) => {
      await toConfirm(it)
      await it.pass(20)
      const view = it.view('confirm')
      expect(rows(view)).toMatchObject({
        event: `refused ${AMOUNT}`,
        beacon: expect.stringMatching(/^refused /),
      })
      expect(it.session.getState().confirm.observed.beacon).toMatchObject({ value: 'absent' })
      expect(view.problem).toMatchObject({
        id: 'confirm.other-event',
        money: 'moved',
        lines: [AMOUNT],
      })
      expect(view.money.line).toBe(STEP_TEXT.sendsNothing(STEP_TEXT.left.paid('10,001 BERA')))
      expect(view.done).toBe(false)
    },
  )

  situation(
    'somebody else registered the key first',
    {
      slot: 199,
      key,
      sent,
      change: (slot) => ({
        ...slot,
        validators: slot.validators.map((entry) => ({
          ...entry,
          validator: {
            ...entry.validator,
            withdrawal_credentials: `0x01${'00'.repeat(11)}${'bb'.repeat(20)}`,
          },
        })),
      }),
      recorded: RECORDED,
      madeUp: 'the credentials in the registry',
    },
    async (it) => {
      await toConfirm(it)
      await it.pass(5)
      expect(it.view('confirm').problem).toMatchObject({
        id: 'confirm.other-data',
        money: 'moved',
      })
      await notProven(it)
    },
  )

  situation(
    'real money wants a second endpoint',
    { slot: 199, key, sent, kind: 'real', recorded: RECORDED },
    async (it) => {
      await toConfirm(it)
      await it.until(({ confirm }) => confirm.observed.anchor.status === 'known')
      expect(rows(it.view('confirm'))).toMatchObject({
        anchor: 'proven confirms the root',
        secondAnchor: expect.stringMatching(/^unasked /),
      })
      expect(it.view('confirm').money.worst).toBe(CONFIRM_TEXT.worst.proven)
      await notProven(it)
    },
  )

  situation(
    'real money, proven by two endpoints',
    { slot: 199, key, sent, kind: 'real', withSecond: true, recorded: RECORDED },
    async (it) => {
      await toConfirm(it)
      await it.until(() => it.view('confirm').done)
      expect(it.view('confirm').notes).toEqual([CONFIRM_TEXT.anchored({ anchors: 2 }, it.session.setup)])
      const { session } = it
      const { confirm } = session.getState()
      const { endpoints } = session.setup
      const twice = { ...endpoints, secondExecution: `${endpoints.execution}/of-another` }
      const facts = session.facts()
      expect(registrationFact(confirm, facts, session.setup)?.anchors).toBe(2)
      expect(registrationFact(confirm, facts, { ...session.setup, endpoints: twice })).toBeUndefined()
    },
  )

  situation(
    'the rescue of a burnt key is proven like any registration',
    {
      slot: 229,
      key: KEYS.rescued,
      sent: { deposit: sentAs('valid signature after a burnt deposit') },
      recorded: 'deposit of block 228, registry, proofs of slots 236 and 254',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(() => it.view('confirm').done)
      expect(rows(it.view('confirm'))).toMatchObject({
        beacon: 'proven validator 4, 10,000 BERA',
        proofs: expect.stringMatching(/^proven valid, slot 2(36|54)$/),
      })
    },
  )

  situation(
    'our validator is on its way out',
    { slot: 281, key, sent, recorded: 'validator 3 of slot 281, exited at the turn of slot 280' },
    async (it) => {
      await toConfirm(it)
      await it.pass(5)
      const view = it.view('confirm')
      expect(view.problem?.id).toBe('confirm.left')
      expect(view.done).toBe(false)
      await untilSlot(it, 325)
      expect(it.view('confirm').problem?.id).toBe('confirm.left')
    },
  )
})
