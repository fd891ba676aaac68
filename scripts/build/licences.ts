import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i

type Manifest = { name: string; version: string; license?: string }

/**
 * The name, version and licence text of every package that the inputs of a bundle come from. Throws for a package
 * that does not say under which licence it is.
 */
export function licencesOf(root: string, inputs: readonly string[]): string {
  const folders = [...new Set(inputs.map(packageFolder))].filter((folder) => folder !== undefined)
  const entries = folders.map((folder) => licenceOf(join(root, folder)))
  return [...new Set(entries)].sort().join(`\n${'-'.repeat(80)}\n\n`)
}

/** `node_modules/ink/build/index.js` → `node_modules/ink`; undefined for a source of our own. */
export function packageFolder(input: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest
  if (license === undefined) throw new Error(`${name} ${version} does not say under which licence it is`)
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n')
}
