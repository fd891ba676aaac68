import { expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { checklistView } from '../../../../src/core/steps/status/checklist.ts'
import {
  initialStatus,
  type StatusEvent,
  statusTransition,
} from '../../../../src/core/steps/status/machine.ts'
import { STATUS_TEXT } from '../../../../src/core/steps/status/text.ts'
import type { HomeAnswer, PaidAnswer } from '../../../../src/core/steps/status/values.ts'
import { statusView as viewOfTest } from '../../../support/views.ts'

const { fees: FEES } = STATUS_TEXT.checklist
const MINE: Hex = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f'
const OTHER: Hex = '0xfb6916b98c74bd910d124c2dc76e02d31c402a11'
const ZERO: Hex = `0x${'00'.repeat(20)}`
const setup: Setup = {
  network: MAINNET,
  endpoints: { execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' },
  journalDirectory: '/state/mainnet',
  lockDirectories: [],
  outputDirectory: '/home/ann',
}

function viewAfter(home: HomeAnswer | undefined, paid: PaidAnswer | undefined) {
  const observation = { status: 'known', source: 'there', atMs: 0 } as const
  const events: StatusEvent[] = [
    ...(home === undefined
      ? []
      : [
          {
            step: 'status',
            type: 'observed',
            key: 'home',
            observation: { ...observation, value: home },
          } as const,
        ]),
    ...(paid === undefined
      ? []
      : [
          {
            step: 'status',
            type: 'observed',
            key: 'paid',
            observation: { ...observation, value: paid },
          } as const,
        ]),
  ]
  const state = events.reduce((before, event) => statusTransition(before, event)[0], initialStatus)
  return checklistView(viewOfTest, state, { setup, pubkey: undefined, isPools: false })
}

const home = (feeRecipient: Hex | undefined): HomeAnswer => ({ feeRecipient, findings: [] })
const block = (feeRecipient: Hex | undefined): PaidAnswer => ({ slot: 1_234n, feeRecipient })

test.each<[string, HomeAnswer | undefined, PaidAnswer | undefined, string]>([
  ['nothing', undefined, undefined, `unknown ${FEES.unknown}`],
  ['the home', home(MINE), undefined, `unknown ${FEES.noBlock}`],
  ['a home without one', home(undefined), undefined, `refused ${FEES.zero}`],
  ['a home with zero', home(ZERO), block(MINE), `refused ${FEES.zero}`],
  ['a block alone', undefined, block(MINE), `unknown ${FEES.isYours(1_234n)}`],
  ['both', home(MINE), block(MINE), `proven ${FEES.same(1_234n)}`],
  ['two addresses', home(MINE), block(OTHER), `refused ${FEES.other(1_234n)}`],
  ['a block that burnt them', home(MINE), block(ZERO), `refused ${FEES.burnt(1_234n)}`],
  ['a block that does not say', home(MINE), block(undefined), `unknown ${FEES.noBlock}`],
])('the fee recipient by %s', (_, home, paid, words) => {
  const row = viewAfter(home, paid).facts.find(({ id }) => id === 'fees')
  expect(`${row?.mark} ${row?.value}`).toBe(words)
})

test('what was not checked is never good, and leaving and impostors are told', () => {
  const { facts, verdict, notes } = viewAfter(undefined, undefined)
  expect(facts.map(({ mark }) => mark)).toEqual(Array.from({ length: 5 }, () => 'unknown'))
  expect(verdict?.text).toBe(STATUS_TEXT.checklist.verdict({ rows: 5, proven: 0, refused: 0, asking: 0 }))
  expect(notes[0]).toBe(STATUS_TEXT.checklist.leaving(setup))
  expect(notes[0]).toMatch(/ 256 epochs .*\(27 h 18 min\)/)
  expect(notes[1]).toBe(STATUS_TEXT.checklist.impostors)
})
