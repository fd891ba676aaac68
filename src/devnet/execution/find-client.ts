import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { anvilError } from '../../core/base/errors/anvil.ts'
import type { BaseError } from '../../core/base/errors/base.ts'
import { noRoomToStart } from '../../core/base/errors/exec.ts'
import { safeText } from '../../core/base/format/text.ts'

type FoundAnvil = { kind: 'anvil'; path: string; version: string }

/** An execution client for the rehearsal network: the program anvil, or the folder of Hardhat's native library EDR. */
export type FoundClient = FoundAnvil | { kind: 'edr'; path: string }

export type ClientPlaces = {
  /** The system and the processor as Node names them, with a blank between. */
  machine: string
  /** The folder of an optional package, or undefined when the package is not there. */
  folderOf: (name: string) => string | undefined
  /** The value of PATH. */
  searchPath: string
}

const EDR_VERSION = '0.20.0'

/** The optional packages that bring a client: anvil where it is packaged, EDR elsewhere. */
export const CLIENT_PACKAGES: ReadonlyMap<
  string,
  { kind: FoundClient['kind']; name: string; version: string }
> = new Map([
  ['linux x64', { kind: 'anvil', name: '@foundry-rs/anvil-linux-amd64', version: '1.7.1' }],
  ['linux arm64', { kind: 'edr', name: '@nomicfoundation/edr-linux-arm64-gnu', version: EDR_VERSION }],
  ['darwin arm64', { kind: 'edr', name: '@nomicfoundation/edr-darwin-arm64', version: EDR_VERSION }],
  ['darwin x64', { kind: 'edr', name: '@nomicfoundation/edr-darwin-x64', version: EDR_VERSION }],
  ['win32 x64', { kind: 'edr', name: '@nomicfoundation/edr-win32-x64-msvc', version: EDR_VERSION }],
])

const PROBE_TIMEOUT_MS = 20_000
const NOT_RUNNABLE_EXIT_CODES = [126, 127]

/**
 * Finds a usable client: the optional package of this machine first, then `anvil` on the PATH. An anvil is started
 * once with `--version`. Throws the anvil.* error of the first candidate when none is usable, `anvil.missing` when
 * there is none at all.
 */
export async function findClient(places: ClientPlaces = standardPlaces()): Promise<FoundClient> {
  const packaged = CLIENT_PACKAGES.get(places.machine)
  const folder = packaged === undefined ? undefined : places.folderOf(packaged.name)
  if (packaged?.kind === 'edr' && folder !== undefined) return { kind: 'edr', path: folder }
  const missing = anvilError('anvil.missing', { machine: places.machine, wanted: packaged })
  const failures: BaseError[] = []
  for (const path of [folder === undefined ? undefined : join(folder, 'bin', 'anvil'), onPath(places)]) {
    if (path === undefined) continue
    const outcome = await probe(path, missing)
    if ('version' in outcome) return outcome
    failures.push(outcome)
  }
  throw failures[0] ?? missing
}

function standardPlaces(): ClientPlaces {
  const machine = `${process.platform} ${process.arch}`
  const searchPath = process.env.PATH ?? ''
  if (import.meta.dirname !== process.execPath) return { machine, folderOf: packageFolder, searchPath }
  // In a single executable this file lies below the executable: no package belongs to it, but what lies beside it.
  const beside = dirname(process.execPath)
  return { machine, folderOf: () => undefined, searchPath: `${beside}${delimiter}${searchPath}` }
}

/** Returns the folder of an installed package, or undefined when it is not installed. */
export function packageFolder(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

function onPath({ machine, searchPath }: ClientPlaces): string | undefined {
  const name = machine.startsWith('win32 ') ? 'anvil.exe' : 'anvil'
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

function probe(path: string, missing: BaseError): Promise<FoundAnvil | BaseError> {
  return new Promise((resolve) => {
    const options = { timeout: PROBE_TIMEOUT_MS, env: {}, maxBuffer: 65_536 }
    execFile(path, ['--version'], options, (error, stdout, stderr) => {
      if (error !== null) return resolve(explain(path, { error, stderr, missing }))
      const version = /\d+\.\d+\.\d+[^\s]*/.exec(stdout)?.[0]
      resolve(
        version === undefined
          ? anvilError('anvil.unusable', path, safeText(stdout))
          : { kind: 'anvil', path, version },
      )
    })
  })
}

type Failure = { error: ProbeError; stderr: string; missing: BaseError }

function explain(path: string, { error, stderr, missing }: Failure): BaseError {
  const room = noRoomToStart(String(error.code))
  if (room !== undefined) return room
  if (error.code === 'ENOENT') return exists(path) ? anvilError('anvil.loader', path, error) : missing
  if (error.code === 'EACCES') return anvilError('anvil.forbidden', path, error)
  if (error.code === 'ENOEXEC') return anvilError('anvil.machine', path, error)
  if (stderr.includes('GLIBC_')) return anvilError('anvil.library', path)
  if (NOT_RUNNABLE_EXIT_CODES.includes(Number(error.code))) return anvilError('anvil.machine', path, error)
  return anvilError('anvil.unusable', path, safeText(stderr || error.message), error)
}
