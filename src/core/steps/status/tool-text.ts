/** How the voting power of the node tool stands to that of the engine's set. */
export type PowerCompared = 'same' | 'none' | 'not-known' | 'other-key' | 'behind' | 'differs'

/** Why the node tool is not asked; its voting power beside that of the engine's set, and what a difference means. */
export const TOOL_TEXT = {
  noHome: 'not asked: no node home',
  noTool: 'not installed',
  power: {
    same: (power: string) => `${power}, the same`,
    none: () => 'none yet, the same',
    'not-known': (power: string) => `${power}; the engine’s is not known`,
    'other-key': (power: string) => `${power}: its node runs with another key`,
    behind: (power: string, block: string) => `${power}: its node is behind, at block ${block}`,
    differs: (power: string) => `${power}, not the same: its node may be behind`,
  } satisfies Record<PowerCompared, (power: string, block: string) => string>,
}
