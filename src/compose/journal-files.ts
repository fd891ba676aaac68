import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessAbsent } from '../core/base/effects/node-file-fault.ts'
import { BaseError } from '../core/base/errors/base.ts'
import { fileError, fileSystemError } from '../core/base/errors/file.ts'
import { type Hex, isHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import type { UnreadFile } from '../core/observe/picture.ts'

/** The file of a journal, by its name and its text: nothing of what it tells is read. */
export type StoredJournal = {
  path: string
  /** The first digits of the genesis root that it is about, from its name. */
  root: string
  pubkey: Hex | undefined
  changedMs: number
  /** Undefined where it cannot be read, or is larger than a journal is. */
  text: string | undefined
  /** Why it cannot be read. */
  fault?: BaseError
}

/** Execution genesis, genesis root and public key, each by its first digits. */
const JOURNAL_NAME = /^[0-9a-f]{12}-([0-9a-f]{12})-[0-9a-f]{12}$/
/** Of what does not tell when it was changed: it comes first, so that it is seen. */
export const NEWEST = Number.MAX_SAFE_INTEGER
const MAX_BYTES = 32 * 1024 * 1024
const TOO_LARGE = 'It is larger than a journal can be.'

/** A guard's: the same, then the paying account and its nonce. */
const GUARD_NAME = /^guard-[0-9a-f]{12}-([0-9a-f]{12})-[0-9a-f]{40}-\d+$/

/** Returns the journals below a directory. They are only read, without their locks. Throws a `file.*` error for the directory. */
export async function journalFiles(directory: string): Promise<StoredJournal[]> {
  return filesNamed(directory, JOURNAL_NAME)
}

async function filesNamed(directory: string, pattern: RegExp): Promise<StoredJournal[]> {
  const names = (await unlessAbsent(directory, readdir(directory))) ?? []
  const found = await Promise.all(names.map((name) => journalNamed(directory, name, pattern)))
  return found.filter((journal) => journal !== undefined)
}

async function journalNamed(
  directory: string,
  name: string,
  pattern: RegExp,
): Promise<StoredJournal | undefined> {
  const [, root] = pattern.exec(name) ?? []
  if (root === undefined) return undefined
  const path = join(directory, name, 'journal.jsonl')
  try {
    const facts = await unlessAbsent(path, stat(path))
    // The folder of a journal without it: what was in it isn't known.
    if (facts === undefined) throw fileSystemError(path, 'ENOENT')
    if (!facts.isFile()) throw fileError('file.not-a-file', path)
    const text = facts.size > MAX_BYTES ? undefined : await unlessAbsent(path, readFile(path, 'utf8'))
    return { path, root, changedMs: facts.mtimeMs, pubkey: pubkeyIn(text ?? ''), text }
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return { path, root, changedMs: NEWEST, pubkey: undefined, text: undefined, fault: thrown }
  }
}

/** The key in the first line, also where a later line is damaged. */
function pubkeyIn(text: string): Hex | undefined {
  const [, pubkey] = /"pubkey":"(0x[0-9a-f]{96})"/.exec(text.slice(0, text.indexOf('\n'))) ?? []
  return isHex(pubkey, 48) ? pubkey : undefined
}

/**
 * The validators of a network that the journals below a directory are about, and the transactions that they name, those that
 * were signed for guards among them. `unread` says which of them cannot be read, and why: it may be about any of these.
 * Throws a `file.*` error for the directory.
 */
export async function adoptedHere(
  directory: string,
  genesisValidatorsRoot: Hex,
): Promise<{ validators: readonly Hex[]; transactions: ReadonlySet<string>; unread: readonly UnreadFile[] }> {
  const journals = await journalFiles(directory)
  const guards = await filesNamed(directory, GUARD_NAME)
  const isOfNetwork = ({ root }: StoredJournal) => root === genesisValidatorsRoot.slice(2, 14)
  const own = journals.filter(isOfNetwork)
  const unread = [...own, ...guards.filter(isOfNetwork)].flatMap(({ path, text, fault }) =>
    text === undefined ? [{ path: safeText(path), why: fault?.shortMessage ?? TOO_LARGE }] : [],
  )
  const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, hash = '']) => hash)
  const hashes = [
    ...own.flatMap(({ text = '' }) => named(text, /"hash":"(0x[0-9a-f]{64})"/g)),
    // A guard's journal has the hashes of its members in one list.
    ...guards
      .filter(isOfNetwork)
      .flatMap(({ text = '' }) => named(text, /"hashes":\[([^\]]*)\]/g))
      .flatMap((list) => named(list, /"(0x[0-9a-f]{64})"/g)),
  ]
  return {
    validators: own.flatMap(({ pubkey }) => (pubkey === undefined ? [] : [pubkey])),
    transactions: new Set(hashes),
    unread,
  }
}
