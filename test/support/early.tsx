import type { NetworkChoice, UnderWay } from '../../src/core/wizard/launch/choice.ts'
import type { Launcher } from '../../src/hooks/launch-loop.ts'
import { App } from '../../src/screens/App.tsx'
import { openTerminal, type TestTerminalOptions } from './terminal.tsx'

/** What is under way, and what else its launcher says; a choice is never opened where it does not say how. */
export type LaunchGiven = Partial<Launcher> & { rows?: readonly UnderWay[] | Promise<readonly UnderWay[]> }

/** A launcher that notes what is chosen. */
function notingLauncher({ rows = [], ...own }: LaunchGiven = {}) {
  const chosen: NetworkChoice[] = []
  const never = new Promise<never>(() => undefined)
  const note = (choice: NetworkChoice): Promise<never> => {
    chosen.push(choice)
    return never
  }
  const launcher: Launcher = {
    initial: undefined,
    underWay: async () => rows,
    draft: note,
    check: () => undefined,
    look: async () => ({}),
    complete: async ({ text }) => ({ to: text, names: [] }),
    open: note,
    price: () => never,
    ...own,
  }
  return { launcher, chosen }
}

/** The program on a terminal, in front of such a launcher. */
export async function openLaunch(given: LaunchGiven = {}, options: TestTerminalOptions = {}) {
  const { launcher, chosen } = notingLauncher(given)
  const shown = await openTerminal(<App launcher={launcher} />, { network: null, ...options })
  return Object.assign(shown, { chosen })
}
