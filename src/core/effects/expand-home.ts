import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * A path with `~` or `~/` at its beginning replaced by the user's own directory, as a shell does it for text that is
 * typed at its prompt. `--option=~/path` and what is typed into a field never pass through a shell. Other paths, and
 * another user's `~name`, stay as they are.
 */
export function expandHome(path: string, home: string = homedir()): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path
}
