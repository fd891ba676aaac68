import { formatCount, formatDuration } from '../format/amount.ts'
import type { Hex } from '../format/hex.ts'
import type { Beside } from '../network/standstill.ts'
import type { KnownHead } from './memory.ts'
import type { Watched } from './sighting.ts'
import { nameOf, type Words } from './words.ts'

export function forkUnknown(version: Hex): Words {
  return {
    title: `The chain runs rules that this version of Bearings does not know (${version}).`,
    what: 'What it forecasts may be wrong from now on.',
    next: 'Install a newer Bearings.',
  }
}

export function forkKnown(): Words {
  return { title: 'The rules in force are known.', what: 'Forecasts are made by them.' }
}

export function endpointsSilent(heads: readonly KnownHead[], forMs: number): Words {
  const names = [...new Set(heads.map(({ name }) => name))].join(', ')
  return {
    title: `No endpoint answers for ${formatDuration(forMs)}.`,
    what: `Asked: ${names}. Nothing of the validators or of the chain is known since.`,
    next: 'Look at the network of this computer first, then at the node.',
  }
}

export function endpointsAnswer(): Words {
  return { title: 'Endpoints answer again.', what: 'What they say is looked at as before.' }
}

export function nodeSilent({ name, slot }: KnownHead, forMs: number, newest: bigint | undefined): Words {
  const last = slot === undefined ? 'It has not answered yet.' : `Its last answer: slot ${formatCount(slot)}.`
  const chain = newest === undefined ? '' : ` Another endpoint is at ${formatCount(newest)}.`
  return {
    title: `Your node does not answer for ${formatDuration(forMs)} (${name}).`,
    what: `${last}${chain} A validator whose node is silent signs nothing.`,
    next: 'Start the node again, and look at its log.',
  }
}

export function nodeAnswers(): Words {
  return { title: 'Your node answers again.', what: 'What it says is looked at as before.' }
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
    what: `It ran with ${nameOf({ pubkey: before })}, and runs with ${nameOf({ pubkey: now })} now, which is not watched. The validator signs nothing with it.`,
    next: 'Put the key file of the validator back and restart the node. Never run one key on two nodes.',
  }
}

export function nodeKeyAgain(now: Hex): Words {
  return {
    title: 'Your node signs with a watched key again.',
    what: `It runs with ${nameOf({ pubkey: now })}.`,
  }
}

type Count = { inRow: number; missed: number; of: number }

export function missedBlocks(seen: Watched, { inRow, missed, of }: Count): Words {
  return {
    title: `${nameOf(seen)} missed ${inRow > 1 ? `${inRow} blocks in a row` : `${missed} of ${of} blocks`}.`,
    what: `Of the last ${of} blocks it did not sign ${missed}, while most others did; ${inRow} of them in a row up to now.`,
    next: 'Look at the node: does it run, with this key, with peers, and with an execution client that keeps up?',
  }
}

export function signsAgain(seen: Watched, { missed, of }: Count): Words {
  return {
    title: `${nameOf(seen)} signs again.`,
    what: `Of the last ${of} blocks it did not sign ${missed}.`,
  }
}

export function signsNoMore(seen: Watched): Words {
  return {
    title: `${nameOf(seen)} has no blocks to sign: it is not in the active set.`,
    what: 'What it missed before is over with its place.',
  }
}
