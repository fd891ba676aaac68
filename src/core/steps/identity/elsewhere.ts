import { formatGwei } from '../../base/format/amount.ts'
import { sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { shellCommand } from '../../base/format/text.ts'
import { withChecksum } from '../../chain/deposit/credentials.ts'
import type { Setup } from '../../chain/facts.ts'
import { known, markOf } from '../../view/observation.ts'
import { factRow, moneyUntouched } from '../../view/rows.ts'
import { goOn, type StepView, stepView } from '../../view/step-view.ts'
import { STEP_NAMES_TEXT } from '../../view/text.ts'
import type { FactRow } from '../../view/view.ts'
import type { Adoption, IdentityEvent, IdentityState } from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

const TEXT = IDENTITY_TEXT.elsewhere
type DoneStep = 'sign' | 'deposit'

/** Draws a step that was done elsewhere for an adopted validator, with what the chain still shows of it. */
export function elsewhereView(
  step: DoneStep,
  state: IdentityState,
  { network }: Setup,
): StepView<IdentityEvent> {
  const { names, spec } = network
  const { adopted } = state
  return stepView({
    step,
    title: STEP_NAMES_TEXT.of[step].title,
    sections: ['intro', 'facts', 'notes'],
    intro: TEXT.intro(adopted?.index),
    factsTitle: TEXT.factsTitle,
    facts: adopted === undefined ? [] : rowsOf(step, state, adopted, names.token),
    notes: TEXT.notes,
    money: moneyUntouched(TEXT.worst, names.token),
    actions: [goOn(step)],
    commands: [
      shellCommand('cast', 'logs', '--address', spec.depositContract, '--from-block', '0', OPERATOR_EVENT),
    ],
    done: true,
  })
}

const OPERATOR_EVENT = 'OperatorUpdated(bytes indexed pubkey,address newOperator,address previousOperator)'

/** What was typed and told when the validator was adopted, or how it came to be. */
function rowsOf(step: DoneStep, state: IdentityState, adopted: Adoption, token: string): FactRow[] {
  const { withdrawalAddress, operator } = adopted
  if (step === 'deposit') return [originRow(state, adopted), depositsRow(state, token)]
  return [
    { id: 'withdrawal', mark: 'given', long: withdrawalAddress, ...TEXT.withdrawal },
    {
      id: 'operator',
      mark: 'given',
      ...TEXT.operator(operator),
      ...(sameHex(operator, ZERO_ADDRESS) ? {} : { long: withChecksum(operator) }),
    },
  ]
}

function originRow({ observed }: IdentityState, { operator }: Adoption): FactRow {
  const { label, inBlock, noEvent, explain } = TEXT.setBy
  return factRow({
    id: 'setBy',
    label,
    observation: observed.history,
    judge: ({ setBy }) => (setBy === undefined && !sameHex(operator, ZERO_ADDRESS) ? undefined : true),
    say: ({ setBy }) => (setBy === undefined ? noEvent(operator) : inBlock(setBy.blockNumber)),
    long: ({ setBy }) => setBy?.transactionHash,
    explain,
  })
}

function depositsRow({ observed }: IdentityState, token: string): FactRow {
  const { label, source, asking, total, explain } = TEXT.deposits
  const deposits = known(observed.history)?.deposits
  const sumGwei = deposits?.reduce((sum, { amountGwei }) => sum + amountGwei, 0n) ?? 0n
  return {
    id: 'deposits',
    mark: markOf(observed.history, () => true),
    label,
    value: deposits === undefined ? asking : total(deposits.length, `${formatGwei(sumGwei)} ${token}`),
    source,
    explain,
  }
}
