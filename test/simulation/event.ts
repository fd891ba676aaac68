/**
 * A change of an alarm as the watch prints and sends it: which alarm, with what changed, and in words. After a crash the same
 * change may have another number, where something else is told with it. `ofGuard`: what it says of a guard.
 */
export type SeenEvent = {
  key: string
  id: string
  words: string
  alarm: string
  change: string
  severity: string
  ofGuard: string | undefined
}

/** Reads a document of the watch; of one that says why a watch has ended, the code. Throws for any other. */
export function seenEvent(text: string): SeenEvent | { error: string } {
  const read = JSON.parse(text) as Record<string, unknown>
  const { schema, id, sequence, change, alarm, severity, words, error } = read
  if (typeof error === 'object' && error !== null && 'code' in error) return { error: String(error.code) }
  if (
    !String(schema).startsWith('bearings.event/') ||
    typeof id !== 'string' ||
    typeof sequence !== 'number' ||
    typeof change !== 'string'
  )
    throw new Error(`no event of a watch: ${text.slice(0, 200)}`)
  const which = change === 'repeated' ? ` ${sequence}` : ''
  const isOfGuard = String(alarm).startsWith('guard-') && change !== 'cleared'
  return {
    key: `${id} ${change}${which}`,
    id,
    words: `${String(alarm)} ${change}, number ${sequence}`,
    alarm: String(alarm),
    change,
    severity: String(severity),
    ofGuard: isOfGuard ? JSON.stringify(words) : undefined,
  }
}
