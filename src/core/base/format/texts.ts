/**
 * The texts of a language. English is in the sources; the build turns each text that another language has into one of these
 * look-ups, with the English beside it (`scripts/build/translate.ts`).
 */

/** A template in a language: its pieces, and for each gap between them which of the values is put in. */
type Template = readonly [pieces: readonly string[], order: readonly number[]]
export type LanguageText = string | Template
/** The texts of a language by their number; null where it has none, and English is said. */
export type LanguageTexts = readonly (LanguageText | null)[]

let texts: LanguageTexts | undefined

/** Sets the language. Constants of modules that were evaluated before stay English. */
export function setTexts(given: LanguageTexts): void {
  texts = given
}

/** Returns a text in the language, or the English one. */
export function lookUpText(number: number, english: string): string {
  const found = texts?.[number]
  return typeof found === 'string' ? found : english
}

type Tag<Values extends readonly unknown[], Value> = (
  pieces: TemplateStringsArray,
  ...values: Values
) => Value

/** Returns the tag of an English template: it puts the same values into the template of the language, in its order. */
export function lookUpTemplate(number: number): Tag<readonly unknown[], string>
export function lookUpTemplate<Values extends readonly unknown[], Value>(
  number: number,
  tag: Tag<Values, Value>,
): Tag<Values, Value>
export function lookUpTemplate(
  number: number,
  tag: Tag<readonly unknown[], unknown> = joinPieces,
): Tag<readonly unknown[], unknown> {
  const found = texts?.[number]
  if (typeof found !== 'object' || found === null) return tag
  const [pieces, order] = found
  return (_, ...values) => tag(pieces as TemplateStringsArray, ...order.map((at) => values[at]))
}

/** Returns what a template without a tag is. */
function joinPieces(pieces: readonly string[], ...values: readonly unknown[]): string {
  return pieces.reduce((all, piece, at) => `${all}${String(values[at - 1])}${piece}`)
}
