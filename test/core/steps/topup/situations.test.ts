import { describe, expect } from 'vitest'
import { TOPUP_CHECKS_TEXT, TOPUP_TEXT } from '../../../../src/core/steps/topup/text.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import { anyNumbers } from '../../../support/pattern.ts'
import type { Replay } from '../../../support/replay.ts'
import { failed } from '../../../support/replay-node.ts'
import type { RecordedSlot } from '../../../support/replay-recording.ts'
import type { Tamper } from '../../../support/replay-servers.ts'
import { gate, KEYS, pastConfirm, rows, sentAs, situation, untilSlot } from '../../../support/situation.ts'

const sent = { deposit: sentAs('first deposit, the minimum') }
const key = KEYS.registered
const RECORDED = 'validator 3, the full set of three, proofs of slot 200'

const choose = async (it: Replay, text: string): Promise<void> => {
  await it.session.dispatch({ step: 'topup', type: 'chosen', text })
  await it.pass(3)
}

/** Puts other balances in the place of a validator's; effective balance in whole steps. */
const withStake =
  (pubkey: string, balance: string, effective: string) =>
  (slot: RecordedSlot): RecordedSlot => ({
    ...slot,
    validators: slot.validators.map((entry) => {
      if (entry.validator.pubkey !== pubkey) return entry
      const validator = { ...entry.validator, effective_balance: effective }
      return { ...entry, balance, validator }
    }),
  })

const actions = (it: Replay): string[] => it.view('topup').actions.map(({ key }) => key)

/** Of most slots the whole state was not recorded; here the node does not offer any. */
const withoutState: Tamper = ({ path }) =>
  path.startsWith('/eth/v2/debug/') ? failed(500, 'endpoint debug is not yet implemented') : undefined

/** The recorded set with all of its places taken. */
const FULL = {
  slot: 199,
  key,
  sent,
  node: withoutState,
  recorded: RECORDED,
  madeUp: 'a node that offers no whole state',
}

describe('a top-up is offered with what it buys on the recorded set', () => {
  situation('the set is full: the threshold alone is a tie, one step more wins', FULL, async (it) => {
    await pastConfirm(it, 'topup')
    await it.until(({ topup }) => topup.send.observed.dryRun.status === 'known')
    await it.pass(1)
    const view = it.view('topup')
    expect(rows(view)).toEqual({
      threshold: expect.stringMatching(/^refused 3rd of 3 places, a tie: /),
      amount: expect.stringMatching(/^proven .* 10,000$/),
    })
    expect(view.facts.map(({ label }) => label)).toEqual(['+240,000 → 250,000', '+250,000 → 260,000'])
    expect(view.ranks.map(({ rank, mine, note }) => ({ rank, mine, note }))).toEqual([
      { rank: 1, mine: false, note: '' },
      { rank: 2, mine: false, note: '' },
      { rank: 3, mine: true, note: 'you, last place' },
      { rank: 4, mine: false, note: 'out' },
    ])
    expect(gate(view)).toMatchObject({
      key: `proven ${TOPUP_CHECKS_TEXT.reported(TOPUP_CHECKS_TEXT.holds(200n))}`,
      calldata: `proven ${TOPUP_CHECKS_TEXT.asTopUp}`,
      nonce: 'proven 1, none waiting',
    })
    expect(view.actions[0]).toMatchObject({ typed: 'send 250000' })
    expect(view.money.line).toMatch(/^left the wallet 10,000 BERA · next 250,000 BERA \+ fee up to 0\.0\d+$/)
  })

  situation(
    'an amount that its own row refuses is a risk in the verdict, too, whatever the checks say',
    FULL,
    async (it) => {
      await pastConfirm(it, 'topup')
      await choose(it, '240000')
      await it.until(({ topup }) => topup.send.observed.dryRun.status === 'known')
      await it.pass(1)
      const view = it.view('topup')
      expect(view.actions[0]).toMatchObject({ typed: 'risk 240000' })
      expect(view.verdict).toEqual({
        mark: 'refused',
        text: expect.stringContaining(': 3rd of 3 places, '),
        next: TOPUP_TEXT.verdict.risk(TOPUP_TEXT.verdict.place('250,000 BERA')),
      })
    },
  )

  situation(
    'on real money a place in a set that only the node vouches for is a risk, in the word that is typed',
    {
      slot: 199,
      key,
      sent,
      kind: 'real',
      withSecond: true,
      node: withoutState,
      recorded: RECORDED,
      madeUp: 'a node that offers no whole state',
    },
    async (it) => {
      await pastConfirm(it, 'topup')
      await it.until(({ topup }) => topup.send.observed.dryRun.status === 'known')
      await it.pass(1)
      const view = it.view('topup')
      expect(gate(view).key).toBe(`proven ${TOPUP_CHECKS_TEXT.reported(TOPUP_CHECKS_TEXT.holds(200n))}`)
      expect(view.actions[0]).toMatchObject({ typed: 'risk 250000' })
    },
  )

  situation(
    'one token less than the threshold counts as 10,000 less',
    { slot: 199, key, sent, recorded: RECORDED },
    async (it) => {
      await pastConfirm(it, 'topup')
      await it.pass(3)
      await choose(it, '239999')
      const view = it.view('topup')
      expect(rows(view).amount).toMatch(/^refused .* 10,000 BERA /)
      expect(view.money.worst).toBe(TOPUP_TEXT.money.locked('250,000 BERA'))
    },
  )

  situation(
    'the last part is too small to count: hysteresis before Fulu',
    {
      slot: 199,
      key,
      sent,
      change: (slot) => (slot.slot < 201 ? slot : withStake(key, '240000000000000', '240000000000000')(slot)),
      recorded: 'the rules in spec.toml, the others of the set',
      madeUp: 'a balance of 240,000 in the registry, once the registration is proven',
    },
    async (it) => {
      await pastConfirm(it, 'topup')
      await it.pass(3)
      await choose(it, '10000')
      const view = it.view('topup')
      expect(view.facts.find(({ id }) => id === 'amount')?.label).toBe('+10,000 → 250,000')
      expect(rows(view).amount).toMatch(/^refused .* 10,000 BERA /)
      await choose(it, '20000')
      expect(rows(it.view('topup')).amount).toMatch(/^proven .* 10,000$/)
    },
  )

  situation(
    'too little stake for the set: activated and sent away at the same turn',
    {
      slot: 416,
      key: KEYS.odd,
      sent: { deposit: sentAs('first deposit, odd amount') },
      recorded: 'validator 6, the set of 5,000,000, 460,000 and 300,000, proofs of slot 416',
    },
    async (it) => {
      await pastConfirm(it, 'topup')
      await it.pass(3)
      await choose(it, '200000')
      const view = it.view('topup')
      expect(rows(view).amount).toMatch(/^refused 4th for 3 places, /)
      expect(actions(it)).not.toContain('return')
      expect(view.money.worst).toMatch(anyNumbers(TOPUP_TEXT.money.outbid('32 s')))
    },
  )

  situation(
    'after the exit nothing may be added',
    {
      slot: 199,
      key,
      sent,
      recorded: 'validator 3 from its registration to its exit at slot 280 and its end at slot 320',
    },
    async (it) => {
      await pastConfirm(it, 'topup')
      await untilSlot(it, 283)
      for (const slot of [283, 325]) {
        await untilSlot(it, slot)
        const view = it.view('topup')
        expect(view.problem).toMatchObject({
          id: 'topup.leaving',
        })
        expect(view.ranks).toEqual([])
        expect(view.money.line).not.toMatch(/ fee /)
        // Nothing is chosen any more, and no row says what an amount would come to.
        expect(actions(it)).toEqual(['r', 'w'])
        expect(view.facts.map(({ id }) => id)).toEqual([])
      }
    },
  )

  situation(
    'the chain stands still: the gate stays shut',
    { slot: 199, key, sent, stopsAt: 201, recorded: `${RECORDED}, then nothing new` },
    async (it) => {
      await pastConfirm(it, 'topup')
      await it.pass(40)
      await choose(it, '260000')
      const view = it.view('topup')
      expect(gate(view)).toMatchObject({
        chain: 'refused 80087, block 201 (too old)',
        key: `unknown ${STEP_TEXT.doubt.old(200n)}`,
      })
      expect(actions(it)).not.toContain('return')
    },
  )

  situation(
    'the second endpoint names another root: real money stays',
    {
      slot: 199,
      key,
      sent,
      kind: 'real',
      withSecond: true,
      stopsAt: 201,
      recorded: RECORDED,
      node: withoutState,
      madeUp:
        'the root of the second endpoint, once the registration is proven; a node that offers no whole state',
      second: (request, reply) =>
        request.body.includes('0x000f3df6d7') && lying && reply !== 'close'
          ? { ...reply, body: reply.body.replace(/"result":"0x..../, '"result":"0xbad0') }
          : undefined,
    },
    async (it) => {
      await pastConfirm(it, 'topup')
      lying = true
      await choose(it, '260000')
      expect(gate(it.view('topup'))).toMatchObject({
        key: expect.stringMatching(/^unknown .* http/),
      })
      expect(actions(it)).not.toContain('return')
    },
  )
})

let lying = false
