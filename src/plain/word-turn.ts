import { changesOf, gapsOf } from '../core/pay/desk/changes.ts'
import type { DeskEvent } from '../core/pay/desk/desk.ts'
import { DESK_TEXT } from '../core/pay/desk/text.ts'
import type { LineRefusal } from '../core/pay/desk/typed-word.ts'
import { WORD_REFUSALS } from '../core/view/desk-words.ts'
import type { AnyDesk, AnyView } from '../core/wizard/any-step.ts'
import type { Event } from '../core/wizard/state.ts'
import { badgeWords, finalPage } from './rows.ts'
import type { StepTurnInput } from './step-turn.ts'
import { BACK, ENTER, keysTurn, type Turn } from './turn.ts'

/** Why a line does not count. `typed`: what has to be typed. */
function refusalWords(refusal: LineRefusal, typed: string): string {
  return refusal === 'another' ? `Nothing was sent. Type exactly: ${typed}` : WORD_REFUSALS[refusal]
}

export type WordTurnInput = Pick<StepTurnInput, 'view' | 'tell' | 'badge' | 'dispatch' | 'offerNow'> & {
  desk: AnyDesk
  /** What came of a line at the desk. */
  hear(event: DeskEvent): AnyDesk | undefined
}

/**
 * The last question before money leaves: what is sent stands above it, and only the word lets it go. `view` is the frame on
 * which it was opened.
 */
export function wordTurn(input: WordTurnInput): Turn {
  const { view, tell, badge, desk, hear, offerNow } = input
  const { opened } = desk
  return {
    page: finalPage(view, opened, {
      network: `${badge.label} (${badgeWords(badge)})`,
    }),
    async takeLine(line, askedAtMs) {
      if (BACK.includes(line.text)) {
        tell({ type: 'close' })
        return {}
      }
      const after = hear({ type: 'line', line, how: { askedAtMs }, now: offerNow(opened.offer) })
      if (after === undefined || after.stand.is === 'other') return {}
      if (after.stand.is === 'open') return { say: [refusalOf(after, view)] }
      tell({ type: 'close' })
      const events = Array.isArray(opened.does) ? (opened.does as readonly Event[]) : []
      const taken = await Promise.all(events.map(input.dispatch))
      return taken.includes(false) ? { say: ['Nothing was done: the step does not allow it now.'] } : {}
    },
  }
}

function refusalOf(desk: AnyDesk, { checks }: AnyView): string {
  const { refusal = 'another' } = desk
  if (refusal === 'unknown') return DESK_TEXT.unsent(gapsOf(desk, checks) ?? [])
  return refusalWords(refusal, desk.opened.typed)
}

/** Said in the place of the question once what was opened is known to be another offer. */
export function changedTurn({ view, desk, tell }: Pick<WordTurnInput, 'view' | 'desk' | 'tell'>): Turn {
  const changes = changesOf(desk, view.checks) ?? []
  const lines = [DESK_TEXT.changed(changes), DESK_TEXT.anew.lines]
  const page = { id: `changed.${view.step}`, blocks: [{ key: 'changed', lines, news: 'none' as const }] }
  const close = () => tell({ type: 'close' })
  return keysTurn(page, [{ typed: ENTER, name: 'Enter', label: DESK_TEXT.readAnew, run: close }])
}
