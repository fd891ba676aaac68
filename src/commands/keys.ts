import { engineKey } from '../core/identity/engine-key.ts'
import { MAINNET } from '../core/network/presets.ts'
import type { IdentityState } from '../core/steps/identity/machine.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { known } from '../core/steps/observation.ts'
import { askKeys } from './ask-keys.ts'
import { type Call, type CommandInput, runCommand } from './command.ts'
import { NODE_OPTIONS, NODE_OPTIONS_HELP } from './common-options.ts'
import type { ExitCode } from './exit-codes.ts'
import { findingRows } from './finding-rows.ts'
import { asRefused } from './judged.ts'
import { type ReportRow, rowsOf, tellReport } from './report.ts'
import { setupOf } from './setup.ts'

const HELP = `bearings keys [options]

What may be known of the home's validator key: its public key in both forms, its engine address, whether the file
agrees with itself, who may read it, and which key the running engine signs with. The private key is opened by a
separate short-lived process that tells only this.

${NODE_OPTIONS_HELP}`

/** The command `keys`. Resolves to the exit code; does not throw. */
export function keys(input: CommandInput): Promise<ExitCode> {
  return runCommand({ name: 'keys', help: HELP, options: NODE_OPTIONS, mostPositionals: 0, run }, input)
}

async function run(call: Call): Promise<ExitCode> {
  const setup = await setupOf(call, { fallback: MAINNET })
  const state = await askKeys(call, setup)
  const key = known(state.seen.key)
  const view = identityView(state, { status: 'open' }, setup)
  const rows = [
    ...homeRows(state),
    ...rowsOf('identity', view.facts, ['key', 'engine']).map((row) =>
      row.id === 'key' ? asRefused(row, state.seen.key) : row,
    ),
    ...(key === undefined ? [] : formRows(key)),
    ...findingRows(known(state.seen.home)?.findings, ['key', 'permissions']),
  ]
  const engine = known(state.seen.engine)
  return tellReport({ command: 'keys', rows, data: keyData(key, engine?.pubkey) }, call.io, {
    json: call.json,
  })
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

function formRows({ pubkey, address }: Key): ReportRow[] {
  const shape = { step: 'identity', mark: 'proven', source: 'signer child', value: '' } as const
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
