import { expect, test } from 'vitest'
import { PANEL_START, type PanelEvent, panelAfter } from '../../src/hooks/step-panel.ts'
import { genesisView } from '../support/views.ts'

const panelOf = (...events: PanelEvent[]) =>
  events.reduce((panel, event) => panelAfter(panel, event, genesisView), PANEL_START)
const [first, second] = genesisView.facts.map(({ id }) => id)

test('what was read with ? leaves no row open behind it', () => {
  expect(panelOf({ type: 'explain' }).selectedId).toBe(first)
  expect(panelOf({ type: 'explain' }, { type: 'close' }).selectedId).toBeUndefined()
  expect(
    panelOf({ type: 'explain' }, { type: 'select', by: 1 }, { type: 'close' }).selectedId,
  ).toBeUndefined()
})

test('a row that was chosen before ? stays chosen, or the one that was read last', () => {
  const choose = { type: 'select', by: 1 } as const
  expect(panelOf(choose, { type: 'explain' }, { type: 'close' }).selectedId).toBe(first)
  expect(panelOf(choose, { type: 'explain' }, choose, { type: 'close' }).selectedId).toBe(second)
})
