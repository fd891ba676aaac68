import type { Watched } from '../core/observe/picture.ts'
import { validatorName, type Words } from './words.ts'

/** Blocks that a validator did not sign: in a row up to now, and of the last `of` that it could have signed. */
type Count = { inRow: number; missed: number; of: number }

/** Words of the alarm that a validator missed blocks: in a row, and of the last `of`. */
export function missedBlocks(watched: Watched, { inRow, missed, of }: Count): Words {
  return {
    title: `${validatorName(watched)} missed ${inRow > 1 ? `${inRow} blocks in a row` : `${missed} of ${of} blocks`}.`,
    what: `Of the last ${of} blocks it did not sign ${missed}, while most others did; ${inRow} of them in a row up to now.`,
    next: 'Look at the node: does it run, with this key, with peers, and with an execution client that keeps up?',
  }
}

/** Words of the end of that alarm, where the validator signs. */
export function signsAgain(watched: Watched, { missed, of }: Count): Words {
  return {
    title: `${validatorName(watched)} signs again.`,
    what: `Of the last ${of} blocks it did not sign ${missed}.`,
  }
}

/** Words of the end of that alarm, where the validator is not in the active set any more. */
export function signsNoMore(watched: Watched): Words {
  return {
    title: `${validatorName(watched)} has no blocks to sign: it is not in the active set.`,
    what: 'What it missed before is over with its place.',
  }
}
