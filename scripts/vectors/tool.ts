import { isError } from '../../src/core/base/errors/base.ts'
import { decodeWhole } from '../../src/core/base/format/decode.ts'
import { type Hex, isHex } from '../../src/core/base/format/hex.ts'
import {
  findNodeTool,
  type NodeTool,
  readToolDeposit,
  readToolHelp,
  readToolKeys,
  readToolRoot,
  toolCreateValidator,
  toolGenesisRoot,
  toolStatus,
  toolValidate,
  toolValidatorKeys,
} from '../../src/core/chain/identity/run-tool.ts'
import { decodeEngineStatus } from '../../src/core/clients/engine/get-status.ts'
import type { CheckResult } from './playback.ts'

type Row = { args: string[]; exit: number; stdout: string; stderr: string }

const HOME = '/home/of/the/node'
const SCRATCH = '/scratch'
const TOOL = '/usr/local/bin/tool'
/** A home in which nothing is missing. */
const CONFIG = ['key', 'state']
  .map((name) => `priv_validator_${name}_file = "config/${name}.json"\n`)
  .concat('[rpc]\nladdr = "tcp://127.0.0.1:26657"\n')
  .join('')
/** What the tool must say of itself before it is asked anything else. */
const HELP: Readonly<Record<string, readonly string[]>> = {
  help: ['deposit', 'genesis', 'status'],
  'help deposit': ['create-validator', 'validate', 'validator-keys'],
}

/** Plays recorded runs of the node tool back to the product's readers: values, verdicts and refusals. */
export async function check(lines: readonly string[]): Promise<CheckResult> {
  const result: CheckResult = { passed: 0, failures: [] }
  const rows = lines.filter((text) => text.trim() !== '').map((line): Row => JSON.parse(line))
  const helps = rows.filter(({ args }) => args[0] === 'help')
  for (const row of rows) {
    const fault = await checkRow(row, helps).catch((thrown: unknown) => `threw ${String(thrown)}`)
    if (fault === undefined) result.passed += 1
    else result.failures.push(`${row.args.join(' ')}: ${fault}`)
  }
  return result
}

async function checkRow(row: Row, helps: readonly Row[]): Promise<string | undefined> {
  const name = row.args.slice(0, 2).join(' ')
  const seen: string[] = []
  const tool = await playing(row, helps, seen)
  if (name === 'genesis validator-root') return checkRoot(row, tool, seen)
  if (name === 'deposit validator-keys') return checkKeys(row, tool, seen)
  if (name === 'deposit create-validator') return checkCreate(row, tool)
  if (name === 'deposit validate') return checkValidate(row, tool, seen)
  if (name === 'status') return checkStatus(row, tool, seen)
  return HELP[name] === undefined ? checkNoReaderTakes(row) : checkHelp(row, HELP[name])
}

/** What was asked must be what was recorded, in the home that is named or in none. */
function oddAsked(row: Row, seen: readonly string[], home: string): string | undefined {
  const expected = `HOME=${SCRATCH} ${[...row.args, '--home', home].join(' ')}`
  return seen[0] === expected ? undefined : `asked ${seen[0]}`
}

async function checkRoot(row: Row, tool: NodeTool, seen: string[]): Promise<string | undefined> {
  const root = await outcome(toolGenesisRoot(tool, { genesisPath: row.args[2] ?? '' }))
  const odd = oddAsked(row, seen, SCRATCH)
  if (odd !== undefined) return odd
  if (row.exit !== 0) return root === 'failed' ? undefined : `expected a failure, got ${String(root)}`
  return root === row.stdout.trim() ? undefined : `read ${String(root)}`
}

async function checkKeys(row: Row, tool: NodeTool, seen: string[]): Promise<string | undefined> {
  const keys = await outcome(toolValidatorKeys(tool, { home: HOME }))
  const odd = oddAsked(row, seen, HOME)
  if (odd !== undefined) return odd
  if (row.exit !== 0) return keys === 'failed' ? undefined : 'expected a failure'
  const [, address, , , base64, , , pubkey] = row.stdout.split('\n')
  const found = JSON.stringify(keys)
  return found === JSON.stringify({ address, uncompressedBase64: base64, pubkey })
    ? undefined
    : `read ${found}`
}

async function checkCreate(row: Row, tool: NodeTool): Promise<string | undefined> {
  const [, , address = '', amount = '', , root = ''] = row.args
  const askable = isHex(address, 20) && /^\d{1,20}$/.test(amount) && isHex(root, 32)
  if (!askable) return checkOddCreate(row, tool)
  const order = { home: HOME, withdrawalAddress: address, genesisValidatorsRoot: root }
  const deposit = await outcome(toolCreateValidator(tool, { ...order, amountGwei: BigInt(amount) }))
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
async function checkOddCreate(row: Row, tool: NodeTool): Promise<string | undefined> {
  const order = { home: HOME, amountGwei: 1n, withdrawalAddress: `0x${'77'.repeat(20)}` } as const
  const ask = toolCreateValidator(tool, { ...order, genesisValidatorsRoot: `0x${'77'.repeat(32)}` })
  const expected = row.exit === 0 ? 'other-answer' : 'failed'
  const found = await outcome(ask)
  return found === expected
    ? undefined
    : `expected ${expected}, got ${JSON.stringify(found, (_, part) => (typeof part === 'bigint' ? part.toString() : part))}`
}

async function checkValidate(row: Row, tool: NodeTool, seen: string[]): Promise<string | undefined> {
  const [, , pubkey = '', withdrawalCredentials = '', amount = '0', signature = '', , root = ''] = row.args
  const verdict = await outcome(
    toolValidate(tool, {
      home: HOME,
      pubkey: pubkey as Hex,
      withdrawalCredentials: withdrawalCredentials as Hex,
      amountGwei: BigInt(amount),
      signature: signature as Hex,
      genesisValidatorsRoot: root as Hex,
      genesisForkVersion: '0x05000000',
    }),
  )
  const odd = oddAsked(row, seen, HOME)
  if (odd !== undefined) return odd
  const expected = expectedVerdict(row)
  const found = JSON.stringify(verdict)
  return found === expected ? undefined : `expected ${expected}, got ${found}`
}

function expectedVerdict(row: Row): string {
  if (row.exit === 0) return '{"valid":true}'
  const words = 'signer returned an invalid signature'
  return row.stderr.startsWith(`Error: ${words}`) ? JSON.stringify({ valid: false, words }) : '"failed"'
}

async function checkStatus(row: Row, tool: NodeTool, seen: string[]): Promise<string | undefined> {
  const printed = await outcome(toolStatus(tool, { home: HOME }))
  const odd = oddAsked(row, seen, HOME)
  if (odd !== undefined) return odd
  const { network, latestHeight, publicKey } = decodeWhole(decodeEngineStatus, printed)
  const fields = [`"network":"${network}"`, `"latest_block_height":"${latestHeight}"`, `"${publicKey.value}"`]
  const missed = fields.find((field) => !row.stdout.includes(field))
  return missed === undefined ? undefined : `read ${missed}`
}

function checkHelp(row: Row, expected: readonly string[]): string | undefined {
  const names = readToolHelp(row.stdout)
  const missed = expected.find((name) => !names.has(name))
  return missed === undefined ? checkNoReaderTakes(row) : `does not find the command ${missed}`
}

function checkNoReaderTakes(row: Row): string | undefined {
  const taken = [readToolDeposit, readToolKeys, readToolRoot].find((read) => {
    try {
      read(row.stdout)
      return true
    } catch (thrown) {
      if (isError(thrown, 'tool')) return false
      throw thrown
    }
  })
  return taken === undefined ? undefined : `${taken.name} took it for an answer`
}

/** The node tool as it was when the row was recorded; `seen` gets what it is asked beside its help. */
async function playing(row: Row, helps: readonly Row[], seen: string[]): Promise<NodeTool> {
  const facts = { kind: 'file', sizeBytes: 0, mode: 0o600, ownedByUser: true } as const
  const tool = await findNodeTool(
    {
      files: {
        findProgram: async () => TOOL,
        facts: async () => facts,
        read: async () => new TextEncoder().encode(CONFIG),
      },
      exec: {
        scratch: (use) => use(SCRATCH),
        async run({ args, home }) {
          const help = helps.find((each) => each.args.join(' ') === args.slice(0, -2).join(' '))
          if (help === undefined) seen.push(`HOME=${home} ${args.join(' ')}`)
          const { exit, stdout, stderr } = help ?? row
          return { exitCode: exit, stdout, stderr }
        },
      },
    },
    'tool',
  )
  if (tool === undefined) throw new Error('the tool is not found')
  return tool
}

async function outcome<T>(run: Promise<T>): Promise<T | string> {
  try {
    return await run
  } catch (thrown) {
    if (isError(thrown, 'tool')) return thrown.code.slice('tool.'.length)
    throw thrown
  }
}
