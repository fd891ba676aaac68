import type { ExecutionClock, FrontHooks } from './execution/types.ts'
import type { LoopbackHandler } from './loopback-server.ts'

/** Notes when anybody asked anything, on each of the network's endpoints. */
export function requestWatch(clock: ExecutionClock) {
  let lastMs = clock.nowMs()
  const note = (): void => {
    lastMs = clock.nowMs()
  }
  return {
    lastMs: () => lastMs,
    server(handle: LoopbackHandler): LoopbackHandler {
      return (request) => {
        note()
        return handle(request)
      }
    },
    front(hooks: FrontHooks = {}): FrontHooks {
      return {
        async around(call, answer) {
          note()
          if (hooks.around !== undefined) return hooks.around(call, answer)
          return { kind: 'answer', answer: await answer() }
        },
      }
    },
  }
}
