import { expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import type { HomeAnswer, PaidAnswer } from '../../../../src/core/steps/status/answers.ts'
import { checklistView } from '../../../../src/core/steps/status/checklist.ts'
import {
  initialStatus,
  type StatusEvent,
  statusTransition,
} from '../../../../src/core/steps/status/machine.ts'
import { statusView as viewOfTest } from '../../../support/views.ts'

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
  const told = { status: 'known', source: 'there', atMs: 0 } as const
  const events: StatusEvent[] = [
    ...(home === undefined
      ? []
      : [{ step: 'status', type: 'observed', key: 'home', seen: { ...told, value: home } } as const]),
    ...(paid === undefined
      ? []
      : [{ step: 'status', type: 'observed', key: 'paid', seen: { ...told, value: paid } } as const]),
  ]
  const state = events.reduce((before, event) => statusTransition(before, event)[0], initialStatus)
  return checklistView(viewOfTest, state, { setup, pubkey: undefined })
}

const said = (feeRecipient: Hex | undefined): HomeAnswer => ({ feeRecipient, findings: [] })
const block = (feeRecipient: Hex | undefined): PaidAnswer => ({ slot: 1_234n, feeRecipient })

test.each<[string, HomeAnswer | undefined, PaidAnswer | undefined, string]>([
  ['nothing', undefined, undefined, 'unknown not known: no home was read, no block seen'],
  ['the home', said(MINE), undefined, 'unknown in app.toml, no block yet'],
  [
    'a home without one',
    said(undefined),
    undefined,
    'refused zero in app.toml: the fees of every block are burnt',
  ],
  [
    'a home with zero',
    said(ZERO),
    block(MINE),
    'refused zero in app.toml: the fees of every block are burnt',
  ],
  ['a block alone', undefined, block(MINE), 'unknown block 1,234 paid this address: is it yours?'],
  ['both', said(MINE), block(MINE), 'proven as in app.toml and block 1,234'],
  ['two addresses', said(MINE), block(OTHER), 'refused block 1,234 paid another address than app.toml has'],
  ['a block that burnt them', said(MINE), block(ZERO), 'refused zero: block 1,234 burnt its fees'],
  ['a block that does not say', said(MINE), block(undefined), 'unknown in app.toml, no block yet'],
])('the fee recipient by %s', (_, home, paid, words) => {
  const row = viewAfter(home, paid).facts.find(({ id }) => id === 'fees')
  expect(`${row?.mark} ${row?.value}`).toBe(words)
})

test('what was not checked is never good, and leaving and impostors are told', () => {
  const { facts, verdict, notes } = viewAfter(undefined, undefined)
  expect(facts.map(({ mark }) => mark)).toEqual(Array.from({ length: 5 }, () => 'unknown'))
  expect(verdict?.text).toBe('0 of 5 hold, 5 not known: what was not checked does not count as good.')
  expect(notes[0]).toContain('256 epochs after the exit (27 h 18 min) it gets the stake by itself.')
  expect(notes[1]).toMatch(/^Nobody needs your key, password or recovery phrase\./)
})
