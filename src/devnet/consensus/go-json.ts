const ESCAPED = /[<>&\u2028\u2029]/g

/**
 * JSON as Go's encoder writes it: `<`, `>` and `&` escaped, bigints as bare digits, and undefined fields left out.
 */
export function goJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return `{${fields.map(([name, field]) => `${goText(name)}:${goJson(field)}`).join(',')}}`
  }
  return typeof value === 'string' ? goText(value) : JSON.stringify(value)
}

function goText(text: string): string {
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
