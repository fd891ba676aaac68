import type { FrontHooks } from './execution/types.ts'
import type { LoopbackHandler } from './loopback-server.ts'

/** Counts what anybody asks on the network's endpoints. */
export type RequestWatch = {
  count: () => number
  /** The same handler, counted. */
  server(handle: LoopbackHandler): LoopbackHandler
  /** The same hooks of the execution endpoint, counted. */
  front(hooks?: FrontHooks): FrontHooks
}

/** A counter for all endpoints of a network. */
export function requestWatch(): RequestWatch {
  let count = 0
  return {
    count: () => count,
    server: (handle) => (request) => {
      count += 1
      return handle(request)
    },
    front: (hooks = {}) => ({
      async around(call, answer) {
        count += 1
        if (hooks.around !== undefined) return hooks.around(call, answer)
        return { kind: 'answer', answer: await answer() }
      },
    }),
  }
}
