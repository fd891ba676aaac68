/** Returns what is under way while something else is awaited: where it fails, that is told when it is awaited itself. */
export function unawaited<T>(reply: Promise<T>): Promise<T> {
  reply.catch(() => undefined)
  return reply
}

/**
 * Waits until something has ended, in whatever way: for a pause that a signal may cut short, for the next in a queue, and for
 * what tidies up. Whoever asked for it is told how it ended.
 */
export async function onceSettled(reply: Promise<unknown>): Promise<void> {
  await Promise.allSettled([reply])
}
