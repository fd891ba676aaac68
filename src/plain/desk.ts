import { beginByName, type Names } from '../core/format/next-text.ts'
import type { Session } from '../core/session.ts'
import type { DeskEvent } from '../core/steps/desk/desk.ts'
import { offerNow, viewOf } from '../core/view-of.ts'
import { launchLoop } from '../hooks/launch-loop.ts'
import type { Launcher } from '../hooks/launcher.tsx'
import { resumeViewOf } from '../hooks/resume-view.ts'
import type { MonotonicClock, WayBack } from '../hooks/shell.tsx'
import { isSigning, PANEL_START, type PanelEvent, panelAfter, type StepPanel } from '../hooks/step-panel.ts'
import { wayBackWords } from '../screens/words.ts'
import { formTurn } from './form-turn.ts'
import { type StartPlace, startTurn } from './start-turn.ts'
import { type StepTurnInput, stepTurn } from './step-turn.ts'
import { failedTurn, lostTurn, openingTurn, resumeTurn, type Turn } from './turn.ts'
import { changedTurn, wordTurn } from './word-turn.ts'

/** The wizard between the lines: whose turn it is now. */
export type Desk = {
  turn(): Turn
  begin(): void
  leave(): void
  /** Calls the listener when something may have changed. */
  subscribe(listener: () => void): void
}

/** What belongs to one session: which part of its step is looked at, and whether its welcome back was read. */
type Visit = { session: Session; step: string; panel: StepPanel; resumed: boolean; leave: () => void }

/** Drives the launcher and its session by the same machines as the screens. */
export function createDesk(given: {
  launcher: Launcher
  clock: MonotonicClock
  quit: () => void
  /** A command of this program as a shell takes it here, and one that begins the wizard. */
  run?: Names['run']
  begin?: (words: readonly string[]) => string
}): Desk {
  const { launcher, quit, run, begin = beginByName } = given
  const loop = launchLoop(launcher, given.clock)
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  let place: StartPlace = { list: launcher.validator === undefined ? 'begin' : 'validator', asksFile: false }
  let visit: Visit | undefined
  loop.subscribe(changed)

  const atMs = () => loop.nowMs()
  const back = () => loop.dispatch({ type: 'back', atMs: atMs() })

  /** The visit of a session; another session has another one. */
  function visitOf(session: Session): Visit {
    if (visit?.session !== session) {
      visit?.leave()
      visit = { session, step: '', panel: PANEL_START, resumed: false, leave: session.subscribe(changed) }
    }
    const { step } = session.getState()
    if (visit.step !== step) Object.assign(visit, { step, panel: PANEL_START })
    return visit
  }

  function runningTurn(session: Session, wayBack: WayBack): Turn {
    const own = visitOf(session)
    const state = session.getState()
    const { kind, label } = session.setup.network
    const badge = { kind, label }
    const leads = isSigning(state) ? undefined : wayBack
    const resume = own.resumed ? undefined : resumeViewOf(state, session)
    if (resume !== undefined) {
      const proceed = () => {
        own.resumed = true
        void session.dispatch({ step: 'session', type: 'went', to: resume.step })
      }
      return resumeTurn(resume, badge, { proceed, wayBack: leads, quit })
    }
    const { journal, step } = state
    if (journal.status === 'refused' && step !== 'genesis' && step !== 'identity')
      return lostTurn(journal.error, quit)
    const view = viewOf(step, state, session)
    const input: StepTurnInput = {
      view,
      now: () => viewOf(session.getState().step, session.getState(), session),
      offerNow: (opened) => offerNow(opened, step, session.getState(), session),
      badge,
      panel: own.panel,
      tell: (event: PanelEvent) => {
        own.panel = panelAfter(own.panel, event, view)
        changed()
      },
      dispatch: (event) => session.dispatch(event),
      quit,
      wayBack: leads,
    }
    if (own.panel.desk === undefined) return stepTurn(input)
    return deskTurn(own, input)
  }

  /** What is offered now is looked at with every turn; what is known to be another offer is proposed anew, once. */
  function deskTurn(own: Visit, input: StepTurnInput): Turn {
    const hear = (event: DeskEvent) => {
      const before = own.panel.desk?.stand.is
      own.panel = panelAfter(own.panel, { type: 'desk', event }, input.view)
      const { desk } = own.panel
      if (desk?.stand.is === 'other' && before !== 'other')
        for (const anew of desk.opened.anew ?? []) void input.dispatch(anew)
      return desk
    }
    const { desk: opened, frame = input.view } = own.panel
    const desk = opened && hear({ type: 'looked', now: input.offerNow(opened.opened.offer) })
    if (desk === undefined) return stepTurn(input)
    const about = { ...input, view: frame, desk, hear }
    return desk.stand.is === 'other' ? changedTurn(about) : wordTurn(about)
  }

  return {
    turn() {
      const { screen, underWay } = loop.getState()
      switch (screen.phase) {
        case 'choose':
          return startTurn({
            ...place,
            underWay,
            error: screen.error,
            named: launcher.validator,
            begin,
            show(next) {
              place = next
              changed()
            },
            choose: (choice) => loop.dispatch({ type: 'chosen', choice, atMs: atMs() }),
            proceedWith: (row) => loop.dispatch({ type: 'continued', row, atMs: atMs() }),
            quit,
          })
        case 'form':
          return formTurn({
            form: screen,
            tell: (event) => loop.dispatch({ type: 'form', event }),
            proceed: () => loop.dispatch({ type: 'proceeded', atMs: atMs() }),
            back,
            quit,
          })
        case 'opening':
          return openingTurn(screen, { back, quit })
        case 'failed':
          return failedTurn(screen, {
            choose: ({ choice }) => loop.dispatch({ type: 'chosen', choice, atMs: atMs() }),
            retry: () => loop.dispatch({ type: 'retried', atMs: atMs() }),
            back,
            quit,
            run,
          })
        case 'running': {
          return runningTurn(screen.session, { label: wayBackWords(screen.form), run: back })
        }
      }
    },
    begin: () => loop.begin(),
    leave() {
      visit?.leave()
      loop.leave()
    },
    subscribe: (listener) => void listeners.add(listener),
  }
}
