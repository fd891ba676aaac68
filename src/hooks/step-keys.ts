import { useEffect, useMemo, useRef, useState } from 'react'
import { secretRefusal } from '../core/base/format/edit-text.ts'
import { goTo } from '../core/view/step-view.ts'
import { STEP_IDS } from '../core/view/view.ts'
import { type AnyDoes, type AnyField, type AnyView, type Event, taken } from '../core/wizard/state.ts'
import { KEY_WORDS, type KeyBinding, reviewLabel } from './keymap.ts'
import type { Notifier, Shell } from './shell.tsx'
import { fieldWithCursor, type PanelEvent, type StepPanel } from './step-panel.ts'

export type StepKeysInput = {
  view: AnyView
  dispatch: (events: readonly Event[]) => void
  shell: Shell
  panel: StepPanel
  tell: (event: PanelEvent) => unknown
  /** What stands in the field that has the cursor. */
  text: string
  /** Leaves nothing of that text, which may be a secret, but these words. */
  wipe: (words: string) => void
  /** Where the content stands and how far it goes, in terminal rows. */
  scroll: { top: number; maxTop: number; pageRows: number }
  /** Whether the terminal has the size that a typed word asks for. */
  roomToConfirm: boolean
}

/** The table of keys of one step, in the order of the help line: its own actions first, then the ones of every step. */
export function stepKeys(input: StepKeysInput): KeyBinding[] {
  const { view, panel, tell, shell } = input
  const quit: KeyBinding = { key: 'q', label: 'quit', run: () => shell.quit() }
  const close: KeyBinding = { key: 'escape', label: KEY_WORDS.close, run: () => tell({ type: 'close' }) }
  switch (panel.panel) {
    case 'confirm':
      return [{ ...close, label: 'do not send', whileTyping: true }, ...scrollKeys(input)]
    case 'explain':
      return [
        close,
        { key: '?', run: close.run },
        { key: 'f1', run: close.run },
        ...selectKeys(input),
        ...scrollKeys(input),
        quit,
      ]
    case 'commands':
      return [close, { key: 'c', run: close.run }, ...scrollKeys(input), quit]
    case 'picture':
      return [
        close,
        { key: view.picture?.key ?? '', run: close.run },
        { key: 'f2', run: close.run },
        ...scrollKeys(input),
        quit,
      ]
    case 'facts':
      return [
        ...fieldKeys(input),
        ...actionKeys(input),
        ...selectKeys(input),
        ...scrollKeys(input),
        ...notifyKeys(input),
        ...pictureKeys(input, { typing: false }),
        { key: 'c', label: 'command', run: () => tell({ type: 'commands' }) },
        { key: '?', label: KEY_WORDS.explain, run: () => tell({ type: 'explain' }) },
        { key: 'f1', run: () => tell({ type: 'explain' }) },
        ...backKeys(input),
        quit,
      ]
  }
}

function actionKeys(input: StepKeysInput): KeyBinding[] {
  const { view, panel, tell, shell, roomToConfirm } = input
  const chosen = view.fields.find(({ id }) => id === panel.selectedId)?.id
  return view.actions.map(({ key, label, typed, does }) => ({
    key,
    label: labelOf({ label, typed }, roomToConfirm),
    run: () => {
      if (typed === undefined) perform(does, input, chosen)
      else tell({ type: 'confirm', key, atMs: shell.clock.monotonicMs() })
    },
  }))
}

function labelOf(
  { label, typed }: { label: string; typed: string | undefined },
  roomToConfirm: boolean,
): string {
  if (typed === undefined) return label
  return roomToConfirm ? reviewLabel(label) : `${label} (needs 80x24)`
}

/** Does what an action of the shown frame says. `chosen`: the field that the arrows have chosen, where they have. */
export function perform(
  does: AnyDoes,
  input: Pick<StepKeysInput, 'dispatch' | 'tell' | 'shell'>,
  chosen?: string,
): void {
  if (does === 'quit') input.shell.quit()
  else if (does === 'newKey') input.shell.newKey?.()
  else if ('edit' in does) input.tell({ type: 'edit', fieldId: chosen ?? does.edit })
  else input.dispatch(does)
}

function fieldKeys(input: StepKeysInput): KeyBinding[] {
  const { view, panel, dispatch, text } = input
  const field = fieldWithCursor(view, panel)
  if (field !== undefined) {
    const secret = secretRefusal(text)
    // Whatever would leave the field wipes what may be a secret: it goes nowhere, and is not shown again.
    const tell = secret === undefined ? input.tell : () => input.wipe(secret)
    const before = besideIn(view, field, -1)
    const next = besideIn(view, field, 1)
    const accept = () => {
      if (secret !== undefined) return input.wipe(secret)
      tell({ type: 'submitted', fieldId: field.id, text })
      dispatch([taken(field, text)])
    }
    return [
      { key: 'return', label: 'accept', whileTyping: true, run: accept },
      ...moveKeys(['up', 'backtab'], 'the line above', before, tell),
      ...moveKeys(['down', 'tab'], 'the line below', next, tell),
      {
        key: 'f1',
        label: KEY_WORDS.explain,
        whileTyping: true,
        run: () => tell({ type: 'explain', id: field.id }),
      },
      ...pictureKeys({ view, tell }, { typing: true }),
      { key: 'escape', label: 'leave the field', whileTyping: true, run: () => tell({ type: 'leaveField' }) },
    ]
  }
  if (view.activeField === undefined) return []
  const enter = () => void input.tell({ type: 'enterField' })
  const hasEnter = view.actions.some(({ key }) => key === 'return')
  return [
    { key: 'tab', label: 'back to the field', run: enter },
    ...(hasEnter ? [] : [{ key: 'return', run: enter }]),
  ]
}

/** The field before or behind one, among those that are filled and the one that is asked for. */
function besideIn({ fields, activeField }: AnyView, field: AnyField, by: 1 | -1): AnyField | undefined {
  const open = fields.filter(({ id, value }) => value !== '' || id === activeField || id === field.id)
  return open[open.indexOf(field) + by]
}

function moveKeys(
  keys: readonly string[],
  label: string,
  to: AnyField | undefined,
  tell: (event: PanelEvent) => unknown,
): KeyBinding[] {
  if (to === undefined) return []
  const run = () => void tell({ type: 'edit', fieldId: to.id })
  return keys.map((key, at) => ({ key, whileTyping: true, run, ...(at === 0 ? { label } : {}) }))
}

/** Offered where something comes by itself. */
function notifyKeys({ view, shell }: StepKeysInput): KeyBinding[] {
  const { notifier } = shell
  if (notifier === undefined || !awaitsSomething(view)) return []
  return [{ key: 'n', label: notifier.on ? 'notify off' : 'notify', run: () => notifier.toggle() }]
}

/** A letter, and F2 where letters are text. */
function pictureKeys(
  { view, tell }: Pick<StepKeysInput, 'view' | 'tell'>,
  { typing }: { typing: boolean },
): KeyBinding[] {
  const { picture } = view
  if (picture === undefined) return []
  const run = () => void tell({ type: 'picture' })
  const { key, label } = picture
  return typing
    ? [{ key: 'f2', label, whileTyping: true, run }]
    : [
        { key, label, run },
        { key: 'f2', run },
      ]
}

/** Named where there is something to choose from; typing a text needs its keys first. */
function selectKeys({ view, tell }: StepKeysInput): KeyBinding[] {
  const { facts, checks } = view
  const named = facts.length + checks.length > 1 ? ({ label: 'choose', spare: true } as const) : {}
  return [
    { key: 'up', ...named, run: () => tell({ type: 'select', by: -1 }) },
    { key: 'down', ...named, run: () => tell({ type: 'select', by: 1 }) },
  ]
}

function scrollKeys({ tell, scroll }: StepKeysInput): KeyBinding[] {
  const by = (rows: number): void =>
    void tell({ type: 'scroll', to: Math.min(scroll.maxTop, Math.max(0, scroll.top + rows)) })
  return [
    { key: 'pageup', whileTyping: true, run: () => by(-Math.max(1, scroll.pageRows - 1)) },
    { key: 'pagedown', whileTyping: true, run: () => by(Math.max(1, scroll.pageRows - 1)) },
  ]
}

function backKeys({ view, dispatch, shell }: StepKeysInput): KeyBinding[] {
  const before = STEP_IDS[STEP_IDS.indexOf(view.step) - 1]
  if (before !== undefined) return [{ key: 'escape', label: 'back', run: () => dispatch([goTo(before)]) }]
  const { wayBack } = shell
  return wayBack === undefined ? [] : [{ key: 'escape', label: wayBack.label, run: () => wayBack.run() }]
}

/** Whether the screen shows something that comes by itself, so that its user may look elsewhere. */
export function awaitsSomething(view: AnyView): boolean {
  return view.waiting !== undefined || view.timeline.some(({ state }) => state !== 'done')
}

/** What to tell someone who looks elsewhere: what has come, or what is wrong; undefined while nothing has changed. */
export function noticeBetween(before: AnyView, after: AnyView): string | undefined {
  if (before.step !== after.step) return undefined
  if (after.problem !== undefined) {
    return after.problem.id === before.problem?.id ? undefined : after.problem.title
  }
  if (after.done !== before.done) return after.done ? after.title : undefined
  const passed = after.timeline.findLast(
    ({ id, state }) =>
      state === 'done' && before.timeline.some((row) => row.id === id && row.state !== 'done'),
  )
  if (passed !== undefined) return passed.label
  return before.waiting !== undefined && after.waiting === undefined ? after.title : undefined
}

/** Tells what has changed in a view, where its user asked for that. */
export function useNotice(view: AnyView, notifier: Notifier | undefined): void {
  const before = useRef(view)
  useEffect(() => {
    const notice = noticeBetween(before.current, view)
    before.current = view
    if (notice !== undefined && notifier?.on === true) notifier.tell(notice)
  }, [view, notifier])
}

/** Holds, for all steps, whether the user wants to be called. Nothing where the terminal cannot call. */
export function useNotifier({ notify }: Shell): Pick<Shell, 'notifier'> {
  const [on, setOn] = useState(false)
  return useMemo(
    () =>
      notify === undefined
        ? {}
        : { notifier: { on, toggle: () => setOn((before) => !before), tell: notify } },
    [on, notify],
  )
}
