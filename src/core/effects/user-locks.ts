import { constants } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { noLockPlace } from '../errors/lock.ts'
import { systemCode } from './node-file-fault.ts'

const OTHERS_WRITE = 0o002

const BELOW_HOME: Readonly<Record<string, readonly string[]>> = {
  darwin: ['Library', 'Application Support', 'bearings', 'locks'],
  win32: ['AppData', 'Local', 'bearings', 'locks'],
}
const BELOW_HOME_ELSEWHERE = ['.local', 'state', 'bearings', 'locks']

/** What the system's list of users says of one, whatever the environment says. */
export type User = { home: string; uid: number | undefined }

/** The user who runs this program. Throws `lock.no-place` for one whom the system does not know. */
export function passwdUser(): User {
  const uid = process.getuid?.()
  try {
    return { home: userInfo().homedir, uid }
  } catch (thrown) {
    throw noLockPlace(
      { field: `user ${uid}`, found: 'no entry', expected: 'an entry in the passwd file' },
      thrown,
    )
  }
}

/**
 * The one directory of a user's locks on this computer, below the home of the passwd entry. What is there already
 * must be out of the reach of others and no link at its end; what is not is made with the first lock. Throws
 * `lock.no-place`.
 */
export async function userLockDirectory(user: User): Promise<string> {
  const levels = BELOW_HOME[process.platform] ?? BELOW_HOME_ELSEWHERE
  if (!isAbsolute(user.home)) throw unfit('home', user.home === '' ? 'nothing' : user.home)
  let path = user.home
  await requireOwn(path, user)
  for (const [depth, level] of levels.entries()) {
    const next = join(path, level)
    if (!(await isThere(next, { mayBeLink: depth < levels.length - 1 }))) break
    await requireOwn(next, user)
    path = next
  }
  await access(path, constants.W_OK | constants.X_OK).catch((thrown: unknown) => {
    throw unfit(path, `a directory in which this user may not write (${systemCode(thrown)})`, thrown)
  })
  return join(user.home, ...levels)
}

/** Whether there is anything at the path. Throws for a link where none may be. */
async function isThere(path: string, { mayBeLink }: { mayBeLink: boolean }): Promise<boolean> {
  const found = await lstat(path).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return undefined
    throw unfit(path, systemCode(thrown), thrown)
  })
  if (!mayBeLink && found?.isSymbolicLink() === true) throw unfit(path, 'a link')
  return found !== undefined
}

/** Only in a directory of this user alone can nobody else put the next level of the place first. */
async function requireOwn(path: string, { uid }: User): Promise<void> {
  const found = await stat(path).catch((thrown: unknown) => {
    throw unfit(path, systemCode(thrown) === 'ENOENT' ? 'nothing there' : systemCode(thrown), thrown)
  })
  if (!found.isDirectory()) throw unfit(path, 'no directory')
  if (uid === undefined) return
  if (found.uid !== uid) throw unfit(path, `a directory of user ${found.uid}`)
  if ((found.mode & OTHERS_WRITE) !== 0) throw unfit(path, 'a directory in which everybody may write')
}

function unfit(field: string, found: string, cause?: unknown): Error {
  return noLockPlace({ field, found, expected: 'a directory of this user, in which it may write' }, cause)
}
