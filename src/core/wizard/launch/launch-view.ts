import { type Names, withCommands } from '../../base/format/next-text.ts'
import type { EarlyKey, EarlyView } from '../../view/early-view.ts'
import type { ErrorFacts } from '../../view/observation.ts'
import type { Problem } from '../../view/view.ts'
import type { NetworkChoice, OpeningWords } from './choice.ts'
import { formView } from './form-view.ts'
import { startView } from './start-view.ts'
import type { LaunchSay, LaunchState, Screen } from './state.ts'
import { LAUNCH_TEXT } from './text.ts'

const { keys: KEYS, failed: TEXT } = LAUNCH_TEXT
const BACK: EarlyKey<LaunchSay> = { key: 'escape', label: KEYS.back, does: { type: 'back' } }

/** A screen before the steps. */
export type EarlyPhase = Exclude<Screen, { phase: 'running' }>

/**
 * Draws the screens before the steps and their keys. `run`: the command of this program as a shell takes it, where the
 * program is not called by its name.
 */
export function launchView(
  screen: EarlyPhase,
  { place, underWay, latest }: LaunchState,
  run: Names['run'] | undefined,
): EarlyView<LaunchSay> {
  switch (screen.phase) {
    case 'choose':
      return startView({
        place,
        underWay,
        error: screen.error === undefined ? undefined : { text: screen.error, of: latest },
      })
    case 'form':
      return formView(screen, place.panel)
    case 'opening':
      return openingView(screen.words, screen.sinceMs)
    case 'failed':
      return failedView(screen, run)
  }
}

/** Returns the label of the key that leads back from the steps: to the form where there was one. */
export const wayBackLabel = ({ form }: { form: object | undefined }): string =>
  form === undefined ? KEYS.back : LAUNCH_TEXT.backToForm

/** Draws the wait while a network starts or its endpoints are asked for the first time. */
export function openingView(words: OpeningWords, sinceMs: number): EarlyView<LaunchSay> {
  return {
    id: `opening.${words}.${sinceMs}`,
    title: LAUNCH_TEXT.moment,
    parts: [],
    isPending: true,
    waiting: { label: LAUNCH_TEXT.waits[words], sinceMs },
    money: LAUNCH_TEXT.money,
    keys: [BACK],
  }
}

type Failed = Extract<Screen, { phase: 'failed' }>

/** Draws a network that could not be opened: what failed, why, where the money is, what to do next. */
export function failedView(
  screen: Pick<Failed, 'error' | 'choice'>,
  run: Names['run'] | undefined,
): EarlyView<LaunchSay> {
  const { code, shortMessage, details, nextSteps, money } = screen.error
  const next = run === undefined ? nextSteps : nextSteps.map((step) => withCommands(step, run))
  const problem: Problem = {
    id: code,
    kind: 'event',
    title: shortMessage,
    money,
    values: [],
    lines: details,
    next,
  }
  const retry: EarlyKey<LaunchSay> = { key: 'r', label: KEYS.retry, does: { type: 'retried' } }
  return { ...problemView(problem), keys: [...rehearsalKeys(screen), retry, BACK] }
}

/** The end of a session whose journal cannot be written any more: nothing goes on. */
export function lostView({ code, shortMessage, details, nextSteps }: ErrorFacts): EarlyView<never> {
  return problemView({
    id: code,
    kind: 'event',
    title: TEXT.lost.title,
    money: 'unknown',
    values: [],
    lines: [shortMessage, ...details, TEXT.lost.nothingMore],
    next: [...nextSteps, TEXT.lost.next],
  })
}

/** A failure that no step could take care of; its code stands above it, for a report. */
function problemView(problem: Problem): EarlyView<never> {
  return {
    id: `failed.${problem.id}`,
    title: problem.id,
    isCode: true,
    parts: [{ is: 'problem', problem }],
    money: { line: TEXT.money[problem.money], worst: TEXT.worst },
    keys: [],
  }
}

/** The way on where a rehearsal network has ended: only a key begins another one. */
function rehearsalKeys({ error, choice }: Pick<Failed, 'error' | 'choice'>): EarlyKey<LaunchSay>[] {
  if (error.code !== 'rehearsal.ended') return []
  const scenario =
    choice.kind === 'rehearsal' && choice.scenario !== undefined ? { scenario: choice.scenario } : {}
  const again: NetworkChoice = { kind: 'rehearsal', which: 'new', ...scenario }
  return [{ key: 'n', label: TEXT.keys.begin, does: { type: 'chosen', choice: again } }]
}
