import { keepsShut, type Mark } from '../core/steps/view.ts'
import { type Call, commandOf } from './command.ts'
import type { ExitCode } from './io.ts'
import { type Outcome, tellReport } from './report.ts'
import type { askChain } from './verify-chain.ts'
import { type Question, readDeposit } from './verify-input.ts'
import { askOpinions, type Fate, fateRow, fateSentence, isDecided } from './verify-opinions.ts'
import { subjectRows } from './verify-subject.ts'

/** The command `verify`. */
export const verify = commandOf('verify', run)

async function run(call: Call): Promise<ExitCode> {
  const question = await readDeposit(call)
  const opinions = await askOpinions(call, question)
  const { reason, explanation } = opinions
  const isTopUp = question.call?.kind === 'top-up'
  const accepted = !isTopUp && reason === undefined
  const told = question.call === undefined ? UNTOLD : await toldByChain(call, { ...question, accepted })
  const { deposit, network, chosenBy, transaction, carriedOut } = question
  const fate = told.fate ?? (isTopUp ? 'unknown' : undefined)
  const why = fate === 'counted' || explanation === undefined ? [] : [explanation.words]
  const report = {
    command: 'verify',
    rows: [
      ...subjectRows(question).map((row) =>
        isDecided(fate) && row.mark === 'unknown' ? { ...row, mark: beside(row.mark) } : row,
      ),
      ...opinions.rows.map((row) => (isDecided(fate) ? { ...row, mark: beside(row.mark) } : row)),
      ...told.rows,
      ...(fate === undefined ? [] : [fateRow(fate, told.endpoints)]),
    ],
    data: { deposit, chosenBy, transaction, carriedOut, fate, reason, explanation, ...told.data },
    sentence: (outcome: Outcome) => sentenceOf(outcome, question, fate),
    notes: [...why, ...chainNotes(question)],
    ...(network === undefined ? {} : { network: network.id }),
  }
  return tellReport(report, call.io, { json: call.json })
}

/** Fields alone are of no transaction that any chain could know. */
const UNTOLD = { fate: undefined, rows: [], data: {}, endpoints: [] }

async function toldByChain(...asked: Parameters<typeof askChain>): ReturnType<typeof askChain> {
  const chain = await import('./verify-chain.ts')
  return chain.askChain(...asked)
}

/** A signature that refuses decides nothing once the chain has decided. */
function beside(mark: Mark): Mark {
  return keepsShut({ mark }) ? 'unasked' : mark
}

function sentenceOf({ is, which }: Outcome, { network }: Question, fate: Fate | undefined): string {
  const chain = network?.label ?? 'That network'
  if (fate !== undefined && (is !== 'no' || isDecided(fate))) return fateSentence(fate)
  switch (is) {
    case 'yes':
      return `${chain} takes this signature for a first deposit.`
    case 'no':
      return `Do not send this: the chain would keep the money (see "${which}").`
    case 'unknown':
      return `Not certain, so do not send this: see "${which}".`
  }
}

/** A file can name any chain: what holds on that one says nothing of another. */
function chainNotes({ chosenBy, network }: Question): string[] {
  if (chosenBy === 'you') return []
  const name = network === undefined ? 'which is not built in' : network.label
  const itself = chosenBy === 'the file' ? 'The file' : 'The transaction'
  return [`${itself} itself names the chain, ${name}. Give --network to judge it for one that you name.`]
}
