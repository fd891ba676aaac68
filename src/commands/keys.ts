import { endpointsOfHome } from '../compose/endpoints-of-home.ts'
import { badUsage } from '../core/errors/usage.ts'
import type { NodeSetup } from '../core/facts.ts'
import { endpointName } from '../core/format/endpoint-url.ts'
import { engineKey } from '../core/identity/engine-key.ts'
import { MAINNET } from '../core/network/presets.ts'
import { type IdentityState, keyOf } from '../core/steps/identity/state.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { known } from '../core/steps/observation.ts'
import { keepsShut } from '../core/steps/view.ts'
import { askKeys } from './ask-keys.ts'
import { type Call, type CommandInput, runCommand } from './command.ts'
import { NODE_OPTIONS, NODE_OPTIONS_HELP } from './common-options.ts'
import type { ExitCode } from './exit-codes.ts'
import { findingRows } from './finding-rows.ts'
import { asRefused } from './judged.ts'
import { keyReport, verdictSentence } from './key-chain-rows.ts'
import { type Outcome, rowsOf, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { requireHome } from './require-home.ts'
import { isNetworkNamed, setupOf } from './setup.ts'
import { namedValidator } from './validator-of.ts'

const HELP = `bearings keys [--validator PUBKEY|INDEX] [options]

What may be known of the home's validator key: its public key in both forms, its
engine address, whether the file agrees with itself, who may read it, which key
the running engine signs with, and what the node tool says where it is
installed. The private key is opened by a separate short-lived process that
tells only this. To copy a long value whole, use --json.

With --validator, what the chain knows of that key: unused, not counted yet,
lost, registered, exiting, exited or withdrawn; the operator as each endpoint
gives it, the record, the deposits that are not counted yet; and who vouches for
each. Then 0: unused, not counted yet or registered; 1: lost, exiting, exited or
withdrawn; 3: a part is not known.

  --validator PUBKEY|INDEX   0x and 96 digits, the engine's base64, or the
                           index, which the node resolves; no home is needed
  --key PUBKEY|INDEX       the same under its name of before, and the running
                           engine must sign with it; the next version does not
                           take it
${NODE_OPTIONS_HELP}`

/** The command `keys`. Resolves to the exit code; does not throw. */
export function keys(input: CommandInput): Promise<ExitCode> {
  const options = [...NODE_OPTIONS, ...NAMES]
  return runCommand({ name: 'keys', help: HELP, options, mostPositionals: 0, run }, input)
}

const NAMES = ['validator', 'key'] as const

async function run(call: Call): Promise<ExitCode> {
  const isNamed = await isNetworkNamed(call)
  const mayGuess = call.options.validator === undefined
  const setup = await setupOf(call, mayGuess ? { fallback: MAINNET } : {})
  if (!isNamed) requireNode(call)
  const named = await namedValidator(call, setup, NAMES)
  if (named === undefined)
    await requireHome(call, setup, 'Or name a validator: --validator PUBLIC_KEY or its index.')
  const asksEngine = isNamed || (await namesEngine(call, setup))
  const state = await askKeys(call, setup, {
    asksEngine,
    ...(named === undefined ? {} : { typedKey: named.pubkey }),
  })
  const key = keyOf(state)
  const view = identityView(state, { status: 'open' }, setup)
  const chain = named === undefined || !isNamed ? undefined : await keyReport(call, setup, named)
  const rows = [
    ...(chain?.rows ?? []),
    ...homeRows(state),
    ...rowsOf('identity', view.facts, ['key', 'engine', 'toolKeys', 'toolStatus'])
      .map((row) => (row.id === 'key' ? asRefused(row, state.seen.key) : row))
      .map((row) => (row.id === 'engine' && call.options.validator !== undefined ? beside(row) : row))
      .map((row) => (row.id === 'engine' && !asksEngine ? { ...row, ...NOT_ASKED } : row)),
    ...(key === undefined ? [] : formRows(key, named === undefined ? 'signer child' : 'this computer')),
    ...(named === undefined ? findingRows(known(state.seen.home)?.findings, ['key', 'permissions']) : []),
  ]
  const engine = known(state.seen.engine)
  const notes = isNamed ? [] : [guessed(setup, { asksEngine })]
  const data = { ...keyData(key, engine?.pubkey), ...chain?.data }
  const sentence = (outcome: Outcome) =>
    chain === undefined
      ? keySentence(outcome, { isTyped: named !== undefined, asksEngine })
      : verdictSentence(chain.verdict, outcome)
  return tellReport({ command: 'keys', rows, data, notes, sentence }, call.io, { json: call.json })
}

const NOT_ASKED = {
  value: 'not asked: nobody named an engine',
  fix: 'give --engine URL, or --network NAME',
} as const

/** Whether an option or the home itself says where the engine listens. A default port may be anybody's. */
async function namesEngine({ options, effects }: Call, { network, homePath }: NodeSetup): Promise<boolean> {
  return (
    options.engine !== undefined ||
    (await endpointsOfHome(effects, { network, homePath })).engine !== undefined
  )
}

/** An index is resolved by a node: none is asked that nobody named. Throws `usage.option`. */
function requireNode({ options }: Call): void {
  const { key, node } = options
  if (key === undefined || node !== undefined || !/^\d+$/.test(key.trim())) return
  throw badUsage({
    sentence: 'Nothing says which node is to resolve the index.',
    next: 'Give --node URL or --network NAME, or the public key itself.',
  })
}

function keySentence(
  { is, which }: Outcome,
  { isTyped, asksEngine }: { isTyped: boolean; asksEngine: boolean },
): string {
  if (is === 'no') return `Do not register with this key as it is: see "${which}".`
  if (is === 'unknown') return `Not everything is known of this key: see "${which}".`
  if (isTyped) return 'The key is a valid one. What the chain knows of it was not asked.'
  return asksEngine
    ? 'The key file is sound, and the engine signs with this key.'
    : 'The key file is sound. Which key the engine signs with was not asked.'
}

/** Which key this computer's engine runs with is no verdict on a validator that is anybody's. */
function beside(row: ReportRow): ReportRow {
  return keepsShut(row) ? { ...row, mark: 'unasked' } : row
}

function guessed({ network, endpoints }: NodeSetup, { asksEngine }: { asksEngine: boolean }): string {
  const names = `No network was named, so that of ${network.label} was taken`
  return asksEngine
    ? `${names}, and the engine at ${endpointName(endpoints.engine)} was asked.`
    : `${names}. No engine was asked, as none was named: give --engine URL, or --network NAME.`
}

function homeRows(state: IdentityState): ReportRow[] {
  const { home } = state.seen
  if (home.status !== 'failed') return []
  const { shortMessage, nextSteps } = home.error
  const fix = nextSteps[0] === undefined ? {} : { fix: nextSteps[0] }
  return [
    {
      step: 'identity',
      id: 'home',
      label: 'node home',
      mark: 'unknown',
      value: shortMessage,
      source: home.source,
      ...fix,
    },
  ]
}

type Key = { pubkey: `0x${string}`; uncompressedPubkey: `0x${string}`; address: string }

/** The forms beside the compressed one, which the line of the key has. */
function formRows({ pubkey, address }: Key, source: string): ReportRow[] {
  const shape = { step: 'identity', mark: 'proven', source, value: '' } as const
  return [
    { ...shape, id: 'uncompressed', label: 'for the engine', long: engineKey(pubkey) },
    { ...shape, id: 'address', label: 'engine address', long: address },
  ]
}

function keyData(key: Key | undefined, enginePubkey: string | undefined): Record<string, unknown> {
  if (key === undefined) return { enginePubkey }
  const { pubkey, uncompressedPubkey, address } = key
  return { pubkey, uncompressedPubkey, uncompressedBase64: engineKey(key.pubkey), address, enginePubkey }
}
