import { useReducer } from 'react'
import type { StepView } from '../core/steps/step-view.ts'
import { PANEL_START, type PanelEvent, panelAfter, type StepPanel } from './step-panel.ts'

/** Holds what the content band shows for one step's view. A confirmation ends when its action is no longer there. */
export function useStepPanel(view: StepView): [StepPanel, (event: PanelEvent) => void] {
  const [state, dispatch] = useReducer(
    (before: StepPanel, event: PanelEvent) => panelAfter(before, event, view),
    PANEL_START,
  )
  const valid =
    state.panel !== 'confirm' ||
    view.actions.some(({ key, typed }) => key === state.key && typed !== undefined)
  if (!valid) dispatch({ type: 'close' })
  return [valid ? state : panelAfter(state, { type: 'close' }, view), dispatch]
}
