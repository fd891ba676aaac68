import { constants, type Dirent } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import type { PathNotes } from '../core/wizard/launch/form.ts'
import type { Completion } from '../hooks/launcher.tsx'

type Path = { text: string; kind: 'folder' | 'file' }

const WORDS = {
  folder: {
    nothing: 'There is no such folder.',
    other: 'This is a file. The node home is a folder.',
    closed: 'You may not read this folder.',
  },
  file: {
    nothing: 'There is no such file.',
    other: 'This is a folder. Tab shows what is in it.',
    closed: 'You may not read this file.',
  },
}

/** Whether there is what is meant at a path, and whether this user may read it. Nothing of it is read. */
export async function checkPath({ text, kind }: Path): Promise<PathNotes> {
  const path = absolutePath(text)
  const found = await stat(path).catch(() => undefined)
  const words = WORDS[kind]
  if (found === undefined) return { fault: words.nothing }
  const fits = kind === 'folder' ? found.isDirectory() : found.isFile()
  if (!fits) return { fault: words.other }
  const rights = kind === 'folder' ? constants.R_OK | constants.X_OK : constants.R_OK
  const readable = await access(path, rights).then(
    () => true,
    () => false,
  )
  if (!readable) return { fault: words.closed }
  if (kind === 'file') return { note: 'a file that you may read' }
  const config = await stat(join(path, 'config')).catch(() => undefined)
  if (config?.isDirectory() === true) return { note: 'a folder with config in it' }
  return { note: 'There is no config folder in it. Is it the node home?', doubt: true }
}

const MOST_NAMES = 40

/** Goes on with a path as a shell does on Tab; the beginning is kept as it was typed, `~` too. */
export async function completePath({ text, kind }: Path): Promise<Completion> {
  const begun = text.endsWith('/') ? '' : basename(text)
  const before = text.slice(0, text.length - begun.length)
  const directory = absolutePath(before === '' ? '.' : before)
  const all = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => [])
  const names = all
    .filter(({ name }) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .filter((name) => kind === 'file' || name.endsWith('/'))
    .sort(byLetters)
  const [only, ...more] = names
  if (only === undefined) return { to: text, names: [] }
  if (more.length > 0) return { to: before + shared(names), names: names.slice(0, MOST_NAMES) }
  if (only === `${begun}/` && kind === 'folder') return { to: text, names: [] }
  return { to: before + only, names: [] }
}

const byLetters = (one: string, other: string): number => one.localeCompare(other)

function shared(names: readonly string[]): string {
  const [first = '', ...rest] = names
  let length = first.length
  for (const name of rest) while (!name.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

const KEYSTORE_FOLDERS = ['~/.foundry/keystores', '~/.ethereum/keystore']
/** An encrypted key is a small file; nothing of it is read here. */
const MOST_BYTES = 64 * 1024

/** Files in the folders where wallets keep encrypted keys, as a user would type their paths. */
export async function foundKeystores(homePath: string | undefined): Promise<string[]> {
  const ofHome = homePath === undefined || homePath === '' ? [] : ['keystore', 'config/keystore']
  const folders = [...KEYSTORE_FOLDERS, ...ofHome.map((name) => join(homePath ?? '', name))]
  const found = await Promise.all(folders.map(filesIn))
  return found.flat()
}

async function filesIn(folder: string): Promise<string[]> {
  const names = (await readdir(absolutePath(folder)).catch(() => [])).sort(byLetters)
  const paths = names.filter((name) => !name.startsWith('.')).map((name) => join(folder, name))
  const kept = await Promise.all(
    paths.slice(0, MOST_NAMES).map(async (path) => {
      const facts = await stat(absolutePath(path)).catch(() => undefined)
      return facts?.isFile() === true && facts.size <= MOST_BYTES ? [path] : []
    }),
  )
  return kept.flat()
}
