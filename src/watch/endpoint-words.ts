import { formatCount, formatDuration } from '../core/base/format/amount.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import type { Beside } from '../core/chain/network/standstill.ts'
import type { KnownHead } from '../core/observe/judge-heads.ts'
import type { NetworkPicture, NodePicture } from '../core/observe/picture.ts'
import { validatorName, type Words } from './words.ts'

export function executionSilent(
  { name, slot }: KnownHead,
  { forMs, stops, goesOn }: { forMs: number; stops: boolean; goesOn: boolean },
): Words {
  const last =
    slot === undefined ? 'It has not answered yet.' : `Its last answer: block ${formatCount(slot)}.`
  const node = goesOn
    ? ' Your node goes on; it may reach the client at another address.'
    : ' Without an execution client a node signs nothing.'
  const both = ' Your node stands still as well: without an execution client it signs nothing.'
  return {
    title: `Your execution client has not answered for ${formatDuration(forMs)} (${name}).`,
    what: `${last}${stops ? both : node}`,
    next: 'Start the execution client again, and look at its log. The node goes on by itself once it answers.',
  }
}

/** Words of the alarm that execution endpoints don't give the events of new deposits, or not all of them. */
export function lacksLogs({ lacking, unread }: NonNullable<NetworkPicture['logs']>): Words {
  const names = lacking.map(({ name }) => name).join(', ')
  const why = lacking.map((each) => each.why).join(' ')
  const shape = {
    title: `Deposit events can't be read from ${names}.`,
    next: 'Look at the log of the execution client: does it offer eth_getLogs, and keep logs? Name another endpoint behind it (--execution takes several).',
  }
  if (unread === undefined) return { ...shape, what: `${why} Another endpoint gives them in its place.` }
  const block = formatCount(unread.fromBlock)
  const count =
    unread.count === undefined
      ? `From block ${block} on it isn't known`
      : `The contract has taken ${formatCount(unread.count)} from block ${block} on, and it isn't known`
  return { ...shape, what: `${why} ${count} whether a deposit for a watched validator is among them.` }
}

/** Words of the end of that alarm. */
export function givesLogs(): Words {
  return {
    title: 'Your execution client gives all deposit events.',
    what: "They are as many as the contract's count says.",
  }
}

const AGAIN = {
  execution: 'Your execution client answers again.',
  node: 'Your node answers again.',
  endpoints: 'Endpoints answer again.',
  signed: 'Your endpoints no longer show a chain that the validator set did not sign.',
} as const

export function countsAgain(who: keyof typeof AGAIN): Words {
  return { title: AGAIN[who], what: 'What is said is looked at as before.' }
}

const WHO = { node: 'Your node', execution: 'Your execution client' } as const

export function behindWords(
  role: keyof typeof WHO,
  { slot, newest, forMs }: { slot: bigint; newest: bigint; forMs: number },
): Words {
  return {
    title: `${WHO[role]} is ${formatCount(newest - slot)} blocks behind for ${formatDuration(forMs)}.`,
    what: `It is at block ${formatCount(slot)}, another endpoint at ${formatCount(newest)}. A validator whose node is behind signs nothing.`,
    next: 'Wait while it catches up. If the distance does not shrink, look at its log, its disk and its peers.',
  }
}

export function catchesUp(slot: bigint): Words {
  return {
    title: 'Your node catches up: it follows blocks and does not sign them.',
    what: `It is at slot ${formatCount(slot)}, and its engine says so in two looks running.`,
    next: 'Wait until the engine has caught up; if that does not end, restart the node.',
  }
}

export function keepsUp(role: keyof typeof WHO, slot: bigint): Words {
  return { title: `${WHO[role]} is not behind.`, what: `It is at block ${formatCount(slot)}.` }
}

type Peers = NonNullable<NodePicture['peers']>

function peerWords({ engine, node, execution }: Peers): string {
  const counts = [
    ['engine', engine],
    ['node API', node],
    ['execution client', execution],
  ] as const
  return counts.flatMap(([who, count]) => (count === undefined ? [] : [`${who} ${count}`])).join(', ')
}

export function nodeAlone(peers: Peers): Words {
  return {
    title: 'Your node has no peers.',
    what: `Peers: ${peerWords(peers)}. Nobody hears what it signs, and it hears of no blocks.`,
    next: 'Look at the network and the firewall of the node: port 26656 of the engine, port 30303 of the execution client, and the seeds in config.toml.',
  }
}

export function nodeHasPeers(peers: Peers): Words {
  return { title: 'Your node has peers again.', what: `Peers: ${peerWords(peers)}.` }
}

export function clockOff(aheadMs: number): Words {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1)
  return aheadMs < 0
    ? {
        title: `The clock of this computer is ${seconds} s behind the chain.`,
        what: 'Every block that it saw lately has a time that is still to come by this clock.',
        next: 'Let this computer keep its time by NTP (timedatectl set-ntp true), and look at the clock of the node.',
      }
    : {
        title: `The clock of this computer is ${seconds} s ahead of the chain.`,
        what: 'Every block that it saw lately is older than it may be. Or your node gets all blocks late.',
        next: 'Let this computer keep its time by NTP (timedatectl set-ntp true); if it is right, look at the peers of the node.',
      }
}

export function clockRight(): Words {
  return {
    title: 'The clock of this computer agrees with the chain.',
    what: 'The times of new blocks fit it.',
  }
}

export function endpointsSilent(heads: readonly KnownHead[], forMs: number): Words {
  const names = [...new Set(heads.map(({ name }) => name))].join(', ')
  return {
    title: `No endpoint has answered for ${formatDuration(forMs)}.`,
    what: `Asked: ${names}. Nothing of the validators or of the chain is known since.`,
    next: 'Look at the network of this computer first, then at the node.',
  }
}

export function notSigned(why: string): Words {
  return {
    title: 'Your endpoints show a chain that the validator set did not sign.',
    what: `${why}. Nothing that they say of a validator is proven, and it ends no alarm.`,
    next: 'Ask endpoints of somebody else, too: --node, --execution and --engine take several.',
  }
}

export function nodeSilent({ name, slot }: KnownHead, forMs: number, newest: bigint | undefined): Words {
  const last = slot === undefined ? 'It has not answered yet.' : `Its last answer: slot ${formatCount(slot)}.`
  const chain = newest === undefined ? '' : ` Another endpoint is at ${formatCount(newest)}.`
  return {
    title: `Your node has not answered for ${formatDuration(forMs)} (${name}).`,
    what: `${last}${chain} A validator whose node is silent signs nothing.`,
    next: 'Start the node again, and look at its log.',
  }
}

export function noNewBlock(slot: bigint, forMs: number): Words {
  return {
    title: `Your node shows no new block for ${formatDuration(forMs)}.`,
    what: `The newest is of slot ${formatCount(slot)}. Whether the chain goes on is not known: no endpoint of anybody else is asked.`,
    next: 'Look at the node; restart it if other nodes go on. Give --second-execution, so that this can be told apart.',
  }
}

export function nodeHangs(
  { slot = 0n, name }: KnownHead,
  forMs: number,
  beside: Extract<Beside, { is: 'ahead' }>,
): Words {
  return {
    title: `Your node stands still at slot ${formatCount(slot)} for ${formatDuration(forMs)} (${name}).`,
    what: `It answers, and the chain goes on without it: ${beside.name} is at block ${formatCount(beside.block)}.`,
    next: 'Restart the node: it hangs at this height and does not report it.',
  }
}

export function nodeGoesOn({ slot = 0n }: KnownHead): Words {
  return { title: 'Your node goes on.', what: `It is at slot ${formatCount(slot)}.` }
}

export function chainHalted(slot: bigint, forMs: number, others: number): Words {
  return {
    title: `The chain makes no block for ${formatDuration(forMs)}.`,
    what: `The newest is of slot ${formatCount(slot)} at your node and at ${others} other ${others === 1 ? 'endpoint' : 'endpoints'}.`,
    next: 'Keep the node running: it goes on by itself when two thirds of the power sign again.',
  }
}

export function chainGoesOn(slot: bigint | undefined): Words {
  return {
    title: 'The chain goes on.',
    what: slot === undefined ? '' : `The newest block is of slot ${formatCount(slot)}.`,
  }
}

export function nodeOtherKey({ before, now }: { before: Hex; now: Hex }): Words {
  return {
    title: 'Your node signs with another key.',
    what: `It ran with ${validatorName({ pubkey: before })}, and runs with ${validatorName({ pubkey: now })} now, which is not watched. The validator signs nothing with it.`,
    next: 'See first that no other node signs with the key of the validator: doctor with --standby says it. Then put its key file back and restart the node. Two nodes with one key vote twice.',
  }
}

export function nodeKeyLeft(before: Hex): Words {
  return {
    title: 'Your node signs with another key, and may.',
    what: `The validator ${validatorName({ pubkey: before })}, whose key it ran with, ${STANDING_TEXT.hasLeft} and signs nothing any more.`,
  }
}

export function nodeKeySame(now: Hex): Words {
  return {
    title: 'Your node signs with the same key as before.',
    what: `It runs with ${validatorName({ pubkey: now })}, which is not watched any more.`,
  }
}

export function nodeKeyAgain(now: Hex): Words {
  return {
    title: 'Your node signs with a watched key again.',
    what: `It runs with ${validatorName({ pubkey: now })}.`,
  }
}
