import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeFiles } from '../../src/core/base/effects/node-files.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import { readHome } from '../../src/core/chain/identity/home.ts'
import { readKeyFile } from '../../src/core/chain/identity/key-file.ts'
import { readGenesis } from '../../src/core/chain/identity/read-genesis.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { textOf } from './lines.ts'
import type { CheckResult } from './playback.ts'

/**
 * Reads a node home as the product does: its configuration, its key file, its genesis file, its signing state. Packed
 * files are unpacked into a copy first, for the product reads a home as it is.
 */
export async function check(homePath: string): Promise<CheckResult> {
  if (packedBelow(homePath).length === 0) return checkPlain(homePath)
  const copy = mkdtempSync(join(tmpdir(), 'bearings-home-'))
  try {
    cpSync(homePath, copy, { recursive: true })
    unpackBelow(copy)
    return await checkPlain(copy)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

const packedBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'))

function unpackBelow(folder: string): void {
  for (const name of packedBelow(folder)) {
    const path = join(folder, name)
    writeFileSync(path.slice(0, -'.gz'.length), textOf(path))
    rmSync(path)
  }
}

async function checkPlain(homePath: string): Promise<CheckResult> {
  const home = await readHome({ files: createNodeFiles() }, { homePath, network: MAINNET })
  const outcomes = [
    keyFault(home.keyFile),
    genesisFault(home.genesisFile),
    JSON.parse(readFileSync(home.stateFile, 'utf8')).height === undefined
      ? 'no height in the state file'
      : undefined,
  ]
  const failures = outcomes.filter((fault) => fault !== undefined)
  return { passed: 1 + outcomes.length - failures.length, failures }
}

function keyFault(path: string): string | undefined {
  const { secretKey, facts } = readKeyFile(readFileSync(path), MAINNET.names.keyTypePrefix)
  secretKey.fill(0)
  return facts.storedPubkeyMatches && facts.storedAddressMatches
    ? undefined
    : 'the stored key or address is not the derived one'
}

/** A home that was never given the network's file has no deposits in it: that is said, not passed over. */
function genesisFault(path: string): string | undefined {
  try {
    readGenesis(readFileSync(path, 'utf8'))
    return undefined
  } catch (thrown) {
    if (thrown instanceof BaseError && thrown.code === 'genesis-file.no-deposits') return undefined
    throw thrown
  }
}
