import { keepsShut, type Mark } from '../core/steps/view.ts'
import { type Call, type CommandInput, runCommand } from './command.ts'
import type { ExitCode } from './exit-codes.ts'
import { NODE_OPTIONS, NODE_OPTIONS_HELP } from './read-arguments.ts'
import { type Outcome, tellReport } from './report.ts'
import { askChain, type Fate, fateRow, fateSentence, isDecided } from './verify-chain.ts'
import { type Question, readDeposit } from './verify-input.ts'
import { askOpinions } from './verify-opinions.ts'
import { subjectRows } from './verify-subject.ts'

const HELP = `bearings verify WHAT [options]
bearings verify --pubkey HEX --credentials HEX --amount GWEI --signature HEX
                (--network NAME | --root HEX --fork-version HEX) [options]

Will the chain take this deposit, or was it counted or burnt? WHAT is a file,
the text itself, or - for stdin, and holds one of
  a deposit file           of bearings sign, or of the wizard
  the node tool's text     what deposit create-validator prints; --network names
                           the chain
  a signed transaction     0x02..., from any wallet; nothing is sent. Where the
                           owners of a Safe carry a deposit out, that is judged
  a transaction hash       asked of --execution, or of those of --network
  calldata                 of the deposit contract, with --amount and --network;
                           or of a Safe's execTransaction

It says what is judged: the chain, the key, the amount and where it is paid out.
The chain is the one that is named here, else the one that the file or the
transaction names. The signature library here always judges; the execution
client's precompiles where --execution (or --devnet) names one; the node tool
where it is installed, in --home or in none. A refusal says what made the
signature, where that can be found out. Of a transaction that is in a block, and
of a top-up, the beacon state says whether it counts: name the node with
--network, --node or --devnet.

  --pubkey HEX             48 bytes
  --credentials HEX        32 bytes
  --amount GWEI            a decimal number
  --signature HEX          96 bytes
  --root HEX               genesis validators root
  --fork-version HEX       genesis fork version
${NODE_OPTIONS_HELP}`

const OPTIONS = [
  ...NODE_OPTIONS,
  'pubkey',
  'credentials',
  'amount',
  'signature',
  'root',
  'fork-version',
] as const

/** The command `verify`. Resolves to the exit code; does not throw. */
export function verify(input: CommandInput): Promise<ExitCode> {
  return runCommand({ name: 'verify', help: HELP, options: OPTIONS, mostPositionals: 1, run }, input)
}

async function run(call: Call): Promise<ExitCode> {
  const question = await readDeposit(call)
  const opinions = await askOpinions(call, question)
  const { reason, explanation } = opinions
  const isTopUp = question.call?.kind === 'top-up'
  const accepted = !isTopUp && reason === undefined
  const told = await askChain(call, { ...question, accepted })
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
