import type { Branch } from './branches.ts'
import type { Network } from './network.ts'
import { BEGIN_MS, type Time } from './time.ts'

/** What happened, in order, for whoever reads of a failing seed. */
export type Story = {
  /** Adds a line; the words are only made where the story is told. */
  note(who: string, words: () => string): void
  /** A branch that must be reached was. */
  reached(branch: Branch): void
  readonly branches: ReadonlySet<Branch>
  text(): string
}

export function createStory({
  time,
  network,
  tells,
}: {
  time: Time
  network: Network
  tells: boolean
}): Story {
  const lines: string[] = []
  const branches = new Set<Branch>()
  return {
    branches,
    note(who, words) {
      if (!tells) return
      const seconds = ((time.nowMs() - BEGIN_MS) / 1000).toFixed(1)
      lines.push(
        `${seconds.padStart(7)} s  block ${String(network.blocks.length - 1).padEnd(3)} ${who}: ${words()}`,
      )
    },
    reached: (branch) => void branches.add(branch),
    text: () => lines.join('\n'),
  }
}
