/**
 * A change of an alarm as the watch prints and sends it: which alarm, with what changed, and in words. After a crash the same
 * change may have another number, where something else is told with it.
 */
export type SeenEvent = { key: string; words: string; alarm: string; change: string; severity: string }

/** Reads a document of the watch; of one that says why a watch has ended, the code. Throws for any other. */
export function seenEvent(text: string): SeenEvent | { error: string } {
  const { schema, id, sequence, change, alarm, severity, error } = JSON.parse(text) as Record<string, unknown>
  if (typeof error === 'object' && error !== null && 'code' in error) return { error: String(error.code) }
  if (
    !String(schema).startsWith('bearings.event/') ||
    typeof id !== 'string' ||
    typeof sequence !== 'number' ||
    typeof change !== 'string'
  )
    throw new Error(`no event of a watch: ${text.slice(0, 200)}`)
  const which = change === 'repeated' ? ` ${sequence}` : ''
  return {
    key: `${id} ${change}${which}`,
    words: `${String(alarm)} ${change}, number ${sequence}`,
    alarm: String(alarm),
    change,
    severity: String(severity),
  }
}
