import { type ToolError, toolFailed, toolHomeIncomplete, toolOtherAnswer } from '../errors/tool.ts'
import { type Hex, isHex, sameHex } from '../format/hex.ts'
import { safeText } from '../format/text.ts'
import { firstLine, type NodeTool, runTool, type ToolVerb } from './run-tool.ts'
import { toolHomeGap } from './tool-home.ts'
import {
  readToolDeposit,
  readToolKeys,
  readToolRoot,
  readToolStatus,
  type ToolDeposit,
  type ToolKeys,
} from './tool-output.ts'

/**
 * The genesis validators root that the node tool computes from a genesis file (`genesis validator-root`), without any
 * home. Throws a `ToolError`, or an `ExecError` when it cannot be run.
 */
export async function toolGenesisRoot(tool: NodeTool, args: { genesisPath: string }): Promise<Hex> {
  return readToolRoot(await answer(tool, 'genesis validator-root', { args: [args.genesisPath] }))
}

/** The key of a node home in the tool's three forms (`deposit validator-keys`). Throws as above. */
export async function toolValidatorKeys(tool: NodeTool, { home }: { home: string }): Promise<ToolKeys> {
  await requireWhole(tool, home, { needsKey: true })
  return readToolKeys(await answer(tool, 'deposit validator-keys', { args: [], home }))
}

/**
 * What the engine that `client.toml` of a home names says of itself, as the node tool prints it (`status`): the result
 * of the engine's `/status`, as JSON that is still to be decoded. Throws as above.
 */
export async function toolStatus(tool: NodeTool, { home }: { home: string }): Promise<unknown> {
  await requireWhole(tool, home, { needsKey: false })
  return readToolStatus(await answer(tool, 'status', { args: [], home }))
}

/**
 * The deposit that the node tool signs with the key of `home` (`deposit create-validator`). It signs a cut address
 * without a word, so its credentials and its amount must be those asked for. Throws a `ToolError`, an `ExecError`,
 * or a RangeError for arguments that are not 20 and 32 bytes.
 */
export async function toolCreateValidator(
  tool: NodeTool,
  order: { home: string; withdrawalAddress: Hex; amountGwei: bigint; genesisValidatorsRoot: Hex },
): Promise<ToolDeposit> {
  const { home, withdrawalAddress, amountGwei, genesisValidatorsRoot } = order
  if (!isHex(withdrawalAddress, 20)) throw new RangeError('a withdrawal address has 20 bytes')
  if (!isHex(genesisValidatorsRoot, 32)) throw new RangeError('a genesis validators root has 32 bytes')
  await requireWhole(tool, home, { needsKey: true })
  const args = [withdrawalAddress, String(amountGwei), '-g', genesisValidatorsRoot]
  const deposit = readToolDeposit(await answer(tool, 'deposit create-validator', { args, home }))
  const expected = `0x01${'00'.repeat(11)}${withdrawalAddress.slice(2).toLowerCase()}`
  if (!sameHex(deposit.withdrawalCredentials, expected)) {
    throw other('credentials', deposit.withdrawalCredentials, expected)
  }
  if (deposit.amountGwei !== amountGwei) {
    throw other('amount', String(deposit.amountGwei), String(amountGwei))
  }
  return deposit
}

async function requireWhole(tool: NodeTool, home: string, options: { needsKey: boolean }): Promise<void> {
  const lacks = await toolHomeGap(tool.world, { home, ...options })
  if (lacks !== undefined) throw toolHomeIncomplete(safeText(home, 500), lacks)
}

async function answer(
  tool: NodeTool,
  verb: ToolVerb,
  request: { args: readonly string[]; home?: string },
): Promise<string> {
  const { exitCode, stdout, stderr } = await runTool(tool, verb, request)
  if (exitCode === 0) return stdout
  throw toolFailed(verb, exitCode, firstLine(stderr))
}

function other(field: string, found: string, expected: string): ToolError {
  return toolOtherAnswer('deposit create-validator', field, { found, expected })
}
