import type { RefusalExplanation } from '../core/deposit/explain-refusal.ts'
import { depositSelfTestBeside } from '../core/deposit/self-test.ts'
import { verifyDeposit } from '../core/deposit/verify.ts'
import { endpointName } from '../core/format/endpoint-url.ts'
import { BERACHAIN_NAMES, PRESETS } from '../core/network/presets.ts'
import type { Mark } from '../core/steps/view.ts'
import { type Call, pathOf, toolFault } from './command.ts'
import type { ReportRow } from './report-lines.ts'
import { setupOf } from './setup.ts'
import { isOfItsChain, type Question } from './verify-input.ts'

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
export async function askOpinions(call: Call, question: Question): Promise<Opinions> {
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

async function explained({ deposit, network }: Question): Promise<RefusalExplanation | undefined> {
  const { explainRefusal } = await import('../core/deposit/explain-refusal.ts')
  const others = PRESETS.filter(({ id }) => id !== network?.id)
  return explainRefusal(deposit, others)
}

/** A top-up carries 96 zeros, and counts by its key alone. */
function noSignature(): ReportRow {
  const value = 'a top-up carries none: its key must be registered'
  return opinion('library', 'signature', { mark: 'unasked', value, source: '' })
}

/** Whether the signature of a file is right for the chain that the file itself names. */
function byOwnWord({ deposit, file }: Question): RefusalExplanation | undefined {
  if (file === undefined || isOfItsChain(file, deposit)) return undefined
  const { genesisValidatorsRoot, genesisForkVersion, network } = file
  const own = { ...deposit, genesisValidatorsRoot, genesisForkVersion }
  if (verifyDeposit(own).verdict !== 'accepted') return undefined
  const words = `It was signed for another network, the one that the file names: ${network}.`
  return { origin: 'other-network', words }
}

async function precompile(call: Call, { deposit }: Question): Promise<ReportRow[]> {
  const { execution, devnet, network } = call.options
  const url =
    execution ??
    (devnet !== undefined || network === 'rehearsal' ? (await setupOf(call)).endpoints.execution : undefined)
  if (url === undefined) return []
  const [{ createExecutionClient }, { call: ethCall }, { verifyByPrecompile }] = await Promise.all([
    import('../core/clients/execution/client.ts'),
    import('../core/clients/execution/call.ts'),
    import('../core/deposit/precompile.ts'),
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
async function tool(call: Call, { deposit, network }: Question): Promise<ReportRow[]> {
  const { nodeTool } = network?.names ?? BERACHAIN_NAMES
  if ((await call.effects.files.findProgram(nodeTool)) === undefined) return []
  const [{ findNodeTool }, { toolValidate }] = await Promise.all([
    import('../core/identity/run-tool.ts'),
    import('../core/identity/tool-verdict.ts'),
  ])
  const found = await findNodeTool(call.effects, nodeTool)
  if (found === undefined) return []
  const { home } = call.options
  const place = home === undefined ? {} : { home: pathOf(home, call.environment) }
  try {
    const verdict = await toolValidate(found, { ...place, ...deposit })
    const said = verdict.valid
      ? ({ mark: 'proven', value: 'accepts' } as const)
      : ({ mark: 'refused', value: `refuses: ${verdict.words}` } as const)
    return [opinion('tool', 'node tool checks', { ...said, source: found.path })]
  } catch (thrown) {
    return [opinion('tool', 'node tool checks', { ...toolFault(thrown), source: found.path })]
  }
}

function opinion(id: string, label: string, said: { mark: Mark; value: string; source: string }): ReportRow {
  return { step: 'sign', id, label, ...said }
}

/** What became of a deposit, or would become of a top-up that is in no block. */
export type Fate =
  | 'counted'
  | 'paid-back'
  | 'burnt'
  | 'not-counted-yet'
  | 'reverted'
  | 'in-no-block'
  | 'would-count'
  | 'would-be-burnt'
  | 'would-come-back'
  | 'unknown'

type Said = { mark: Mark; value: string; sentence: string }

const FATES: Readonly<Record<Fate, Said>> = {
  counted: {
    mark: 'proven',
    value: 'counted: the balance of the validator holds it',
    sentence: 'Counted: the beacon state holds the validator, and this deposit with it.',
  },
  'paid-back': {
    mark: 'proven',
    value: 'counted; the validator has left since, and its stake was paid back',
    sentence: 'Counted. The validator has left since, and its stake was paid back to the withdrawal address.',
  },
  burnt: {
    mark: 'refused',
    value: 'burnt: the chain kept the money and counted nothing',
    sentence: 'Burnt: the chain kept the money, and no validator has it.',
  },
  'not-counted-yet': {
    mark: 'unknown',
    value: 'in a block, and not counted yet',
    sentence: 'In a block, and not counted yet: wait, and send nothing more.',
  },
  reverted: {
    mark: 'refused',
    value: 'reverted: it is in a block and had no effect',
    sentence: 'Reverted: no deposit was made, and the amount stayed in the wallet.',
  },
  'in-no-block': {
    mark: 'unknown',
    value: 'in no block that this endpoint knows',
    sentence: 'In no block yet, as far as this endpoint knows: nothing is decided.',
  },
  'would-count': {
    mark: 'proven',
    value: 'a top-up of a registered validator counts',
    sentence: 'The key is registered: this top-up counts.',
  },
  'would-be-burnt': {
    mark: 'refused',
    value: 'a top-up of a key that is not registered is burnt',
    sentence: 'Do not send this: the key is not registered, and the chain would keep the money.',
  },
  'would-come-back': {
    mark: 'refused',
    value: 'a top-up of a validator that is leaving comes back',
    sentence: 'Do not send this: the validator is leaving or has left, and it would come back.',
  },
  unknown: {
    mark: 'unknown',
    value: 'whether it was counted is not known',
    sentence: 'Not known whether it was counted. Name the network and its node with --network.',
  },
}

/** What became of a deposit, as the line of the report that decides. */
export function fateRow(fate: Fate, endpoints: readonly string[]): ReportRow {
  const { mark, value } = FATES[fate]
  const source = endpoints.map(endpointName).join(', ')
  return { step: 'deposit', id: 'fate', label: 'this deposit', mark, value, source }
}

/** What became of a deposit, as the verdict. */
export function fateSentence(fate: Fate): string {
  return FATES[fate].sentence
}

/** Whether the signature says nothing any more: the chain has decided. */
export function isDecided(fate: Fate | undefined): boolean {
  return fate !== undefined && fate !== 'unknown' && fate !== 'in-no-block'
}
