import { endpointName } from '../core/base/format/endpoint-url.ts'
import type { RefusalExplanation } from '../core/chain/deposit/explain-refusal.ts'
import { depositSelfTestBeside } from '../core/chain/deposit/self-test.ts'
import { verifyDeposit } from '../core/chain/deposit/verify.ts'
import { BERACHAIN_NAMES, PRESETS } from '../core/chain/network/presets.ts'
import type { Mark } from '../core/view/view.ts'
import { type Call, pathOf, toolFault } from './command.ts'
import type { ReportRow } from './report-lines.ts'
import { setupOf } from './setup.ts'
import { type DepositQuestion, isOfItsChain } from './verify-input.ts'

export type Opinions = {
  rows: ReportRow[]
  /** Why the library refuses. */
  reason: string | undefined
  explanation: RefusalExplanation | undefined
}

/**
 * Asks every judge of a deposit's signature that can be asked here; one that was named and cannot answer is unknown.
 * Throws `deposit.self-test-failed` when this copy of the program does not agree with real deposits.
 */
export async function askOpinions(call: Call, question: DepositQuestion): Promise<Opinions> {
  if (question.call?.kind === 'top-up')
    return { rows: [noSignature()], reason: undefined, explanation: undefined }
  depositSelfTestBeside(question.deposit)
  const verdict = verifyDeposit(question.deposit)
  const accepted = verdict.verdict === 'accepted'
  const library = opinion('library', 'signature library', {
    mark: accepted ? 'proven' : 'refused',
    value: accepted ? 'accepts' : verdict.words,
    source: 'this computer',
  })
  return {
    rows: [library, ...(await precompile(call, question)), ...(await tool(call, question))],
    reason: accepted ? undefined : verdict.reason,
    explanation: accepted ? undefined : (byOwnWord(question) ?? (await explained(question))),
  }
}

async function explained({ deposit, network }: DepositQuestion): Promise<RefusalExplanation | undefined> {
  const { explainRefusal } = await import('../core/chain/deposit/explain-refusal.ts')
  const others = PRESETS.filter(({ id }) => id !== network?.id)
  return explainRefusal(deposit, others)
}

/** A top-up carries 96 zeros, and counts by its key alone. */
function noSignature(): ReportRow {
  const value = 'a top-up carries none: its key must be registered'
  return opinion('library', 'signature', { mark: 'unasked', value, source: '' })
}

/** Whether the signature of a file is right for the chain that the file itself names. */
function byOwnWord({ deposit, file }: DepositQuestion): RefusalExplanation | undefined {
  if (file === undefined || isOfItsChain(file, deposit)) return undefined
  const { genesisValidatorsRoot, genesisForkVersion, network } = file
  const own = { ...deposit, genesisValidatorsRoot, genesisForkVersion }
  if (verifyDeposit(own).verdict !== 'accepted') return undefined
  const words = `It was signed for another network, the one that the file names: ${network}.`
  return { origin: 'other-network', words }
}

async function precompile(call: Call, { deposit }: DepositQuestion): Promise<ReportRow[]> {
  const { execution, devnet, network } = call.options
  const url =
    execution ??
    (devnet !== undefined || network === 'rehearsal' ? (await setupOf(call)).endpoints.execution : undefined)
  if (url === undefined) return []
  const [{ createExecutionClient }, { call: ethCall }, { verifyByPrecompile }] = await Promise.all([
    import('../core/clients/execution/client.ts'),
    import('../core/clients/execution/call.ts'),
    import('../core/chain/deposit/precompile.ts'),
  ])
  const client = createExecutionClient(call.effects, url)
  const verdict = await verifyByPrecompile(deposit, (to, data) => ethCall(client, { to, data }))
  const words = { accepted: 'accepts', refused: 'refuses', unknown: '' }[verdict.verdict]
  const marks = { accepted: 'proven', refused: 'refused', unknown: 'unknown' } as const
  const detail = verdict.verdict === 'refused' ? `: ${verdict.reason}` : ''
  const value = verdict.verdict === 'unknown' ? verdict.words : `${words}${detail}`
  return [
    opinion('precompile', 'execution client', {
      mark: marks[verdict.verdict],
      value,
      source: endpointName(url),
    }),
  ]
}

/** In the home that is named, else in none. */
async function tool(call: Call, { deposit, network }: DepositQuestion): Promise<ReportRow[]> {
  const { nodeTool } = network?.names ?? BERACHAIN_NAMES
  if ((await call.effects.files.findProgram(nodeTool)) === undefined) return []
  const [{ findNodeTool }, { toolValidate }] = await Promise.all([
    import('../core/chain/identity/run-tool.ts'),
    import('../core/chain/identity/tool-verdict.ts'),
  ])
  const found = await findNodeTool(call.effects, nodeTool)
  if (found === undefined) return []
  const { home } = call.options
  const place = home === undefined ? {} : { home: pathOf(home, call.environment) }
  try {
    const verdict = await toolValidate(found, { ...place, ...deposit })
    const part = verdict.valid
      ? ({ mark: 'proven', value: 'accepts' } as const)
      : ({ mark: 'refused', value: `refuses: ${verdict.words}` } as const)
    return [opinion('tool', 'node tool checks', { ...part, source: found.path })]
  } catch (thrown) {
    return [opinion('tool', 'node tool checks', { ...toolFault(thrown), source: found.path })]
  }
}

function opinion(id: string, label: string, part: { mark: Mark; value: string; source: string }): ReportRow {
  return { step: 'sign', id, label, ...part }
}
