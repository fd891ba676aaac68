import { useInput, usePaste } from 'ink'
import { useCallback, useEffect } from 'react'
import { changesOf, type DeskEvent, deskVerdict, gapsOf, DESK_TEXT as TEXT } from '../core/pay/desk/desk.ts'
import type { Offer } from '../core/pay/desk/offer.ts'
import type { WordKey } from '../core/pay/desk/typed-word.ts'
import type { Verdict } from '../core/view/view.ts'
import type { AnyAction, AnyDesk, AnyView, Event } from '../core/wizard/state.ts'
import type { MonotonicClock } from './shell.tsx'
import type { PanelEvent, StepPanel } from './step-panel.ts'

export type DeskInput = {
  view: AnyView
  panel: StepPanel
  tell: (event: PanelEvent) => StepPanel
  /** What was opened, over the state of this very moment. */
  offerNow: (opened: Offer) => Offer | undefined
  dispatch: (events: readonly Event[]) => void
  /** Does what the word that was typed lets go. */
  letGo: (action: AnyAction) => void
}

/** A desk event that does not say yet what is offered now. */
type Unjudged = DeskEvent extends infer E ? (E extends DeskEvent ? Omit<E, 'now'> : never) : never

/**
 * Returns what handles a key of a typed word: the desk judges every key and every new frame by the state of that moment, not by
 * the one that is drawn. An offer that has changed is shown anew at once.
 */
export function useDesk(input: DeskInput): (key: WordKey, how: { nowMs: number }) => void {
  const { view, panel, tell, offerNow, dispatch, letGo } = input
  const isOpen = panel.desk !== undefined
  const judge = useCallback(
    (event: Unjudged) => {
      const opened = panel.desk?.opened
      if (opened === undefined) return
      const { desk } = tell({ type: 'desk', event: { ...event, now: offerNow(opened.offer) } })
      if (desk?.stand.is === 'sent') {
        tell({ type: 'close' })
        letGo(opened)
      }
    },
    [panel.desk?.opened, tell, offerNow, letGo],
  )
  useEffect(() => {
    // Each new view is a look.
    if (isOpen && view !== undefined) judge({ type: 'looked' })
  }, [isOpen, view, judge])
  const isOther = panel.desk?.stand.is === 'other'
  const anew = panel.desk?.opened.anew
  useEffect(() => {
    if (isOther && anew !== undefined) dispatch(anew)
  }, [isOther, anew, dispatch])
  return useCallback((key, how) => judge({ type: 'pressed', key, how }), [judge])
}

/**
 * What a desk says below its word: what changed, what is not known, that something else is proposed now; and in the place
 * of the verdict that was read, where that is not so any more.
 */
export type DeskNotes = { changed?: string; note?: string; verdict?: Verdict | undefined }

/** Returns the sentences of a desk; `view` is the newest one. */
export function deskNotes(desk: AnyDesk, frame: AnyView | undefined, view: AnyView): DeskNotes {
  const rows = frame?.checks ?? []
  const verdict = deskVerdict(desk)
  const changes = changesOf(desk, rows)
  if (changes !== undefined) return { verdict, changed: TEXT.changed(changes), note: TEXT.anew.keys }
  const gaps = gapsOf(desk, rows)
  if (gaps !== undefined) return { verdict, note: TEXT.unknown(gaps) }
  const now = view.actions.find(({ key }) => key === desk.opened.key)?.typed
  return now === undefined || now === desk.opened.typed ? {} : { note: TEXT.proposal(now) }
}

/** Hands over each key that concerns a typed word, with the time at which it came. Deaf while not `active`. */
export function useTypedWord(options: {
  clock: MonotonicClock
  active: boolean
  press: (key: WordKey, how: { nowMs: number }) => void
}): void {
  const { clock, active, press } = options
  const take = (pressed: WordKey | undefined): void => {
    if (active && pressed !== undefined) press(pressed, { nowMs: clock.monotonicMs() })
  }
  useInput((input, key) => take(wordKey(input, key)))
  usePaste(() => take({ kind: 'paste' }))
}

function wordKey(input: string, key: Parameters<Parameters<typeof useInput>[0]>[1]): WordKey | undefined {
  if (key.return) return { kind: 'enter' }
  if (key.backspace || key.delete) return { kind: 'rub' }
  if (key.ctrl && input === 'u') return { kind: 'clear' }
  if (key.ctrl || key.meta || key.escape || input === '') return undefined
  return { kind: 'character', text: input }
}
