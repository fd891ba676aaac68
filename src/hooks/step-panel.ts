import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { type DeskEvent, deskAfter, openDesk } from '../core/pay/desk/desk.ts'
import { isBeingSigned } from '../core/pay/payment/candidates.ts'
import type { AnyDesk, AnyField, AnyView, State } from '../core/wizard/state.ts'

/** What the content band shows, and which part of it. */
export type StepPanel = {
  panel: 'facts' | 'explain' | 'commands' | 'picture' | 'confirm'
  /** What is being confirmed: an action of the frame that was read, and what was typed for it. */
  desk: AnyDesk | undefined
  /** The frame on which it was opened: it stays on the screen below the letters. */
  frame: AnyView | undefined
  /** The fact or field that `?` explains. */
  selectedId: string | undefined
  /** What was chosen before `?`: where that is nothing, nothing stays chosen behind it. */
  selectedBefore: string | undefined
  /** A field opened by the user although the step does not ask for it now. */
  editing: string | undefined
  /** The text that was handed over last: an error is about it, and about no other. */
  submitted: { fieldId: string; text: string } | undefined
  /** The user left the text field, so that keys are keys again. */
  fieldLeft: boolean
  top: number | 'follow'
  /** The last row of the content was on the screen since the confirmation began. */
  readToEnd: boolean
}

export type PanelEvent =
  | { type: 'explain'; id?: string }
  | { type: 'commands' }
  | { type: 'picture' }
  | { type: 'close' }
  | { type: 'confirm'; key: string; atMs: number }
  | { type: 'desk'; event: DeskEvent }
  | { type: 'select'; by: 1 | -1 }
  | { type: 'scroll'; to: number }
  | { type: 'leaveField' }
  | { type: 'enterField' }
  | { type: 'edit'; fieldId: string }
  | { type: 'submitted'; fieldId: string; text: string }
  | { type: 'readToEnd' }

/** Where every step begins. */
export const PANEL_START: StepPanel = {
  panel: 'facts',
  desk: undefined,
  frame: undefined,
  selectedId: undefined,
  selectedBefore: undefined,
  editing: undefined,
  submitted: undefined,
  fieldLeft: false,
  top: 'follow',
  readToEnd: false,
}

/** The values that can be explained, in the order in which the arrows visit them. */
function explainables(view: AnyView): string[] {
  return [
    ...view.facts.map((fact) => fact.id),
    ...view.checks.map((check) => check.id),
    ...view.fields.map((field) => field.id),
  ]
}

/** Returns the panel after one event; pure. */
export function panelAfter(state: StepPanel, event: PanelEvent, view: AnyView): StepPanel {
  const ids = explainables(view)
  switch (event.type) {
    case 'explain':
      if (ids.length === 0) return state
      return {
        ...state,
        panel: 'explain',
        selectedId: event.id ?? state.selectedId ?? view.activeField ?? ids[0],
        selectedBefore: state.panel === 'explain' ? state.selectedBefore : state.selectedId,
        top: 0,
      }
    case 'commands':
    case 'picture':
      return { ...state, panel: event.type, top: 0 }
    case 'close':
      return {
        ...state,
        panel: 'facts',
        desk: undefined,
        frame: undefined,
        selectedId: state.panel === 'explain' ? state.selectedBefore && state.selectedId : state.selectedId,
        top: 'follow',
      }
    case 'confirm': {
      const action = view.actions.find(({ key }) => key === event.key)
      const desk = action && openDesk(action, event.atMs)
      if (desk === undefined) return state
      return { ...state, panel: 'confirm', desk, frame: view, top: 0, readToEnd: false }
    }
    case 'desk':
      return state.desk === undefined ? state : { ...state, desk: deskAfter(state.desk, event.event) }
    case 'select': {
      const at = state.selectedId === undefined ? -1 : ids.indexOf(state.selectedId)
      const next = at === -1 && event.by === -1 ? ids.length - 1 : at + event.by
      return { ...state, selectedId: ids[Math.min(Math.max(next, 0), ids.length - 1)], top: 'follow' }
    }
    case 'scroll':
      return { ...state, top: event.to }
    case 'leaveField':
      return { ...state, fieldLeft: true, editing: undefined }
    case 'enterField':
      return { ...state, fieldLeft: false, panel: 'facts', top: 'follow' }
    case 'edit':
      return { ...state, editing: event.fieldId, fieldLeft: false, panel: 'facts', top: 'follow' }
    case 'submitted': {
      const { fieldId, text } = event
      return { ...state, editing: undefined, fieldLeft: false, top: 'follow', submitted: { fieldId, text } }
    }
    case 'readToEnd':
      return { ...state, readToEnd: true }
  }
}

/** The field that has the cursor now: the one the user opened, the step asks for, or whose text was not taken. */
export function fieldWithCursor(view: AnyView, panel: StepPanel): AnyField | undefined {
  return panel.panel === 'facts' ? fieldBehind(view, panel) : undefined
}

/** Returns the same, also while something to read stands in front of it: then its text waits. */
export function fieldBehind(view: AnyView, panel: StepPanel): AnyField | undefined {
  if (panel.panel === 'confirm' || panel.fieldLeft) return undefined
  const refused = view.fields.find((field) => field.error !== undefined)
  const wanted = panel.editing ?? refusedText(refused, panel)?.fieldId ?? view.activeField ?? refused?.id
  return view.fields.find((field) => field.id === wanted)
}

/** What a field begins with when the cursor comes: the text that was refused last, else what is proposed or accepted. */
export function beginsWith(field: AnyField | undefined, panel: StepPanel): string {
  return refusedText(field, panel)?.text ?? field?.suggestion ?? field?.value ?? ''
}

/** The text that was handed over last, where it is what the error of this field is about. */
function refusedText(field: AnyField | undefined, { submitted }: StepPanel): StepPanel['submitted'] {
  return field?.error !== undefined && submitted?.fieldId === field.id ? submitted : undefined
}

/**
 * Holds what the content band shows for one step's view. The function beside it applies an event at once and returns what is
 * shown then.
 */
export function useStepPanel(view: AnyView): [StepPanel, (event: PanelEvent) => StepPanel] {
  const [panel, show] = useState(PANEL_START)
  const latest = useRef(panel)
  const drawn = useRef(view)
  useLayoutEffect(() => {
    drawn.current = view
  }, [view])
  const tell = useCallback((event: PanelEvent) => {
    latest.current = panelAfter(latest.current, event, drawn.current)
    show(latest.current)
    return latest.current
  }, [])
  return [panel, tell]
}

/** Whether a payment is being signed: leaving the steps would cut it short. */
export function isSigning({ deposit, topup }: State): boolean {
  return isBeingSigned(deposit) || isBeingSigned(topup.send)
}
