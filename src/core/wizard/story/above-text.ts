import type { ChronicleEventId, StoryPhase } from '../../chain/network/chronicle.ts'
import type { ScenarioName } from '../../chain/network/scenario-names.ts'

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
