/**
 * A regular expression with texts in it: what stands in the holes is looked for as it is, so that a test need not repeat
 * a sentence of the program to look for it among marks and numbers. An expression in a hole stays one.
 */
export function pattern({ raw }: TemplateStringsArray, ...holes: readonly (string | RegExp)[]): RegExp {
  const sources = holes.map((hole) => (typeof hole === 'string' ? escaped(hole) : hole.source))
  return new RegExp(String.raw({ raw }, ...sources))
}

/** The text with any number in the place of each of its numbers. */
export function anyNumbers(text: string): RegExp {
  return new RegExp(escaped(text).replace(/\d[\d,]*/g, String.raw`\d[\d,]*`))
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
