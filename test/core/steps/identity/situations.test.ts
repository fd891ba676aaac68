import { describe, expect } from 'vitest'
import { type Next, namesKey } from '../../../../src/core/base/format/next.ts'
import { IDENTITY_TEXT } from '../../../../src/core/steps/identity/text.ts'
import { known } from '../../../../src/core/view/observation.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import type { AnyView } from '../../../../src/core/wizard/state.ts'
import { anyNumbers, pattern } from '../../../support/pattern.ts'
import type { Replay } from '../../../support/replay.ts'
import { asked, KEYS, rows, sentAs, situation } from '../../../support/situation.ts'

const REGISTERED = 'identity.registered'
const REPORTED = 'identity.unproven'
const BURNT = 'identity.burnt.unknown'
const UNSEEN = STEP_TEXT.sendsNothing(STEP_TEXT.left.unknown)
const LOST = (amount: string) => STEP_TEXT.sendsNothing(STEP_TEXT.left.lost(`${amount} BERA`))
const GONE = 'identity.left'

/** What the page says of the money, beside its title and in its band: one thing, not two. */
function toldOfMoney({ problem, money }: AnyView): string[] {
  const band = [
    { is: 'lost', says: anyNumbers(STEP_TEXT.left.lost('1 BERA')) },
    { is: 'unknown', says: pattern`^${STEP_TEXT.left.unknown} ` },
    { is: 'untouched', says: pattern`^${STEP_TEXT.left.paid('0 BERA')} ` },
  ].filter(({ says }) => says.test(money.line))
  return [problem?.lost === undefined ? `${problem?.money}` : 'lost', ...band.map(({ is }) => is)]
}

/** A key is refused by this problem, and the next step stays shut; what was paid for a key that the chain knows is not known. */
async function refused(it: Replay, id: string, left = UNSEEN): Promise<void> {
  await asked(it)
  const view = it.view('identity')
  expect(view).toMatchObject({ done: false, problem: { id } })
  expect(view.money.line).toBe(left)
  expect(new Set(toldOfMoney(view)).size, toldOfMoney(view).join(' beside ')).toBe(1)
  expect(await it.session.dispatch({ step: 'session', type: 'went', to: 'sign' })).toBe(false)
}

const beaconOf = (it: Replay) => known(it.session.getState().identity.observed.beacon)
const nodeOf = (it: Replay) => known(it.session.getState().identity.observed.node)

describe('a key is taken only when it is unused, sound and the running node’s', () => {
  situation(
    'a key before its first deposit',
    {
      slot: 187,
      key: KEYS.registered,
      recorded: 'registry, operators, engine, heads',
      madeUp: 'the key file',
    },
    async (it) => {
      await asked(it)
      expect(rows(it.view('identity'))).toMatchObject({
        home: expect.stringMatching(/^proven .*\b2 /),
        key: expect.stringMatching(/^proven /),
        engine: expect.stringMatching(/^proven /),
        operator: 'proven zero: never used',
        beacon: expect.stringMatching(/^unknown /),
        node: expect.stringMatching(/^proven new head, slot 18[89]$/),
      })
      expect(beaconOf(it)).toMatchObject({ index: undefined, provenSlot: undefined })
      expect(it.view('identity')).toMatchObject({
        done: true,
        verdict: { text: IDENTITY_TEXT.good.reported },
      })
      expect(await it.session.dispatch({ step: 'session', type: 'went', to: 'sign' })).toBe(true)
    },
  )

  situation(
    'a burnt first deposit: another amount was sent than signed',
    { slot: 210, key: KEYS.burnt, recorded: 'the deposit of block 203, its operator, a registry without it' },
    async (it) => {
      await refused(it, BURNT, LOST('10,001'))
      expect(rows(it.view('identity'))).toMatchObject({
        operator: expect.stringMatching(/^refused already set to 0x20f33ce9/i),
        beacon: expect.stringMatching(/^unknown /),
      })
      expect(beaconOf(it)).toMatchObject({ index: undefined, provenSlot: undefined })
      expect(it.view('identity').problem?.lines[0]).toMatch(/^10,001 BERA /)
    },
  )

  situation(
    'a burnt key is rescued only with its own operator typed again',
    { slot: 210, key: KEYS.burnt, recorded: 'the deposit of block 203, its operator, a registry without it' },
    async (it) => {
      await refused(it, BURNT, LOST('10,001'))
      const type = (text: string) => it.session.dispatch({ step: 'identity', type: 'rescueTyped', text })
      expect(it.view('identity').fields).toHaveLength(1)
      await type('0x4242424242424242424242424242424242424242')
      expect(it.view('identity').done).toBe(false)
      await type(sentAs('first deposit with another amount').operator)
      expect(it.view('identity')).toMatchObject({ done: true, fields: [] })
      expect(it.view('identity').problem).toBeUndefined()
      expect(rows(it.view('identity')).operator).toMatch(/^proven /)
      expect(it.view('identity').verdict?.text).toBe(IDENTITY_TEXT.good.rescued)
    },
  )

  situation(
    'a top-up before the registration: burnt, and the operator is set',
    {
      slot: 215,
      key: KEYS.rescued,
      recorded: 'the deposit of block 205, its operator, a registry without it',
    },
    async (it) => {
      await refused(it, BURNT, LOST('10,000'))
      expect(rows(it.view('identity'))).toMatchObject({
        operator: expect.stringMatching(/^refused already set to 0x20f33ce9/i),
        beacon: expect.stringMatching(/^unknown /),
      })
    },
  )

  situation(
    'the same key once it is rescued',
    { slot: 236, key: KEYS.rescued, recorded: 'both deposits, validator 4 from slot 230 on' },
    async (it) => {
      await refused(it, REPORTED)
      expect(rows(it.view('identity')).beacon).toMatch(/^refused .*: index 4, pending_initialized, /)
      expect(beaconOf(it)).toMatchObject({ index: 4, provenSlot: undefined })
    },
  )

  situation(
    'a first deposit that is on its way: in a block, not yet in the state',
    {
      slot: 196,
      key: KEYS.registered,
      recorded: 'the deposit of block 196, registries 196 to 198',
    },
    async (it) => {
      await asked(it)
      const view = it.view('identity')
      expect(view.problem).toBeUndefined()
      expect(view).toMatchObject({ done: false, waiting: { label: IDENTITY_TEXT.waiting } })
      expect(await it.session.dispatch({ step: 'session', type: 'went', to: 'sign' })).toBe(false)
      await it.until(({ identity }) => known(identity.observed.beacon)?.index !== undefined)
      await refused(it, REPORTED)
    },
  )

  situation(
    'a key that is registered',
    { slot: 201, key: KEYS.registered, recorded: 'validator 3 of slot 201, its proofs of slot 200' },
    async (it) => {
      await refused(it, REGISTERED)
      const view = it.view('identity')
      expect(view.problem?.next[0]).toSatisfy((step: Next) => namesKey(step, 'a'))
      expect(view.actions.map(({ key, label }) => `${key} ${label}`)).toContain('a adopt it')
      // Whoever compares an address must not be able to copy it from the screen.
      expect(JSON.stringify([view.fields, view.problem])).not.toMatch(/20f33CE90A13/i)
    },
  )

  situation(
    'a key that lost its place to a tie',
    { slot: 250, key: KEYS.genesis1, recorded: 'validator 1 of slot 250, exited at the turn of slot 248' },
    async (it) => {
      await refused(it, GONE)
      expect(rows(it.view('identity')).beacon).toMatch(/^refused .*: index 1, exited_unslashed, /)
      expect(beaconOf(it)).toMatchObject({ index: 1, provenSlot: undefined })
    },
  )

  situation(
    'a key whose stake was paid back',
    { slot: 325, key: KEYS.registered, recorded: 'validator 3 of slot 325' },
    async (it) => {
      await refused(it, GONE)
      expect(rows(it.view('identity')).beacon).toMatch(/^refused .*: index 3, withdrawal_done, /)
      expect(beaconOf(it)).toMatchObject({ index: 3, provenSlot: undefined })
      // What leads to a new key says that the commands show how one is made.
      const { problem, commands } = it.view('identity')
      expect(problem?.next.some((step) => namesKey(step, 'c'))).toBe(true)
      expect(commands[0]).toContain(' init new-key ')
      // What is said beside a refusal is no reason to go on.
      expect(rows(it.view('identity')).operator).toMatch(/^refused /)
    },
  )

  situation(
    'the engine runs with another key',
    {
      slot: 187,
      key: KEYS.odd,
      engineKey: KEYS.genesis1,
      recorded: 'the engine’s own key',
      madeUp: 'the key file',
    },
    async (it) => {
      await refused(it, 'identity.engine', STEP_TEXT.sendsNothing(STEP_TEXT.left.paid('0 BERA')))
      expect(it.view('identity').problem?.values).toEqual([
        { label: 'key file', value: KEYS.odd },
        { label: 'engine', value: KEYS.genesis1 },
      ])
    },
  )

  situation(
    'the chain stands still, and every service says that all is well',
    { slot: 187, key: KEYS.odd, stopsAt: 187, recorded: 'every reply of slot 187, again and again' },
    async (it) => {
      await asked(it)
      expect(rows(it.view('identity')).node).toMatch(/^refused .* slot \d+ for 1[01] s/)
      expect(nodeOf(it)).toMatchObject({ advanced: false, beside: { is: 'unknown' } })
      expect(it.view('identity').done).toBe(false)
      expect(await it.session.dispatch({ step: 'session', type: 'went', to: 'sign' })).toBe(false)
    },
  )

  situation(
    'the node lags behind the execution client',
    { slot: 230, nodeLagSlots: 33, key: KEYS.registered, recorded: 'both services, 33 slots apart' },
    async (it) => {
      await asked(it)
      const view = it.view('identity')
      expect(rows(view).beacon).toMatch(/^unknown /)
      expect(beaconOf(it)).toMatchObject({ index: undefined, provenSlot: undefined })
      expect(rows(view).operator).toMatch(/^refused /)
      expect(rows(view).node).toMatch(/^refused 33 slots /)
      expect(view.done).toBe(false)
    },
  )

  situation(
    'the second endpoint says that the key is used',
    {
      slot: 187,
      key: KEYS.odd,
      withSecond: true,
      second: (request, reply) =>
        reply !== 'close' && request.body.includes('0x9eaffa96')
          ? { ...reply, body: reply.body.replace(/0x0{64}/, `0x${'00'.repeat(12)}${'20'.repeat(20)}`) }
          : undefined,
      recorded: 'the first endpoint',
      madeUp: 'the second one’s operator',
    },
    async (it) => {
      await asked(it)
      expect(rows(it.view('identity'))).toMatchObject({
        operator: 'proven zero: never used',
        secondOperator: expect.stringMatching(/^refused already set to 0x2020/),
      })
      expect(it.view('identity').done).toBe(false)
    },
  )
})
