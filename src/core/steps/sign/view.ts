import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { groupHex } from '../../format/hex.ts'
import { factRow, moneyUntouched } from '../rows.ts'
import type { Explain, FactRow, FieldView, Problem, StepView } from '../view.ts'
import {
  nextField,
  type OpinionId,
  opinionsAgree,
  planOf,
  SIGN_FIELDS,
  type SignField,
  type SignState,
} from './machine.ts'

/** Everything the signing screen draws. */
export function signView(state: SignState, setup: Setup): StepView {
  const { token } = setup.network.names
  const active = state.plan === undefined ? nextField(state) : undefined
  const problem = signProblem(state)
  const done = opinionsAgree(state)
  return {
    step: 'sign',
    title: 'Sign the first deposit',
    intro: introOf(state, token),
    factsTitle: 'Is this signature what the chain will accept?',
    facts: state.plan === undefined ? [] : [...planRows(state, setup), ...opinionRows(state, setup)],
    fields: state.plan === undefined ? fieldViews(state, setup) : [],
    ...(active === undefined ? {} : { activeField: active }),
    checks: [],
    ladder: [],
    timeline: [],
    notes: state.filePath === undefined ? [] : [`deposit file written: ${state.filePath}`],
    money: moneyUntouched('worst case here: none. The signature is only a file until you send it.', token),
    ...(problem === undefined ? {} : { problem }),
    actions: signActions(state, done),
    commands: signCommands(state, setup),
    done,
  }
}

function introOf(state: SignState, token: string): string {
  if (state.plan !== undefined)
    return `10,000 ${token} is the least that registers. What is signed is what is sent.`
  return 'Two addresses and an amount. The withdrawal address can never be changed, so part of it is typed twice.'
}

const FIELD_TEXT: Readonly<Record<SignField, { label: string; hint: string; explain: Explain }>> = {
  withdrawal: {
    label: 'withdrawal',
    hint: '0x and 40 digits, with the capitals of its checksum',
    explain: {
      what: 'Where the stake is paid out when the validator leaves. It must be an account that you control yourself: not an exchange.',
      who: 'You.',
      later: 'Never. It is part of the signature and of the validator for ever.',
    },
  },
  withdrawalAgain: {
    label: 'its middle, again',
    hint: '',
    explain: {
      what: 'A forged address looks the same at both ends. So a random piece of the middle is typed again, from your own record.',
      who: 'You.',
      later: 'It is only a check.',
    },
  },
  operator: {
    label: 'operator',
    hint: 'who receives the rewards; the same form',
    explain: {
      what: 'The account that manages the validator’s rewards in the contract. It is set by the first deposit.',
      who: 'You.',
      later: 'Yes, by this account itself, with a delay of a day.',
    },
  },
  operatorAgain: {
    label: 'its middle, again',
    hint: '',
    explain: {
      what: 'The same check for the second address.',
      who: 'You.',
      later: 'It is only a check.',
    },
  },
  amount: {
    label: 'amount',
    hint: 'tokens; the least is proposed',
    explain: {
      what: 'What the first deposit sends. It registers the key; the rest follows as a top-up once the chain knows the validator.',
      who: 'You.',
      later: 'More can be added; nothing can be taken out before the activation threshold is reached.',
    },
  },
}

function fieldViews(state: SignState, setup: Setup): FieldView[] {
  const active = nextField(state)
  return SIGN_FIELDS.map((id) => {
    const text = FIELD_TEXT[id]
    const suggestion = id === active ? suggestionFor(id, setup) : undefined
    return {
      id,
      label: text.label,
      value: shownValue(state, id, active),
      hint: id.endsWith('Again')
        ? `groups ${state.challengeOffset / 4 + 1} and ${state.challengeOffset / 4 + 2} of four, from your own record`
        : text.hint,
      explain: text.explain,
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(id === active && state.error !== undefined ? { error: state.error } : {}),
    }
  })
}

/** While a part of an address is asked for again, that part is not shown. */
function shownValue(state: SignState, id: SignField, active: SignField | undefined): string {
  const value = state.accepted[id] ?? ''
  if (active !== `${id}Again`) return value
  const from = 2 + state.challengeOffset
  return groupHex(`${value.slice(0, from)}········${value.slice(from + 8)}`)
}

function suggestionFor(field: SignField, { network, suggestedAddress }: Setup): string | undefined {
  if (field === 'amount') return formatGwei(network.minimumDepositGwei).replaceAll(',', '')
  if (field === 'withdrawal' || field === 'operator') return suggestedAddress
  return undefined
}

function planRows({ plan }: SignState, setup: Setup): FactRow[] {
  if (plan === undefined) return []
  const row = (id: SignField, value: string, long?: string): FactRow => ({
    id,
    mark: 'proven',
    label: FIELD_TEXT[id].label,
    value,
    source: 'you',
    explain: FIELD_TEXT[id].explain,
    ...(long === undefined ? {} : { long }),
  })
  return [
    row('amount', `${formatGwei(plan.amountGwei)} ${setup.network.names.token}`),
    row('withdrawal', 'never to be changed', plan.withdrawalAddress),
    row('operator', 'manages the rewards', plan.operator),
  ]
}

function opinionRows({ seen }: SignState, { network }: Setup): FactRow[] {
  const labels: Readonly<Record<OpinionId, string>> = {
    library: 'curve library',
    precompile: 'precompile',
    tool: `${network.names.nodeTool} signs`,
    toolValidate: `${network.names.nodeTool} validates`,
  }
  const who: Readonly<Record<OpinionId, string>> = {
    library: 'This computer: strict parsing first, then the curve library with the chain’s own tag.',
    precompile: 'The execution client’s built-in curve, with a signing root made by other code.',
    tool: 'The node tool, which signs the same message itself: the bytes must be equal.',
    toolValidate: 'The node tool, asked to judge this signature.',
  }
  return (Object.keys(labels) as OpinionId[]).map((id) =>
    factRow({
      id,
      label: labels[id],
      observation: seen[id],
      judge: (value) => value.accepts,
      say: (value) => value.words,
      unasked: id.startsWith('tool') ? 'not installed' : 'not asked yet',
      explain: {
        what: 'One opinion on whether the chain will accept the signature. Two that share no code must agree, and none may refuse.',
        who: who[id],
        later:
          'A deposit with a signature that the chain refuses is lost: so it is settled before anything is sent.',
      },
    }),
  )
}

function signActions(state: SignState, done: boolean): StepView['actions'] {
  if (state.plan === undefined)
    return planOf(state) === undefined
      ? []
      : [
          { id: 'plan', key: 'return', label: 'sign' },
          { id: 'drop', key: 'e', label: 'start over' },
        ]
  return [
    ...(done ? [{ id: 'next', key: 'return', label: 'continue' }] : []),
    { id: 'drop', key: 'e', label: 'edit' },
    ...(state.signature === undefined ? [] : [{ id: 'save', key: 's', label: 'save deposit file' }]),
    { id: 'retry', key: 'r', label: 'ask again' },
  ]
}

function signProblem(state: SignState): Problem | undefined {
  if (state.failure !== undefined) {
    const { shortMessage, money, details, nextSteps } = state.failure
    return { title: shortMessage, money, values: [], lines: details, next: [...nextSteps, 'r tries again'] }
  }
  const refused = Object.values(state.seen).find((seen) => seen.status === 'known' && !seen.value.accepts)
  if (refused === undefined || refused.status !== 'known' || state.signature === undefined) return undefined
  return {
    title: 'Stop: one judge refuses this signature.',
    money: 'untouched',
    values: [{ label: 'signature', value: state.signature.signature }],
    lines: [
      `${refused.source}: ${refused.value.words}`,
      'The chain would burn a deposit that it refuses. It cannot be sent from here.',
    ],
    next: ['r asks all of them again', 'e starts over with other values'],
  }
}

function signCommands(state: SignState, setup: Setup): string[] {
  const { network, homePath } = setup
  const plan = state.plan
  const tool = network.names.nodeTool
  const address = plan?.withdrawalAddress ?? '<withdrawal address>'
  const amount = plan === undefined ? '<gwei>' : plan.amountGwei.toString()
  return [
    `${tool} deposit create-validator ${address} ${amount} -g ${network.genesisValidatorsRoot} --home '${homePath}'`,
  ]
}
