import { FAR_FUTURE_EPOCH } from '../../consensus/state.ts'
import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { known as knownAnswer } from '../observation.ts'
import type { TimelineRow } from '../view.ts'
import { isActive, type StatusState } from './machine.ts'
import { countdown, isLost, type Own } from './own.ts'

type Step = { id: string; label: string; done: boolean; when: string; detail: string }

/** Slots between an epoch turn and the engine counting its changes. */
const ENGINE_DELAY_SLOTS = 2n

/** The way from the registration to the engine's set, as far as the validator has come. */
export function timelineOf(
  own: Own,
  expected: ExpectedEpochs,
  state: StatusState,
  setup: Setup,
): TimelineRow[] {
  const { spec } = setup.network
  const { validator, epoch } = own
  const eligible = known(validator.activationEligibilityEpoch) ?? expected.eligibleEpoch
  const activation = known(validator.activationEpoch) ?? expected.activationEpoch
  const reached = validator.effectiveBalanceGwei >= spec.activationBalanceGwei
  const threshold = reached || validator.activationEligibilityEpoch !== FAR_FUTURE_EPOCH
  const comes = eligible !== undefined
  const engine = state.engineSlot !== undefined || isActive(state)
  const steps: Step[] = [
    { id: 'registered', label: 'registered', done: true, when: `validator ${own.index}`, detail: '' },
    {
      id: 'threshold',
      label: threshold ? 'threshold passed' : 'threshold',
      done: threshold,
      when: thresholdWords(own, { threshold, comes }),
      detail: threshold || !comes ? '' : countdown(epoch + 1n, own, setup),
    },
    {
      id: 'eligible',
      label: 'eligible',
      ...turnRow(eligible, own, setup),
    },
    {
      id: 'active',
      label: 'active',
      ...turnRow(activation, own, setup),
    },
    {
      id: 'engine',
      label: 'in the engine’s set',
      done: engine,
      when: state.engineSlot === undefined ? `${ENGINE_DELAY_SLOTS} slots later` : `slot ${state.engineSlot}`,
      detail: '',
    },
    { id: 'block', label: 'a block of its own', ...blockRow(state) },
  ]
  // What no engine was asked for is not waited for.
  const asked = steps.filter(({ id }) => id !== 'engine' || setup.endpoints.engine !== undefined)
  const rows = isLost(own) ? [...stepsTaken(asked, own), ...wayOut(own, setup)] : asked
  const current = rows.findIndex((row) => !row.done)
  return rows.map(({ done, ...row }, place) => ({ ...row, state: rowState(done, place === current) }))
}

/** Of a validator that lost its seat: what was never reached never comes, a seat lost as it was won was none. */
function stepsTaken(steps: readonly Step[], { validator }: Own): Step[] {
  const neverActive = validator.exitEpoch <= validator.activationEpoch
  return steps.filter(({ id, done }) => done && !(neverActive && id === 'active'))
}

/** What is left for one that lost its seat. */
function wayOut(own: Own, setup: Setup): Step[] {
  const { exitEpoch, withdrawableEpoch } = own.validator
  const paid = own.balanceGwei === 0n
  const back = turnRow(withdrawableEpoch, own, setup)
  return [
    { id: 'left', label: 'left the set', ...turnRow(exitEpoch, own, setup) },
    {
      id: 'paid',
      label: 'stake paid back',
      done: paid,
      when: paid ? '' : `from ${back.when}`,
      detail: back.done && !paid ? 'at the next sweep' : back.detail,
    },
  ]
}

/** Epochs that the model expects where the state does not say them yet; undefined where more stake is needed. */
export type ExpectedEpochs = { eligibleEpoch: bigint | undefined; activationEpoch: bigint | undefined }

function known(epoch: bigint): bigint | undefined {
  return epoch === FAR_FUTURE_EPOCH ? undefined : epoch
}

/** An epoch that has begun is done; one to come is counted down to. */
function turnRow(epoch: bigint | undefined, own: Own, setup: Setup) {
  if (epoch === undefined) return { done: false, when: '', detail: '' }
  const done = epoch <= own.epoch
  return { done, when: `epoch ${epoch}`, detail: done ? '' : countdown(epoch, own, setup) }
}

/** The first sign that the node really signs; before the engine counts the validator there is none to wait for. */
function blockRow({ seen }: StatusState) {
  const proposal = knownAnswer(seen.proposal)
  const slot = proposal?.slot
  if (slot !== undefined) return { done: true, when: `slot ${slot}`, detail: '' }
  return { done: false, when: proposal === undefined ? '' : 'when its turn comes', detail: '' }
}

function thresholdWords(own: Own, { threshold, comes }: { threshold: boolean; comes: boolean }): string {
  if (threshold) return effectiveWords(own)
  return comes ? `epoch ${own.epoch + 1n}` : 'needs a top-up'
}

function rowState(done: boolean, now: boolean): TimelineRow['state'] {
  if (done) return 'done'
  return now ? 'now' : 'ahead'
}

/** Nothing counts any more once the stake was paid back. */
function effectiveWords({ validator }: Own): string {
  const { effectiveBalanceGwei } = validator
  return effectiveBalanceGwei === 0n ? '' : `effective ${formatGwei(effectiveBalanceGwei)}`
}
