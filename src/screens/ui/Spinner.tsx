import { useAnimation } from 'ink'
import type { Waiting } from '../../core/steps/view.ts'
import { useShell } from '../../hooks/shell.tsx'
import { useTheme } from '../theme.tsx'
import { run } from './line.ts'
import { Lines } from './lines.tsx'

const FRAME_MS = 200
const SECOND_MS = 1000

/** What is being waited for, moving, with the seconds it has taken. One at most on a screen. */
export function Spinner({ waiting, columns }: { waiting: Waiting; columns: number }) {
  const theme = useTheme()
  const { clock } = useShell()
  const { frame } = useAnimation({ interval: FRAME_MS })
  const nowMs = clock.monotonicMs()
  const seconds = Math.max(0, Math.floor((nowMs - (waiting.sinceMs ?? nowMs)) / SECOND_MS))
  const symbol = theme.spinner[frame % theme.spinner.length] ?? ''
  const row = [run(` ${symbol} `, 'accent'), run(`waiting ${waiting.label}`), run(` · ${seconds} s`, 'dim')]
  return <Lines lines={[row]} columns={columns} />
}
