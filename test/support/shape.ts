/**
 * What a JSON value is made of, without its values: names of fields, kinds of numbers and texts, and for a list the
 * kinds of its items. Two replies of the same endpoint have the same shape.
 */
export function shape(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shape(item))))].sort()
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, field]) => [name, shape(field)]),
    )
  }
  return typeof value === 'string' ? textKind(value) : typeof value
}

function textKind(text: string): string {
  if (/^0x[0-9a-f]{64,}$/.test(text)) return `hex of ${(text.length - 2) / 2} bytes`
  if (/^0x[0-9a-f]*$/.test(text)) return 'hex'
  if (/^-?\d+$/.test(text)) return 'decimal'
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return 'time'
  if (/^([0-9A-F]{40}|[0-9A-F]{64})$/.test(text)) return 'engine hash'
  if (/^[0-9A-Za-z+/]{100,}=*$/.test(text)) return 'base64'
  return 'text'
}
