/** What a verb gets beside its request. `signal` aborts when nobody waits for the answer any more. */
export type RequestContext = { signal: AbortSignal }
