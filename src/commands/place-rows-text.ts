/** What the rows are called that say what a place costs, and what the deposits say. */
export const PLACE_ROWS_TEXT = {
  deposits: 'deposits',
  genesisDeposits: 'of the genesis',
  lastPlace: 'the last has',
  paidIn: 'paid in',
  places: 'places',
  waiting: 'waiting',
} as const
