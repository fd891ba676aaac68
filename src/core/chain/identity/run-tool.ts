import type { BaseError } from '../../base/errors/base.ts'
import { execError } from '../../base/errors/exec.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, isHex, sameHex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import { type HomeEffects, keyPlaceOf } from './home-files.ts'
import {
  readToolDeposit,
  readToolHelp,
  readToolKeys,
  readToolRoot,
  readToolStatus,
  type ToolDeposit,
  type ToolKeys,
} from './tool-output.ts'

/** Finding and running a program, and looking at a home: the part of the effects that is needed here. */
export type ToolEffects = {
  exec: {
    run(request: ToolRun): Promise<ToolResult>
    scratch<T>(use: (directory: string) => Promise<T>): Promise<T>
  }
  files: HomeEffects['files'] & { findProgram(name: string): Promise<string | undefined> }
}
type ToolRun = {
  path: string
  args: readonly string[]
  home: string
  timeoutMs: number
  maxOutputBytes: number
}
export type ToolResult = { exitCode: number; stdout: string; stderr: string }

/** What the node tool is asked. */
export type ToolVerb =
  | 'genesis validator-root'
  | 'deposit validator-keys'
  | 'deposit create-validator'
  | 'deposit validate'
  | 'status'
  | 'version'

/** A program with the name of the node tool. Whether it is one is found out with the first question. */
export type NodeTool = {
  name: string
  /** Absolute. */
  path: string
  effects: ToolEffects
  /** What it can be asked, by its own help. Throws a `tool.*` error when it is no node tool. */
  verbs(): Promise<ReadonlySet<string>>
}

const LIMITS = { timeoutMs: 20_000, maxOutputBytes: 64 * 1024 }

/** Returns the node tool of this name, where a program of that name is on the PATH. */
export async function findNodeTool(effects: ToolEffects, name: string): Promise<NodeTool | undefined> {
  const path = await effects.files.findProgram(name)
  if (path === undefined) return undefined
  let asked: Promise<ReadonlySet<string>> | undefined
  const verbs = () => {
    asked ??= readVerbs(effects, { name, path })
    return asked
  }
  return { name, path, effects, verbs }
}

/**
 * Asks the node tool one thing. It is always told a home: `home`, which must not lack anything that it would make
 * (`toolHomeGap`), else an empty directory that is taken away afterwards; that directory is its user's own, too, so that
 * it finds no other place to write to. Throws a `tool.*` error where it cannot be asked this, or an `exec.*` error.
 */
export async function runTool(
  tool: NodeTool,
  verb: ToolVerb,
  { args, home }: { args: readonly string[]; home?: string },
): Promise<ToolResult> {
  if (!(await tool.verbs()).has(verb))
    throw execError('tool.not-asked', `This ${tool.name} has no "${verb}": not asked.`)
  return run(tool, [...verb.split(' '), ...args], home)
}

/** Returns the first line of what a tool printed, safe to draw. */
export function firstLine(text: string): string {
  return safeText(text.trimStart().split('\n', 1)[0] ?? '', 120)
}

function run(
  { effects, path }: Pick<NodeTool, 'effects' | 'path'>,
  args: readonly string[],
  home?: string,
): Promise<ToolResult> {
  return effects.exec.scratch((scratch) =>
    effects.exec.run({ path, args: [...args, '--home', home ?? scratch], home: scratch, ...LIMITS }),
  )
}

/** What else is called `beacond` is asked for help and for nothing more: its silence could pass for a yes. */
async function readVerbs(
  effects: ToolEffects,
  { name, path }: { name: string; path: string },
): Promise<ReadonlySet<string>> {
  const help = async (args: readonly string[]) => {
    const { exitCode, stdout } = await run({ effects, path }, ['help', ...args])
    return exitCode === 0 ? readToolHelp(stdout) : undefined
  }
  const top = await help([])
  if (top?.has('deposit') !== true || !top.has('genesis'))
    throw execError('tool.not-asked', `This ${name} is not the node tool: not asked.`)
  const deposit = await help(['deposit'])
  if (deposit === undefined)
    throw execError('tool.not-asked', `This ${name} is not the node tool: not asked.`)
  const verbs = ['genesis validator-root', ...[...deposit].map((verb) => `deposit ${verb}`)]
  return new Set([...verbs, ...['status', 'version'].filter((verb) => top.has(verb))])
}

const PARTS = ['config/config.toml', 'config/app.toml', 'config/client.toml', 'data'] as const

/**
 * The first thing that a home lacks of what the node tool makes where it is not there, or undefined where nothing is.
 * With `needsKey` also the key file and the state of the key: without the one the tool makes a new key. Safe to draw.
 * Throws a `home.*` error or a `file.*` error.
 */
export async function toolHomeGap(
  effects: HomeEffects,
  { home, needsKey }: { home: string; needsKey: boolean },
): Promise<string | undefined> {
  const isThere = async (path: string) => (await effects.files.facts(path)) !== undefined
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(home)) return 'place that begins at the root'
  for (const part of PARTS) if (!(await isThere(`${home}/${part}`))) return part
  if (!needsKey) return undefined
  const { keyFile, stateFile } = await keyPlaceOf(effects, { homePath: home })
  if (!(await isThere(keyFile))) return 'key file'
  return (await isThere(stateFile)) ? undefined : 'state of the key'
}

/**
 * The genesis validators root that the node tool computes from a genesis file (`genesis validator-root`), without any
 * home. Throws a `tool.*` error, or an `exec.*` error when it cannot be run.
 */
export async function toolGenesisRoot(tool: NodeTool, args: { genesisPath: string }): Promise<Hex> {
  return readToolRoot(await outputOf(tool, 'genesis validator-root', { args: [args.genesisPath] }))
}

/** Returns the key of a node home in the tool's three forms (`deposit validator-keys`). Throws as above. */
export async function toolValidatorKeys(tool: NodeTool, { home }: { home: string }): Promise<ToolKeys> {
  await requireWhole(tool, home, { needsKey: true })
  return readToolKeys(await outputOf(tool, 'deposit validator-keys', { args: [], home }))
}

/**
 * What the engine that `client.toml` of a home names says of itself, as the node tool prints it (`status`): the result
 * of the engine's `/status`, as JSON that is still to be decoded. Throws as above.
 */
export async function toolStatus(tool: NodeTool, { home }: { home: string }): Promise<unknown> {
  await requireWhole(tool, home, { needsKey: false })
  return readToolStatus(await outputOf(tool, 'status', { args: [], home }))
}

/**
 * The deposit that the node tool signs with the key of `home` (`deposit create-validator`). It signs a cut address
 * without a word, so its credentials and its amount must be those asked for. Throws a `tool.*` error, an `exec.*` error,
 * or a RangeError for arguments that are not 20 and 32 bytes.
 */
export async function toolCreateValidator(
  tool: NodeTool,
  order: { home: string; withdrawalAddress: Hex; amountGwei: Gwei; genesisValidatorsRoot: Hex },
): Promise<ToolDeposit> {
  const { home, withdrawalAddress, amountGwei, genesisValidatorsRoot } = order
  if (!isHex(withdrawalAddress, 20)) throw new RangeError('a withdrawal address has 20 bytes')
  if (!isHex(genesisValidatorsRoot, 32)) throw new RangeError('a genesis validators root has 32 bytes')
  await requireWhole(tool, home, { needsKey: true })
  const args = [withdrawalAddress, String(amountGwei), '-g', genesisValidatorsRoot]
  const deposit = readToolDeposit(await outputOf(tool, 'deposit create-validator', { args, home }))
  const expected = `0x01${'00'.repeat(11)}${withdrawalAddress.slice(2).toLowerCase()}`
  if (!sameHex(deposit.withdrawalCredentials, expected)) {
    throw other('credentials', deposit.withdrawalCredentials, expected)
  }
  if (deposit.amountGwei !== amountGwei) {
    throw other('amount', String(deposit.amountGwei), String(amountGwei))
  }
  return deposit
}

/** Returns the version that the node tool prints, safe to draw; empty where it prints none. Throws as above. */
export async function toolVersion(tool: NodeTool): Promise<string> {
  return firstLine(await outputOf(tool, 'version', { args: [] }))
}

async function requireWhole(tool: NodeTool, home: string, options: { needsKey: boolean }): Promise<void> {
  const lacks = await toolHomeGap(tool.effects, { home, ...options })
  if (lacks !== undefined) throw execError('tool.home-incomplete', safeText(home, 500), lacks)
}

async function outputOf(
  tool: NodeTool,
  verb: ToolVerb,
  request: { args: readonly string[]; home?: string },
): Promise<string> {
  const { exitCode, stdout, stderr } = await runTool(tool, verb, request)
  if (exitCode === 0) return stdout
  throw execError('tool.failed', verb, exitCode, firstLine(stderr))
}

function other(field: string, found: string, expected: string): BaseError {
  return execError('tool.other-answer', 'deposit create-validator', field, { found, expected })
}
