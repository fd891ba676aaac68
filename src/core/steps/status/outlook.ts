import { isFulu } from '../../consensus/forks.ts'
import { type Outlook, outlook } from '../../consensus/outlook.ts'
import { type Survey, waitingDeposits } from '../../consensus/survey.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { formatDuration } from '../../format/duration.ts'
import type { MoneyBand, Problem } from '../view.ts'
import type { StatusState } from './machine.ts'
import { isLost, type Own, ownRecord } from './own.ts'

const remembered = new WeakMap<Survey, Map<string, Outlook>>()

/** What happens to the validator if nothing else happens; kept with its survey. */
function outlookOf(survey: Survey, own: Own, { network }: Setup): Outlook {
  const { pubkey } = own.validator
  const answers = remembered.get(survey) ?? new Map<string, Outlook>()
  remembered.set(survey, answers)
  const { spec, minimumDepositGwei } = network
  const answer =
    answers.get(pubkey) ??
    outlook({
      state: survey.consensus,
      uncounted: waitingDeposits(survey),
      spec,
      fulu: isFulu(spec, survey.timestampSeconds),
      pubkey,
      minimumDepositGwei,
    })
  answers.set(pubkey, answer)
  return answer
}

/** A validator that drops out of the active set if nothing is done. */
export type Danger = { outAtEpoch: bigint; rescue: Outlook['rescue'] }

/** The danger that a validator is in; undefined while it keeps its place, as far as is known. */
export function dangerOf(survey: Survey, own: Own, setup: Setup): Danger | undefined {
  const { dropsOutAtEpoch, rescue } = outlookOf(survey, own, setup)
  return dropsOutAtEpoch === undefined ? undefined : { outAtEpoch: dropsOutAtEpoch, rescue }
}

/** When it drops out, what keeps its place and until when, and what happens otherwise. */
export function dangerProblem(
  danger: Danger,
  { own, isOld }: { own: Own; isOld: boolean },
  setup: Setup,
): Problem {
  const { spec, names } = setup.network
  const slots = danger.outAtEpoch * spec.slotsPerEpoch - own.slot
  const back = formatDuration(
    Number(spec.withdrawabilityDelayEpochs * spec.slotsPerEpoch) * setup.network.slotMs,
  )
  const otherwise = [
    `Without it the key is lost for ever; the stake comes back ${back} later.`,
    ...(isOld ? [`As of slot ${own.slot}: your node has told nothing newer.`] : []),
  ]
  const title = `You drop out of the active set at epoch ${danger.outAtEpoch}: ${inSlots(slots, setup)}.`
  const shape = { title, money: 'untouched', values: [] } as const
  const { rescue } = danger
  if (rescue === undefined) {
    const lines = ['No top-up keeps the place: no amount is enough, or no block is left.', ...otherwise]
    return { ...shape, lines, next: ['the stake comes back by itself; a new attempt needs a new key'] }
  }
  const amount = `${formatGwei(rescue.leastTopUpGwei)} ${names.token}`
  const left = rescue.sendByBlock - own.slot
  const until =
    left > 0n
      ? `Sent ${inSlots(left, setup).replace('in', 'within')}, a top-up of ${amount} keeps your place.`
      : `A top-up of ${amount} keeps your place if block ${rescue.lastGoodBlock} still takes it: that is close.`
  return { ...shape, lines: [until, ...otherwise], next: [`t tops up ${amount}, after all checks`] }
}

/** The money band of a validator in danger: nothing is lost yet, and what doing nothing costs. */
export function dangerMoney(danger: Danger, own: Own, { network }: Setup): MoneyBand {
  return {
    line: `staked ${formatGwei(own.balanceGwei)} ${network.names.token} · ${danger.rescue === undefined ? 'it comes back' : 'a top-up is needed'}`,
    worst: 'worst case: you do nothing; the stake comes back, the key is lost.',
  }
}

function inSlots(slots: bigint, { network }: Setup): string {
  const words = `${slots} ${slots === 1n ? 'slot' : 'slots'}`
  return `in ${words}, ${formatDuration(Number(slots) * network.slotMs)}`
}

/** The amount that keeps the place as it is typed, in whole tokens; undefined while none is needed or none helps. */
export function rescueAmount(
  { lastSurvey }: StatusState,
  { identity }: Facts,
  setup: Setup,
): string | undefined {
  const own = lastSurvey && identity && ownRecord(lastSurvey, identity.pubkey, setup)
  if (lastSurvey === undefined || own === undefined || isLost(own)) return undefined
  const amountGwei = dangerOf(lastSurvey, own, setup)?.rescue?.leastTopUpGwei
  return amountGwei === undefined ? undefined : formatGwei(amountGwei).replaceAll(',', '')
}
