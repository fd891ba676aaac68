#!/usr/bin/env node
import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { languageFor } from './compose/choose-language.ts'
import { loadLanguage } from './core/base/format/texts.ts'
import { isSupported, packagedNode, runWith, tooOld } from './packaged-node.js'

// This file is read by Nodes of any age.
const WRONG_USE = 2

const here = dirname(fileURLToPath(import.meta.url))
const packaged = isSupported(process.versions.node) ? undefined : packagedNode(dirname(here))

// Node opens its inspector on SIGUSR1, through which another program reads what is typed, unless somebody listens for it.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined)
if (isSupported(process.versions.node)) {
  // An end that meets the first compiler at work beside it may wait for it for ever (nodejs/node#54918).
  setFlagsFromString('--no-concurrent-sparkplug')
  const place = compiledPlace(process.env)
  if (place !== undefined) nodeModule.enableCompileCache(place)
  const language = languageFor(process.argv.slice(2), process.env)
  const fault = language === 'en' ? undefined : await loadLanguage(language)
  if (fault !== undefined) process.stderr.write(`${fault}\n`)
  // Its modules have texts in constants: the language is there before them.
  await import('./cli.tsx')
} else if (packaged !== undefined) {
  await runWith(packaged, process.argv.slice(1), process.env)
} else {
  process.stderr.write(tooOld(`this is ${process.versions.node}`))
  process.exitCode = WRONG_USE
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
