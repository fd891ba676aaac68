import { freshText } from '../../src/core/base/format/edit-text.ts'
import type { EarlyView } from '../../src/core/view/early-view.ts'
import { errorFacts } from '../../src/core/view/observation.ts'
import type { SetupDraft, UnderWay } from '../../src/core/wizard/launch/choice.ts'
import { launchView } from '../../src/core/wizard/launch/launch-view.ts'
import { launchTransition } from '../../src/core/wizard/launch/machine.ts'
import { type LaunchEvent, type LaunchSay, launchAtFirst } from '../../src/core/wizard/launch/state.ts'

const EXPLAIN = { what: 'Where the node answers.', who: 'You.', later: 'Yes.' }
const field = (id: string, label: string) => ({ id, label, value: '', hint: 'an address', explain: EXPLAIN })

export const DRAFT: SetupDraft = {
  badge: { kind: 'real', label: 'Berachain' },
  title: 'Your node for Berachain',
  intro: 'Nothing is asked before you continue.',
  fields: [field('execution', 'execution RPC'), field('node', 'node API')],
}

export const UNDER_WAY: UnderWay = {
  id: '/state/mainnet/1/journal.jsonl',
  badge: DRAFT.badge,
  words: 'deposit sent, waits for its block',
  trouble: false,
  choice: { kind: 'network', id: 'mainnet' },
  command: ['--network', 'mainnet'],
}

export const atMs = 7
const place = (to: Extract<LaunchEvent, { type: 'place' }>['to']): LaunchEvent => ({ type: 'place', to })
const typed = (text: string): LaunchEvent => ({ type: 'edited', edit: { kind: 'paste', text } })
const enter: LaunchEvent = { type: 'form', event: { type: 'moved', to: 'open' } }
const MAINNET: LaunchEvent = { type: 'chosen', choice: { kind: 'network', id: 'mainnet' }, atMs }
const FORM: readonly LaunchEvent[] = [MAINNET, { type: 'drafted', id: 1, draft: DRAFT, atMs }]
export const ASK_FILE = place({ file: { ...freshText(''), accepted: false } })
const FILE: readonly LaunchEvent[] = [ASK_FILE, typed('/no/such.json')]
const FAULT = errorFacts(new Error('nobody answers'))

/** How each screen before the steps is come to. */
export const WAYS = {
  'the first list': [],
  'a list with what is under way': [{ type: 'listed', rows: [UNDER_WAY], atMs }],
  'the stories of a rehearsal': [place({ list: 'scenario' })],
  'the networks of a validator': [place({ list: 'validator' })],
  'an explanation of an entry': [place({ panel: 'explain' })],
  'the command of an entry': [place({ panel: 'command' })],
  'the path of a file': FILE,
  'a file that was not taken': [...FILE, { type: 'entered', atMs }, { type: 'failed', id: 1, error: FAULT }],
  'a form': FORM,
  'the second field of a form': [...FORM, typed('http://127.0.0.1:8545'), enter],
  'a form of a real network': [
    MAINNET,
    { type: 'drafted', id: 1, draft: { ...DRAFT, places: 'unnamed' }, atMs },
  ],
  'a form of a real network that is filled': [
    MAINNET,
    { type: 'drafted', id: 1, draft: { ...DRAFT, places: 'unnamed' }, atMs },
    typed('http://a'),
    enter,
    typed('http://b'),
    enter,
  ],
  'a form that is filled': [...FORM, typed('http://a'), enter, typed('http://b'), enter],
  'an explanation of a field': [...FORM, place({ panel: 'explain' })],
  'a network that is opened': [{ type: 'chosen', choice: { kind: 'rehearsal', which: 'new' }, atMs }],
  'a network that could not be opened': [
    { type: 'chosen', choice: { kind: 'rehearsal', which: 'new' }, atMs },
    { type: 'failed', id: 1, error: FAULT },
  ],
  'a rehearsal that has ended': [
    { type: 'chosen', choice: { kind: 'rehearsal', which: 'last', scenario: 'set-full' }, atMs },
    { type: 'failed', id: 1, error: { ...FAULT, code: 'rehearsal.ended' } },
  ],
} as const satisfies Readonly<Record<string, readonly LaunchEvent[]>>

/** The launcher after these events, and its view. */
export function launched(events: readonly LaunchEvent[], validator?: string) {
  let state = launchAtFirst(validator)
  for (const event of events) [state] = launchTransition(state, event, () => undefined)
  const { screen } = state
  if (screen.phase === 'running') throw new Error('a session runs')
  const view: EarlyView<LaunchSay> = launchView(screen, state, undefined)
  return { state, view }
}
