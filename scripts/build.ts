import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFresh, sourceStamp, writeStamp } from './build/stamp.ts'
import { tryToWrite, unwritable } from './build/unwritable.ts'

/** `node scripts/build.ts [--if-stale]`: makes `dist`; with the flag only when a source is newer than it. */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = sourceStamp(root)

if (!(process.argv.includes('--if-stale') && isFresh(root, stamp))) {
  try {
    tryToWrite(root)
    const { bundle } = await import('./build/bundle.ts')
    const { partial } = await bundle(root)
    for (const sentence of partial) console.warn(sentence)
    writeStamp(root, stamp)
  } catch (thrown) {
    const sentence = unwritable(root, thrown)
    if (sentence === undefined) throw thrown
    process.stderr.write(sentence)
    process.exitCode = 1
  }
}
