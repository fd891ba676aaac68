import { useWindowSize } from 'ink'

/** The size of the terminal, and whether a dangerous step may be confirmed in it (`safety.md` #107). */
export type Terminal = { columns: number; rows: number; roomToConfirm: boolean }

const CONFIRM_COLUMNS = 80
const CONFIRM_ROWS = 24

/** The terminal as it is now; follows when it is resized. */
export function useTerminal(): Terminal {
  const { columns, rows } = useWindowSize()
  return { columns, rows, roomToConfirm: columns >= CONFIRM_COLUMNS && rows >= CONFIRM_ROWS }
}
