import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** One text in one file of the sources that is put in the place of another. */
export type Mutation = { file: string; from: string; to: string }

/** A check of vectors: a module of scripts/vectors, and a module text that runs it on the lines given. */
export type VectorCheck = { module: string; lines: readonly string[]; run?: string }

/** `crashed` where the check did not come to its end. */
export type CheckOutcome = { passed: number; failed: number; first: string; crashed: boolean }

const ROOT = join(import.meta.dirname, '../..')
const RUN_ON_LINES = 'return check(lines)'
const run = promisify(execFile)

/** A copy of the sources in a directory of its own, to be changed one text at a time. */
export function copiedSources() {
  const directory = mkdtempSync(join(tmpdir(), 'mutant-'))
  for (const part of ['src', 'scripts/vectors', 'contracts', 'package.json'])
    cpSync(join(ROOT, part), join(directory, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  return {
    check: (check: VectorCheck) => checkIn(directory, check),
    /** The outcome with the mutation in place, which is taken back afterwards. */
    async checkMutated({ file, from, to }: Mutation, check: VectorCheck): Promise<CheckOutcome> {
      const path = join(directory, file)
      const text = readFileSync(path, 'utf8')
      if (text.split(from).length !== 2) throw new Error(`${file} does not hold this text once: ${from}`)
      writeFileSync(path, text.replace(from, to))
      try {
        return await checkIn(directory, check)
      } finally {
        writeFileSync(path, text)
      }
    },
    remove: () => rmSync(directory, { recursive: true }),
  }
}

/** Runs the copied check in a process of its own; one that ends with an error has failed. */
async function checkIn(directory: string, { module, lines, run: body }: VectorCheck): Promise<CheckOutcome> {
  const input = join(directory, 'lines.json')
  writeFileSync(input, JSON.stringify(lines))
  const program = [
    `import { readFileSync } from 'node:fs'`,
    `import { check } from './scripts/vectors/${module}.ts'`,
    `const lines = JSON.parse(readFileSync('lines.json', 'utf8'))`,
    `const outcome = await (async () => { ${body ?? RUN_ON_LINES} })()`,
    `console.log(JSON.stringify(outcome))`,
  ].join('\n')
  const args = ['--input-type=module', '--eval', program]
  try {
    const { stdout } = await run(process.execPath, args, { cwd: directory, maxBuffer: 2 ** 28 })
    const { passed, failures } = JSON.parse(stdout) as { passed: number; failures: string[] }
    return { passed, failed: failures.length, first: failures[0] ?? '', crashed: false }
  } catch (thrown) {
    const words = thrown instanceof Error ? thrown.message : String(thrown)
    return { passed: 0, failed: 1, first: words.slice(0, 2_000), crashed: true }
  }
}
