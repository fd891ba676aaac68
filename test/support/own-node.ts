import type { Tamper } from './replay-servers.ts'

/** The own node with all its clients, stopped and started again. */
export function ownNode(recorded: string) {
  let down = false
  const tamper: Tamper = () => (down ? 'close' : undefined)
  return {
    stop: () => {
      down = true
    },
    start: () => {
      down = false
    },
    input: { node: tamper, engine: tamper, execution: tamper, recorded },
  }
}
