import { type Call, type CommandInput, runCommand } from './command.ts'
import { NODE_OPTIONS, NODE_OPTIONS_HELP } from './common-options.ts'
import type { ExitCode } from './exit-codes.ts'
import { type Outcome, tellReport } from './report.ts'
import { type Question, readDeposit } from './verify-input.ts'
import { askOpinions } from './verify-opinions.ts'
import { subjectRows } from './verify-subject.ts'

const HELP = `bearings verify FILE [options]
bearings verify --pubkey HEX --credentials HEX --amount GWEI --signature HEX
                (--network NAME | --root HEX --fork-version HEX) [options]

Will the chain take this first deposit's signature? It says what is judged: the chain, the key, the amount and where it
is paid out. The chain is the one that is named here, else the one that the file names. The curve library here always
judges; the execution client's precompiles where --execution (or --devnet) names one; the node tool where it is
installed, in --home or in none. A refusal says what made the signature, where that can be found out.

  --pubkey HEX         48 bytes                --credentials HEX   32 bytes
  --amount GWEI        decimal                 --signature HEX     96 bytes
  --root HEX           genesis validators root --fork-version HEX  genesis fork version
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
  const { rows, reason, explanation } = await askOpinions(call, question)
  const { deposit, network, chosenBy } = question
  const report = {
    command: 'verify',
    rows: [...subjectRows(question), ...rows],
    data: { deposit, chosenBy, reason, explanation },
    sentence: (outcome: Outcome) => sentenceOf(outcome, question),
    notes: [...(explanation === undefined ? [] : [explanation.words]), ...chainNotes(question)],
    ...(network === undefined ? {} : { network: network.id }),
  }
  return tellReport(report, call.io, { json: call.json })
}

function sentenceOf({ is, which }: Outcome, { network }: Question): string {
  const chain = network?.label ?? 'That network'
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
  return [`The file itself names the chain, ${name}. Give --network to judge it for one that you name.`]
}
