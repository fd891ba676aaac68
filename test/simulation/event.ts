/** A change of an alarm as the watch prints and sends it: its place among all with what changed, and in words. */
export type SeenEvent = { key: string; words: string }

/** Reads a document of the watch; of one that says why a watch has ended, the code. Throws for any other. */
export function seenEvent(text: string): SeenEvent | { error: string } {
  const { schema, sequence, change, alarm, error } = JSON.parse(text) as Record<string, unknown>
  if (typeof error === 'object' && error !== null && 'code' in error) return { error: String(error.code) }
  if (
    !String(schema).startsWith('bearings.event/') ||
    typeof sequence !== 'number' ||
    typeof change !== 'string'
  )
    throw new Error(`no event of a watch: ${text.slice(0, 200)}`)
  return { key: `${sequence} ${change}`, words: `${String(alarm)} ${change}, number ${sequence}` }
}
