import { expect, test } from 'vitest'
import type { WatchMemory } from '../../src/core/observe/memory.ts'
import { FAR, foreignWorld, KEY } from '../support/foreign-world.ts'

const dropsOut = (nowMs: number): WatchMemory['alarms'][number] => ({
  alarm: 'drops-out',
  subject: KEY,
  validator: { pubkey: KEY },
  id: 'it',
  sinceMs: nowMs,
  toldMs: nowMs,
  times: 1,
  severity: 'critical',
  degree: [-30, 0, 20_000],
  acknowledged: false,
  title: 'It drops out.',
  what: 'It drops out at epoch 30.',
  until: { epoch: 30n, slot: 5757n, atMs: nowMs + 7_000_000 },
})

test('a foreign head that is far off raises no alarm but the one that names it, and ends with it', async () => {
  const { state, look, told } = foreignWorld()
  await look(5)
  await look(40, () => {
    state.foreign.head = FAR
  })
  expect(told()).toEqual(['endpoint-far-off fired'])
  // It stands for a minute at least.
  await look(25, () => {
    state.foreign.head = state.slot
  })
  expect(told()).toEqual(['endpoint-far-off fired', 'endpoint-far-off cleared'])
})

test('a lie about the head is not kept: deposits are told as soon as the own client has them', async () => {
  const { state, look, told, restart } = foreignWorld()
  await look(5)
  state.isOwnSilent = true
  await look(3, () => {
    state.foreign.head = FAR
  })
  state.isOwnSilent = false
  restart()
  await look(3)
  state.deposits.push(state.slot + 1)
  await look(4)
  expect(told()).toContain('deposit-unexpected fired')
})

test('what an earlier lie left on the disk is put right by the own head', async () => {
  const { state, look, told, restart, memory } = foreignWorld()
  await look(5)
  restart((kept) => ({
    ...kept,
    depositsTo: BigInt(FAR),
    validators: kept.validators.map((each) => ({ ...each, signedTo: BigInt(FAR) })),
  }))
  await look(3)
  expect(memory().validators[0]?.signedTo).toBeLessThan(BigInt(FAR))
  state.deposits.push(state.slot + 1)
  await look(4)
  expect(told()).toContain('deposit-unexpected fired')
})

test('beside a foreign head that is far off no alarm of dropping out is called over', async () => {
  for (const isNodeSilent of [false, true]) {
    const { state, look, told, restart, nowMs } = foreignWorld()
    await look(5)
    restart((kept) => ({ ...kept, alarms: [dropsOut(nowMs())] }))
    state.isNodeSilent = isNodeSilent
    state.isOwnSilent = isNodeSilent
    await look(5, () => {
      state.foreign.head = FAR
    })
    expect(told()).not.toContain('drops-out cleared')
  }
})

test('while an alarm of dropping out stands the set is read every few slots, however long that takes', async () => {
  const { state, look, restart, nowMs } = foreignWorld()
  await look(20)
  restart((kept) => ({ ...kept, alarms: [dropsOut(nowMs())] }))
  state.setMs = 20_000
  await look(1)
  state.sets = 0
  await look(40)
  expect(state.sets).toBeGreaterThan(3)
})
