import { readFileSync } from 'node:fs'
import { createNodeFiles } from '../../src/core/effects/node-files.ts'
import { BaseError } from '../../src/core/errors/base.ts'
import { readHome } from '../../src/core/identity/home.ts'
import { readKeyFile } from '../../src/core/identity/key-file.ts'
import { readGenesis } from '../../src/core/identity/read-genesis.ts'
import { MAINNET } from '../../src/core/network/presets.ts'
import type { CheckResult } from './playback.ts'

/** Reads a node home as the product does: its configuration, its key file, its genesis file, its signing state. */
export async function check(homePath: string): Promise<CheckResult> {
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
