import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning, parseClaim } from '../core/effects/lock-claim.ts'
import { JournalError } from '../core/errors/journal.ts'
import { type Hex, isHex } from '../core/format/hex.ts'
import { readEvents } from '../core/journal/read-events.ts'
import { readJournal } from '../core/journal/replay.ts'
import { standingOf } from '../core/launch/standing.ts'

/** A journal as it is remembered; `adopted` where it is of a validator that was registered already. */
export type RememberedJournal = {
  path: string
  /** The first digits of the genesis root that it is about, from its name. */
  root: string
  pubkey: Hex | undefined
  words: string
  trouble: boolean
  adopted: boolean
  changedMs: number
}

type Read = Pick<RememberedJournal, 'words' | 'trouble' | 'adopted'>

/** Execution genesis, genesis root and public key, each by its first digits. */
const JOURNAL_NAME = /^[0-9a-f]{12}-([0-9a-f]{12})-[0-9a-f]{12}$/
const MAX_BYTES = 32 * 1024 * 1024

/**
 * The journals below a directory. They and their locks are only read: one that is damaged, newer or in use is told in a
 * word. Does not reject.
 */
export async function rememberedJournals(directory: string): Promise<RememberedJournal[]> {
  const names = await readdir(directory).catch(() => [])
  const found = await Promise.all(names.map((name) => journalNamed(directory, name)))
  return found.filter((journal) => journal !== undefined)
}

async function journalNamed(directory: string, name: string): Promise<RememberedJournal | undefined> {
  const [, root] = JOURNAL_NAME.exec(name) ?? []
  const path = join(directory, name, 'journal.jsonl')
  const facts = root === undefined ? undefined : await stat(path).catch(() => undefined)
  if (root === undefined || facts?.isFile() !== true) return undefined
  const text = facts.size > MAX_BYTES ? undefined : await readFile(path, 'utf8').catch(() => undefined)
  const known = { path, root, changedMs: facts.mtimeMs, pubkey: pubkeyIn(text ?? '') }
  if (text === undefined) return { ...known, ...inTrouble('journal cannot be read') }
  if (await isInUse(`${path}.lock`)) return { ...known, ...inTrouble('open in another window') }
  return { ...known, ...read(text) }
}

const inTrouble = (words: string): Read => ({ words, trouble: true, adopted: false })

function read(text: string): Read {
  try {
    const [, ...entries] = readJournal(text).entries
    const events = readEvents(entries)
    const adopted = events.some(({ type }) => type === 'adopted')
    return { words: standingOf(events), trouble: false, adopted }
  } catch (thrown) {
    if (!(thrown instanceof JournalError)) throw thrown
    if (thrown.fault === 'newer') return inTrouble('journal of a newer version')
    return inTrouble(`journal damaged at line ${thrown.line ?? 1}`)
  }
}

/** The key in the first line, also where a later line is damaged. */
function pubkeyIn(text: string): Hex | undefined {
  const [, pubkey] = /"pubkey":"(0x[0-9a-f]{96})"/.exec(text.slice(0, text.indexOf('\n'))) ?? []
  return isHex(pubkey, 48) ? pubkey : undefined
}

/** Whether another program that runs on this computer has put its name on the lock. */
async function isInUse(path: string): Promise<boolean> {
  const claim = parseClaim(await readFile(path, 'utf8').catch(() => ''))
  return claim !== undefined && claim.pid !== process.pid && (await isRunning(claim))
}
