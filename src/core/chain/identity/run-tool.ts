import type { BaseError } from '../../base/errors/base.ts'
import { execError } from '../../base/errors/exec.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, isHex, sameHex } from '../../base/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'
import { safeText } from '../../base/format/text.ts'
import { MAINNET } from '../network/presets.ts'
import { type HomeEffects, keyPlaceOf } from './home-files.ts'

/** A deposit as the node tool prints it. */
export type ToolDeposit = { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: Gwei; signature: Hex }

/** A validator key in the three forms of the node tool. */
export type ToolKeys = { address: string; uncompressedBase64: string; pubkey: Hex }

const CREATE = 'deposit create-validator'
const KEYS = 'deposit validator-keys'
const ROOT = 'genesis validator-root'
const UINT64_MAX = (1n << 64n) - 1n

/**
 * Reads what `deposit create-validator` prints: labelled lines with a decimal amount, or JSON with a hex amount as
 * in the public guide. Each field exactly once. Throws a `tool.*` error for anything else.
 */
export function readToolDeposit(stdout: string): ToolDeposit {
  const fields = stdout.includes('{') ? jsonFields(stdout) : labelledFields(stdout)
  return {
    pubkey: hexField(CREATE, 'pubkey', fields.get('pubkey'), 48),
    withdrawalCredentials: hexField(CREATE, 'credentials', fields.get('credentials'), 32),
    amountGwei: amountField(fields.get('amount')),
    signature: hexField(CREATE, 'signature', fields.get('signature'), 96),
  }
}

/** Reads the three labelled blocks of `deposit validator-keys`. Throws a `tool.*` error. */
export function readToolKeys(stdout: string): ToolKeys {
  const lines = stdout.split('\n').map((line) => line.trim())
  const after = (label: RegExp, field: string): string => {
    const at = lines.findIndex((line) => label.test(line))
    return at < 0 ? unreadable(KEYS, field, undefined) : (lines[at + 1] ?? '')
  }
  const address = after(/^Comet Address:$/, 'address')
  const uncompressedBase64 = after(/^Comet Pubkey \(Uncompressed Base64\):$/, 'uncompressed key')
  const pubkey = after(/^Eth\/Beacon Pubkey \(Compressed 48-byte Hex\):$/, 'compressed key')
  if (!/^[0-9A-F]{40}$/.test(address)) unreadable(KEYS, 'address', address)
  if (!/^[A-Za-z0-9+/]{128}$/.test(uncompressedBase64))
    unreadable(KEYS, 'uncompressed key', uncompressedBase64)
  return { address, uncompressedBase64, pubkey: hexField(KEYS, 'compressed key', pubkey, 48) }
}

/** Reads the one line of `genesis validator-root`. Throws a `tool.*` error. */
export function readToolRoot(stdout: string): Hex {
  return hexField(ROOT, 'root', stdout.trim(), 32)
}

/** Reads the JSON line of `status`. Throws a `tool.*` error. */
function readToolStatus(stdout: string): unknown {
  try {
    return parseStrictJson(stdout.trim(), { maxDepth: 8 })
  } catch (fault) {
    if (fault instanceof JsonFault) return unreadable('status', 'the whole', fault.message)
    throw fault
  }
}

/** Reads the names below `Available Commands:` of a `help`; none where that does not stand there. */
export function readToolHelp(stdout: string): ReadonlySet<string> {
  const [, list = ''] = /^Available Commands:\n((?: {2}.*\n?)*)/m.exec(stdout) ?? []
  return new Set([...list.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name = '']) => name))
}

function labelledFields(stdout: string): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const line of stdout.split('\n')) {
    const [, label, value] = /^(pubkey|credentials|amount|signature):\s*"?([^\s"]+)"?\s*$/.exec(line) ?? []
    if (label === undefined) continue
    if (fields.has(label)) unreadable(CREATE, label, 'the same field twice')
    fields.set(label, value)
  }
  return fields
}

function jsonFields(stdout: string): Map<string, unknown> {
  try {
    const json = parseStrictJson(stdout.slice(stdout.indexOf('{')), { maxDepth: 4 })
    return new Map(Object.entries(json as Record<string, unknown>))
  } catch (fault) {
    if (fault instanceof JsonFault) return unreadable(CREATE, 'the whole', fault.message)
    throw fault
  }
}

function hexField(command: string, field: string, value: unknown, byteLength: number): Hex {
  return isHex(value, byteLength) ? (value.toLowerCase() as Hex) : unreadable(command, field, value)
}

/** 0x tells hex from decimal; nothing else is guessed. */
function amountField(value: unknown): bigint {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string' || !/^(?:0x(?:0|[1-9a-f][0-9a-f]{0,15})|0|[1-9]\d{0,19})$/i.test(text)) {
    return unreadable(CREATE, 'amount', value)
  }
  const amount = BigInt(text)
  return amount <= UINT64_MAX ? amount : unreadable(CREATE, 'amount', value)
}

function unreadable(command: string, field: string, found: unknown): never {
  throw execError('tool.unreadable', command, field, found === undefined ? 'nothing' : safeText(found, 80))
}

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
type ToolResult = { exitCode: number; stdout: string; stderr: string }

/** What the node tool is asked. */
type ToolVerb =
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
async function runTool(
  tool: NodeTool,
  verb: ToolVerb,
  { args, home }: { args: readonly string[]; home?: string },
): Promise<ToolResult> {
  if (!(await tool.verbs()).has(verb))
    throw execError('tool.not-asked', `This ${tool.name} has no "${verb}": not asked.`)
  return run(tool, [...verb.split(' '), ...args], home)
}

/** Returns the first line of what a tool printed, safe to draw. */
function firstLine(text: string): string {
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
async function toolHomeGap(
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

/** What the node tool thinks of a deposit; `words` are its own, safe to draw. */
export type ToolVerdict = { valid: true } | { valid: false; words: string }

const VERB = 'deposit validate'
const YES = /^\W*Deposit message is valid!$/
const CRASH = /^(?:panic:|fatal error:|goroutine \d+ )/m
/** A judgement, whatever else stands beside it. */
const REFUSAL =
  /invalid (?:deposit|signature(?! length))|(?:signature|deposit message)\b.*\b(?:failed|mismatch|not valid|is invalid|does not)/i
/** Why it did not get as far as judging: how it was called, what it could not read, whom it did not reach. */
const NOT_JUDGED = [
  /unknown (?:sub)?command|unknown (?:shorthand )?flag|flag needs|required flag|invalid argument|is required if/i,
  /accepts .*\barg|requires at (?:least|most)/i,
  /invalid (?:[a-z -]+ )?length\b|invalid amount\b|hex string|invalid byte/i,
  /no such file|permission denied|not a directory|is a directory|read-only|no space left|too many open/i,
  /\bconfig\b|config\/|\.toml\b|chain[- ]spec|unmarshal/i,
  /connection refused|dial tcp|timed? ?out|deadline exceeded|canceled/i,
  /not (?:yet )?(?:supported|implemented)|unimplemented/i,
]

/**
 * What the node tool thinks of the signature of a deposit (`deposit validate`). The fork version that it judges with
 * comes from a home's settings; without a whole home it is that of Berachain's own networks, so a deposit for another
 * one is then not asked about. Throws a `tool.*` error where it could not judge, or an `exec.*` error.
 */
export async function toolValidate(
  tool: NodeTool,
  question: ToolDeposit & { home?: string; genesisValidatorsRoot: Hex; genesisForkVersion: Hex },
): Promise<ToolVerdict> {
  const { pubkey, withdrawalCredentials, amountGwei, signature, genesisValidatorsRoot } = question
  const home = await wholeHome(tool, question.home)
  if (home === undefined && question.genesisForkVersion !== MAINNET.genesisForkVersion)
    throw execError(
      'tool.not-asked',
      `Without a complete node home ${tool.name} checks signatures for ${MAINNET.label} only.`,
    )
  const args = [pubkey, withdrawalCredentials, String(amountGwei), signature, '-g', genesisValidatorsRoot]
  return readToolVerdict(await runTool(tool, VERB, home === undefined ? { args } : { args, home }))
}

/**
 * Reads how `deposit validate` ended. Yes is exit code 0 with the known line, or with nothing at all, as the guide has
 * it. No is exit code 1 in any words but those of a tool that did not get as far as judging. Everything else, a crash
 * above all, is neither: throws a `tool.*` error.
 */
export function readToolVerdict({ exitCode, stdout, stderr }: ToolResult): ToolVerdict {
  const output = stdout.trim()
  const complaint = stderr.trim()
  if (CRASH.test(`${output}\n${complaint}`) || exitCode > 1) throw failed(exitCode, stderr)
  if (exitCode === 0) {
    const isSilent = output === '' && complaint === ''
    if (isSilent || (YES.test(output) && !/^Error:/m.test(complaint))) return { valid: true }
    throw execError('tool.unreadable', VERB, 'verdict', firstLine(output === '' ? complaint : output))
  }
  const reason = reasonOf(complaint === '' ? output : complaint)
  const isUnsure = YES.test(output) || NOT_JUDGED.some((pattern) => pattern.test(reason))
  if (isUnsure && !REFUSAL.test(reason)) throw failed(exitCode, stderr)
  return { valid: false, words: firstLine(reason) === '' ? 'without a reason' : firstLine(reason) }
}

/** What it says before it explains how it is used; all of it where nothing stands there. */
function reasonOf(text: string): string {
  const [reason = ''] = text.split(/^Usage:/m, 1)
  return (reason.trim() === '' ? text : reason).replace(/^Error:\s*/, '').trim()
}

async function wholeHome(tool: NodeTool, home: string | undefined): Promise<string | undefined> {
  if (home === undefined) return undefined
  const lacks = await toolHomeGap(tool.effects, { home, needsKey: false })
  return lacks === undefined ? home : undefined
}

function failed(exitCode: number, stderr: string) {
  return execError('tool.failed', VERB, exitCode, firstLine(stderr))
}
