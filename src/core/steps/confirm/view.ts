import { endpointLabel } from '../../base/format/endpoint-url.ts'
import { sameHex } from '../../base/format/hex.ts'
import { shellCommand } from '../../base/format/text.ts'
import { payoutOf } from '../../chain/deposit/credentials.ts'
import type { Facts, RegistrationFact, Setup } from '../../chain/facts.ts'
import { awaitedOf } from '../../observe/findings.ts'
import { known } from '../../view/observation.ts'
import { drawRows, failureProblem, problemOf, rowsVerdict } from '../../view/rows.ts'
import { goOn, goTo, type StepView, stepView } from '../../view/step-view.ts'
import type { Problem, Waiting } from '../../view/view.ts'
import {
  CONFIRM_FACTS,
  CONFIRM_TEXT,
  confirmedRecordFits,
  eventText,
  isAdopted,
  ownCredentials,
  signedRoot,
} from './facts.ts'
import { type ConfirmEvent, type ConfirmState, registrationFact } from './machine.ts'

/** Everything the confirmation screen draws. */
export function confirmView(state: ConfirmState, facts: Facts, setup: Setup): StepView<ConfirmEvent> {
  const { observed, doubt } = state
  const { token } = setup.network.names
  const registration = registrationFact(state, facts, setup)
  const isProven = registration !== undefined
  const rows = drawRows(CONFIRM_FACTS, observed, { observed, doubt, facts, setup })
  const problem = confirmProblem(state, facts)
  const good = CONFIRM_TEXT.good(registration?.validatorIndex, facts)
  return stepView({
    step: 'confirm',
    title: CONFIRM_TEXT.title,
    verdict: rowsVerdict(rows, { isOpen: isProven, good }),
    sections: ['intro', 'facts', 'notes'],
    intro: CONFIRM_TEXT.intro(facts),
    factsTitle: CONFIRM_TEXT.factsTitle,
    facts: rows,
    notes: notesOf(state, facts, setup, registration),
    money: {
      line: CONFIRM_TEXT.money(facts, token, isProven),
      worst: CONFIRM_TEXT.worst[isProven || isAdopted(facts) ? 'none' : worstOf(state)],
    },
    problem,
    waiting: isProven || problem !== undefined ? undefined : waitingOf(state, facts),
    actions: [
      ...(isProven ? [goOn('confirm')] : []),
      { key: 'r', label: CONFIRM_TEXT.keys.askAgain, does: [{ step: 'confirm', type: 'retried' }] },
      ...(problem === undefined
        ? []
        : [{ key: 'w', label: CONFIRM_TEXT.keys.onlyWatch, does: [goTo('status')] }]),
    ],
    commands: confirmCommands(facts, setup),
    done: isProven,
  })
}

/** What is waited for first: the node, where what it says is not of now. */
function waitingOf(state: ConfirmState, facts: Facts): Waiting | undefined {
  const { doubt } = state
  const sinceMs = isAdopted(facts) ? state.askedSinceMs : state.waitingSinceMs
  if (sinceMs === undefined) return undefined
  return doubt === undefined ? { label: CONFIRM_TEXT.waiting(facts), sinceMs } : awaitedOf(doubt)
}

/** Once the chain holds what was signed, by the proof of its own endpoint, the deposit was not refused. */
function worstOf({ observed }: ConfirmState): 'proven' | 'left' | 'open' {
  const proofs = known(observed.proofs)
  const anchor = signedRoot(observed) ?? known(observed.anchor)
  const fault = proofs?.fault?.is
  if (proofs === undefined || (fault !== undefined && fault !== 'leaving')) return 'open'
  if (anchor?.holds !== true || !sameHex(anchor.blockRoot, proofs.blockRoot)) return 'open'
  return fault === undefined ? 'proven' : 'left'
}

function notesOf(
  { doubt }: ConfirmState,
  { deposit, validator }: Facts,
  setup: Setup,
  registration: RegistrationFact | undefined,
): string[] {
  if (registration !== undefined) return [CONFIRM_TEXT.anchored(registration, setup)]
  const isOpen = deposit === undefined && validator?.origin !== 'adopted'
  return [
    ...(isOpen ? [CONFIRM_TEXT.notFinal] : []),
    ...(doubt === undefined ? [] : [CONFIRM_TEXT.doubt(doubt)]),
  ]
}

function confirmCommands(
  { deposit, identity, registration }: Facts,
  { endpoints, network }: Setup,
): string[] {
  const node = endpointLabel(endpoints.node)
  const proofs = `${node}/${network.names.proofNamespace}/proof`
  const rpc = ['--rpc-url', endpointLabel(endpoints.execution)]
  return [
    shellCommand('cast', 'receipt', deposit?.hash ?? '<hash>', ...rpc),
    shellCommand(
      'curl',
      '-s',
      `${node}/eth/v1/beacon/states/head/validators?id=${identity?.pubkey ?? '<pubkey>'}`,
    ),
    shellCommand(
      'curl',
      '-s',
      `${proofs}/validator_pubkey/head/${registration?.validatorIndex ?? '<index>'}`,
    ),
  ]
}

const stop = (what: string) => ({ id: `confirm.${what}`, kind: 'stop' }) as const

function confirmProblem({ observed }: ConfirmState, facts: Facts): Problem | undefined {
  const { validator, deposit } = facts
  // While the deposit is looked for again there is nothing to compare the record with.
  if (validator === undefined) return undefined
  const money = isAdopted(facts) ? 'untouched' : 'moved'
  const beacon = known(observed.beacon)
  if (beacon !== undefined && beacon !== 'absent' && beacon.exiting && ownCredentials(beacon, facts)) {
    const { left: text } = CONFIRM_TEXT
    return problemOf(
      stop('left'),
      { ...text, lines: text.lines(facts) },
      [payoutOf(beacon.withdrawalCredentials)],
      money,
    )
  }
  if (beacon !== undefined && beacon !== 'absent' && !confirmedRecordFits(beacon, facts)) {
    const { found, expected, ...text } = CONFIRM_TEXT.otherData
    const values = [
      { label: found, value: beacon.withdrawalCredentials },
      { label: expected(facts), value: validator.withdrawalCredentials },
    ]
    return problemOf(stop('other-data'), { ...text, lines: text.lines(facts) }, values, money)
  }
  const event = known(observed.event)
  if (event !== undefined && event.is !== 'as-signed' && event.is !== 'in-block') {
    return problemOf(
      stop('other-event'),
      { ...CONFIRM_TEXT.otherEvent, lines: [eventText(event)] },
      [],
      'moved',
    )
  }
  const isFinal = deposit !== undefined && deposit.remembered !== true
  return isFinal ? failureProblem(observed.event) : undefined
}
