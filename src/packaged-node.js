/**
 * Which Node runs the program and its scripts, and how. Plain JavaScript, without a build: whoever has an older Node than the
 * sources need starts here.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The oldest Node that reads the sources as they are: major and minor. */
export const OLDEST_NODE = /** @type {const} */ ([22, 18])

const WRONG_USE = 2

/**
 * Whether a Node of this version can run the program.
 * @param {string} version as in `process.versions.node`
 */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

/**
 * The sentence for whoever has no Node that can run the program.
 * @param {string} found the version that is there, or why it cannot be started
 */
export function tooOld(found) {
  return `bearings needs Node ${OLDEST_NODE.join('.')} or newer; ${found}.\n`
}

/**
 * The program of the Node that was installed together with the project: below it or right beside it, and nowhere else,
 * least of all on the PATH. Undefined where there is none. It is not looked for in `node_modules/.bin`: npm 9 and 10 make
 * no link there for a package of this name. It is built for glibc: musl systems such as Alpine do not run it.
 * @param {string} installed the folder of the project or of the installed package
 * @returns {string | undefined}
 */
export function packagedNode(installed) {
  if (process.platform === 'linux' && !hasGlibc()) return undefined
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const beside = dirname(installed)
  const places = [join(installed, 'node_modules'), ...(basename(beside) === 'node_modules' ? [beside] : [])]
  const folders = places.map((place) => join(place, `node-${platform}-${process.arch}`))
  const folder = folders.find((each) => isSupported(versionIn(each)))
  return folder && join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

function hasGlibc() {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return header.glibcVersionRuntime !== undefined
}

/** @param {string} folder of a package; `''` where it is not there */
function versionIn(folder) {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8')
    const manifest = /** @type {{ version?: string }} */ (JSON.parse(text))
    return manifest.version ?? ''
  } catch {
    return ''
  }
}

/**
 * Runs a program with a Node on the same terminal, hands signals on, and ends as it ends.
 * @param {string} node the path of the Node
 * @param {readonly string[]} args the program and what is given to it
 * @param {NodeJS.ProcessEnv} env of the program
 * @returns {Promise<void>}
 */
export async function runWith(node, args, env) {
  const { spawn } = await import('node:child_process')
  const child = spawn(node, args, { stdio: 'inherit', env })
  // What a terminal signals, it signals to both.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGHUP']))
    process.on(signal, () => hasTerminal || child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(tooOld(error.message))
    process.exitCode = WRONG_USE
  })
  child.on('exit', (code, signal) => {
    if (signal === null) return process.exit(code ?? WRONG_USE)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
