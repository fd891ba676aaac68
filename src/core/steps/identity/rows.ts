import type { Setup } from '../../facts.ts'
import { tableRows } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { IDENTITY_FACTS, keyAllowed, keyIsAway, PART_FACTS, partsOf } from './facts.ts'
import { FACT_TEXT, keyWords, PART_TEXT } from './facts-text.ts'
import { awaitsTypedKey } from './machine.ts'
import type { IdentityState } from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

const { rows: TEXT } = IDENTITY_TEXT

/** The facts of the identity step, in the order of asking; of a key that is still to be typed nothing is asked. */
export function identityRows(state: IdentityState, setup: Setup): FactRow[] {
  const about = { state, setup }
  const facts = tableRows(IDENTITY_FACTS, FACT_TEXT, state.seen, about)
  const parts = tableRows(PART_FACTS, PART_TEXT, partsOf(state), about)
  const named = (...ids: readonly string[]) => facts.filter(({ id }) => ids.includes(id))
  const chain = [...named('operator', 'secondOperator', 'beacon'), ...adoptedRows(state), ...named('history')]
  if (setup.homePath === undefined) return rowsWithoutHome(state, setup, { facts, parts, chain })
  const rows = [
    ...named('home'),
    ...(keyIsAway(state) ? [typedKeyRow(state, setup)] : named('key', 'permissions')),
    ...named('engine', 'toolKeys', 'toolStatus'),
    ...chain,
    ...named('node'),
    ...parts,
    ...named('peers', 'health', 'finality'),
  ]
  const toBeTyped = state.typedKey === undefined && awaitsTypedKey(state)
  return toBeTyped ? rows.filter(({ id, mark }) => id === 'key' || mark !== 'unasked') : rows
}

type Rows = Readonly<Record<'facts' | 'parts' | 'chain', readonly FactRow[]>>

/** Of a registered validator whose key alone was given: what needs a home is not asked. */
function rowsWithoutHome(
  { typedKey }: IdentityState,
  setup: Setup,
  { facts, parts, chain }: Rows,
): FactRow[] {
  const { endpoints, validator } = setup
  const hasEngine = endpoints.engine !== undefined
  const pubkey = typedKey?.pubkey ?? validator?.pubkey
  const key: FactRow = {
    id: 'key',
    mark: typedKey === undefined ? 'asking' : 'given',
    ...TEXT.givenKey(validator?.index),
    ...(pubkey === undefined ? {} : { long: pubkey }),
  }
  // What is well goes without saying here: the screen is about one address.
  const odd = ['engineSync', 'sync', 'heads'].flatMap((id) =>
    parts.filter((row) => row.id === id && (row.mark === 'refused' || row.mark === 'unknown')),
  )
  return [
    key,
    { id: 'home', mark: 'unasked', ...TEXT.noHome(hasEngine) },
    ...chain,
    ...facts.filter(({ id }) => hasEngine && id === 'engine').map(asTold),
    ...facts.filter(({ id }) => id === 'node'),
    ...odd.filter(({ id }) => hasEngine || id !== 'engineSync'),
  ]
}

/** A top-up can be sent beside any engine: that it runs with another key is told, and refuses nothing. */
function asTold(row: FactRow): FactRow {
  return row.mark === 'refused' ? { ...row, mark: 'unasked' } : row
}

function typedKeyRow({ typedKey }: IdentityState, setup: Setup): FactRow {
  const { label, elsewhere, source, explain } = TEXT.typedKey
  if (typedKey === undefined)
    return { id: 'key', mark: 'unasked', label, value: elsewhere, source: '', explain }
  const mark = keyAllowed(typedKey, setup) ? 'given' : 'refused'
  const value = keyWords(typedKey, setup)
  return { id: 'key', mark, label, value, long: typedKey.pubkey, source, explain }
}

/** What the user typed to adopt the validator. */
function adoptedRows({ adopted }: IdentityState): FactRow[] {
  if (adopted === undefined) return []
  return [{ id: 'withdrawal', mark: 'given', long: adopted.withdrawalAddress, ...TEXT.withdrawal }]
}
