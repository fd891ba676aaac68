import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LANGUAGES } from '../src/compose/choose-language.ts'
import { bundle } from './build/bundle.ts'
import { lacksOf } from './build/lacks.ts'
import { licencesOf } from './build/licences.ts'
import { commitOf } from './build/stamp.ts'
import { makeExecutable, NATIVE_PACKAGES, NODE_PACKAGE, PLATFORM } from './release/executable.ts'
import { materials } from './release/materials.ts'
import { type Manifest, whyNotPublished } from './release/publishable.ts'

/**
 * `node scripts/release.ts [--out DIR] [--publishable TAG]`: makes everything that is published, in `release` or DIR: the
 * package, the single executable (on Linux x64), what is in them, their licences, and the sums of all these. With the flag
 * it refuses to make what must not be published under that tag.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({ options: { out: { type: 'string' }, publishable: { type: 'string' } } })
const out = resolve(values.out ?? join(root, 'release'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const commit = commitOf(root)

if (values.publishable !== undefined) {
  const lacks = LANGUAGES.flatMap((language) => (language === 'en' ? [] : lacksOf(root, language)))
  const reasons = whyNotPublished(manifest, { commit, tag: values.publishable, lacks })
  for (const reason of reasons) console.error(`Not to be published: ${reason}`)
  if (reasons.length > 0) process.exit(1)
}

// Only what this script made is taken away without a question.
if (values.out === undefined) rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
if (readdirSync(out).length > 0) {
  console.error(`${out} is not empty: name a directory that is, or that does not exist yet.`)
  process.exit(2)
}
const { files, inputs } = await bundle(root)
const name = `${manifest.name}-${manifest.version}`
packInto(out)
const shipped = [...inputs, ...NATIVE_PACKAGES.map((each) => `node_modules/${each}/index.js`)]
if (`${process.platform}-${process.arch}` === PLATFORM) {
  await makeExecutable(root, files, join(out, `${name}-${PLATFORM}`))
  shipped.push(`node_modules/${NODE_PACKAGE}/bin/node`)
}
const listed = npm(root, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only')
put(`${name}.cdx.json`, `${JSON.stringify(materials(root, { listed, inputs, manifest, commit }), null, 2)}\n`)
put('THIRD-PARTY-LICENCES.txt', licencesOf(root, shipped))
const made = readdirSync(out).sort()
put('SHA256SUMS', made.map((file) => `${sumOf(file)}  ${file}\n`).join(''))
console.log(readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd())

/** Packs a copy in which each file has the mode that every umask would give it: the mode is part of the package. */
function packInto(directory: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'bearings-pack-'))
  try {
    for (const part of ['package.json', 'LICENSE', 'README.md', ...manifest.files])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
      const isRun =
        entry.isDirectory() ||
        Object.values(manifest.bin).includes(relative(copy, join(entry.parentPath, entry.name)))
      chmodSync(join(entry.parentPath, entry.name), isRun ? 0o755 : 0o644)
    }
    npm(copy, 'pack', '--ignore-scripts')
    cpSync(join(copy, `${name}.tgz`), join(directory, `${name}.tgz`))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function npm(cwd: string, ...args: string[]): string {
  const options = { cwd, shell: process.platform === 'win32', encoding: 'utf8' } as const
  return execFileSync('npm', args, {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  })
}

function put(file: string, text: string): void {
  writeFileSync(join(out, file), text)
}

function sumOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(out, file)))
    .digest('hex')
}
