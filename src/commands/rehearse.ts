import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  attachRehearsal,
  rehearsalAnswers,
  runningRehearsal,
  type Wanted,
} from '../compose/attach-rehearsal.ts'
import { storyText } from '../compose/attended-rehearsal.ts'
import {
  driveRehearsal,
  type Reason,
  type RehearsalEnd,
  STOPPED,
  type TellFact,
} from '../compose/drive-rehearsal.ts'
import { firstUse, IDLE_MINUTES, type StartedNetwork, startRehearsal } from '../compose/start-rehearsal.ts'
import { cardReceipt, writeCard } from '../compose/story-card.ts'
import type { Effects } from '../core/base/effects/effects.ts'
import { claimDirectory } from '../core/base/effects/node-claim.ts'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import { badUsage } from '../core/base/errors/base.ts'
import { command, parts } from '../core/base/format/next.ts'
import { plainAscii } from '../core/base/format/text.ts'
import type { Setup } from '../core/chain/facts.ts'
import { readChronicle } from '../core/chain/network/chronicle.ts'
import { receiptLines } from '../core/view/desk-words.ts'
import { createSession } from '../core/wizard/session.ts'
import { type EndCard, endCard } from '../core/wizard/story/end-card.ts'
import { factLines } from '../output/fact-lines.ts'
import { type CommandIo, EXIT, type ExitCode, nextWords, VERDICT_OF } from '../output/io.ts'
import { openAlarms } from '../watch/keep-alarms.ts'
import { type Call, commandOf } from './command.ts'
import type { RehearseFields } from './documents/rehearse.ts'
import { tellVerdict } from './report.ts'
import { findingOf } from './report-lines.ts'
import { tellDocument } from './tell-document.ts'

/** Options that say which network is to be started. */
const STARTING = ['scenario', 'seed', 'slot-ms'] as const

/** What is said before a network is started. */
export const STARTS_NETWORK = 'starting a rehearsal network'

/** The command `rehearse`. */
export const rehearse = commandOf('rehearse', run, { stopsItself: true })

async function run(call: Call): Promise<ExitCode> {
  const { io, json } = call
  const findings: ReturnType<typeof findingOf>[] = []
  const tell: TellFact = (step, row) => {
    if (json) findings.push(findingOf({ ...row, step }, io))
    else for (const line of factLines(step, row)) io.out(line)
  }
  const { ended, card } = await rehearsed(call, tell)
  const reason = ended.code === EXIT.done ? [] : ended.reason.map((step) => plainAscii(nextWords(step, io)))
  if (json) {
    const end = ended.code === EXIT.done ? 'active' : ended.end
    const words = { sentence: ENDS[ended.code] ?? '', notes: reason }
    const fields = { findings, words, end, story: card && storyOf(card) }
    tellDocument<RehearseFields>(
      'rehearse',
      { network: 'rehearsal', verdict: VERDICT_OF[ended.code], fields },
      call,
    )
  } else if (card !== undefined) {
    for (const line of ['', ...receiptLines(cardReceipt(card), plainAscii), '']) io.out(line)
  }
  for (const text of reason) io.err(text)
  if (!json) tellEnd(ended.code, io)
  return ended.code
}

/** The verdict as the last line; a rehearsal that was stopped has none. */
function tellEnd(code: ExitCode, io: CommandIo): void {
  const verdict = VERDICT_OF[code]
  const sentence = ENDS[code]
  if (sentence !== undefined && verdict !== 'wrong-use' && verdict !== 'stopped')
    tellVerdict(verdict, sentence, io)
}

const ENDS: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.done]: 'The validator is active: it is in the set of the consensus engine.',
  [EXIT.no]: 'The validator is not active: a check refuses.',
  [EXIT.unknown]: 'The validator is not active, as far as is known.',
}

/** What a story has shown; a field that an event has no number for is null. */
function storyOf({ end, events }: EndCard) {
  const none = { amountGwei: null, shortGwei: null, index: null, blocks: null }
  return { end, events: events.map((event) => ({ ...none, ...event })) }
}

/** The rehearsal to its end. Whatever is thrown once it was stopped is the stop. */
async function rehearsed(call: Call, tell: TellFact): Promise<Rehearsed> {
  const { signal } = call.io
  try {
    return await rehearseOn(await networkFor(call), call, tell)
  } catch (thrown) {
    if (signal.aborted) return { ended: STOPPED }
    throw thrown
  }
}

/** How a rehearsal ended, and what its story has shown, where it plays one. */
type Rehearsed = { ended: RehearsalEnd; card?: EndCard }

async function networkFor(call: Call): Promise<RehearsalPlaces & { state: string }> {
  const { effects, io, stateDirectory } = call
  const { devnet } = call.options
  const wanted = wantedOf(call)
  io.signal.throwIfAborted()
  const state = absolutePath(call.options.state ?? stateDirectory)
  await claimDirectory(state, io.err)
  const found =
    devnet === undefined
      ? await ownNetwork(call, join(state, 'rehearsal'), wanted)
      : await givenNetwork(effects, state, devnet)
  return { ...found, state }
}

async function rehearseOn(
  { state, ...found }: RehearsalPlaces & { state: string },
  { effects, io }: Call,
  tell: TellFact,
): Promise<Rehearsed> {
  const attach = () => attachRehearsal(effects, { ...found, outputDirectory: state })
  const { started } = found
  const setup = await (started === undefined ? attach() : firstUse(started, attach))
  const session = createSession(effects, setup, openAlarms)
  try {
    const ended = await driveRehearsal(session, io, tell)
    const card = await storyCard(effects, setup, io)
    const story = card === undefined ? {} : { card }
    if (ended.code !== EXIT.unknown || (await rehearsalAnswers(effects, found.descriptorPath))) {
      leaveNetwork(found, ended.code, io)
      return { ended, ...story }
    }
    return { ended: { ...ended, end: 'network-ended', reason: withEndOfNetwork(ended.reason) }, ...story }
  } finally {
    await session.stop()
  }
}

/** The card of the network's story, written beside its receipt too. */
async function storyCard(
  effects: Effects,
  setup: Setup,
  io: Pick<CommandIo, 'run'>,
): Promise<EndCard | undefined> {
  const text = setup.storyPath === undefined ? undefined : await storyText(effects, setup.storyPath)
  if (text === undefined) return undefined
  const card = endCard(readChronicle(text), setup, { hasKeys: false, run: io.run })
  await writeCard(effects, card, setup)
  return card
}

/** The end of the network explains all the rest. */
function withEndOfNetwork(reason: Reason): Reason {
  const next = 'next: without --devnet the next rehearsal starts a network of its own'
  return ['The rehearsal network does not answer any more: it has ended, or was stopped.', ...reason, next]
}

/** Which network is to be started. Throws `usage.option`. */
function wantedOf({ options }: Call): Wanted {
  const { devnet, scenario, seed, 'slot-ms': slotMs } = options
  const idle = STARTING.find((name) => options[name] !== undefined)
  if (devnet !== undefined && idle !== undefined) {
    const sentence = `--devnet names a network that runs, and --${idle} is for one that is started here.`
    throw badUsage({
      sentence,
      next: parts`Leave one of the two out, or give --${idle} to ${command('devnet')}.`,
    })
  }
  return {
    ...(scenario === undefined ? {} : { scenario }),
    ...(seed === undefined ? {} : { seed }),
    ...(slotMs === undefined ? {} : { slotMs: Number(slotMs) }),
  }
}

/** `folder` is that of a network of our own kind, `started` is there when this very call started it. */
type RehearsalPlaces = {
  descriptorPath: string
  journalDirectory: string
  folder?: string
  started?: StartedNetwork
}

/** Ends the network that this call started, once nothing is left to look at. Any other is left alone, and that is said. */
function leaveNetwork({ folder, started }: RehearsalPlaces, code: ExitCode, io: CommandIo): void {
  if (folder === undefined) return
  if (code === EXIT.done && started !== undefined) {
    started.end()
    return
  }
  const why = started === undefined ? 'was running before and is left alone' : 'is left running'
  io.err(`the rehearsal network in ${folder} ${why}; ${IDLE_MINUTES} minutes without a question end it`)
}

async function ownNetwork(
  { effects, io }: Call,
  directory: string,
  wanted: Wanted,
): Promise<RehearsalPlaces> {
  const last = await runningRehearsal(effects, directory, wanted)
  if (last?.differs === undefined && last !== undefined) {
    io.err(`going on with the rehearsal network in ${last.folder}`)
    return foundIn(last.folder)
  }
  if (last?.differs !== undefined)
    io.err(`the rehearsal network in ${last.folder} is another one (${last.differs}) and is left alone`)
  io.err(STARTS_NETWORK)
  const seed = wanted.seed ?? randomUUID()
  const started = await startRehearsal({ directory, ...wanted, seed, signal: io.signal })
  return { ...foundIn(started.folder), started }
}

const foundIn = (folder: string): RehearsalPlaces => ({
  folder,
  descriptorPath: join(folder, 'descriptor.json'),
  journalDirectory: join(folder, 'journal'),
})

async function givenNetwork(effects: Effects, state: string, devnet: string): Promise<RehearsalPlaces> {
  const journalDirectory = join(state, 'journal')
  if (!devnet.trimStart().startsWith('{')) return { descriptorPath: absolutePath(devnet), journalDirectory }
  const descriptorPath = join(state, 'descriptor.json')
  await effects.store.writeText(descriptorPath, `${devnet.trim()}\n`, { replace: true })
  return { descriptorPath, journalDirectory }
}
