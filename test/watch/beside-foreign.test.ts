import { describe, expect, test } from 'vitest'
import { memoryText } from '../../src/watch/keep.ts'
import { FAR, foreignWorld } from '../support/foreign-world.ts'
import { runsOf, sampled } from '../support/hard.ts'

const HOUR_SLOTS = 1800
const HOURS = runsOf({ suite: 1, hard: 24 })
type World = ReturnType<typeof foreignWorld>

/** What an endpoint of somebody else does at a slot. */
const FOREIGN: Readonly<Record<string, (foreign: World['state']['foreign'], slot: number) => void>> = {
  'says what is so': (foreign, slot) => {
    foreign.head = slot
  },
  'is silent for good': (foreign) => {
    foreign.isSilent = true
  },
  'is silent every other slot': (foreign, slot) => {
    foreign.head = slot
    foreign.isSilent = slot % 2 === 0
  },
  'is far ahead': (foreign) => {
    foreign.head = FAR
  },
  'is far ahead now and then': (foreign, slot) => {
    foreign.head = slot % 3 === 0 ? FAR : slot
  },
  'is of another chain, which runs at its own pace': (foreign, slot) => {
    foreign.head = 500_000 + 3 * slot
  },
  'stands still': (foreign) => {
    foreign.head = 1990
  },
  'goes back and forth': (foreign, slot) => {
    foreign.head = slot - (slot % 40)
  },
  'names 100 deposits in every block': (foreign, slot) => {
    foreign.head = slot
    foreign.madeUp = 100
  },
}

/** Hours in which the own execution client and the own node are silent for a minute each, and one deposit comes. */
async function hours(kind: (typeof FOREIGN)[string]) {
  const world = foreignWorld()
  const { state, look, events, memory } = world
  kind(state.foreign, state.slot)
  let mostBytes = 0
  await look(HOURS * HOUR_SLOTS, (slot) => {
    kind(state.foreign, slot)
    const at = slot % HOUR_SLOTS
    state.isOwnSilent = at >= 600 && at < 630
    state.isNodeSilent = at >= 1000 && at < 1030
    if (at === 1400) state.deposits.push(slot)
    if (slot % 50 === 0) mostBytes = Math.max(mostBytes, memoryText(memory()).length)
  })
  const own = events
    .filter(({ alarm }) => alarm !== 'endpoint-far-off')
    .map(({ alarm, change, atMs }) => `${alarm} ${change} ${atMs}`)
  return { own, events, mostBytes }
}

describe('hours beside an endpoint of somebody else', () => {
  const truth = hours((foreign, slot) => {
    foreign.head = slot
  })

  test.each(sampled(Object.entries(FOREIGN), 4))('that %s', async (name, kind) => {
    const { own, events, mostBytes } = await hours(kind)
    const ofOwn = (all: readonly string[]) => all.filter((each) => !each.startsWith('deposit-unexpected'))
    const deposits = (all: readonly string[]) => all.filter((each) => each.startsWith('deposit-unexpected'))
    const { own: so } = await truth
    expect(ofOwn(so)).toHaveLength(4 * HOURS)
    expect(ofOwn(own)).toEqual(ofOwn(so))
    const far = events.filter(({ alarm }) => alarm === 'endpoint-far-off')
    expect(far.length).toBeLessThanOrEqual(4 * HOURS)
    // What only somebody else tells is told while nobody else is there to be asked, up to a number.
    if (name.startsWith('names')) {
      expect(deposits(own).length).toBeLessThanOrEqual(40 * HOURS)
      for (const each of deposits(so)) expect(deposits(own)).toContain(each)
    } else expect(deposits(own)).toEqual(deposits(so))
    expect(mostBytes).toBeLessThan(40_000)
  })
})
