import { payoutOf } from '../../deposit/payout.ts'
import type { Setup } from '../../facts.ts'
import { formatCount, formatGwei } from '../../format/amount.ts'
import type { MoneyBand, Problem } from '../view.ts'
import { countdown, type Own } from './own.ts'

/** What is said once the validator has left the set, or is leaving it. */
export function lostProblem(own: Own, setup: Setup): Problem {
  const { validator } = own
  const atOnce = validator.exitEpoch === validator.activationEpoch
  return {
    title: atOnce ? 'The place was lost at the same epoch boundary that gave it.' : leavingWords(own),
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
  const at = `at epoch ${formatCount(validator.exitEpoch)}`
  return validator.exitEpoch > epoch
    ? `The validator leaves the active set ${at}.`
    : `The validator left the active set ${at}.`
}

/** The money of a validator that has left. */
export function lostMoney(own: Own, { network }: Setup): MoneyBand {
  const { token } = network.names
  return {
    line:
      own.balanceGwei === 0n
        ? 'staked nothing any more · the stake was paid back · safe to close this window'
        : `staked ${formatGwei(own.balanceGwei)} ${token}, coming back · safe to close this window`,
    worst: 'worst case: none left. The place is lost, the stake is not.',
  }
}

function stakeWords(own: Own, setup: Setup): string {
  const { validator, balanceGwei, slot } = own
  const { spec, names } = setup.network
  if (balanceGwei === 0n) return 'The stake was paid back to the withdrawal address.'
  const amount = `${formatGwei(balanceGwei)} ${names.token}`
  const isDue = validator.withdrawableEpoch * spec.slotsPerEpoch <= slot
  const when = isDue
    ? 'at the next sweep'
    : `from epoch ${formatCount(validator.withdrawableEpoch)} on: ${countdown(validator.withdrawableEpoch, own, setup)}`
  return `The stake of ${amount} goes back to the withdrawal address, ${when}.`
}
