import { existsSync, readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { getAsset, getAssetKeys } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { loadLibrary } from './native-library.ts'

/**
 * The start of the single executable. The program in it is the one of the package, file by file, and is read from
 * the executable, never from a disk: each file has an address below the executable itself, where no other file can be.
 * Only native libraries touch the disk, because the system loads them from nowhere else.
 */

/** The native libraries by the name under which the program asks for them; put in when the executable is made. */
declare const NATIVE: Record<string, Native>
/** One that is `beside` lies in a file of that name next to the executable. */
type Native = { asset: string; sha256: string; names: string[]; beside: boolean }

const WRONG_USE = 2
const PROGRAM = 'cli.js'
const SIGNER = 'signer.js'
const CHILDREN = [SIGNER, 'edr-child.js']
const ENTRY = 'enter.cjs'
const LIBRARIES = 'bearings.native'

const place = `${pathToFileURL(process.execPath).href}/`
const embedded = new Set(getAssetKeys())
const libraries: Record<string, unknown> = {}
const [started = PROGRAM, ...given] = entryOf(process.argv.slice(2))

if (started !== SIGNER && process.env.NODE_OPTIONS !== undefined) {
  process.stderr.write('NODE_OPTIONS is set, and bearings takes no options of Node: unset NODE_OPTIONS.\n')
  process.exit(WRONG_USE)
}
Object.defineProperty(globalThis, Symbol.for(LIBRARIES), { value: libraries })
process.argv.splice(1, process.argv.length, process.execPath, ...given)
registerHooks({
  resolve(specifier, context, next) {
    if (isThere(specifier)) return found(specifier)
    const name = embeddedName(specifier, context.parentURL)
    return name === undefined ? next(specifier, context) : found(name)
  },
  load(url, context, next) {
    if (!url.startsWith(place)) return next(url, context)
    const name = url.slice(place.length)
    const native = NATIVE[name]
    if (native !== undefined) return { format: 'module', source: moduleOf(name, native), shortCircuit: true }
    if (name === ENTRY)
      return { format: 'commonjs', source: `import(${JSON.stringify(place + started)})`, shortCircuit: true }
    return { format: formatOf(name), source: getAsset(name, 'utf8'), shortCircuit: true }
  },
})
createRequire(place)(`./${ENTRY}`)

/** What `node SCRIPT …` would run: this program starts itself by the executable, and a child by its address below it. */
function entryOf([first = '', ...rest]: string[]): string[] {
  if (first === process.execPath) return [PROGRAM, ...rest]
  const name = basename(first)
  if (first === join(process.execPath, name) && CHILDREN.includes(name) && embedded.has(name))
    return [name, ...rest]
  return first === '' ? [PROGRAM, ...rest] : [PROGRAM, first, ...rest]
}

function isThere(name: string): boolean {
  const native = Object.hasOwn(NATIVE, name) ? NATIVE[name] : undefined
  if (native?.beside !== true || existsSync(besidePath(native))) return native !== undefined
  // Else one could be loaded that nobody looked at.
  throw new Error(`${native.asset} is not beside the executable`)
}

function besidePath({ asset }: Native): string {
  return join(dirname(process.execPath), asset)
}

function found(name: string) {
  return { url: place + name, format: formatOf(name), shortCircuit: true }
}

function formatOf(name: string): 'commonjs' | 'json' | 'module' {
  if (name === ENTRY) return 'commonjs'
  return name.endsWith('.json') ? 'json' : 'module'
}

function embeddedName(specifier: string, parent: string | undefined): string | undefined {
  if (!/^(?:\.|file:)/.test(specifier)) return undefined
  const { href } = new URL(specifier, parent)
  const name = href.startsWith(place) ? href.slice(place.length) : ''
  return name === ENTRY || embedded.has(name) ? name : undefined
}

/** The source of a module that has what a native library exports. */
function moduleOf(name: string, native: Native): string {
  const { asset, sha256 } = native
  const bytes = () => (native.beside ? readFileSync(besidePath(native)) : new Uint8Array(getAsset(asset)))
  libraries[name] = loadLibrary({ name, asset, sha256, bytes })
  const library = `globalThis[Symbol.for(${JSON.stringify(LIBRARIES)})][${JSON.stringify(name)}]`
  return `export const { ${native.names.join(', ')} } = ${library}`
}
