import { Box, Text, useAnimation } from 'ink'
import type { ReactNode } from 'react'
import type { Waiting } from '../../core/view/view.ts'
import { useShell } from '../../hooks/shell.tsx'
import { type Theme, useTheme } from '../theme.tsx'
import { fitLine, type ScreenLine, type ScreenRow, type Span, span } from './line.ts'

/** Lines one below the other as one piece of text, none wider than `columns`. */
export function Lines({ lines, columns }: { lines: readonly ScreenLine[]; columns: number }) {
  const theme = useTheme()
  const runs = lines.flatMap((row, index): Span[] => [
    ...(index === 0 ? [] : [{ text: '\n', tone: 'text' as const }]),
    ...fitLine(row, columns).map(({ text, tone }) => ({ text: theme.plain(text), tone })),
  ])
  return (
    <Text wrap="truncate">
      {runs.length === 0 ? ' ' : merged(runs).map((piece, index) => drawn(piece, `${index}`, theme))}
    </Text>
  )
}

/** Neighbours that look the same as one piece: the fewer pieces, the sooner the frame. */
function merged(runs: readonly Span[]): Span[] {
  const out: Span[] = []
  for (const piece of runs) {
    const last = out.at(-1)
    const blank = piece.text.trim() === '' && piece.tone !== 'chosen' && piece.tone !== 'alarm'
    const joins = last !== undefined && (last.tone === piece.tone || (blank && last.tone === 'text'))
    if (joins) out[out.length - 1] = { text: last.text + piece.text, tone: last.tone }
    else out.push(blank ? { ...piece, tone: 'text' } : piece)
  }
  return out
}

function drawn({ text, tone }: Span, key: string, theme: Theme): ReactNode {
  if (tone === 'text') return text
  return (
    <Text key={key} {...theme.style(tone)}>
      {text}
    </Text>
  )
}

/** Rows one below the other, each exactly as high as it says. */
export function Rows({ rows, columns }: { rows: readonly ScreenRow[]; columns: number }) {
  return rows.map((row) =>
    'line' in row ? (
      <Lines key={row.key} lines={[row.line]} columns={columns} />
    ) : (
      <Box key={row.key} height={row.height} width={columns} flexShrink={0} overflow="hidden">
        {row.node}
      </Box>
    ),
  )
}

const FRAME_MS = 200
const SECOND_MS = 1000

/** What is being waited for, moving, with the seconds it has taken. One at most on a screen. */
function Spinner({ waiting, columns }: { waiting: Waiting; columns: number }) {
  const theme = useTheme()
  const { clock } = useShell()
  const { frame } = useAnimation({ interval: FRAME_MS })
  const nowMs = clock.monotonicMs()
  const seconds = Math.max(0, Math.floor((nowMs - (waiting.sinceMs ?? nowMs)) / SECOND_MS))
  const symbol = theme.spinner[frame % theme.spinner.length] ?? ''
  const row = [
    span(` ${symbol} `, 'accent'),
    span(`waiting ${waiting.label}`),
    span(` · ${seconds} s`, 'dim'),
  ]
  return <Lines lines={[row]} columns={columns} />
}

/** What is being waited for, as a row of the foot. */
export function waitRow(waiting: Waiting, columns: number): ScreenRow {
  return { key: 'wait', height: 1, node: <Spinner waiting={waiting} columns={columns} /> }
}
