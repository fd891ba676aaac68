import { formatCount, formatDuration } from '../core/base/format/amount.ts'
import type { KnownHead } from '../core/observe/known-head.ts'
import type { Words } from './words.ts'

/** Words of the alarm that an endpoint is left out because its head is far off. */
export function endpointFarOff(
  { name, role }: KnownHead,
  { slot, newest, forMs }: { slot: bigint; newest: bigint | undefined; forMs: number },
): Words {
  const beside = newest === undefined ? '' : `, the head that counts is ${formatCount(newest)}`
  return {
    title: `${name} is left out: its head is far off for ${formatDuration(forMs)}.`,
    what: `This ${ROLE_NAMES[role]} endpoint is at ${formatCount(slot)}${beside}. No second endpoint bears it out, so nothing that it says is used.`,
    next: 'Look whether its address is of this network. If your own node is the one that is behind, name a second endpoint of another host.',
  }
}

/** Words of the alarm that an endpoint of somebody else is left out because it gives no answer. */
export function endpointSilent({ name, role, slot }: KnownHead, forMs: number): Words {
  const last =
    slot === undefined ? 'It has not answered yet.' : `Its last answer was block ${formatCount(slot)}.`
  return {
    title: `${name} is left out: it has not answered for ${formatDuration(forMs)}.`,
    what: `${last} This ${ROLE_NAMES[role]} endpoint proves and witnesses nothing. Bearings continues with the others.`,
    next: REPLACE_IT,
  }
}

/** Words of the alarm that an endpoint of somebody else is left out because its answers come too late. */
export function endpointIsLate({ name }: KnownHead, forMs: number): Words {
  return {
    title: `${name} is left out: its answers have come too late for ${formatDuration(forMs)}.`,
    what: 'It takes longer than its share of each look at the validator set. Bearings continues with the other endpoints.',
    next: REPLACE_IT,
  }
}

const REPLACE_IT = 'Check its address, or name another endpoint in its place.'

/** Words of the end of that alarm. */
export function endpointNear({ name }: KnownHead): Words {
  return { title: `${name} counts again.`, what: 'Its head fits the others, and it answers in time.' }
}

/** Returns the own node shows no new block, and one that is left out names a further one. */
export function noNewBlockBeside(
  slot: bigint,
  forMs: number,
  further: { name: string; block: bigint },
): Words {
  return {
    title: `Your node shows no new block for ${formatDuration(forMs)}.`,
    what: `The newest is of slot ${formatCount(slot)}. Whether the chain goes on is not known: ${further.name} names block ${formatCount(further.block)}, and no second endpoint of another host bears that out.`,
    next: 'Look at a block explorer: if the chain goes on, restart the node. Name a second endpoint of another host, so that this can be told apart.',
  }
}

const ROLE_NAMES = { node: 'node API', execution: 'execution', engine: 'engine' } as const
