import { lstat, readdir, realpath } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { systemCode, unlessAbsent } from '../core/base/effects/node-file-fault.ts'
import { passwdUser, type User, userLockDirectory } from '../core/base/effects/node-lock.ts'
import { BaseError, isError } from '../core/base/errors/base.ts'
import { PLACES_TEXT, stateDirectory } from './state-directory.ts'

/** Whether a place may be deleted: and what that costs, or what must not go on meanwhile. */
export type KeptPlace = {
  id: string
  label: string
  path: string
  exists: boolean
  /** Of all that is in it; 0 where nothing is there. */
  bytes: number
  files: number
  /** Why a part of it is not counted: the system's name for what keeps it from being read. */
  fault: string | undefined
  what: string
  mayBeDeleted: 'yes' | 'no'
  because: string
}

type Known = Pick<KeptPlace, 'id' | 'label' | 'what' | 'mayBeDeleted' | 'because'>

const STATE: Known = {
  id: 'state',
  label: 'state directory',
  what: 'journals, settings, the memory of the watch and rehearsals; --state, XDG_STATE_HOME or the system says where',
  mayBeDeleted: 'no',
  because: 'the journals are in it',
}

const LOCKS: Known = {
  id: 'locks',
  label: PLACES_TEXT.locks,
  what: 'that two windows of this user never use one key or account at a time',
  mayBeDeleted: 'yes',
  because: 'where no window of this program is open',
}

const COMPILED: Known = {
  id: 'compiled',
  label: 'compiled code',
  what: 'the program as Node compiled it, so that it starts faster; nobody but you can write there',
  mayBeDeleted: 'yes',
  because: 'it is made again with the next start',
}

const PROGRAM: Known = {
  id: 'program',
  label: 'the program',
  what: 'the program itself, as it was installed',
  mayBeDeleted: 'no',
  because: 'uninstall it as you installed it',
}

const IN_STATE: readonly (Known & { name: RegExp })[] = [
  {
    name: /^settings\.json$/,
    id: 'settings',
    label: PLACES_TEXT.settings,
    what: 'paths and addresses of endpoints that are proposed at the next start; no password and no private key',
    mayBeDeleted: 'yes',
    because: 'they are asked again',
  },
  {
    name: /^rehearsal$/,
    id: 'rehearsals',
    label: 'rehearsal networks',
    what: 'networks with play money, each with its journal',
    mayBeDeleted: 'yes',
    because: 'nothing in them is worth anything; let none run meanwhile',
  },
  {
    name: /^devnet-/,
    id: 'devnet',
    label: 'rehearsal network',
    what: 'the files of a network that was started alone, without --directory; they go away with it',
    mayBeDeleted: 'yes',
    because: 'where that network does not run any more',
  },
  { ...LOCKS, name: /^locks$/ },
]

const IN_NETWORK: readonly (Known & { name: RegExp })[] = [
  {
    name: /^[0-9a-f]{12}-[0-9a-f]{12}-[0-9a-f]{12}$/,
    id: 'journal',
    label: PLACES_TEXT.journal,
    what: 'every decision and every signed byte for one validator, its lock, and the receipt',
    mayBeDeleted: 'no',
    because:
      'it is what keeps a payment from being made twice; copy it, and move it only after the last payment is final',
  },
  {
    name: /^guard-[0-9a-f]{12}-[0-9a-f]{12}-[0-9a-f]{40}-\d+$/,
    id: 'guard',
    label: PLACES_TEXT.guard,
    what: 'a top-up that was agreed beforehand: its terms, and its signed transactions, which need no password any more',
    mayBeDeleted: 'no',
    because: 'what is signed can still be sent by whoever has it: use its nonce first',
  },
  {
    name: /^watch\.json$/,
    id: 'watch',
    label: 'memory of the watch',
    what: 'which alarms were told already, and the last blocks seen',
    mayBeDeleted: 'yes',
    because: 'every alarm that holds is told again; let no watch run meanwhile',
  },
  {
    name: /^watch-acknowledged\.json$/,
    id: 'acknowledged',
    label: 'alarms that you acknowledged',
    what: 'of which alarms of the watch somebody said by a command that they know',
    mayBeDeleted: 'yes',
    because: 'these alarms are told again until you acknowledge them',
  },
  {
    name: /^watch\.toml$/,
    id: 'alarms',
    label: 'alarms set up in the wizard',
    what: 'where a watch sends its alarms; the addresses of some services are secrets',
    mayBeDeleted: 'yes',
    because: 'it is set up again from the list after activation; let no watch use it meanwhile',
  },
  {
    name: /^(?:seen|history)-[0-9a-f]{12}\.json$/,
    id: 'seen',
    label: 'what was seen of a validator',
    what: 'when it was first seen in the set and with a block, and its rank, margin and cutoff over time',
    mayBeDeleted: 'yes',
    because: 'nothing is decided by it',
  },
  {
    name: /^alarms-[0-9a-f]{12}\.json$/,
    id: 'alarms-seen',
    label: 'alarms of the status screen',
    what: 'which alarms stood for one validator, since when, and which of them somebody knows of',
    mayBeDeleted: 'yes',
    because: 'every alarm that holds is found again, and then seems new',
  },
  {
    name: /^watch-outbox\.json$/,
    id: 'outbox',
    label: 'outbox of the watch',
    what: 'alarms that are still to be delivered',
    mayBeDeleted: 'no',
    because: 'what was not delivered yet would never be',
  },
]

const UNKNOWN: Known = {
  id: 'other',
  label: 'not known',
  what: 'this version of the program knows nothing of it',
  mayBeDeleted: 'no',
  because: 'nobody here says what it is',
}

type Input = {
  stateDirectory: string
  environment: Readonly<Record<string, string | undefined>>
  platform: string
}

/** Returns every place of this computer where the program keeps something. Nothing is changed. */
export async function keptPlaces({ stateDirectory, environment, platform }: Input): Promise<KeptPlace[]> {
  const compiled = getCompileCacheDir()
  const locks = await placesOfLocks(environment, platform)
  const own: readonly (Known & { path: string })[] = [
    { ...STATE, path: stateDirectory },
    ...(await inState(stateDirectory)),
    ...locks.filter((path) => !path.startsWith(stateDirectory)).map((path) => ({ ...LOCKS, path })),
    ...(compiled === undefined ? [] : [{ ...COMPILED, path: compiled }]),
    { ...PROGRAM, path: dirname(import.meta.dirname) },
  ]
  return Promise.all(
    own.map(async (place) => {
      return { ...place, ...(await sizeOf(place.path)) }
    }),
  )
}

/** Without an account in the system's list nothing is locked anywhere: the program says so when it would lock. */
async function placesOfLocks(environment: Environment, platform: string): Promise<readonly string[]> {
  try {
    return await lockDirectories(environment, platform)
  } catch (thrown) {
    if (isError(thrown, 'lock')) return []
    throw thrown
  }
}

async function inState(directory: string): Promise<(Known & { path: string })[]> {
  const found: (Known & { path: string })[] = []
  for (const { name, isFolder } of (await entries(directory)).found) {
    const path = join(directory, name)
    const known = IN_STATE.find((place) => place.name.test(name))
    if (known !== undefined) found.push(placed(known, path))
    else if (isFolder) found.push(...(await inNetwork(path, name)))
    else found.push({ ...UNKNOWN, label: name, path })
  }
  return found
}

/** A lock beside what it locks, with what the lock itself keeps. */
const OF_A_LOCK = /\.lock(?:\.db|\.sock)?$/

async function inNetwork(directory: string, network: string): Promise<(Known & { path: string })[]> {
  const { found, fault } = await entries(directory)
  if (fault !== undefined) return [{ ...UNKNOWN, label: network, path: directory }]
  const names = found.filter(({ name }) => !OF_A_LOCK.test(name))
  return names.map(({ name }) => {
    const path = join(directory, name)
    const known = IN_NETWORK.find((place) => place.name.test(name))
    return known === undefined
      ? { ...UNKNOWN, label: `${network}/${name}`, path }
      : placed({ ...known, label: `${known.label}, ${network}` }, path)
  })
}

function placed({ id, label, what, mayBeDeleted, because }: Known, path: string) {
  return { id, label, what, mayBeDeleted, because, path }
}

type Entries = { found: readonly { name: string; isFolder: boolean }[]; fault: string | undefined }

async function entries(directory: string): Promise<Entries> {
  const { value = [], fault } = await known(directory, readdir(directory, { withFileTypes: true }))
  const found = value
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .sort((a, b) => a.name.localeCompare(b.name))
  return { found, fault }
}

/** What was found at a path, nothing where nothing is there, or why that is not known. */
async function known<T>(path: string, asked: Promise<T>) {
  try {
    return { value: await unlessAbsent(path, asked), fault: undefined }
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return { value: undefined, fault: systemCode(thrown.cause) }
  }
}

/** The size of a file, or of all files below a directory; links are not followed. */
async function sizeOf(path: string): Promise<Size> {
  const { value: facts, fault: closed } = await known(path, lstat(path))
  if (facts === undefined) return { bytes: 0, files: 0, exists: closed !== undefined, fault: closed }
  if (!facts.isDirectory()) return { bytes: facts.size, files: 1, exists: true, fault: undefined }
  const { found, fault } = await entries(path)
  const inside = await Promise.all(found.map(({ name }) => sizeOf(join(path, name))))
  const sum = (pick: (each: Size) => number) => inside.reduce((all, each) => all + pick(each), 0)
  return {
    bytes: sum(({ bytes }) => bytes),
    files: sum(({ files }) => files),
    exists: true,
    fault: fault ?? inside.find((each) => each.fault !== undefined)?.fault,
  }
}

type Size = { bytes: number; files: number; exists: boolean; fault: string | undefined }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Where the windows of this user on this computer lock real keys and accounts, wherever their journals are: below the
 * home of the passwd file, which no environment moves. Beside it, for one version, the place where the version before
 * locks, which `XDG_STATE_HOME` and `HOME` move. Throws `lock.no-place`.
 */
export async function lockDirectories(
  env: Environment,
  platform: string,
  user: User = passwdUser(),
): Promise<readonly string[]> {
  const places = [await userLockDirectory(user), join(stateDirectory(env, platform), 'locks')]
  return [...new Set(await Promise.all(places.map(realPlace)))]
}

/** The path without links, also of a directory that is still to be made. */
async function realPlace(path: string): Promise<string> {
  const { value: real } = await known(path, realpath(path))
  if (real !== undefined || dirname(path) === path) return real ?? path
  return join(await realPlace(dirname(path)), basename(path))
}
