import { join } from 'node:path'
import { homeDirectory } from '../core/base/effects/node-file-fault.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the program keeps its state when `--state` does not say: XDG on Linux, the platform's place elsewhere. */
export function stateDirectory(env: Environment, platform: string): string {
  const own = env.XDG_STATE_HOME
  if (own?.startsWith('/')) return join(own, 'bearings')
  if (platform === 'darwin') return join(homeDirectory(), 'Library', 'Application Support', 'bearings')
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homeDirectory(), 'AppData', 'Local'), 'bearings')
  return join(homeDirectory(), '.local', 'state', 'bearings')
}

/** Whether an environment asks for lines in place of drawing: a terminal that cannot draw, or a screen reader. */
export function wantsPlain({ TERM, INK_SCREEN_READER = '' }: Environment): boolean {
  return TERM === 'dumb' || !['', '0', 'false'].includes(INK_SCREEN_READER)
}

/** What the files are called that the program keeps, and what a form has of them. */
export const PLACES_TEXT = {
  guard: 'guard',
  journal: 'journal',
  keystore: 'keystore',
  locks: 'locks',
  settings: 'settings',
  validator: 'validator',
} as const
