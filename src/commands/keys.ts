import { endpointsOfHome } from '../compose/endpoints-of-home.ts'
import { badUsage } from '../core/base/errors/base.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import type { NodeSetup } from '../core/chain/facts.ts'
import { engineKey } from '../core/chain/identity/engine-key.ts'
import type { KeyVerdict } from '../core/chain/key-state/key-state.ts'
import { MAINNET } from '../core/chain/network/presets.ts'
import { type IdentityState, identityKey } from '../core/steps/identity/state.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { answerOf, known } from '../core/view/observation.ts'
import { keepsShut } from '../core/view/view.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf } from './command.ts'
import type { KeysFields } from './documents/keys.ts'
import { askKeys, findingRows } from './home-rows.ts'
import { keyReport, NOTHING_ON_CHAIN, notAskedRow, VERDICT, verdictSentence } from './key-chain-rows.ts'
import { namedValidator } from './outlook-rows.ts'
import { asRefused, type ReportEnding, reportRows, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import { isNetworkNamed, requireHome, setupOf } from './setup.ts'

/** The command `keys`. */
export const keys = commandOf('keys', run)

async function run(call: Call): Promise<ExitCode> {
  const isNamed = await isNetworkNamed(call)
  const setup = await setupOf(call, { fallback: MAINNET })
  if (!isNamed) requireNode(call)
  const named = await namedValidator(call, setup)
  if (named === undefined)
    await requireHome(call, setup, 'Or name a validator: --validator PUBLIC_KEY or its index.')
  const asksEngine = isNamed || (await namesEngine(call, setup))
  const state = await askKeys(call, setup, {
    asksEngine,
    ...(named === undefined ? {} : { typedKey: named.pubkey }),
  })
  const key = identityKey(state)
  const view = identityView(state, { status: 'open' }, setup)
  const asked = named ?? (key === undefined ? undefined : { pubkey: key.pubkey, by: undefined })
  const chain = asked === undefined || !isNamed ? undefined : await keyReport(call, setup, asked)
  const rows = [
    ...(chain?.rows ?? [notAskedRow(isNamed ? NO_KEY : NO_NETWORK)]),
    ...(state.observed.home.status === 'failed' ? reportRows('identity', view.facts, ['home']) : []),
    ...reportRows('identity', view.facts, ['key', 'engine', 'toolKeys', 'toolStatus'])
      .map((row) => (row.id === 'key' ? asRefused(row, state.observed.key) : row))
      .map((row) => (row.id === 'engine' && named !== undefined ? beside(row) : row))
      .map((row) => (row.id === 'engine' && !asksEngine ? { ...row, ...NOT_ASKED } : row)),
    ...(key === undefined ? [] : formRows(key)),
    ...(named === undefined ? findingRows(known(state.observed.home)?.findings, ['key', 'permissions']) : []),
  ]
  const notes = isNamed ? [] : [guessed(setup, { asksEngine })]
  const data = { ...keyData(state), ...(chain?.data ?? NOTHING_ON_CHAIN) }
  const sentence = (outcome: ReportEnding) => {
    if (chain === undefined) return keySentence(outcome, { isTyped: named !== undefined, asksEngine })
    return named === undefined ? ownSentence(chain.verdict, outcome) : verdictSentence(chain.verdict, outcome)
  }
  const network = isNamed ? { network: setup.network.id } : {}
  return tellReport<KeysFields>({ document: 'keys', ...network, rows, data, notes, sentence }, call)
}

const NO_KEY = 'no key is known'
const NO_NETWORK = 'give --network NAME'

const NOT_ASKED = {
  value: 'not asked: nobody named an engine',
  next: 'give --engine URL, or --network NAME',
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
  const { validator, node } = options
  if (validator === undefined || node !== undefined || !/^\d+$/.test(validator.trim())) return
  throw badUsage({
    sentence: 'Nothing says which node is to resolve the index.',
    next: 'Give --node URL or --network NAME, or the public key itself.',
  })
}

function keySentence(
  { is, which }: ReportEnding,
  { isTyped, asksEngine }: { isTyped: boolean; asksEngine: boolean },
): string {
  if (is === 'no') return `Do not register with this key as it is: see "${which}".`
  if (is === 'unknown') return `Not everything is known of this key: see "${which}".`
  if (isTyped) return 'The key is a valid one. What the chain knows of it was not asked.'
  return asksEngine
    ? 'The key file is sound, and the engine signs with it. The chain was not asked.'
    : 'The key file is sound. Neither the engine nor the chain was asked.'
}

/** Of the key of the home; what the chain says against it comes first. */
function ownSentence(verdict: KeyVerdict, outcome: ReportEnding): string {
  if (outcome.is === 'yes')
    return `The key file is sound, and the engine signs with it; the key is ${OWN[verdict]}.`
  return outcome.which.startsWith(VERDICT.label)
    ? verdictSentence(verdict, outcome)
    : keySentence(outcome, { isTyped: false, asksEngine: true })
}

const OWN: Readonly<Record<KeyVerdict, string>> = {
  unknown: 'not known',
  unused: 'unused',
  waiting: 'not counted yet',
  lost: 'lost',
  registered: 'registered',
  exiting: 'exiting',
  exited: 'exited',
  withdrawn: 'withdrawn',
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

type Key = { pubkey: `0x${string}`; uncompressedPubkey: `0x${string}`; address: string }

/** The forms beside the compressed one, which the line of the key has. */
function formRows({ pubkey, address }: Key): ReportRow[] {
  const shape = { step: 'identity', mark: 'proven', source: 'this computer', value: '' } as const
  return [
    { ...shape, id: 'uncompressed', label: ROWS_TEXT.uncompressed, long: engineKey(pubkey) },
    { ...shape, id: 'address', label: ROWS_TEXT.address, long: address },
  ]
}

/** The key in its four forms, and the one that the engine runs with. */
function keyData(state: IdentityState) {
  const key = identityKey(state)
  const engine = answerOf(state.observed.engine)
  const enginePubkey = engine === null || engine === 'unknown' ? engine : engine.pubkey
  if (key !== undefined) {
    const { pubkey, uncompressedPubkey, address } = key
    return { pubkey, uncompressedPubkey, uncompressedBase64: engineKey(pubkey), address, enginePubkey }
  }
  const none: 'unknown' | null = answerOf(state.observed.key) === null ? null : 'unknown'
  return { pubkey: none, uncompressedPubkey: none, uncompressedBase64: none, address: none, enginePubkey }
}
