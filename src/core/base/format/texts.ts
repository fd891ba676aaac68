/**
 * The texts of a language. English is in the sources; the build turns each text that another language has into one of these
 * look-ups, with the English beside it (`scripts/build/translate.ts`).
 */

/** A template in a language: its pieces, and for each gap between them which of the values is put in. */
type Template = readonly [pieces: readonly string[], order: readonly number[]]
export type LanguageText = string | Template
/** The texts of a language by their number; null where it has none, and English is said. */
export type LanguageTexts = readonly (LanguageText | null)[]

/** The file of each language but English, beside the program, with the SHA-256 of its JSON; put in when the program is built. */
declare const LANGUAGE_FILES: Readonly<Record<string, { name: string; sha256: string }>>

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

/** Returns the name of the file of a language. */
export function languageFile(language: string): string {
  return LANGUAGE_FILES[language]?.name ?? ''
}

/**
 * Loads a language, before any module with a text in a constant is evaluated. Returns a sentence where it cannot be loaded:
 * everything is said in English then.
 */
export async function loadLanguage(language: string): Promise<string | undefined> {
  const name = languageFile(language)
  const { href } = new URL(name, import.meta.url)
  try {
    const { default: texts } = (await import(href, { with: { type: 'json' } })) as { default: LanguageTexts }
    if ((await sha256Of(JSON.stringify(texts))) !== LANGUAGE_FILES[language]?.sha256)
      return sentence(name, 'is damaged')
    setTexts(texts)
    return undefined
  } catch (thrown) {
    return sentence(name, thrown instanceof SyntaxError ? 'is damaged' : 'cannot be read')
  }
}

/** Node's own module for hashes takes longer to load, and not every room may name it. */
async function sha256Of(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')
}

function sentence(name: string, fault: string): string {
  const path = `${import.meta.dirname}/${name}`
  return `Bearings continues in English: its file ${path} ${fault}. Install bearings again to restore it.`
}
