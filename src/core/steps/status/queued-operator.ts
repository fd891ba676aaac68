import { type QueuedOperator, queuedCommands } from '../../chain/deposit/operator-command.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import type { NetworkPicture, Watched } from '../../observe/picture.ts'
import type { StatusState } from './machine.ts'

/** Returns the operator change that waits for its second step, as a look saw it. */
export function queuedIn({ validators }: NetworkPicture, { pubkey }: Watched): QueuedOperator | undefined {
  const { operator, queued } = validators.find((each) => each.pubkey === pubkey)?.operator ?? {}
  return operator && queued && { operator, queued: queued.operator }
}

/** Returns what both wallets can do about it: the second step, and the way back. Undefined where none is queued. */
export function operatorCommands(
  { queued }: StatusState,
  { identity }: Facts,
  { network }: Setup,
): { accept: string; cancel: string } | undefined {
  if (queued === undefined || identity === undefined) return undefined
  return queuedCommands(queued, { contract: network.spec.depositContract, pubkey: identity.pubkey })
}
