import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { sameHex } from '../../format/hex.ts'
import type { StepField } from '../step-view.ts'
import type { SignState } from './machine.ts'
import { FIELD_TEXT, SIGN_TEXT } from './text.ts'
import { groupsAt, nextField, SIGN_FIELDS, type SignField } from './typing.ts'

/** The field for what comes from the key machine. */
export function broughtField({ failure }: SignState): StepField {
  const refused = failure && [failure.shortMessage, failure.details.at(-1) ?? ''].join(' ').trim()
  return {
    id: 'signature',
    takes: { step: 'sign', type: 'brought' },
    ...SIGN_TEXT.brought,
    value: '',
    ...(refused === undefined ? {} : { error: refused }),
  }
}

/** The fields of the plan, with the hint or the error of the one that is asked for. */
export function fieldViews(state: SignState, setup: Setup): StepField[] {
  const active = nextField(state)
  return SIGN_FIELDS.map((id) => {
    const text = FIELD_TEXT[id]
    const suggestion = beginsWith(state, id, setup)
    return {
      id,
      takes: { step: 'sign', type: 'submitted', field: id },
      label: id.endsWith('Again') ? againLabel(state) : text.label,
      value: isAskedAgain(id, active) ? withoutMiddle(state, id, setup) : (state.accepted[id] ?? ''),
      hint: id.endsWith('Again') ? hintAgain(state, id, setup) : text.hint,
      explain: text.explain,
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(id === state.error?.field ? { error: state.error.why } : {}),
    }
  })
}

function isAskedAgain(id: SignField, active: SignField | undefined): boolean {
  return active === `${id}Again`
}

/** Of the address that a rehearsal proposes nobody has a record but the screen. */
function isProposed({ accepted }: SignState, id: string, { suggestedAddress }: Setup): boolean {
  const address = accepted[id === 'withdrawal' ? 'withdrawal' : 'operator']
  return suggestedAddress !== undefined && address !== undefined && sameHex(address, suggestedAddress)
}

/** An address has ten groups of four digits; two neighbours are asked for. */
function hintAgain(state: SignState, id: SignField, setup: Setup): string {
  return isProposed(state, id.replace('Again', ''), setup) ? SIGN_TEXT.again.proposed : SIGN_TEXT.again.own
}

function againLabel({ challengeOffset }: SignState): string {
  const { first, second } = groupsAt(challengeOffset)
  return SIGN_TEXT.again.label(first, second)
}

/** While a part of an address is asked for again, that part is not shown, unless it stands nowhere else. */
function withoutMiddle(state: SignState, id: SignField, setup: Setup): string {
  const value = state.accepted[id] ?? ''
  const at = 2 + state.challengeOffset
  const [before, asked, behind] = [value.slice(0, at), value.slice(at, at + 8), value.slice(at + 8)]
  const shown = isProposed(state, id, setup) ? asked : '········'
  const groups = (digits: string) => digits.match(/.{1,4}/g)?.join(' ') ?? ''
  return `0x${groups(before.slice(2))}[${groups(shown)}]${groups(behind)}`
}

/**
 * What a field begins with: what was accepted in it, so that it can be corrected, else what is proposed. An address of
 * which a part is asked for again begins empty, or that part could be read there.
 */
function beginsWith(state: SignState, id: SignField, setup: Setup): string | undefined {
  const active = nextField(state)
  if (isAskedAgain(id, active) && !isProposed(state, id, setup)) return ''
  return state.accepted[id] ?? (id === active ? suggestionFor(id, setup) : undefined)
}

function suggestionFor(field: SignField, { network, suggestedAddress }: Setup): string | undefined {
  if (field === 'amount') return formatGwei(network.minimumDepositGwei).replaceAll(',', '')
  if (field === 'withdrawal' || field === 'operator') return suggestedAddress
  return undefined
}
