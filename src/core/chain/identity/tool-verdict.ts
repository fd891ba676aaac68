import { execError } from '../../base/errors/exec.ts'
import type { Hex } from '../../base/format/hex.ts'
import { MAINNET } from '../network/presets.ts'
import { firstLine, type NodeTool, runTool, type ToolResult, toolHomeGap } from './run-tool.ts'
import type { ToolDeposit } from './tool-output.ts'

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
