import { formatGwei, typedGwei } from '../../base/format/amount.ts'
import { ownCommand, shellCommand } from '../../base/format/text.ts'
import { credentialsOf } from '../../chain/deposit/credentials.ts'
import type { Setup } from '../../chain/facts.ts'
import { POOLS_TEXT } from '../../chain/network/pools.ts'
import { PRESETS } from '../../chain/network/presets.ts'
import { firstAmountRows } from '../../view/amount-rows.ts'
import {
  drawRows,
  errorProblem,
  moneyUntouched,
  problemOf,
  provenCount,
  rowsVerdict,
} from '../../view/rows.ts'
import { type ActionView, goOn, type StepView, stepView } from '../../view/step-view.ts'
import type { FactRow, Problem } from '../../view/view.ts'
import {
  ACCOUNT_FACTS,
  type AccountAnswers,
  isOneAddress,
  SIGN_FACTS,
  type SignField,
  verifiersAgree,
} from './facts.ts'
import { FUNDS_FACTS, firstAmount } from './funds.ts'
import { acceptedPlan, awaitsSignature, type SignEvent, type SignPlan, type SignState } from './machine.ts'
import { PICTURE_TEXT } from './picture-text.ts'
import { SIGN_TEXT as TEXT } from './text.ts'
import { fieldViews, importedField, nextField } from './typing.ts'

const { blanks: BLANKS } = TEXT

/** Everything the signing screen draws; `isInUse`: a payment is made of the signature. */
export function signView(state: SignState, setup: Setup, { isInUse = false } = {}): StepView<SignEvent> {
  const { token } = setup.network.names
  const waits = awaitsSignature(state)
  const done = verifiersAgree(state)
  const { plan } = state
  const about = { isElsewhere: plan?.elsewhere === true, setup }
  const checks = plan === undefined || waits ? [] : drawRows(SIGN_FACTS, state.observed, about)
  return stepView({
    step: 'sign',
    title: TEXT.title,
    verdict:
      checks.length === 0
        ? undefined
        : rowsVerdict(checks, { isOpen: done, good: TEXT.good(provenCount(checks)) }),
    sections: ['intro', 'fields', 'facts', 'notes', 'picture'],
    intro: isInUse ? TEXT.intro.inUse : introOf(state, setup),
    factsTitle: plan && (waits ? TEXT.factsTitle.there : TEXT.factsTitle.here),
    facts: [
      ...(plan === undefined ? [] : planRows(state, plan, setup)),
      ...(isInUse ? [] : fundsRows(state, setup)),
      ...(plan === undefined ? accountRows(state) : []),
      ...checks,
    ],
    fields: fieldsOf(state, setup),
    picture: plan === undefined ? PICTURE_TEXT.whoCanDoWhat(setup.network) : undefined,
    activeField: waits ? 'signature' : typedField(state),
    notes: notesOf(state, setup),
    money: moneyUntouched(TEXT.worst, token),
    problem: signProblem(state),
    actions: signActions(state, { done, isInUse }),
    commands: signCommands(state, setup),
    done,
  })
}

/** A row about one of the addresses. */
type AccountRow = FactRow & { field: keyof AccountAnswers }

/** What stands at each address that is typed. */
function accountRows(state: SignState): AccountRow[] {
  return drawRows(ACCOUNT_FACTS, state.accounts, state).map((row) => ({
    ...row,
    field: row.id as keyof AccountAnswers,
    id: `${row.id}Account`,
  }))
}

/** What the whole way costs, beside what the account holds: from the field of the amount on, until it is signed. */
function fundsRows(state: SignState, setup: Setup): FactRow[] {
  const { funds: observed, signature } = state
  const isBefore = signature === undefined && ['amount', undefined].includes(typedField(state))
  if (!isBefore) return []
  return drawRows(FUNDS_FACTS, observed, {
    observed,
    amountGwei: firstAmount(state, setup),
    setup,
  })
}

/** Whether the two addresses are one, in words, once both are typed. */
function sameAddressNotes(state: SignState): string[] {
  const isOne = isOneAddress(state)
  if (isOne === undefined) return []
  return [isOne ? TEXT.sameAddress : TEXT.twoAddresses]
}

function notesOf(state: SignState, setup: Setup): string[] {
  if (awaitsSignature(state))
    return [
      toolCommand(state, setup),
      TEXT.judgeThere,
      ownCommand(onKeyMachine(setup), 'verify', ...verifyWords(state, setup)),
    ]
  return state.plan === undefined ? sameAddressNotes(state) : []
}

function typedField(state: SignState): SignField | undefined {
  return state.plan === undefined ? nextField(state) : undefined
}

function fieldsOf(state: SignState, setup: Setup): StepView<SignEvent>['fields'] {
  if (awaitsSignature(state)) return [importedField(state)]
  return state.plan === undefined ? fieldViews(state, setup) : []
}

function introOf(state: SignState, { network }: Setup): string {
  const { intro } = TEXT
  if (awaitsSignature(state)) return intro.elsewhere
  if (state.filePath !== undefined) return intro.written(state.filePath)
  if (state.plan === undefined)
    return network.pools === undefined ? intro.typed : `${intro.typed} ${POOLS_TEXT.never}`
  return intro.planned(`${formatGwei(network.minimumDepositGwei)} ${network.names.token}`)
}

/** The plan, each address with what stands there. */
function planRows(state: SignState, plan: SignPlan, { network }: Setup): FactRow[] {
  const { amountGwei } = plan
  const { label, explain } = TEXT.fields.amount
  const value = `${formatGwei(amountGwei)} ${network.names.token}`
  const long = { withdrawal: plan.withdrawalAddress, operator: plan.operator }
  const addresses = accountRows(state).map(({ field, ...row }) => {
    const typed = TEXT.fields[field]
    const what = [typed.explain.what, row.explain.what].join(' ')
    const later = typed.explain.later
    return {
      ...row,
      id: field,
      label: typed.label,
      long: long[field],
      explain: { ...row.explain, what, later },
    }
  })
  return [
    { id: 'amount', mark: 'given', label, value, source: 'you', explain },
    ...firstAmountRows(amountGwei, network),
    ...addresses,
  ]
}

type Standing = { done: boolean; isInUse: boolean }

function signActions(state: SignState, { done, isInUse }: Standing): StepView<SignEvent>['actions'] {
  const plan = acceptedPlan(state)
  if (state.plan === undefined) return plan === undefined ? [] : planActions(plan, state)
  return [
    ...(done ? [goOn('sign')] : []),
    ...(isInUse ? [] : [EDIT]),
    ...(awaitsSignature(state) && !isInUse ? [UNPLAN] : []),
    ...(state.signature === undefined ? [] : [SAVE]),
    { key: 'r', label: TEXT.keys.again, does: [{ step: 'sign', type: 'retried' }] },
  ]
}

const EDIT: ActionView<SignEvent> = {
  key: 'e',
  label: TEXT.keys.edit,
  does: [{ step: 'sign', type: 'dropped' }],
}
/** Esc leads back to where the signature elsewhere was chosen, with all that was typed. */
const UNPLAN: ActionView<SignEvent> = { ...EDIT, key: 'escape', label: TEXT.keys.unplan }
const SAVE: ActionView<SignEvent> = {
  key: 's',
  label: TEXT.keys.save,
  does: [{ step: 'sign', type: 'saveAsked' }],
}

function planActions(plan: SignPlan, { keyElsewhere }: SignState): ActionView<SignEvent>[] {
  const there: ActionView<SignEvent> = {
    key: 'f',
    label: TEXT.keys.elsewhere,
    does: [{ step: 'sign', type: 'planned', plan: { ...plan, elsewhere: true } }],
  }
  return [
    {
      key: 'return',
      label: keyElsewhere ? TEXT.keys.plan : TEXT.keys.sign,
      does: [{ step: 'sign', type: 'planned', plan }],
    },
    ...(keyElsewhere ? [] : [there]),
    { key: 'e', label: TEXT.keys.correct, does: { edit: 'withdrawal' } },
  ]
}

function signProblem(state: SignState): Problem | undefined {
  if (state.failure !== undefined)
    return errorProblem(state.failure, ...(awaitsSignature(state) ? [] : [TEXT.tryAgain]))
  const refused = Object.values(state.observed).find(
    (observation) => observation.status === 'known' && !observation.value.accepts,
  )
  if (refused === undefined || refused.status !== 'known' || state.signature === undefined) return undefined
  const { label, why, ...text } = TEXT.refused
  const lines = [`${refused.source}: ${refused.value.words}`, why]
  return problemOf({ id: 'sign.refused', kind: 'stop' }, { ...text, lines }, [
    { label, value: state.signature.signature },
  ])
}

function signCommands(state: SignState, setup: Setup): string[] {
  if (state.plan?.elsewhere !== true) return [toolCommand(state, setup)]
  const sign = state.plan.rescue ? [] : [signCommand(state.plan, setup)]
  // The key machine may have the program under another name or at another place: it is called by its own one there.
  return [toolCommand(state, setup), ownCommand(setup.own, 'verify', ...verifyWords(state, setup)), ...sign]
}

function toolCommand({ plan }: SignState, { network, homePath }: Setup): string {
  const address = plan?.withdrawalAddress ?? BLANKS.withdrawal
  const amount = plan === undefined ? BLANKS.gwei : plan.amountGwei.toString()
  const home = plan?.elsewhere === true ? BLANKS.home : (homePath ?? BLANKS.home)
  const { names, genesisValidatorsRoot: root } = network
  const verb = ['deposit', 'create-validator']
  return shellCommand(names.nodeTool, ...verb, address, amount, '-g', root, '--home', home)
}

/** The same signature by this program, where it is on the key machine too; it writes a deposit file to bring here. */
function signCommand(plan: SignPlan, setup: Setup): string {
  const { withdrawalAddress, operator } = plan
  const amount = typedGwei(plan.amountGwei)
  const words = ['--withdrawal', withdrawalAddress, '--operator', operator, '--amount', amount]
  const place = [...networkOption(setup.network), ...words, '--home', BLANKS.home]
  return ownCommand(onKeyMachine(setup), 'sign', ...place)
}

const onKeyMachine = ({ own }: Setup) => own && { program: own.program, options: [] }

function networkOption({ id, kind }: Setup['network']): [string, string] {
  if (kind === 'rehearsal') return ['--devnet', BLANKS.descriptor]
  return ['--network', PRESETS.some((preset) => preset.id === id) ? id : BLANKS.networkFile]
}

function verifyWords({ plan, pubkey }: SignState, { network }: Setup): string[] {
  const credentials = plan === undefined ? BLANKS.credentials : credentialsOf(plan.withdrawalAddress)
  const amount = plan === undefined ? BLANKS.tokens : typedGwei(plan.amountGwei)
  const deposit = ['--pubkey', pubkey ?? BLANKS.pubkey, '--credentials', credentials, '--amount', amount]
  const chain = ['--root', network.genesisValidatorsRoot, '--fork-version', network.genesisForkVersion]
  return [...deposit, '--signature', BLANKS.signature, ...chain]
}
