import type { Effects } from './effects.ts'

/** What a signal can end. */
type Ended = Pick<Effects, 'clock' | 'http' | 'exec'>

/**
 * The same world for as long as the signal is silent. After it nothing is asked, awaited or run any more: what is under
 * way ends with the signal's reason, and what comes later fails with it at once. So a client, a pause or a program
 * that is made from these effects cannot forget to listen. Signing ends with the signer's own signal; what is written
 * to the disk is always written to its end.
 */
export function effectsUntil<E extends Ended>(effects: E, signal: AbortSignal): E & Ended {
  const { clock, http, exec } = effects
  return {
    ...effects,
    clock: {
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      sleep: (delayMs, own) => clock.sleep(delayMs, earlier(signal, own)),
    },
    http: {
      request: async (request) => http.request({ ...request, signal: earlier(signal, request.signal) }),
    },
    exec: {
      ...exec,
      run: async (request) => exec.run({ ...request, signal: earlier(signal, request.signal) }),
    },
  }
}

function earlier(signal: AbortSignal, own: AbortSignal | undefined): AbortSignal {
  return own === undefined || own === signal ? signal : AbortSignal.any([signal, own])
}
