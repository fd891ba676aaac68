import { formatCount, formatGwei } from '../../format/amount.ts'
import type { ToolAnswer } from './answers.ts'

/** Why the node tool is not asked. */
export const NO_TOOL_TEXT = { noHome: 'not asked: no node home', noTool: 'not installed' }

/** How the voting power of the node tool stands to that of the engine's set. */
export type PowerCompared = 'same' | 'none' | 'not-known' | 'other-key' | 'behind' | 'differs'

/** The node tool's voting power beside that of the engine's set, and what a difference means. */
export function toolPowerWords({ powerGwei, height }: ToolAnswer, compared: PowerCompared): string {
  const power = formatGwei(powerGwei)
  switch (compared) {
    case 'same':
      return `${power}, the same`
    case 'none':
      return 'none yet, the same'
    case 'not-known':
      return `${power}; the engine’s is not known`
    case 'other-key':
      return `${power}: its node runs with another key`
    case 'behind':
      return `${power}: its node is behind, at block ${formatCount(height)}`
    case 'differs':
      return `${power}, not the same: its node may be behind`
  }
}
