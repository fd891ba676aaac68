import { FAR_FUTURE_EPOCH, type Validator } from '../../consensus/state.ts'
import type { Survey } from '../../consensus/survey.ts'
import { type ValidatorStatus, validatorStatus } from '../../consensus/validator-status.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { formatDuration } from '../../format/duration.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow, Problem, StepView, TimelineRow } from '../view.ts'
import { isActive, type StatusState } from './machine.ts'
import { rankOk, rankWords } from './rank.ts'

/** Slots between an epoch turn and the engine counting its changes. */
const ENGINE_DELAY_SLOTS = 2n

const STATUS_WORDS: Readonly<Record<ValidatorStatus, string>> = {
  pending_initialized: 'known, below the threshold',
  pending_queued: 'accepted, waits for its turn',
  active_ongoing: 'active',
  active_exiting: 'active, leaving at the next turn',
  active_slashed: 'active, slashed',
  exited_unslashed: 'left the set; the stake comes back later',
  exited_slashed: 'left the set, slashed',
  withdrawal_possible: 'left the set; the stake is being paid back',
  withdrawal_done: 'left the set; the stake is paid back',
}

type Own = { validator: Validator; balanceGwei: bigint; index: number; epoch: bigint; slot: bigint }

/** Everything the status screen draws. */
export function statusView(state: StatusState, facts: Facts, setup: Setup): StepView {
  const { network } = setup
  const { token } = network.names
  const survey = known(state.seen.survey)
  const own = survey && facts.identity ? ownRecord(survey, facts.identity.pubkey, setup) : undefined
  const active = isActive(state)
  const problem = own === undefined ? undefined : lostProblem(own, setup)
  return {
    step: 'status',
    title: active ? 'Your validator is active' : 'Waiting for your seat',
    intro: own === undefined ? 'Asking for the validator.' : `slot ${own.slot} · epoch ${own.epoch}`,
    facts: statusRows(state, own, facts, setup),
    fields: [],
    checks: [],
    ladder: [],
    timeline: own === undefined ? [] : timelineOf(own, state, setup),
    notes: [],
    money: {
      line:
        own === undefined
          ? 'asking what is staked'
          : `staked ${formatGwei(own.balanceGwei)} ${token} · nothing to do · safe to close this window`,
      worst: active
        ? 'worst case: outbid later; then the stake comes back and the key is used up.'
        : 'worst case: outbid before the turn; watch the rank.',
    },
    ...(problem === undefined ? {} : { problem }),
    actions: [
      ...(active ? [{ id: 'finish', key: 'return', label: 'finish' }] : []),
      { id: 'topup', key: 't', label: 'top up' },
    ],
    commands: [
      `curl -s '${setup.endpoints.node}/eth/v1/beacon/states/head/validators?id=${facts.identity?.pubkey ?? '<pubkey>'}'`,
      `curl -s '${setup.endpoints.engine}/validators?per_page=100'`,
      `${network.names.nodeTool} status --home '${setup.homePath}'`,
    ],
    done: active,
  }
}

function ownRecord({ consensus }: Survey, pubkey: string, { network }: Setup): Own | undefined {
  const index = consensus.validators.findIndex((validator) => validator.pubkey === pubkey.toLowerCase())
  const validator = consensus.validators[index]
  if (validator === undefined) return undefined
  const epoch = consensus.slot / network.spec.slotsPerEpoch
  return { validator, index, epoch, slot: consensus.slot, balanceGwei: consensus.balancesGwei[index] ?? 0n }
}

function timelineOf(own: Own, state: StatusState, setup: Setup): TimelineRow[] {
  const { spec } = setup.network
  const { validator, epoch } = own
  const eligible = validator.activationEligibilityEpoch
  const activation = validator.activationEpoch
  const threshold = validator.effectiveBalanceGwei >= spec.activationBalanceGwei
  const engine = state.engineSlot !== undefined || isActive(state)
  const steps: { id: string; label: string; done: boolean; when: string; detail: string }[] = [
    { id: 'registered', label: 'registered', done: true, when: `validator ${own.index}`, detail: '' },
    {
      id: 'threshold',
      label: 'threshold passed',
      done: threshold,
      when: threshold
        ? `effective ${formatGwei(validator.effectiveBalanceGwei)}`
        : countdown(epoch + 1n, own, setup),
      detail: threshold ? '' : 'at the epoch turn',
    },
    {
      id: 'eligible',
      label: 'eligible',
      done: eligible <= epoch,
      when: eligible === FAR_FUTURE_EPOCH ? 'two turns after the threshold' : `epoch ${eligible}`,
      detail: eligible === FAR_FUTURE_EPOCH || eligible <= epoch ? '' : countdown(eligible, own, setup),
    },
    {
      id: 'active',
      label: 'active',
      done: activation <= epoch,
      when: activation === FAR_FUTURE_EPOCH ? 'one turn after that' : `epoch ${activation}`,
      detail: activation === FAR_FUTURE_EPOCH || activation <= epoch ? '' : countdown(activation, own, setup),
    },
    {
      id: 'engine',
      label: 'in the engine’s set',
      done: engine,
      when: state.engineSlot === undefined ? `${ENGINE_DELAY_SLOTS} slots later` : `slot ${state.engineSlot}`,
      detail: '',
    },
  ]
  const current = steps.findIndex((row) => !row.done)
  return steps.map(({ done, ...row }, place) => ({ ...row, state: rowState(done, place === current) }))
}

function rowState(done: boolean, now: boolean): TimelineRow['state'] {
  if (done) return 'done'
  return now ? 'now' : 'ahead'
}

function countdown(epoch: bigint, own: Own, { network }: Setup): string {
  const slots = epoch * network.spec.slotsPerEpoch - own.slot
  if (slots <= 0n) return 'now'
  return `in ${slots} ${slots === 1n ? 'slot' : 'slots'}, ${formatDuration(Number(slots) * network.slotMs)}`
}

function statusRows(state: StatusState, own: Own | undefined, facts: Facts, setup: Setup): FactRow[] {
  const { token } = setup.network.names
  const survey = state.seen.survey
  const who = 'The node API.'
  const changes = 'It changes with every epoch.'
  return [
    factRow({
      id: 'status',
      label: 'status',
      observation: survey,
      judge: () => own !== undefined && own.validator.exitEpoch === FAR_FUTURE_EPOCH,
      say: () => (own === undefined ? 'not in the beacon state' : statusWords(own)),
      explain: {
        what: 'Where the validator stands, from its epochs; the beacon API has a name of its own for each.',
        who,
        later: changes,
      },
    }),
    factRow({
      id: 'balance',
      label: 'balance',
      observation: survey,
      judge: () => own !== undefined,
      say: () =>
        own === undefined
          ? ''
          : `${formatGwei(own.balanceGwei)} ${token}, effective ${formatGwei(own.validator.effectiveBalanceGwei)}`,
      explain: {
        what: 'What is staked, and what of it counts: whole steps, updated at the epoch turn.',
        who,
        later: changes,
      },
    }),
    factRow({
      id: 'rank',
      label: 'rank',
      observation: survey,
      judge: (value) => rankOk(value, facts, setup),
      say: (value) => rankWords(value, facts, setup),
      explain: {
        what: 'The place among all that are or will be active at the next turn. Beyond the last seat a validator is exited.',
        who: 'The consensus model on this computer, from the reported set.',
        later: 'Others can raise their stake at any time.',
      },
    }),
    factRow({
      id: 'power',
      label: 'power',
      observation: state.seen.engine,
      judge: (value) => value.powerGwei > 0n,
      say: (value) =>
        `${formatGwei(value.powerGwei)} of ${formatGwei(value.totalGwei)}, ${value.members} members`,
      explain: {
        what: 'The weight with which the engine counts the validator’s votes. Zero until it is in the engine’s set.',
        who: 'The consensus engine.',
        later: changes,
      },
    }),
    factRow({
      id: 'node',
      label: 'node',
      observation: state.seen.engine,
      judge: (value) => value.sameKey && !value.catchingUp,
      say: (value) =>
        `${value.sameKey ? 'this key' : 'another key'}, ${value.catchingUp ? 'catching up' : 'synced'}`,
      explain: {
        what: 'Whether the running node holds this key and is up to date, so that it signs when its turn comes.',
        who: 'The consensus engine.',
        later: 'Yes.',
      },
    }),
  ]
}

function statusWords(own: Own): string {
  const status = validatorStatus(own.validator, own.epoch)
  return STATUS_WORDS[status]
}

function lostProblem(own: Own, { network }: Setup): Problem | undefined {
  const { validator, epoch } = own
  if (validator.exitEpoch === FAR_FUTURE_EPOCH) return undefined
  const evicted = validator.exitEpoch === validator.activationEpoch
  const slots = (validator.withdrawableEpoch - epoch) * network.spec.slotsPerEpoch
  const wait = slots > 0n ? `in ${formatDuration(Number(slots) * network.slotMs)}` : 'already'
  return {
    title: evicted
      ? 'The seat was lost at the moment it was won.'
      : 'The validator has left or is leaving the set.',
    money: 'moved',
    values: [],
    lines: [
      `The stake of ${formatGwei(own.balanceGwei)} ${network.names.token} goes back to the withdrawal address, ${wait}.`,
      'This key never becomes active again; more money sent for it comes back the same way.',
    ],
    next: ['nothing to do: the stake comes back by itself', 'a new attempt needs a new key'],
  }
}
