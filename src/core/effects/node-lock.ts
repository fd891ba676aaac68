import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { readFile, realpath, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { heldElsewhere, heldHere } from '../errors/lock.ts'
import { type EarlierGuard, earlierAnswers, guardEarlier } from './earlier-lock.ts'
import type { LockAnswer } from './effects.ts'
import { takeKernelLock } from './kernel-lock.ts'
import { isOfThisKernel, isRunning, type LockClaim, ownClaim, parseClaim } from './lock-claim.ts'
import { createWhole } from './node-create.ts'
import { systemCode } from './node-file-fault.ts'

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const ATTEMPTS = 3

/**
 * Takes the lock at `path`, or says who has it.
 *
 * Two things together are the lock. The kernel's lock on `path`.db is had by one process at a time, in whatever
 * container, and ends with it. The file at `path` names the holder, for computers that share the directory without
 * sharing locks: it is put in place whole and only if none is there, and only who has the kernel's lock may judge one
 * that was left behind. Throws what the file system throws, and `lock.unavailable`.
 */
export async function takeLock(path: string): Promise<LockAnswer> {
  const real = join(await realpath(dirname(path)), basename(path))
  const before = await readClaim(real)
  const letGo = takeKernelLock(`${real}.db`)
  if (letGo === undefined) return { heldBy: heldHere({ path: real, ...parsed(before) }) }
  const guard = await guardEarlier(real)
  const giveBack = async () => {
    await guard.close()
    letGo()
  }
  try {
    const claim = JSON.stringify({ ...(await ownClaim()), nonce: randomBytes(8).toString('hex') })
    const heldBy = await putClaim(real, claim, guard)
    if (heldBy === undefined) return { release: once(() => release(real, claim, giveBack)) }
    await giveBack()
    return { heldBy }
  } catch (thrown) {
    await giveBack()
    throw thrown
  }
}

/** Puts our claim in place of none or of one left behind. Answers who holds the lock otherwise. */
async function putClaim(path: string, claim: string, guard: EarlierGuard): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await putWhole(path, claim)) {
      await earlierAnswers(path)
      await guard.listenBeside()
      return undefined
    }
    const found = await readClaim(path)
    const heldBy = found === undefined ? undefined : await judge(path, found, guard)
    if (heldBy !== undefined) return heldBy
    await rm(path, { force: true })
  }
  return heldHere({ path })
}

/** Who holds the lock by the claim that was found, while the kernel's lock is ours; undefined when nobody does. */
async function judge(path: string, found: string, guard: EarlierGuard): Promise<string | undefined> {
  const claim = parseClaim(found)
  const holder = { path, ...claim }
  if (!(await isOfThisKernel(claim, await ownClaim(), dirname(path)))) return heldElsewhere(holder)
  if (claim === undefined || claim.host !== undefined) return undefined
  const isEarlier = guard.nameInUse || (await isRunning(claim)) || (await earlierAnswers(path))
  return isEarlier ? heldHere(holder) : undefined
}

async function release(path: string, claim: string, giveBack: () => Promise<void>): Promise<void> {
  try {
    if ((await readClaim(path)) === claim) await unlink(path)
  } finally {
    await giveBack()
  }
}

/** Creates the file with its whole content, or answers false when there is one already. */
async function putWhole(path: string, text: string): Promise<boolean> {
  try {
    await createWhole(path, text)
    return true
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false
    throw thrown
  }
}

async function readClaim(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: 'utf8', flag: READ })
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

function parsed(claim: string | undefined): Partial<LockClaim> {
  return claim === undefined ? {} : (parseClaim(claim) ?? {})
}

function once(run: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= run()
    return done
  }
}
