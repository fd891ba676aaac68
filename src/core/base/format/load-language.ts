import { type LanguageTexts, setTexts } from './texts.ts'

/** The file of each language but English, beside the program, with the SHA-256 of its JSON; put in when the program is built. */
declare const LANGUAGE_FILES: Readonly<Record<string, { name: string; sha256: string }>>

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
