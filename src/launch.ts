#!/usr/bin/env node
import { accessSync, constants, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { languageFor } from './compose/choose-language.ts'

// This file is read by Nodes of any age.
const OLDEST = [22, 18] as const
const WRONG_USE = 2

type Manifest = { version?: string }

const here = dirname(fileURLToPath(import.meta.url))
const packaged = isSupported(process.versions.node) ? undefined : packagedNode(dirname(here))

if (isSupported(process.versions.node)) {
  // An end that meets the first compiler at work beside it may wait for it for ever (nodejs/node#54918).
  setFlagsFromString('--no-concurrent-sparkplug')
  const place = compiledPlace(process.env)
  if (place !== undefined) nodeModule.enableCompileCache(place)
  const language = languageFor(process.argv.slice(2), process.env)
  if (language === 'en') await import('./cli.tsx')
  else await import(new URL(`./cli-${language}.js`, import.meta.url).href)
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

/**
 * Where compiled code is kept. It is run as it is found there, so it must be a directory of this user in which nobody else
 * may write: beside the program, else in the user's own cache. Undefined where there is none.
 */
function compiledPlace(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const beside = join(here, '.compiled')
  if (isOwn(beside)) return beside
  const cache = cacheDirectory(env)
  if (cache === undefined) return undefined
  const own = join(cache, 'bearings')
  const compiled = join(own, 'compiled')
  return isOwn(own) && isOwn(compiled) ? compiled : undefined
}

/** Whether a directory, which is made where it is not there, is one that this user alone may write in. */
function isOwn(path: string): boolean {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
      mkdirSync(path, { recursive: true, mode: 0o700 })
    const facts = lstatSync(path)
    const isOurs =
      process.getuid === undefined || (facts.uid === process.getuid() && (facts.mode & 0o022) === 0)
    if (!facts.isDirectory() || !isOurs) return false
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The cache of the user; undefined for a user whom the system does not know, of a service or a container. */
function cacheDirectory({
  XDG_CACHE_HOME,
  LOCALAPPDATA,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    if (process.platform === 'win32') return LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local')
    if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches')
    return XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : join(homedir(), '.cache')
  } catch {
    return undefined
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
