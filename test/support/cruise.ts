import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
const CONFIG = join(ROOT, '.dependency-cruiser.cjs')
const MAX_BYTES = 64 * 1024 * 1024

export type Cruise = {
  /** Source files that were read, relative to the folder. */
  modules: string[]
  /** What each of them imports, types too. */
  imports: ReadonlyMap<string, readonly string[]>
  /** `rule: from → to`, once each. */
  violations: string[]
}

type Report = {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}

let ofThisTree: Promise<Cruise> | undefined

/** Reads the imports of this tree's `src` once, under the project's rules, with the program that `npm run layers` runs. */
export function cruise(): Promise<Cruise> {
  ofThisTree ??= cruiseFolder(ROOT)
  return ofThisTree
}

async function cruiseFolder(folder: string): Promise<Cruise> {
  const args = [PROGRAM, '--config', CONFIG, '--output-type', 'json', 'src']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: MAX_BYTES })
  const { modules, summary } = JSON.parse(stdout) as Report
  const violations = summary.violations.map(({ rule, from, to }) => `${rule.name} | ${from} → ${to}`)
  return {
    modules: modules.map(({ source }) => source).filter((source) => source.startsWith('src/')),
    imports: new Map(
      modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]),
    ),
    violations: [...new Set(violations)].sort(),
  }
}

/** Lines of the files below a place and of all that they import, directly or not, types and later imports too. */
export async function linesReached(place: string): Promise<number> {
  const { modules, imports } = await cruise()
  const reached = new Set(modules.filter((path) => /\.tsx?$/.test(path) && path.startsWith(place)))
  for (const path of reached)
    for (const next of imports.get(path) ?? []) if (next.startsWith('src/')) reached.add(next)
  const texts = await Promise.all([...reached].map((path) => readFile(join(ROOT, path), 'utf8')))
  return texts.reduce((sum, text) => sum + text.split('\n').length, 0)
}

/** Does the same for files that are written down for it; packages of `node_modules` are files like others. */
export async function cruiseFiles(files: Readonly<Record<string, string>>): Promise<Cruise> {
  const folder = await mkdtemp(join(tmpdir(), 'layers-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    return await cruiseFolder(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
