import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  anvilForbidden,
  anvilLibraryTooOld,
  anvilLoaderMissing,
  anvilMissing,
  anvilUnusable,
  anvilWrongMachine,
} from '../../core/errors/anvil.ts'
import type { BaseError } from '../../core/errors/base.ts'
import { safeText } from '../../core/format/text.ts'

/** A program that was started once and said its version. */
export type FoundAnvil = { path: string; version: string }

export type AnvilPlaces = {
  /** Path of the program in its optional package, or undefined when the package is not there. */
  packaged: () => string | undefined
  /** The value of PATH. */
  searchPath: string
}

const PACKAGE = '@foundry-rs/anvil-linux-amd64'
const PROBE_TIMEOUT_MS = 20_000
const NOT_RUNNABLE_EXIT_CODES = [126, 127]

/**
 * Finds a usable anvil: the optional package first, then the PATH. Each candidate is started once with `--version`.
 * Throws the anvil.* error of the first candidate when none is usable, `anvil.missing` when there is none at all.
 */
export async function findAnvil(places: AnvilPlaces = standardPlaces()): Promise<FoundAnvil> {
  const failures: BaseError[] = []
  for (const path of [places.packaged(), onPath(places.searchPath)]) {
    if (path === undefined) continue
    const outcome = await probe(path)
    if ('version' in outcome) return outcome
    failures.push(outcome)
  }
  throw failures[0] ?? anvilMissing()
}

function standardPlaces(): AnvilPlaces {
  return { packaged: packagedAnvil, searchPath: process.env.PATH ?? '' }
}

function packagedAnvil(): string | undefined {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(`${PACKAGE}/package.json`))), 'bin', 'anvil')
  } catch {
    return undefined
  }
}

function onPath(searchPath: string): string | undefined {
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const candidates = searchPath.split(delimiter).filter((folder) => folder !== '')
  return candidates.map((folder) => join(folder, name)).find(exists)
}

function exists(path: string): boolean {
  try {
    accessSync(path, constants.F_OK)
    return true
  } catch {
    return false
  }
}

type ProbeError = Error & { code?: string | number | null }

function probe(path: string): Promise<FoundAnvil | BaseError> {
  return new Promise((resolve) => {
    const options = { timeout: PROBE_TIMEOUT_MS, env: {}, maxBuffer: 65_536 }
    execFile(path, ['--version'], options, (error, stdout, stderr) => {
      if (error !== null) return resolve(explain(path, error, stderr))
      const version = /\d+\.\d+\.\d+[^\s]*/.exec(stdout)?.[0]
      resolve(version === undefined ? anvilUnusable(path, safeText(stdout)) : { path, version })
    })
  })
}

function explain(path: string, error: ProbeError, stderr: string): BaseError {
  if (error.code === 'ENOENT') return exists(path) ? anvilLoaderMissing(path, error) : anvilMissing()
  if (error.code === 'EACCES') return anvilForbidden(path, error)
  if (error.code === 'ENOEXEC') return anvilWrongMachine(path, error)
  if (stderr.includes('GLIBC_')) return anvilLibraryTooOld(path)
  if (NOT_RUNNABLE_EXIT_CODES.includes(Number(error.code))) return anvilWrongMachine(path, error)
  return anvilUnusable(path, safeText(stderr || error.message), error)
}
