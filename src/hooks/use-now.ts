import { useAnimation } from 'ink'
import { useShell } from './shell.tsx'

const TICK_MS = 1000

/** The monotonic time of the shell's clock, renewed every second, for ages and counts of seconds. */
export function useNow(): number {
  const { clock } = useShell()
  useAnimation({ interval: TICK_MS })
  return clock.monotonicMs()
}
