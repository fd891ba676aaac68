import { formatGwei } from '../core/base/format/amount.ts'
import type { Hex } from '../core/base/format/hex.ts'
import type { Forecast } from '../core/chain/consensus/forecast.ts'
import { topUpAfterEntry } from '../core/chain/consensus/propose-top-up.ts'
import { questionOf, type SetSnapshot } from '../core/chain/consensus/snapshot.ts'
import { ANY_CREDENTIALS } from '../core/chain/deposit/credentials.ts'
import type { NodeSetup, Setup } from '../core/chain/facts.ts'
import { adviseTopUp, type TopUpAdvice } from '../core/steps/topup/facts.ts'
import type { Call } from './command.ts'
import { levelRows, type NamedValidator, validatorOf } from './outlook-rows.ts'
import type { Report } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import { areEndpointsSaved, requireHome } from './setup.ts'

/** Of equal stakes the smallest key goes: no key that is made later does worse. */
export const NO_KEY_YET: Hex = `0x${'00'.repeat(48)}`

/**
 * The validator that is named, else that of the home. Who plans the money has neither: where endpoints are named it is
 * planned for a key that is still to be made, and this is undefined. Throws as `validatorOf`.
 */
export async function plannedFor(call: Call, setup: NodeSetup): Promise<NamedValidator | undefined> {
  const { options, effects } = call
  const isNamed = options.validator !== undefined || options.pubkey !== undefined
  if (isNamed || (await effects.files.facts(setup.homePath)) !== undefined) return validatorOf(call, setup)
  const isRehearsal = options.devnet !== undefined || options.network === 'rehearsal'
  const isGiven = options.execution !== undefined && options.node !== undefined
  if (isRehearsal || isGiven || (await areEndpointsSaved(call, setup.network))) return undefined
  await requireHome(
    call,
    setup,
    'Or name a validator with --validator; or, for a key that is still to be made, --execution URL and --node URL.',
  )
  return undefined
}

type NewKey = { amountGwei: bigint | undefined; setup: Setup }

/** What a key that does not exist yet needs for a place, and whether an amount, first deposit and top-up in one, is enough. */
export function newKeyReport(snapshot: SetSnapshot, { amountGwei, setup }: NewKey): Report {
  const advice = adviseTopUp(snapshot, NO_KEY_YET, setup)
  const entry = entryOf(snapshot, { pubkey: NO_KEY_YET, advice, setup })
  const { token } = setup.network.names
  const isEnough = entry !== undefined && (amountGwei === undefined || amountGwei >= entry.allGwei)
  const good = snapshot.proof === undefined ? 'unasked' : 'proven'
  const none: ReportRow = { ...ENTRY, mark: 'refused', value: NO_PLACE }
  const rows = entry === undefined ? [none] : entryRows(entry, setup)
  return {
    command: 'topup-plan',
    network: setup.network.id,
    rows: [
      ...rows.map((row): ReportRow => ({ ...row, mark: isEnough ? good : 'refused' })),
      ...levelRows(snapshot, NO_KEY_YET, setup),
    ],
    sentence: () => newKeySentence(entry, isEnough, token),
    data: {
      proof: snapshot.proof,
      amountGwei,
      forecast: entry?.forecast,
      wholeWayGwei: entry?.allGwei,
    },
  }
}

function newKeySentence(entry: EntryForecast | undefined, isEnough: boolean, token: string): string {
  if (entry === undefined) return `No: ${NO_PLACE}.`
  const all = amountWords(entry.allGwei, token)
  return isEnough
    ? `A place needs ${all} in all now.`
    : `Not enough for a place with a margin: that needs ${all} in all now.`
}

/** What a key that the chain does not know needs in all for a place now, by the least first deposit. */
export type EntryForecast = { allGwei: bigint; topUpGwei: bigint; forecast: Forecast }

/** The least first deposit and the top-up behind it, were both made now; undefined for a key that has deposits, or no way in. */
export function entryOf(
  snapshot: SetSnapshot,
  { pubkey, advice, setup }: { pubkey: Hex; advice: TopUpAdvice; setup: Setup },
): EntryForecast | undefined {
  if (advice.impossible !== 'not-in-state' || advice.stakeToBeGwei > 0n) return undefined
  const { spec, minimumDepositGwei } = setup.network
  const deposit = { withdrawalCredentials: ANY_CREDENTIALS, amountGwei: minimumDepositGwei }
  const question = { ...questionOf(snapshot, spec), ...deposit, pubkey, minimumDepositGwei }
  const proposal = topUpAfterEntry(question)
  if ('impossible' in proposal) return undefined
  const { addGwei, forecast } = proposal
  return { allGwei: minimumDepositGwei + addGwei, topUpGwei: addGwei, forecast }
}

/** The whole way as a line of the report. */
export function entryRows(entry: EntryForecast | undefined, setup: Setup): ReportRow[] {
  if (entry === undefined) return []
  const { minimumDepositGwei, names } = setup.network
  const parts = `a first deposit of ${amountWords(minimumDepositGwei, names.token)}, then a top-up of ${amountWords(entry.topUpGwei, names.token)}`
  const value = `${amountWords(entry.allGwei, names.token)} in all: ${parts}`
  return [{ ...ENTRY, mark: 'unasked', value }]
}

const NO_PLACE = 'no amount reaches a place in this set'
const ENTRY = { step: 'topup', id: 'entry', label: ROWS_TEXT.entry, source: 'model' } as const

/** An amount with its token. */
export function amountWords(amountGwei: bigint, token: string): string {
  return `${formatGwei(amountGwei)} ${token}`
}
