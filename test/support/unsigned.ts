import type { Effects } from '../../src/core/base/effects/effects.ts'

/** The same world with engines that serve no signatures: then endpoints must agree, as where no engine is to be had. */
export function unsigned(effects: Effects): Effects {
  return {
    ...effects,
    http: {
      async request(asked) {
        const reply = await effects.http.request(asked)
        if (!/\/commit(?:\?|$)/.test(asked.url)) return reply
        const error = { code: -32601, message: 'Method not found' }
        const body = JSON.stringify({ jsonrpc: '2.0', id: -1, error })
        return { ...reply, body: new TextEncoder().encode(body) }
      },
    },
  }
}
