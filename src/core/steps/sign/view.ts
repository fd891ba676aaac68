import { credentialsOf } from '../../deposit/credentials.ts'
import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { ownCommand, shellCommand } from '../../format/text.ts'
import { PRESETS } from '../../network/presets.ts'
import { factRow, moneyUntouched } from '../rows.ts'
import { type ActionView, goOn, type StepView } from '../step-view.ts'
import { provenCount, verdictOf } from '../verdict.ts'
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
import { FIELD_TEXT, whoCanDoWhat } from './text.ts'
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
    title: 'Sign the first deposit',
    ...(opinions.length === 0
      ? {}
      : {
          verdict: verdictOf(opinions, {
            isOpen: done,
            good: `${provenCount(opinions)} verifiers accept this signature, none refuses. Enter goes on.`,
          }),
        }),
    sections: ['intro', 'fields', 'facts', 'notes', 'picture'],
    intro: introOf(state, setup),
    ...(state.plan === undefined ? {} : { factsTitle: waits ? THERE : OPINIONS }),
    facts: [...(state.plan === undefined ? accountRows(state) : planRows(state, setup)), ...opinions],
    fields: fieldsOf(state, setup),
    ...(state.plan === undefined ? { picture: whoCanDoWhat(setup.network) } : {}),
    ...(active === undefined ? {} : { activeField: active }),
    checks: [],
    ladder: [],
    timeline: [],
    notes: notesOf(state, setup),
    money: moneyUntouched('worst case here: none. The signature is only a file until you send it.', token),
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
      JUDGE_THERE,
      ownCommand(undefined, 'verify', ...verifyWords(state, setup)),
    ]
  return state.plan === undefined ? sameAddressNotes(state) : []
}

const THERE = 'What the key machine signs'
const OPINIONS = 'Will the chain accept this signature?'

function typedField(state: SignState): SignField | undefined {
  return state.plan === undefined ? nextField(state) : undefined
}

function fieldsOf(state: SignState, setup: Setup): StepView['fields'] {
  if (awaitsSignature(state)) return [broughtField(state)]
  return state.plan === undefined ? fieldViews(state, setup) : []
}

const KEY_HOME = '<home of the key>'
const JUDGE_THERE = 'If bearings is installed on the key machine too, check the signature there with:'

function introOf(state: SignState, setup: Setup): string {
  const { token } = setup.network.names
  if (awaitsSignature(state))
    return 'Run the first command below on the key machine, then import the signature here.'
  if (state.filePath !== undefined) return `The deposit file was written: ${state.filePath}`
  if (state.plan !== undefined)
    return `The least that registers is 10,000 ${token}. Exactly the signed amount is sent.`
  return 'The withdrawal address gets the stake back and can never be changed, so you retype a part of it. The operator manages the rewards.'
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
  const labels: Readonly<Record<OpinionId, string>> = {
    library: 'signature library',
    precompile: 'execution client',
    tool: 'node tool signs',
    toolValidate: 'node tool checks',
  }
  const who: Readonly<Record<OpinionId, string>> = {
    library:
      'This computer, with the signature library (BLS12-381) and the domain tag of this chain (NUL). First every byte is parsed strictly.',
    precompile:
      'Your execution client, with its built-in signature functions (precompiles). Other code than for the signature library computes the signed message.',
    tool: `The node tool (${network.names.nodeTool}) signs the same message itself: its 96 bytes must be equal to these.`,
    toolValidate: `The node tool (${network.names.nodeTool}) checks this signature.`,
  }
  return (Object.keys(labels) as OpinionId[]).map((id) =>
    factRow({
      id,
      label: labels[id],
      observation: seen[id],
      judge: (value) => value.accepts,
      say: (value) => value.words,
      unasked: unaskedWords(id, plan?.elsewhere === true),
      explain: {
        what: 'One signature check: does this verifier accept the signature? Two verifiers that share no code must accept it, and none may refuse.',
        who: who[id],
        later:
          'No. A deposit with a signature that the chain refuses is lost, so this is checked before anything is sent.',
      },
    }),
  )
}

function signActions(state: SignState, done: boolean): StepView['actions'] {
  const plan = planOf(state)
  if (state.plan === undefined) return plan === undefined ? [] : planActions(plan, state)
  return [
    ...(done ? [goOn('sign')] : []),
    { key: 'e', label: 'edit', does: [{ step: 'sign', type: 'dropped' }] },
    ...(state.signature === undefined ? [] : [SAVE]),
    { key: 'r', label: 'ask again', does: [{ step: 'sign', type: 'retried' }] },
  ]
}

const SAVE: ActionView = { key: 's', label: 'save deposit file', does: [{ step: 'sign', type: 'saveAsked' }] }

function planActions(plan: SignPlan, { keyElsewhere }: SignState): ActionView[] {
  const there: ActionView = {
    key: 'f',
    label: 'sign elsewhere',
    does: [{ step: 'sign', type: 'planned', plan: { ...plan, elsewhere: true } }],
  }
  return [
    {
      key: 'return',
      label: keyElsewhere ? 'use this plan' : 'sign',
      does: [{ step: 'sign', type: 'planned', plan }],
    },
    ...(keyElsewhere ? [] : [there]),
    { key: 'e', label: 'correct', does: { edit: 'withdrawal' } },
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
      next: awaitsSignature(state) ? nextSteps : [...nextSteps, 'r tries again'],
    }
  }
  const refused = Object.values(state.seen).find((seen) => seen.status === 'known' && !seen.value.accepts)
  if (refused === undefined || refused.status !== 'known' || state.signature === undefined) return undefined
  return {
    title: 'Stop: one verifier refuses this signature.',
    money: 'untouched',
    values: [{ label: 'signature', value: state.signature.signature }],
    lines: [
      `${refused.source}: ${refused.value.words}`,
      'The chain keeps the money of a deposit whose signature it refuses. So this program does not send it.',
    ],
    next: ['r asks all verifiers again', 'e starts over with other values'],
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
  if (!id.startsWith('tool')) return 'not asked yet'
  return elsewhere && id === 'tool' ? 'not here: the key is elsewhere' : 'not installed'
}
