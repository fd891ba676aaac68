import { effectsUntil } from '../core/effects/effects-until.ts'
import type { Facts, Setup } from '../core/facts.ts'
import type { Hex } from '../core/format/hex.ts'
import { known } from '../core/steps/observation.ts'
import { runStatus } from '../core/steps/status/commands.ts'
import {
  initialStatus,
  type StatusEvent,
  type StatusState,
  statusTransition,
} from '../core/steps/status/machine.ts'
import { statusView } from '../core/steps/status/view.ts'
import { type Call, type CommandInput, runCommand } from './command.ts'
import { NODE_OPTIONS, NODE_OPTIONS_HELP } from './common-options.ts'
import type { ExitCode } from './exit-codes.ts'
import { problemNotes } from './judged.ts'
import { pubkeyOf } from './pubkey-of.ts'
import { type ReportRow, rowsOf, tellReport } from './report.ts'
import { setupOf } from './setup.ts'
import { lookingWorld } from './step-world.ts'

const HELP = `bearings status [--pubkey HEX] [options]

One look at a validator: where it stands, what is staked and what of it counts, its rank at the next turn, and the
engine's weight for it. 0 when it is active and in the engine's set. Nothing is sent.

  --pubkey HEX   48 bytes; without it the key of the home
${NODE_OPTIONS_HELP}`

/** The command `status`. Resolves to the exit code; does not throw. */
export function status(input: CommandInput): Promise<ExitCode> {
  const options = [...NODE_OPTIONS, 'pubkey']
  return runCommand({ name: 'status', help: HELP, options, mostPositionals: 0, run }, input)
}

async function run(call: Call): Promise<ExitCode> {
  const setup = await setupOf(call)
  const pubkey = await pubkeyOf(call, setup)
  const facts = factsOf(pubkey)
  const state = await lookOnce(call, setup, facts)
  const view = statusView(state, facts, setup)
  // Which key the node runs with is a question about one's own home only.
  const ids = ['status', 'balance', 'rank', 'power', ...(call.options.pubkey === undefined ? ['node'] : [])]
  const survey = known(state.seen.survey)
  const index = survey?.consensus.validators.findIndex((each) => each.pubkey === pubkey) ?? -1
  const report = {
    command: 'status',
    network: setup.network.id,
    rows: rowsOf('status', view.facts, ids)
      .filter(({ value }) => value !== '')
      .map(atLast),
    data: {
      pubkey,
      slot: survey?.consensus.slot,
      index: index < 0 ? null : index,
      balanceGwei: survey?.consensus.balancesGwei[index],
      validator: survey?.consensus.validators[index],
      engine: known(state.seen.engine),
      timeline: view.timeline,
    },
    notes: problemNotes(view.problem),
  }
  return tellReport(report, call.io, { json: call.json })
}

/** A single look does not wait: what is awaited is not so now. */
function atLast(row: ReportRow): ReportRow {
  return row.mark === 'asking' ? { ...row, mark: 'refused' } : row
}

/** What a step knows of a key when nothing else of a registration is known. */
function factsOf(pubkey: Hex): Facts {
  return { identity: { pubkey, uncompressedPubkey: '0x', address: '', key: { kind: 'elsewhere' } } }
}

const LOOKED_AT = ['survey', 'engine', 'health', 'peers'] as const

function isAnswered({ seen }: StatusState, key: (typeof LOOKED_AT)[number]): boolean {
  return seen[key].status === 'known' || seen[key].status === 'failed'
}

/** The step's own watch, ended after its first round. */
async function lookOnce(call: Call, setup: Setup, facts: Facts): Promise<StatusState> {
  const once = new AbortController()
  let state = initialStatus
  const world = lookingWorld(call, setup, (event: StatusEvent) => {
    const [next] = statusTransition(state, event)
    state = next
    if (LOOKED_AT.every((key) => isAnswered(state, key))) once.abort()
  })
  const { signal } = once
  try {
    const effects = effectsUntil(call.effects, signal)
    await runStatus({ ...world, effects, signal, facts: () => facts }, () => state)
  } catch (thrown) {
    if (!once.signal.aborted) throw thrown
  }
  return state
}
