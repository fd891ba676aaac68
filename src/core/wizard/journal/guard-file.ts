import type { Effects, LockReply } from '../../base/effects/effects.ts'
import { isError } from '../../base/errors/base.ts'
import { guardError } from '../../base/errors/guard.ts'
import { heldHere, JournalError, journalError, unreadFile } from '../../base/errors/journal.ts'
import {
  decodeWhole,
  exactRecord,
  FieldFault,
  hexAsWritten,
  laterThan,
  list,
  uintIndex,
} from '../../base/format/decode.ts'
import { type Hex, isHex, sameHex } from '../../base/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'
import { safeText } from '../../base/format/text.ts'
import type { Setup } from '../../chain/facts.ts'
import {
  type AccountNonce,
  accountLock,
  accountOfLock,
  type Kept,
  type OpenPayment,
  type OtherWindow,
} from '../../pay/gate/commitments.ts'
import type { GuardBook, GuardFiles, HeldGuard, KnownGuard } from '../../pay/guard/book.ts'
import {
  type GuardEvent,
  type GuardState,
  guardOf,
  guardTransition,
  isOver,
  phaseOf,
} from '../../pay/guard/guard.ts'
import { keptGuard } from '../../pay/guard/standing.ts'
import { type GuardTerms, ladderOf, type SignedMember } from '../../pay/guard/terms.ts'
import { GUARD_TEXT } from '../../pay/guard/text.ts'
import { checkSigned } from '../../pay/wallet/check-signed.ts'
import { readEvents } from './entry.ts'
import { type GuardHeader, OF_GUARD } from './guard-events.ts'
import { openJournalOf } from './journal.ts'
import { openPaymentsIn } from './open-payments.ts'
import { readJournal } from './replay.ts'

const JOURNAL = 'journal.jsonl'
/** The signed members, in a file of their own: what may pay is not in the journal before it is handed over. */
const BYTES = 'members.json'
/** The word of the owner to whoever holds the guard: the hash of the cancellation that is to be sent. */
const VOID_ASKED = 'void-asked'
const GUARD_NAME = /^guard-([0-9a-f]{12})-([0-9a-f]{12})-([0-9a-f]{40})-(\d{1,15})$/
const KEY_NAME = /^[0-9a-f]{12}-([0-9a-f]{12})-[0-9a-f]{12}$/
const BYTES_VERSION = 1

type UnreadFile = NonNullable<Kept['unread']>[number]

type BookInput = {
  effects: Pick<Effects, 'store' | 'clock'>
  setup: Setup
  /** First block of the execution chain. */
  executionGenesisHash: Hex
  /** Takes a lock until it is released, or says who holds it. */
  borrow(name: string): Promise<LockReply>
}

/** Opens the guards of a network in its state directory. */
export function openGuardBook({ effects, setup, executionGenesisHash, borrow }: BookInput): GuardBook {
  const { store } = effects
  const { journalDirectory, network } = setup
  const { genesisValidatorsRoot } = network
  const folderOf = ({ from, nonce }: AccountNonce): string => {
    const [execution, root] = [executionGenesisHash, genesisValidatorsRoot].map((hex) => hex.slice(2, 14))
    return `${journalDirectory}/guard-${execution}-${root}-${from.slice(2).toLowerCase()}-${nonce}`
  }
  const headerOf = ({ from, nonce }: AccountNonce): GuardHeader => ({
    executionGenesisHash,
    genesisValidatorsRoot,
    account: from.toLowerCase() as Hex,
    nonce,
  })
  const openFile = (guard: AccountNonce) =>
    openJournalOf(effects, `${folderOf(guard)}/${JOURNAL}`, { header: headerOf(guard), kind: OF_GUARD })

  /** Writes one line of a guard that nobody may hold meanwhile; `first` is done once it is known that it may. */
  async function write(
    guard: AccountNonce,
    event: GuardEvent,
    first: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const journal = await openFile(guard)
    try {
      const before = guardOf(journal.events)
      const phase = before === undefined ? 'given-up' : phaseOf(before)
      if (phase !== 'given-up' && (phase !== 'exported' || event.type === 'exported'))
        throw guardError('guard.there', journal.events.length)
      await first()
      await journal.append(event)
    } finally {
      await journal.close()
    }
  }

  async function openUnheld(guard: AccountNonce): Promise<OpenFile | { heldBy: string }> {
    try {
      return await openFile(guard)
    } catch (thrown) {
      if (isError(thrown, 'journal.held'))
        return { heldBy: (await heldByLock(store, folderOf(guard))) ?? thrown.shortMessage }
      throw thrown
    }
  }

  return {
    async here() {
      return guardsHere(store, setup, executionGenesisHash)
    },
    exportTerms: (terms) => write(terms, { type: 'exported', terms }),
    async arm(terms, raws) {
      const members = await signedMembers(terms, raws)
      const path = `${folderOf(terms)}/${BYTES}`
      const text = `${JSON.stringify({ version: BYTES_VERSION, raws }, undefined, 2)}\n`
      const hashes = members.map(({ hash }) => hash)
      await write(terms, { type: 'armed', terms, hashes }, () =>
        store.writeText(path, text, { replace: true }),
      )
    },
    async open(guard) {
      const journal = await openUnheld(guard)
      if ('heldBy' in journal) return journal
      const { release, heldBy } = await borrowLocks(borrow, setup, guard, guardOf(journal.events))
      const close = async () => {
        await journal.close()
        await release?.()
      }
      if (release !== undefined) return openHeld(journal, { store, folder: folderOf(guard), close })
      await close()
      return { barredBy: heldBy }
    },
    askToVoid: (guard, cancellation) =>
      store.writeText(`${folderOf(guard)}/${VOID_ASKED}`, `${cancellation}\n`, { replace: true }),
    async end(guard, how) {
      const journal = await openUnheld(guard)
      if ('heldBy' in journal) return
      try {
        await journal.append({ type: how })
      } finally {
        await journal.close()
      }
    },
    async holderOf(guard) {
      const journal = await openUnheld(guard)
      if ('heldBy' in journal) return journal
      await journal.close()
      return 'nobody'
    },
  }
}

/**
 * Reads what all journals of a network hold, by its genesis root alone; nothing is locked. What a journal holds that can't be
 * read is unknown. Throws a `file.*` error for the directory.
 */
export async function readKept(store: Effects['store'], setup: Setup): Promise<Kept> {
  const { journalDirectory, network } = setup
  const root = network.genesisValidatorsRoot.slice(2, 14)
  const names = await store.list(journalDirectory)
  const own = names.filter((name) => KEY_NAME.exec(name)?.[1] === root)
  const found = await Promise.all(
    own.map((name) => paymentsAt(store, `${journalDirectory}/${name}/${JOURNAL}`)),
  )
  const guards = await Promise.all(
    guardsNamed(names, setup).map(async (guard) =>
      keptGuard({ ...guard, ...(await readGuard(store, guard.path)) }),
    ),
  )
  const unread = found.flatMap((one) => ('why' in one ? [one] : []))
  const payments = found.flatMap((one) => ('why' in one ? [] : one))
  const windows = await windowsOf(store, setup, names)
  return unread.length === 0
    ? { guards, payments, windows }
    : { guards, payments: 'unknown', unread, windows }
}

/**
 * Reads the guards of a network, of one execution chain where that is given, and compares their signed bytes with what was
 * armed; nothing is locked. One whose files can't be read is among them. Throws a `file.*` error for the directory.
 */
export async function guardsHere(
  store: Effects['store'],
  setup: Setup,
  executionGenesisHash?: Hex,
): Promise<readonly KnownGuard[]> {
  return withFiles(store, guardsNamed(await store.list(setup.journalDirectory), setup, executionGenesisHash))
}

/** Reads the guards in a directory, of whichever network. Throws as `guardsHere`. */
export async function guardsIn(store: Effects['store'], directory: string) {
  return withFiles(store, guardsAmong(await store.list(directory), directory))
}

async function withFiles<G extends AccountNonce & { path: string }>(
  store: Effects['store'],
  found: readonly G[],
): Promise<readonly (G & GuardFiles)[]> {
  return Promise.all(
    found.map(async (guard) => {
      const read = await readWithBytes(store, guard.path)
      const heldBy = read.unread && (await heldByLock(store, guard.path))
      return { ...guard, ...read, ...(heldBy === undefined ? {} : { heldBy }) }
    }),
  )
}

async function readWithBytes(store: Effects['store'], folder: string): Promise<GuardFiles> {
  const read = await readGuard(store, folder)
  const { state } = read
  if (state === undefined || isOver(state) || phaseOf(state) === 'exported') return read
  const unread = await unreadBytes(store, folder, state)
  return unread === undefined ? read : { ...read, state, unread }
}

/** Which other process has a guard open; undefined where its lock doesn't say. */
async function heldByLock(store: Effects['store'], folder: string): Promise<string | undefined> {
  try {
    const holder = await store.holderOf(`${folder}/${JOURNAL}.lock`)
    return holder && heldHere({ ...holder, path: safeText(`${folder}/${JOURNAL}.lock`) })
  } catch (thrown) {
    if (isError(thrown, 'file')) return undefined
    throw thrown
  }
}

/** Which accounts of the network other processes have. `names`: what is in the state directory. */
async function windowsOf(
  store: Effects['store'],
  setup: Setup,
  names: readonly string[],
): Promise<OtherWindow[]> {
  const { journalDirectory, lockDirectories } = setup
  const found = new Map<Hex, OtherWindow>()
  for (const directory of new Set([journalDirectory, ...lockDirectories]))
    for (const name of directory === journalDirectory ? names : await store.list(directory)) {
      const from = accountOfLock(setup, name)
      const holder = from && (await store.holderOf(`${directory}/${name}`))
      if (from !== undefined && holder !== undefined) found.set(from, { ...holder, from })
    }
  return [...found.values()]
}

/** The guards of a network by the names of their folders; of one execution chain where that is given. */
function guardsNamed(
  names: readonly string[],
  { journalDirectory, network }: Setup,
  executionGenesisHash?: Hex,
): (AccountNonce & { path: string })[] {
  return guardsAmong(names, journalDirectory).flatMap(({ execution, root, ...guard }) => {
    const isOurs =
      root === network.genesisValidatorsRoot.slice(2, 14) &&
      (executionGenesisHash === undefined || execution === executionGenesisHash.slice(2, 14))
    return isOurs ? [guard] : []
  })
}

/** The guards by the names of their folders; chain and root by their first digits. */
function guardsAmong(names: readonly string[], directory: string) {
  return names.flatMap((name) => {
    const [, execution, root, account, nonce] = GUARD_NAME.exec(name) ?? []
    if (execution === undefined || root === undefined) return []
    const path = `${directory}/${name}`
    return [{ from: `0x${account}` as const, nonce: Number(nonce), path, execution, root }]
  })
}

/** Why a file of a guard or of a payment can't be read. Throws what is no failure of a file. */
function unreadBy(thrown: unknown, path: string): UnreadFile {
  const isOfFile =
    thrown instanceof JournalError ||
    isError(thrown, 'file') ||
    isError(thrown, 'guard') ||
    isError(thrown, 'wallet')
  if (!isOfFile) throw thrown
  return unreadFile(safeText(path), thrown)
}

/** Reads the state of a guard by its journal alone. */
async function readGuard(store: Effects['store'], folder: string): Promise<GuardFiles> {
  const path = `${folder}/${JOURNAL}`
  let text: string | undefined
  try {
    text = await store.readText(path)
    const [first, ...entries] = readJournal(text ?? '').entries
    const state = guardOf(readEvents(entries, OF_GUARD.decode))
    if (state !== undefined) return { state, writtenMs: entries.at(-1)?.t ?? 0 }
    const { missing, empty, unfinished } = GUARD_TEXT.unread
    const begun = first === undefined ? empty : unfinished
    const why = text === undefined ? missing : begun
    return { state, unread: { path: safeText(path), why }, isUnfinished: true, named: [] }
  } catch (thrown) {
    const named = [...(text ?? '').matchAll(/"pubkey":"(0x[0-9a-f]{96})"/g)].map(([, key]) => key as Hex)
    return { state: undefined, unread: unreadBy(thrown, path), named }
  }
}

/** Says why the signed bytes of a guard can't be used; undefined where they are what was armed. */
async function unreadBytes(
  store: Effects['store'],
  folder: string,
  state: GuardState,
): Promise<UnreadFile | undefined> {
  const path = `${folder}/${BYTES}`
  try {
    await membersAt(store, path, state)
    return undefined
  } catch (thrown) {
    return unreadBy(thrown, path)
  }
}

async function paymentsAt(
  store: Effects['store'],
  path: string,
): Promise<readonly OpenPayment[] | UnreadFile> {
  try {
    const text = await store.readText(path)
    if (text === undefined) return { path: safeText(path), why: GUARD_TEXT.unread.missing }
    return openPaymentsIn(text)
  } catch (thrown) {
    return unreadBy(thrown, path)
  }
}

/** The account, and the validator: of neither there are two guards that are held. */
async function borrowLocks(
  borrow: BookInput['borrow'],
  { network }: Setup,
  { from }: AccountNonce,
  known: GuardState | undefined,
): Promise<LockReply> {
  const chain = network.executionChainId
  const pubkey = known?.terms.validator.pubkey
  const names = [accountLock({ network }, from)]
  if (pubkey !== undefined) names.push(`guard-${chain}-${pubkey.slice(2, 26)}`)
  const borrowed: (() => Promise<void>)[] = []
  const release = async () => {
    for (const one of borrowed) await one()
  }
  for (const name of names) {
    const reply = await borrow(name)
    if (reply.release === undefined) {
      await release()
      return reply
    }
    borrowed.push(reply.release)
  }
  return { release }
}

type OpenFile = Awaited<ReturnType<typeof openJournalOf<GuardHeader, GuardEvent>>>

async function openHeld(
  journal: OpenFile,
  { store, folder, close }: { store: Effects['store']; folder: string; close(): Promise<void> },
): Promise<HeldGuard> {
  try {
    const first = guardOf(journal.events)
    if (first === undefined) throw journalError('journal.held', { path: folder }, '')
    const members = phaseOf(first) === 'exported' ? [] : await membersAt(store, `${folder}/${BYTES}`, first)
    let state = first
    return {
      state: () => state,
      members,
      async record(event) {
        await journal.append(event)
        state = guardTransition(state, event) ?? state
      },
      note(body) {
        state = guardTransition(state, body) ?? state
      },
      async isVoidAsked() {
        const path = `${folder}/${VOID_ASKED}`
        const asked = (await store.readText(path))?.trim()
        // One of earlier terms is whole, and is about these no more.
        if (asked !== undefined && !isHex(asked, 32)) throw guardError('guard.void-asked', safeText(path))
        return asked !== undefined && asked === state.hashes.at(-1)
      },
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

const bytesFile = exactRecord({ version: uintIndex, raws: list(hexAsWritten()) })

/** Reads the bytes of a guard, and compares every field of each with its terms, and its hash with the journal’s. */
async function membersAt(
  store: Effects['store'],
  path: string,
  { terms, hashes }: GuardState,
): Promise<readonly SignedMember[]> {
  const text = await store.readText(path)
  if (text === undefined) throw guardError('guard.bytes', path, 'no such file')
  const members = await signedMembers(terms, readMembers(text, path))
  const isSame = members.every(({ hash }, at) => sameHex(hash, hashes[at] ?? ''))
  if (!isSame || members.length !== hashes.length)
    throw guardError('guard.bytes', path, 'other bytes than were armed')
  return members
}

/** Returns the bytes in the file of a guard, which nobody has looked at yet. Throws a `JournalError` for another text. */
export function readMembers(text: string, path: string): readonly Hex[] {
  try {
    const value = parseStrictJson(text)
    const later = laterThan(BYTES_VERSION, value, 'version')
    if (later !== undefined) throw guardError('guard.newer', path, later)
    const { version, raws } = decodeWhole(bytesFile, value)
    if (version !== BYTES_VERSION) throw guardError('guard.bytes', path, `version ${version}`)
    return raws
  } catch (fault) {
    if (fault instanceof FieldFault || fault instanceof JsonFault)
      throw guardError('guard.bytes', path, fault.message)
    throw fault
  }
}

/** The members of the terms with these bytes. Throws a `wallet.*` error for bytes that are not exactly theirs. */
async function signedMembers(terms: GuardTerms, raws: readonly Hex[]): Promise<readonly SignedMember[]> {
  const members = ladderOf(terms)
  if (raws.length !== members.length)
    throw guardError('guard.bytes', 'members', `${raws.length} transactions, expected ${members.length}`)
  return Promise.all(
    members.map(async (member, at) => {
      const raw = raws[at] ?? '0x'
      const hash = await checkSigned(raw, { transaction: member.transaction, from: terms.from })
      return { ...member, raw, hash }
    }),
  )
}
