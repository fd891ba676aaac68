import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startProgram } from '../../test/support/pty.ts'
import { registryEnvironment, type Tools } from './tools.ts'

/** How a copy is used. */
export type Way = { name: string; folder: string; isRoot: boolean; env: Readonly<Record<string, string>> }

/** Everything at once that has ever come between a user and the first screen, and none of it. */
export const WAYS: readonly Way[] = [
  { name: 'plain', folder: 'bearings', isRoot: true, env: {} },
  {
    name: 'other user, odd path, no scripts',
    folder: 'mit Leerzeichen/проверка 测试/bearings',
    isRoot: false,
    env: { npm_config_ignore_scripts: 'true' },
  },
]

export type Tried = {
  name: string
  passed: readonly string[]
  /** What went wrong, with what was said. */
  failure?: string
  /** What the copy takes on the disk with all that was installed. */
  mib?: number
  seconds: number
}

type Ask = { name: string; directory: string; tools: Tools; way: Way; isWhole: boolean }
type Place = { root: string; env: Record<string, string>; user: { uid?: number; gid?: number } }
type Ended = { code: number | null; said: string }

const ROOT = join(import.meta.dirname, '../..')
/** `nobody` on most systems; any user who is not root will do. */
const OTHER_USER = 65_534
const WARNING = /^npm warn .*$/gim
const MIB = 1024

/** Follows the first page in a fresh copy; what failed is told, nothing is thrown. The copy is removed. */
export async function tryCheckout({ name, directory, tools, way, isWhole }: Ask): Promise<Tried> {
  const begun = performance.now()
  const passed: string[] = []
  const place = freshCopy(join(directory, 'copy'), tools, way)
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  let mib: number | undefined
  try {
    for (const [part, failureOf] of partsOf(place, isWhole)) {
      const failure = await failureOf()
      if (failure !== undefined) return { name, passed, failure: `${part}: ${failure}`, seconds: seconds() }
      passed.push(part)
      if (part === 'ci') mib = sizeOf(place.root)
    }
    return { name, passed, ...(mib === undefined ? {} : { mib }), seconds: seconds() }
  } finally {
    rmSync(join(directory, 'copy'), { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The committed files as they are here, and a home that is as empty, both of the user who will run them. */
function freshCopy(directory: string, tools: Tools, way: Way): Place {
  const root = join(directory, way.folder)
  const home = join(directory, 'home')
  mkdirSync(home, { recursive: true })
  const list = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  for (const path of list.split('\0').filter((each) => each !== '')) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    cpSync(join(ROOT, path), join(root, path), { preserveTimestamps: true })
  }
  const isOther = !way.isRoot && process.getuid?.() === 0
  if (isOther) give(directory)
  const env = { PATH: tools.path, HOME: home, LANG: 'C.UTF-8', ...registryEnvironment(), ...way.env }
  return { root, env, user: isOther ? { uid: OTHER_USER, gid: OTHER_USER } : {} }
}

/** Gives a folder to the other user, who may go into the one above it too. */
function give(directory: string): void {
  chmodSync(dirname(directory), 0o755)
  execFileSync('chown', ['-R', `${OTHER_USER}:${OTHER_USER}`, directory])
  chownSync(directory, OTHER_USER, OTHER_USER)
}

function partsOf(place: Place, isWhole: boolean): [string, () => Promise<string | undefined>][] {
  const script = (...args: string[]) => call(place, ...args)
  const tests: [string, () => Promise<string | undefined>][] = isWhole
    ? [['npm test', async () => ended(await script('test'))]]
    : [
        ['types', async () => ended(await script('run', 'types'))],
        ['tests', async () => ended(await script('run', 'try', '--', 'test/scripts/run.test.ts'))],
      ]
  return [
    [
      'ci',
      async () => {
        const { code, said } = await script('ci')
        const warnings = said.match(WARNING) ?? []
        return ended({ code: warnings.length > 0 ? null : code, said })
      },
    ],
    [
      'start',
      async () => {
        const { code, said } = await script('start', '--silent', '--', '--version')
        return ended({ code: /^bearings \d/m.test(said) ? code : null, said })
      },
    ],
    ['wizard', () => wizard(place)],
    ...tests,
  ]
}

function ended({ code, said }: Ended): string | undefined {
  return code === 0 ? undefined : `ended with ${code}\n${said.slice(-4000)}`
}

function call({ root, env, user }: Place, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: root, env, ...user, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    child.on('error', (error) => resolve({ code: null, said: error.message }))
    child.on('close', (code) => resolve({ code, said }))
  })
}

/** The first screen of the wizard in a terminal, left by Ctrl-C. */
async function wizard({ root, env, user }: Place): Promise<string | undefined> {
  const program = startProgram({ program: 'npm', args: ['start'], cwd: root, env, user })
  try {
    await program.waitFor('q quit')
    program.press('\u0003')
    const { exitCode } = await program.exit
    return exitCode === 4 ? undefined : `ended with ${exitCode} on Ctrl-C\n${program.screen().join('\n')}`
  } catch (error) {
    program.kill('SIGKILL')
    return (error as Error).message
  }
}

function sizeOf(folder: string): number {
  const [kib = ''] = execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')
  return Math.round(Number(kib) / MIB)
}
