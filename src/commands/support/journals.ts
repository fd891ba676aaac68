import { join } from 'node:path'
import { holderNamed } from '../../core/base/effects/node-claim.ts'
import { JournalError } from '../../core/base/errors/journal.ts'
import { type Entry, readEvents } from '../../core/wizard/journal/entry.ts'
import type { JournalEvent } from '../../core/wizard/journal/events.ts'
import { readJournal } from '../../core/wizard/journal/replay.ts'
import { standingIn } from '../../core/wizard/launch/standing.ts'
import type { Call } from '../command.ts'
import { count, NONE, OTHER, type ReportFacts, seconds, wordOf } from './closed.ts'
import { codeOf, networkWord } from './words.ts'

type Types<Step extends JournalEvent['step']> = Readonly<
  Record<Extract<JournalEvent, { step: Step }>['type'], true>
>

const OF_PAYMENT: Types<'deposit' | 'topup'> = {
  agreed: true,
  prepared: true,
  abandoned: true,
  signed: true,
  'handed-over': true,
  replacing: true,
  replaced: true,
  found: true,
  included: true,
  orphaned: true,
  ended: true,
  contradicted: true,
  'held-back': true,
  reopened: true,
}

/** Every event that a journal can hold. */
const EVENTS: { readonly [Step in JournalEvent['step']]: Types<Step> } = {
  identity: { adopted: true },
  sign: { planned: true, signed: true, dropped: true },
  deposit: OF_PAYMENT,
  topup: OF_PAYMENT,
}

const eventWord = wordOf(
  Object.entries(EVENTS).flatMap(([step, types]) => Object.keys(types).map((type) => `${step}.${type}`)),
)

const detail = wordOf([
  'keystore',
  'external',
  'contract',
  'paid',
  'cancelled',
  'reverted',
  'nonce-taken',
  'speed-up',
  'cancellation',
  'rescue',
  'elsewhere',
])

/** What of an event is one of a few words: who signs, how it ended, which replacement, which kind of signature. */
function detailOf(event: JournalEvent): ReportFacts {
  switch (event.type) {
    case 'prepared':
      return detail(event.draft.signer)
    case 'ended':
      return detail(event.outcome.is)
    case 'replacing':
      return detail(event.replacement.kind)
    case 'planned':
      return detail(event.plan.rescue ? 'rescue' : event.plan.elsewhere && 'elsewhere')
    default:
      return NONE
  }
}

const standing = wordOf(['begun', 'planned', 'signature', 'adopted', 'deposit', 'topup'])
const phase = wordOf(['none', 'agreed', 'exported', 'signed', 'sent', 'included', 'paid', 'not-paid'])
const another = wordOf(['yes', 'perhaps', 'no'])

type Fault = { code: ReportFacts; line: ReportFacts }
type Read = { entries: readonly Entry[]; events: readonly JournalEvent[]; fault: Fault | undefined }

/** A journal as far as it can be read, and what is wrong behind that. */
function readPart(text: string): Read {
  try {
    const { entries } = readJournal(text)
    return { entries, events: readEvents(entries.slice(1)), fault: undefined }
  } catch (thrown) {
    if (!(thrown instanceof JournalError)) throw thrown
    const { line = 1 } = thrown
    const lines = text.split('\n')
    const good = lines.slice(0, line - 1).map((each) => `${each}\n`)
    const fault = { code: codeOf(thrown), line: count(line) }
    // What was read of the same lines is refused no more.
    if (good.length >= lines.length) return { entries: [], events: [], fault }
    return { ...readPart(good.join('')), fault }
  }
}

const LAST_EVENTS = 20

const NOTHING_READ = {
  format: NONE,
  lines: NONE,
  stands: NONE,
  payment: NONE,
  faultLine: NONE,
  counts: [],
  lastEvents: [],
}

/** One journal: how it stands, and its events by name. Times count from its first line; nothing says when that was. */
async function journal(
  { effects }: Call,
  place: { path: string; network: ReportFacts },
): Promise<ReportFacts> {
  const path = join(place.path, 'journal.jsonl')
  const known = { network: place.network, openElsewhere: await heldAt(path) }
  try {
    const text = await effects.store.readText(path)
    if (text === undefined) return { ...known, ...NOTHING_READ, fault: NONE }
    const { entries, events, fault } = readPart(text)
    const [first, ...rest] = entries
    const stands = standingIn(events)
    const shownEvents = events.map((event, at) => ({
      event: eventWord(`${event.step}.${event.type}`),
      detail: detailOf(event),
      afterSeconds: first === undefined ? OTHER : seconds((rest[at]?.t ?? first.t) - first.t),
    }))
    return {
      ...known,
      format: count(entries.at(-1)?.v ?? 0),
      lines: count(entries.length),
      stands: standing(stands.at),
      payment: 'phase' in stands ? phase(stands.phase) : NONE,
      fault: fault?.code ?? NONE,
      faultLine: fault?.line ?? NONE,
      counts: countsOf(shownEvents),
      lastEvents: shownEvents.slice(-LAST_EVENTS),
    }
  } catch (thrown) {
    return { ...known, ...NOTHING_READ, fault: codeOf(thrown) }
  }
}

function countsOf(shownEvents: readonly { event: ReportFacts }[]): ReportFacts {
  const groups = Map.groupBy(shownEvents, ({ event }) => event)
  return [...groups].map(([event, { length }]) => ({ event, times: count(length) }))
}

/** Whether another process has the lock of a file. */
export async function heldAt(path: string): Promise<ReportFacts> {
  const holder = await holderNamed(`${path}.lock`)
  if (holder === undefined) return another('no')
  return another(holder.isSure ? 'yes' : 'perhaps')
}

/** Returns the journals at these places, each below the folder of its network. */
export function journalsAt(
  call: Call,
  places: readonly { path: string; network: string }[],
): Promise<ReportFacts[]> {
  return Promise.all(
    places.map(({ path, network }) => journal(call, { path, network: networkWord(network) })),
  )
}
