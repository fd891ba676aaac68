import type { Event } from '../core/state.ts'
import { judgeLine, type LineRefusal } from '../core/steps/desk/typed-word.ts'
import type { ActionView } from '../core/steps/step-view.ts'
import { WORD_REFUSALS } from '../screens/words.ts'
import { badgeWords, finalPage } from './rows.ts'
import { CHANGED, type StepTurnInput, stillOffers } from './step-turn.ts'
import { BACK, type Turn } from './turn.ts'

const REFUSALS: Readonly<Record<LineRefusal, string>> = {
  ...WORD_REFUSALS,
  another: 'That is not the word; nothing is sent.',
}

/** The last question before money leaves: what is sent stands above it, and only the word lets it go. */
export function wordTurn(input: StepTurnInput, action: ActionView & { typed: string }): Turn {
  const { view, now, tell, badge } = input
  return {
    page: finalPage(view, action, {
      network: `${badge.label} (${badgeWords(badge)})`,
    }),
    async answer(line, askedAtMs) {
      if (BACK.includes(line.text)) {
        tell({ type: 'close' })
        return {}
      }
      const refusal = judgeLine(line, { word: action.typed, askedAtMs })
      if (refusal !== undefined) return { say: [REFUSALS[refusal]] }
      if (now().step !== view.step || !stillOffers(now(), action)) return CHANGED
      tell({ type: 'close' })
      const events = Array.isArray(action.does) ? (action.does as readonly Event[]) : []
      const taken = await Promise.all(events.map(input.dispatch))
      return taken.includes(false) ? { say: ['Nothing was done: the step does not allow it now.'] } : {}
    },
  }
}
