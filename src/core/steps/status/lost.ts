import { payoutOf } from '../../deposit/payout.ts'
import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { formatDuration } from '../../format/duration.ts'
import type { MoneyBand, Problem } from '../view.ts'
import type { Own } from './own.ts'

/** What is said once the validator has left the set, or is leaving it. */
export function lostProblem(own: Own, setup: Setup): Problem {
  const { validator } = own
  const atOnce = validator.exitEpoch === validator.activationEpoch
  return {
    title: atOnce ? 'The seat was lost at the moment it was won.' : leavingWords(own),
    money: 'moved',
    values: [payoutOf(validator.withdrawalCredentials)],
    lines: [
      stakeWords(own, setup),
      'This key never becomes active again; more money sent for it comes back the same way.',
    ],
    next: [
      own.balanceGwei === 0n
        ? 'nothing to do here any more'
        : 'nothing to do: the stake comes back by itself',
      'a new attempt needs a new key',
    ],
  }
}

function leavingWords({ validator, epoch }: Own): string {
  return validator.exitEpoch > epoch ? 'The validator is leaving the set.' : 'The validator has left the set.'
}

/** The money of a validator that has left. */
export function lostMoney(own: Own, { network }: Setup): MoneyBand {
  const { token } = network.names
  return {
    line:
      own.balanceGwei === 0n
        ? 'staked nothing any more · the stake was paid back · safe to close this window'
        : `staked ${formatGwei(own.balanceGwei)} ${token}, coming back · safe to close this window`,
    worst: 'worst case: none left. The seat is lost, the stake is not.',
  }
}

function stakeWords(own: Own, { network }: Setup): string {
  const { validator, balanceGwei, slot } = own
  if (balanceGwei === 0n) return 'The stake was paid back to the withdrawal address.'
  const amount = `${formatGwei(balanceGwei)} ${network.names.token}`
  const slots = validator.withdrawableEpoch * network.spec.slotsPerEpoch - slot
  const when = slots > 0n ? `in ${formatDuration(Number(slots) * network.slotMs)}` : 'at the next sweep'
  return `The stake of ${amount} goes back to the withdrawal address, ${when}.`
}
