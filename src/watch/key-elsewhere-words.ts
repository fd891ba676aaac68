import { formatCount, formatDuration } from '../core/base/format/amount.ts'
import { STOP_OTHER } from '../core/observe/node-text.ts'
import type { Watched } from '../core/observe/picture.ts'
import { validatorName, type Words } from './words.ts'

/** Why the own node signs nothing with a key, and its newest block. */
export type NotSigning = { is: 'silent' | 'another-key' | 'catches-up' | 'behind'; slot: bigint }

type Elsewhere = { height: bigint; agoMs: number; own: NotSigning }

/** Words of the alarm that a key signs blocks which the own node cannot have signed. */
export function signsElsewhere(watched: Watched, { height, agoMs, own }: Elsewhere): Words {
  const name = validatorName(watched)
  const block = `block ${formatCount(height)}, ${formatDuration(agoMs)} ago`
  if (own.is === 'silent')
    return {
      title: `${name} signed ${block}, while your node does not answer.`,
      what: `The last answer of your node was block ${formatCount(own.slot)}. Either it runs and only its address does not answer here, or another node signs with the key.`,
      next: 'Start no node with this key before you know which one it is: two that sign with one key vote twice, and the chain keeps the evidence.',
    }
  return {
    title: `${name} signed ${block}, not by your node.`,
    what: `${OWN_WORDS[own.is](formatCount(own.slot))} A second node has a copy of the key: two that sign with one key vote twice, and the chain keeps the evidence.`,
    next: `Do not give your node this key: ${STOP_OTHER}. If you moved the node on purpose, watch the new one (--node, --engine).`,
  }
}

const OWN_WORDS: Readonly<Record<Exclude<NotSigning['is'], 'silent'>, (slot: string) => string>> = {
  'another-key': (slot) => `Your node is at block ${slot} and runs with another key.`,
  'catches-up': (slot) => `Your node is at block ${slot} and catches up: it signs nothing yet.`,
  behind: (slot) => `Your node is at block ${slot} only, so it cannot have signed that one.`,
}

/** Words of the end of that alarm. */
export function signsHere(watched: Watched): Words {
  return {
    title: `Your own node runs with the key of ${validatorName(watched)} and keeps up.`,
    what: 'What votes with the key from now on is this node, as far as can be seen.',
  }
}
