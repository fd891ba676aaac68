import { EventEmitter } from 'node:events'
import { useState } from 'react'
import { getAddress } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { openNotes } from '../../src/commands/watch.ts'
import { openWatchScreen } from '../../src/compose/watch-screen.tsx'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { queuedCommands } from '../../src/core/chain/deposit/operator-command.ts'
import { STANDING_TEXT } from '../../src/core/chain/key-state/standing-text.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import {
  type AheadPicture,
  LIMITS,
  type NetworkPicture,
  type ValidatorPicture,
  type WatchContext,
} from '../../src/core/observe/picture.ts'
import { EarlyScreen } from '../../src/screens/EarlyScreen.tsx'
import { renderApp } from '../../src/terminal/render.tsx'
import type { WatchView } from '../../src/watch/screen.ts'
import { TABLE_TEXT } from '../../src/watch/table-text.ts'
import { TABLE_START, tableAfter, tableView } from '../../src/watch/table-view.ts'
import { acknowledge, watchTransition } from '../../src/watch/transition.ts'
import { watchView } from '../../src/watch/view.ts'
import { pubkey, validatorOf } from '../core/chain/consensus/model.ts'
import { fakeStdin, fakeStdout } from '../support/fake-streams.ts'
import { pattern } from '../support/pattern.ts'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'

const DOWN = '\u001b[B'
const ENTER = '\r'
const ESCAPE = '\u001b[27u'
const NOBODY = () => undefined
const context: WatchContext = { network: MAINNET, wizardOptions: ['--network', 'mainnet'], limits: LIMITS }
const SLOT = 192_000n
const EPOCH = SLOT / MAINNET.spec.slotsPerEpoch

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

/** A validator whose place is safe, or that drops out two epochs on. */
function seen(number: number, name: string, drops: boolean, height = SLOT): ValidatorPicture {
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
  const ahead: AheadPicture = {
    slot: SLOT,
    epoch: EPOCH,
    oneDepositGwei: tokens(10_000n),
    liftGwei: tokens(10_000n),
    isWhole: true,
    isReported: false,
    activeAtEpoch: undefined,
    dropsOutAtEpoch: drops ? EPOCH + 2n : undefined,
    rescue: drops
      ? {
          leastTopUpGwei: tokens(20_000n),
          lessGwei: undefined,
          lastGoodBlock,
          sendByBlock: lastGoodBlock - 6n,
        }
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
    signed: [{ height, signed: true, othersMissed: 0, others: 68 }],
  }
}

function looked(
  memory: WatchMemory,
  drops: boolean,
  height = SLOT,
): { memory: WatchMemory; view: WatchView } {
  const picture: NetworkPicture = {
    atMs: 1_800_000_000_000,
    heads: [{ role: 'node', place: 0, name: '127.0.0.1:3500', slot: SLOT }],
    validators: [seen(1, 'steady', false, height), seen(2, 'near the edge', drops, height)],
  }
  const next = watchTransition(memory, picture, context)
  const last = { slot: SLOT, atMs: picture.atMs }
  return { memory: next.memory, view: watchView(next.memory, picture, { context, last }) }
}

/** The table on a screen, with its place. */
function Watch({
  view,
  onKnown = NOBODY,
}: {
  view: WatchView | undefined
  onKnown?: (ids: readonly string[]) => void
}) {
  const [place, go] = useState(TABLE_START)
  return (
    <EarlyScreen
      view={tableView(view, place, [])}
      tell={(event) => {
        if (event.type === 'known') onKnown(event.ids)
        go((before) => tableAfter(before, event))
      }}
    />
  )
}

test('whoever needs somebody stands on top, with what to do and a command that can be copied', async () => {
  let { memory, view } = looked(emptyMemory(MAINNET), true)
  const known: string[] = []
  terminal = await openTerminal(<Watch view={view} onKnown={(ids) => known.push(...ids)} />)
  const shown = terminal
  expect(shown.screen()).toMatchSnapshot()
  await shown.press('a')
  expect(known).toEqual(memory.alarms.map(({ id }) => id))
  memory = known.reduce(acknowledge, memory)
  view = looked(memory, true).view
  await shown.rerender(<Watch view={view} />)
  expect(shown.screen()).toContain('· known')
  expect(shown.screen()).not.toContain(`a ${TABLE_TEXT.keys.acknowledge}`)
})

test('Enter opens the chosen validator, and Esc leads back to all of them', async () => {
  const { view } = looked(emptyMemory(MAINNET), false)
  terminal = await openTerminal(<Watch view={view} />)
  const shown = terminal
  expect(shown.screen()).toContain(TABLE_TEXT.well.all)
  await shown.press(DOWN, ENTER)
  expect(shown.screen()).toMatchSnapshot()
  await shown.press(ESCAPE)
  expect(shown.screen()).toContain('Watching 2 validators')
  expect(shown.screen()).toMatch(/▶ near the edge/)
})

test('a queued operator change is opened with the second step and the way back, for the wallets of both accounts', async () => {
  const operator: Hex = `0x${'0a'.repeat(20)}`
  const queued: Hex = `0x${'0b'.repeat(20)}`
  const change = { operator, queued: { operator: queued, sinceSeconds: 1_799_999_000n } }
  const picture: NetworkPicture = {
    atMs: 1_800_000_000_000,
    heads: [{ role: 'node', place: 0, name: '127.0.0.1:3500', slot: SLOT }],
    validators: [{ ...seen(1, 'steady', false), operator: change }],
  }
  const { memory } = watchTransition(emptyMemory(MAINNET), picture, context)
  const view = watchView(memory, picture, { context, last: { slot: SLOT, atMs: picture.atMs } })
  terminal = await openTerminal(<Watch view={view} />, { columns: 80, rows: 50 })
  const words = () => terminal?.screen().replace(/\s+/g, ' ')
  expect(words()).toMatch(
    new RegExp(`${getAddress(queued)} can accept it .* second .*${getAddress(operator)}: .* first step `),
  )
  await terminal.press(ENTER)
  const commands = queuedCommands(change, { contract: MAINNET.spec.depositContract, pubkey: pubkey(1) })
  expect(commands).toHaveLength(2)
  // Each as it is copied: a line ends with a backslash.
  const copied = words()?.replace(/\\ | /g, '')
  for (const { command } of commands) expect(copied).toContain(command.replaceAll(' ', ''))
})

test('a validator that has left is wholly known: nothing more is asked, and it keeps no place', async () => {
  const { pubkey: key, name, record, level } = seen(1, 'gone', false)
  if (record === undefined || record === 'absent' || level === undefined) throw new Error('it has a record')
  const validator = { ...record.validator, exitEpoch: EPOCH - 20n, withdrawableEpoch: EPOCH - 9n }
  const gone: ValidatorPicture = { pubkey: key, name: name ?? '', record: { ...record, validator }, level }
  const picture: NetworkPicture = {
    atMs: 1_800_000_000_000,
    heads: [{ role: 'node', place: 0, name: '127.0.0.1:3500', slot: SLOT }],
    validators: [gone],
  }
  const last = { slot: SLOT, atMs: picture.atMs }
  const view = watchView(emptyMemory(MAINNET), picture, { context, last })
  terminal = await openTerminal(<Watch view={view} />)
  expect(terminal.screen()).toContain(`✔ ${TABLE_TEXT.well.now}`)
  expect(terminal.screen()).toContain('left, being paid')
  await terminal.press(ENTER)
  expect(terminal.screen()).toMatch(pattern`place +${STANDING_TEXT.noPlace.left}`)
})

test('before the first answer it is said whom it waits for', async () => {
  terminal = await openTerminal(<Watch view={undefined} />)
  expect(terminal.screen()).toContain(TABLE_TEXT.asking)
})

test('a look that changes nothing of what is drawn draws nothing', async () => {
  const stdin = fakeStdin()
  let written = ''
  const stdout = fakeStdout({ columns: 80, rows: 24 }, (text) => {
    written += text
  }) as unknown as NodeJS.WriteStream
  let draws = 0
  const screen = openWatchScreen(
    { atLast: NOBODY },
    {
      clock: { monotonicMs: () => 0 },
      onAcknowledge: NOBODY,
      render: (node, options) => {
        const streams = { stdin, stdout, stderr: stdout, process: new EventEmitter() }
        const app = renderApp(node, { ...options, ...streams })
        const rerender: typeof app.rerender = (next) => {
          draws += 1
          app.rerender(next)
        }
        return { ...app, rerender }
      },
    },
  )
  const first = looked(emptyMemory(MAINNET), false)
  let { memory } = first
  let height = SLOT
  const counted = async (slots: number) => {
    const [drawsBefore, before] = [draws, written.length]
    for (let slot = 0; slot < slots; slot += 1) {
      height += 1n
      const next = looked(memory, false, height)
      memory = next.memory
      screen.show(next.view)
      await turn()
    }
    return { draws: draws - drawsBefore, characters: written.length - before }
  }
  const until = async (text: string) => {
    while (!written.includes(text)) await turn()
  }
  screen.show(first.view)
  await until('Nothing needs you')
  // Blocks that were signed are counted in the details, which nobody has opened.
  expect(await counted(3)).toEqual({ draws: 0, characters: 0 })
  stdin.write(ENTER)
  await until('signed 4 of the last 4')
  expect((await counted(1)).draws).toBe(1)
  screen.close()
  await screen.end
})

test('what a channel says while the table stands is a row of it, before the first answer and after', async () => {
  const stdin = fakeStdin()
  let written = ''
  const stdout = fakeStdout({ columns: 80, rows: 24 }, (text) => {
    written += text
  }) as unknown as NodeJS.WriteStream
  const errors: string[] = []
  const notes = openNotes({ err: (text) => void errors.push(text) })
  notes.say('said before the table')
  const screen = openWatchScreen(
    { atLast: NOBODY },
    {
      clock: { monotonicMs: () => 0 },
      onAcknowledge: NOBODY,
      render: (node, options) =>
        renderApp(node, { ...options, stdin, stdout, stderr: stdout, process: new EventEmitter() }),
    },
  )
  const until = async (text: string) => {
    while (!written.includes(text)) await turn()
  }
  notes.showOn(screen)
  notes.say('phone: no answer, tried again in 5 s')
  await until('phone: no answer')
  screen.show(looked(emptyMemory(MAINNET), false).view)
  await until('Nothing needs you')
  notes.say('mail: no answer')
  await until('mail: no answer')
  // An alarm with the last block that helps, a whole number of any size.
  screen.show(looked(emptyMemory(MAINNET), true).view)
  await until('near the edge')
  await until('drops out')
  notes.showOn(undefined)
  notes.say('said after the table')
  expect(errors).toEqual(['said before the table', 'said after the table'])
  screen.close()
  await screen.end
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
