import { dirname, join } from 'node:path'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { genesisValidatorsRoot } from '../../src/core/chain/deposit/genesis-root.ts'
import { verifyDeposit } from '../../src/core/chain/deposit/verify.ts'
import { readGenesis } from '../../src/core/chain/identity/read-genesis.ts'
import { readSpecToml } from '../../src/core/chain/network/spec-fields.ts'
import { check as checkKeyStates } from './key-states.ts'
import { allLines, linesOf, plainOrPacked, textOf } from './lines.ts'
import type { CheckResult } from './playback.ts'
import { check as checkSlots, type Recording } from './slots.ts'

type HttpRow = { path?: string; status?: number; body?: string }
type GenesisReply = { data: { genesis_validators_root: Hex; genesis_fork_version: Hex } }

/** Replays `slots.jsonl` from the genesis file, the spec and the deposits that lie beside it. */
export async function checkRecordedSlots(path: string): Promise<CheckResult> {
  const genesisText = textOf(beside(path, 'genesis.json'))
  const spec = readSpecToml(textOf(beside(path, 'spec.toml')))
  const genesis = readGenesis(genesisText)
  const chain = {
    genesisForkVersion: genesis.genesisForkVersion,
    genesisValidatorsRoot: genesisValidatorsRoot(genesis.deposits, spec),
  }
  const recording: Recording = {
    genesisText,
    spec,
    contractLines: await allLines(beside(path, 'contract.jsonl')),
    slotLines: await allLines(path),
    signatureValid: ({ pubkey, credentials, amountGwei, signature }) =>
      verifyDeposit({
        ...chain,
        pubkey,
        withdrawalCredentials: credentials,
        amountGwei: BigInt(amountGwei),
        signature,
      }).verdict === 'accepted',
  }
  const slots = checkSlots(recording)
  const keys = checkKeyStates(recording)
  return { passed: slots.passed + keys.passed, failures: [...slots.failures, ...keys.failures] }
}

/**
 * Reads a recorded network's genesis file; its root and fork version must be those that the node told, where the
 * recording has what they depend on.
 */
export async function checkRecordedGenesis(path: string): Promise<CheckResult> {
  const genesis = readGenesis(textOf(path))
  const told = await toldGenesis(path)
  if (told === undefined) return { passed: 1, failures: [] }
  const root = genesisValidatorsRoot(genesis.deposits, readSpecToml(textOf(beside(path, 'spec.toml'))))
  const failures = [
    ...difference('genesis validators root', root, told.genesis_validators_root),
    ...difference('genesis fork version', genesis.genesisForkVersion, told.genesis_fork_version),
  ]
  return { passed: failures.length === 0 ? 1 : 0, failures }
}

/** Reads a recorded network's spec file. */
export function checkRecordedSpec(path: string): CheckResult {
  readSpecToml(textOf(path))
  return { passed: 1, failures: [] }
}

async function toldGenesis(path: string): Promise<GenesisReply['data'] | undefined> {
  const http = plainOrPacked(join(dirname(path), 'http.jsonl'))
  if (http === undefined) return undefined
  for await (const line of linesOf(http)) {
    const row = JSON.parse(line) as HttpRow
    if (row.path !== '/eth/v1/beacon/genesis' || row.status !== 200) continue
    return (JSON.parse(row.body ?? '') as GenesisReply).data
  }
  return undefined
}

function beside(path: string, name: string): string {
  const found = plainOrPacked(join(dirname(path), name))
  if (found === undefined) throw new Error(`it needs ${name} beside it`)
  return found
}

function difference(what: string, found: string, expected: string): string[] {
  return found === expected ? [] : [`${what}: found ${found}, expected ${expected}`]
}
