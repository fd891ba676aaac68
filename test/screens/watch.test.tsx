import { afterEach, expect, test } from 'vitest'
import { tokens } from '../../src/core/format/amount.ts'
import { MAINNET } from '../../src/core/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/watch/memory.ts'
import {
  LIMITS,
  type SeenAhead,
  type SeenValidator,
  type Sighting,
  type WatchContext,
} from '../../src/core/watch/sighting.ts'
import { acknowledge, watchTransition } from '../../src/core/watch/transition.ts'
import { type WatchView, watchView } from '../../src/core/watch/view.ts'
import { Watch } from '../../src/screens/Watch.tsx'
import { pubkey, validatorOf } from '../core/consensus/model.ts'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'

const DOWN = '\u001b[B'
const ENTER = '\r'
const ESCAPE = '\u001b[27u'
const context: WatchContext = { network: MAINNET, wizardOptions: ['--network', 'mainnet'], limits: LIMITS }
const SLOT = 192_000n
const EPOCH = SLOT / MAINNET.spec.slotsPerEpoch

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

/** A validator whose place is safe, or that drops out two epochs on. */
function seen(number: number, name: string, drops: boolean): SeenValidator {
  const lastGoodBlock = (EPOCH + 2n) * MAINNET.spec.slotsPerEpoch - 1n
  const place = {
    epoch: EPOCH + 2n,
    rank: drops ? 70 : 12,
    places: 69,
    stakeGwei: tokens(300_000n),
    lastPlace: undefined,
    cutoff: { rank: 69, pubkey: pubkey(9), stakeGwei: tokens(drops ? 310_000n : 280_000n), hasPlace: true },
    marginGwei: tokens(drops ? -10_000n : 20_000n),
    othersNeedGwei: tokens(drops ? 0n : 50_000n),
  }
  const ahead: SeenAhead = {
    slot: SLOT,
    epoch: EPOCH,
    oneDepositGwei: tokens(10_000n),
    isWhole: true,
    isReported: false,
    activeAtEpoch: undefined,
    dropsOutAtEpoch: drops ? EPOCH + 2n : undefined,
    rescue: drops
      ? { leastTopUpGwei: tokens(20_000n), lastGoodBlock, sendByBlock: lastGoodBlock - 6n }
      : undefined,
    place,
    now: { ...place, epoch: EPOCH, rank: 12 },
  }
  const validator = validatorOf({
    pubkey: pubkey(number),
    effectiveBalanceGwei: tokens(300_000n),
    activationEpoch: 1n,
  })
  return {
    pubkey: pubkey(number),
    name,
    record: { validator, balanceGwei: tokens(300_000n), index: number, epoch: EPOCH, slot: SLOT },
    level: { by: 'proof', anchors: 2 },
    ahead,
    signed: [{ height: SLOT, signed: true, othersMissed: 0, others: 68 }],
  }
}

function looked(memory: WatchMemory, drops: boolean): { memory: WatchMemory; view: WatchView } {
  const sighting: Sighting = {
    atMs: 1_800_000_000_000,
    heads: [{ role: 'node', place: 0, name: '127.0.0.1:3500', slot: SLOT }],
    validators: [seen(1, 'steady', false), seen(2, 'near the edge', drops)],
  }
  const next = watchTransition(memory, sighting, context)
  const last = { slot: SLOT, atMs: sighting.atMs }
  return { memory: next.memory, view: watchView(next.memory, sighting, { context, last }) }
}

test('whoever needs somebody stands on top, with what to do and a command that can be copied', async () => {
  let { memory, view } = looked(emptyMemory(MAINNET), true)
  const known: string[] = []
  terminal = await openTerminal(<Watch view={view} onAcknowledge={(ids) => known.push(...ids)} />)
  const shown = terminal
  expect(shown.screen()).toMatchSnapshot()
  await shown.press('a')
  expect(known).toEqual(memory.alarms.map(({ id }) => id))
  memory = known.reduce(acknowledge, memory)
  view = looked(memory, true).view
  await shown.rerender(<Watch view={view} onAcknowledge={() => undefined} />)
  expect(shown.screen()).toContain('· known')
  expect(shown.screen()).not.toContain('a I know of it')
})

test('Enter opens the chosen validator, and Esc leads back to all of them', async () => {
  const { view } = looked(emptyMemory(MAINNET), false)
  terminal = await openTerminal(<Watch view={view} onAcknowledge={() => undefined} />)
  const shown = terminal
  expect(shown.screen()).toContain('Nothing needs you: all keep their places.')
  await shown.press(DOWN, ENTER)
  expect(shown.screen()).toMatchSnapshot()
  await shown.press(ESCAPE)
  expect(shown.screen()).toContain('Watching 2 validators')
  expect(shown.screen()).toMatch(/▶ near the edge/)
})

test('before the first answer it is said whom it waits for', async () => {
  terminal = await openTerminal(<Watch view={undefined} onAcknowledge={() => undefined} />)
  expect(terminal.screen()).toContain('asking for the validators')
})
