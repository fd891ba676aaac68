/** A value as JSON text, whole numbers of any size as decimal text. `indent`: spaces a level; none: one line. */
export function jsonText(value: object, { indent }: { indent?: number } = {}): string {
  const plain = (_: string, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)
  return JSON.stringify(value, plain, indent)
}
