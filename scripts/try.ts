import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { changedFiles } from './try/changed-files.ts'
import { chooseTests, filesBelow, hasWord, testFiles } from './try/choose-tests.ts'

/**
 * `npm run try -- WORD…`: the types, the lint of what changed since the last commit (of the room, where no git is there), then
 * the tests that have the word in their path. A path does as well; without a word all tests are run. An option goes to
 * vitest, its value behind `=`; `--show` says what would be run. Exit 1 when a check or a test failed, 2 for an unknown word.
 */
const WRONG_USE = 2
const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const words = given.filter((word) => !word.startsWith('-'))
const options = given.filter((word) => word.startsWith('-') && word !== '--show')

const choice = chooseTests(words, testFiles(root))
if ('unknown' in choice) {
  const near = choice.near === undefined ? '' : ` Did you mean ${choice.near}?`
  process.stderr.write(`No test has ${choice.unknown} in its path.${near}\n`)
  process.exit(WRONG_USE)
}
const linted = filesToLint()
if (given.includes('--show')) {
  process.stdout.write(
    [
      'types',
      ...linted.map((path) => `lint ${path}`),
      ...choice.files.map((path) => `test ${path}`),
      '',
    ].join('\n'),
  )
  process.exit(0)
}

const checks = [
  // What was found of a file that did not change is kept: the second time takes a fourth of the first.
  start('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/try/types.json'),
  ...(linted.length === 0
    ? []
    : [
        start('biome', 'check', '--no-errors-on-unmatched', ...linted),
        start('oxlint', '--type-aware', '--deny-warnings', '--no-error-on-unmatched-pattern', ...linted),
      ]),
]
const failed = (await Promise.all(checks)).filter(({ code }) => code !== 0)
for (const { said } of failed) process.stderr.write(said)
if (failed.length > 0) process.exit(1)

const { code } = await start('vitest', 'run', ...options, ...choice.files)
process.exit(code === 0 ? 0 : 1)

function filesToLint(): string[] {
  const isSource = (path: string) => /\.(?:ts|tsx|js|cjs|json)$/.test(path)
  const changed = changedFiles(root)
  if (changed !== undefined) return changed.filter(isSource)
  const rooms = ['src', 'test', 'scripts'].flatMap((folder) => filesBelow(root, folder))
  return rooms.filter((path) => isSource(path) && words.some((word) => hasWord(path, word)))
}

/** Runs a command of an installed package; what a check says is kept until it has ended, what the tests say is shown at once. */
function start(command: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const isShown = command === 'vitest'
  const child = spawn(process.execPath, [join(root, 'scripts/run.js'), command, ...args], {
    cwd: root,
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, said }))
  })
}
