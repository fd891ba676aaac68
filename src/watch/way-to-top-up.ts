import { formatGwei } from '../core/base/format/amount.ts'
import { shellCommand } from '../core/base/format/text.ts'
import { isPoolValidator } from '../core/chain/network/pools.ts'
import { POOLS_TEXT } from '../core/chain/network/pools-text.ts'
import type { ValidatorPicture, WatchContext, Watched } from '../core/observe/picture.ts'

type Context = Pick<WatchContext, 'network' | 'wizardOptions'>

/** Returns the command of the wizard that proposes a top-up of a validator; it sends nothing by itself. */
export function topUpCommand({ pubkey }: Watched, amountGwei: bigint, { wizardOptions }: Context): string {
  const amount = formatGwei(amountGwei).replaceAll(',', '')
  return shellCommand('bearings', '--validator', pubkey, ...wizardOptions, '--topup', amount)
}

/** Returns what to do where a top-up helps: the command, or the pool's own door where the validator is a pool's. */
export function wayToTopUp(
  watched: ValidatorPicture,
  amountGwei: bigint,
  context: Context,
): { next: string; nextIs?: 'command' } {
  const { record } = watched
  const isPools =
    typeof record === 'object' && isPoolValidator(record.validator.withdrawalCredentials, context.network)
  if (isPools) return { next: POOLS_TEXT.onlyItsDoor }
  return { next: topUpCommand(watched, amountGwei, context), nextIs: 'command' }
}
