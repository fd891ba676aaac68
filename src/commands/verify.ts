import { type Call, type CommandInput, runCommand } from './command.ts'
import { NODE_OPTIONS, NODE_OPTIONS_HELP } from './common-options.ts'
import type { ExitCode } from './exit-codes.ts'
import { tellReport } from './report.ts'
import { readDeposit } from './verify-input.ts'
import { askOpinions } from './verify-opinions.ts'

const HELP = `bearings verify FILE [options]
bearings verify --pubkey HEX --credentials HEX --amount GWEI --signature HEX
                (--network NAME | --root HEX --fork-version HEX) [options]

Will the chain take this first deposit's signature? The curve library here always judges; the execution client's
precompiles where --execution (or --devnet) names one; the node tool where it is installed and there is a home.
A refusal says what made the signature, where that can be found out. 1 when any of them refuses.

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
  const { deposit, network } = question
  const report = {
    command: 'verify',
    rows,
    data: { deposit, reason, explanation },
    notes: explanation === undefined ? [] : [explanation.words],
    ...(network === undefined ? {} : { network: network.id }),
  }
  return tellReport(report, call.io, { json: call.json })
}
