import { payoutOf } from '../../deposit/payout.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei, formatWei } from '../../format/amount.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'
import { shellCommand } from '../../format/shell-word.ts'
import type { NodeDoubt } from '../../network/node-doubt.ts'
import { known } from '../observation.ts'
import { factRow, failureProblem } from '../rows.ts'
import type { FactRow, Problem, StepView } from '../view.ts'
import {
  anchorsNeeded,
  beaconFits,
  type ConfirmAnswers,
  type ConfirmState,
  ownCredentials,
  registrationFact,
} from './machine.ts'
import { doubtNotes, leftWords, lostNotes, waitingOf, worstWords } from './words.ts'

/** Everything the confirmation screen draws. */
export function confirmView(state: ConfirmState, facts: Facts, setup: Setup): StepView {
  const { network } = setup
  const { token } = network.names
  const registration = registrationFact(state, facts, setup)
  const problem = confirmProblem(state, facts)
  const left = leftWords(facts, token)
  const waits = registration === undefined && problem === undefined && state.waitingSinceMs !== undefined
  return {
    step: 'confirm',
    title: 'Prove the registration',
    intro: 'The contract took the deposit. Only the beacon state says whether the chain knows the validator.',
    factsTitle: 'Does the chain know this validator?',
    facts: confirmRows(state, facts, setup),
    fields: [],
    checks: [],
    ladder: [],
    timeline: [],
    notes:
      registration === undefined
        ? [...lostNotes(facts), ...doubtNotes(state)]
        : [anchorWords(registration.anchors)],
    money: {
      line: `left the wallet ${left}${registration === undefined ? '' : ' (registered, proven)'} · this step sends nothing`,
      worst: registration === undefined ? worstWords(state) : 'worst case here: none.',
    },
    ...(problem === undefined ? {} : { problem }),
    ...(waits && state.waitingSinceMs !== undefined
      ? { waiting: waitingOf(state.doubt, state.waitingSinceMs) }
      : {}),
    actions: [
      ...(registration === undefined ? [] : [{ id: 'next', key: 'return', label: 'continue' }]),
      { id: 'retry', key: 'r', label: 'ask again' },
      ...(problem === undefined ? [] : [{ id: 'watch', key: 'w', label: 'only watch' }]),
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

function confirmRows({ seen, doubt }: ConfirmState, facts: Facts, setup: Setup): FactRow[] {
  const { token } = setup.network.names
  const rows: FactRow[] = [
    factRow({
      id: 'event',
      label: 'event',
      observation: seen.event,
      judge: (value) => value.good,
      say: (value) => value.words,
      explain: {
        what: 'What the contract wrote down, field by field, against what was signed.',
        who: 'The receipt of the transaction.',
        later: 'No.',
      },
    }),
    balanceRow(seen.balance, facts, token),
    factRow({
      id: 'beacon',
      label: 'beacon state',
      observation: seen.beacon,
      judge: (value) => (value === 'absent' && doubt !== undefined ? undefined : beaconFits(value, facts)),
      say: (value) =>
        value === 'absent'
          ? absentWords(doubt)
          : `validator ${value.index}, ${formatGwei(value.balanceGwei)} ${token}`,
      explain: {
        what: 'The validator record: with the planned withdrawal address, and not leaving.',
        who: 'The node API. The next rows prove it.',
        later: 'The withdrawal address never.',
      },
    }),
    factRow({
      id: 'proofs',
      label: 'proofs',
      observation: seen.proofs,
      judge: (value) => value.good,
      say: (value) => value.words,
      explain: {
        what: 'Merkle proofs of key, credentials and balance, checked on this computer up to the block’s root.',
        who: 'The node gives the hashes; the arithmetic is ours.',
        later: 'A proof is for one slot.',
      },
    }),
    factRow({
      id: 'anchor',
      label: 'anchor',
      observation: seen.anchor,
      judge: (value) => value.good,
      say: (value) => value.words,
      explain: {
        what: 'The execution chain keeps the root of every beacon block. The proof must end in exactly that root.',
        who: 'The beacon-roots contract (EIP-4788), through the execution endpoint.',
        later: 'No.',
      },
    }),
  ]
  if (setup.endpoints.secondExecution !== undefined || anchorsNeeded(setup) > 1) {
    rows.push(
      factRow({
        id: 'secondAnchor',
        label: 'second anchor',
        observation: seen.secondAnchor,
        judge: (value) => value.good,
        say: (value) => value.words,
        unasked: 'needs a second execution endpoint',
        explain: {
          what: 'The same root from a second endpoint, on another server: then not even your own node can have made it up.',
          who: 'The second execution endpoint.',
          later: 'No.',
        },
      }),
    )
  }
  return rows
}

/** A node that hangs does not know what has happened since. */
function absentWords(doubt: NodeDoubt | undefined): string {
  return doubt === undefined ? 'does not know the key yet' : `did not know the key at slot ${doubt.slot}`
}

/** What nobody could look at is neither good nor bad, and nothing waits for it. */
function balanceRow(balance: ConfirmState['seen']['balance'], facts: Facts, token: string): FactRow {
  const row = factRow({
    id: 'balance',
    label: 'wallet',
    observation: balance,
    judge: (value) => 'fellByWei' in value && value.fellByWei <= value.expectedWei,
    say: (value) => fellWords(value, token),
    unasked: facts.deposit?.contract === true ? 'a contract account: says nothing' : 'not asked yet',
    explain: {
      what: 'The balance before and after that block, against the stake and the fee. It is told and decides nothing: others can pay into the account in the same block. An execution client in full mode keeps the last 128 blocks; of an older block only an archive endpoint knows it.',
      who: 'The execution endpoint.',
      later: 'No.',
    },
  })
  const value = known(balance)
  return value !== undefined && 'block' in value ? { ...row, mark: 'unasked' } : row
}

function fellWords(value: ConfirmAnswers['balance'], token: string): string {
  if ('block' in value) return `not known: block ${value.block} is older than 128 blocks`
  const overWei = value.fellByWei - value.expectedWei
  if (overWei === 0n) return `fell by ${formatWei(value.fellByWei)} ${token}`
  return overWei > 0n
    ? `fell by ${formatWei(overWei)} ${token} more than was paid`
    : `fell by it; ${formatWei(-overWei)} ${token} came in`
}

function anchorWords(anchors: number): string {
  return anchors > 1
    ? 'Proven on this computer, held by two execution endpoints.'
    : 'Proven on this computer and anchored in the execution chain of your own node.'
}

function confirmProblem(state: ConfirmState, facts: Facts): Problem | undefined {
  const beacon = known(state.seen.beacon)
  if (beacon !== undefined && beacon !== 'absent' && beacon.exiting && ownCredentials(beacon, facts)) {
    return {
      title: 'Stop: your validator has left the set, or is leaving it.',
      money: 'moved',
      values: [payoutOf(beacon.withdrawalCredentials)],
      lines: [
        'The chain knows it with the address that you signed. The stake comes back to that address by itself.',
        'This key never becomes active again; more money sent for it comes back the same way.',
      ],
      next: ['do not top up', 'a new attempt needs a new key'],
    }
  }
  if (beacon !== undefined && beacon !== 'absent' && !beaconFits(beacon, facts)) {
    return {
      title: 'Stop: the chain knows this key with other facts than yours.',
      money: 'moved',
      values: [
        { label: 'credentials in the beacon state', value: beacon.withdrawalCredentials },
        { label: 'credentials that you signed', value: facts.signature?.withdrawalCredentials ?? '' },
      ],
      lines: ['Somebody registered the key first. More money would go there too.'],
      next: ['do not top up', 'r asks again'],
    }
  }
  const event = known(state.seen.event)
  if (event !== undefined && !event.good) {
    return {
      title: 'Stop: the contract wrote down something else than you signed.',
      money: 'moved',
      values: [],
      lines: [event.words],
      next: ['do not top up', 'r asks again'],
    }
  }
  const isFinal = facts.deposit !== undefined && facts.deposit.remembered !== true
  return isFinal ? failureProblem(state.seen.event) : undefined
}
