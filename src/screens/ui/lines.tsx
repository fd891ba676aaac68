import { Box, Text } from 'ink'
import { useTheme } from '../theme.tsx'
import { fitLine, type Line, type Row } from './line.ts'

/** One row of the terminal, never wider than `columns`. */
export function LineView({ row, columns }: { row: Line; columns: number }) {
  const theme = useTheme()
  const pieces = fitLine(row, columns).map((piece, index) => ({ ...piece, id: `${index}` }))
  if (pieces.length === 0) return <Text> </Text>
  return (
    <Text wrap="truncate">
      {pieces.map((piece) => (
        <Text key={piece.id} {...theme.style(piece.tone)}>
          {theme.plain(piece.text)}
        </Text>
      ))}
    </Text>
  )
}

/** Rows one below the other, each exactly as high as it says. */
export function Rows({ rows, columns }: { rows: readonly Row[]; columns: number }) {
  return rows.map((row) =>
    'line' in row ? (
      <Box key={row.key} height={1} width={columns} flexShrink={0} overflow="hidden">
        <LineView row={row.line} columns={columns} />
      </Box>
    ) : (
      <Box key={row.key} height={row.height} width={columns} flexShrink={0} overflow="hidden">
        {row.node}
      </Box>
    ),
  )
}
