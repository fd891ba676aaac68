import { test } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { FactRow } from '../../src/core/view/view.ts'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { type Replay, type ReplayInput, replay } from './replay.ts'
import { type RecordedDeposit, recordedDeposits } from './replay-recording.ts'

export type SituationInput = ReplayInput & {
  /** What of it really happened on the recorded network. */
  recorded: string
  /** What does not: changed by this situation, or from `madeUp` where it matters here. */
  madeUp?: string
}

/** One situation beside the recorded network; its name says which of its facts are recorded. */
export function situation(
  title: string,
  input: SituationInput,
  look: (replay: Replay) => Promise<void>,
): void {
  const made = input.madeUp === undefined ? '' : `; made up: ${input.madeUp}`
  test(`${title} [recorded: ${input.recorded}${made}]`, () => replay(input, look))
}

/** The recorded deposit whose note begins so. */
export function sentAs(note: string): RecordedDeposit {
  const deposit = recordedDeposits.find((row) => row.note.startsWith(note))
  if (deposit === undefined) throw new RangeError(`no deposit was recorded with the note ${note}`)
  return deposit
}

/** Rows by id, as `mark words`. */
export function rows(view: Pick<AnyView, 'facts'>): { [id: string]: string } {
  return toRows(view.facts)
}

/** Rows of the gate by id, as `mark words`. */
export function gate(view: Pick<AnyView, 'checks'>): { [id: string]: string } {
  return toRows(view.checks)
}

function toRows(facts: readonly FactRow[]): { [id: string]: string } {
  return Object.fromEntries(facts.map((row) => [row.id, `${row.mark} ${row.value}`]))
}

/** Once the chain and the key have been asked all there is to ask. */
export function asked(it: Replay): Promise<void> {
  return it.until(({ genesis, identity, journal }) => {
    return !genesis.asking && !identity.asking && journal.status !== 'closed'
  })
}

/** Goes to the step that proves the registration, once the chain has been checked. */
export async function toConfirm(it: Replay): Promise<boolean> {
  await asked(it)
  return it.session.dispatch({ step: 'session', type: 'went', to: 'confirm' })
}

/** Goes on once the registration is proven. */
export async function pastConfirm(it: Replay, to: 'topup' | 'status'): Promise<void> {
  await toConfirm(it)
  await it.until(() => it.view('confirm').done)
  await it.session.dispatch({ step: 'session', type: 'went', to })
}

/** Lets time pass until the chain is at this slot. */
export function untilSlot(it: Replay, slot: number): Promise<void> {
  return it.pass(Math.max(0, slot - it.slot()))
}

/** Keys of the recorded network, by the index they got or would have got. */
export const KEYS = {
  genesis1:
    '0x9116b65484fbdb4507441c1c4ebe2e0c81d4987d325162411c01932da011453f66981de3fc14a61d1ef90251f6bda6e1',
  registered: sentAs('first deposit, the minimum').pubkey,
  burnt: sentAs('first deposit with another amount').pubkey,
  rescued: sentAs('top-up before registration').pubkey,
  evicting: sentAs('first deposit above the threshold').pubkey,
  odd: sentAs('first deposit, odd amount').pubkey,
} as const satisfies { [name: string]: Hex }
