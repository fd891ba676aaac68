import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { passwdUser, type User, userLockDirectory } from '../core/effects/node-lock.ts'
import { stateDirectory } from './state-directory.ts'

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
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined || dirname(path) === path) return real ?? path
  return join(await realPlace(dirname(path)), basename(path))
}
