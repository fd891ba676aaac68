import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { link, readFile, realpath, rename, rm, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createWhole } from './node-create.ts'
import { systemCode } from './node-file-fault.ts'
import { isSameProcess, ownIdentity, type ProcessIdentity, parseIdentity } from './node-process.ts'

const MAX_SOCKET_PATH_BYTES = 100
const ATTEMPTS = 3
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

type Release = () => Promise<void>

/**
 * Takes the lock at `path` (`safety.md` §2.5), or resolves to undefined while another process holds it.
 *
 * The lock is a file that is put in place whole and only if none is there; it names the process by id, start time
 * and boot. Beside it a socket listens as long as the process lives. A lock counts as left behind only if that
 * process is gone and the socket refuses. Only one process at a time may judge that: on Linux a socket name that
 * the kernel gives to one process alone stands in front. Throws what the file system throws.
 */
export async function takeLock(path: string): Promise<Release | undefined> {
  const real = join(await realpath(dirname(path)), basename(path))
  const arbiter = process.platform === 'linux' ? await listen(`\0bearings-lock-${digest(real)}`) : 'none'
  if (arbiter === undefined) return undefined
  const closeArbiter = async () => (arbiter === 'none' ? undefined : closeServer(arbiter))
  try {
    const release = await takeFile(real)
    if (release === undefined) await closeArbiter()
    return release && once(() => releaseThen(release, closeArbiter))
  } catch (thrown) {
    await closeArbiter()
    throw thrown
  }
}

async function releaseThen(release: Release, then: () => Promise<unknown>): Promise<void> {
  try {
    await release()
  } finally {
    await then()
  }
}

async function takeFile(path: string): Promise<Release | undefined> {
  const socketPath = socketPathFor(path)
  const claim = JSON.stringify({ ...(await ownIdentity()), nonce: randomBytes(8).toString('hex') })
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await putWhole(path, claim)) return holdFile(path, socketPath, claim)
    const held = await readClaim(path)
    if (held !== undefined && (await isHeld(held, socketPath))) return undefined
    if (held !== undefined && !(await removeStale(path, held))) return undefined
  }
  return undefined
}

async function holdFile(path: string, socketPath: string, claim: string): Promise<Release> {
  await rm(socketPath, { force: true })
  // A disk without sockets leaves the process's identity as the only witness.
  const server = await listen(socketPath).catch(() => undefined)
  return async () => {
    if ((await readClaim(path)) === claim) await unlink(path)
    if (server !== undefined) await closeServer(server)
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

async function isHeld(claim: string, socketPath: string): Promise<boolean> {
  const holder: ProcessIdentity | undefined = parseIdentity(claim)
  if (holder !== undefined && (await isSameProcess(holder))) return true
  return socketAnswers(socketPath)
}

/** Moves the judged file away. False when another file had taken its place, which then is put back. */
async function removeStale(path: string, judged: string): Promise<boolean> {
  const aside = `${path}.${randomBytes(6).toString('hex')}.stale`
  try {
    await rename(path, aside)
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return true
    throw thrown
  }
  const same = (await readClaim(aside)) === judged
  if (!same) await link(aside, path)
  await unlink(aside)
  return same
}

function socketPathFor(path: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\bearings-${digest(path)}`
  const beside = `${path}.sock`
  if (Buffer.byteLength(beside) <= MAX_SOCKET_PATH_BYTES) return beside
  return join(tmpdir(), `bearings-${digest(path)}.sock`)
}

function socketAnswers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** Listens on a local socket, or undefined when its name is in use. */
function listen(socketPath: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.on('error', (fault) => {
      if ('code' in fault && fault.code === 'EADDRINUSE') resolve(undefined)
      else reject(fault)
    })
    server.listen(socketPath, () => {
      server.unref()
      resolve(server)
    })
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

function once(run: Release): Release {
  let done: Promise<void> | undefined
  return () => {
    done ??= run()
    return done
  }
}

function digest(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32)
}
