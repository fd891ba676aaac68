import { credentialsOf } from '../../deposit/credentials.ts'
import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { ownCommand, shellCommand } from '../../format/text.ts'
import { PRESETS } from '../../network/presets.ts'
import { factRow, moneyUntouched, provenCount, verdictOf } from '../rows.ts'
import { type ActionView, goOn, type StepView } from '../step-view.ts'
import type { FactRow, Problem } from '../view.ts'
import { accountRows, sameAddressNotes } from './accounts.ts'
import { broughtField, fieldViews } from './fields.ts'
import {
  awaitsSignature,
  type OpinionId,
  opinionsAgree,
  planOf,
  type SignPlan,
  type SignState,
} from './machine.ts'
import { FIELD_TEXT, SIGN_TEXT as TEXT, whoCanDoWhat } from './text.ts'
import { nextField, type SignField } from './typing.ts'

/** Everything the signing screen draws. */
export function signView(state: SignState, setup: Setup): StepView {
  const { token } = setup.network.names
  const waits = awaitsSignature(state)
  const active = waits ? 'signature' : typedField(state)
  const problem = signProblem(state)
  const done = opinionsAgree(state)
  const opinions = state.plan === undefined || waits ? [] : opinionRows(state, setup)
  return {
    step: 'sign',
    title: TEXT.title,
    ...(opinions.length === 0
      ? {}
      : {
          verdict: verdictOf(opinions, {
            isOpen: done,
            good: TEXT.good(provenCount(opinions)),
          }),
        }),
    sections: ['intro', 'fields', 'facts', 'notes', 'picture'],
    intro: introOf(state, setup),
    ...(state.plan === undefined ? {} : { factsTitle: waits ? TEXT.factsTitle.there : TEXT.factsTitle.here }),
    facts: [...(state.plan === undefined ? accountRows(state) : planRows(state, setup)), ...opinions],
    fields: fieldsOf(state, setup),
    ...(state.plan === undefined ? { picture: whoCanDoWhat(setup.network) } : {}),
    ...(active === undefined ? {} : { activeField: active }),
    checks: [],
    ladder: [],
    timeline: [],
    notes: notesOf(state, setup),
    money: moneyUntouched(TEXT.worst, token),
    ...(problem === undefined ? {} : { problem }),
    actions: signActions(state, done),
    commands: signCommands(state, setup),
    done,
  }
}

function notesOf(state: SignState, setup: Setup): string[] {
  if (awaitsSignature(state))
    return [
      toolCommand(state, setup),
      TEXT.judgeThere,
      ownCommand(undefined, 'verify', ...verifyWords(state, setup)),
    ]
  return state.plan === undefined ? sameAddressNotes(state) : []
}

function typedField(state: SignState): SignField | undefined {
  return state.plan === undefined ? nextField(state) : undefined
}

function fieldsOf(state: SignState, setup: Setup): StepView['fields'] {
  if (awaitsSignature(state)) return [broughtField(state)]
  return state.plan === undefined ? fieldViews(state, setup) : []
}

const KEY_HOME = '<home of the key>'

function introOf(state: SignState, { network }: Setup): string {
  const { intro } = TEXT
  if (awaitsSignature(state)) return intro.elsewhere
  if (state.filePath !== undefined) return intro.written(state.filePath)
  if (state.plan === undefined) return intro.typed
  return intro.planned(`${formatGwei(network.minimumDepositGwei)} ${network.names.token}`)
}

/** The plan, each address with what stands there. */
function planRows(state: SignState, { network }: Setup): FactRow[] {
  const { plan } = state
  if (plan === undefined) return []
  const { label, explain } = FIELD_TEXT.amount
  const value = `${formatGwei(plan.amountGwei)} ${network.names.token}`
  const long = { withdrawal: plan.withdrawalAddress, operator: plan.operator }
  const addresses = accountRows(state).map(({ field, ...row }) => {
    const typed = FIELD_TEXT[field]
    const what = `${typed.explain.what} ${row.explain.what}`
    const later = typed.explain.later
    return {
      ...row,
      id: field,
      label: typed.label,
      long: long[field],
      explain: { ...row.explain, what, later },
    }
  })
  return [{ id: 'amount', mark: 'given', label, value, source: 'you', explain }, ...addresses]
}

function opinionRows({ seen, plan }: SignState, { network }: Setup): FactRow[] {
  return (Object.keys(TEXT.verifiers) as OpinionId[]).map((id) =>
    factRow({
      id,
      label: TEXT.verifiers[id].label,
      observation: seen[id],
      judge: (value) => value.accepts,
      say: (value) => value.words,
      unasked: unaskedWords(id, plan?.elsewhere === true),
      explain: { ...TEXT.verifier, who: TEXT.verifiers[id].who(network.names.nodeTool) },
    }),
  )
}

function signActions(state: SignState, done: boolean): StepView['actions'] {
  const plan = planOf(state)
  if (state.plan === undefined) return plan === undefined ? [] : planActions(plan, state)
  return [
    ...(done ? [goOn('sign')] : []),
    { key: 'e', label: TEXT.keys.edit, does: [{ step: 'sign', type: 'dropped' }] },
    ...(state.signature === undefined ? [] : [SAVE]),
    { key: 'r', label: TEXT.keys.again, does: [{ step: 'sign', type: 'retried' }] },
  ]
}

const SAVE: ActionView = { key: 's', label: TEXT.keys.save, does: [{ step: 'sign', type: 'saveAsked' }] }

function planActions(plan: SignPlan, { keyElsewhere }: SignState): ActionView[] {
  const there: ActionView = {
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
  if (state.failure !== undefined) {
    const { shortMessage, money, details, nextSteps } = state.failure
    return {
      title: shortMessage,
      money,
      values: [],
      lines: details,
      next: awaitsSignature(state) ? nextSteps : [...nextSteps, TEXT.tryAgain],
    }
  }
  const refused = Object.values(state.seen).find((seen) => seen.status === 'known' && !seen.value.accepts)
  if (refused === undefined || refused.status !== 'known' || state.signature === undefined) return undefined
  return {
    title: TEXT.refused.title,
    money: 'untouched',
    values: [{ label: TEXT.refused.label, value: state.signature.signature }],
    lines: [`${refused.source}: ${refused.value.words}`, TEXT.refused.why],
    next: TEXT.refused.next,
  }
}

function signCommands(state: SignState, setup: Setup): string[] {
  if (state.plan?.elsewhere !== true) return [toolCommand(state, setup)]
  const sign = state.plan.rescue ? [] : [signCommand(state.plan, setup)]
  // The key machine may have the program under another name or at another place: it is called by its own one there.
  return [toolCommand(state, setup), ownCommand(setup.own, 'verify', ...verifyWords(state, setup)), ...sign]
}

function toolCommand({ plan }: SignState, { network, homePath }: Setup): string {
  const address = plan?.withdrawalAddress ?? '<withdrawal address>'
  const amount = plan === undefined ? '<gwei>' : plan.amountGwei.toString()
  const home = plan?.elsewhere === true ? KEY_HOME : (homePath ?? KEY_HOME)
  const { names, genesisValidatorsRoot: root } = network
  const verb = ['deposit', 'create-validator']
  return shellCommand(names.nodeTool, ...verb, address, amount, '-g', root, '--home', home)
}

/** The same signature by this program, where it is on the key machine too; it writes a deposit file to bring here. */
function signCommand(plan: SignPlan, { network }: Setup): string {
  const { withdrawalAddress, operator } = plan
  const amount = formatGwei(plan.amountGwei).replaceAll(',', '')
  const words = ['--withdrawal', withdrawalAddress, '--operator', operator, '--amount', amount]
  return ownCommand(undefined, 'sign', ...networkOption(network), ...words, '--home', KEY_HOME)
}

function networkOption({ id, kind }: Setup['network']): [string, string] {
  if (kind === 'rehearsal') return ['--devnet', '<descriptor>']
  return ['--network', PRESETS.some((preset) => preset.id === id) ? id : '<network file>']
}

function verifyWords({ plan, pubkey }: SignState, { network }: Setup): string[] {
  const credentials = plan === undefined ? '<credentials>' : credentialsOf(plan.withdrawalAddress)
  const amount = plan === undefined ? '<gwei>' : plan.amountGwei.toString()
  const deposit = ['--pubkey', pubkey ?? '<public key>', '--credentials', credentials, '--amount', amount]
  const chain = ['--root', network.genesisValidatorsRoot, '--fork-version', network.genesisForkVersion]
  return [...deposit, '--signature', '<signature>', ...chain]
}

function unaskedWords(id: OpinionId, elsewhere: boolean): string {
  const { notYet, elsewhere: notHere, noTool } = TEXT.unasked
  if (!id.startsWith('tool')) return notYet
  return elsewhere && id === 'tool' ? notHere : noTool
}
