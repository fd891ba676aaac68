/** By which numbers a node is judged, in one place: whoever shows, waits for or alarms of the same thing takes them from here. */

/** Where chain time is the wall's, a head of now is no further from our own clock than this, in milliseconds. */
export const OLDEST_HEAD_MS = 30_000
/** With places whose validators do not run a block may take so long on a network with slots of two seconds, in milliseconds. */
export const LONGEST_BLOCK_MS = 30_000
/** The slots of that network, in milliseconds: on one of other slots it is longer or shorter by as much. */
export const MEASURED_SLOT_MS = 2000
/** Over so many blocks the time between two is taken: fewer tell of one late proposer. */
export const BLOCKS_TO_MEASURE = 20n
/** A block of the future shows a clock that is behind, in milliseconds. */
export const MOST_CLOCK_BEHIND_MS = 1000
/** An old block may have been late: so much more shows a clock that is ahead, in milliseconds. */
export const MOST_CLOCK_AHEAD_MS = 5000
/** How far the heads of one node may be apart: consensus slot and execution block have one number here. */
export const MOST_SLOTS_APART = 5n
/** Heads that are no further apart are of one time. */
export const NEAR_SLOTS = 2n
/** After so many slots without a new head a node stands still. */
export const SLOTS_TO_STAND = 10
/** So long an answer may take, in milliseconds, and so many slots. */
export const LONGEST_ANSWER_MS = 6_000
export const SLOTS_TO_ANSWER = 3
/** In so many of the last commits a key is looked for: a validator that runs signs nearly every block. */
export const COMMITS_TO_LOOK_AT = 5n
/** In so many before a node is started with a key. */
export const COMMITS_BEFORE_A_START = 20n
