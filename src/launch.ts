import * as nodeModule from 'node:module'
import { join } from 'node:path'

const OLDEST = [22, 13] as const

/** Whether this Node can run the program. */
function isSupported([major = 0, minor = 0]: readonly number[]): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

// Compiled code is kept beside the program, where it is trusted as much as the program itself.
if (isSupported(process.versions.node.split('.').map(Number))) {
  nodeModule.enableCompileCache(join(import.meta.dirname, '.compiled'))
  await import('./cli.tsx')
} else {
  process.stderr.write(
    `bearings needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.\n`,
  )
  process.exitCode = 2
}
