import { useStdout } from 'ink'
import { useCallback, useSyncExternalStore } from 'react'

/** The size of the terminal, and whether a dangerous step may be confirmed in it. */
export type Terminal = { columns: number; rows: number; roomToConfirm: boolean }

const COLUMNS = 80
const ROWS = 24

/** The terminal as it is now; follows when it is resized. 80 by 24 where the size is not known. */
export function useTerminal(): Terminal {
  const { stdout } = useStdout()
  const subscribe = useCallback(
    (changed: () => void) => {
      stdout.on('resize', changed)
      return () => void stdout.off('resize', changed)
    },
    [stdout],
  )
  const columns = useSyncExternalStore(subscribe, () => sizeOf(stdout, 'columns', COLUMNS))
  const rows = useSyncExternalStore(subscribe, () => sizeOf(stdout, 'rows', ROWS))
  return { columns, rows, roomToConfirm: columns >= COLUMNS && rows >= ROWS }
}

function sizeOf(stdout: object, side: 'columns' | 'rows', otherwise: number): number {
  const size: unknown = side in stdout ? Reflect.get(stdout, side) : undefined
  return typeof size === 'number' && size > 0 ? size : otherwise
}
