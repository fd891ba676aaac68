#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// This file is read by Nodes of any age.
const OLDEST = [22, 18] as const
const WRONG_USE = 2

type Manifest = { version?: string }

const here = dirname(fileURLToPath(import.meta.url))
const packaged = isSupported(process.versions.node) ? undefined : packagedNode(dirname(here))

if (isSupported(process.versions.node)) {
  // Compiled code is kept beside the program, where it is trusted as much as the program itself.
  nodeModule.enableCompileCache(join(here, '.compiled'))
  await import('./cli.tsx')
} else if (packaged !== undefined) {
  await runWith(packaged)
} else {
  process.stderr.write(
    `bearings needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.\n`,
  )
  process.exitCode = WRONG_USE
}

/** Whether a Node of this version can run the program. */
function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/**
 * The Node that was installed together with the program: below it or right beside it, and nowhere else, least of
 * all on the PATH.
 */
function packagedNode(installed: string): string | undefined {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const beside = dirname(installed)
  const places = [join(installed, 'node_modules'), ...(basename(beside) === 'node_modules' ? [beside] : [])]
  const folders = places.map((place) => join(place, `node-${platform}-${process.arch}`))
  const folder = folders.find((each) => isSupported(versionIn(each)))
  return folder && join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

function versionIn(folder: string): string {
  try {
    const { version = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    return version
  } catch {
    return ''
  }
}

/** Runs the program with another Node on the same terminal, hands signals on, and ends as it ends. */
async function runWith(node: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  // What a terminal signals, it signals to both.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => hasTerminal || child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`bearings needs Node ${OLDEST.join('.')} or newer; ${error.message}.\n`)
    process.exitCode = WRONG_USE
  })
  child.on('exit', (code, signal) => {
    if (signal === null) return process.exit(code ?? WRONG_USE)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
