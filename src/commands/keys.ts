import { badUsage } from '../core/errors/usage.ts'
import type { NodeSetup } from '../core/facts.ts'
import { endpointName } from '../core/format/endpoint-url.ts'
import { safeText } from '../core/format/text.ts'
import { engineKey } from '../core/identity/engine-key.ts'
import { strictBase64 } from '../core/identity/strict-base64.ts'
import { readTypedKey } from '../core/identity/typed-key.ts'
import { MAINNET } from '../core/network/presets.ts'
import { type IdentityState, keyOf } from '../core/steps/identity/state.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { known } from '../core/steps/observation.ts'
import { askKeys } from './ask-keys.ts'
import { type Call, type CommandInput, runCommand } from './command.ts'
import { NODE_OPTIONS, NODE_OPTIONS_HELP } from './common-options.ts'
import type { ExitCode } from './exit-codes.ts'
import { findingRows } from './finding-rows.ts'
import { asRefused } from './judged.ts'
import { type ReportRow, rowsOf, tellReport } from './report.ts'
import { requireHome } from './require-home.ts'
import { networkOf, setupOf } from './setup.ts'

const HELP = `bearings keys [options]

What may be known of the home's validator key: its public key in both forms, its engine address, whether the file
agrees with itself, who may read it, which key the running engine signs with, and where the node tool is installed what
it says of them. The private key is opened by a separate short-lived process that tells only this.

  --key PUBLIC_KEY         a key that is on another machine, in either form, instead of the home's
${NODE_OPTIONS_HELP}`

/** The command `keys`. Resolves to the exit code; does not throw. */
export function keys(input: CommandInput): Promise<ExitCode> {
  const options = [...NODE_OPTIONS, 'key']
  return runCommand({ name: 'keys', help: HELP, options, mostPositionals: 0, run }, input)
}

async function run(call: Call): Promise<ExitCode> {
  const typedKey = typedKeyOf(call)
  const setup = await setupOf(call, { fallback: MAINNET })
  if (typedKey === undefined)
    await requireHome(call, setup, 'Or give a key that is on another machine: --key PUBLIC_KEY.')
  const state = await askKeys(call, setup, typedKey === undefined ? {} : { typedKey })
  const key = keyOf(state)
  const view = identityView(state, { status: 'open' }, setup)
  const rows = [
    ...homeRows(state),
    ...rowsOf('identity', view.facts, ['key', 'engine', 'toolKeys', 'toolStatus']).map((row) =>
      row.id === 'key' ? asRefused(row, state.seen.key) : row,
    ),
    ...(key === undefined ? [] : formRows(key, typedKey === undefined ? 'signer child' : 'this computer')),
    ...findingRows(known(state.seen.home)?.findings, ['key', 'permissions']),
  ]
  const engine = known(state.seen.engine)
  const notes = (await isNamed(call)) ? [] : [guessed(setup)]
  const data = keyData(key, engine?.pubkey)
  return tellReport({ command: 'keys', rows, data, notes }, call.io, { json: call.json })
}

/** Whether an option, or the chain id in the home, says which network this is about. */
async function isNamed(call: Call): Promise<boolean> {
  const { devnet, network } = call.options
  return devnet !== undefined || network === 'rehearsal' || (await networkOf(call)) !== undefined
}

function guessed({ network, endpoints }: NodeSetup): string {
  const names = `No network was named, so that of ${network.label} was taken`
  return `${names}, and the engine at ${endpointName(endpoints.engine)} was asked.`
}

/** The public key that was given, checked. Throws `usage.option`; what has the size of a private key is not repeated. */
function typedKeyOf({ options }: Call): string | undefined {
  const { key } = options
  if (key === undefined) return undefined
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(key) || strictBase64(key, 32) !== undefined) {
    const sentence = '--key takes a public key, and this has the size of a private one.'
    const next = 'If it is one, other programs and the history of your shell have it now: make a new key.'
    throw badUsage({ sentence, next })
  }
  const read = readTypedKey(key)
  if ('key' in read) return key
  const next = "Copy it from the key machine, or from the engine's status."
  throw badUsage({ sentence: `--key: ${read.error}`, found: safeText(key, 60), next })
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

function formRows({ pubkey, address }: Key, source: string): ReportRow[] {
  const shape = { step: 'identity', mark: 'proven', source, value: '' } as const
  return [
    { ...shape, id: 'compressed', label: 'public key', long: pubkey },
    { ...shape, id: 'uncompressed', label: 'for the engine', long: engineKey(pubkey) },
    { ...shape, id: 'address', label: 'engine address', long: address },
  ]
}

function keyData(key: Key | undefined, enginePubkey: string | undefined): Record<string, unknown> {
  if (key === undefined) return { enginePubkey }
  const { pubkey, uncompressedPubkey, address } = key
  return { pubkey, uncompressedPubkey, uncompressedBase64: engineKey(key.pubkey), address, enginePubkey }
}
