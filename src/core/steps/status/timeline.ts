import { FAR_FUTURE_EPOCH, setEpoch } from '../../chain/consensus/state.ts'
import type { Setup } from '../../chain/facts.ts'
import type { ExpectedEpochs } from '../../chain/key-state/ahead.ts'
import { ENGINE_DELAY_SLOTS, engineSlotOf, hasBegun, isLost, type Own } from '../../chain/key-state/own.ts'
import { known } from '../../view/observation.ts'
import type { TimelineRow } from '../../view/view.ts'
import { type StatusState, validatorIsActive } from './machine.ts'
import { STATUS_TEXT } from './text.ts'

const { countdown, timeline: TEXT } = STATUS_TEXT

type Step = { id: string; label: string; done: boolean; when: string; detail: string }

/** Returns the way from the registration to the engine's set, as far as the validator has come. */
export function timelineOf(
  own: Own,
  expected: ExpectedEpochs,
  state: StatusState,
  setup: Setup,
): TimelineRow[] {
  const { spec } = setup.network
  const { validator, epoch } = own
  const eligible = setEpoch(validator.activationEligibilityEpoch) ?? expected.eligibleEpoch
  const activation = setEpoch(validator.activationEpoch) ?? expected.activationEpoch
  const reached = validator.effectiveBalanceGwei >= spec.activationBalanceGwei
  const threshold = reached || validator.activationEligibilityEpoch !== FAR_FUTURE_EPOCH
  const comes = eligible !== undefined
  const steps: Step[] = [
    { id: 'registered', label: TEXT.registered, done: true, when: TEXT.validator(own.index), detail: '' },
    {
      id: 'threshold',
      label: TEXT.threshold(threshold),
      done: threshold,
      when: thresholdWords(own, { threshold, comes }),
      detail: threshold || !comes ? '' : countdown(epoch + 1n, own, setup),
    },
    {
      id: 'eligible',
      label: TEXT.eligible,
      ...turnRow(eligible, own, setup),
    },
    {
      id: 'active',
      label: TEXT.active,
      ...turnRow(activation, own, setup),
    },
    { id: 'engine', label: TEXT.engine, ...engineRow(own, state, setup) },
    { id: 'block', label: TEXT.block, ...blockRow(state) },
  ]
  // What no engine was asked for is not waited for.
  const asked = steps.filter(({ id }) => id !== 'engine' || setup.endpoints.engine !== undefined)
  const rows = isLost(own) ? [...stepsTaken(asked, own), ...stepsToCome(own, setup)] : asked
  const current = rows.findIndex((row) => !row.done)
  return rows.map(({ done, ...row }, place) => ({ ...row, state: rowState(done, place === current) }))
}

/** Of a validator that lost its place: what was never reached never comes, a place lost at the boundary that gave it was none. */
function stepsTaken(steps: readonly Step[], { validator }: Own): Step[] {
  const neverActive = validator.exitEpoch <= validator.activationEpoch
  return steps.filter(({ id, done }) => done && !(neverActive && id === 'active'))
}

/** What is left for one that lost its place. */
function stepsToCome(own: Own, setup: Setup): Step[] {
  const { exitEpoch, withdrawableEpoch } = own.validator
  const paid = own.balanceGwei === 0n
  const back = turnRow(withdrawableEpoch, own, setup)
  return [
    { id: 'left', label: TEXT.left, ...turnRow(exitEpoch, own, setup) },
    {
      id: 'paid',
      label: TEXT.paid,
      done: paid,
      when: paid ? '' : TEXT.from(back.when),
      detail: back.done && !paid ? TEXT.sweep : back.detail,
    },
  ]
}

/** An epoch that has begun is done; one to come is counted down to. */
function turnRow(epoch: bigint | undefined, own: Own, setup: Setup) {
  if (epoch === undefined) return { done: false, when: '', detail: '' }
  const done = epoch <= own.epoch
  return { done, when: TEXT.epoch(epoch), detail: done ? '' : countdown(epoch, own, setup) }
}

/** When the engine began to count the validator, by its own epochs: never by when somebody looked. */
function engineRow(own: Own, state: StatusState, { network }: Setup) {
  const { validator, slot } = own
  const since = engineSlotOf(validator, network.spec)
  const wasIn = since !== undefined && since <= slot + 1n && validator.exitEpoch > validator.activationEpoch
  const isCounted = hasBegun(own) && (validatorIsActive(state) || state.wasCounted)
  const done = since !== undefined && (isCounted || (isLost(own) && wasIn))
  if (!done) return { done, when: TEXT.slotsLater(ENGINE_DELAY_SLOTS), detail: '' }
  const when = TEXT.slot(since)
  return { done, when: validator.activationEpoch === 0n ? TEXT.genesis : when, detail: '' }
}

/**
 * The first sign that the node really signs; before the engine counts the validator there is none to wait for. Which
 * block was the first nobody says: only who looked at every slot since then knows it.
 */
function blockRow({ observed }: StatusState) {
  const blocks = known(observed.proposal)
  if (blocks === undefined) return { done: false, when: '', detail: '' }
  const { first, last, isWhole } = blocks
  if (first === undefined) return { done: false, when: isWhole ? TEXT.chosen : TEXT.notSeen, detail: '' }
  const newest = last === undefined || last === first.slot ? [] : [TEXT.lastBlock(last)]
  const words = [...(first.isFirst ? [] : [TEXT.notFirst]), ...newest]
  return { done: true, when: TEXT.slot(first.slot), detail: words.join(' · ') }
}

function thresholdWords(own: Own, { threshold, comes }: { threshold: boolean; comes: boolean }): string {
  if (threshold) return effectiveWords(own)
  return comes ? TEXT.epoch(own.epoch + 1n) : TEXT.topUp
}

function rowState(done: boolean, now: boolean): TimelineRow['state'] {
  if (done) return 'done'
  return now ? 'now' : 'ahead'
}

/** Nothing counts any more once the stake was paid back. */
function effectiveWords({ validator }: Own): string {
  const { effectiveBalanceGwei } = validator
  return effectiveBalanceGwei === 0n ? '' : TEXT.effective(effectiveBalanceGwei)
}
