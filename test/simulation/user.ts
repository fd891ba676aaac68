import { nextDecision } from '../../src/compose/drive-rehearsal.ts'
import { typedGwei } from '../../src/core/base/format/amount.ts'
import { namesKey } from '../../src/core/base/format/next.ts'
import type { WordKey } from '../../src/core/pay/desk/typed-word.ts'
import { exportedOf } from '../../src/core/pay/payment/sign-again.ts'
import { goTo } from '../../src/core/view/step-view.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import {
  type AnyAction,
  type AnyDoes,
  type AnyView,
  type Event,
  type State,
  taken,
} from '../../src/core/wizard/state.ts'
import { offerNow, viewOf } from '../../src/core/wizard/view-of.ts'
import { stepKeys } from '../../src/hooks/step-keys.ts'
import { PANEL_START, type PanelEvent, panelAfter, type StepPanel } from '../../src/hooks/step-panel.ts'
import { payByHand } from './by-hand.ts'
import { CAP_TOKENS, SLOTS_LEFT } from './guard-judge.ts'
import { SLOT_MS } from './network.ts'
import type { Process } from './process.ts'
import type { Random } from './random.ts'
import { signElsewhere } from './signer.ts'
import type { World } from './world.ts'

/** How somebody sits at the desk. */
export type Manners = {
  /** Between two looks at the screen. */
  paceMs: number
  /** How often a key is any key. */
  mischief: number
  /** How often a word is mistyped. */
  slips: number
  /** How often the password is not typed. */
  refusals: number
}

export const CALM: Manners = { paceMs: 800, mischief: 0, slips: 0, refusals: 0 }

/** Somebody at the desk of a wizard. */
export type User = {
  manners: Manners
  /** What is wanted of a guard: one that is armed, or its nonce back; nothing where none is thought of. */
  wants: 'guard' | 'nonce' | undefined
  /** Whether the guard that was wanted is armed. */
  hasGuard: boolean
  /** Leaves the desk. */
  leave(): void
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz 0123456789'
/** Slots without anything new after which somebody tries another way. */
const PATIENCE = 4
/** Keys that may lead on where nothing else does, beside those that only choose or show. */
const LEADING = ['r', 'o', 'b', 'x', 'k', 'g', 't', 'e', 'right', 'escape']

/** The row that refuses to go on and names a key that helps. */
const refusedWith = ({ checks }: Pick<AnyView, 'checks'>, key: string) =>
  checks.find(({ mark, next }) => mark === 'refused' && next !== undefined && namesKey(next, key))

const choosesSigner = (does: AnyDoes, external: boolean): boolean =>
  Array.isArray(does) &&
  (does as readonly Event[]).some((event) => event.type === 'signerChosen' && event.external === external)

const FIRST_SECOND_MS = 1100
/** What is typed into the fields of a guard. */
const GUARD_TEXTS: Readonly<Record<string, string>> = {
  amount: `${CAP_TOKENS}`,
  until: '2040-03-01',
  slots: `${SLOTS_LEFT}`,
}

/** Sits down at the desk of a session: looks at every pace, and does what leads on, or anything. */
export function sitDown(
  world: World,
  process: Process,
  session: Session,
  { random, manners }: { random: Random; manners: Manners },
): User {
  const { time, story } = world
  const { name } = process
  let isGone = false
  let panel: StepPanel = PANEL_START
  let shownStep = session.getState().step
  let lastWay = ''
  let signsLess = false
  let quietSince = { atMs: time.nowMs(), text: '' }
  const self: User = {
    manners,
    wants: world.isGuarded ? 'guard' : undefined,
    hasGuard: false,
    leave() {
      isGone = true
    },
  }
  process.types = () => !random.chance(self.manners.refusals)

  let drawn: { state: State; view: AnyView } | undefined
  /** What the screen shows; drawn once for each state. */
  const view = (): AnyView => {
    const state = session.getState()
    if (drawn?.state !== state) drawn = { state, view: viewOf(state.step, state, session) }
    return drawn.view
  }
  const tell = (event: PanelEvent) => {
    panel = panelAfter(panel, event, view())
    return panel
  }
  const dispatch = (events: readonly Event[]) => {
    for (const event of events) void session.dispatch(event).catch(() => undefined)
  }
  const perform = (does: AnyDoes) => {
    if (typeof does === 'string') return
    if ('edit' in does) tell({ type: 'edit', fieldId: does.edit })
    else dispatch(does)
  }
  const settled = () => isGone || process.isDead()

  /** One key at a desk that is open; true once its word was let go, or the desk is closed. */
  function press(key: WordKey): boolean {
    const { desk } = panel
    if (desk === undefined) return true
    const state = session.getState()
    const now = offerNow(desk.opened.offer, state.step, state, session)
    const { desk: after } = tell({
      type: 'desk',
      event: { type: 'pressed', key, how: { nowMs: time.nowMs() }, now },
    })
    if (after?.stand.is === 'sent') {
      story.note(name, () => `the user has typed “${desk.opened.typed}”`)
      story.reached('word-let-go')
      tell({ type: 'close' })
      perform(desk.opened.does)
      return true
    }
    if (after?.stand.is !== 'other') return false
    story.reached('offer-changed')
    dispatch(desk.opened.anew ?? [])
    tell({ type: 'close' })
    return true
  }

  async function typeWord(action: AnyAction): Promise<void> {
    const { typed = '' } = action
    tell({ type: 'confirm', key: action.key, atMs: time.nowMs() })
    if (panel.desk === undefined) return
    story.note(name, () => `the user reads, and begins to type “${typed}”`)
    await time.sleep(FIRST_SECOND_MS + random.below(3000))
    for (const letter of typed) {
      if (settled()) return
      const slip = random.chance(self.manners.slips)
      if (press({ kind: 'character', text: slip ? random.pick([...LETTERS]) : letter })) return
      await time.sleep(40 + random.below(slip ? 2500 : 60))
    }
    if (settled() || press({ kind: 'enter' })) return
    await time.sleep(500)
    if (!settled()) tell({ type: 'close' })
  }

  /** What the autopilot of a rehearsal would do, but by the keys of the desk. */
  async function leadOn(): Promise<void> {
    if (panel.panel !== 'facts') tell({ type: 'close' })
    if (self.wants !== undefined && (await goForGuard(self.wants))) return
    if (signTheLeast()) return
    const { network, ...setup } = session.setup
    const asRehearsal = {
      ...session,
      setup: { ...setup, network: { ...network, kind: 'rehearsal' as const } },
    }
    const decision = nextDecision(asRehearsal)
    const shown = view()
    const enter = shown.actions.find(({ key }) => key === 'return')
    if (decision !== undefined && 'type' in decision && decision.type === 'agreed') {
      if (enter?.typed !== undefined) await typeWord(enter)
      return
    }
    if (decision !== undefined) {
      dispatch([decision])
      return
    }
    // A quote for a replacement is on the page.
    if (enter?.typed !== undefined && random.chance(0.5)) return typeWord(enter)
    // What was edited last may not be on this page any more.
    const asked = [panel.editing, shown.activeField, 'signed']
    const [field] = asked.flatMap((one) => shown.fields.filter(({ id }) => id === one))
    const text = field && (await textFor(field.id))
    if (field === undefined || text === undefined || field.value.toLowerCase() === text.toLowerCase())
      return tryAnotherWay(shown)
    story.note(name, () => `the user fills in ${field.id}`)
    tell({ type: 'submitted', fieldId: field.id, text })
    dispatch([taken(field, text)])
  }

  /** Goes for what is wanted of a guard by the keys of the desk; false where there is no way yet. */
  async function goForGuard(wanted: 'guard' | 'nonce'): Promise<boolean> {
    const { step, status, topup } = session.getState()
    const shown = view()
    const { guard } = topup
    const isPage = step === 'topup' && guard.isOpen
    const here = typeof guard.here === 'object' ? guard.here.stand : undefined
    const isHere = status.guard !== undefined || here !== undefined
    // Whoever comes back is told of a guard before the way to its page is open.
    if (step !== 'status' && step !== 'topup') return false
    if (wanted === 'guard' && (self.hasGuard || isHere)) {
      if (!self.hasGuard) story.note(name, () => 'the user has a guard')
      self.hasGuard = true
      story.reached('guard-armed')
      if (step !== 'status') dispatch([{ step: 'session', type: 'went', to: 'status' }])
      return true
    }
    if (!isPage) {
      const leads = shown.actions.find(({ key }) => key === 'g')
      if (leads === undefined) return false
      story.note(name, () => `the user presses g: ${leads.label}`)
      perform(leads.does)
      return true
    }
    if (guard.work !== undefined) return true
    if (wanted === 'nonce') {
      const back = shown.actions.find(({ key }) => key === 'x')
      if (back !== undefined) await typeWord(back)
      return true
    }
    for (const field of shown.fields) {
      const text = GUARD_TEXTS[field.id]
      if (text === undefined || field.value.replaceAll(',', '') === text) continue
      story.note(name, () => `the user fills in ${field.id}`)
      tell({ type: 'submitted', fieldId: field.id, text })
      dispatch([taken(field, text)])
      return true
    }
    const word = shown.actions.find(({ key }) => key === 'return')
    if (word?.typed !== undefined) await typeWord(word)
    else if (shown.problem !== undefined) {
      // What was refused is asked anew.
      const back = shown.actions.find(({ key }) => key === 'escape')
      if (back !== undefined) perform(back.does)
    } else await tryAnotherWay(shown)
    return true
  }

  /** Goes back and signs the least, as the row says that has no place for more; false where that is not to be done. */
  function signTheLeast(): boolean {
    const shown = view()
    const refused = refusedWith(shown, 'e')
    if (refused !== undefined) {
      story.note(name, () => `the user goes back to sign less: ${refused.value}`)
      signsLess = true
      dispatch([goTo('sign')])
      return true
    }
    if (!signsLess || shown.step !== 'sign') return false
    const field = shown.fields.find(({ id }) => id === 'amount')
    const edit = shown.actions.find(({ key }) => key === 'e')
    if (field !== undefined) {
      signsLess = false
      dispatch([taken(field, typedGwei(session.setup.network.minimumDepositGwei))])
    } else if (edit !== undefined) perform(edit.does)
    return true
  }

  /** What the autopilot leaves to the user: whose account pays, the word for more than the least, what another wallet signed. */
  async function textFor(fieldId: string): Promise<string | undefined> {
    const { deposit, topup, step } = session.getState()
    const { signature } = session.facts()
    switch (fieldId) {
      case 'sender':
        return session.setup.suggestedAddress
      case 'risk':
        return signature && `risk ${typedGwei(signature.amountGwei)}`
      case 'signed': {
        const unsigned = exportedOf(step === 'deposit' ? deposit : topup.send)
        if (unsigned === undefined) return undefined
        story.reached('signed-elsewhere')
        const raw = await signElsewhere(world.ground, unsigned)
        await world.judge.signed(raw, process.payment(raw))
        return raw
      }
      default:
        return undefined
    }
  }

  async function tryAnotherWay({ actions, title, problem, checks, facts }: AnyView): Promise<void> {
    const rows = [...facts, ...checks].map(({ id, mark }) => `${id} ${mark}`)
    const text = JSON.stringify([title, problem?.id, actions.map(({ key }) => key), rows])
    if (text !== quietSince.text) {
      quietSince = { atMs: time.nowMs(), text }
      return
    }
    if (time.nowMs() - quietSince.atMs < PATIENCE * SLOT_MS) return
    quietSince = { atMs: time.nowMs(), text: '' }
    // As its page says: a nonce before that of the payment is used by hand.
    if (problem?.id === 'payment.nonce-too-high') return payByHand(world, 'other-transaction')
    const back = actions.find(({ does }) => choosesSigner(does, false))
    const ways = actions.filter(({ key, does }) => LEADING.includes(key) && !choosesSigner(does, true))
    const isTooLittle = refusedWith({ checks }, 'a') !== undefined
    const more = isTooLittle ? ways.find(({ key }) => key === 'right') : undefined
    const asksAgain = ways.find(({ key }) => key === 'r')
    const other = random.chance(0.5) && asksAgain !== undefined ? asksAgain : ways[random.below(ways.length)]
    const replacing = ways.filter(({ key }) => key === 'b' || key === 'x')
    const chosen = back ?? (replacing.length > 0 && random.chance(0.7) ? random.pick(replacing) : other)
    // What has led nowhere once is not tried twice in a row where there is another way.
    const others = ways.filter(({ key }) => key !== lastWay)
    const way = more ?? (chosen?.key === lastWay && others.length > 0 ? random.pick(others) : chosen)
    if (way === undefined) return
    lastWay = way.key
    story.note(name, () => `the user presses ${way.key}: ${way.label}`)
    if (way.typed === undefined) perform(way.does)
    else await typeWord(way)
  }

  async function doAnything(): Promise<void> {
    const shown = view()
    if (panel.panel === 'confirm') return void tell({ type: 'close' })
    const words = shown.actions.filter(({ typed }) => typed !== undefined)
    if (words.length > 0 && random.chance(0.4)) return typeWord(random.pick(words))
    const keys = stepKeys({
      view: shown,
      panel,
      shell: { clock: { monotonicMs: () => time.nowMs() }, quit: () => undefined },
      text: random.pick([
        '10000',
        '20,000',
        '250000',
        '1',
        '',
        'x'.repeat(40),
        '10000.000000001',
        world.ground.plan.user.address,
      ]),
      wipe: () => undefined,
      dispatch,
      tell,
      scroll: { top: 0, maxTop: 0, pageRows: 0 },
      roomToConfirm: true,
    })
    if (keys.length === 0) return
    const key = random.pick(keys)
    story.note(name, () => `the user presses ${key.key}: ${key.label ?? ''}`)
    key.run()
  }

  async function stay(): Promise<void> {
    while (!settled()) {
      await time.sleep(self.manners.paceMs + random.below(self.manners.paceMs))
      if (settled()) return
      const { step } = session.getState()
      if (step !== shownStep) {
        shownStep = step
        panel = PANEL_START
      }
      if (random.chance(self.manners.mischief)) await doAnything()
      else await leadOn()
    }
  }
  stay().catch((thrown: unknown) => world.judge.object('fault', `at the desk: ${String(thrown)}`))
  return self
}
