import { type ToolError, toolFailed, toolOtherAnswer, toolUnreadable } from '../errors/tool.ts'
import { type Hex, isHex, sameHex } from '../format/hex.ts'
import { safeText } from '../format/text.ts'
import {
  readToolDeposit,
  readToolKeys,
  readToolRoot,
  type ToolDeposit,
  type ToolKeys,
} from './tool-output.ts'

/** Runs a program by its absolute path; the part of the effects that is needed here. */
export type ToolWorld = {
  exec: { run(request: ToolRun): Promise<ToolResult> }
}
type ToolRun = { path: string; args: readonly string[]; timeoutMs: number; maxOutputBytes: number }
type ToolResult = { exitCode: number; stdout: string; stderr: string }

const LIMITS = { timeoutMs: 20_000, maxOutputBytes: 64 * 1024 }
const VALID = /^\W*Deposit message is valid!\s*$/m
const INVALID = /^Error: signer returned an invalid signature\s*$/m

/**
 * The genesis validators root that the node tool computes from a genesis file (`genesis validator-root`). `tool` is
 * its absolute path. Throws a `ToolError`, or an `ExecError` when it cannot be run.
 */
export async function toolGenesisRoot(
  world: ToolWorld,
  args: { tool: string; genesisPath: string },
): Promise<Hex> {
  const command = ['genesis', 'validator-root'] as const
  return readToolRoot(await answer(world, args.tool, command, [args.genesisPath]))
}

/** The key of a node home in the tool's three forms (`deposit validator-keys`). Throws as above. */
export async function toolValidatorKeys(
  world: ToolWorld,
  args: { tool: string; home: string },
): Promise<ToolKeys> {
  const command = ['deposit', 'validator-keys'] as const
  return readToolKeys(await answer(world, args.tool, command, ['--home', args.home]))
}

/**
 * The deposit that the node tool signs with the key of `home` (`deposit create-validator`). It signs a cut address
 * without a word, so its credentials and its amount must be those asked for. Throws a `ToolError`, an `ExecError`,
 * or a RangeError for arguments that are not 20 and 32 bytes.
 */
export async function toolCreateValidator(
  world: ToolWorld,
  args: {
    tool: string
    home: string
    withdrawalAddress: Hex
    amountGwei: bigint
    genesisValidatorsRoot: Hex
  },
): Promise<ToolDeposit> {
  if (!isHex(args.withdrawalAddress, 20)) throw new RangeError('a withdrawal address has 20 bytes')
  if (!isHex(args.genesisValidatorsRoot, 32)) throw new RangeError('a genesis validators root has 32 bytes')
  const command = ['deposit', 'create-validator'] as const
  const rest = [
    args.withdrawalAddress,
    String(args.amountGwei),
    '-g',
    args.genesisValidatorsRoot,
    '--home',
    args.home,
  ]
  const deposit = readToolDeposit(await answer(world, args.tool, command, rest))
  const expected = `0x01${'00'.repeat(11)}${args.withdrawalAddress.slice(2).toLowerCase()}`
  if (!sameHex(deposit.withdrawalCredentials, expected)) {
    throw other('credentials', deposit.withdrawalCredentials, expected)
  }
  if (deposit.amountGwei !== args.amountGwei) {
    throw other('amount', String(deposit.amountGwei), String(args.amountGwei))
  }
  return deposit
}

/**
 * Whether the node tool takes the signature of a deposit for valid (`deposit validate`). Only its two known answers
 * count; everything else is a `ToolError`. Also throws an `ExecError`.
 */
export async function toolValidate(
  world: ToolWorld,
  args: ToolDeposit & { tool: string; home: string; genesisValidatorsRoot: Hex },
): Promise<{ valid: boolean }> {
  const { pubkey, withdrawalCredentials, amountGwei, signature, genesisValidatorsRoot } = args
  const command = ['deposit', 'validate']
  const rest = [pubkey, withdrawalCredentials, String(amountGwei), signature, '-g', genesisValidatorsRoot]
  const result = await world.exec.run({
    path: args.tool,
    args: [...command, ...rest, '--home', args.home],
    ...LIMITS,
  })
  if (result.exitCode === 0 && VALID.test(result.stdout)) return { valid: true }
  if (result.exitCode === 0) throw toolUnreadable('deposit validate', 'verdict', firstLine(result.stdout))
  if (result.exitCode === 1 && INVALID.test(result.stderr)) return { valid: false }
  throw toolFailed('deposit validate', result.exitCode, firstLine(result.stderr))
}

async function answer(
  world: ToolWorld,
  tool: string,
  command: readonly [string, string],
  rest: readonly string[],
): Promise<string> {
  const result = await world.exec.run({ path: tool, args: [...command, ...rest], ...LIMITS })
  if (result.exitCode === 0) return result.stdout
  throw toolFailed(command.join(' '), result.exitCode, firstLine(result.stderr))
}

function other(field: string, found: string, expected: string): ToolError {
  return toolOtherAnswer('deposit create-validator', field, { found, expected })
}

function firstLine(text: string): string {
  return safeText(text.split('\n', 1)[0] ?? '', 120)
}
