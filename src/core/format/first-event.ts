/** One event of a stream: its name and its data, still as text. */
export type StreamEvent = { event: string; data: string }

/**
 * The first whole event with a name and data in the text of an event stream (WHATWG HTML, "Server-sent events"), from
 * its start; undefined while there is none. Comments, ids and events without a name are passed over.
 */
export function firstEvent(text: string): StreamEvent | undefined {
  const blocks = text.replace(/\r\n?/g, '\n').split('\n\n').slice(0, -1)
  for (const block of blocks) {
    const fields = block.split('\n').map(readField)
    const event = fields.findLast(([name]) => name === 'event')?.[1] ?? ''
    const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
    if (event !== '' && data.length > 0) return { event, data: data.join('\n') }
  }
  return undefined
}

function readField(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
}
