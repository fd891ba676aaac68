import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './core/base/effects/temporary-directory.ts'

/** A native library in the single executable: the name of its file, its bytes, and the hash that they must have. */
export type EmbeddedLibrary = { name: string; asset: string; bytes: () => Uint8Array; sha256: string }

/** What the system says where no program may run from a directory. */
const NO_PROGRAMS = /failed to map segment/

/**
 * Loads a native library from a directory of its own, mode 0700, that exists only until it is loaded. What lies there is
 * read back and must have its hash. Throws an error with the code `ERR_TEMPORARY_DIRECTORY`, `directory`, `variable`
 * and `found` where the directory for temporary files cannot be used.
 */
export function loadLibrary(library: EmbeddedLibrary): unknown {
  const directory = inTemporary(() => mkdtempSync(join(temporaryDirectory().directory, 'bearings-native-')))
  try {
    const path = join(directory, library.asset)
    const written = inTemporary(() => {
      writeFileSync(path, library.bytes(), { flag: 'wx', mode: 0o600 })
      return readFileSync(path)
    })
    return load(path, written, library)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function load(path: string, written: Uint8Array, { name, sha256 }: EmbeddedLibrary): unknown {
  const module: { exports: unknown } = { exports: {} }
  try {
    const hash = createHash('sha256').update(written).digest('hex')
    if (hash !== sha256) throw new Error('its SHA-256 is not the one that this executable was made with')
    process.dlopen(module, path)
    return module.exports
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    if (NO_PROGRAMS.test(why)) throw unusable('ENOEXEC', cause)
    throw new Error(`The library ${name} cannot be loaded: ${why}.`, { cause })
  }
}

function inTemporary<T>(run: () => T): T {
  try {
    return run()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    // That is no fault of the directory.
    if (code === 'EMFILE' || code === 'ENFILE') throw cause
    throw unusable(code, cause)
  }
}

function unusable(found: string, cause: unknown): Error {
  const fault = new Error('The directory for temporary files cannot be used.', { cause })
  return Object.assign(fault, { code: 'ERR_TEMPORARY_DIRECTORY', found, ...temporaryDirectory() })
}
