import { getAddress } from 'viem/utils'
import { describe, expect } from 'vitest'
import { addressOf } from '../../../../src/core/chain/deposit/credentials.ts'
import { TOOL_TEXT } from '../../../../src/core/steps/status/facts.ts'
import { STATUS_TEXT } from '../../../../src/core/steps/status/text.ts'
import type { Replay } from '../../../support/replay.ts'
import { madeUp } from '../../../support/replay-made-up.ts'
import { genesisValidator, type RecordedSlot } from '../../../support/replay-recording.ts'
import { KEYS, pastConfirm, rows, sentAs, situation, untilSlot } from '../../../support/situation.ts'
import { doubtIn, standing } from '../../../support/standing.ts'

const sent = { deposit: sentAs('first deposit, the minimum') }
const key = KEYS.registered

/** Beside validator 1 of the genesis file, at the slot of which everything was recorded. */
const WHOLE_STATE = {
  slot: 187,
  key: KEYS.genesis1,
  sent: { deposit: madeUp.genesisDeposit(genesisValidator(KEYS.genesis1)) },
  madeUp: 'its first deposit, because it was there from the start',
}

/** The view as it is when the snapshot has seen this slot. */
async function at(it: Replay, slot: number) {
  await untilSlot(it, slot)
  await it.until(({ status }) => {
    const { snapshot } = status.observed
    return snapshot.status === 'known' && snapshot.value.consensus.slot >= BigInt(slot)
  })
  return it.view('status')
}

let silent = false

const states = (view: Awaited<ReturnType<typeof at>>) =>
  view.timeline.map(({ id, state }) => `${id} ${state}`)

describe('the way to the engine’s set, and out of it, slot by slot', () => {
  situation(
    'from the registration to a place, and to its loss',
    { slot: 199, key, sent, recorded: 'registry and engine set of slots 199 to 325' },
    async (it) => {
      await pastConfirm(it, 'status')
      const early = await at(it, 210)
      expect(rows(early)).toMatchObject({
        status: expect.stringMatching(/^proven /),
        rank: expect.stringMatching(/^unasked /),
        power: 'asking none yet',
        node: 'proven this key, synced, head is new',
      })
      expect(standing(it.session)).toMatchObject({ is: 'below', status: 'pending_initialized' })
      expect(early.timeline[1]).toMatchObject({ label: 'threshold', when: STATUS_TEXT.timeline.topUp })
      const paid = await at(it, 231)
      expect(rows(paid)).toMatchObject({
        balance: 'proven 250,000 BERA, effective 10,000',
        status: expect.stringMatching(/^proven /),
      })
      expect(paid.timeline[1]).toMatchObject({ label: 'threshold', state: 'now', when: 'epoch 29' })
      const tied = await at(it, 233)
      expect(tied.timeline[1]).toMatchObject({ label: 'threshold passed', state: 'done' })
      expect(rows(tied)).toMatchObject({
        status: expect.stringMatching(/^proven /),
        balance: 'proven 250,000 BERA, effective 250,000',
        rank: 'refused 3 of 3 · cutoff 250,000 · margin 0 · at epoch 31',
      })
      const queued = await at(it, 241)
      expect(rows(queued).status).toMatch(/^proven /)
      expect(standing(it.session)).toMatchObject({ status: 'pending_queued' })
      expect(states(queued)).toContain('eligible done')
      const turned = await at(it, 248)
      expect(rows(turned)).toMatchObject({
        status: 'proven active',
        power: 'asking none yet',
      })
      expect(turned).toMatchObject({
        done: false,
      })
      expect(standing(it.session)).toMatchObject({ is: 'before-engine', status: 'active_ongoing' })
      const hasPlace = await at(it, 251)
      expect(hasPlace).toMatchObject({ done: true })
      expect(standing(it.session)).toEqual({ is: 'active', contact: 'sound', status: 'active_ongoing' })
      expect(rows(hasPlace).power).toBe('proven 250,000 of 5,550,000, 3 members')
      expect(rows(hasPlace).tool).toBe(`unknown ${TOOL_TEXT.power.behind('5,000,000', '194')}`)
      expect(hasPlace.timeline.find(({ id }) => id === 'engine')).toMatchObject({ when: 'slot 250' })
      const left = await at(it, 280)
      expect(rows(left)).toMatchObject({
        status: expect.stringMatching(/^refused /),
        rank: expect.stringMatching(/^refused /),
      })
      expect(left).toMatchObject({
        done: false,
        money: { line: expect.stringContaining('staked 250,000 BERA, coming back') },
        problem: {
          id: 'status.left',
          title: expect.stringContaining('epoch 35'),
          money: 'moved',
          values: [{ label: 'pays out to', value: getAddress(addressOf(sent.deposit.credentials)) }],
        },
        actions: [{ key: 'a', label: STATUS_TEXT.keys.know }, { key: 'l' }],
      })
      expect(standing(it.session)).toMatchObject({ is: 'left', status: 'exited_unslashed' })
      expect(left.problem?.lines[0]).toMatch(/ 250,000 BERA .* from epoch 39 on: in 3[12] slots, 3[12] s\.$/)
      expect(states(left).slice(-2)).toEqual(['left done', 'paid now'])
      expect(left.timeline.at(-1)).toMatchObject({
        when: 'from epoch 39',
        detail: expect.stringMatching(/^in \d+ slots/),
      })
      const payingBack = await at(it, 313)
      expect(rows(payingBack)).toMatchObject({
        status: expect.stringMatching(/^refused /),
        power: 'refused none any more',
      })
      expect(standing(it.session)).toEqual({ is: 'paid', contact: 'sound', status: 'withdrawal_possible' })
      expect(payingBack.problem?.lines[0]).not.toMatch(/\d/)
      const done = await at(it, 322)
      expect(rows(done).status).toMatch(/^refused /)
      expect(standing(it.session)).toMatchObject({ is: 'paid', status: 'withdrawal_done' })
      expect(states(done)).toEqual([
        'registered done',
        'threshold done',
        'eligible done',
        'active done',
        'engine done',
        'left done',
        'paid done',
      ])
      expect(rows(done).balance).toBe('proven 0 BERA, effective 0')
    },
  )

  situation(
    'a top-up after the end comes back by itself',
    {
      slot: 199,
      key,
      sent,
      recorded: 'the top-up of block 359, its balance in slot 361, its payment in slot 362',
    },
    async (it) => {
      await pastConfirm(it, 'status')
      const added = await at(it, 361)
      expect(rows(added)).toMatchObject({
        status: expect.stringMatching(/^refused /),
        balance: 'proven 87,316 BERA, effective 0',
      })
      expect(standing(it.session)).toMatchObject({ is: 'left', status: 'withdrawal_done' })
      expect(added.problem).toMatchObject({ id: 'status.left', money: 'moved' })
      expect(added.problem?.lines[0]).toMatch(/ 87,316 BERA /)
      expect(added.problem?.lines[0]).not.toMatch(/epoch \d/)
      expect(rows(await at(it, 363)).balance).toBe('proven 0 BERA, effective 0')
    },
  )

  situation(
    'a place lost to a tie: equal stake, the smaller key goes',
    {
      slot: 235,
      key: KEYS.genesis1,
      sent: { deposit: madeUp.genesisDeposit(genesisValidator(KEYS.genesis1)) },
      recorded: 'validator 1, the tie at the turn of slot 248, proofs of slot 236',
      madeUp: 'its first deposit, because it was there from the start',
    },
    async (it) => {
      await pastConfirm(it, 'status')
      const hasPlace = await at(it, 241)
      expect(standing(it.session)).toMatchObject({ is: 'dropping' })
      expect(hasPlace.problem).toMatchObject({ id: 'status.drops-out.31', kind: 'warning' })
      expect(hasPlace.problem?.title).toMatch(/ epoch 31: in 7 slots, \d+ s\.$/)
      expect(rows(hasPlace).rank).toBe('refused 4th for 3 places · cutoff 250,000 · you 250,000')
      const lost = await at(it, 248)
      expect(lost).toMatchObject({ done: false, problem: { id: 'status.left' } })
      expect(standing(it.session)).toMatchObject({ is: 'left', status: 'exited_unslashed' })
      expect(rows(lost).status).toMatch(/^refused /)
    },
  )

  situation(
    'a place lost at the turn that gave it',
    {
      slot: 199,
      key,
      sent,
      change: (slot) => evictedAtOnce(slot),
      recorded: 'everything but the exit',
      madeUp: 'the exit of validator 3 at its own activation, slot 248',
    },
    async (it) => {
      await pastConfirm(it, 'status')
      const lost = await at(it, 249)
      expect(lost).toMatchObject({
        done: false,
        problem: { id: 'status.lost-at-once', money: 'moved' },
      })
      expect(standing(it.session)).toMatchObject({ is: 'left' })
      expect(states(lost).filter((row) => !row.endsWith('done'))).toEqual(['paid now'])
      expect(states(lost)).not.toContain('active done')
    },
  )

  situation(
    'a top-up that waits for the turn: the balance is there, the effective balance is not',
    {
      slot: 289,
      key: KEYS.evicting,
      sent: { deposit: sentAs('first deposit above the threshold') },
      recorded: 'validator 5, its top-ups of blocks 308 and 331, the turns of slots 312 and 336',
    },
    async (it) => {
      await pastConfirm(it, 'status')
      expect(rows(await at(it, 310)).balance).toBe('proven 440,256 BERA, effective 420,000')
      expect(rows(await at(it, 312))).toMatchObject({
        balance: 'proven 440,256 BERA, effective 440,000',
        power: 'proven 420,000 of 5,720,000, 3 members',
      })
      expect(rows(await at(it, 315)).power).toBe('proven 440,000 of 5,740,000, 3 members')
      expect(rows(await at(it, 334)).balance).toBe('proven 468,152 BERA, effective 440,000')
      expect(rows(await at(it, 337)).balance).toBe('proven 468,152 BERA, effective 460,000')
    },
  )

  situation(
    'the chain stands still while all services say that it is well',
    { slot: 199, key, sent, stopsAt: 203, recorded: 'every reply of slot 203, again and again' },
    async (it) => {
      await pastConfirm(it, 'status')
      await it.pass(20)
      expect(rows(it.view('status')).node).toMatch(/^refused this key, .* slot \d+ for 1\d s/)
      expect(doubtIn(it.session)).toMatchObject({ is: 'still', beside: { is: 'unknown' } })
    },
  )

  situation(
    'the node falls silent: what was last heard stays in sight, and reports that it is synced old',
    {
      slot: 199,
      key,
      sent,
      node: ({ path }, reply) => (silent && path.includes('/states/') ? 'close' : reply),
      recorded: 'registry and engine set of slots 199 to 214',
      madeUp: 'that the node API answers nothing about its states any more',
    },
    async (it) => {
      await pastConfirm(it, 'status')
      const heard = await at(it, 210)
      silent = true
      await it.until(({ status }) => status.observed.snapshot.status === 'failed')
      const old = it.view('status')
      silent = false
      expect(states(old)).toEqual(states(heard))
      expect(standing(it.session)).toMatchObject({ is: 'below', contact: 'doubt' })
      expect(doubtIn(it.session)?.is).toBe('silent')
      expect(old.intro).toMatch(/: slot 21\d · epoch 26\. /)
      expect(old.money.line).toMatch(/^staked 10,000 BERA /)
      expect(rows(old).balance).toMatch(/^unknown /)
    },
  )

  situation(
    'the first block of its own',
    {
      slot: 199,
      key,
      sent,
      node: ({ path }, reply) => {
        if (reply === 'close' || !path.includes('/headers/')) return undefined
        const proposer = reply.body.includes('"slot":"255"') ? 3 : 0
        return {
          ...reply,
          body: reply.body.replace(/"proposer_index":"\d+"/, `"proposer_index":"${proposer}"`),
        }
      },
      recorded: 'registry and engine set of slots 199 to 258',
      madeUp: 'who proposed which block',
    },
    async (it) => {
      await pastConfirm(it, 'status')
      const block = (view: Awaited<ReturnType<typeof at>>) => {
        const row = view.timeline.find(({ id }) => id === 'block')
        return [row?.state, row?.when]
      }
      expect(block(await at(it, 248))).toEqual(['ahead', ''])
      expect(block(await at(it, 252))).toEqual(['now', STATUS_TEXT.timeline.chosen])
      expect(block(await at(it, 258))).toEqual(['done', 'slot 255'])
      await it.session.dispatch({ step: 'session', type: 'went', to: 'confirm' })
      await it.session.dispatch({ step: 'session', type: 'went', to: 'status' })
      expect(block(await at(it, 262))).toEqual(['done', 'slot 255'])
    },
  )

  situation(
    'the whole set is proven from the node’s whole state',
    { ...WHOLE_STATE, recorded: 'state, header and proofs of slot 187, its root in block 188' },
    async (it) => {
      await pastConfirm(it, 'status')
      await it.until(({ status }) => status.observed.snapshot.status === 'known')
      const { snapshot } = it.session.getState().status.observed
      expect(snapshot).toMatchObject({ value: { proof: { slot: 187n, anchors: 1 }, unproven: undefined } })
      const view = it.view('status')
      expect(view.facts.find(({ id }) => id === 'status')?.explain.who).toContain(' slot 187 ')
      expect(rows(view)).toMatchObject({
        status: 'proven active',
        balance: 'proven 250,000 BERA, effective 250,000',
        rank: expect.stringMatching(/^proven last place; /),
      })
    },
  )

  situation(
    'the node lies about another validator in its whole state',
    {
      ...WHOLE_STATE,
      node: (request, reply) =>
        request.path.includes('/debug/') && reply !== 'close'
          ? { ...reply, body: reply.body.replace('300000000000000', '100000000000000') }
          : undefined,
      recorded: 'header and proofs of slot 187, its root in block 188',
      madeUp: 'the balance of validator 2 in the whole state',
    },
    async (it) => {
      await pastConfirm(it, 'status')
      await it.until(({ status }) => status.observed.snapshot.status === 'failed')
      expect(rows(it.view('status')).rank).toMatch(/^unknown .*state/)
      expect(rows(it.view('status')).status).toMatch(/^unknown /)
    },
  )

  situation(
    'the running node takes another key',
    {
      slot: 199,
      key,
      sent,
      engineKey: KEYS.genesis1,
      recorded: 'registry and engine set',
      madeUp: 'that this node is the one of validator 1',
    },
    async (it) => {
      await pastConfirm(it, 'status')
      expect(rows(await at(it, 210)).node).toMatch(/^refused another key, synced/)
    },
  )
})

function evictedAtOnce(slot: RecordedSlot): RecordedSlot {
  if (slot.slot < 248) return slot
  const validators = slot.validators.map((entry) => {
    if (entry.validator.pubkey !== KEYS.registered) return entry
    const validator = { ...entry.validator, exit_epoch: '31', withdrawable_epoch: '35' }
    return { ...entry, status: 'exited_unslashed', validator }
  })
  return { ...slot, validators }
}
