import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeFiles } from '../../src/core/base/effects/node-files.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import { vectorText } from './vector-lines.ts'

const FOLDER = 'state'
const ROOT = join(import.meta.dirname, '../vectors', FOLDER)

/** The effects that the readers and writers of state have. */
export const effects = { store: createNodeStore(), clock: createNodeClock(), files: createNodeFiles() }

/** The text of a recorded file, by its path below the folder of all of them. */
export const stateText = (file: string): string => vectorText(`${FOLDER}/${file}`)

/** The recorded files of one kind. */
export const stateFiles = (kind: string): string[] =>
  readdirSync(join(ROOT, kind))
    .sort()
    .map((name) => `${kind}/${name}`)

/** Gives `use` a directory of its own, of which nothing is left. */
export async function withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'state-'))
  try {
    return await use(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Puts the text of a recorded file where the program keeps that kind. */
export const place = (file: string, path: string): void =>
  writeFileSync(path, stateText(file), { mode: 0o600 })

/** As JSON gives it back: hexadecimal in lower case, amounts as decimal texts. */
export const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return part.toString()
      return typeof part === 'string' && part.startsWith('0x') ? part.toLowerCase() : part
    }) ?? 'null',
  )

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
