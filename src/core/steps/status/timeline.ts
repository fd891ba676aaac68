import { FAR_FUTURE_EPOCH } from '../../consensus/state.ts'
import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import type { TimelineRow } from '../view.ts'
import { isActive, type StatusState } from './machine.ts'
import { countdown, type Own } from './own.ts'

/** Slots between an epoch turn and the engine counting its changes. */
const ENGINE_DELAY_SLOTS = 2n

/** The way from the registration to the engine's set, as far as the validator has come. */
export function timelineOf(own: Own, state: StatusState, setup: Setup): TimelineRow[] {
  const { spec } = setup.network
  const { validator, epoch } = own
  const eligible = validator.activationEligibilityEpoch
  const activation = validator.activationEpoch
  const reached = validator.effectiveBalanceGwei >= spec.activationBalanceGwei
  const threshold = reached || eligible !== FAR_FUTURE_EPOCH
  const engine = state.engineSlot !== undefined || isActive(state)
  const steps: { id: string; label: string; done: boolean; when: string; detail: string }[] = [
    { id: 'registered', label: 'registered', done: true, when: `validator ${own.index}`, detail: '' },
    {
      id: 'threshold',
      label: 'threshold passed',
      done: threshold,
      when: threshold ? effectiveWords(own) : countdown(epoch + 1n, own, setup),
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

/** Nothing counts any more once the stake was paid back. */
function effectiveWords({ validator }: Own): string {
  const { effectiveBalanceGwei } = validator
  return effectiveBalanceGwei === 0n ? '' : `effective ${formatGwei(effectiveBalanceGwei)}`
}
