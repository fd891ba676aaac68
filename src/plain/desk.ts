import type { TextEdit } from '../core/base/format/edit-text.ts'
import type { Names } from '../core/base/format/next.ts'
import type { DeskEvent } from '../core/pay/desk/desk.ts'
import { launchView, wayBackLabel } from '../core/wizard/launch/launch-view.ts'
import { type ResumeSay, resumeView } from '../core/wizard/resume-view.ts'
import type { Session } from '../core/wizard/session.ts'
import { offerNow, viewOf } from '../core/wizard/view-of.ts'
import { type Launcher, launchLoop } from '../hooks/launch-loop.ts'
import { type SecretGate, secretSentences } from '../hooks/secret-gate.ts'
import type { MonotonicClock } from '../hooks/shell.tsx'
import { isSigning, PANEL_START, type PanelEvent, panelAfter, type StepPanel } from '../hooks/step-panel.ts'
import { earlyTurn } from './early-turn.ts'
import { changedTurn, type StepTurnInput, stepTurn, wordTurn } from './step-turn.ts'
import { lockedTurn, type Turn } from './turn.ts'

/** The wizard between the lines: whose turn it is now. */
export type PlainDesk = {
  turn(): Turn
  begin(): void
  leave(): void
  /** Calls the listener when something may have changed. */
  subscribe(listener: () => void): void
}

/** What belongs to one session: which part of its step is looked at. */
type Visit = { session: Session; step: string; panel: StepPanel; leave: () => void }

/** Drives the launcher and its session by the same machines as the screens. */
export function createDesk(given: {
  launcher: Launcher
  clock: MonotonicClock
  quit: () => void
  /** A command of this program as a shell takes it here, and one that begins the wizard. */
  run?: Names['run']
  begin?: (words: readonly string[]) => string
  /** What drops keys between a typed word and its password prompt. Absent where no password is asked for. */
  secret?: Pick<SecretGate, 'get' | 'subscribe' | 'refused'>
}): PlainDesk {
  const { launcher, quit, run, begin, secret } = given
  const loop = launchLoop(launcher, given.clock)
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  let visit: Visit | undefined
  loop.subscribe(changed)
  secret?.subscribe(changed)

  /** The visit of a session; another session has another one. */
  function visitOf(session: Session): Visit {
    if (visit?.session !== session) {
      visit?.leave()
      visit = { session, step: '', panel: PANEL_START, leave: session.subscribe(changed) }
    }
    const { step } = session.getState()
    if (visit.step !== step) Object.assign(visit, { step, panel: PANEL_START })
    return visit
  }

  function runningTurn(session: Session, backLabel: string): Turn {
    const own = visitOf(session)
    const state = session.getState()
    const { kind, label } = session.setup.network
    const badge = { kind, label }
    const back = () => loop.tell({ type: 'back' })
    const wayBack = isSigning(state) ? undefined : { label: backLabel, run: back }
    const resume = resumeView(state, session, wayBack?.label)
    if (resume !== undefined) {
      const tell = (event: ResumeSay) => (event === 'back' ? back() : session.dispatch(event))
      return earlyTurn({ view: resume, tell, quit })
    }
    const { step } = state
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
      newKey: () => loop.tell({ type: 'newKeyWished' }),
      wayBack,
    }
    if (own.panel.desk === undefined) return stepTurn(input)
    return deskTurn(own, input)
  }

  /** What is offered now is looked at with every turn; what is known to be another offer is proposed anew, once. */
  function deskTurn(own: Visit, input: StepTurnInput): Turn {
    const refused = () => secret?.refused(own.session.setup)
    const hear = (event: DeskEvent) => {
      const before = own.panel.desk?.stand.is
      own.panel = panelAfter(own.panel, { type: 'desk', event }, input.view)
      const { desk } = own.panel
      if (desk?.stand.is === 'other' && before !== 'other') {
        refused()
        for (const anew of desk.opened.anew ?? []) void input.dispatch(anew)
      }
      return desk
    }
    const { desk: opened, frame = input.view } = own.panel
    const desk = opened && hear({ type: 'looked', now: input.offerNow(opened.opened.offer) })
    if (desk === undefined) return stepTurn(input)
    const about = { ...input, view: frame, desk, hear, refused }
    return desk.stand.is === 'other' ? changedTurn(about) : wordTurn(about)
  }

  function presentTurn(): Turn {
    const state = loop.getState()
    const { screen } = state
    if (screen.phase === 'running') return runningTurn(screen.session, wayBackLabel(screen))
    const edit = (change: TextEdit) => loop.tell({ type: 'edited', edit: change })
    return earlyTurn({ view: launchView(screen, state, run), tell: loop.tell, edit, quit, begin })
  }

  return {
    turn() {
      const turn = presentTurn()
      const wait = secret?.get()
      return wait === undefined ? turn : lockedTurn(turn, secretSentences(wait))
    },
    begin: () => loop.begin(),
    leave() {
      visit?.leave()
      loop.leave()
    },
    subscribe: (listener) => void listeners.add(listener),
  }
}
