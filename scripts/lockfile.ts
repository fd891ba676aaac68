import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run lockfile`: takes out of the lockfile which Node each package wants. npm holds that against the Node it runs on
 * itself, and leaves optional packages out without a word; what is installed here runs with the Node that comes with it.
 */
const path = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, { engines?: unknown }> }
for (const [place, locked] of Object.entries(lock.packages)) if (place !== '') delete locked.engines
writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`)
