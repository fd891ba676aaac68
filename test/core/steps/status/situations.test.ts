import { getAddress } from 'viem/utils'
import { describe, expect } from 'vitest'
import { addressOf } from '../../../../src/core/chain/deposit/credentials.ts'
import type { Replay } from '../../../support/replay.ts'
import { madeUp } from '../../../support/replay-made-up.ts'
import { genesisValidator, type RecordedSlot } from '../../../support/replay-recording.ts'
import { KEYS, pastConfirm, rows, sentAs, situation, untilSlot } from '../../../support/situation.ts'

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
    const { snapshot } = status.seen
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
        status: 'proven known, below the threshold',
        rank: 'unasked needs no place yet',
        power: 'asking none yet',
        node: 'proven this key, synced, head is new',
      })
      expect(early.timeline[1]).toMatchObject({ label: 'threshold', when: 'needs a top-up' })
      const paid = await at(it, 231)
      expect(rows(paid)).toMatchObject({
        balance: 'proven 250,000 BERA, effective 10,000',
        status: 'proven known, stake counts from the next epoch',
      })
      expect(paid.timeline[1]).toMatchObject({ label: 'threshold', state: 'now', when: 'epoch 29' })
      const tied = await at(it, 233)
      expect(tied.timeline[1]).toMatchObject({ label: 'threshold passed', state: 'done' })
      expect(rows(tied)).toMatchObject({
        status: 'proven threshold passed, waits to be eligible',
        balance: 'proven 250,000 BERA, effective 250,000',
        rank: 'refused 3 of 3 · cutoff 250,000 · margin 0 · at epoch 31',
      })
      const queued = await at(it, 241)
      expect(rows(queued).status).toBe('proven accepted, waits for the next epoch')
      expect(states(queued)).toContain('eligible done')
      const turned = await at(it, 248)
      expect(rows(turned)).toMatchObject({
        status: 'proven active',
        power: 'asking none yet',
      })
      expect(turned).toMatchObject({
        title: 'Active, but the consensus engine does not count it yet',
        done: false,
      })
      const hasPlace = await at(it, 251)
      expect(hasPlace).toMatchObject({ title: 'Your validator is active', done: true })
      expect(rows(hasPlace).power).toBe('proven 250,000 of 5,550,000, 3 members')
      expect(rows(hasPlace).tool).toBe('unknown 5,000,000: its node is behind, at block 194')
      expect(hasPlace.timeline.find(({ id }) => id === 'engine')).toMatchObject({ when: 'slot 250' })
      const left = await at(it, 280)
      expect(rows(left)).toMatchObject({
        status: 'refused left the set; the stake comes back later',
        rank: 'refused none: it left the set',
      })
      expect(left).toMatchObject({
        title: 'Your validator has left the active set',
        done: false,
        money: { line: 'staked 250,000 BERA, coming back · safe to close this window' },
        problem: {
          title: 'The validator left the active set at epoch 35.',
          money: 'moved',
          values: [{ label: 'pays out to', value: getAddress(addressOf(sent.deposit.credentials)) }],
        },
        actions: [{ key: 'a', label: 'I know of it' }],
      })
      expect(left.problem?.lines[0]).toMatch(
        /^The stake of 250,000 BERA goes back to the withdrawal address, from epoch 39 on: in 3[12] slots, 3[12] s\.$/,
      )
      expect(states(left).slice(-2)).toEqual(['left done', 'paid now'])
      expect(left.timeline.at(-1)).toMatchObject({
        when: 'from epoch 39',
        detail: expect.stringMatching(/^in \d+ slots/),
      })
      const payingBack = await at(it, 313)
      expect(rows(payingBack)).toMatchObject({
        status: 'refused left the set; the stake is being paid back',
        power: 'refused none any more',
      })
      expect(payingBack.problem?.lines[0]).toBe('The stake was paid back to the withdrawal address.')
      const done = await at(it, 322)
      expect(rows(done).status).toBe('refused left the set; the stake is paid back')
      expect(states(done)).toEqual([
        'registered done',
        'threshold done',
        'eligible done',
        'active done',
        'engine done',
        'left done',
        'paid done',
      ])
      expect(done.problem?.next[0]).toBe('nothing to do here any more')
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
        status: 'refused left the set; the stake is paid back',
        balance: 'proven 87,316 BERA, effective 0',
      })
      expect(added.problem?.lines).toEqual([
        'The stake of 87,316 BERA goes back to the withdrawal address, at the next sweep.',
        'This key never becomes active again; more money sent for it comes back the same way.',
      ])
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
      expect(hasPlace.title).toBe('Your validator drops out of the active set if nothing is done')
      expect(hasPlace.problem?.title).toMatch(
        /^You drop out of the active set at epoch 31: in 7 slots, \d+ s\.$/,
      )
      expect(rows(hasPlace).rank).toBe('refused 4th for 3 places · cutoff 250,000 · you 250,000')
      const lost = await at(it, 248)
      expect(lost).toMatchObject({ title: 'Your validator has left the active set', done: false })
      expect(rows(lost).status).toBe('refused left the set; the stake comes back later')
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
        title: 'Your validator has left the active set',
        done: false,
        problem: { title: 'The place was lost at the same epoch boundary that gave it.', money: 'moved' },
      })
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
      expect(rows(it.view('status')).node).toMatch(
        /^refused this key, synced, stands still at slot \d+ for 1\d s; whether the chain goes on is not known$/,
      )
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
      await it.until(({ status }) => status.seen.snapshot.status === 'failed')
      const old = it.view('status')
      silent = false
      expect(states(old)).toEqual(states(heard))
      expect(old.intro).toMatch(/^The last answer of your node: slot 21\d · epoch 26\. /)
      expect(old.money.line).toBe(
        'staked 10,000 BERA at the last answer · your node does not answer: start it again',
      )
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
      expect(block(await at(it, 252))).toEqual(['now', 'when it is chosen to make one'])
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
      await it.until(({ status }) => status.seen.snapshot.status === 'known')
      const { snapshot } = it.session.getState().status.seen
      expect(snapshot).toMatchObject({ value: { proof: { slot: 187n, anchors: 1 }, unproven: undefined } })
      const view = it.view('status')
      expect(view.facts.find(({ id }) => id === 'status')?.explain.what).toContain(
        'Its operator manages and receives its rewards',
      )
      expect(view.facts.find(({ id }) => id === 'status')?.explain.who).toBe(
        'The chain: the whole state of slot 187 was hashed here, and the execution endpoint held its root.',
      )
      expect(rows(view)).toMatchObject({
        status: 'proven active',
        balance: 'proven 250,000 BERA, effective 250,000',
        rank: 'proven last place; nobody waits behind you',
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
      await it.until(({ status }) => status.seen.snapshot.status === 'failed')
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
