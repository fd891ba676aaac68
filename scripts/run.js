/**
 * `node scripts/run.js PROGRAM [ARG …]`: runs a script of the project (`scripts/build.ts`) or a command of an installed package
 * (`vitest`) with the Node that `npm ci` brought, whatever npm and Node begin it; where none was brought, with the user's
 * own, if it is new enough. Plain JavaScript that any Node from 18 reads.
 */
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSupported, packagedNode, runWith, tooOld } from '../src/packaged-node.js'

const WRONG_USE = 2

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const own = isSupported(process.versions.node) ? process.execPath : undefined
const node = packagedNode(root) ?? own
const [name = '', ...args] = process.argv.slice(2)
const program = name.includes('/') ? join(root, name) : commandOf(name)

if (node === undefined) end(tooOld(`this is ${process.versions.node}`))
else if (program === undefined) end(`No package of the project has a command ${name}: run npm ci.\n`)
else await runWith(node, [program, ...args], withFirstOnPath(dirname(node)))

/** @param {string} sentence */
function end(sentence) {
  process.stderr.write(sentence)
  process.exitCode = WRONG_USE
}

/**
 * The environment in which the name `node` is the one of this folder.
 * @param {string} folder
 */
function withFirstOnPath(folder) {
  // Windows calls it Path.
  const name = Object.keys(process.env).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [name]: [folder, process.env[name]].filter(Boolean).join(delimiter) }
}

/**
 * The program of a command that a package of the project brings.
 * @param {string} command
 */
function commandOf(command) {
  const { dependencies, devDependencies } = manifestIn(root)
  for (const each of Object.keys({ ...dependencies, ...devDependencies })) {
    const folder = join(root, 'node_modules', each)
    const { bin } = manifestIn(folder)
    const path = bin?.[command]
    if (path !== undefined) return join(folder, path)
  }
  return undefined
}

/**
 * @param {string} folder
 * @returns {{ bin?: Record<string, string>, dependencies?: object, devDependencies?: object }} empty where no package is there
 */
function manifestIn(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}
