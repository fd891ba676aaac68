import { payoutOf } from '../../deposit/payout.ts'
import type { Facts, Setup } from '../../facts.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'
import { shellCommand } from '../../format/shell-word.ts'
import { known } from '../observation.ts'
import { failureProblem } from '../rows.ts'
import { goOn, goTo, type StepView } from '../step-view.ts'
import { verdictOf } from '../verdict.ts'
import type { Problem } from '../view.ts'
import { beaconFits, type ConfirmState, ownCredentials, registrationFact, theirs } from './machine.ts'
import { confirmRows } from './rows.ts'
import { doubtNotes, leftWords, lostNotes, waitingOf, worstWords } from './words.ts'

/** Everything the confirmation screen draws. */
export function confirmView(state: ConfirmState, facts: Facts, setup: Setup): StepView {
  const { network } = setup
  const { token } = network.names
  const registration = registrationFact(state, facts, setup)
  const rows = confirmRows(state, facts, setup)
  const problem = confirmProblem(state, facts)
  const left = leftWords(facts, token)
  const isAdopted = facts.validator?.origin === 'adopted'
  const waits = registration === undefined && problem === undefined && state.waitingSinceMs !== undefined
  return {
    step: 'confirm',
    title: 'Prove the registration',
    verdict: verdictOf(rows, {
      isOpen: registration !== undefined,
      good: `The chain holds validator ${registration?.validatorIndex ?? ''} as ${isAdopted ? 'you adopted it' : 'you signed it'}, proven. Enter goes on.`,
    }),
    sections: ['intro', 'facts', 'notes'],
    intro: isAdopted
      ? 'The validator was registered without this program. The beacon state must hold it as you adopted it, proven now.'
      : 'The contract took the deposit. Only the beacon state, the list of all validators, says whether the validator is registered.',
    factsTitle: 'Does the chain know this validator?',
    facts: rows,
    fields: [],
    checks: [],
    ladder: [],
    timeline: [],
    notes:
      registration === undefined
        ? [...lostNotes(facts), ...doubtNotes(state)]
        : [anchorWords(registration.anchors, setup)],
    money: {
      line: `left the wallet ${left}${registration === undefined ? '' : ' (proven)'} · this step sends nothing`,
      worst: registration === undefined && !isAdopted ? worstWords(state) : 'worst case here: none.',
    },
    ...(problem === undefined ? {} : { problem }),
    ...(waits && state.waitingSinceMs !== undefined
      ? {
          waiting: waitingOf(state.doubt, {
            label: isAdopted ? 'for the proofs' : 'for the chain to count the deposit',
            sinceMs: state.waitingSinceMs,
          }),
        }
      : {}),
    actions: [
      ...(registration === undefined ? [] : [goOn('confirm')]),
      { key: 'r', label: 'ask again', does: [{ step: 'confirm', type: 'retried' }] },
      ...(problem === undefined ? [] : [{ key: 'w', label: 'only watch', does: [goTo('status')] }]),
    ],
    commands: confirmCommands(facts, setup),
    done: registration !== undefined,
  }
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

function anchorWords(anchors: number, { homePath }: Setup): string {
  return anchors > 1
    ? 'Proven on this computer, held by two execution endpoints.'
    : `Proven on this computer and anchored in the execution chain of ${homePath === undefined ? 'the endpoint that you named' : 'your own node'}.`
}

function confirmProblem(state: ConfirmState, facts: Facts): Problem | undefined {
  // While the deposit is looked for again there is nothing to compare the record with.
  if (facts.validator === undefined) return undefined
  const adopted = facts.validator.origin === 'adopted'
  const beacon = known(state.seen.beacon)
  if (beacon !== undefined && beacon !== 'absent' && beacon.exiting && ownCredentials(beacon, facts)) {
    return {
      title: 'Stop: your validator has left the active set, or is leaving it.',
      money: adopted ? 'untouched' : 'moved',
      values: [payoutOf(beacon.withdrawalCredentials)],
      lines: [
        `The chain knows it with the address that ${theirs(facts.validator)}. The stake comes back to that address by itself.`,
        'This key never becomes active again; more money sent for it comes back the same way.',
      ],
      next: ['do not top up', 'a new attempt needs a new key'],
    }
  }
  if (beacon !== undefined && beacon !== 'absent' && !beaconFits(beacon, facts)) {
    return {
      title: 'Stop: the chain has other data for this key than yours.',
      money: adopted ? 'untouched' : 'moved',
      values: [
        { label: 'credentials in the beacon state', value: beacon.withdrawalCredentials },
        {
          label: `credentials that ${theirs(facts.validator)}`,
          value: facts.validator?.withdrawalCredentials ?? '',
        },
      ],
      lines: [
        adopted
          ? 'More money would go there, too.'
          : 'Somebody registered the key first. More money would go there, too.',
      ],
      next: ['do not top up', 'r asks again'],
    }
  }
  const event = known(state.seen.event)
  if (event !== undefined && !event.good) {
    return {
      title: 'Stop: the deposit on chain is not what you signed.',
      money: 'moved',
      values: [],
      lines: [event.words],
      next: ['do not top up', 'r asks again'],
    }
  }
  const isFinal = facts.deposit !== undefined && facts.deposit.remembered !== true
  return isFinal ? failureProblem(state.seen.event) : undefined
}
