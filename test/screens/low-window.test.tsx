import { afterEach, expect, test } from 'vitest'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { openTerminal, type TestTerminal } from '../support/terminal.tsx'
import { depositView, recorder, signFieldsView } from '../support/views.ts'

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

async function open(view: AnyView, size: { columns: number; rows: number }) {
  const { dispatch, acted, submitted } = recorder()
  const shown = await openTerminal(<StepScreen view={view} dispatch={dispatch} />, size)
  terminal = shown
  return { shown, acted, submitted }
}

const { money } = depositView
const sending: AnyView = { ...signFieldsView, money }

test('in a low window the step bar and the title make room for the field', async () => {
  const { shown, submitted } = await open(sending, { columns: 40, rows: 10 })
  expect(shown.screen()).toContain('operator address')
  await shown.press(...'0xab', '\r')
  expect(submitted).toEqual([['operator', '0xab']])
})

test.each([3, 4, 5])('in %i rows nothing is typed blind, and only leaving is offered', async (rows) => {
  const { shown, acted, submitted } = await open(sending, { columns: 40, rows })
  expect(shown.screen()).toContain('q quit   window too small')
  expect(shown.screen()).not.toContain('Enter')
  await shown.press(...'0xab', '\r')
  expect([acted, submitted]).toEqual([[], []])
  await shown.press('q')
  expect(shown.quits()).toBe(1)
})

test('in the smallest windows, too, it stands whole that they are too small', async () => {
  const { shown } = await open(sending, { columns: 20, rows: 4 })
  expect(shown.screen()).toMatch(/ q quit\n window too small/)
})

test('in a window that is far too small the money line is seen from its beginning', async () => {
  const { shown } = await open(sending, { columns: 20, rows: 5 })
  const [, ...lines] = shown.screen().split('\n')
  expect(lines.map((text) => text.trimEnd())).toEqual([
    ` ${STEP_TEXT.left.paid('0')}`,
    ' BERA · next …',
    ' q quit',
    ' window too small',
  ])
  await shown.resize({ columns: 20, rows: 4 })
  expect(shown.screen()).toMatch(/\n left the wallet 0 … *\n q quit/)
})

test('a window that is too small to confirm in says so at the key', async () => {
  const { shown } = await open({ ...depositView, step: 'sign' }, { columns: 60, rows: 24 })
  expect(shown.screen()).toContain('Enter send (needs 80x24)')
  await shown.resize({ columns: 80, rows: 24 })
  expect(shown.screen()).toMatch(/Enter review, then send {2,3}r ask again/)
})
