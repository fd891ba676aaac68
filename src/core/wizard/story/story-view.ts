import { namesKey } from '../../base/format/next.ts'
import type { Setup } from '../../chain/facts.ts'
import type { Chronicle, ChronicleEventId, StoryPhase } from '../../chain/network/chronicle.ts'
import type { ScenarioName } from '../../chain/network/scenario-names.ts'
import { stepView } from '../../view/step-view.ts'
import type { FactRow, Mark, StepId } from '../../view/view.ts'
import type { AnyAction, AnyView, State } from '../state.ts'
import { endCard } from './end-card.ts'
import { STORIES_TEXT, type StoryEnd } from './stories-text.ts'

/** What a step says of its story, above what is its own. */
export const ABOVE_TEXT = {
  /** What stands above a step while it happens, in the stories in which something comes by itself. */
  happening: {
    'outbid-while-active': 'Somebody has added stake: read what keeps your place, and decide.',
    'node-stops':
      'Your node has stopped, as this story has it: it comes back by itself after 40 slots. Stay.',
    'troubles-while-active':
      'Blocks are missed, and an operator change waits: here both end by themselves. Read every alarm below; ? explains it.',
    'outbid-at-night': 'Somebody has added stake. It is night: touch nothing, and see what your guard does.',
  } satisfies Partial<Record<ScenarioName, string>> as Partial<Record<ScenarioName, string>>,
  /** What stands there before it happens, where there is something to do until then. */
  soon: {
    'outbid-at-night':
      'Somebody will add stake in about 3 minutes. Press g and arm a guard, come back to this step, and touch nothing.',
  } satisfies Partial<Record<ScenarioName, string>> as Partial<Record<ScenarioName, string>>,
  /** The same once enough is added after somebody else has. */
  acted: 'You have added stake: if this step names no more, stay until the epoch boundary.',
  /** Before the words of a story that is over: what ended by itself. */
  ended: {
    'node-back': 'Your node came back by itself. ',
    'operator-cancelled': 'The operator change was cancelled. ',
  } satisfies Partial<Record<ChronicleEventId, string>> as Partial<Record<ChronicleEventId, string>>,
  /** The same for every story. */
  above: {
    before: '',
    soon: 'Something happens here within a minute: stay.',
    'under-way': 'It is happening now: stay, and read what this step says.',
    over: 'The story is over: h shows what happened, what it cost, and what comes next.',
  } satisfies Record<StoryPhase, string>,
}

const { card: TEXT, keys: KEYS } = STORIES_TEXT
const { above: ABOVE, happening: HAPPENING, soon: SOON, ended: ENDED } = ABOVE_TEXT

/** Returns a step of a rehearsal with what its story has to say above it, or the card of the story in its place. */
export function withStory(view: AnyView, { story, storyOpen }: State, setup: Setup): AnyView {
  if (story === undefined) return view
  if (storyOpen) return cardView(view.step, story, setup)
  if (story.phase === 'before' && view.problem === undefined)
    return isAnew(view, story) ? withNewKey(view) : view
  const open: AnyAction = {
    key: 'h',
    label: KEYS.open,
    does: [{ step: 'session', type: 'storyTurned', open: true }],
  }
  const happening = story.phase === 'under-way' ? happeningWords(story) : undefined
  const before = story.phase === 'soon' ? SOON[story.scenario] : undefined
  const words = happening ?? before ?? `${endedWords(story)}${ABOVE[story.phase]}`
  const newKey = mayTakeNewKey(view, setup) ? [NEW_KEY] : []
  const facts = words === '' ? view.facts : withWords(view, words)
  const { problem } = view
  const stopped = problem !== undefined && story.phase === 'over' ? { problem: withWayOn(problem) } : {}
  return {
    ...view,
    ...stopped,
    facts,
    actions: [...view.actions, ...newKey, open, ...paceKeys(story, setup)],
  }
}

/** What goes on; who has added stake after a rival has read already what to do. */
function happeningWords({ scenario, events }: Chronicle): string | undefined {
  const rival = events.findLastIndex(({ id }) => id === 'rival-added')
  const hasActed = rival !== -1 && events.slice(rival).some(({ id }) => id === 'topped-up')
  return hasActed ? ABOVE_TEXT.acted : HAPPENING[scenario]
}

/** What has ended by itself in a story that is over; empty while it is not, or where nothing has. */
function endedWords({ phase, events }: Chronicle): string {
  const last = phase === 'over' ? events.at(-1) : undefined
  return (last && ENDED[last.id]) ?? ''
}

/** A stopped step whose story is over says how to read it among what to do next. */
function withWayOn(problem: NonNullable<AnyView['problem']>): NonNullable<AnyView['problem']> {
  return { ...problem, next: [...problem.next, STORIES_TEXT.wayOn] }
}

/** Whether the way has just begun again with another key: its first two steps say so. */
const isAnew = ({ step }: AnyView, { events }: Chronicle): boolean =>
  (step === 'genesis' || step === 'identity') && events.at(-1)?.id === 'new-key'

const withNewKey = (view: AnyView): AnyView => ({ ...view, facts: withWords(view, STORIES_TEXT.anew) })

/** The words stand first, but never above what a stopped step is decided by. */
function withWords({ facts, problem }: AnyView, words: string): AnyView['facts'] {
  return problem === undefined ? [storyRow(words), ...facts] : [...facts, storyRow(words)]
}

/** What a story says of itself in a step. */
function storyRow(words: string): FactRow {
  return {
    id: 'story',
    mark: 'given',
    label: KEYS.open,
    value: '',
    long: words,
    source: '',
    explain: TEXT.explain,
    advice: true,
    // Beside a word that is asked for there is no room for it.
    consented: true,
  }
}

const NEW_KEY: AnyAction = { key: 'k', label: KEYS.newKey, does: 'newKey' }

/** Whether the step stops by what is true of the key of the node, and says that another one goes on. */
function mayTakeNewKey({ step, problem }: AnyView, { wishes }: Setup): boolean {
  return (
    step === 'identity' && wishes !== undefined && problem?.next.some((next) => namesKey(next, 'k')) === true
  )
}

/** Slots are longer while there is something to do; who has seen enough need not wait. */
function paceKeys({ pace }: Chronicle, { wishes }: Setup): AnyAction[] {
  if (pace === 'plain' || wishes === undefined) return []
  const hasten = pace === 'slow'
  const label = hasten ? KEYS.faster : KEYS.slower
  return [{ key: hasten ? '+' : '-', label, does: [{ step: 'session', type: 'hasteWished', hasten }] }]
}

const MARKS = { kept: 'proven', out: 'refused', open: 'unknown' } as const satisfies Record<StoryEnd, Mark>

function cardView(step: StepId, story: NonNullable<State['story']>, setup: Setup): AnyView {
  const { end, title, verdict, rows, command } = endCard(story, setup, { hasKeys: true })
  return stepView({
    step,
    page: 'story',
    title,
    verdict: { mark: MARKS[end], text: verdict },
    sections: ['facts'],
    intro: '',
    facts: rows.map(
      ({ id, label, text }, at): FactRow => ({
        id: `${id}.${at}`,
        mark: 'given',
        label,
        value: '',
        long: text,
        source: '',
        advice: true,
        explain: TEXT.explain,
      }),
    ),
    money: { line: TEXT.money, worst: TEXT.worst },
    actions: [
      { key: 'escape', label: KEYS.close, does: [{ step: 'session', type: 'storyTurned', open: false }] },
    ],
    commands: [command],
    done: false,
  })
}
