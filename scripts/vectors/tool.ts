import { decodeEngineStatus } from '../../src/core/clients/engine/get-status.ts'
import { ToolError } from '../../src/core/errors/tool.ts'
import { decodeWhole } from '../../src/core/format/decode.ts'
import { type Hex, isHex } from '../../src/core/format/hex.ts'
import { parseStrictJson } from '../../src/core/format/strict-json.ts'
import {
  type ToolWorld,
  toolCreateValidator,
  toolGenesisRoot,
  toolValidate,
  toolValidatorKeys,
} from '../../src/core/identity/node-tool.ts'
import { readToolDeposit, readToolKeys, readToolRoot } from '../../src/core/identity/tool-output.ts'
import type { CheckResult } from './playback.ts'

type Row = { args: string[]; exit: number; stdout: string; stderr: string }

const HOME = '/home/of/the/node'
const TOOL = '/usr/local/bin/tool'

/** Plays recorded runs of the node tool back to the product's readers: values, verdicts and refusals. */
export async function check(lines: readonly string[]): Promise<CheckResult> {
  const result: CheckResult = { passed: 0, failures: [] }
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const row: Row = JSON.parse(line)
    const fault = await checkRow(row).catch((thrown: unknown) => `threw ${String(thrown)}`)
    if (fault === undefined) result.passed += 1
    else result.failures.push(`${row.args.join(' ')}: ${fault}`)
  }
  return result
}

async function checkRow(row: Row): Promise<string | undefined> {
  const name = row.args.slice(0, 2).join(' ')
  if (name === 'genesis validator-root') return checkRoot(row)
  if (name === 'deposit validator-keys') return checkKeys(row)
  if (name === 'deposit create-validator') return checkCreate(row)
  if (name === 'deposit validate') return checkValidate(row)
  if (name === 'status') return checkStatus(row)
  return checkNoReaderTakes(row)
}

async function checkRoot(row: Row): Promise<string | undefined> {
  const genesisPath = row.args[2] ?? ''
  const seen: string[][] = []
  const root = await outcome(toolGenesisRoot(playing(row, seen), { tool: TOOL, genesisPath }))
  if (seen[0]?.join(' ') !== row.args.join(' ')) return `asked ${seen[0]?.join(' ')}`
  if (row.exit !== 0) return root === 'failed' ? undefined : `expected a failure, got ${String(root)}`
  return root === row.stdout.trim() ? undefined : `read ${String(root)}`
}

async function checkKeys(row: Row): Promise<string | undefined> {
  const keys = await outcome(toolValidatorKeys(playing(row), { tool: TOOL, home: HOME }))
  if (row.exit !== 0) return keys === 'failed' ? undefined : 'expected a failure'
  const [, address, , , base64, , , pubkey] = row.stdout.split('\n')
  const found = JSON.stringify(keys)
  return found === JSON.stringify({ address, uncompressedBase64: base64, pubkey })
    ? undefined
    : `read ${found}`
}

async function checkCreate(row: Row): Promise<string | undefined> {
  const [, , address = '', amount = '', , root = ''] = row.args
  const askable = isHex(address, 20) && /^\d{1,20}$/.test(amount) && isHex(root, 32)
  if (!askable) return checkOddCreate(row)
  const args = { tool: TOOL, home: HOME, withdrawalAddress: address, genesisValidatorsRoot: root }
  const deposit = await outcome(toolCreateValidator(playing(row), { ...args, amountGwei: BigInt(amount) }))
  if (row.exit !== 0) return deposit === 'failed' ? undefined : 'expected a failure'
  const value = (label: string) =>
    row.stdout
      .split('\n')
      .find((line) => line.startsWith(`${label}: `))
      ?.split(' ')[1]
  const expected = [value('pubkey'), value('credentials'), value('amount'), value('signature')].join(' ')
  const found = typeof deposit === 'string' ? deposit : Object.values(deposit).join(' ')
  return found === expected ? undefined : `read ${found}`
}

/** The product never asks such things; what comes back must still be read as what it is. */
async function checkOddCreate(row: Row): Promise<string | undefined> {
  const args = { tool: TOOL, home: HOME, amountGwei: 1n, withdrawalAddress: `0x${'77'.repeat(20)}` } as const
  const ask = toolCreateValidator(playing(row), { ...args, genesisValidatorsRoot: `0x${'77'.repeat(32)}` })
  const expected = row.exit === 0 ? 'other-answer' : 'failed'
  const found = await outcome(ask)
  return found === expected
    ? undefined
    : `expected ${expected}, got ${JSON.stringify(found, (_, part) => (typeof part === 'bigint' ? part.toString() : part))}`
}

async function checkValidate(row: Row): Promise<string | undefined> {
  const [, , pubkey = '', withdrawalCredentials = '', amount = '0', signature = '', , root = ''] = row.args
  const seen: string[][] = []
  const verdict = await outcome(
    toolValidate(playing(row, seen), {
      tool: TOOL,
      home: HOME,
      pubkey: pubkey as Hex,
      withdrawalCredentials: withdrawalCredentials as Hex,
      amountGwei: BigInt(amount),
      signature: signature as Hex,
      genesisValidatorsRoot: root as Hex,
    }),
  )
  if (seen[0]?.join(' ') !== [...row.args, '--home', HOME].join(' ')) return `asked ${seen[0]?.join(' ')}`
  const expected = expectedVerdict(row)
  const found = JSON.stringify(verdict)
  return found === expected ? undefined : `expected ${expected}, got ${found}`
}

function expectedVerdict(row: Row): string {
  if (row.exit === 0) return '{"valid":true}'
  return row.stderr.startsWith('Error: signer returned an invalid signature') ? '{"valid":false}' : '"failed"'
}

function checkStatus(row: Row): string | undefined {
  const { network } = decodeWhole(decodeEngineStatus, parseStrictJson(row.stdout.trim()))
  return row.stdout.includes(`"network":"${network}"`) ? undefined : `read network ${network}`
}

function checkNoReaderTakes(row: Row): string | undefined {
  const taken = [readToolDeposit, readToolKeys, readToolRoot].find((read) => {
    try {
      read(row.stdout)
      return true
    } catch (thrown) {
      if (thrown instanceof ToolError) return false
      throw thrown
    }
  })
  return taken === undefined ? undefined : `${taken.name} took it for an answer`
}

function playing(row: Row, seen: string[][] = []): ToolWorld {
  return {
    exec: {
      async run({ args }) {
        seen.push([...args])
        return { exitCode: row.exit, stdout: row.stdout, stderr: row.stderr }
      },
    },
  }
}

async function outcome<T>(run: Promise<T>): Promise<T | string> {
  try {
    return await run
  } catch (thrown) {
    if (thrown instanceof ToolError) return thrown.fault
    throw thrown
  }
}
