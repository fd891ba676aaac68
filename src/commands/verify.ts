import { endpointName } from '../core/base/format/endpoint-url.ts'
import type { RefusalExplanation } from '../core/chain/deposit/explain-refusal.ts'
import { depositSelfTestBeside } from '../core/chain/deposit/self-test.ts'
import { verifyDeposit } from '../core/chain/deposit/verify.ts'
import { BERACHAIN_NAMES, PRESETS } from '../core/chain/network/presets.ts'
import { keepsShut, type Mark } from '../core/view/view.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf, pathOf, toolFault } from './command.ts'
import type { DepositFate } from './documents/parts.ts'
import type { VerifyFields } from './documents/verify.ts'
import { type Report, type ReportEnding, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { setupOf } from './setup.ts'
import { askChain, fateMark, fateRow, fateSentence, isDecided } from './verify-chain.ts'
import { effectRows, saysMore } from './verify-effects.ts'
import { type DepositQuestion, isOfItsChain, readDeposit } from './verify-input.ts'
import type { SignedTransaction } from './verify-material.ts'
import { libraryRow, signRow, subjectRows } from './verify-subject.ts'

/** The command `verify`. */
export const verify = commandOf('verify', run)

async function run(call: Call): Promise<ExitCode> {
  const question = await readDeposit(call)
  const opinions = await askOpinions(call, question)
  const { reason, explanation } = opinions
  const isTopUp = question.call?.kind === 'top-up'
  const accepted = !isTopUp && reason === undefined
  const chain = await askChain(call, { ...question, accepted })
  const { deposit, network, chosenBy, transaction, carriedOut } = question
  const { fate } = chain
  const effects = effectRows(question).filter((row) =>
    isDecided(fate) ? saysMore(row) : chain.rows.every(({ id }) => id !== row.id),
  )
  const subject = [...subjectRows(question), ...effects]
  const isForEthereum = explanation?.origin === 'ethereum-tool'
  const faults = isForEthereum ? 'ethereum' : faultsIn([...subject, ...chain.rows])
  const why = fate === 'counted' || explanation === undefined ? [] : [explanation.words]
  const report: Report<VerifyFields> = {
    document: 'verify',
    rows: [
      ...subject.map((row) =>
        isDecided(fate) && row.mark === 'unknown' ? { ...row, mark: beside(row.mark) } : row,
      ),
      ...opinions.rows.map((row) => (isDecided(fate) ? { ...row, mark: beside(row.mark) } : row)),
      ...chain.rows,
      ...(fate === 'not-asked' ? [] : [fateRow(fate, chain.endpoints)]),
    ],
    data: {
      deposit,
      chosenBy: CHOSEN[chosenBy],
      transaction: transaction && transactionFields(transaction),
      carriedOut: carriedOut && { by: null, ...carriedOut },
      fate,
      reason,
      explanation: explanation && { origin: explanation.origin, words: { sentence: explanation.words } },
      ...chain.data,
    },
    sentence: (outcome: ReportEnding) => sentenceOf(outcome, question, { fate, faults }),
    notes: [...why, ...chainNotes(question)],
    ...(network === undefined ? {} : { network: network.id }),
  }
  return tellReport(report, call)
}

/** A transaction that was found by its hash brings its block, too, which is told as what became of it. */
function transactionFields({ hash, chainId, from, to, nonce, valueWei, input }: SignedTransaction) {
  return { hash, chainId, from, to, nonce, valueWei, input }
}

const CHOSEN = { you: 'you', 'the file': 'file', 'the transaction': 'transaction' } as const

/** A signature that refuses decides nothing once the chain has decided. */
function beside(mark: Mark): Mark {
  return keepsShut({ mark }) ? 'unasked' : mark
}

type FateAndFaults = { fate: DepositFate; faults: Faults }

function sentenceOf(
  { is, which }: ReportEnding,
  { network }: DepositQuestion,
  { fate, faults }: FateAndFaults,
): string {
  const chain = network?.label ?? 'That network'
  const more = 'This transaction does more than the deposit'
  if (isDecided(fate))
    return faults === 'more' ? `${fateSentence(fate)} ${more}: see "${which}".` : fateSentence(fate)
  switch (is) {
    case 'yes':
      return fate === 'not-asked'
        ? `${chain} takes this signature for a first deposit. Whether its key is unused was not asked.`
        : `${chain} takes this signature for a first deposit, and its key is unused.`
    case 'no':
      if (faults === 'ethereum') return 'Do not send this: it was signed for Ethereum, not for this chain.'
      if (faults === 'more') return `Do not send this: it does more than the deposit (see "${which}").`
      if (faults === 'terms') return `Do not send this: see "${which}".`
      if (faults === 'reverts')
        return `Do not send this: it reverts, and only the fee is lost (see "${which}").`
      return fateMark(fate) === 'refused'
        ? fateSentence(fate)
        : `Do not send this: the chain would keep the money (see "${which}").`
    case 'unknown':
      return fate === 'not-asked' || fate === 'would-be-unknown'
        ? `Not certain, so do not send this: see "${which}".`
        : fateSentence(fate)
  }
}

/**
 * What a transaction is refused for, where the deposit in it may be good: it `reverts`, so that nothing is deposited, and
 * nothing is kept; it does `more`; or what it offers (`terms`) is not what it should be. Or it was signed for `ethereum`.
 */
type Faults = 'ethereum' | 'reverts' | 'more' | 'terms' | undefined

function faultsIn(rows: readonly ReportRow[]): Faults {
  const refused = rows.filter(({ mark }) => mark === 'refused')
  if (refused.length === 0) return undefined
  const areAll = (ids: readonly string[]) => refused.every((row) => ids.includes(row.id) || saysMore(row))
  if (refused.some(saysMore) && areAll(['fee', 'gas', 'nonce'])) return 'more'
  if (areAll(['amount', 'value', 'gas'])) return 'reverts'
  return areAll(['fee', 'gas', 'nonce']) ? 'terms' : undefined
}

/** A file can name any chain: what holds on that one says nothing of another. */
function chainNotes({ chosenBy, network, isOfEthereumTool }: DepositQuestion): string[] {
  if (chosenBy === 'you') return []
  if (isOfEthereumTool === true)
    return [
      'A file in Ethereum’s form names no network of this kind. Give --network to judge it for another one.',
    ]
  const name = network === undefined ? 'which is not built in' : network.label
  const itself = chosenBy === 'the file' ? 'The file' : 'The transaction'
  return [`${itself} itself names the chain, ${name}. Give --network to judge it for one that you name.`]
}

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
async function askOpinions(call: Call, question: DepositQuestion): Promise<Opinions> {
  if (question.call?.kind === 'top-up')
    return { rows: [noSignature()], reason: undefined, explanation: undefined }
  depositSelfTestBeside(question.deposit)
  const verdict = verifyDeposit(question.deposit)
  const accepted = verdict.verdict === 'accepted'
  return {
    rows: [libraryRow(verdict), ...(await precompile(call, question)), ...(await tool(call, question))],
    reason: accepted ? undefined : verdict.reason,
    explanation: accepted ? undefined : (byOwnWord(question) ?? (await explained(question))),
  }
}

async function explained({
  deposit,
  network,
  isOfEthereumTool,
}: DepositQuestion): Promise<RefusalExplanation | undefined> {
  const { BY_ETHEREUM_TOOL, explainRefusal } = await import('../core/chain/deposit/explain-refusal.ts')
  const others = PRESETS.filter(({ id }) => id !== network?.id)
  return explainRefusal(deposit, others) ?? (isOfEthereumTool === true ? BY_ETHEREUM_TOOL : undefined)
}

/** A top-up carries 96 zeros, and counts by its key alone. */
function noSignature(): ReportRow {
  const value = 'a top-up carries none: its key must be registered'
  return signRow('library', 'signature', { mark: 'unasked', value, source: '' })
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
    signRow('precompile', 'execution client', {
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
    import('../core/chain/identity/run-tool.ts'),
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
    return [signRow('tool', 'node tool checks', { ...part, source: found.path })]
  } catch (thrown) {
    return [signRow('tool', 'node tool checks', { ...toolFault(thrown), source: found.path })]
  }
}
