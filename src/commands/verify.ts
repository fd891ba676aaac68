import { keepsShut, type Mark } from '../core/view/view.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf } from './command.ts'
import type { VerifyFields } from './documents/verify.ts'
import type { DepositFate } from './documents/words.ts'
import { type Report, type ReportEnding, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { askChain } from './verify-chain.ts'
import { fateMark, fateRow, fateSentence, isDecided } from './verify-fates.ts'
import { type DepositQuestion, readDeposit } from './verify-input.ts'
import type { SignedTransaction } from './verify-material.ts'
import { askOpinions } from './verify-opinions.ts'
import { subjectRows } from './verify-subject.ts'

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
  const subject = subjectRows(question)
  const reverts = isReverting(subject)
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
    sentence: (outcome: ReportEnding) => sentenceOf(outcome, question, { fate, reverts }),
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

type FateAndRevert = { fate: DepositFate; reverts: boolean }

function sentenceOf(
  { is, which }: ReportEnding,
  { network }: DepositQuestion,
  { fate, reverts }: FateAndRevert,
): string {
  const chain = network?.label ?? 'That network'
  if (isDecided(fate)) return fateSentence(fate)
  switch (is) {
    case 'yes':
      return fate === 'not-asked'
        ? `${chain} takes this signature for a first deposit. Whether its key is unused was not asked.`
        : `${chain} takes this signature for a first deposit, and its key is unused.`
    case 'no':
      if (reverts) return `Do not send this: it reverts, and only the fee is lost (see "${which}").`
      return fateMark(fate) === 'refused'
        ? fateSentence(fate)
        : `Do not send this: the chain would keep the money (see "${which}").`
    case 'unknown':
      return fate === 'not-asked' || fate === 'would-be-unknown'
        ? `Not certain, so do not send this: see "${which}".`
        : fateSentence(fate)
  }
}

/** What the contract itself refuses: then nothing is deposited, and nothing is kept. */
function isReverting(rows: readonly ReportRow[]): boolean {
  const refused = rows.filter(({ mark }) => mark === 'refused').map(({ id }) => id)
  return refused.length > 0 && refused.every((id) => id === 'amount' || id === 'value')
}

/** A file can name any chain: what holds on that one says nothing of another. */
function chainNotes({ chosenBy, network }: DepositQuestion): string[] {
  if (chosenBy === 'you') return []
  const name = network === undefined ? 'which is not built in' : network.label
  const itself = chosenBy === 'the file' ? 'The file' : 'The transaction'
  return [`${itself} itself names the chain, ${name}. Give --network to judge it for one that you name.`]
}
