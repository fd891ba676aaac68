import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { holderNamed } from '../core/base/effects/node-claim.ts'
import { systemCode, unlessAbsent } from '../core/base/effects/node-file-fault.ts'
import { BaseError } from '../core/base/errors/base.ts'
import { isOfNewerVersion, JournalError } from '../core/base/errors/journal.ts'
import type { Network } from '../core/chain/network/network.ts'
import { readEvents } from '../core/wizard/journal/entry.ts'
import { guardsIn } from '../core/wizard/journal/guard-file.ts'
import { readJournal } from '../core/wizard/journal/replay.ts'
import type { FormChoice, RehearsalChoice, UnderWay } from '../core/wizard/launch/choice.ts'
import { standingOf } from '../core/wizard/launch/standing.ts'
import { attachedRoot, rehearsalAnswers, rehearsalFolders } from './attach-rehearsal.ts'
import { journalFiles, NEWEST, type StoredJournal } from './journal-files.ts'
import { networkOfChoice } from './network-choice.ts'
import { choiceOptions } from './own-command.ts'
import { ATTACHED, type NetworkSettings, readSettings, type Settings } from './settings.ts'

/** A journal as it is remembered; `adopted` where it is of a validator that was registered already. */
type RememberedJournal = Omit<StoredJournal, 'text' | 'fault'> & {
  words: string
  trouble: boolean
  /** Whether another window works on it. */
  isHeld?: true
  adopted: boolean
}

type Read = Pick<RememberedJournal, 'words' | 'trouble' | 'adopted' | 'isHeld'>

/**
 * The journals below a directory. They and their locks are only read: one that is damaged, newer or in use is told in a
 * word. Does not reject.
 */
async function rememberedJournals(
  { store }: Pick<Effects, 'store'>,
  directory: string,
): Promise<RememberedJournal[]> {
  try {
    const files = await journalFiles(directory)
    const journals = await Promise.all(files.map(remembered))
    return [...(await unreadGuards(store, directory)), ...journals]
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return [closed(directory, thrown)]
  }
}

/** The guards in a directory of which a file can't be read. What becomes of a sound one is told by the steps. */
async function unreadGuards(store: Effects['store'], directory: string): Promise<RememberedJournal[]> {
  const guards = await guardsIn(store, directory)
  return guards.flatMap(({ nonce, root, unread }) =>
    unread === undefined
      ? []
      : [
          {
            path: unread.path,
            root,
            pubkey: undefined,
            changedMs: NEWEST,
            ...inTrouble(UNDER_WAY_TEXT.guard(nonce, basename(unread.path), unread.why)),
          },
        ],
  )
}

/** What may hold a journal and cannot be read. */
function closed(path: string, fault: BaseError): RememberedJournal {
  const words =
    fault.code === 'file.missing' ? UNDER_WAY_TEXT.missing : UNDER_WAY_TEXT.closed(systemCode(fault.cause))
  return { path, root: '', pubkey: undefined, changedMs: NEWEST, ...inTrouble(words) }
}

async function remembered({ text, fault, ...known }: StoredJournal): Promise<RememberedJournal> {
  if (fault !== undefined) return { ...closed(known.path, fault), root: known.root }
  if (text === undefined) return { ...known, ...inTrouble(UNDER_WAY_TEXT.unreadable) }
  const lock = `${known.path}.lock`
  const holder = await holderNamed(lock).catch(asFault)
  if (holder instanceof BaseError) return { ...closed(lock, holder), root: known.root }
  if (holder?.isSure === true)
    return { ...known, ...inTrouble(UNDER_WAY_TEXT.held(holder.pid)), isHeld: true }
  const found = read(text)
  if (holder === undefined) return { ...known, ...found }
  const where = holder.host === undefined ? '' : UNDER_WAY_TEXT.host(holder.host)
  return { ...known, ...found, words: UNDER_WAY_TEXT.perhapsHeld(found.words, where, holder.pid) }
}

function asFault(thrown: unknown): BaseError {
  if (thrown instanceof BaseError) return thrown
  throw thrown
}

const inTrouble = (words: string): Read => ({ words, trouble: true, adopted: false })

function read(text: string): Read {
  if (text === '') return { words: UNDER_WAY_TEXT.empty, trouble: false, adopted: false }
  try {
    const [, ...entries] = readJournal(text).entries
    const events = readEvents(entries)
    const adopted = events.some(({ type }) => type === 'adopted')
    const words = standingOf(events)
    return { words: text.endsWith('\n') ? words : UNDER_WAY_TEXT.cut(words), trouble: false, adopted }
  } catch (thrown) {
    if (!(thrown instanceof JournalError)) throw thrown
    if (isOfNewerVersion(thrown)) return inTrouble(UNDER_WAY_TEXT.newer)
    if (thrown.code === 'journal.older') return inTrouble(UNDER_WAY_TEXT.older)
    return inTrouble(UNDER_WAY_TEXT.damaged(thrown.line ?? 1))
  }
}

/** More than fit on a screen; the newest are kept. */
const MOST_ROWS = 40
/** Folders of the state directory that hold no network of their own. */
const OTHERS = new Set(['rehearsal', 'journal', 'locks'])

type UnderWayContext = { effects: Effects; stateDirectory: string; settings: Remembered }

/** What is remembered; `isUnread` where the file of it can't be used, so that nothing is known of it. */
type Remembered = Pick<Settings, 'of'> & { isUnread: boolean }

function rememberedSettings(directory: string): Remembered {
  try {
    return { ...readSettings(directory), isUnread: false }
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return { of: () => ({}), isUnread: true }
  }
}

type Row = { row: Omit<UnderWay, 'command'>; changedMs: number }

const REHEARSAL = { kind: 'rehearsal', label: 'Rehearsal' } as const

/**
 * What earlier runs left below the state directory, newest first. Nothing is changed. With `rehearsals`, the journals of
 * each rehearsal network that runs, and those of the last one also when it has ended. Throws a `file.*` error where the
 * state directory cannot be read.
 */
export async function readUnderWay(
  { effects, stateDirectory }: Omit<UnderWayContext, 'settings'>,
  options: { rehearsals: boolean },
): Promise<UnderWay[]> {
  const context = { effects, stateDirectory, settings: rememberedSettings(stateDirectory) }
  const found = await Promise.all([
    ofNetworks(context),
    ...(options.rehearsals ? [ofRehearsals(context), ofAttached(context)] : []),
  ])
  const rows = found.flat().sort((one, other) => other.changedMs - one.changedMs)
  return rows.slice(0, MOST_ROWS).map(({ row }) => {
    const { validator } = row.choice
    const options = validator === undefined ? [] : ['--validator', validator]
    return { ...row, command: [...choiceOptions(row.choice), ...options] }
  })
}

function rowOf(
  { path, pubkey, words, trouble, isHeld, changedMs }: RememberedJournal,
  place: Pick<UnderWay, 'badge' | 'choice' | 'values'>,
): Row {
  const known = { ...(pubkey === undefined ? {} : { pubkey }), ...(isHeld === undefined ? {} : { isHeld }) }
  return { row: { id: path, words, trouble, ...place, ...known }, changedMs }
}

async function ofNetworks(context: UnderWayContext): Promise<Row[]> {
  const { stateDirectory } = context
  const names = (await unlessAbsent(stateDirectory, readdir(stateDirectory))) ?? []
  const ids = names.filter((name) => !OTHERS.has(name))
  return (await Promise.all(ids.map((id) => ofNetwork(context, id)))).flat()
}

async function ofNetwork({ effects, stateDirectory, settings }: UnderWayContext, id: string): Promise<Row[]> {
  const journals = await rememberedJournals(effects, join(stateDirectory, id))
  if (journals.length === 0) return []
  const choice = choiceOf(id, settings.of(id))
  const network = await networkAt(effects, choice)
  const badge = network && { kind: network.kind, label: network.label }
  return journals.map((journal) => {
    if (network !== undefined && choice.kind !== 'network' && !isAbout(journal, network)) {
      const lost = { ...journal, words: UNDER_WAY_TEXT.otherNetwork, trouble: true }
      return rowOf(lost, { choice, badge: { kind: network.kind, label: id } })
    }
    if (badge === undefined) {
      const words = settings.isUnread ? UNDER_WAY_TEXT.noSettings : UNDER_WAY_TEXT.noNetworkFile
      const lost = { ...journal, words, trouble: true }
      return rowOf(lost, { choice, badge: { kind: 'real', label: id } })
    }
    const saved = journal.pubkey === undefined ? {} : settings.of(id, journal.pubkey)
    return rowOf(journal, { badge, ...continued(choice, saved, journal) })
  })
}

function choiceOf(id: string, { networkFile, spec, genesis }: NetworkSettings): FormChoice {
  if (id === 'mainnet' || id === 'bepolia') return { kind: 'network', id }
  if (spec !== undefined && genesis !== undefined) return { kind: 'files', spec, genesis }
  return { kind: 'file', path: networkFile ?? `${id}.json` }
}

/** A network that was begun anew has another root, and all that was done on it before is gone. */
const isAbout = ({ root }: RememberedJournal, { genesisValidatorsRoot }: Network) =>
  genesisValidatorsRoot.startsWith(`0x${root}`)

async function networkAt(effects: Effects, choice: FormChoice): Promise<Network | undefined> {
  try {
    return await networkOfChoice(effects, choice)
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return undefined
  }
}

/** The form that the journal was made with, with its texts where they are remembered. */
function continued(
  choice: FormChoice,
  { homePath, execution, node, engine = '', secondExecution = '', keystore = '' }: NetworkSettings,
  { pubkey, adopted }: Pick<RememberedJournal, 'pubkey' | 'adopted'>,
): Pick<UnderWay, 'choice' | 'values'> {
  const validator = homePath === undefined && adopted ? pubkey : undefined
  const named = validator === undefined ? choice : { ...choice, validator }
  if (execution === undefined || node === undefined) return { choice: named }
  const addresses = { execution, node, engine, secondExecution, keystore }
  if (validator !== undefined) return { choice: named, values: { validator, ...addresses } }
  return homePath === undefined ? { choice } : { choice, values: { homePath, ...addresses } }
}

async function ofRehearsals({ effects, stateDirectory }: UnderWayContext): Promise<Row[]> {
  const folders = rehearsalFolders(join(stateDirectory, 'rehearsal'))
  const found = await Promise.all(
    folders.map(async (folder) => {
      const runs = await rehearsalAnswers(effects, join(folder, 'descriptor.json'))
      if (!runs && folder !== folders.at(-1)) return []
      const journals = await rememberedJournals(effects, join(folder, 'journal'))
      const trouble = runs ? {} : { words: UNDER_WAY_TEXT.silentNetwork, trouble: true }
      return journals.map((journal) => rehearsalRow({ ...journal, ...trouble }, { folder }))
    }),
  )
  return found.flat()
}

/** Journals of the network that was attached last, while it runs: of others nobody knows any more which they were. */
async function ofAttached({ effects, stateDirectory, settings }: UnderWayContext): Promise<Row[]> {
  if (settings.isUnread) {
    const journals = await rememberedJournals(effects, join(stateDirectory, 'journal'))
    return journals.map((journal) =>
      rowOf(
        { ...journal, words: UNDER_WAY_TEXT.noSettings, trouble: true },
        { badge: REHEARSAL, choice: { kind: 'rehearsal', which: 'last' } },
      ),
    )
  }
  const { descriptor } = settings.of(ATTACHED)
  const root = descriptor === undefined ? undefined : await attachedRoot(effects, descriptor)
  if (descriptor === undefined || root === undefined) return []
  const journals = await rememberedJournals(effects, join(stateDirectory, 'journal'))
  return journals
    .filter((journal) => root.startsWith(`0x${journal.root}`))
    .map((journal) => rehearsalRow(journal, { descriptor }))
}

function rehearsalRow(journal: RememberedJournal, which: Exclude<RehearsalChoice['which'], string>): Row {
  const { adopted, pubkey } = journal
  const validator = adopted && pubkey !== undefined ? { validator: pubkey } : {}
  return rowOf(journal, { badge: REHEARSAL, choice: { kind: 'rehearsal', which, ...validator } })
}

/** What is said of a journal that cannot be gone on with at once. */
export const UNDER_WAY_TEXT = {
  unreadable: 'journal cannot be read',
  missing: 'its journal is missing',
  cut: (words: string) => `${words}; the last line of its journal is cut off`,
  empty: 'its journal is empty: what was in it isn’t known',
  guard: (nonce: number, file: string, why: string) =>
    `a guard (nonce ${nonce}) can’t be read, nothing of it is sent: ${file}. ${why}`,
  /** `reason`: the system's name for it. */
  closed: (reason: string) => `cannot be read (${reason})`,
  newer: 'journal of a newer version',
  older: 'journal of an older version',
  damaged: (line: number) => `journal damaged at line ${line}`,
  held: (pid: number | undefined) => `open in another window (process ${pid})`,
  perhapsHeld: (words: string, where: string, pid: number | undefined) =>
    `${words}; perhaps open${where} (process ${pid})`,
  host: (name: string) => ` on ${name}`,
  otherNetwork: 'its files name another network',
  noNetworkFile: 'its network file is not there',
  noSettings: 'the settings file, which names its network, can’t be read',
  silentNetwork: 'its network does not answer',
}
