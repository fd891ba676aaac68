import { createHash } from 'node:crypto'
import { lstat, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * The version before this one had no kernel lock: it judged a lock file by the process it names and by a socket, and
 * only one process at a time judged, behind a name of the kernel. For one version both kinds respect each other.
 */

const MAX_SOCKET_PATH_BYTES = 100
/** What a socket answers that nobody listens on. Any other failure proves nothing. */
const GONE = ['ECONNREFUSED', 'ENOENT']

/** What keeps programs of the version before out of the lock at `path`, as long as it is held. */
export type EarlierGuard = {
  /** Whether another process has the name behind which the version before judges. */
  nameInUse: boolean
  /** Listens beside the lock, where that version looks in another container. */
  listenBeside(): Promise<void>
  close(): Promise<void>
}

/** Takes the name behind which the version before judges the lock at `path`, where it can be had. Never throws. */
export async function guardEarlier(path: string): Promise<EarlierGuard> {
  const servers: Server[] = []
  const name = process.platform === 'linux' ? await listen(`\0bearings-lock-${digest(path)}`) : undefined
  if (typeof name === 'object') servers.push(name)
  return {
    nameInUse: name === 'in-use',
    async listenBeside() {
      const beside = besidePath(path)
      const server = beside === undefined ? undefined : await listen(beside)
      if (typeof server === 'object') servers.push(server)
    },
    async close() {
      await Promise.all(servers.map(closeServer))
    },
  }
}

/** Whether a program of the version before answers on a socket of the lock at `path`; one that refuses is removed. */
export async function earlierAnswers(path: string): Promise<boolean> {
  const places = [besidePath(path), process.platform === 'win32' ? undefined : temporaryPath(path)]
  for (const place of places) {
    if (place === undefined || !(await isOurs(place))) continue
    if (await answers(place)) return true
    if (process.platform !== 'win32') await rm(place, { force: true })
  }
  return false
}

function besidePath(path: string): string | undefined {
  if (process.platform === 'win32') return `\\\\.\\pipe\\bearings-${digest(path)}`
  const beside = `${path}.sock`
  return Buffer.byteLength(beside) <= MAX_SOCKET_PATH_BYTES ? beside : undefined
}

/** Where the socket of a long path was. Anybody may make a file of that name. */
function temporaryPath(path: string): string {
  return join(tmpdir(), `bearings-${digest(path)}.sock`)
}

async function isOurs(place: string): Promise<boolean> {
  if (process.platform === 'win32') return true
  const found = await lstat(place).catch(() => undefined)
  return found?.isSocket() === true && found.uid === process.getuid?.()
}

function answers(place: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', (fault) => resolve(!('code' in fault && GONE.includes(String(fault.code)))))
  })
}

function listen(place: string): Promise<Server | 'in-use' | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.on('error', (fault) => {
      resolve('code' in fault && fault.code === 'EADDRINUSE' ? 'in-use' : undefined)
    })
    server.listen(place, () => {
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

function digest(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32)
}
